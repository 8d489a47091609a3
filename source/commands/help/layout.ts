import {styleText} from 'node:util';
import {Help, type Command, type HelpConfiguration} from 'commander';
import {argumentsOf, hiddenDefaultOf, optionsOf, pathOf, subcommandsOf} from '../command-tree.ts';

/** Returns a heading of the help: bold in colour, which Commander removes from what is printed without. */
export function heading(text: string): string {
	return styleText('bold', text, {validateStream: false});
}

/** Returns the columns that the help of a command has. */
export function helpWidth(command: Command): number {
	return command.configureOutput().getOutHelpWidth?.() ?? 80;
}

/** Returns a section of the help: a heading, and terms with their meanings. */
export function section(command: Command, title: string, items: readonly HelpItem[]): string {
	return `\n${layTopic([{heading: heading(title), items}], helpWidth(command))}`;
}

/** Commander quotes choices and defaults. */
const withoutQuotes = (description: string): string =>
	description.replace(/\((?:choices|default): .*\)$/, text => text.replaceAll('"', ''));

/** Beside terms, a meaning needs this many columns; with fewer it comes below. */
const fewestColumns = 24;

/** The help of a command: a section each for arguments, options and subcommands. The sections of the program are added to its help. */
export const helpConfiguration: HelpConfiguration = {
	minWidthToWrap: fewestColumns,
	visibleCommands: subcommandsOf,
	visibleArguments: command => (argumentsOf(command).some(({description}) => description !== '') ? [...argumentsOf(command)] : []),
	visibleOptions: command => [...(hiddenDefaultOf(command)?.options ?? []), ...new Help().visibleOptions(command)],
	styleTitle: heading,
	commandUsage: command => new Help().commandUsage(command).replace(`|${command.alias()}`, ''),
	commandDescription(command) {
		const aliases = aliasesOf(command);
		return [
			command
				.description()
				.replace(/^./, first => first.toUpperCase())
				.replace(/\.?$/, '.'),
			...(aliases.length === 0 ? [] : ['', `${heading(aliases.length === 1 ? 'Alias:' : 'Aliases:')} ${aliases.join(', ')}`]),
		].join('\n');
	},
	subcommandTerm: command =>
		new Help()
			.subcommandTerm(command)
			.replace(' [options]', '')
			.replace(/^(?<name>[\w-]+)\|\S+/, '$<name>'),
	optionDescription: option => withoutQuotes(new Help().optionDescription(option)),
	argumentDescription: argument => withoutQuotes(new Help().argumentDescription(argument)),
	formatItem: (term, termWidth, description, helper) =>
		helper.helpWidth! - termWidth - 4 < fewestColumns
			? layItemBelow(helper, [term, description], helper.helpWidth!)
			: Help.prototype.formatItem.call(helper, term, termWidth, description, helper),
	formatHelp: (command, helper) =>
		command.parent === null
			? [
					`${heading('Usage:')} ${helper.commandUsage(command)}`,
					'',
					helper.boxWrap(helper.commandDescription(command), helper.helpWidth!),
					'',
				].join('\n')
			: Help.prototype.formatHelp.call(helper, command, helper),
};

/** The command whose help is printed, as Commander passes it to what is added to a help. */
type HelpOf = {readonly command: Command};

/** Returns the commands of the program for its help, a group of them in a line. */
export function commandGroups({command: program}: HelpOf): string {
	const visible = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);
	const nameWithSubcommands = (command: Command): string => {
		const names = visible(command).map(subcommand => subcommand.name());
		return names.length === 0 ? command.name() : `${command.name()} (${names.join(', ')})`;
	};

	const groups = Map.groupBy(visible(program), command => command.helpGroup());
	return section(
		program,
		'Commands (each has its own --help):',
		[...groups].map(([title, commands]) => [title, commands.map(command => nameWithSubcommands(command)).join(', ')]),
	);
}

const globalOptionsTitle = 'Options of every command';

/** Returns the options that every command takes, for the help of the program. */
export function globalOptions({command: program}: HelpOf): string {
	const help = program.createHelp();
	return section(
		program,
		`${globalOptionsTitle}:`,
		help.visibleOptions(program).map(option => [help.optionTerm(option), help.optionDescription(option)]),
	);
}

