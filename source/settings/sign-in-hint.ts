import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';
import type {keyVariables} from '../platform/secret-variables.ts';
import {shellWord} from '../platform/shell-word.ts';

/**
Returns where other clients of the public service keep a key (`docs/interface.md`, Authentication). Only `login --from-openhome` reads it.
*/
export function openHomeFile(): string {
	return path.join(homedir(), '.openhome', 'config.json');
}

/** How commands use the bundled service, as a sentence. */
export const useLocalHint = 'To use the bundled service on this machine, run: switchboard profiles use local';

/** Returns how to get a key, as sentences. */
export function signInHint({
	baseAddress,
	profileName,
}: {
	readonly baseAddress?: string | undefined;
	readonly profileName?: string | undefined;
} = {}): string {
	const signIn = [
		'switchboard login',
		...(profileName === undefined ? [] : ['--profile', shellWord(profileName)]),
		...(baseAddress === undefined ? [] : ['--base-url', shellWord(baseAddress)]),
	].join(' ');
	return [
		baseAddress === undefined
			? `Sign in: ${signIn}. To try the sample: switchboard --profile local installed`
			: // A named profile ignores the environment.
				`Sign in with \`${signIn}\`${profileName === undefined ? ' or set SWITCHBOARD_API_KEY' : ''}.`,
		...(existsSync(openHomeFile()) ? ['The key in ~/.openhome/config.json can be used with `switchboard login --from-openhome`.'] : []),
	].join('\n');
}

export type KeyVariable = (typeof keyVariables)[number];

/** Where a key comes from: an environment variable, or else a profile. */
export type KeySource = {readonly keyVariable?: KeyVariable | undefined; readonly profileName?: string | undefined};

/** Returns a key in a sentence that says which one was refused. */
export function apiKeyLabel({keyVariable, profileName}: KeySource): string {
	return keyVariable === undefined
		? profileName === undefined
			? 'the API key'
			: `the API key of the profile “${profileName}”`
		: `the API key in ${keyVariable}`;
}

/**
Replaces the next step of a `key-refused` error; any other error stays as it is, also that of a key which is accepted for something else.

@param help - returns the new next step, given the old one.
*/
export function withRefusedKeyHelp(error: unknown, help: (nextStep: string | undefined) => string): unknown {
	return error instanceof SwitchboardError && error.kind === 'key-refused' && !error.isPartlyRefused
		? error.with({nextStep: help(error.nextStep)})
		: error;
}

/** Returns the next step if a command's key is refused. `SWITCHBOARD_API_KEY` overrides every stored key, `OPENHOME_API_KEY` none. */
export function helpForRefusedKey({keyVariable, profileName, baseAddress}: KeySource & {readonly baseAddress: string}): string {
	if (keyVariable === undefined) {
		return `Sign in again with: switchboard login${profileName === undefined ? '' : ` --profile ${shellWord(profileName)}`}`;
	}

	return keyVariable === 'SWITCHBOARD_API_KEY'
		? 'Change or unset the variable. Signing in does not help: the variable overrides every stored key.'
		: `Change the variable, or sign in with: switchboard login --base-url ${shellWord(baseAddress)}`;
}
