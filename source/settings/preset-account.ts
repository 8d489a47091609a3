import {createHash} from 'node:crypto';
import {localProfileName} from './profile.ts';
import type {Target} from './target.ts';

/** The name of the account of a stored profile. It stays the same when the profile gets another key. */
export const presetAccountOfProfile = ({baseAddress, profileName}: {readonly baseAddress: string; readonly profileName: string}): string =>
	`${baseAddress} ${profileName}`;

/**
The name of an account, under which its presets are stored. A key from the environment belongs to no profile, and two of them may
be of two accounts at one address: nothing but the key tells them apart, so it is named by a part of its hash, and another key has
other presets. No name of a profile has a colon.
*/
export const presetAccountOf = (target: Target): string => {
	if (target.kind === 'local') {
		return presetAccountOfProfile({baseAddress: localProfileName, profileName: localProfileName});
	}

	const {baseAddress, apiKey, profileName} = target;
	return presetAccountOfProfile({
		baseAddress,
		profileName: profileName ?? `key:${createHash('sha256').update(`${baseAddress}\n${apiKey}`).digest('hex').slice(0, 16)}`,
	});
};
