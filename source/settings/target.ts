import {
	isInsecureAddress,
	isSameBaseAddress,
	normalizeBaseAddress,
	publicServiceAddress,
	refuseInsecureAddress,
} from '../interface/base-address.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {defaultDataFolder, hasDatabase} from '../service/data-folder.ts';
import {sessionTokenVariable} from '../platform/secret-variables.ts';
import {shellWord} from '../platform/shell-word.ts';
import {findProfile, localProfileName, readApiKey, sessionTokenNote, type Profile, type StoredProfiles} from './profile.ts';
import {signInHint, useLocalHint, type KeyVariable} from './sign-in-hint.ts';

export type TargetOptions = {
	readonly settings: StoredProfiles;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** As given by `--profile`. */
	readonly profile?: string | undefined;
	/** As given by `--base-url`. */
	readonly baseUrl?: string | undefined;
	readonly isInsecureHttpAllowed: boolean;
	/** If nothing is set up, the terminal UI opens the bundled service; a command says how to sign in. */
	readonly isForUi: boolean;
	/** Called with a sentence about anything odd in a key from the environment. */
	readonly note?: ((sentence: string) => void) | undefined;
};

export type RemoteTarget = {
	readonly kind: 'remote';
	/** The profile whose stored key is used; `undefined` if the key comes from the environment. */
	readonly profileName: string | undefined;
	/** The variable that the key comes from; none if it is a stored one. */
	readonly keyVariable?: KeyVariable | undefined;
	/** In its normal form. */
	readonly baseAddress: string;
	readonly apiKey: string;
	/** From the environment, for operations that refuse the key (`docs/compatibility.md`, Which service, which key). */
	readonly sessionToken?: string | undefined;
	/** True if the key is sent over plain `http` to another machine, which was allowed for this run. */
	readonly isInsecureHttp: boolean;
};

/** The service to use, and the key for it. `local` is the bundled service on this machine, which has its own key. */
export type Target = RemoteTarget | {readonly kind: 'local'};

/**
Where the name of a profile comes from: an option, a variable, the settings, the server that someone came to, or the address, for which it
has the key.
*/
type ProfileSource = '--profile' | 'ssh' | 'SWITCHBOARD_PROFILE' | 'current profile' | 'base_url';

/** Where an address comes from: an option, a variable, or a profile. */
type AddressSource = '--base-url' | 'profile' | 'SWITCHBOARD_BASE_URL' | 'OPENHOME_API_BASE' | 'OPENHOME_API_KEY';

/** The service and the key as far as they are known, and the source of each part. */
export type TargetFindings = {
	readonly profile?: {readonly name: string; readonly source: ProfileSource} | undefined;
	/** Without `baseAddress` the given address is not valid. */
	readonly address?: {readonly baseAddress?: string | undefined; readonly source: AddressSource} | undefined;
	/** The source `profile` means a stored key. Without `apiKey` the person may use none of it. */
	readonly key?: {readonly apiKey?: string | undefined; readonly source: KeyVariable | 'profile'} | undefined;
	readonly outcome: Target | SwitchboardError;
};

/** Returns a variable of the environment; an empty one counts as not set. */
export function variable(env: TargetOptions['env'], name: string): string | undefined {
	const value = env[name]?.trim();
	return value === '' ? undefined : value;
}

/** Filled in while a target is looked for, so that it has the findings from before an error. */
type Found = {-readonly [Part in keyof Omit<TargetFindings, 'outcome'>]: TargetFindings[Part]};

/**
Does what `resolveTarget` does, and says where each part comes from. Where there is no target, it says what could be found out and
returns the error that `resolveTarget` throws.
*/
export function inspectTarget(options: TargetOptions): TargetFindings {
	const found: Found = {};
	try {
		const outcome = findTarget(options, found);
		return {...found, outcome};
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		return {...found, outcome: error};
	}
}

