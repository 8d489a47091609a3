import {mkdirSync, path, process} from './node.ts';
import {temporaryFolder} from './temporary-folder.ts';

/**
A program cannot run without the first; anything else would make a test depend on who runs it. All programs of a run share their
compiled code, which saves a fifth of the time of each start.
*/
const inheritedNames = ['PATH', 'TMPDIR', 'SystemRoot', 'NODE_V8_COVERAGE', 'NODE_COMPILE_CACHE'];

/** A new empty home folder, with the environment that makes a program use it. */
export function createIsolatedHome() {
	const folder = temporaryFolder();
	const env: Record<string, string> = {
		HOME: folder,
		USERPROFILE: folder,
		XDG_CONFIG_HOME: path.join(folder, 'config'),
		XDG_DATA_HOME: path.join(folder, 'data'),
		XDG_CACHE_HOME: path.join(folder, 'cache'),
		XDG_STATE_HOME: path.join(folder, 'state'),
		LANG: 'C.UTF-8',
		TERM: 'xterm-256color',
		SHELL: '/bin/sh',
	};
	for (const name of inheritedNames) {
		const value = process.env[name];
		if (value !== undefined) {
			env[name] = value;
		}
	}

	for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME']) {
		mkdirSync(env[name]!);
	}

	return {folder, env};
}

export type IsolatedHome = ReturnType<typeof createIsolatedHome>;
