import {createHash} from 'node:crypto';
import {localProfileName, unnamedProfile} from './profile.ts';
import type {Target} from './target.ts';

/** Returns the name of the account of a stored profile. It stays the same when the profile gets another key. */
export function presetAccountOfProfile({baseAddress, profileName}: {readonly baseAddress: string; readonly profileName: string}): string {
	return `${baseAddress} ${profileName}`;
}

/**
Returns the name of an account, under which its presets are stored. A key from the environment belongs to no profile, and two of them may be
of two accounts at one address: only the key tells them apart, so it is named by a part of its hash, and another key has other presets. No
name of a profile has a colon.
*/
export function presetAccountOf(target: Target): string {
	if (target.kind === 'local') {
		return presetAccountOfProfile({baseAddress: localProfileName, profileName: localProfileName});
	}

	const {baseAddress, apiKey, profileName} = target;
	return presetAccountOfProfile({
		baseAddress,
		profileName: profileName ?? `key:${createHash('sha256').update(`${baseAddress}\n${apiKey}`).digest('hex').slice(0, 16)}`,
	});
}

/**
Returns the account that holds the earlier prompts after a sign-out from an address, for the next sign-in there. No name of a profile has a
colon.
*/
export function signedOutAccountOf(baseAddress: string): string {
	return presetAccountOfProfile({baseAddress, profileName: 'signed-out:'});
}

/** Returns the name under which data of an account is kept, beside its lists. */
export function accountNameOf({baseAddress, profileName}: {readonly baseAddress: string; readonly profileName: string}): string {
	return `${baseAddress}\n${profileName}`;
}

/** Returns the name under which data of a target is kept. The address of the bundled service changes with each start. */
export function draftAccountOf(target: Target): string {
	return accountNameOf(
		target.kind === 'local'
			? {baseAddress: localProfileName, profileName: localProfileName}
			: {baseAddress: target.baseAddress, profileName: target.profileName ?? unnamedProfile},
	);
}
