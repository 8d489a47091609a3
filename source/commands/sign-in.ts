import {SwitchboardError} from '../interface/errors.ts';
import type {Settings} from '../settings/settings.ts';
import {
	completeBaseAddress,
	isSameBaseAddress,
	normalizeBaseAddress,
	publicServiceAddress,
	refuseInsecureAddress,
} from '../interface/base-address.ts';
import {
	findProfile,
	keyLastFour,
	localProfileName,
	readApiKey,
	refuseProfileName,
	sessionTokenNote,
	sessionTokenQuestion,
	suggestProfileName,
	type Profile,
} from '../settings/profile.ts';
import {withRefusedKeyHelp} from '../settings/sign-in-hint.ts';
import {isInteractive, printJsonOr, type Context} from './context.ts';
import type {DefineCommand} from './command.ts';
import {ask} from './input/ask.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {readStandardInput} from './input/read-text.ts';
import {noteNotices, openClient, openSettingsWithNotices} from './with-service.ts';
import {dryRunOption} from './options.ts';

/** The variable whose key `login` uses instead of asking. */
const keyVariable = 'SWITCHBOARD_API_KEY';

type Words = {
	/** The thing that was not stored, as a clause without its end. */
	readonly what: string;
	/** A way without the settings, as a clause. */
	readonly instead?: string;
};

/**
Changes the settings, and prints the notices about that.

@throws SwitchboardError if the change applies only to this run.
*/
export async function changeSettings<Result>(
	context: Context,
	settings: Settings,
	words: Words,
	change: () => Promise<Result>,
): Promise<Result> {
	const noticeCount = settings.notices.length;
	const result = await change();
	if (settings.isMemoryOnly()) {
		throw notStored(settings, words);
	}

	noteNotices(context, settings, noticeCount);
	return result;
}

function notStored({path, isDiskFull, whyNotStored}: Settings, {what, instead}: Words): SwitchboardError {
	const nextStep = (remedy: string): string => (instead === undefined ? `${remedy}, then try again.` : `${remedy}, or ${instead} instead.`);
	if (isDiskFull()) {
		return new SwitchboardError('no-room', `${what}: the disk of ${path} is full.`, {nextStep: nextStep('Make room on it')});
	}

	const {reason, remedy, nextStep: ownStep} = whyNotStored();
	return new SwitchboardError('unexpected', `${what}: ${reason}.`, {nextStep: ownStep ?? nextStep(remedy)});
}

/** Warns that the profile in the environment overrides the new current one. */
export function warnOfProfileVariable({env, note}: Context, currentName: string): void {
	const name = env['SWITCHBOARD_PROFILE']?.trim() ?? '';
	if (name !== '' && name !== currentName) {
		note(`SWITCHBOARD_PROFILE is set, so commands in this shell still use “${name}”.`);
	}
}

export const defineLogin: DefineCommand = (parent, run) =>
	parent
		.command('login')
		.description('sign in to a service and store its address and key as a profile')
		.option('--api-key-stdin', 'read the key from standard input (default: ask for it)')
		.option('--from-openhome', 'take the address and the key from ~/.openhome/config.json, after a question')
		.option('--yes', 'skip the questions')
		.option(...dryRunOption)
		.examples(
			['switchboard login', 'asks for the address and the key'],
			['switchboard login --base-url https://voice.example.com --profile work', 'stored as the profile “work”'],
			['switchboard login --api-key-stdin < key.txt', 'without a terminal'],
			['switchboard login --from-openhome', 'with what the clients of OpenHome have stored'],
		)
		.action(run(login, {isLocal: true}));

export type KeepPromptsOption = {readonly keepPrompts?: boolean};

export const keepPromptsOption = [
	'--keep-prompts',
	'keep the earlier prompts on this machine for the next sign-in to the same address',
] as const;

/** Notes the fate of earlier prompts, or in a dry run the planned one. */
export function noteEarlierPrompts(
	{note, isDryRun}: Context,
	{count, text}: ReturnType<Settings['earlierPrompts']>,
	areKept: boolean,
): void {
	if (count === 0) {
		return;
	}

	const [verb, done, end] = areKept ? ['keep', 'Kept', ' for the next sign-in to the same address'] : ['delete', 'Deleted', ''];
	note(`${isDryRun ? `Would ${verb}` : done} ${text}${end}.`);
}

export const defineLogout: DefineCommand = (parent, run) =>
	parent
		.command('logout')
		.description('remove the key of the current profile, or of the profile given with --profile')
		.option(...keepPromptsOption)
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.notes(
			'\nRemoves the key and what is kept for it: earlier prompts, unsaved texts. On a\nterminal it asks first if there are earlier prompts.',
		)
		.examples(
			['switchboard logout', 'the current profile'],
			['switchboard logout --profile work', 'another one'],
			['switchboard logout --keep-prompts', 'and keep earlier prompts for “agents restore” after the next sign-in'],
		)
		.action(run(logout, {isLocal: true}));

