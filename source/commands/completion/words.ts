import type {Command, Option} from 'commander';
import {ownOptionsOf} from '../help/program-help.ts';

/** What the words before the cursor mean. */
export type ParsedWords = {
	readonly command: Command;
	/** The words in the positions of arguments. */
	readonly operands: readonly string[];
	/** The option whose value is being typed. */
	readonly awaiting: Option | undefined;
	/** The values of options, by their attribute name. */
	readonly values: Readonly<Record<string, string>>;
	/** True after `--`: no options follow. */
	readonly isAfterOptions: boolean;
	/** The first word that looks like an option but is none of this command. */
	readonly unknownOption: string | undefined;
};

const inheritedOptionsOf = ({parent}: Command): readonly Option[] => parent === null ? [] : [...parent.options, ...inheritedOptionsOf(parent)];

/** The options of a command, and those of its parents for which it has none of its own. */
const allOptionsOf = (command: Command): readonly Option[] => {
	const own = ownOptionsOf(command);
	const flags = new Set(own.map(({long}) => long));
	return [...own, ...inheritedOptionsOf(command).filter(({long}) => !flags.has(long))];
};

/** The same without those that are not shown. */
export const optionsOf = (command: Command): readonly Option[] => allOptionsOf(command).filter(({hidden}) => !hidden);

const isFlagOf = (options: readonly Option[], word: string): boolean => {
	const name = word.split('=', 1)[0];
	return options.some(({long, short}) => long === name || short === name);
};

/** Parses the words as the command line would, without running anything. */
export const parseWords = (program: Command, words: readonly string[]): ParsedWords => {
	let command = program;
	const awaiting: Option[] = [];
	let isAfterOptions = false;
	let unknownOption: string | undefined;
	const operands: string[] = [];
	const values: Record<string, string> = {};
	for (const word of words) {
		const last = awaiting.at(-1);
		// The options of the program come first, wherever they stand: none is the value of another command's option.
		if (last !== undefined && (program.options.includes(last) || !isFlagOf(program.options, word))) {
			values[last.attributeName()] = word;
			awaiting.pop();
		} else if (isAfterOptions || !word.startsWith('-') || word === '-') {
			const subcommand = operands.length === 0 ? command.commands.find(candidate => candidate.name() === word) : undefined;
			if (subcommand === undefined) {
				operands.push(word);
			} else {
				command = subcommand;
			}
		} else if (word === '--') {
			isAfterOptions = true;
		} else {
			const [name, ...value] = word.split('=');
			const option = allOptionsOf(command).find(({long, short}) => long === name || short === name);
			if (option?.required && value.length > 0) {
				values[option.attributeName()] = value.join('=');
			} else if (option?.required) {
				awaiting.push(option);
			} else if (option === undefined || value.length > 0) {
				unknownOption ??= word;
			}
		}
	}

	return {
		command, operands, awaiting: awaiting.at(-1), values, isAfterOptions, unknownOption,
	};
};
