import {lstatSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {describeForeignHome} from '../platform/file-owner.ts';
import {userFolders} from '../platform/user-folders.ts';
import {ensurePrivateFolder} from '../platform/private-files.ts';

/**
Returns the folder for compiled code, created if it is missing. Node's default is a folder in the shared temporary directory, where
another user may have put code for us to run.

@returns `undefined` if there can be no folder that only this user can write to, or for root in the home of somebody else.
*/
export function chooseCompileCacheFolder(): string | undefined {
	if (describeForeignHome() !== undefined) {
		return undefined;
	}

	const folder = path.join(userFolders().cache, 'compile-cache');
	try {
		ensurePrivateFolder(folder);
		const found = lstatSync(folder);
		const isOwn = process.getuid === undefined || found.uid === process.getuid();
		// eslint-disable-next-line no-bitwise
		const isPrivate = process.platform === 'win32' || (found.mode & 0o022) === 0;
		return found.isDirectory() && isOwn && isPrivate ? folder : undefined;
	} catch {
		return undefined;
	}
}
