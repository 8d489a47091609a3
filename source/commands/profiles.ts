import type {Command} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {keyLastFour, localProfileName} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {examples, type DefineCommand, type Run} from './command.ts';
import type {Context} from './context.ts';
import {defineListCommand, printRows} from './list-command.ts';
import {warnOfProfileVariable} from './profile-variable.ts';
import {openSettingsWithNotices} from './with-service.ts';

type ProfileRow = {
	readonly name: string;
	/** Null for the bundled service, whose address changes with each start. */
	readonly base_url: string | null;
	readonly current: boolean;
	/** Null where there is no key. */
	readonly key_last4: string | null;
};

/** The stored profiles, and the bundled service where it is the current one. */
const rowsOf = (settings: Settings): readonly ProfileRow[] => {
	const current = settings.currentProfileName();
	const stored = settings.profiles().map(profile => ({
		name: profile.name,
		base_url: profile.baseAddress,
		current: profile.name === current,
		key_last4: keyLastFour(profile) ?? null,
	}));
	const local = {
		name: localProfileName,
		base_url: null,
		current: true,
		key_last4: null,
	};
	return current === localProfileName ? [...stored, local] : stored;
};

const printProfiles = async (context: Context, settings: Settings): Promise<void> => {
	const rows = rowsOf(settings);
	await printRows(context, {
		columns: [
			{title: ' ', text: row => row.current ? '>' : ''},
			{title: 'PROFILE', text: row => row.name, minimumWidth: 12},
			{title: 'ADDRESS', text: row => row.base_url ?? 'the bundled service on this machine', minimumWidth: 20},
			{title: 'KEY', text: row => row.key_last4 === null ? (row.base_url === null ? 'not needed' : 'signed out') : `…${row.key_last4}`},
		],
		rows,
		json: rows,
		ifEmpty: 'There are no profiles. Create one with: switchboard login',
	});
};

type ProfileChange = {
	readonly command: string;
	readonly description: string;
	readonly meaning: string;
	readonly change: (context: Context, settings: Settings, name: string) => Promise<void>;
};

/** Adds a command that changes the stored profiles, then lists them. */
const defineProfileChange = (parent: Command, run: Run, {command, description, meaning, change}: ProfileChange): void => {
	parent
		.command(command)
		.description(description)
		.argument('<profile>', 'its name')
		.addHelpText('after', examples([`switchboard profiles ${command} work`, meaning]))
		.action(run(async (context, name: string) => {
			const settings = await openSettingsWithNotices(context);
			await change(context, settings, name);
			if (settings.isMemoryOnly()) {
				throw new SwitchboardError('unexpected', `The change could not be stored: ${settings.path} is not writable.`);
			}

			await printProfiles(context, settings);
		}));
};

export const defineProfiles: DefineCommand = (parent, run) => {
	const profiles = defineListCommand(parent, run, {
		name: 'profiles',
		description: 'list profiles: the stored services and keys',
		help: examples(
			['switchboard profiles', 'the current one is marked'],
			['switchboard profiles use work', 'switch to another one'],
			['switchboard profiles use local', 'use the bundled service in commands'],
		),
		async list(context) {
			await printProfiles(context, await openSettingsWithNotices(context));
		},
	});
	defineProfileChange(profiles, run, {
		command: 'use',
		description: 'make a profile the current one; “local” is the bundled service',
		meaning: 'commands and the terminal UI then use it',
		async change(context, settings, name) {
			await settings.useProfile(name);
			warnOfProfileVariable(context, name);
		},
	});
	defineProfileChange(profiles, run, {
		command: 'remove',
		description: 'remove a profile',
		meaning: 'removes its address and its key',
		change: async (_context, settings, name) => settings.removeProfile(name),
	});
	return profiles;
};
