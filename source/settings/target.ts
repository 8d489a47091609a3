import {
	isInsecureAddress,
	isSameBaseAddress,
	normalizeBaseAddress,
	publicServiceAddress,
	refuseInsecureAddress,
} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {readApiKey} from './api-key.ts';
import {localProfileName, type Profile} from './profile.ts';
import {findProfile, type Settings} from './settings.ts';
import {signInHint, type KeyVariable} from './sign-in-hint.ts';

export type RemoteTarget = {
	readonly kind: 'remote';
	/** The profile whose stored key is used; `undefined` where the key comes from the environment. */
	readonly profileName: string | undefined;
	/** The variable that the key comes from; none where it is a stored one. */
	readonly keyVariable?: KeyVariable | undefined;
	/** In its normal form. */
	readonly baseAddress: string;
	readonly apiKey: string;
	/** True where the key travels over plain `http` to another machine, which was allowed for this run. */
	readonly isInsecureHttp: boolean;
};

/** Which service is spoken to, and with which key. `local` is the bundled service on this machine, with a key of its own. */
export type Target = RemoteTarget | {readonly kind: 'local'};

export type TargetOptions = {
	readonly settings: Pick<Settings, 'profiles' | 'currentProfileName'>;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** As given by `--profile`. */
	readonly profile?: string | undefined;
	/** As given by `--base-url`. */
	readonly baseUrl?: string | undefined;
	readonly isInsecureHttpAllowed: boolean;
	/** The terminal UI opens on the bundled service where nothing is set up; a command says how to sign in. */
	readonly isForUi: boolean;
};

/** An address and the profile that it was taken from, where it was. */
type Choice = {
	readonly baseAddress: string;
	readonly profile?: Profile | undefined;
};

/** An empty variable counts as none. */
const variable = (env: TargetOptions['env'], name: string): string | undefined => {
	const value = env[name]?.trim();
	return value === '' ? undefined : value;
};

/** Where `OPENHOME_API_KEY` may be sent, and nowhere else. */
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
		throw new SwitchboardError('usage', 'SWITCHBOARD_API_KEY is set, but not the address of the service that it belongs to.', {
			nextStep: 'Set SWITCHBOARD_BASE_URL or give --base-url, as in --base-url https://app.openhome.com.',
		});
	}

	throw new SwitchboardError('no-key', 'No service is set up yet.', {nextStep: signInHint()});
};

/** The stored key of an address, with the profile it belongs to. */
const findStoredKey = ({settings}: TargetOptions, {baseAddress, profile}: Choice): Profile | undefined => {
	if (profile !== undefined) {
		return profile;
	}

	const fitting = settings.profiles().filter(candidate => candidate.apiKey !== undefined && isSameBaseAddress(candidate.baseAddress, baseAddress));
	if (fitting.length < 2) {
		return fitting[0];
	}

	const current = fitting.find(candidate => candidate.name === settings.currentProfileName());
	if (current === undefined) {
		throw new SwitchboardError('ambiguous', `Several profiles have a key for ${baseAddress}: ${fitting.map(({name}) => name).join(', ')}.`, {
			nextStep: `Say which, as in --profile ${fitting[0]!.name}.`,
		});
	}

	return current;
};

type NamedProfile = {
	readonly name: string;
	/** The variable that names it; `undefined` where an option does. */
	readonly variableName?: string;
};

/** The variable counts for nothing beside the address of another service. */
const findNamedProfile = ({settings, env, profile, baseUrl}: TargetOptions): NamedProfile | undefined => {
	if (profile !== undefined) {
		return {name: profile};
	}

	const variableName = 'SWITCHBOARD_PROFILE';
	const name = variable(env, variableName);
	const isMeant = baseUrl === undefined || settings.profiles().some(stored => stored.name === name && isSameBaseAddress(stored.baseAddress, baseUrl));
	return name !== undefined && isMeant ? {name, variableName} : undefined;
};

const resolveNamedProfile = (options: TargetOptions, {name, variableName}: NamedProfile): Target => {
	if (name === localProfileName) {
		if (options.baseUrl !== undefined) {
			throw new SwitchboardError('usage', 'The profile “local” is the bundled service and has no other address.', {
				nextStep: 'Give either --profile local or --base-url.',
			});
		}

		return {kind: 'local'};
	}

	const profile = findProfile(options.settings.profiles(), name, variableName);
	const baseAddress = options.baseUrl === undefined ? profile.baseAddress : normalizeBaseAddress(options.baseUrl);
	if (baseAddress !== profile.baseAddress) {
		throw new SwitchboardError('usage', `The key of the profile “${name}” belongs to ${profile.baseAddress} and is sent to no other address.`, {
			nextStep: 'Give either --profile or --base-url, or sign in to that address under another name.',
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
Which service, which key: exactly the paragraph of `CONTRACT.md` that is called so. A key of the environment goes where
the environment or an option points, a stored key only to the address it was stored with, and `OPENHOME_API_KEY` only to
`OPENHOME_API_BASE` or, without it, to the public service.

@throws SwitchboardError `no-key`, `insecure`, `not-found` (no such profile), `ambiguous` (several keys for the address)
or `usage` (an address that is none, options that contradict each other).
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