type LoginOptions = {readonly apiKeyStdin?: boolean; readonly fromOpenhome?: boolean};

async function login(context: Context, given: LoginOptions): Promise<void> {
	const {profile} = context.options;
	if (profile !== undefined) {
		refuseProfileName(profile);
	}

	const settings = await openSettingsWithNotices(context);
	const {baseAddress, apiKey, source} = await chooseAccess(context, settings, given);
	const isFromVariable = source === keyVariable;
	const client = await openClient(context, {baseAddress, apiKey, keyVariable: isFromVariable ? keyVariable : undefined});
	try {
		context.showProgress(`Asking ${baseAddress} whether it accepts the key …`);
		await client.checkKey(context.readSignal);
	} catch (error) {
		throw isFromVariable
			? withRefusedKeyHelp(error, nextStep => [nextStep, 'Change or unset the variable, then sign in again.'].filter(Boolean).join(' '))
			: error;
	}

	context.signal.throwIfAborted();
	const name = profile ?? suggestProfileName(settings.profiles(), baseAddress, settings.currentProfileName());
	if (!context.isDryRun) {
		const words = {what: 'The key was accepted, but could not be stored', instead: 'set SWITCHBOARD_BASE_URL and SWITCHBOARD_API_KEY'};
		await changeSettings(context, settings, words, async () => settings.saveProfile({name, baseAddress, apiKey}));
		warnOfProfileVariable(context, name);
	}

	await printJsonOr(context, {profile: name, base_url: baseAddress}, () =>
		context.print(
			`${context.isDryRun ? 'Would sign in' : 'Signed in'} to ${baseAddress} as the profile “${name}”, with the key ending in ${keyLastFour({apiKey})!}.`,
		),
	);
}

type GivenKey = {readonly apiKey: string /** For sentences. */; readonly source: string};

/** Returns the address and the key, before anything is sent. */
async function chooseAccess(
	context: Context,
	settings: Settings,
	{apiKeyStdin = false, fromOpenhome: isFromOpenHome = false}: LoginOptions,
): Promise<GivenKey & Pick<Profile, 'baseAddress'>> {
	if (isFromOpenHome) {
		const {takeOpenHomeAccess} = await import('./sign-in/from-openhome.ts');
		const access = await takeOpenHomeAccess(context, apiKeyStdin);
		await acceptSessionToken(context, access);
		return access;
	}

	const baseAddress = await context.waitFor(async () => chooseAddress(context, settings, apiKeyStdin));
	refuseInsecureAddress(baseAddress, context.options.isInsecureHttpAllowed);
	const given = await context.waitFor(async () => chooseKey(context, baseAddress, apiKeyStdin));
	await acceptSessionToken(context, given);
	return {...given, baseAddress};
}

/** Asks about a session token in place of a key; if nobody can answer, notes that it is one. */
async function acceptSessionToken(context: Context, {apiKey, source}: GivenKey): Promise<void> {
	const oddity = sessionTokenNote(apiKey, source);
	if (oddity !== undefined && !(await confirmOnTerminal(context, sessionTokenQuestion, 'Nothing was stored.'))) {
		context.note(oddity);
	}
}

async function chooseAddress(context: Context, settings: Settings, isKeyPiped: boolean): Promise<string> {
	const {baseUrl} = context.options;
	if (baseUrl !== undefined) {
		return readAddress(context, baseUrl);
	}

	const likely = likelyAddress(context, settings);
	if (isKeyPiped || !isInteractive(context)) {
		return normalizeBaseAddress(likely);
	}

	const answer = await ask(context, {text: `Address of the service [${likely}]: `});
	return answer.trim() === '' ? normalizeBaseAddress(likely) : readAddress(context, answer);
}

/** Returns an address that a person typed; if it was completed, shows the result before anything is sent there. */
function readAddress({note}: Context, typed: string): string {
	const completed = completeBaseAddress(typed);
	const baseAddress = normalizeBaseAddress(completed);
	if (completed !== typed.trim()) {
		note(`Using ${baseAddress}`);
	}

	return baseAddress;
}

/**
Returns the address that a command would use (`docs/compatibility.md`, Which service, which key), or the public service's: a key for the
service in use must not be sent elsewhere.
*/
function likelyAddress({options, env}: Context, settings: Settings): string {
	const profileNamed = (name: string | undefined) => settings.profiles().find(profile => profile.name === name);
	return (
		[
			profileNamed(options.profile)?.baseAddress,
			env['SWITCHBOARD_BASE_URL'],
			options.profile === undefined ? profileNamed(settings.currentProfileName())?.baseAddress : undefined,
			env['OPENHOME_API_BASE'],
		].find(address => address?.trim()) ?? publicServiceAddress
	);
}

