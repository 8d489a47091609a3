import type {Argument, Command, Option} from 'commander';
import {categoryLabel, categoryMeanings, categoryOf} from '../../interface/categories.ts';
import {chooseCandidates, type Candidate} from './candidates.ts';
import {
	keyNames,
	lastSeenNames,
	profileNames,
	type NamesOptions,
} from './known-names.ts';
import {followWords, optionsOf, type WordsSoFar} from './words.ts';

type Names = (options: NamesOptions) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** What stands for an argument, by the name that its help gives it. */
const namesByPlaceholder: Readonly<Record<string, Names>> = {
	profile: profileNames,
	agent: options => lastSeenNames('agents', options),
	ability: options => lastSeenNames('abilities', options),
	installed: options => lastSeenNames('installed', options),
	key: keyNames,
};

const choicesOf = ({argChoices = []}: Option | Argument): readonly Candidate[] => argChoices.map(word => ({word}));

const valuesOf = (option: Option, typed: string, names: NamesOptions): readonly Candidate[] => {
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
			return lastSeenNames('abilities', names, true).map(candidate => ({...candidate, word: before + candidate.word}));
		}

		case '--category': {
			return choicesOf(option).map(({word}) => {
				const category = categoryOf(word)!;
				return {word, meaning: word === categoryLabel(category) ? categoryMeanings[category] : `the same as ${categoryLabel(category)}`};
			});
		}

		default: {
			return choicesOf(option);
		}
	}
};

const argumentCandidates = async ({command, operands, isAfterOptions}: WordsSoFar, names: NamesOptions): Promise<readonly Candidate[]> => {
	const {registeredArguments} = command;
	const last = registeredArguments.at(-1);
	const argument = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
	if (argument === undefined) {
		return [];
	}

	const candidates = argument.argChoices === undefined ? await namesByPlaceholder[argument.name()]?.(names) ?? [] : choicesOf(argument);
	return candidates
		.filter(({word}) => !operands.includes(word))
		.map(candidate => ({...candidate, isAfterDashes: !isAfterOptions && candidate.word.startsWith('-')}));
};

const subcommandCandidates = ({command, operands}: WordsSoFar): readonly Candidate[] =>
	operands.length > 0 ? [] : command.createHelp().visibleCommands(command).map(subcommand => ({word: subcommand.name(), meaning: subcommand.description()}));

/** For `help`: the commands that may follow those that were named. */
const namedCommandCandidates = ({command, operands}: WordsSoFar): readonly Candidate[] =>
	command.name() === 'help' && command.parent !== null ? subcommandCandidates(followWords(command.parent, operands)) : [];

const optionCandidates = ({command}: WordsSoFar): readonly Candidate[] => [
	...optionsOf(command).map(({long, description}) => ({word: long!, meaning: description})),
	{word: '--help', meaning: 'print help'},
];

/** For a value that is typed in one word with its option, as in `--profile=wo`. */
const joinedValueCandidates = (typed: string, {command}: WordsSoFar, names: NamesOptions): readonly Candidate[] => {
	const [flag] = typed.split('=', 1);
	const option = optionsOf(command).find(({long, required}) => required && long === flag);
	return option === undefined
		? []
		: valuesOf(option, typed.slice(flag!.length + 1), names).map(candidate => ({...candidate, word: `${flag}=${candidate.word}`}));
};

const candidatesFor = async (typed: string, soFar: WordsSoFar, names: NamesOptions): Promise<readonly Candidate[]> => {
	if (soFar.awaiting !== undefined) {
		return valuesOf(soFar.awaiting, typed, names);
	}

	if (/^--[\w-]+=/.test(typed) && !soFar.isAfterOptions) {
		return joinedValueCandidates(typed, soFar, names);
	}

	const isOption = typed.startsWith('-') && !soFar.isAfterOptions;
	return [
		...(isOption ? optionCandidates(soFar) : [...subcommandCandidates(soFar), ...namedCommandCandidates(soFar)]),
		...await argumentCandidates(soFar, names),
	];
};

/**
What may stand where the cursor is.

@param words - the words after the program's name up to the cursor, as the shell would pass them on; the last of them as
far as it is typed.
*/
export const completeWords = async (program: Command, words: readonly string[], env: NamesOptions['env']): Promise<readonly Candidate[]> => {
	const typed = words.at(-1) ?? '';
	const soFar = followWords(program, words.slice(0, -1));
	const {profile, baseUrl, data} = soFar.values;
	const names: NamesOptions = {
		env, profile, baseUrl, data,
	};
	return chooseCandidates(await candidatesFor(typed, soFar, names), typed);
};
