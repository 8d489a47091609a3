import type {Command} from 'commander';
import {completeWords} from './complete.ts';
import {quoteForBash, unquoteBash} from './shell-words.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Finds the candidates for one shell; returns the lines of the answer. */
type Answer = (program: Command, words: readonly string[], env: Env) => Promise<readonly string[]>;

const lineOf = (word: string, meaning: string | undefined): string => meaning === undefined || meaning === '' ? word : `${word}\t${meaning}`;

/**
Bash breaks words at an open quote and at characters such as `=`, and replaces only the last piece, with exactly what it is
given. The first word is that piece; the others are as they were typed.
*/
const answerBash: Answer = async (program, [piece = '', ...words], env) => {
	const last = words.at(-1) ?? '';
	const {openQuote, lengthBeforeQuote} = unquoteBash(last);
	const isQuoted = openQuote !== '';
	const lengthBefore = isQuoted ? lengthBeforeQuote : unquoteBash(last.slice(0, last.length - piece.length)).text.length;
	const candidates = await completeWords(program, words.map(word => unquoteBash(word).text), env);
	return candidates.map(({word, isAfterDashes}) => {
		const rest = quoteForBash(word.slice(lengthBefore), openQuote);
		return isAfterDashes && !isQuoted ? `-- ${rest}` : rest;
	});
};

/** Zsh quotes words itself, except after `--`, and takes their meaning after a tab. */
const answerZsh: Answer = async (program, words, env) => {
	const candidates = await completeWords(program, words, env);
	return candidates.map(({word, meaning, isAfterDashes}) => lineOf(isAfterDashes ? `-- ${word}` : word, meaning));
};

/**
Fish passes the last word as it is typed. It inserts one word at a time: names that need `--` before them are offered once it
is there.
*/
const answerFish: Answer = async (program, words, env) => {
	const candidates = await completeWords(program, [...words.slice(0, -1), unquoteBash(words.at(-1) ?? '').text], env);
	const hasNamesAfterDashes = candidates.some(({isAfterDashes}) => isAfterDashes);
	return [
		...candidates.filter(({isAfterDashes}) => !isAfterDashes).map(({word, meaning}) => lineOf(word, meaning)),
		...(hasNamesAfterDashes ? [lineOf('--', 'names follow')] : []),
	];
};

const answers: Readonly<Record<string, Answer>> = {bash: answerBash, zsh: answerZsh, fish: answerFish};

/** The script of an earlier version names no shell and passes words as they were typed. */
const answerUnnamed: Answer = async (program, words, env) => answerFish(program, words.map(word => unquoteBash(word).text), env);

/** The candidates for a shell, one a line. */
export const answerShell = async (program: Command, shell: string, words: readonly string[], env: Env): Promise<readonly string[]> =>
	(answers[shell] ?? answerUnnamed)(program, words, env);
