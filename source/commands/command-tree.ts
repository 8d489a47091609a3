import {Help, type Argument, type Command, type Option} from 'commander';

/** Returns the names of a command and its parents, without the program's name. */
export function commandPath(command: Command): readonly string[] {
	return command.parent === null ? [] : [...commandPath(command.parent), command.name()];
}

/** Tells whether a command changes something: all such commands take this option (`docs/compatibility.md`, Commands). */
export function isChange({options}: Command): boolean {
	return options.some(({long}) => long === '--dry-run');
}

/** Returns the command as it is typed. */
export function pathOf(command: Command): string {
	return ['switchboard', ...commandPath(command)].join(' ');
}

/** Returns the subcommands that are not hidden. */
export function subcommandsOf(command: Command): Command[] {
	return new Help().visibleCommands(command).filter(subcommand => command.commands.includes(subcommand));
}

/** Returns the subcommand that runs by default, such as `list` for `agents`: the help shows its options as those of its parent. */
export function hiddenDefaultOf(command: Command): Command | undefined {
	const visible = subcommandsOf(command);
	return command.commands.find(subcommand => !visible.includes(subcommand));
}

/** Returns the subcommands that can be named: over SSH the help lists no others. The default subcommand comes with its parent. */
export function usableSubcommandsOf(command: Command): readonly Command[] {
	const listed = command.createHelp().visibleCommands(command);
	const hidden = hiddenDefaultOf(command);
	return command.commands.filter(subcommand => subcommand === hidden || listed.includes(subcommand));
}

/** Returns the arguments after a command. */
export function argumentsOf(command: Command): readonly Argument[] {
	return hiddenDefaultOf(command)?.registeredArguments ?? command.registeredArguments;
}

/** Other words for a command, as in gh and kubectl. */
const aliasesByName: Readonly<Record<string, string>> = {list: 'ls', get: 'show', delete: 'rm', remove: 'rm', enable: 'on', disable: 'off'};

const shortFlags: Readonly<Record<string, string>> = {'--yes': '-y', '--format': '-o'};

/** Adds to a command and its subcommands the short words and flags that other programs have. */
export function addAliases(command: Command): void {
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
}

/** Returns the subcommand with this name or alias. */
export function subcommandOf(command: Command, word: string | undefined): Command | undefined {
	return command.commands.find(subcommand => word !== undefined && [subcommand.name(), ...subcommand.aliases()].includes(word));
}

/** Returns the program that a command belongs to. */
export function rootOf(command: Command): Command {
	return command.parent === null ? command : rootOf(command.parent);
}

/** Returns the options that are shown. */
export function optionsOf(command: Command): readonly Option[] {
	return allOptionsOf(command).filter(({hidden}) => !hidden);
}

/** Returns the options of a command, and the options of its parents that it does not define itself. */
function allOptionsOf(command: Command): readonly Option[] {
	const own = ownOptionsOf(command);
	const flags = new Set(own.map(({long}) => long));
	return [...own, ...inheritedOptionsOf(command).filter(({long}) => !flags.has(long))];
}

/** The options after a command, without its parents' options. */
const ownOptionsOf = (command: Command): readonly Option[] => [...(hiddenDefaultOf(command)?.options ?? []), ...command.options];

const inheritedOptionsOf = ({parent}: Command): readonly Option[] =>
	parent === null ? [] : [...parent.options, ...inheritedOptionsOf(parent)];

/** Parses the words as the command line would, without running anything. */
export function parseWords(program: Command, words: readonly string[]) {
	let command = program;
	const awaiting: Option[] = [];
	let isAfterOptions = false;
	let unknownOption: string | undefined;
	const operands: string[] = [];
	const given: Option[] = [];
	const values: Record<string, string> = {};
	for (const word of words) {
		const last = awaiting.at(-1);
		// The options of the program are read first, wherever they are: none of them is the value of another command's option.
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
			given.push(...(option === undefined ? [] : [option]));
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
		command,
		/** The words in the positions of arguments. */
		operands,
		/** The options that were named. */
		given,
		/** The option whose value is being typed. */
		awaiting: awaiting.at(-1),
		/** The values of options, by their attribute name. */
		values,
		/** True after `--`: no options follow. */
		isAfterOptions,
		/** The first word that looks like an option of this command but is not. */
		unknownOption,
	};
}

/** The meaning of the words before the cursor. */
export type ParsedWords = ReturnType<typeof parseWords>;

function isFlagOf(options: readonly Option[], word: string): boolean {
	const name = word.split('=', 1)[0];
	return options.some(({long, short}) => long === name || short === name);
}