/** Returns the address by the rules of `docs/compatibility.md`, Which service, which key, then the key. */
function findTarget(options: TargetOptions, found: Found): Target {
	const named = findNamedProfile(options);
	found.profile = named;
	const choice =
		named === undefined
			? options.baseUrl === undefined
				? chooseAddressWithoutOptions(options, found)
				: givenAddress(options, found, options.baseUrl, '--base-url')
			: chooseNamedAddress(options, found, named);
	if (choice === 'local') {
		found.profile ??= {name: localProfileName, source: 'current profile'};
		return {kind: 'local'};
	}

	const {baseAddress, source} = choice;
	found.profile ??= choice.profile && {name: choice.profile.name, source: 'current profile'};
	found.address = {baseAddress, source};
	const {apiKey, profile, keyVariable} = chooseKey(options, choice, named !== undefined);
	found.profile ??= profile && {name: profile.name, source: 'base_url'};
	found.key = apiKey === undefined ? undefined : {apiKey, source: keyVariable ?? 'profile'};
	refuseInsecureAddress(baseAddress, options.isInsecureHttpAllowed);
	if (apiKey === undefined) {
		throw new SwitchboardError('no-key', `There is no key for ${baseAddress}.`, {
			nextStep: signInHint({baseAddress, profileName: profile?.name}),
		});
	}

	const sessionToken = named === undefined ? sessionTokenFor(options, baseAddress) : undefined;
	return {
		kind: 'remote',
		profileName: profile?.name,
		...(sessionToken !== undefined && {sessionToken}),
		...(keyVariable !== undefined && {keyVariable}),
		baseAddress,
		apiKey,
		isInsecureHttp: isInsecureAddress(baseAddress),
	};
}

/** Returns the profile that an option or the variable names; the variable is ignored if the address of another service is given. */
function findNamedProfile({settings, env, profile, baseUrl}: TargetOptions): Found['profile'] {
	if (profile !== undefined) {
		return {name: profile, source: '--profile'};
	}

	const source = 'SWITCHBOARD_PROFILE';
	const name = variable(env, source);
	const isRelevant =
		baseUrl === undefined || settings.profiles().some(stored => stored.name === name && isSameBaseAddress(stored.baseAddress, baseUrl));
	return name !== undefined && isRelevant ? {name, source} : undefined;
}

type AddressChoice = {readonly baseAddress: string; readonly source: AddressSource; readonly profile?: Profile | undefined};

function chooseAddressWithoutOptions(options: TargetOptions, found: Found): AddressChoice | 'local' {
	const {settings, env, isForUi} = options;
	const address = variable(env, 'SWITCHBOARD_BASE_URL');
	if (address !== undefined) {
		return givenAddress(options, found, address, 'SWITCHBOARD_BASE_URL');
	}

	const current = settings.currentProfileName();
	if (current === localProfileName) {
		return 'local';
	}

	if (current !== undefined) {
		const profile = findProfile(settings.profiles(), current);
		return {baseAddress: profile.baseAddress, source: 'profile', profile};
	}

	const hasSwitchboardKey = variable(env, 'SWITCHBOARD_API_KEY') !== undefined;
	const isOpenHomeKeyAlone = variable(env, 'OPENHOME_API_KEY') !== undefined && !hasSwitchboardKey;
	const hasOpenHomeAddress = variable(env, 'OPENHOME_API_BASE') !== undefined;
	if (hasOpenHomeAddress || isOpenHomeKeyAlone) {
		// Only the key tells the address.
		return givenAddress(options, found, openHomeAddress(env), hasOpenHomeAddress ? 'OPENHOME_API_BASE' : 'OPENHOME_API_KEY');
	}

	if (isForUi) {
		return 'local';
	}

	if (hasSwitchboardKey) {
		throw new SwitchboardError('usage', 'SWITCHBOARD_API_KEY is set, but not the address of its service.', {
			nextStep: 'Set SWITCHBOARD_BASE_URL or use --base-url, as in --base-url https://app.openhome.com.',
		});
	}

	// Only the bundled service has been used so far, by the terminal UI or by other programs.
	const hasLocalAlone = settings.profiles().length === 0 && hasDatabase(defaultDataFolder());
	throw new SwitchboardError('no-key', 'No service is set up.', {
		nextStep: [...(hasLocalAlone ? [useLocalHint] : []), signInHint()].join('\n'),
	});
}

/** Returns the source and the key for a wrong address too; a stored key is looked up by the address. */
function givenAddress(options: TargetOptions, found: Found, text: string, source: AddressSource, profile?: Profile): AddressChoice {
	try {
		return {baseAddress: normalizeBaseAddress(text), source, profile};
	} catch (error_) {
		const apiKey = profile === undefined ? environmentKey(options, 'SWITCHBOARD_API_KEY') : profile.apiKey;
		found.address = {source};
		found.key = apiKey === undefined ? undefined : {apiKey, source: profile === undefined ? 'SWITCHBOARD_API_KEY' : 'profile'};
		const error = toSwitchboardError(error_);
		const {kind, nextStep, field} = error;
		throw source === '--base-url' ? error : new SwitchboardError(kind, `${source}: ${error.message}`, {nextStep, field});
	}
}

