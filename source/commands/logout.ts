import {isSameBaseAddress, normalizeBaseAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {findProfile, localProfileName} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {examples, type DefineCommand} from './command.ts';
import {notStored} from './not-stored.ts';
import type {Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startLocalChange,
	type DryRunOption,
} from './dry-run.ts';
import {noteNotices, openSettingsWithNotices} from './with-service.ts';

/** The profile to sign out of: the named one, the one with the given address, or the current one. */
const chooseProfile = ({profile, baseUrl}: Context['options'], settings: Settings): string | undefined => {
	if (profile !== undefined || baseUrl === undefined) {
		return profile ?? settings.currentProfileName();
	}

	const baseAddress = normalizeBaseAddress(baseUrl);
	const names = settings.profiles().filter(stored => isSameBaseAddress(stored.baseAddress, baseAddress)).map(({name}) => name);
	const current = settings.currentProfileName();
	if (names.length > 1 && (current === undefined || !names.includes(current))) {
		throw new SwitchboardError('ambiguous', `Several profiles have the address ${baseAddress}: ${names.join(', ')}.`, {nextStep: 'Choose one with --profile.'});
	}

	if (names[0] === undefined) {
		throw new SwitchboardError('usage', `No profile has the address ${baseAddress}.`, {nextStep: 'List the profiles with: switchboard profiles'});
	}

	return names.length > 1 ? current : names[0];
};

const logout = async (given: Context, options: DryRunOption): Promise<void> => {
	const context = startLocalChange(given, options);
	const settings = await openSettingsWithNotices(context);
	const name = chooseProfile(context.options, settings);
	if (name === undefined) {
		throw new SwitchboardError('usage', 'You are not signed in: there is no current profile.', {
			nextStep: 'List the profiles with: switchboard profiles\nSign out of one with: switchboard logout --profile NAME',
		});
	}

	if (name === localProfileName) {
		throw new SwitchboardError('usage', 'The profile “local” is the bundled service and has no key to remove.', {nextStep: 'Choose another one with --profile.'});
	}

	const {baseAddress, apiKey} = findProfile(settings.profiles(), name);
	if (!context.isDryRun) {
		const noticeCount = settings.notices.length;
		await settings.forgetKey(name);
		if (settings.isMemoryOnly()) {
			throw notStored(settings, {what: 'The key could not be removed'});
		}

		noteNotices(context, settings, noticeCount);
	}

	if (context.options.isJson) {
		await context.printJson({profile: name, base_url: baseAddress});
	} else {
		const done = `${context.isDryRun ? 'Would sign out: remove' : 'Signed out: removed'} the key of the profile “${name}”.`;
		context.print(apiKey === undefined ? `The profile “${name}” is already signed out.` : done);
	}

	noteDryRun(context);
};

export const defineLogout: DefineCommand = (parent, run) => parent
	.command('logout')
	.description('remove the key of the current profile, or of the one given with --profile')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard logout', 'the current profile'],
		['switchboard logout --profile work', 'another one'],
	))
	.action(run(logout));
