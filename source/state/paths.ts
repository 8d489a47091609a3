import {constants, open, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {fileProblem} from '../bundle/file-errors.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isBeneath} from '../platform/user-folders.ts';
import {maximumTextBytes, readBoundedText} from './bounded-text.ts';

export type PathRules = {
	/** The folder that paths are relative to. */
	readonly folder: string;
	/** True if a path may lead out of the folder. */
	readonly isOutsideAllowed: boolean;
	/** False if no path may be named at all. */
	readonly arePathsAllowed: boolean;
};

const quoted = (written: string): string => `“${cleanText(written, 120)}”`;

const refused = (message: string): SwitchboardError => new SwitchboardError('usage', message);

/** The error for a path that cannot be used, as a sentence that names it. */
const pathError = (written: string, error: unknown): SwitchboardError =>
	error instanceof SwitchboardError ? error : new SwitchboardError('usage', `${quoted(written)} ${fileProblem(error)}.`, {cause: error});

/** The place of a path, with all links followed. */
const locate = async (written: string, {folder, isOutsideAllowed, arePathsAllowed}: PathRules): Promise<string> => {
	if (!arePathsAllowed) {
		throw refused('No paths are allowed here, so neither “abilities” nor “prompt_file” is: give prompts in “prompt”.');
	}

	if (written === '') {
		throw refused('A path is empty.');
	}

	const place = path.resolve(folder, written);
	if (!isOutsideAllowed && (path.isAbsolute(written) || !isBeneath(path.resolve(folder), place))) {
		throw refused(`${quoted(written)} leaves the folder of the file: use --allow-outside if it may.`);
	}

	const real = await realpath(place);
	if (!isOutsideAllowed && !isBeneath(await realpath(folder), real)) {
		throw refused(`${quoted(written)} leaves the folder of the file through a link: use --allow-outside if it may.`);
	}

	return real;
};

/**
The place of an ability's folder or zip, which is not read.

@throws SwitchboardError `usage`, naming the path, if it breaks the rules or is not there.
*/
export const locateSource = async (written: string, rules: PathRules): Promise<string> => {
	try {
		const place = await locate(written, rules);
		const stats = await stat(place);
		if (!stats.isDirectory() && !stats.isFile()) {
			throw refused(`${quoted(written)} is neither a folder nor a zip.`);
		}

		return place;
	} catch (error) {
		throw pathError(written, error);
	}
};

/**
The text of a prompt's file.

@throws SwitchboardError `usage`, naming the path, if it breaks the rules, is no regular file, larger than 1 MiB, not UTF-8 or empty.
*/
const readPromptFile = async (written: string, rules: PathRules): Promise<string> => {
	try {
		const place = await locate(written, rules);
		// A pipe that nobody writes to would hold up the opening.
		// eslint-disable-next-line no-bitwise -- Flags are bits.
		await using handle = await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		if (!(await handle.stat()).isFile()) {
			throw refused(`${quoted(written)} is not a file.`);
		}

		const text = await readBoundedText(handle.createReadStream({autoClose: false}), quoted(written));
		if (text.trim() === '') {
			throw refused(`${quoted(written)} is empty: for an empty prompt write “prompt: ''”.`);
		}

		return text;
	} catch (error) {
		throw pathError(written, error);
	}
};

/** Together, so that a small file cannot name one large prompt a thousand times. */
const maximumPromptLength = 16 * maximumTextBytes;

/** Returns `readPromptFile` with a limit for all prompts together. */
export const createPromptReader = (rules: PathRules): ((written: string) => Promise<string>) => {
	let length = 0;
	return async written => {
		if (length > maximumPromptLength) {
			throw refused('The prompts are larger than 16 MiB in all.');
		}

		const text = await readPromptFile(written, rules);
		length += text.length;
		return text;
	};
};
