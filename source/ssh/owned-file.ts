import {
	closeSync,
	constants,
	fstatSync,
	openSync,
	readFileSync,
	realpathSync,
	statSync,
	type Stats,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

// eslint-disable-next-line no-bitwise -- Modes are made of bits.
const hasBits = (mode: number, bits: number): boolean => (mode & bits) !== 0;

const isOwn = ({uid}: Stats): boolean => uid === 0 || uid === process.getuid?.();

/** Why others may change what lies in a folder, or above it; `undefined` if they may not. */
const folderProblem = (folder: string): string | undefined => {
	const found = statSync(folder);
	if (!isOwn(found)) {
		return `its folder ${folder} belongs to another user`;
	}

	if (hasBits(found.mode, 0o022)) {
		return `others may write in its folder ${folder}; run: chmod go-w ${folder}`;
	}

	for (let above = path.dirname(folder); above !== path.dirname(above); above = path.dirname(above)) {
		const {mode} = statSync(above);
		// In a sticky folder, such as /tmp, nobody moves what is not theirs.
		if (hasBits(mode, 0o022) && !hasBits(mode, 0o1000)) {
			return `others may write in ${above}, which it lies in; run: chmod go-w ${above}`;
		}
	}

	return undefined;
};

export type OwnedFileOptions = {
	/** The bits of the mode that it must not have. */
	readonly forbiddenMode: number;
	readonly maximumBytes: number;
};

/**
Reads a file that decides who may do what: only its owner, who is this user or root, may have changed it.

@throws Error whose message is a clause about the file, or the error of the file system.
*/
export const readOwnedFile = (file: string, {forbiddenMode, maximumBytes}: OwnedFileOptions): string => {
	// eslint-disable-next-line no-bitwise -- Flags are made of bits. A pipe is not waited for.
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
				throw new Error('it belongs to another user');
			}

			if (hasBits(found.mode, forbiddenMode)) {
				throw new Error(hasBits(forbiddenMode, 0o044) ? `others may read it; run: chmod 600 ${file}` : `others may write it; run: chmod go-w ${file}`);
			}

			const problem = folderProblem(path.dirname(path.resolve(file))) ?? folderProblem(path.dirname(realpathSync(file)));
			if (problem !== undefined) {
				throw new Error(problem);
			}
		}

		return readFileSync(descriptor, 'utf8');
	} finally {
		closeSync(descriptor);
	}
};
