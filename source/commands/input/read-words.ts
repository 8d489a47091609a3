import {SwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';
import {readStandardInput, standardInput} from './read-text.ts';

/** What the help says of an argument that `readWords` reads. */
export const wordsHelp = 'ids, or names in any case; “-” reads them from standard input, one per line';

/** The option of every command that takes `-` for names. */
export const requireNamesOption = ['--require-names', 'fail if standard input has no names, as after a failed command (in bash and zsh see also: set -o pipefail)'] as const;

export type RequireNamesOption = {readonly requireNames?: boolean};

/** What a person reads if no word came. */
export const noWordsNote = 'No names were given. Nothing was done.';

/**
The ids and names that were given; `-` stands for those on standard input, one a line. Blank lines are ignored. What
standard input takes to come is not counted.

@throws SwitchboardError `usage` if standard input is larger than 1 MiB, not UTF-8, or has a NUL, or if no name came and one is required.
*/
export const readWords = async (context: Context, words: readonly string[], {requireNames: isNameRequired = false}: RequireNamesOption): Promise<readonly string[]> => {
	if (!words.includes(standardInput)) {
		return words;
	}

	const text = await context.waitFor(async () => readStandardInput(context));
	if (text.includes('\0')) {
		throw new SwitchboardError('usage', 'Standard input has names with a NUL character. Nothing was done.', {nextStep: 'Put each name on a line of its own.'});
	}

	const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '');
	const all = words.flatMap(word => word === standardInput ? lines : [word]);
	if (isNameRequired && all.length === 0) {
		throw new SwitchboardError('usage', 'Standard input has no names. Nothing was done.', {nextStep: 'Check the command before the pipe, or leave out --require-names.'});
	}

	return all;
};
