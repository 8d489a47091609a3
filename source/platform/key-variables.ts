import process from 'node:process';

/** The environment variables that hold API keys. */
export const keyVariables = ['SWITCHBOARD_API_KEY', 'OPENHOME_API_KEY'] as const;

/** The environment for another program, such as an editor: without keys, which it may log or pass on. */
export const environmentWithoutKeys = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => {
	const names: ReadonlySet<string> = new Set(keyVariables);
	// On Windows they are found in any case.
	return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name.toUpperCase())));
};
