import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

type UserFolders = {
	readonly config: string;
	readonly cache: string;
	readonly data: string;
	readonly log: string;
};

const name = 'switchboard';

/** The folder of this user, also where `HOME` names none. A relative one would lead into the current folder. */
const homeFolder = (): string => {
	const home = os.homedir();
	return path.isAbsolute(home) ? home : os.userInfo().homedir;
};

/** The folder in such a variable, or else one in the home folder. As the XDG Base Directory Specification asks, a relative one is ignored. */
const folderIn = (variable: string, ...inHome: readonly string[]): string => {
	const folder = process.env[variable] ?? '';
	return path.isAbsolute(folder) ? folder : path.join(homeFolder(), ...inHome);
};

const inLibrary = (folder: string): string => path.join(homeFolder(), 'Library', folder, name);

/**
This program's folders on this platform. On Linux they follow `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`, `XDG_DATA_HOME` and `XDG_STATE_HOME`.
They need not exist.
*/
export const userFolders = (): UserFolders => {
	if (process.platform === 'darwin') {
		return {
			config: inLibrary('Preferences'),
			cache: inLibrary('Caches'),
			data: inLibrary('Application Support'),
			log: inLibrary('Logs'),
		};
	}

	if (process.platform === 'win32') {
		const local = path.join(folderIn('LOCALAPPDATA', 'AppData', 'Local'), name);
		return {
			config: path.join(folderIn('APPDATA', 'AppData', 'Roaming'), name, 'Config'),
			cache: path.join(local, 'Cache'),
			data: path.join(local, 'Data'),
			log: path.join(local, 'Log'),
		};
	}

	return {
		config: path.join(folderIn('XDG_CONFIG_HOME', '.config'), name),
		cache: path.join(folderIn('XDG_CACHE_HOME', '.cache'), name),
		data: path.join(folderIn('XDG_DATA_HOME', '.local', 'share'), name),
		log: path.join(folderIn('XDG_STATE_HOME', '.local', 'state'), name),
	};
};
