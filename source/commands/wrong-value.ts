import {SwitchboardError} from '../interface/errors.ts';
import {didYouMean, nearestNames} from '../interface/nearest-word.ts';

/**
The error for the value of an option or an argument.

@param name - the option or the argument, as in `--port`.
@param expected - what it takes: “a number from 0 to 65535”.
*/
export const wrongValue = (name: string, text: string, expected: string): SwitchboardError => new SwitchboardError(
	'usage',
	text === '' ? `The value for ${name} is empty.` : `Invalid value “${text}” for ${name}.`,
	{nextStep: `Use ${expected}.`},
);

/** Joins words: “bash, zsh or fish”. */
const anyOf = (words: readonly string[]): string => words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`;

/**
The same for a value that is one of some words, with those that may be meant.

@param accepted - all words that are taken; by default those that are named.
*/
export const wrongChoice = (name: string, text: string, words: readonly string[], accepted = words): SwitchboardError => {
	const {kind, message, nextStep} = wrongValue(name, text, anyOf(words));
	return new SwitchboardError(kind, message, {nextStep: [didYouMean(nearestNames(text, accepted)), nextStep].filter(Boolean).join('\n')});
};