/** Returns a key of the environment, without what surrounds it. */
function environmentKey({env, note}: TargetOptions, name: KeyVariable): string | undefined {
	const apiKey = readApiKey(env[name], name, note);
	const oddity = sessionTokenNote(apiKey, name);
	if (oddity !== undefined) {
		note?.(oddity);
	}

	return apiKey;
}

/** The only address that `OPENHOME_API_KEY` may be sent to. */
const openHomeAddress = (env: TargetOptions['env']): string => variable(env, 'OPENHOME_API_BASE') ?? publicServiceAddress;

/** Returns the address of a profile that is named. */
function chooseNamedAddress(options: TargetOptions, found: Found, {name, source}: NonNullable<Found['profile']>): AddressChoice | 'local' {
	const {settings, baseUrl} = options;
	if (name === localProfileName) {
		if (baseUrl !== undefined) {
			throw new SwitchboardError('usage', 'The profile “local” is the bundled service, which has no other address.', {
				nextStep: 'Use either --profile local or --base-url.',
			});
		}

		return 'local';
	}

	const profile = findProfile(settings.profiles(), name, source === 'SWITCHBOARD_PROFILE' ? source : undefined);
	if (baseUrl === undefined) {
		return {baseAddress: profile.baseAddress, source: 'profile', profile};
	}

	const given = givenAddress(options, found, baseUrl, '--base-url', profile);
	if (given.baseAddress !== profile.baseAddress) {
		throw new SwitchboardError(
			'usage',
			`The key of the profile “${name}” is for ${profile.baseAddress} and is not sent to another address.`,
			{nextStep: 'Use either --profile or --base-url, or sign in to that address with another profile.'},
		);
	}

	return given;
}

/** Returns a key, and the profile or the variable that it comes from. For a named profile only its stored key counts. */
function chooseKey(
	options: TargetOptions,
	choice: AddressChoice,
	isNamed: boolean,
): Pick<Profile, 'apiKey'> & {readonly profile?: Profile | undefined; readonly keyVariable?: KeyVariable} {
	const {env} = options;
	if (isNamed) {
		return {apiKey: choice.profile?.apiKey, profile: choice.profile};
	}

	const given = environmentKey(options, 'SWITCHBOARD_API_KEY');
	if (given !== undefined) {
		return {apiKey: given, keyVariable: 'SWITCHBOARD_API_KEY'};
	}

	const profile = findStoredKey(options, choice);
	const isOpenHome = profile?.apiKey === undefined && isSameBaseAddress(choice.baseAddress, openHomeAddress(env));
	const openHomeKey = isOpenHome ? environmentKey(options, 'OPENHOME_API_KEY') : undefined;
	return openHomeKey === undefined ? {apiKey: profile?.apiKey, profile} : {apiKey: openHomeKey, keyVariable: 'OPENHOME_API_KEY'};
}

/** Returns the profile with the stored key of an address. */
function findStoredKey({settings}: TargetOptions, {baseAddress, profile}: AddressChoice): Profile | undefined {
	const matching =
		profile === undefined
			? settings.profiles().filter(candidate => candidate.apiKey !== undefined && isSameBaseAddress(candidate.baseAddress, baseAddress))
			: [profile];
	const current = matching.length < 2 ? matching[0] : matching.find(candidate => candidate.name === settings.currentProfileName());
	if (current === undefined && matching.length > 0) {
		throw new SwitchboardError(
			'ambiguous',
			`Several profiles have a key for ${baseAddress}: ${matching.map(({name}) => name).join(', ')}.`,
			{nextStep: `Choose one, as in --profile ${shellWord(matching[0]!.name)}`},
		);
	}

	return current;
}

/** A session token goes where `OPENHOME_API_KEY` goes, and not over plain http. */
const sessionTokenFor = ({env, note}: TargetOptions, baseAddress: string): string | undefined =>
	isSameBaseAddress(baseAddress, openHomeAddress(env)) && !isInsecureAddress(baseAddress)
		? readApiKey(env[sessionTokenVariable], sessionTokenVariable, note, 'session token')
		: undefined;

/**
Chooses the service and the key by the rules of `docs/compatibility.md`, Which service, which key. A key from the environment is
sent to the address that the environment or an option gives, a stored key only to the address it was stored with, and
`OPENHOME_API_KEY` only to `OPENHOME_API_BASE` or, without it, to the public service.

@throws SwitchboardError `no-key`, `insecure`, `not-found` (no such profile), `ambiguous` (several keys for the address)
or `usage` (an invalid address, conflicting options).
*/
export function resolveTarget(options: TargetOptions): Target {
	const {outcome} = inspectTarget(options);
	if (outcome instanceof SwitchboardError) {
		throw outcome;
	}

	return outcome;
}
