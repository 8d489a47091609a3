import type {Command, Option} from 'commander';
import {lastSeenNames, profileNames, type NamesOptions} from './known-names.ts';
import {followWords, optionsOf, type WordsSoFar} from './words.ts';

type Candidate = readonly [word: string, meaning?: string];

type Names = (options: NamesOptions) => readonly string[];

/** What stands for an argument, by the name that its help gives it. */
const namesByPlaceholder: Readonly<Record<string, Names>> = {
	profile: profileNames,
	agent: options => lastSeenNames('agents', options),
	ability: options => lastSeenNames('abilities', options),
	installed: options => lastSeenNames('installed', options),
};

const valuesOf = (option: Option, typed: string, names: NamesOptions): readonly string[] => {
	switch (option.long) {
		case '--profile': {
			return profileNames();
		}

		case '--agent': {
			return lastSeenNames('agents', names);
		}

		case '--abilities': {
			// A list: what is typed of it stays in front.
			const before = typed.slice(0, typed.lastIndexOf(',') + 1);
			return lastSeenNames('abilities', names).map(name => before + name);
		}

		default: {
			return option.argChoices ?? [];
		}
	}
};

const argumentCandidates = ({command, operands}: WordsSoFar, names: NamesOptions): readonly Candidate[] => {
	const {registeredArguments} = command;
	const last = registeredArguments.at(-1);
	const argument = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
	if (argument === undefined) {
		return [];
	}

	const words = argument.argChoices ?? namesByPlaceholder[argument.name()]?.(names) ?? [];
	return words.filter(word => !operands.includes(word)).map(word => [word]);
};

const subcommandCandidates = ({command, operands}: WordsSoFar): readonly Candidate[] =>
	operands.length > 0 ? [] : command.createHelp().visibleCommands(command).map(subcommand => [subcommand.name(), subcommand.description()]);

/** For `help`: the commands that may follow those that were named. */
const namedCommandCandidates = ({command, operands}: WordsSoFar): readonly Candidate[] =>
	command.name() === 'help' && command.parent !== null ? subcommandCandidates(followWords(command.parent, operands)) : [];

const optionCandidates = ({command}: WordsSoFar): readonly Candidate[] =>
	[...optionsOf(command).map(({long, description}): Candidate => [long!, description]), ['--help', 'print help']];

/** For a value that is typed in one word with its option, as in `--profile=wo`. */
const joinedValueCandidates = (typed: string, {command}: WordsSoFar, names: NamesOptions): readonly Candidate[] => {
	const [flag] = typed.split('=', 1);
	const option = optionsOf(command).find(({long, required}) => required && long === flag);
	return option === undefined ? [] : valuesOf(option, typed.slice(flag!.length + 1), names).map(word => [`${flag}=${word}`]);
};

const candidatesFor = (typed: string, soFar: WordsSoFar, names: NamesOptions): readonly Candidate[] => {
	if (soFar.awaiting !== undefined) {
		return valuesOf(soFar.awaiting, typed, names).map(word => [word]);
	}

	if (/^--[\w-]+=/.test(typed) && !soFar.isAfterOptions) {
		return joinedValueCandidates(typed, soFar, names);
	}

	return typed.startsWith('-') && !soFar.isAfterOptions
		? optionCandidates(soFar)
		: [...subcommandCandidates(soFar), ...namedCommandCandidates(soFar), ...argumentCandidates(soFar, names)];
};

/** What a shell passes may still be quoted as it was typed. */
const unquoted = (word: string): string => word.replace(/^["']/, '').replaceAll(/\\(?=.)/g, '');

/**
What may stand where the cursor is, a line each: the candidate, a tab, what it means.

@param words - the words after the program's name up to the cursor, the last of them as far as it is typed.
*/
export const completeWords = (program: Command, words: readonly string[], env: NamesOptions['env']): readonly string[] => {
	const typed = unquoted(words.at(-1) ?? '');
	const soFar = followWords(program, words.slice(0, -1).map(word => unquoted(word)));
	const names: NamesOptions = {env, profile: soFar.values['profile'], baseUrl: soFar.values['baseUrl']};
	return candidatesFor(typed, soFar, names)
		.filter(([word]) => word.toLowerCase().startsWith(typed.toLowerCase()))
		.map(([word, meaning]) => meaning === undefined ? word : `${word}\t${meaning}`);
};