async function chooseKey(context: Context, baseAddress: string, isKeyPiped: boolean): Promise<GivenKey> {
	const {env, note} = context;
	if (isKeyPiped) {
		const source = 'standard input';
		const apiKey = readApiKey(await readStandardInput(context), source, note);
		if (apiKey === undefined) {
			throw new SwitchboardError('no-key', 'No key on standard input.');
		}

		return {apiKey, source};
	}

	const given = readApiKey(env[keyVariable], keyVariable, note);
	if (given !== undefined) {
		note(`Using the key in ${keyVariable}, ending in ${keyLastFour({apiKey: given})!}.`);
		return {apiKey: given, source: keyVariable};
	}

	if (!isInteractive(context)) {
		throw new SwitchboardError('no-key', `No key for ${baseAddress}, and no terminal to ask for one.`, {
			nextStep: 'Pipe one in: switchboard login --api-key-stdin < key.txt',
		});
	}

	const source = 'the answer';
	const apiKey = readApiKey(await ask(context, {text: 'API key: ', isSecret: true, isFresh: true}), source, note);
	if (apiKey === undefined) {
		throw new SwitchboardError('no-key', 'No key was given.', {
			nextStep: 'Create one in the dashboard of the service, under Settings, API Keys.',
		});
	}

	return {apiKey, source};
}

async function logout(context: Context, {keepPrompts: arePromptsKept = false}: KeepPromptsOption): Promise<void> {
	const settings = await openSettingsWithNotices(context);
	const name = chooseProfile(context.options, settings);
	if (name === undefined) {
		throw new SwitchboardError('usage', 'You are not signed in: there is no current profile.', {
			nextStep: 'List the profiles with: switchboard profiles\nSign out of one with: switchboard logout --profile NAME',
		});
	}

	if (name === localProfileName) {
		throw new SwitchboardError('usage', 'The profile “local” is the bundled service and has no key to remove.', {
			nextStep: 'Choose another one with --profile.',
		});
	}

	const {baseAddress, apiKey} = findProfile(settings.profiles(), name);
	const prompts = settings.earlierPrompts(name);
	const toJson = (areKept: boolean) => ({
		profile: name,
		base_url: baseAddress,
		prompts: {kept: areKept ? prompts.count : 0, deleted: areKept ? 0 : prompts.count},
	});
	if (prompts.count > 0 && !arePromptsKept) {
		const question = `Sign out of “${name}”? This deletes ${prompts.text} and cannot be undone; --keep-prompts keeps them.`;
		await confirmOnTerminal(context, question, 'Nothing was removed.', async () => context.printJson(toJson(true)));
	}

	let areKept = arePromptsKept;
	if (!context.isDryRun) {
		const forget = async () => settings.forgetKey(name, {arePromptsKept});
		areKept = !(await changeSettings(context, settings, {what: 'The key could not be removed'}, forget)) || arePromptsKept;
	}

	if (areKept === arePromptsKept) {
		noteEarlierPrompts(context, prompts, areKept);
	}

	await printJsonOr(context, toJson(areKept), () => {
		const done = `${context.isDryRun ? 'Would sign out: remove' : 'Signed out: removed'} the key of the profile “${name}”.`;
		context.print(apiKey === undefined ? `The profile “${name}” is already signed out.` : done);
	});
}

/** Returns the profile to sign out of: the named profile, the profile with the given address, or the current one. */
function chooseProfile({profile, baseUrl}: Context['options'], settings: Settings): string | undefined {
	if (profile !== undefined || baseUrl === undefined) {
		return profile ?? settings.currentProfileName();
	}

	const baseAddress = normalizeBaseAddress(baseUrl);
	const names = settings
		.profiles()
		.filter(stored => isSameBaseAddress(stored.baseAddress, baseAddress))
		.map(({name}) => name);
	const current = settings.currentProfileName();
	if (names.length > 1 && (current === undefined || !names.includes(current))) {
		throw new SwitchboardError('ambiguous', `Several profiles have the address ${baseAddress}: ${names.join(', ')}.`, {
			nextStep: 'Choose one with --profile.',
		});
	}

	if (names[0] === undefined) {
		throw new SwitchboardError('usage', `No profile has the address ${baseAddress}.`, {
			nextStep: 'List the profiles with: switchboard profiles',
		});
	}

	return names.length > 1 ? current : names[0];
}
