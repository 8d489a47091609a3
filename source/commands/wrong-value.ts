import {SwitchboardError} from '../interface/errors.ts';

/**
What a parser of an option or an argument throws.

@param place - the option or the argument, as in `--port`.
@param expected - what it takes, as a clause: “a number from 0 to 65535”.
*/
export const wrongValue = (place: string, text: string, expected: string): SwitchboardError => new SwitchboardError(
	'usage',
	text === '' ? `The value of ${place} is empty.` : `${place} cannot be “${text}”.`,
	{nextStep: `It takes ${expected}.`},
);

/** As in “bash, zsh or fish”. */
export const anyOf = (words: readonly string[]): string => words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`;
