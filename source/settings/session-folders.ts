import {Buffer} from 'node:buffer';
import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';
import {userFolders} from '../platform/user-folders.ts';

/** Where the settings and the caches of this machine lie; those of the platform by default. */
export type ServerFolders = {
	readonly configFolder?: string | undefined;
	readonly cacheFolder?: string | undefined;
	/** Where the texts lie that the prompts of each profile had, for all who use it. */
	readonly stateFolder?: string | undefined;
};

/** The folders of one person. */
export type SessionFolders = {
	/** How they left the screens, their presets and the texts that they did not save. */
	readonly configFolder: string;
	/** The lists that they saw last. */
	readonly cacheFolder: string;
};

/** A SHA-256 as hexadecimal digits: Base64 has slashes, and letters in two cases. */
const toHex = (fingerprint: string): string => {
	const hash = /^SHA256:(?<hash>[\d+/A-Za-z]{43})=?$/.exec(fingerprint)?.groups?.['hash'];
	if (hash === undefined) {
		throw new SwitchboardError('unexpected', 'The fingerprint of the key is not valid.');
	}

	return Buffer.from(hash, 'base64').toString('hex');
};

/**
The folders of those who come over SSH with a key, whichever profile they get. What writes there makes them, 0700.

@param fingerprint - as OpenSSH prints it: `SHA256:…`.
*/
export const sessionFoldersOf = (fingerprint: string, {configFolder, cacheFolder}: ServerFolders = {}): SessionFolders => {
	const name = toHex(fingerprint);
	return {
		configFolder: path.join(configFolder ?? userFolders().config, 'ssh', name),
		cacheFolder: path.join(cacheFolder ?? userFolders().cache, 'ssh', name),
	};
};
