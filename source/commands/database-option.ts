import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';
import {databaseUrlVariable, holdsPassword, isDatabaseUrl, withoutPassword} from '../platform/secret-variables.ts';
import {shellWord} from '../platform/shell-word.ts';
import {wrongValue} from './options.ts';
import type {Environment} from './global-options.ts';

/**
Returns the absolute path of `--data`. An empty value, such as a script's unset variable, would mean the working folder, which the
service would then make private.
*/
export function parseDataFolder(text: string): string {
	if (text === '') {
		throw wrongValue('--data', text, 'a folder');
	}

	return path.resolve(text);
}

/** The option of commands that work on the data of a service. */
export const dataOption = ['--data <folder>', 'the data folder of the service (default: as for serve)', parseDataFolder] as const;

const example = 'postgres://user@host/database';

const usage = (message: string, nextStep: string): SwitchboardError => new SwitchboardError('usage', message, {nextStep});

/**
Returns the URL of a database from the command line, which others can see (`ps`).

@param elsewhere - the right place for a password.
@throws SwitchboardError `usage`, or `insecure` if it holds a password.
*/
export function parseDatabaseUrl(name: string, text: string, elsewhere: string): string {
	const url = checkUrl(name, text);
	if (holdsPassword(url)) {
		throw new SwitchboardError('insecure', `The value of ${name} holds a password, which every user of this machine could read there.`, {
			nextStep: elsewhere,
		});
	}

	return url;
}

/** Never repeats the value: it may hold a password. */
function checkUrl(name: string, url: string): string {
	if (!isDatabaseUrl(url)) {
		throw usage(`The value of ${name} is not the URL of a PostgreSQL database.`, `Use a URL such as ${example}.`);
	}

	// A slash or a hash in a password ends the part before the host.
	const parsed = URL.parse(url);
	if (parsed === null || `${parsed.pathname}${parsed.hash}`.includes('@')) {
		throw usage(
			`The value of ${name} is not a valid URL.`,
			`Use a URL such as ${example}. Write special characters in a password as in %40 for @ and %2F for /.`,
		);
	}

	return url;
}

/** The location of the service's data: at most one of the options is given. */
export type LocationOptions = {readonly data?: string | undefined; readonly databaseUrl?: string | undefined};

/** The option that is the alternative to `--data`. */
export const databaseUrlOption = [
	'--database-url <url>',
	`use a PostgreSQL database, without a password in the URL (also: ${databaseUrlVariable})`,
	parseOption,
] as const;

/**
Returns the URL of the database that the options or the environment choose; `undefined` for a data folder.

@throws SwitchboardError `usage` if both options are given, or the variable has no valid value.
*/
export function chosenDatabaseUrl({data, databaseUrl}: LocationOptions, env: Environment): string | undefined {
	if (data !== undefined && databaseUrl !== undefined) {
		throw usage(
			'--data and --database-url cannot be used together.',
			'Use --data for a folder, or --database-url for a PostgreSQL database.',
		);
	}

	const variable = data === undefined && databaseUrl === undefined ? env[databaseUrlVariable]?.trim() : undefined;
	if (variable === '') {
		throw usage(
			`${databaseUrlVariable} is empty.`,
			'Set it to a URL such as postgres://user:password@host/database, or unset it to use the data folder.',
		);
	}

	return variable === undefined ? databaseUrl : checkUrl(databaseUrlVariable, variable);
}

/**
Returns the location of the bundled service's data: a database URL or, without one, a data folder.

@throws SwitchboardError `usage`
*/
export async function chooseLocation(options: LocationOptions, env: Environment): Promise<string> {
	const url = chosenDatabaseUrl(options, env);
	if (url !== undefined) {
		return url;
	}

	return options.data ?? (await import('../service/data-folder.ts')).defaultDataFolder();
}

/** Returns a location for display, without a password. */
export function shownLocation(location: string): string {
	return isDatabaseUrl(location) ? withoutPassword(location) : location;
}

/** Returns the command that creates a key at a location, with an option only if the location is not the default. */
export async function keysCreateAt(location: string, env: Environment): Promise<string> {
	const place =
		location === (await usualLocation(env))
			? ''
			: ` ${isDatabaseUrl(location) ? '--database-url' : '--data'} ${shellWord(shownLocation(location))}`;
	return `switchboard keys create${place}`;
}

/** Returns the location of a command without options; `undefined` if its variable has no valid value. */
const usualLocation = async (env: Environment): Promise<string | undefined> => chooseLocation({}, env).catch(() => undefined);

/**
Refuses a missing store, for commands that only read and so create no data folder and no tables.

@throws SwitchboardError `not-found`, with the way to create them, if there are none.
*/
export async function requireExistingStore(location: string, env: Environment): Promise<void> {
	const {requireStore} = await import('../service/store/open-store.ts');
	try {
		await requireStore(location);
	} catch (error) {
		throw error instanceof SwitchboardError && error.kind === 'not-found'
			? error.with({nextStep: [error.nextStep, `The first key creates one: ${await keysCreateAt(location, env)}`].join(' ')})
			: error;
	}
}

/** Chooses the location of existing data, as `chooseLocation` and `requireExistingStore` do. */
export async function chooseExistingLocation(options: LocationOptions, env: Environment): Promise<string> {
	const location = await chooseLocation(options, env);
	await requireExistingStore(location, env);
	return location;
}

function parseOption(text: string): string {
	if (text === '') {
		throw usage('The value for --database-url is empty.', `Use a URL such as ${example}, or leave the option out.`);
	}

	return parseDatabaseUrl(
		'--database-url',
		text,
		`Give the URL in ${databaseUrlVariable}, or put the password into the file that PGPASSFILE names.`,
	);
}
