import process from 'node:process';
import {databaseUrlVariable, passwordsIn} from './database-url.ts';

/** The environment variables that hold API keys. */
export const keyVariables = ['SWITCHBOARD_API_KEY', 'OPENHOME_API_KEY'] as const;

/** The environment variables that another program has no business with: it may log or pass on what they hold, and the address of a database may hold a password. */
const secretVariables: ReadonlySet<string> = new Set([...keyVariables, databaseUrlVariable]);

/** The environment for another program, such as an editor. */
export const environmentWithoutKeys = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
	// On Windows they are found in any case.
	Object.fromEntries(Object.entries(env).filter(([name]) => !secretVariables.has(name.toUpperCase())));

/** What no message and no report may hold: the keys of the environment, and the password of the database. */
export const secretsOf = (env: NodeJS.ProcessEnv = process.env): readonly string[] => [
	...keyVariables.map(name => env[name]?.trim() ?? '').filter(key => key !== ''),
	...passwordsIn(env[databaseUrlVariable] ?? ''),
];
