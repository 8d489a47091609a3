import {
	Help,
	type Command,
	type HelpConfiguration,
	type Option,
} from 'commander';

/** The names of a command and its parents, without that of the program. */
export const namesOf = (command: Command): readonly string[] => command.parent === null ? [] : [...namesOf(command.parent), command.name()];

/** The command as it is typed. */
export const pathOf = (command: Command): string => ['switchboard', ...namesOf(command)].join(' ');

/** The subcommands that are not hidden. */
export const subcommandsOf = (command: Command): Command[] => new Help().visibleCommands(command).filter(subcommand => command.commands.includes(subcommand));

/** The subcommand that runs where none is named, such as `list` for `agents`: the help shows its options as those of its parent. */
const hiddenDefaultOf = (command: Command): Command | undefined => {
	const visible = subcommandsOf(command);
	return command.commands.find(subcommand => !visible.includes(subcommand));
};

/** The subcommands that can be named: over SSH the help lists no others. The one that runs where none is named comes with its parent. */
export const usableSubcommandsOf = (command: Command): readonly Command[] => {
	const listed = command.createHelp().visibleCommands(command);
	const hidden = hiddenDefaultOf(command);
	return command.commands.filter(subcommand => subcommand === hidden || listed.includes(subcommand));
};

/** The options that stand after a command, without those of its parents. */
export const ownOptionsOf = (command: Command): readonly Option[] => [...hiddenDefaultOf(command)?.options ?? [], ...command.options];

/** Each subcommand, followed by its own. */
const allSubcommandsOf = (command: Command): Command[] => subcommandsOf(command).flatMap(subcommand => [subcommand, ...allSubcommandsOf(subcommand)]);

/** The help of the program lists the subcommands of all commands. */
export const helpConfiguration: HelpConfiguration = {
	visibleCommands: command => command.parent === null ? allSubcommandsOf(command) : subcommandsOf(command),
	visibleOptions: command => [...hiddenDefaultOf(command)?.options ?? [], ...new Help().visibleOptions(command)],
	subcommandTerm(command) {
		const parents = namesOf(command).slice(0, -1);
		return [...parents, new Help().subcommandTerm(command).replace(' [options]', '')].join(' ');
	},
};

/** The program that a command is of. */
export const rootOf = (command: Command): Command => command.parent === null ? command : rootOf(command.parent);

/** Points at the options of every command, which only the help of the program lists. */
export const globalOptionsHint = ({command}: {readonly command: Command}): string => {
	if (command.parent === null) {
		return '';
	}

	const known = rootOf(command).options.filter(({long, hidden}) => !hidden && ['--profile', '--json'].includes(long ?? ''));
	return `\nOptions of every command, such as ${known.map(({long}) => long).join(' and ')}: switchboard --help`;
};
