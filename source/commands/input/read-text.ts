import path from 'node:path';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {readBoundedText} from '../../state/bounded-text.ts';
import type {Context} from '../context.ts';
import {openInput} from './open-input.ts';

/** Stands for standard input in place of a text or a file. */
export const standardInput = '-';

const cutOff = (error: unknown): unknown => error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
	? new SwitchboardError('hangup', 'The connection ended before standard input did.', {cause: error})
	: error;

/**
All of standard input, as text.

@throws SwitchboardError `usage` if it is larger than 1 MiB or not UTF-8, `hangup` if the connection that it came over ends before it.
*/
export const readStandardInput = async ({streams: {stdin}}: Pick<Context, 'streams'>): Promise<string> => {
	try {
		// The same stream may be standard output as well: what is too large must not close it.
		return await readBoundedText(stdin.iterator({destroyOnReturn: false}), 'Standard input');
	} catch (error) {
		throw cutOff(error);
	}
};

/** A failed command leaves an empty pipe or file, which would erase the current text. */
const refuseEmpty = (text: string, what: string, emptyOption: string): string => {
	if (text.trim() === '') {
		throw new SwitchboardError('usage', `${what} is empty. Nothing was done.`, {nextStep: `For an empty text, use: ${emptyOption}`});
	}

	return text;
};

/**
Returns the text as given, or standard input for `-`.

@param emptyOption - the option that gives an empty text.
@throws SwitchboardError `usage` if standard input cannot be read, is empty or not UTF-8.
*/
export const readTextOption = async (context: Context, value: string | undefined, emptyOption: string): Promise<string | undefined> =>
	value === standardInput ? refuseEmpty(await readStandardInput(context), 'Standard input', emptyOption) : value;

const nameOf = (file: string): string => file === standardInput ? 'Standard input' : `“${file}”`;

/** The text of a file, or of standard input for `-`, which may be empty. */
const readFileOrInput = async (context: Context, file: string): Promise<string> => {
	if (file === standardInput) {
		return readStandardInput(context);
	}

	try {
		return await readBoundedText(await openInput(file), nameOf(file));
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('usage', `${nameOf(file)} ${fileProblem(error)}. Nothing was done.`, {nextStep: 'Check the path.', cause: error});
	}
};

/**
Reads the text of a file, or of standard input for `-`.

@param emptyOption - the option that gives an empty text.
@throws SwitchboardError `usage` if it cannot be read, is empty or not UTF-8.
*/
export const readTextFile = async (context: Context, file: string, emptyOption: string): Promise<string> =>
	refuseEmpty(await readFileOrInput(context, file), nameOf(file), emptyOption);

/** A state file as `readState` takes it. */
type StateFile = {
	readonly text: string;
	/** Names the file in messages. */
	readonly label: string;
	/** The folder that its paths are relative to. */
	readonly folder: string;
};

/**
Reads the text of a state file, or of standard input for `-`: its paths are then relative to the current folder.

@throws SwitchboardError `usage` if it cannot be read, is larger than 1 MiB or not UTF-8.
*/
export const readStateFile = async (context: Context, file: string): Promise<StateFile> => ({
	text: await readFileOrInput(context, file),
	...(file === standardInput
		? {label: 'standard input', folder: '.'}
		: {label: file, folder: path.dirname(path.resolve(file))}),
});
