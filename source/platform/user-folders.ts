import {realpathSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {isMissing} from './private-files.ts';

const name = 'switchboard';

/**
Returns this program's folders on this platform, with the names of the package `env-paths`; they need not exist. On Linux they follow
`XDG_CONFIG_HOME`, `XDG_CACHE_HOME`, `XDG_DATA_HOME` and `XDG_STATE_HOME`.
*/
export function userFolders(): Readonly<Record<'config' | 'cache' | 'data' | 'log', string>> {
	if (process.platform === 'darwin') {
		const inLibrary = (folder: string): string => inHome('Library', folder, name);
		return {config: inLibrary('Preferences'), cache: inLibrary('Caches'), data: inLibrary('Application Support'), log: inLibrary('Logs')};
	}

	if (process.platform === 'win32') {
		const local = path.join(folderIn('LOCALAPPDATA', 'AppData', 'Local'), name);
		const config = path.join(folderIn('APPDATA', 'AppData', 'Roaming'), name, 'Config');
		return {config, cache: path.join(local, 'Cache'), data: path.join(local, 'Data'), log: path.join(local, 'Log')};
	}

	return {
		config: path.join(folderIn('XDG_CONFIG_HOME', '.config'), name),
		cache: path.join(folderIn('XDG_CACHE_HOME', '.cache'), name),
		data: path.join(folderIn('XDG_DATA_HOME', '.local', 'share'), name),
		log: path.join(folderIn('XDG_STATE_HOME', '.local', 'state'), name),
	};
}

/**
Returns a folder in the user's home folder, even if `HOME` is not an absolute path: a relative one would lead into the current folder.
*/
function inHome(...names: readonly string[]): string {
	const home = os.homedir();
	return path.join(path.isAbsolute(home) ? home : os.userInfo().homedir, ...names);
}

/**
Returns the folder in a variable, or else the usual one in the home folder. As the XDG Base Directory Specification asks, a relative path is
ignored.
*/
function folderIn(variable: string, ...usual: readonly string[]): string {
	const folder = process.env[variable] ?? '';
	return path.isAbsolute(folder) ? folder : inHome(...usual);
}

/** Returns a path with all links followed; parts that do not exist yet stay as they are written. */
export function realPlace(file: string): string {
	const resolved = path.resolve(file);
	try {
		return realpathSync(resolved);
	} catch (error) {
		if (!isMissing(error) || path.dirname(resolved) === resolved) {
			throw error;
		}

		return path.join(realPlace(path.dirname(resolved)), path.basename(resolved));
	}
}

/** Tells whether a place is in a folder, or is the folder itself. */
export function isBeneath(folder: string, place: string): boolean {
	const relative = path.relative(folder, place);
	return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
