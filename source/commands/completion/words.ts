import type {Command, Option} from 'commander';

/** What the words before the cursor come to. */
export type WordsSoFar = {
	readonly command: Command;
	/** What stands where arguments of the command do. */
	readonly operands: readonly string[];
	/** The option whose value is being typed. */
	readonly awaiting: Option | undefined;
	/** Values of the options that were given, by their attribute name. */
	readonly values: Readonly<Record<string, string>>;
	/** True after `--`: what follows is no option. */
	readonly isAfterOptions: boolean;
	/** The first word that looks like an option and is none here. */
	readonly unknownOption: string | undefined;
};

/** The options that may stand here: the command's own and those of all commands above it. */
export const optionsOf = (command: Command): readonly Option[] =>
	[...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))].filter(({hidden}) => !hidden);

/** Follows the words as the command line would, without running anything. */
export const followWords = (program: Command, words: readonly string[]): WordsSoFar => {
	let command = program;
	let awaiting: Option | undefined;
	let isAfterOptions = false;
	let unknownOption: string | undefined;
	const operands: string[] = [];
	const values: Record<string, string> = {};
	for (const word of words) {
		if (awaiting !== undefined) {
			values[awaiting.attributeName()] = word;
			awaiting = undefined;
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
			const option = optionsOf(command).find(({long, short}) => long === name || short === name);
			if (option?.required && value.length > 0) {
				values[option.attributeName()] = value.join('=');
			} else if (option?.required) {
				awaiting = option;
			} else if (option === undefined || value.length > 0) {
				unknownOption ??= word;
			}
		}
	}

	return {
		command, operands, awaiting, values, isAfterOptions, unknownOption,
	};
};
