import {randomUUID} from 'node:crypto';
import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const privateFileMode = 0o600;
const privateFolderMode = 0o700;
const othersMask = 0o077;

/** True where the error says that a file or folder is not there. */
export const isMissing = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const isOpenToOthers = (target: string): boolean => {
	// Windows has no such modes: its profile folders are private by their access lists.
	if (process.platform === 'win32') {
		return false;
	}

	try {
		// eslint-disable-next-line no-bitwise
		return (statSync(target).mode & othersMask) !== 0;
	} catch {
		return false;
	}
};

/**
Takes away what others may do with a file or folder of ours, where it is there and looser than that.

@returns whether it is closed to others now: false where its mode cannot be changed.
*/
const closeToOthers = (target: string, mode: number): {readonly isClosed: boolean} => {
	if (isOpenToOthers(target)) {
		try {
			chmodSync(target, mode);
		} catch {}
	}

	return {isClosed: !isOpenToOthers(target)};
};

/** A file that holds a key, or an answer to one, becomes 0600 also where it existed looser. */
export const tightenFile = (file: string): {readonly isClosed: boolean} => closeToOthers(file, privateFileMode);

/** The same for its folder, 0700. */
export const tightenFolder = (folder: string): {readonly isClosed: boolean} => closeToOthers(folder, privateFolderMode);

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;

/** One folder after the other: Node's own `recursive` never ends under /proc, where a home folder may be by mistake. */
const makeFolders = (folder: string, isParentMade = false): void => {
	try {
		mkdirSync(folder, {mode: privateFolderMode});
	} catch (error) {
		const parent = path.dirname(folder);
		// It is there, or another process was faster.
		if (hasCode(error, 'EEXIST')) {
			return;
		}

		if (!hasCode(error, 'ENOENT') || parent === folder || isParentMade) {
			throw error;
		}

		makeFolders(parent);
		makeFolders(folder, true);
	}
};

/**
Makes the folder where it is missing; it is 0700 afterwards.

@throws the error of the file system where the folder cannot be made.
*/
export const ensurePrivateFolder = (folder: string): void => {
	makeFolders(folder);
	tightenFolder(folder);
};

/**
Writes a file of mode 0600 in a folder of mode 0700 so that a reader finds the old text or the new one, never a part.

@throws the error of the file system where it cannot be written; nothing is left behind then.
*/
export const writePrivateFile = (file: string, text: string): void => {
	ensurePrivateFolder(path.dirname(file));
	const unfinished = `${file}.${randomUUID()}.tmp`;
	try {
		writeFileSync(unfinished, text, {mode: privateFileMode, flag: 'wx'});
		renameSync(unfinished, file);
	} catch (error) {
		rmSync(unfinished, {force: true});
		throw error;
	}
};

/**
The text of a regular file of at most so many bytes.

@returns `undefined` where there is none, it is larger, or it is no regular file (a pipe would hold us up for ever).
@throws the error of the file system where the file is there but cannot be read.
*/
export const readPrivateFile = (file: string, maximumBytes: number): string | undefined => {
	let descriptor: number;
	try {
		// eslint-disable-next-line no-bitwise
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw error;
	}

	try {
		const found = fstatSync(descriptor);
		return found.isFile() && found.size <= maximumBytes ? readFileSync(descriptor, 'utf8') : undefined;
	} finally {
		closeSync(descriptor);
	}
};
