import {Help, type Argument, type Command, type Option} from 'commander';

/** The names of a command and its parents, without that of the program. */
export const namesOf = (command: Command): readonly string[] =>
	command.parent === null ? [] : [...namesOf(command.parent), command.name()];

/** True for a command that changes something: all of them take this option (`docs/compatibility.md`, Commands). */
export const isChange = ({options}: Command): boolean => options.some(({long}) => long === '--dry-run');

/** The command as it is typed. */
export const pathOf = (command: Command): string => ['switchboard', ...namesOf(command)].join(' ');

/** The subcommands that are not hidden. */
export const subcommandsOf = (command: Command): Command[] =>
	new Help().visibleCommands(command).filter(subcommand => command.commands.includes(subcommand));

/** The subcommand that runs where none is named, such as `list` for `agents`: the help shows its options as those of its parent. */
export const hiddenDefaultOf = (command: Command): Command | undefined => {
	const visible = subcommandsOf(command);
	return command.commands.find(subcommand => !visible.includes(subcommand));
};

/** The subcommands that can be named: over SSH the help lists no others. The one that runs where none is named comes with its parent. */
export const usableSubcommandsOf = (command: Command): readonly Command[] => {
	const listed = command.createHelp().visibleCommands(command);
	const hidden = hiddenDefaultOf(command);
	return command.commands.filter(subcommand => subcommand === hidden || listed.includes(subcommand));
};

/** The arguments that stand after a command. */
export const argumentsOf = (command: Command): readonly Argument[] =>
	hiddenDefaultOf(command)?.registeredArguments ?? command.registeredArguments;

/** The options that stand after a command, without those of its parents. */
const ownOptionsOf = (command: Command): readonly Option[] => [...(hiddenDefaultOf(command)?.options ?? []), ...command.options];

/** Other words for a command, as gh and kubectl have them. */
const aliasesByName: Readonly<Record<string, string>> = {list: 'ls', get: 'show', delete: 'rm', remove: 'rm', enable: 'on', disable: 'off'};

const shortFlags: Readonly<Record<string, string>> = {'--yes': '-y', '--format': '-o'};

/** Gives a command and those below it the short words and flags that other programs have. */
export const addAliases = (command: Command): void => {
	const alias = aliasesByName[command.name()];
	if (alias !== undefined) {
		command.alias(alias);
	}

	for (const option of command.options) {
		const short = shortFlags[option.long ?? ''];
		Object.assign(option, short === undefined ? {} : {short, flags: `${short}, ${option.flags}`});
	}

	for (const subcommand of command.commands) {
		addAliases(subcommand);
	}
};

/** The subcommand of this name or alias. */
export const subcommandOf = (command: Command, word: string | undefined): Command | undefined =>
	command.commands.find(subcommand => word !== undefined && [subcommand.name(), ...subcommand.aliases()].includes(word));

/** The program that a command is of. */
export const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** The meaning of the words before the cursor. */
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

const inheritedOptionsOf = ({parent}: Command): readonly Option[] =>
	parent === null ? [] : [...parent.options, ...inheritedOptionsOf(parent)];

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
			const subcommand = operands.length === 0 ? subcommandOf(command, word) : undefined;
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

	return {command, operands, awaiting: awaiting.at(-1), values, isAfterOptions, unknownOption};
};
