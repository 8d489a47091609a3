import {constants, createReadStream, fstatSync, open} from 'node:fs';
import {Socket} from 'node:net';
import path from 'node:path';
import {isatty, ReadStream} from 'node:tty';
import {promisify} from 'node:util';
import {unreadableText} from '../../bundle/file-errors.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {readBoundedText} from '../../state/bounded-text.ts';
import type {Context} from '../context.ts';

/** Means standard input in place of a text or a file. */
export const standardInput = '-';

/**
Returns all of standard input, as text.

@throws SwitchboardError `usage` if it is larger than 1 MB or not UTF-8, `hangup` if its connection ends first, `rate-limited` over SSH if
too many commands of the same key wait.
*/
export async function readStandardInput({streams: {stdin}, session}: Pick<Context, 'streams' | 'session'>): Promise<string> {
	session?.file.enter();
	let text: string;
	try {
		// The stream may be standard output as well: input that is too large must not close it.
		text = await readBoundedText(stdin.iterator({destroyOnReturn: false}), 'Standard input');
	} catch (error) {
		throw cutOff(error);
	}

	await session?.file.turn();
	return text;
}

const cutOff = (error: unknown): unknown =>
	error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
		? new SwitchboardError('hangup', 'The connection ended before standard input did.', {cause: error})
		: error;

/**
Returns the text as given, or standard input for `-`.

@param emptyOption - the option that gives an empty text.
@throws SwitchboardError `usage` if standard input cannot be read, is empty or not UTF-8.
*/
export async function readTextOption(context: Context, value: string | undefined, emptyOption: string): Promise<string | undefined> {
	return value === standardInput ? refuseEmpty(await readStandardInput(context), 'Standard input', emptyOption) : value;
}

/** Refuses an empty text: a failed command leaves an empty pipe or file, which would erase the current text. */
function refuseEmpty(text: string, what: string, emptyOption: string): string {
	if (text.trim() === '') {
		throw new SwitchboardError('usage', `${what} is empty. Nothing was done.`, {nextStep: `For an empty text, use: ${emptyOption}`});
	}

	return text;
}

/**
Reads the text of a file, or of standard input for `-`.

@param emptyOption - the option that gives an empty text.
@throws SwitchboardError `usage` if it cannot be read, is empty or not UTF-8.
*/
export async function readTextFile(context: Context, file: string, emptyOption: string): Promise<string> {
	return refuseEmpty(await readFileOrInput(context, file), nameOf(file), emptyOption);
}

/** Returns the text of a file, or of standard input for `-`, which may be empty. */
async function readFileOrInput(context: Context, file: string): Promise<string> {
	if (file === standardInput) {
		return readStandardInput(context);
	}

	try {
		return await readBoundedText(await openInput(file), nameOf(file));
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('usage', `${nameOf(file)} ${unreadableText(error)}. Nothing was done.`, {
					nextStep: 'Check the path.',
					cause: error,
				});
	}
}

/**
Opens a file for reading. Waiting for a pipe or a terminal uses no extra thread, because no signal could end it; a pipe without a writer
waits until there is one.
*/
async function openInput(file: string): Promise<AsyncIterable<Uint8Array>> {
	// eslint-disable-next-line no-bitwise -- Flags are bits.
	const descriptor = await promisify(open)(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
	if (isatty(descriptor)) {
		return new ReadStream(descriptor);
	}

	return fstatSync(descriptor).isFIFO() ? new Socket({fd: descriptor}) : createReadStream(file, {fd: descriptor});
}

const nameOf = (file: string): string => (file === standardInput ? 'Standard input' : `“${file}”`);

/** A state file as `readState` takes it. */
type StateFile = {
	readonly text: string;
	/** Names the file in messages. */
	readonly label: string;
	/** The folder that its paths are relative to. */
	readonly folder: string;
};

/**
Reads the text of a state file, or of standard input for `-`: whose paths are relative to the current folder.

@throws SwitchboardError `usage` if it cannot be read, is larger than 1 MB or not UTF-8.
*/
export async function readStateFile(context: Context, file: string): Promise<StateFile> {
	return {
		text: await readFileOrInput(context, file),
		...(file === standardInput ? {label: 'standard input', folder: '.'} : {label: file, folder: path.dirname(path.resolve(file))}),
	};
}

/** As many as a state file may have. */
const maximumNames = 20_000;

/** The help on an argument that `readWords` reads. */
export const wordsHelp = 'ids, or names in any case; “-” reads them from standard input, one per line';

/** For a command that takes globs. */
export const globWordsHelp = wordsHelp.replace('or names in any case', 'names in any case, or globs in quotes');

/** The option of every command that takes `-` for names. */
export const requireNamesOption = [
	'--require-names',
	'fail if standard input has no names, as after a failed command (in bash and zsh see also: set -o pipefail)',
] as const;

export type RequireNamesOption = {readonly requireNames?: boolean};

/**
Returns the given ids and names, each once; `-` means the names on standard input, one a line. Blank lines are ignored. Waiting for standard
input does not count towards the time limit.

@throws SwitchboardError `usage` if standard input is larger than 1 MB, not UTF-8, has a NUL or too many names, or if there is no name and
one is required.
*/
export async function readWords(
	context: Context,
	words: readonly string[],
	{requireNames: isNameRequired = false}: RequireNamesOption,
): Promise<readonly string[]> {
	if (!words.includes(standardInput)) {
		return words;
	}

	const text = await context.waitFor(async () => readStandardInput(context));
	if (text.includes('\0')) {
		throw new SwitchboardError('usage', 'Standard input has names with a NUL character. Nothing was done.', {
			nextStep: 'Put each name on a separate line.',
		});
	}

	const lines = [
		...new Set(
			text
				.split('\n')
				.map(line => line.trim())
				.filter(line => line !== ''),
		),
	];
	if (lines.length > maximumNames) {
		throw new SwitchboardError('usage', `Standard input has more than ${formatCount(maximumNames)} names. Nothing was done.`, {
			nextStep: 'Use several commands, each with some of the names.',
		});
	}

	const all = [...new Set(words)].flatMap(word => (word === standardInput ? lines : [word]));
	if (all.length === 0) {
		if (isNameRequired) {
			throw new SwitchboardError('usage', 'Standard input has no names. Nothing was done.', {
				nextStep: 'Check the command before the pipe, or leave out --require-names.',
			});
		}

		context.note('No names were given. Nothing was done.');
	}

	return all;
}
