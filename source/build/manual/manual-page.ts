import {type Command} from 'commander';
import {createCommandLine} from '../../commands/command-line.ts';
import {pathOf, subcommandsOf} from '../../commands/help/program-help.ts';
import {topics} from '../../commands/help/topics.ts';
import {type HelpItem, type HelpTopic} from '../../commands/help/topic.ts';
import {readHelp} from './read-help.ts';
import {
	exampleList,
	itemList,
	roffText,
	roffTopic,
	roffUsage,
	section,
	subsection,
} from './roff.ts';

const summary = 'terminal UI and commands for people who run voice agents';

/** The headings of topics that differ from their names. */
const headings: Readonly<Record<string, string>> = {
	'exit-codes': 'EXIT STATUS',
	json: 'JSON OUTPUT',
	state: 'STATE FILE',
};

/** The headings that every manual page has, in its first part. */
const standardHeadings: ReadonlySet<string> = new Set(['EXIT STATUS', 'ENVIRONMENT']);

const files: HelpTopic = [
	'On Linux; other systems use their own folders. Only you can read them.',
	{
		items: [
			['~/.config/switchboard', 'settings, profiles and keys (config.json); for ssh-serve who may come (authorized_keys) and its host key (ssh_host_ed25519_key)'],
			['~/.local/share/switchboard', 'data of the bundled service'],
			['~/.cache/switchboard', 'cached lists, the screen as it was last seen, and compiled code'],
			['~/.local/state/switchboard', 'logs of --debug, and reports of crashes'],
		],
	},
];

/** A heading begins a paragraph itself. */
const roffSection = (heading: string, topic: HelpTopic): readonly string[] => {
	const lines = roffTopic(topic);
	return [section(heading), ...(lines[0] === '.PP' ? lines.slice(1) : lines)];
};

const optionsOf = (command: Command): readonly HelpItem[] => {
	const help = command.createHelp();
	return help.visibleOptions(command)
		.filter(option => command.parent === null || option.long !== '--help')
		.map(option => [help.optionTerm(option), help.optionDescription(option)]);
};

const argumentsOf = (command: Command): readonly HelpItem[] => {
	const help = command.createHelp();
	return help.visibleArguments(command).map(argument => [`<${help.argumentTerm(argument)}>`, help.argumentDescription(argument)]);
};

/** A description as a sentence of its own. */
const sentence = (description: string): string => `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;

/** A command and its subcommands, each under a heading of its own. */
const roffCommand = (command: Command): readonly string[] => {
	const {topic, examples} = readHelp(command);
	return [
		subsection(pathOf(command)),
		roffUsage(command.createHelp().commandUsage(command)),
		...roffTopic([sentence(command.description())]),
		...itemList([...argumentsOf(command), ...optionsOf(command)], roffUsage),
		...roffTopic(topic),
		...roffTopic(['Examples:']),
		...exampleList(examples),
		...subcommandsOf(command).flatMap(subcommand => roffCommand(subcommand)),
	];
};

/** The manual page `switchboard(1)`, made from the commands and the help topics. */
export const manualPage = async (version: string): Promise<string> => {
	const program = createCommandLine(() => async () => undefined);
	const loaded = await Promise.all(topics.map(async ({name, load}) => ({heading: headings[name] ?? name.toUpperCase(), topic: await load()})));
	const [standard, own] = [true, false].map(isStandard => loaded
		.filter(({heading}) => standardHeadings.has(heading) === isStandard)
		.flatMap(({heading, topic}) => roffSection(heading, topic)));
	return [
		`.TH SWITCHBOARD 1 "" "switchboard ${roffText(version)}" "User Commands"`,
		'.nh',
		'.ad l',
		section('NAME'),
		String.raw`switchboard \- ${summary}`,
		section('SYNOPSIS'),
		roffUsage('switchboard [options]'),
		'.br',
		roffUsage('switchboard [options] <command> [arguments]'),
		'.br',
		roffUsage('switchboard help [topic]'),
		section('DESCRIPTION'),
		roffText(program.description()),
		section('COMMANDS'),
		...program.commands.flatMap(command => roffCommand(command)),
		section('OPTIONS'),
		'Every command takes these, before or after its name.',
		...itemList(optionsOf(program), roffUsage),
		...standard!,
		...roffSection('FILES', files),
		...own!,
		section('EXAMPLES'),
		'To begin with:',
		...exampleList(readHelp(program).examples),
		section('SEE ALSO'),
		[['ssh', 1], ['ssh-keygen', 1], ['sshd', 8]].map(([name, number]) => String.raw`\fB${roffText(String(name))}\fR(${number})`).join(', '),
		'',
	].join('\n');
};
