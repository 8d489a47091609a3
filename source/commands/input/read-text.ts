import {readFile, stat} from 'node:fs/promises';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {SwitchboardError} from '../../interface/errors.ts';

/** Stands for standard input where a text or a file is asked for. */
const standardInput = '-';

const maximumBytes = 1024 * 1024;

const tooLong = (what: string): SwitchboardError => new SwitchboardError('usage', `${what} holds more than 1 MiB, which no text here needs.`);

/**
All of standard input, as text.

@throws SwitchboardError `usage` where it is longer than any text that a command takes.
*/
export const readStandardInput = async (): Promise<string> => {
	const all = await text(process.stdin);
	if (all.length > maximumBytes) {
		throw tooLong('Standard input');
	}

	return all;
};

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
		const found = await stat(file);
		if (found.size > maximumBytes) {
			throw tooLong(`“${file}”`);
		}

		return new TextDecoder('utf-8', {fatal: true}).decode(await readFile(file));
	} catch (error) {
		if (error instanceof SwitchboardError) {
			throw error;
		}

		const reason = error instanceof TypeError ? 'it is not UTF-8 text' : (error as Error).message;
		throw new SwitchboardError('usage', `“${file}” cannot be read: ${reason}.`, {cause: error});
	}
};
