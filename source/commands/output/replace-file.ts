import {lstat, open, realpath, rename, rm, stat, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {unreadableText, writeProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {ifThere, isNoRoom} from '../../platform/private-files.ts';

/** A file that may not exist yet. */
export type FilePlace = {
	/** With all links followed. */
	readonly path: string;
	/** Its permission bits; `undefined` if the file does not exist. */
	readonly mode: number | undefined;
	/** For messages: the name as given, with the target if it is a link. */
	readonly name: string;
};

/**
Finds the place for writing a file. As with cp and git's own files, a link stays a link, and its target is written.

@throws SwitchboardError `usage` if it is not a file, or a link that leads nowhere.
*/
export async function findFilePlace(file: string): Promise<FilePlace> {
	if (file === '') {
		throw new SwitchboardError('usage', 'The name of the file is empty. Nothing was done.', {nextStep: 'Name a file.'});
	}

	try {
		const stats = await ifThere(stat(file));
		if (stats !== undefined && !stats.isFile()) {
			throw usageError(file, stats.isDirectory() ? 'is a folder' : 'is not a regular file');
		}

		const entry = await ifThere(lstat(file));
		if (stats === undefined) {
			if (entry !== undefined) {
				throw usageError(file, 'is a link that leads nowhere');
			}

			const folder = (await ifThere(realpath(dirname(file)))) ?? dirname(file);
			return {path: join(folder, basename(file)), mode: undefined, name: file};
		}

		const path = await realpath(file);
		// eslint-disable-next-line no-bitwise -- Modes are made of bits.
		return {path, mode: stats.mode & 0o777, name: entry?.isSymbolicLink() === true ? `${file} → ${path}` : file};
	} catch (error) {
		throw error instanceof SwitchboardError ? error : usageError(file, unreadableText(error), error);
	}
}

const usageError = (file: string, problem: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('usage', `“${file}” ${problem}. Nothing was done.`, {nextStep: 'Check the path.', cause});

/**
Replaces a file atomically, with its former mode: a reader finds either the old or the new content. If it cannot be written, nothing is left
behind.

@param fill - writes the content to the empty file with this path.
@throws SwitchboardError `usage` or `no-room`, or the error of `fill`.
*/
export async function replaceFileBy({path, mode, name}: FilePlace, fill: (path: string) => Promise<void>): Promise<void> {
	const unfinished = `${path}.${crypto.randomUUID()}.tmp`;
	try {
		await writeWhole(unfinished, mode, fill);
		await rename(unfinished, path);
	} catch (error) {
		await rm(unfinished, {force: true});
		throw writeError(name, error);
	}
}

/** Creates a file, fills it, and flushes it to the disk. */
async function writeWhole(path: string, mode: number | undefined, fill: (path: string) => Promise<void>): Promise<void> {
	await using handle = await open(path, 'wx', mode);
	if (mode !== undefined) {
		// The umask applies only to new files.
		await handle.chmod(mode);
	}

	await fill(path);
	await handle.sync();
}

function writeError(name: string, error: unknown): SwitchboardError {
	if (isNoRoomError(error)) {
		return new SwitchboardError('no-room', `There is no room for “${name}”. It was not changed.`, {
			nextStep: 'Make room on the disk.',
			cause: error,
		});
	}

	return error instanceof SwitchboardError ? error : usageError(name, writeProblem(error), error);
}

const isNoRoomError = (error: unknown): boolean => isNoRoom(error) || (error instanceof SwitchboardError && error.kind === 'no-room');

/** Writes a text to a file, as `replaceFileBy` does. */
export async function replaceFile(place: FilePlace, text: string): Promise<void> {
	return replaceFileBy(place, async unfinished => writeFile(unfinished, text));
}
