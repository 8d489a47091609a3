import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';

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
