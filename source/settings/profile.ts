import {SwitchboardError} from '../interface/errors.ts';
import {isSameBaseAddress} from '../interface/base-address.ts';
import {didYouMean, nearestNames} from '../interface/name-index.ts';
import {unwrapKey} from '../platform/pasted-key.ts';
import {isSessionToken} from '../interface/session-token.ts';
import {shellWord} from '../platform/shell-word.ts';

/** A key is sent in a header, which allows no other characters. */
const printableAscii = /^[\u{21}-\u{7E}]{1,4096}$/u;

/** Tells whether the text can be a key. */
export function isApiKeyShaped(text: string): boolean {
	return printableAscii.test(text);
}

/**
Returns a key that was typed, pasted, piped or set in the environment, without what surrounds it.

@param source - where it comes from, for sentences, such as `SWITCHBOARD_API_KEY`.
@param note - called with a sentence if anything was stripped.
@returns `undefined` if it is empty.
@throws SwitchboardError `usage` if it cannot be a key; the message does not contain it.
*/
export function readApiKey(
	text: string | undefined,
	source: string,
	note?: (sentence: string) => void,
	what = 'API key',
): string | undefined {
	const {key, removed} = unwrapKey(text ?? '');
	if (key === '') {
		return undefined;
	}

	if (!isApiKeyShaped(key)) {
		// The parts may be of two keys, or of a key and something else.
		const reason = /\s/.test(key) ? 'there is a space or a line break within it' : 'a key is one word of letters, digits and punctuation';
		throw new SwitchboardError('usage', `${source[0]!.toUpperCase()}${source.slice(1)} is not a valid ${what}: ${reason}.`, {
			nextStep: 'Copy the whole key again, and nothing else.',
			field: 'api_key',
		});
	}

	if (removed.length > 0) {
		note?.(`Removed what was around the key in ${source}: ${removed.join(', ')}.`);
	}

	return key;
}

export const sessionTokenQuestion = 'This looks like a session token of the dashboard, which is valid for a few minutes. Use it anyway?';

/** Returns a sentence about a key that is a session token; `undefined` for any other key. */
export function sessionTokenNote(apiKey: string | undefined, source: string): string | undefined {
	return apiKey !== undefined && isSessionToken(apiKey)
		? `The key in ${source} looks like a session token of the dashboard, which is valid for a few minutes.`
		: undefined;
}

/** The profile of the bundled service on this machine. It always exists and is never stored. */
export const localProfileName = 'local';

/** The name of a service without a profile: its address and key came from the environment or an option. */
export const unnamedProfile = 'environment';

export type Profile = {
	readonly name: string;
	/** In its normal form (`interface/base-address.ts`). */
	readonly baseAddress: string;
	/** `undefined` after signing out. Shown as `keyLastFour`, never whole. */
	readonly apiKey: string | undefined;
};

export type StoredProfiles = {
	/** Oldest first. `local` is not among them. */
	readonly profiles: () => readonly Profile[];
	/** The name of a stored profile, or `local`. */
	readonly currentProfileName: () => string | undefined;
};

/** Returns the part of a key that may be shown: its last four characters, or none if the key is so short that they would give it away. */
export function keyLastFour({apiKey}: Pick<Profile, 'apiKey'>): string | undefined {
	return apiKey === undefined ? undefined : apiKey.length < 8 ? '••••' : apiKey.slice(-4);
}

/** Returns the problem of a profile's name, as a clause that follows it; `undefined` if there is none. */
export function profileNameProblem(name: string): string | undefined {
	if (name.toLowerCase() === localProfileName) {
		return 'means the bundled service on this machine';
	}

	return /^[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number}\-.@_]{0,59}$/u.test(name)
		? undefined
		: 'must begin with a letter or digit, followed by letters, digits, “.”, “-”, “_” or “@”, at most 60 characters in all';
}

/** @throws SwitchboardError `usage` if the name is not a valid name for a profile. */
export function refuseProfileName(name: string): void {
	const problem = profileNameProblem(name);
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The profile name “${name}” ${problem}.`, {nextStep: 'Choose another name.', field: 'profile'});
	}
}

/**
@param baseAddress - the address that the name is for: a profile of the same address may have it.
@throws SwitchboardError `usage` if another profile has the name.
*/
export function refuseTakenProfile(profiles: readonly Profile[], name: string, baseAddress?: string): void {
	const other = profiles.find(profile => profile.name === name);
	if (other !== undefined && (baseAddress === undefined || !isSameBaseAddress(other.baseAddress, baseAddress))) {
		throw new SwitchboardError('usage', `A profile “${name}” already exists, for ${other.baseAddress}.`, {
			nextStep: 'Choose another name.',
			field: 'profile',
		});
	}
}

/**
@param variableName - the environment variable that the name comes from, if any; the error then mentions it.
@throws SwitchboardError `not-found`.
*/
export function findProfile(profiles: readonly Profile[], name: string, variableName?: string): Profile {
	const found = profiles.find(profile => profile.name === name);
	if (found === undefined) {
		const names = [...profiles.map(profile => profile.name), localProfileName];
		throw new SwitchboardError(
			'not-found',
			`There is no profile “${name}”${variableName === undefined ? '' : ` (from ${variableName})`}.`,
			{
				nextStep: [
					didYouMean(nearestNames(name, names)),
					`Known profiles: ${names.join(', ')}. To create one, run: switchboard login --profile ${shellWord(name)}`,
				]
					.filter(Boolean)
					.join('. '),
				field: 'profile',
			},
		);
	}

	return found;
}

/** @throws SwitchboardError `not-found`, unless it is `local`. */
export function refuseUnknownProfile(profiles: readonly Profile[], name: string): void {
	if (name !== localProfileName) {
		findProfile(profiles, name);
	}
}

/** @throws SwitchboardError `not-found`, or `usage` for `local`, which is never stored. */
export function findRemovableProfile(profiles: readonly Profile[], name: string): Profile {
	if (name === localProfileName) {
		throw new SwitchboardError('usage', 'The profile “local” is the bundled service and cannot be removed.', {
			nextStep: 'To make another profile the current one, run: switchboard profiles use NAME',
		});
	}

	return findProfile(profiles, name);
}

/**
Returns the name for a sign-in if none is given: a profile with this address, the current one first; else a free name made from the host.
*/
export function suggestProfileName(profiles: readonly Profile[], baseAddress: string, currentName?: string): string {
	const matching = profiles.filter(profile => isSameBaseAddress(profile.baseAddress, baseAddress));
	const known = matching.find(({name}) => name === currentName) ?? matching[0];
	if (known !== undefined) {
		return known.name;
	}

	const {hostname, port} = new URL(baseAddress);
	const host = hostname.replaceAll(/[^\w\-.]+/g, '-').replaceAll(/^[^\da-z]+|[^\da-z]+$/gi, '') || 'service';
	const base = (port === '' ? host : `${host}-${port}`).slice(0, 50);
	const isFree = (name: string): boolean => profileNameProblem(name) === undefined && profiles.every(profile => profile.name !== name);
	let candidate = base;
	for (let number = 2; !isFree(candidate); number++) {
		candidate = `${base}-${number}`;
	}

	return candidate;
}
