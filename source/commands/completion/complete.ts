import type {Argument, Command, Option} from 'commander';
import {
	categoryLabel,
	categoryMeanings,
	categoryOf,
	categoryWords,
} from '../../interface/categories.ts';
import {subcommandsOf} from '../help/program-help.ts';
import {topics} from '../help/topics.ts';
import {chooseCandidates, type Candidate} from './candidates.ts';
import {
	keyNames,
	lastSeenNames,
	presetNames,
	profileNames,
	type NamesOptions,
} from './known-names.ts';
import {parseWords, optionsOf, type ParsedWords} from './words.ts';

type Names = (options: NamesOptions) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** The names that an argument takes, by its name in the help. */
const namesByPlaceholder: Readonly<Record<string, Names>> = {
	profile: profileNames,
	agent: options => lastSeenNames('agents', options),
	ability: options => lastSeenNames('abilities', options),
	installed: options => lastSeenNames('installed', options),
	key: keyNames,
	preset: presetNames,
};

const choicesOf = ({argChoices = []}: Option | Argument): readonly Candidate[] => argChoices.map(word => ({word}));

/** For a list with commas: what is typed before the last one stays. */
const inList = (typed: string, candidates: readonly Candidate[]): readonly Candidate[] => {
	const before = typed.slice(0, typed.lastIndexOf(',') + 1);
	return candidates.map(candidate => ({...candidate, word: before + candidate.word}));
};

const valuesOf = (option: Option, typed: string, names: NamesOptions): readonly Candidate[] => {
	switch (option.long) {
		case '--profile': {
			return profileNames();
		}

		case '--agent': {
			return lastSeenNames('agents', names);
		}

		case '--abilities': {
			return inList(typed, lastSeenNames('abilities', names, true));
		}

		case '--except': {
			return inList(typed, lastSeenNames('installed', names, true));
		}

		case '--columns': {
			return inList(typed, choicesOf(option));
		}

		case '--category': {
			return categoryWords.map(word => {
				const category = categoryOf(word)!;
				return {word, meaning: word === categoryLabel(category) ? categoryMeanings[category] : `the same as ${categoryLabel(category)}`};
			});
		}

		default: {
			return choicesOf(option);
		}
	}
};

const argumentCandidates = async ({command, operands, isAfterOptions}: ParsedWords, names: NamesOptions): Promise<readonly Candidate[]> => {
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

const subcommandCandidates = ({command, operands}: ParsedWords): readonly Candidate[] =>
	operands.length > 0 ? [] : subcommandsOf(command).map(subcommand => ({word: subcommand.name(), meaning: subcommand.description()}));

/** For `help`: the subcommands of the command named so far, and for the first word the topics. */
const helpCandidates = ({command, operands}: ParsedWords): readonly Candidate[] => {
	if (command.name() !== 'help' || command.parent === null) {
		return [];
	}

	const commands = subcommandCandidates(parseWords(command.parent, operands));
	if (operands.length > 0) {
		return commands;
	}

	// A topic beats a command of the same name.
	const names = new Set(topics.map(({name}) => name));
	return [...topics.map(({name, description}) => ({word: name, meaning: description})), ...commands.filter(({word}) => !names.has(word))];
};

const optionCandidates = ({command}: ParsedWords): readonly Candidate[] => [
	...optionsOf(command).map(({long, description}) => ({word: long!, meaning: description})),
	{word: '--help', meaning: 'print help'},
];

/** For a value typed in one word with its option: `--profile=wo`. */
const joinedValueCandidates = (typed: string, {command}: ParsedWords, names: NamesOptions): readonly Candidate[] => {
	const [flag] = typed.split('=', 1);
	const option = optionsOf(command).find(({long, required}) => required && long === flag);
	return option === undefined
		? []
		: valuesOf(option, typed.slice(flag!.length + 1), names).map(candidate => ({...candidate, word: `${flag}=${candidate.word}`}));
};

const candidatesFor = async (typed: string, parsed: ParsedWords, names: NamesOptions): Promise<readonly Candidate[]> => {
	if (parsed.awaiting !== undefined) {
		return valuesOf(parsed.awaiting, typed, names);
	}

	if (/^--[\w-]+=/.test(typed) && !parsed.isAfterOptions) {
		return joinedValueCandidates(typed, parsed, names);
	}

	const isOption = typed.startsWith('-') && !parsed.isAfterOptions;
	return [
		...(isOption ? optionCandidates(parsed) : [...subcommandCandidates(parsed), ...helpCandidates(parsed)]),
		...await argumentCandidates(parsed, names),
	];
};

/**
The words that may stand at the cursor.

@param words - the words after the program's name up to the cursor, unquoted; the last one as far as it is typed.
*/
export const completeWords = async (program: Command, words: readonly string[], env: NamesOptions['env']): Promise<readonly Candidate[]> => {
	const typed = words.at(-1) ?? '';
	const parsed = parseWords(program, words.slice(0, -1));
	const {profile, baseUrl, data, databaseUrl} = parsed.values;
	const names: NamesOptions = {
		env, profile, baseUrl, data, databaseUrl,
	};
	return chooseCandidates(await candidatesFor(typed, parsed, names), typed);
};
