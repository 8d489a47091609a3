import {
	appendFileSync,
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

/*
Files of mode 0600 in folders of mode 0700: they hold keys, answers to keys, or the data of the bundled service. Every
function throws the error of the file system as it is; its caller knows what the file is for.
*/

const privateFileMode = 0o600;
const privateFolderMode = 0o700;
const othersMask = 0o077;

/** Opens no link: what it leads to is not ours to read or to change. Windows has no such flag. */
const noLink = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

/** True for an error of the file system with one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Has the names in a folder on disk, as after a file was renamed. Windows opens no folders. */
export const syncFolder = (folder: string): void => {
	if (process.platform === 'win32') {
		return;
	}

	const descriptor = openSync(folder, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
};

/** True if the error says that a file or folder does not exist. */
export const isMissing = (error: unknown): boolean => hasErrorCode(error, 'ENOENT', 'ENOTDIR');

/** True if others have access to what is there, through a link as well. */
export const isOpenToOthers = (target: string): boolean => {
	// Windows has no such modes: its profile folders are private by their access lists.
	if (process.platform === 'win32') {
		return false;
	}

	try {
		// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
		return (statSync(target).mode & othersMask) !== 0;
	} catch {
		return false;
	}
};

/** Whether only the owner has access now, and the error if the mode could not be changed. */
export type Tightened = {readonly isPrivate: boolean; readonly error?: unknown};

const closeToOthers = (target: string, mode: number): Tightened => {
	try {
		if (isOpenToOthers(target)) {
			chmodSync(target, mode);
		}

		return {isPrivate: !isOpenToOthers(target)};
	} catch (error) {
		return {isPrivate: false, error};
	}
};

/** True if the name exists and is a symbolic link, whether it leads anywhere or not. */
export const isLink = (file: string): boolean => {
	try {
		return lstatSync(file).isSymbolicLink();
	} catch {
		return false;
	}
};

/** Makes an existing file 0600 if others have access to it, unless it is a link. Never throws. */
export const tightenFile = (file: string): Tightened =>
	isLink(file) ? {isPrivate: false, error: new Error('it is a link')} : closeToOthers(file, privateFileMode);

/** Makes an existing folder 0700 if others have access to it. Never throws. */
export const tightenFolder = (folder: string): Tightened => closeToOthers(folder, privateFolderMode);

/** Creates one folder after the other: Node's own `recursive` never ends under /proc, where a home folder may be by mistake. */
const createFolders = (folder: string, isParentCreated = false): void => {
	try {
		mkdirSync(folder, {mode: privateFolderMode});
	} catch (error) {
		const parent = path.dirname(folder);
		// It exists, or another process was faster.
		if (hasErrorCode(error, 'EEXIST')) {
			return;
		}

		if (!hasErrorCode(error, 'ENOENT') || parent === folder || isParentCreated) {
			throw error;
		}

		createFolders(parent);
		createFolders(folder, true);
	}
};

/** Creates a folder of mode 0700 with its parents, or tightens an existing one. */
export const ensurePrivateFolder = (folder: string): Tightened => {
	createFolders(folder);
	return tightenFolder(folder);
};

/**
Creates an empty file of mode 0600. An existing one is not even opened.

@returns false if the file already exists.
*/
export const createPrivateFile = (file: string): boolean => {
	try {
		closeSync(openSync(file, 'wx', privateFileMode));
		return true;
	} catch (error) {
		if (hasErrorCode(error, 'EEXIST')) {
			return false;
		}

		throw error;
	}
};

/**
Appends to a file, which is created with mode 0600 if it does not exist.

@throws an error if it is a link, has a second name, or is not a regular file.
*/
export const appendPrivateFile = (file: string, text: string): void => {
	// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
	const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | noLink, privateFileMode);
	try {
		const found = fstatSync(descriptor);
		if (!found.isFile() || found.nlink > 1) {
			throw new Error(found.isFile() ? 'it is a hard link' : 'it is not a regular file');
		}

		appendFileSync(descriptor, text);
	} finally {
		closeSync(descriptor);
	}
};

/** A name beside the file. The global loads when it is used: the module would slow every start. */
const unfinishedName = (file: string): string => `${file}.${crypto.randomUUID()}.tmp`;

/**
Writes a file of mode 0600 in a folder of mode 0700. A reader finds the old text or the new one, never a part. If it cannot
be written, nothing is left behind.
*/
export const writePrivateFile = (file: string, text: string): void => {
	ensurePrivateFolder(path.dirname(file));
	const unfinished = unfinishedName(file);
	try {
		writeFileSync(unfinished, text, {mode: privateFileMode, flag: 'wx'});
		renameSync(unfinished, file);
	} catch (error) {
		rmSync(unfinished, {force: true});
		throw error;
	}
};

/** Does what `writePrivateFile` does without holding up the program: on a busy disk, replacing a file can take long. */
export const writePrivateFileSoon = async (file: string, text: string): Promise<void> => {
	ensurePrivateFolder(path.dirname(file));
	const unfinished = unfinishedName(file);
	try {
		await writeFile(unfinished, text, {mode: privateFileMode, flag: 'wx'});
		await rename(unfinished, file);
	} catch (error) {
		await rm(unfinished, {force: true});
		throw error;
	}
};

/**
The text of a regular file.

@throws the error of the file system if it is a link, or cannot be read.
@returns `undefined` if the file does not exist, is larger than `maximumBytes`, or is not a regular file (reading a pipe
would block).
*/
export const readPrivateFile = (file: string, maximumBytes: number): string | undefined => {
	let descriptor: number;
	try {
		// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | noLink);
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
