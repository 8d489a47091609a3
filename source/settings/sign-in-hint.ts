import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';

const shellSafe = /^[\w%+\-./:@~]+$/;

/** One word of a shell, to be copied from the screen. */
export const shellWord = (word: string): string => shellSafe.test(word) ? word : `'${word.replaceAll('\'', String.raw`'\''`)}'`;

/** Where other clients of the public service keep a key (`LIVE-SERVICE.md`). It is pointed at, never read unasked. */
const otherClientsFile = path.join('.openhome', 'config.json');

/** How to get from no key to one, as sentences. */
export const signInHint = ({baseAddress, profileName}: {
	readonly baseAddress?: string | undefined;
	readonly profileName?: string | undefined;
} = {}): string => {
	const signIn = [
		'switchboard login',
		...(profileName === undefined ? [] : ['--profile', shellWord(profileName)]),
		...(baseAddress === undefined ? [] : ['--base-url', shellWord(baseAddress)]),
	].join(' ');
	const others = baseAddress === undefined
		? ', set SWITCHBOARD_BASE_URL and SWITCHBOARD_API_KEY, or use the bundled service with --profile local.'
		// A named profile leaves the environment out.
		: (profileName === undefined ? ' or set SWITCHBOARD_API_KEY.' : '.');
	const hasOtherClientsFile = existsSync(path.join(homedir(), otherClientsFile));
	return [
		`Sign in with \`${signIn}\`${others}`,
		...(hasOtherClientsFile ? [`The “api_key” in ~/${otherClientsFile.replaceAll('\\', '/')} is one that you can sign in with.`] : []),
	].join(' ');
};

export type KeyVariable = 'SWITCHBOARD_API_KEY' | 'OPENHOME_API_KEY';

/** Where a key comes from: a variable of the environment, or else a profile. */
export type KeySource = {
	readonly keyVariable?: KeyVariable | undefined;
	readonly profileName?: string | undefined;
};

/** What a key is called where it is refused, so that it is known which one it was. */
export const nameKey = ({keyVariable, profileName}: KeySource): string =>
	keyVariable === undefined ? (profileName === undefined ? 'the API key' : `the API key of the profile “${profileName}”`) : `the API key in ${keyVariable}`;

/**
A refusal of a key with what helps; any other error as it is.

@param help - what helps, after what the service was known to offer.
*/
export const withHelp = (error: unknown, help: (nextStep: string | undefined) => string): unknown => {
	if (!(error instanceof SwitchboardError) || error.kind !== 'key-refused') {
		return error;
	}

	const {kind, message, nextStep, status, field, isOutcomeUnknown, cause} = error;
	return new SwitchboardError(kind, message, {
		nextStep: help(nextStep), status, field, isOutcomeUnknown, cause,
	});
};

/** What helps a command whose key is refused. `SWITCHBOARD_API_KEY` goes before every stored key, `OPENHOME_API_KEY` after. */
export const helpForRefusedKey = ({keyVariable, profileName, baseAddress}: KeySource & {readonly baseAddress: string}): string => {
	switch (keyVariable) {
		case 'SWITCHBOARD_API_KEY': {
			return 'Change or unset the variable: signing in would not help, as it goes before every stored key.';
		}

		case 'OPENHOME_API_KEY': {
			return `Change the variable, or sign in with: switchboard login --base-url ${shellWord(baseAddress)}`;
		}

		case undefined: {
			return `Sign in again with: switchboard login${profileName === undefined ? '' : ` --profile ${shellWord(profileName)}`}`;
		}
	}
};
