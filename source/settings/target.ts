import {
	isInsecureAddress,
	isSameBaseAddress,
	normalizeBaseAddress,
	publicServiceAddress,
	refuseInsecureAddress,
} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {readApiKey} from './api-key.ts';
import {
	findProfile,
	localProfileName,
	type Profile,
	type StoredProfiles,
} from './profile.ts';
import {signInHint, type KeyVariable} from './sign-in-hint.ts';

export type RemoteTarget = {
	readonly kind: 'remote';
	/** The profile whose stored key is used; `undefined` if the key comes from the environment. */
	readonly profileName: string | undefined;
	/** The variable that the key comes from; none if it is a stored one. */
	readonly keyVariable?: KeyVariable | undefined;
	/** In its normal form. */
	readonly baseAddress: string;
	readonly apiKey: string;
	/** True if the key is sent over plain `http` to another machine, which was allowed for this run. */
	readonly isInsecureHttp: boolean;
};

/** The service to use, and the key for it. `local` is the bundled service on this machine, which has a key of its own. */
export type Target = RemoteTarget | {readonly kind: 'local'};

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
};

/** An address, and the profile that it comes from, if any. */
type Choice = {
	readonly baseAddress: string;
	readonly profile?: Profile | undefined;
};

/** An empty variable counts as not set. */
const variable = (env: TargetOptions['env'], name: string): string | undefined => {
	const value = env[name]?.trim();
	return value === '' ? undefined : value;
};

/** The only address that `OPENHOME_API_KEY` may be sent to. */
const openHomeAddress = (env: TargetOptions['env']): string => variable(env, 'OPENHOME_API_BASE') ?? publicServiceAddress;

const chooseAddressWithoutOptions = ({settings, env, isForUi}: TargetOptions): Choice | 'local' => {
	const address = variable(env, 'SWITCHBOARD_BASE_URL');
	if (address !== undefined) {
		return {baseAddress: normalizeBaseAddress(address)};
	}

	const current = settings.currentProfileName();
	if (current === localProfileName) {
		return 'local';
	}

	if (current !== undefined) {
		const profile = findProfile(settings.profiles(), current);
		return {baseAddress: profile.baseAddress, profile};
	}

	const hasSwitchboardKey = variable(env, 'SWITCHBOARD_API_KEY') !== undefined;
	const isOpenHomeKeyAlone = variable(env, 'OPENHOME_API_KEY') !== undefined && !hasSwitchboardKey;
	if (variable(env, 'OPENHOME_API_BASE') !== undefined || isOpenHomeKeyAlone) {
		return {baseAddress: normalizeBaseAddress(openHomeAddress(env))};
	}

	if (isForUi) {
		return 'local';
	}

	if (hasSwitchboardKey) {
		throw new SwitchboardError('usage', 'SWITCHBOARD_API_KEY is set, but not the address of its service.', {
			nextStep: 'Set SWITCHBOARD_BASE_URL or use --base-url, as in --base-url https://app.openhome.com.',
		});
	}

	throw new SwitchboardError('no-key', 'No service is set up yet.', {nextStep: signInHint()});
};

/** The profile with the stored key of an address. */
const findStoredKey = ({settings}: TargetOptions, {baseAddress, profile}: Choice): Profile | undefined => {
	if (profile !== undefined) {
		return profile;
	}

	const matching = settings.profiles().filter(candidate => candidate.apiKey !== undefined && isSameBaseAddress(candidate.baseAddress, baseAddress));
	if (matching.length < 2) {
		return matching[0];
	}

	const current = matching.find(candidate => candidate.name === settings.currentProfileName());
	if (current === undefined) {
		throw new SwitchboardError('ambiguous', `Several profiles have a key for ${baseAddress}: ${matching.map(({name}) => name).join(', ')}.`, {
			nextStep: `Choose one, as in --profile ${matching[0]!.name}.`,
		});
	}

	return current;
};

type NamedProfile = {
	readonly name: string;
	/** The variable that the name comes from; `undefined` if it comes from an option. */
	readonly variableName?: string;
};

