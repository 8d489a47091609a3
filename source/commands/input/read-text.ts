import {Buffer} from 'node:buffer';
import {createReadStream} from 'node:fs';
import process from 'node:process';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';

/** Stands for standard input in place of a text or a file. */
export const standardInput = '-';

const maximumBytes = 1024 * 1024;

/**
Reads a text up to a limit: a pipe or a device may never end.

@throws SwitchboardError `usage` if it is larger than the limit or not UTF-8.
*/
const readBoundedText = async (pieces: AsyncIterable<Uint8Array>, what: string): Promise<string> => {
	const read: Uint8Array[] = [];
	let byteCount = 0;
	for await (const piece of pieces) {
		byteCount += piece.byteLength;
		if (byteCount > maximumBytes) {
			throw new SwitchboardError('usage', `${what} is larger than 1 MiB, the limit for a text.`);
		}

		read.push(piece);
	}

	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(read));
	} catch (error) {
		throw new SwitchboardError('usage', `${what} is not UTF-8 text.`, {cause: error});
	}
};

/**
All of standard input, as text.

@throws SwitchboardError `usage` if it is larger than 1 MiB or not UTF-8.
*/
export const readStandardInput = async (): Promise<string> => readBoundedText(process.stdin, 'Standard input');

/** A failed command leaves an empty pipe or file, which would erase the current text. */
const refuseEmpty = (text: string, what: string): string => {
	if (text.trim() === '') {
		throw new SwitchboardError('usage', `${what} is empty. Nothing was done.`, {nextStep: 'For an empty text, use: --description \'\''});
	}

	return text;
};

/**
Returns the text as given, or standard input for `-`.

@throws SwitchboardError `usage` if standard input cannot be read, is empty or not UTF-8.
*/
export const readTextOption = async (value: string | undefined): Promise<string | undefined> =>
	value === standardInput ? refuseEmpty(await readStandardInput(), 'Standard input') : value;

/**
Reads the text of a file, or of standard input for `-`.

@throws SwitchboardError `usage` if it cannot be read, is empty or not UTF-8.
*/
export const readTextFile = async (file: string): Promise<string> => {
	if (file === standardInput) {
		return refuseEmpty(await readStandardInput(), 'Standard input');
	}

	try {
		return refuseEmpty(await readBoundedText(createReadStream(file), `“${file}”`), `“${file}”`);
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('usage', `“${file}” ${fileProblem(error)}. Nothing was done.`, {nextStep: 'Check the path.', cause: error});
	}
};
