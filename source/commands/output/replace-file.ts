import {
	lstat,
	open,
	realpath,
	rename,
	rm,
	stat,
} from 'node:fs/promises';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isNoRoom} from '../../platform/no-room.ts';
import {isMissing} from '../../platform/private-files.ts';

/** A file that may not exist yet. */
export type FilePlace = {
	/** With all links followed. */
	readonly path: string;
	/** Its permission bits; `undefined` if there is no such file. */
	readonly mode: number | undefined;
};

const ifThere = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
	try {
		return await work;
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw error;
	}
};

const usageError = (file: string, problem: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('usage', `“${file}” ${problem}. Nothing was done.`, {nextStep: 'Check the path.', cause});

/**
Finds the place of a file that is to be written.

@throws SwitchboardError `usage` if it is something else than a file, or a link that leads nowhere.
*/
export const findFilePlace = async (file: string): Promise<FilePlace> => {
	try {
		const stats = await ifThere(stat(file));
		if (stats !== undefined && !stats.isFile()) {
			throw usageError(file, stats.isDirectory() ? 'is a folder' : 'is not a regular file');
		}

		if (stats === undefined && await ifThere(lstat(file)) !== undefined) {
			throw usageError(file, 'is a link that leads nowhere');
		}

		// eslint-disable-next-line no-bitwise -- Modes are made of bits.
		return stats === undefined ? {path: file, mode: undefined} : {path: await realpath(file), mode: stats.mode & 0o777};
	} catch (error) {
		throw error instanceof SwitchboardError ? error : usageError(file, fileProblem(error), error);
	}
};

const writeWhole = async (path: string, mode: number | undefined, text: string): Promise<void> => {
	await using handle = await open(path, 'wx', mode);
	await handle.writeFile(text);
	if (mode !== undefined) {
		// Whatever the umask says.
		await handle.chmod(mode);
	}

	await handle.sync();
};

const writeError = (name: string, error: unknown): SwitchboardError => {
	if (isNoRoom(error)) {
		return new SwitchboardError('no-room', `There is no room for “${name}”. It was not changed.`, {nextStep: 'Make room on the disk.', cause: error});
	}

	const problem = isMissing(error) ? 'cannot be written: its folder does not exist' : fileProblem(error).replace('read', 'written');
	return usageError(name, problem, error);
};

/**
Writes a file at once, with the mode it had: who reads it finds the old text or the new one. If it cannot be written, nothing
is left behind.

@param name - how messages name it.
@throws SwitchboardError `usage` or `no-room`.
*/
export const replaceFile = async (name: string, {path, mode}: FilePlace, text: string): Promise<void> => {
	const unfinished = `${path}.${crypto.randomUUID()}.tmp`;
	try {
		await writeWhole(unfinished, mode, text);
		await rename(unfinished, path);
	} catch (error) {
		await rm(unfinished, {force: true});
		throw writeError(name, error);
	}
};
