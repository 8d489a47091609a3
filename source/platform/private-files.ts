import {Buffer} from 'node:buffer';
import {
	appendFileSync,
	chmodSync,
	closeSync,
	constants,
	fchownSync,
	fstatSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import {rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

/*
Files of mode 0600 in folders of mode 0700: they hold keys, answers to keys, or the data of the bundled service. Every function throws the
error of the file system as it is, because only its caller knows the purpose of the file.
*/

const privateFileMode = 0o600;

const privateFolderMode = 0o700;

const othersMask = 0o077;

/** Prevents opening a link: the file behind it is not ours to read or to change. Windows has no such flag. */
const noLink = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

/** Tells whether an error of the file system has one of these codes, such as `ENOENT`. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): error is Error {
	return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function isMissing(error: unknown): boolean {
	return hasErrorCode(error, 'ENOENT', 'ENOTDIR');
}

/** Returns the result of work on a file; `undefined` if the file does not exist. */
export async function ifThere<Value>(work: Promise<Value>): Promise<Value | undefined> {
	try {
		return await work;
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw error;
	}
}

/** Tells whether an error means no space, no disk quota, or a file above the size limit (`ulimit -f`). */
export function isNoRoom(error: unknown): error is Error {
	return hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG');
}

/** Flushes the names in a folder to the disk, for example after a file was renamed. Windows does not open folders. */
export function syncFolder(folder: string): void {
	if (process.platform === 'win32') {
		return;
	}

	const descriptor = openSync(folder, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

/** Tells whether others have access to a file or folder, through a link as well. */
export function isOpenToOthers(target: string): boolean {
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
}

/** Whether only the owner has access now, with the error if the mode could not be changed. */
export type Tightened = {readonly isPrivate: boolean; readonly error?: unknown};

/** Tells whether the name exists and is a symbolic link, dangling or not. */
export function isLink(file: string): boolean {
	try {
		return lstatSync(file).isSymbolicLink();
	} catch {
		return false;
	}
}

/** Makes an existing file 0600 if others have access to it, unless it is a link. Never throws. */
export function tightenFile(file: string): Tightened {
	return isLink(file) ? {isPrivate: false, error: new Error('it is a link')} : closeToOthers(file, privateFileMode);
}

function closeToOthers(target: string, mode: number): Tightened {
	try {
		if (isOpenToOthers(target)) {
			chmodSync(target, mode);
		}

		return {isPrivate: !isOpenToOthers(target)};
	} catch (error) {
		return {isPrivate: false, error};
	}
}

/** Makes an existing folder 0700 if others have access to it. Never throws. */
export function tightenFolder(folder: string): Tightened {
	return closeToOthers(folder, privateFolderMode);
}

/** Creates a folder of mode 0700 with its parents, or tightens an existing one. */
export function ensurePrivateFolder(folder: string): Tightened {
	createFolders(folder);
	return tightenFolder(folder);
}

/** Creates folders one by one: Node's own `recursive` never ends under /proc, where a home folder may be by mistake. */
function createFolders(folder: string, isParentCreated = false): void {
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
		giveToOwner(parent);
		createFolders(folder, true);
	}
}

/** Gives a folder that root has just created to the owner of the folder above it, whose other programs may need it, such as `~/.config`. */
function giveToOwner(folder: string): void {
	const {uid, gid} = statSync(path.dirname(folder));
	if (process.getuid?.() !== 0 || uid === 0) {
		return;
	}

	// eslint-disable-next-line no-bitwise -- Flags are made of bits.
	const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | noLink);
	try {
		fchownSync(descriptor, uid, gid);
	} finally {
		closeSync(descriptor);
	}
}

/** Creates an empty file of mode 0600; returns false if it already exists, without opening it. */
export function createPrivateFile(file: string): boolean {
	try {
		closeSync(openSync(file, 'wx', privateFileMode));
		return true;
	} catch (error) {
		if (hasErrorCode(error, 'EEXIST')) {
			return false;
		}

		throw error;
	}
}

/**
Appends to a file, which is created with mode 0600 if it does not exist.

@throws an error if it is a link, has a second name, or is not a regular file.
*/
export function appendPrivateFile(file: string, text: string): void {
	// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
	const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | noLink;
	const descriptor = openSync(file, flags, privateFileMode);
	try {
		const found = fstatSync(descriptor);
		if (!found.isFile() || found.nlink > 1) {
			throw new Error(found.isFile() ? 'it is a hard link' : 'it is not a regular file');
		}

		appendFileSync(descriptor, text);
	} finally {
		closeSync(descriptor);
	}
}

/** Appends to a private log. Above 1 MB it is renamed first and replaces the earlier file, so that there are never more than two. */
export function appendToRotatingFile([file, earlier]: readonly [file: string, earlier: string], text: string): void {
	if ((lstatSync(file, {throwIfNoEntry: false})?.size ?? 0) > 1024 * 1024) {
		renameSync(file, earlier);
	}

	appendPrivateFile(file, text);
}

const unfinishedOptions = {mode: privateFileMode, flag: 'wx'} as const;

/**
Writes a file of mode 0600 in a folder of mode 0700. A reader finds the old text or the new one, never a part. If it cannot
be written, nothing is left behind.
*/
export function writePrivateFile(file: string, content: string | Uint8Array): void {
	const unfinished = unfinishedName(file);
	try {
		writeFileSync(unfinished, content, unfinishedOptions);
		renameSync(unfinished, file);
	} catch (error) {
		rmSync(unfinished, {force: true});
		throw error;
	}
}

/** Returns a free name beside the file, in a folder of mode 0700. The global loads when it is used; the module would slow every start. */
function unfinishedName(file: string): string {
	ensurePrivateFolder(path.dirname(file));
	return `${file}.${crypto.randomUUID()}.tmp`;
}

/** Writes a file as `writePrivateFile` does, without holding up the program: on a busy disk, replacing a file can take long. */
export async function writePrivateFileSoon(file: string, text: string): Promise<void> {
	const unfinished = unfinishedName(file);
	try {
		await writeFile(unfinished, text, unfinishedOptions);
		await rename(unfinished, file);
	} catch (error) {
		await rm(unfinished, {force: true});
		throw error;
	}
}

/** Returns the text of a regular file, as `readPrivateBytes` does. */
export function readPrivateFile(file: string, maximumBytes: number, start = 0): string | undefined {
	return readPrivateBytes(file, maximumBytes, start)?.toString();
}

/**
Returns the content of a regular file; `undefined` if it does not exist, is larger than `maximumBytes`, or is not a regular file (reading a
pipe would block).

@param start - the byte to begin at.
@throws the error of the file system if it is a link, or cannot be read.
*/
export function readPrivateBytes(file: string, maximumBytes: number, start = 0): Buffer | undefined {
	let descriptor: number | undefined;
	try {
		// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | noLink);
		const found = fstatSync(descriptor);
		if (!found.isFile() || found.size > maximumBytes) {
			return undefined;
		}

		return start === 0 ? readFileSync(descriptor) : readFrom(descriptor, start, found.size);
	} catch (error) {
		if (descriptor === undefined && isMissing(error)) {
			return undefined;
		}

		throw error;
	} finally {
		if (descriptor !== undefined) {
			closeSync(descriptor);
		}
	}
}

function readFrom(descriptor: number, start: number, end: number): Buffer {
	const bytes = Buffer.alloc(Math.max(0, end - start));
	let length = 0;
	let count = 1;
	while (count > 0 && length < bytes.length) {
		count = readSync(descriptor, bytes, length, bytes.length - length, start + length);
		length += count;
	}

	return bytes.subarray(0, length);
}

const probeBytes = 64 * 1024;

/**
Tells whether files in one folder could grow a little, by trying with another file beside them: not every library's error says why a file
cannot be written.

@returns the error of the file system if there is no room; `undefined` if there is, or if the file cannot be written for another reason.
*/
export function findNoRoom(files: readonly [string, ...string[]]): Error | undefined {
	const probe = `${files[0]}.${crypto.randomUUID()}.probe`;
	let descriptor: number | undefined;
	try {
		descriptor = openSync(probe, 'wx', 0o600);
		writeSync(descriptor, Buffer.alloc(probeBytes, 1));
		// A hole takes no room, but counts towards the limit of a file's size.
		writeSync(descriptor, '1', probeBytes + Math.max(...files.map(file => statSync(file, {throwIfNoEntry: false})?.size ?? 0)));
		return undefined;
	} catch (error) {
		return isNoRoom(error) ? error : undefined;
	} finally {
		if (descriptor !== undefined) {
			closeSync(descriptor);
			rmSync(probe, {force: true});
		}
	}
}
