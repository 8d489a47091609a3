import {isInsecureAddress, isSameBaseAddress, refuseInsecureAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {readApiKey} from './api-key.ts';
import {
	chooseAddress,
	findNamedProfile,
	openHomeAddress,
	variable,
	type AddressChoice,
	type AddressSource,
	type TargetOptions,
	type WrongAddress,
} from './choose-address.ts';
import {localProfileName, type Profile} from './profile.ts';
import {signInHint, type KeyVariable} from './sign-in-hint.ts';

export type {TargetOptions} from './choose-address.ts';

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

/** Where the name of a profile comes from: an option, a variable, the settings, the server that someone came to, or the address, for which it has the key. */
export type ProfileSource = '--profile' | 'ssh' | 'SWITCHBOARD_PROFILE' | 'current profile' | 'base_url';

/** A key, and the profile or the variable that it comes from. */
type KeyChoice = {
	readonly apiKey: string | undefined;
	readonly profile: Profile | undefined;
	readonly keyVariable?: KeyVariable | undefined;
};

/** The profile with the stored key of an address. */
const findStoredKey = ({settings}: TargetOptions, {baseAddress, profile}: AddressChoice): Profile | undefined => {
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

const chooseKey = (options: TargetOptions, choice: AddressChoice): KeyChoice => {
	const {env} = options;
	const {profile} = choice;
	if (choice.isNamed) {
		return {apiKey: profile?.apiKey, profile};
	}

	const given = readApiKey(env['SWITCHBOARD_API_KEY'], 'SWITCHBOARD_API_KEY');
	if (given !== undefined) {
		return {apiKey: given, profile: undefined, keyVariable: 'SWITCHBOARD_API_KEY'};
	}

	const stored = findStoredKey(options, choice);
	if (stored?.apiKey !== undefined) {
		return {apiKey: stored.apiKey, profile: stored};
	}

	const isOpenHome = variable(env, 'OPENHOME_API_KEY') !== undefined && isSameBaseAddress(choice.baseAddress, openHomeAddress(env));
	const apiKey = isOpenHome ? readApiKey(env['OPENHOME_API_KEY'], 'OPENHOME_API_KEY') : undefined;
	return apiKey === undefined
		? {apiKey, profile: stored}
		: {apiKey, profile: undefined, keyVariable: 'OPENHOME_API_KEY'};
};

const toRemoteTarget = (
	{isInsecureHttpAllowed}: TargetOptions,
	{baseAddress}: AddressChoice,
	{apiKey, profile, keyVariable}: KeyChoice,
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

/** What could be found out about the service and the key, and where each part comes from. */
export type TargetFindings = {
	readonly profile?: {readonly name: string; readonly source: ProfileSource} | undefined;
	/** Without `baseAddress` what is given is none. */
	readonly address?: {readonly baseAddress?: string | undefined; readonly source: AddressSource} | undefined;
	/** `profile` stands for a stored key. Without `apiKey` nothing of it is for whoever asks. */
	readonly key?: {readonly apiKey?: string | undefined; readonly source: KeyVariable | 'profile'} | undefined;
	/** The target, or why there is none. */
	readonly outcome: Target | SwitchboardError;
};

/** The profile that is used, whether its key is or its address alone. */
const profileOf = (choice: AddressChoice, key: KeyChoice | undefined): TargetFindings['profile'] => {
	if (choice.profile !== undefined) {
		return {name: choice.profile.name, source: 'current profile'};
	}

	return key?.profile === undefined ? undefined : {name: key.profile.name, source: 'base_url'};
};

/** The key that would be used if the address were right; a stored one is looked up by the address. */
const keyBesides = ({env}: TargetOptions, {profile}: WrongAddress): TargetFindings['key'] => {
	if (profile !== undefined) {
		return profile.apiKey === undefined ? undefined : {apiKey: profile.apiKey, source: 'profile'};
	}

	const apiKey = readApiKey(env['SWITCHBOARD_API_KEY'], 'SWITCHBOARD_API_KEY');
	return apiKey === undefined ? undefined : {apiKey, source: 'SWITCHBOARD_API_KEY'};
};

/**
Does what `resolveTarget` does, and says where each part comes from. Where there is no target, it says what could be found out and
returns the error that `resolveTarget` throws.
*/
export const inspectTarget = (options: TargetOptions): TargetFindings => {
	const named = findNamedProfile(options);
	let found: Omit<TargetFindings, 'outcome'> = named === undefined ? {} : {profile: {name: named.name, source: named.variableName ?? '--profile'}};
	try {
		const choice = chooseAddress(options, named);
		if (choice === 'local') {
			return {profile: {name: localProfileName, source: 'current profile'}, ...found, outcome: {kind: 'local'}};
		}

		if ('error' in choice) {
			return {
				...found, address: {source: choice.source}, key: keyBesides(options, choice), outcome: choice.error,
			};
		}

		found = {profile: profileOf(choice, undefined), ...found, address: choice};
		const key = chooseKey(options, choice);
		const {apiKey, keyVariable} = key;
		found = {...found, profile: found.profile ?? profileOf(choice, key), key: apiKey === undefined ? undefined : {apiKey, source: keyVariable ?? 'profile'}};
		return {...found, outcome: toRemoteTarget(options, choice, key)};
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		return {...found, outcome: error};
	}
};

/**
Chooses the service and the key by the rules of “Which service, which key” in `CONTRACT.md`. A key from the environment is
sent to the address that the environment or an option gives, a stored key only to the address it was stored with, and
`OPENHOME_API_KEY` only to `OPENHOME_API_BASE` or, without it, to the public service.

@throws SwitchboardError `no-key`, `insecure`, `not-found` (no such profile), `ambiguous` (several keys for the address)
or `usage` (an invalid address, conflicting options).
*/
export const resolveTarget = (options: TargetOptions): Target => {
	const {outcome} = inspectTarget(options);
	if (outcome instanceof SwitchboardError) {
		throw outcome;
	}

	return outcome;
};
