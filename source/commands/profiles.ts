import {keyLastFour, localProfileName} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {examples, type Action, type DefineCommand} from './command.ts';
import {notStored} from './not-stored.ts';
import type {Context} from './context.ts';
import {defineListCommand, printRows} from './list-command.ts';
import {warnOfProfileVariable} from './profile-variable.ts';
import {openSettingsWithNotices} from './with-service.ts';

type ProfileRow = {
	readonly name: string;
	/** Null for the bundled service, whose address changes with each start. */
	readonly base_url: string | null;
	readonly current: boolean;
	/** Null if there is no key. */
	readonly key_last4: string | null;
};

/** The stored profiles, and the bundled service if it is the current one. */
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
	await printRows(context, [
		{title: ' ', text: row => row.current ? '>' : ''},
		{title: 'PROFILE', text: row => row.name, minimumWidth: 12},
		{title: 'ADDRESS', text: row => row.base_url ?? 'the bundled service on this machine', minimumWidth: 20},
		{title: 'KEY', text: row => row.key_last4 === null ? (row.base_url === null ? 'not needed' : 'signed out') : `…${row.key_last4}`},
	], rowsOf(settings), {ifEmpty: 'There are no profiles. Create one with: switchboard login'});
};

/** Returns an action that changes the stored profiles, then lists them. */
const changeProfiles = (change: (settings: Settings, name: string, context: Context) => Promise<void>): Action<readonly [name: string]> => async (context, name) => {
	const settings = await openSettingsWithNotices(context);
	await change(settings, name, context);
	if (settings.isMemoryOnly()) {
		throw notStored(settings, {what: 'The change could not be stored'});
	}

	await printProfiles(context, settings);
};

export const defineProfiles: DefineCommand = (parent, run) => {
	const profiles = defineListCommand(parent, run, {
		name: 'profiles',
		description: 'list profiles: the stored services and keys',
		examples: [
			['switchboard profiles', 'the current one is marked'],
			['switchboard profiles use work', 'switch to another one'],
			['switchboard profiles use local', 'use the bundled service in commands'],
		],
		async list(context) {
			await printProfiles(context, await openSettingsWithNotices(context));
		},
	});
	profiles
		.command('use')
		.description('make a profile the current one; “local” is the bundled service')
		.argument('<profile>', 'its name')
		.addHelpText('after', examples(['switchboard profiles use work', 'commands and the terminal UI then use it']))
		.action(run(changeProfiles(async (settings, name, context) => {
			await settings.useProfile(name);
			warnOfProfileVariable(context, name);
		})));
	profiles
		.command('remove')
		.description('remove a profile')
		.argument('<profile>', 'its name')
		.addHelpText('after', examples(['switchboard profiles remove work', 'removes its address, its key and its presets']))
		.action(run(changeProfiles(async (settings, name) => settings.removeProfile(name))));
	return profiles;
};
