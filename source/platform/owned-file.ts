import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync, statSync, type Stats} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {foreignOwner, ownerName} from './file-owner.ts';
import {shellWord} from './shell-word.ts';

/** Returns all folders that contain a file, from the nearest up, by the path as given and by the path with its links followed. */
export function foldersAbove(file: string): string[] {
	return [...new Set([path.resolve(file), realpathSync(file)].flatMap(each => foldersUp(path.dirname(each))))];
}

const foldersUp = (folder: string): readonly string[] =>
	path.dirname(folder) === folder ? [folder] : [folder, ...foldersUp(path.dirname(folder))];

type OwnedFileOptions = {readonly forbiddenMode: number; readonly maximumBytes: number};

/**
Reads a file that grants rights: only its owner, who must be this user or root, may have been able to change it.

@throws Error whose message is a clause about the file, or the error of the file system.
*/
export function readOwnedFile(file: string, {forbiddenMode, maximumBytes}: OwnedFileOptions): string {
	// eslint-disable-next-line no-bitwise -- Flags are made of bits. Opening must not wait for a pipe.
	const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const found = fstatSync(descriptor);
		if (!found.isFile()) {
			throw new Error('it is not a regular file');
		}

		if (found.size > maximumBytes) {
			throw new Error(`it is larger than ${maximumBytes} bytes`);
		}

		// Windows has no such modes and owners.
		if (process.platform !== 'win32') {
			if (!isOwn(found)) {
				throw new Error(foreignOwner(file, found.uid).reason);
			}

			if (hasBits(found.mode, forbiddenMode)) {
				throw new Error(
					hasBits(forbiddenMode, 0o044)
						? `others may read it; run: chmod 600 ${shellWord(file)}`
						: `others may write it; run: chmod go-w ${shellWord(file)}`,
				);
			}

			const problem = pathProblem(file);
			if (problem !== undefined) {
				throw new Error(problem);
			}
		}

		return readFileSync(descriptor, 'utf8');
	} finally {
		closeSync(descriptor);
	}
}

const isOwn = ({uid}: Stats): boolean => uid === 0 || uid === process.getuid?.();

// eslint-disable-next-line no-bitwise -- Modes are made of bits.
const hasBits = (mode: number, bits: number): boolean => (mode & bits) !== 0;

/** Returns the reason why others may change the target of a path; `undefined` if they may not. */
function pathProblem(file: string): string | undefined {
	const nearest = new Set([path.dirname(path.resolve(file)), path.dirname(realpathSync(file))]);
	if (!isOwn(lstatSync(file))) {
		return `the link to it belongs to ${ownerName(lstatSync(file).uid)}`;
	}

	for (const folder of foldersAbove(file)) {
		const found = statSync(folder);
		const isNearest = nearest.has(folder);
		// The owner of a link can change its target.
		if (!isOwn(found) || !isOwn(lstatSync(folder))) {
			const owner = ownerName(isOwn(found) ? lstatSync(folder).uid : found.uid);
			return isNearest ? `its folder ${folder} belongs to ${owner}` : `${folder}, which it lies in, belongs to ${owner}`;
		}

		// In a sticky folder, such as /tmp, only the owner can move a file.
		if (hasBits(found.mode, 0o022) && (isNearest || !hasBits(found.mode, 0o1000))) {
			return `others may write in ${isNearest ? `its folder ${folder}` : `${folder}, which it lies in`}; run: chmod go-w ${shellWord(folder)}`;
		}
	}

	return undefined;
}
