import {Buffer} from 'node:buffer';
import {createReadStream} from 'node:fs';
import process from 'node:process';
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

/** A text as given, or standard input where `-` is given. */
export const readTextOption = async (value: string | undefined): Promise<string | undefined> =>
	value === standardInput ? readStandardInput() : value;

/**
The text of a file as it is, or of standard input where `-` is given.

@throws SwitchboardError `usage` where it cannot be read, or is no text.
*/
export const readTextFile = async (file: string): Promise<string> => {
	if (file === standardInput) {
		return readStandardInput();
	}

	try {
		return await readBoundedText(createReadStream(file), `“${file}”`);
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('usage', `“${file}” cannot be read: ${(error as Error).message}.`, {cause: error});
	}
};