/** Returns the names of the topics, for the help of the program. */
export function topicNames(topics: ReadonlyArray<{readonly name: string}>) {
	return ({command}: HelpOf): string =>
		wordsSection(
			command,
			'Help topics (switchboard help TOPIC):',
			topics.map(({name}) => name),
		);
}

/** Returns a section that is a list of words alone. */
function wordsSection(command: Command, title: string, words: readonly string[]): string {
	const help = command.createHelp();
	const width = helpWidth(command);
	return [
		'',
		help.boxWrap(heading(title), width),
		...help
			.boxWrap(words.join(', '), width - 2)
			.split('\n')
			.map(line => `  ${line}`),
	].join('\n');
}

/** The program prints its version without a command, and the screens alone have a mouse. */
const unlistedOptions: ReadonlySet<string | undefined> = new Set(['--version', '--mouse']);

/** Returns the names of the options that a command takes from the program and the commands above it. */
export function inheritedOptions({command}: HelpOf): string {
	if (command.parent === null) {
		return '';
	}

	const own = new Set(
		command
			.createHelp()
			.visibleOptions(command)
			.map(({long}) => long),
	);
	const flags = optionsOf(command)
		.map(({long}) => long!)
		.filter(long => !own.has(long) && !unlistedOptions.has(long));
	return wordsSection(command, `${globalOptionsTitle} (see switchboard --help):`, flags);
}

/** Returns the other words for a command; those of a list, which needs no word, too. */
function aliasesOf(command: Command): readonly string[] {
	const listing = hiddenDefaultOf(command);
	return [
		...command.aliases().map(alias => pathOf(command).replace(/\S+$/, alias)),
		...[listing?.name(), ...(listing?.aliases() ?? [])].filter(word => word !== undefined).map(word => `${pathOf(command)} ${word}`),
	];
}

/** A term, such as a variable or an exit code, and what it means. */
type HelpItem = readonly [term: string, meaning: string];

/** A part of a topic: a paragraph, the title of a section, lines that are printed as they are, steps in order, or a list of items. */
export type HelpPart =
	| string
	| {readonly title: string}
	| {readonly lines: readonly string[]}
	| {readonly steps: readonly string[]}
	| {readonly heading?: string; readonly items: readonly HelpItem[]};

/** The text of `switchboard help TOPIC`, from the top. */
export type HelpTopic = readonly HelpPart[];

/** Narrower than this, meanings that have no room beside their terms stand below them. */
const usualWidth = 80;

/** Lays an item out with the meaning below the term. */
export function layItemBelow(help: Help, [term, meaning]: HelpItem, width: number): string {
	return [
		`  ${term.trimEnd()}`,
		...help
			.boxWrap(meaning, width - 4)
			.split('\n')
			.map(line => `    ${line}`),
	].join('\n');
}

/** Lays a topic out for a screen of this width. */
export function layTopic(topic: HelpTopic, width: number): string {
	const help = new Help();
	help.prepareContext({helpWidth: width});
	const fewestColumns = help.minWidthToWrap;
	// The column of keys may take half of the usual width; Commander leaves what is beside it in one long line from 40 on.
	help.minWidthToWrap = width < usualWidth ? 16 : 30;

	return topic
		.map(part => {
			if (typeof part === 'string') {
				return help.boxWrap(part, width);
			}

			if ('title' in part) {
				return part.title.toUpperCase();
			}

			if ('lines' in part) {
				return part.lines.map(line => `  ${line}`).join('\n');
			}

			if ('steps' in part) {
				return part.steps.map((step, index) => `  ${index + 1}. ${help.boxWrap(step, width - 5).replaceAll('\n', '\n     ')}`).join('\n');
			}

			const termWidth = Math.max(0, ...part.items.map(([term]) => term.length));
			const isBelow = width < usualWidth && width - termWidth - 4 < fewestColumns;
			const lines = part.items.map(item =>
				isBelow ? layItemBelow(help, item, width) : help.formatItem(item[0], termWidth, item[1], help),
			);
			return [...(part.heading === undefined ? [] : [help.boxWrap(part.heading, width)]), ...lines].join('\n');
		})
		.join('\n\n');
}