/** The variable is ignored if the address of another service is given. */
const findNamedProfile = ({settings, env, profile, baseUrl}: TargetOptions): NamedProfile | undefined => {
	if (profile !== undefined) {
		return {name: profile};
	}

	const variableName = 'SWITCHBOARD_PROFILE';
	const name = variable(env, variableName);
	const isRelevant = baseUrl === undefined || settings.profiles().some(stored => stored.name === name && isSameBaseAddress(stored.baseAddress, baseUrl));
	return name !== undefined && isRelevant ? {name, variableName} : undefined;
};

const resolveNamedProfile = (options: TargetOptions, {name, variableName}: NamedProfile): Target => {
	if (name === localProfileName) {
		if (options.baseUrl !== undefined) {
			throw new SwitchboardError('usage', 'The profile “local” is the bundled service, which has no other address.', {
				nextStep: 'Use either --profile local or --base-url.',
			});
		}

		return {kind: 'local'};
	}

	const profile = findProfile(options.settings.profiles(), name, variableName);
	const baseAddress = options.baseUrl === undefined ? profile.baseAddress : normalizeBaseAddress(options.baseUrl);
	if (baseAddress !== profile.baseAddress) {
		throw new SwitchboardError('usage', `The key of the profile “${name}” is for ${profile.baseAddress} and is not sent to another address.`, {
			nextStep: 'Use either --profile or --base-url, or sign in to that address with another profile.',
		});
	}

	return toRemoteTarget(options, profile.baseAddress, {apiKey: profile.apiKey, profile});
};

const toRemoteTarget = (
	{isInsecureHttpAllowed}: TargetOptions,
	baseAddress: string,
	{apiKey, profile, keyVariable}: {readonly apiKey: string | undefined; readonly profile: Profile | undefined; readonly keyVariable?: KeyVariable},
): RemoteTarget => {
	refuseInsecureAddress(baseAddress, isInsecureHttpAllowed);
	if (apiKey === undefined) {
		throw new SwitchboardError('no-key', `There is no key for ${baseAddress}.`, {nextStep: signInHint({baseAddress, profileName: profile?.name})});
	}

	return {
		kind: 'remote',
		profileName: profile?.name,
		...(keyVariable !== undefined && {keyVariable}),
		baseAddress,
		apiKey,
		isInsecureHttp: isInsecureAddress(baseAddress),
	};
};

/**
Chooses the service and the key by the rules of “Which service, which key” in `CONTRACT.md`. A key from the environment is
sent to the address that the environment or an option gives, a stored key only to the address it was stored with, and
`OPENHOME_API_KEY` only to `OPENHOME_API_BASE` or, without it, to the public service.

@throws SwitchboardError `no-key`, `insecure`, `not-found` (no such profile), `ambiguous` (several keys for the address)
or `usage` (an invalid address, conflicting options).
*/
export const resolveTarget = (options: TargetOptions): Target => {
	const {env} = options;
	const named = findNamedProfile(options);
	if (named !== undefined) {
		return resolveNamedProfile(options, named);
	}

	const choice: Choice | 'local' = options.baseUrl === undefined
		? chooseAddressWithoutOptions(options)
		: {baseAddress: normalizeBaseAddress(options.baseUrl)};
	if (choice === 'local') {
		return {kind: 'local'};
	}

	const given = readApiKey(env['SWITCHBOARD_API_KEY'], 'SWITCHBOARD_API_KEY');
	if (given !== undefined) {
		return toRemoteTarget(options, choice.baseAddress, {apiKey: given, profile: undefined, keyVariable: 'SWITCHBOARD_API_KEY'});
	}

	const stored = findStoredKey(options, choice);
	if (stored?.apiKey !== undefined) {
		return toRemoteTarget(options, choice.baseAddress, {apiKey: stored.apiKey, profile: stored});
	}

	const isOpenHome = variable(env, 'OPENHOME_API_KEY') !== undefined && isSameBaseAddress(choice.baseAddress, openHomeAddress(env));
	const apiKey = isOpenHome ? readApiKey(env['OPENHOME_API_KEY'], 'OPENHOME_API_KEY') : undefined;
	return apiKey === undefined
		? toRemoteTarget(options, choice.baseAddress, {apiKey, profile: stored})
		: toRemoteTarget(options, choice.baseAddress, {apiKey, profile: undefined, keyVariable: 'OPENHOME_API_KEY'});
};
