import type {Command} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {keyLastFour, localProfileName} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {addListSubcommand} from './list-command.ts';
import {printTable} from './output/table.ts';
import {warnOfProfileVariable} from './profile-variable.ts';
import {openSettingsWithNotices} from './with-service.ts';

type ProfileLine = {
	readonly name: string;
	/** Null for the bundled service, which has another address at each start. */
	readonly base_url: string | null;
	readonly current: boolean;
	/** Null where there is no key. */
	readonly key_last4: string | null;
};

/** The stored profiles, and the bundled service where it is the current one. */
const linesOf = (settings: Settings): readonly ProfileLine[] => {
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
	const lines = linesOf(settings);
	if (context.options.isJson) {
		context.printJson(lines);
		return;
	}

	if (lines.length === 0) {
		context.note('There are no profiles yet. Make one with: switchboard login');
	}

	await printTable(context, [
		{title: ' ', text: line => line.current ? '>' : ''},
		{title: 'PROFILE', text: line => line.name, minimumWidth: 12},
		{title: 'ADDRESS', text: line => line.base_url ?? 'the bundled service on this machine', minimumWidth: 20},
		{title: 'KEY', text: line => line.key_last4 === null ? (line.base_url === null ? 'not needed' : 'signed out') : `…${line.key_last4}`},
	], lines);
};

const refuseUnstored = (settings: Settings): void => {
	if (settings.isMemoryOnly()) {
		throw new SwitchboardError('unexpected', `The change cannot be stored: ${settings.path} cannot be written.`);
	}
};

export const defineProfiles: DefineCommand = (parent, run) => {
	const list = async (_options: unknown, command: Command): Promise<void> => run(command, async context => {
		await printProfiles(context, await openSettingsWithNotices(context));
	});
	const profiles = parent
		.command('profiles')
		.description('list profiles: services and keys that are stored under a name')
		.addHelpText('after', examples(
			['switchboard profiles', 'the current one is marked'],
			['switchboard profiles use work', 'make another one the current one'],
			['switchboard profiles use local', 'let commands use the bundled service'],
		))
		.action(list);
	addListSubcommand(profiles, list);
	profiles
		.command('use')
		.description('make a profile the current one; “local” is the bundled service')
		.argument('<profile>', 'its name')
		.addHelpText('after', examples(['switchboard profiles use work', 'commands and the terminal UI then use it']))
		.action(async (name: string, _options: unknown, command: Command) => run(command, async context => {
			const settings = await openSettingsWithNotices(context);
			await settings.useProfile(name);
			refuseUnstored(settings);
			warnOfProfileVariable(context, name);
			await printProfiles(context, settings);
		}));
	profiles
		.command('remove')
		.description('forget a profile: its address and its key')
		.argument('<profile>', 'its name')
		.addHelpText('after', examples(['switchboard profiles remove work', 'as if it had never been']))
		.action(async (name: string, _options: unknown, command: Command) => run(command, async context => {
			const settings = await openSettingsWithNotices(context);
			await settings.removeProfile(name);
			refuseUnstored(settings);
			await printProfiles(context, settings);
		}));
	return profiles;
};
