import {Buffer} from 'node:buffer';
import {createReadStream} from 'node:fs';
import process from 'node:process';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';

/** Stands for standard input where a text or a file is asked for. */
const standardInput = '-';

const maximumBytes = 1024 * 1024;

/**
A text that ends within the limit: a pipe or a device may never end.

@throws SwitchboardError `usage` where it is longer than any text that a command takes, or is no text.
*/
const readBoundedText = async (pieces: AsyncIterable<Uint8Array>, what: string): Promise<string> => {
	const read: Uint8Array[] = [];
	let byteCount = 0;
	for await (const piece of pieces) {
		byteCount += piece.byteLength;
		if (byteCount > maximumBytes) {
			throw new SwitchboardError('usage', `${what} holds more than 1 MiB, which no text here needs.`);
		}

		read.push(piece);
	}

	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(read));
	} catch (error) {
		throw new SwitchboardError('usage', `${what} cannot be read: it is not UTF-8 text.`, {cause: error});
	}
};

/**
All of standard input, as text.

@throws SwitchboardError `usage` where it is longer than any text that a command takes, or is no text.
*/
export const readStandardInput = async (): Promise<string> => readBoundedText(process.stdin, 'Standard input');

/** What a command that failed wrote into a pipe or a file is empty, and would wipe the text that is there. */
const refuseEmpty = (text: string, what: string): string => {
	if (text.trim() === '') {
		throw new SwitchboardError('usage', `There is no text in ${what}. Nothing was done.`, {nextStep: 'If an empty text is meant, type: --description \'\''});
	}

	return text;
};

/**
A text as given, or standard input where `-` is given.

@throws SwitchboardError `usage` where standard input cannot be read, is no text or an empty one.
*/
export const readTextOption = async (value: string | undefined): Promise<string | undefined> =>
	value === standardInput ? refuseEmpty(await readStandardInput(), 'standard input') : value;

/**
The text of a file as it is, or of standard input where `-` is given.

@throws SwitchboardError `usage` where it cannot be read, is no text or an empty one.
*/
export const readTextFile = async (file: string): Promise<string> => {
	if (file === standardInput) {
		return refuseEmpty(await readStandardInput(), 'standard input');
	}

	try {
		return refuseEmpty(await readBoundedText(createReadStream(file), `“${file}”`), `“${file}”`);
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('usage', `“${file}” ${fileProblem(error)}. Nothing was done.`, {nextStep: 'Check the path.', cause: error});
	}
};
