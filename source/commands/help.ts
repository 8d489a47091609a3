import type {Command} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {nearestWord} from '../interface/name-index.ts';
import {section, layTopic} from './help/layout.ts';
import type * as units from './help/systemd-units.ts';
import type {DefineCommand} from './command.ts';
import {pathOf, subcommandOf} from './command-tree.ts';
import {outputWidth, type Context} from './context.ts';
import {refuseUnavailable} from './ssh/restrict-commands.ts';
import {suggestCommand, unknownSubcommand} from './usage-error.ts';

/** The topics of `switchboard help TOPIC`; the text of a topic is loaded when it is asked for. */
export const topics = (
	[
		['keys', 'the keys of the terminal UI'],
		['filter', 'what the filter line of the terminal UI takes'],
		['environment', 'environment variables'],
		['exit-codes', 'the exit codes and kinds of errors'],
		['json', 'what --json prints'],
		['timers', 'switches that are taken back at a time'],
		['past', 'the account as it was, and what happened since'],
		['state', 'the state file of export, plan and apply'],
		['serving', 'how to run the bundled service'],
		['operating', 'the data of the service, PostgreSQL, backups'],
		['limits', 'the limits of the service'],
		['proxies', 'certificates, proxies and conversations of the service'],
		['logging', 'logs and metrics of the service, fail2ban'],
		['upgrade', 'how to upgrade the service'],
		['ssh', 'how to let others use Switchboard over SSH'],
	] as const
).map(([name, description]) => ({name, description, load: async () => (await import('./help/topics.ts')).topicTexts[name]!}));

/** Each topic as text for the screens. */
export const screenTopics = topics.map(({name, description, load}) => ({
	name,
	description,
	text: async (width: number) => layTopic(await load(), width),
}));

/** The list of topics, for the help of `help`. */
const topicList = ({command}: {readonly command: Command}): string =>
	section(
		command,
		'Help topics (switchboard help TOPIC):',
		topics.map(({name, description}) => [name, description]),
	);

/** Returns the error for a word that is neither a topic nor a command, with the nearest one. */
function unknownTopic(program: Command, word: string): SwitchboardError {
	const names = topics.map(({name}) => name);
	const topic = nearestWord(word, names);
	const command = suggestCommand(program, word);
	const nearest = topic ?? (command && pathOf(command).replace(/^\S+ /, ''));
	return new SwitchboardError('usage', `There is no help on “${word}”.`, {
		nextStep: [
			...(nearest === undefined ? [] : [`Did you mean: switchboard help ${nearest}`]),
			`Topics: ${names.join(', ')}`,
			...(nearest === undefined ? ['List the commands with: switchboard --help'] : []),
		].join('\n'),
	});
}

/** Returns the command that the words name, one subcommand after the other; over SSH, if it is available there. */
function findCommand(command: Command, words: readonly string[], isOverSsh: boolean): Command {
	const [word, ...rest] = words;
	const subcommand = subcommandOf(command, word);
	if (subcommand !== undefined) {
		return findCommand(subcommand, rest, isOverSsh);
	}

	if (isOverSsh) {
		refuseUnavailable(command);
	}

	if (word !== undefined) {
		throw command.parent === null ? unknownTopic(command, word) : unknownSubcommand(command, words);
	}

	return command;
}

type HelpOptions = {readonly schema?: boolean; readonly unit?: boolean; readonly socketUnit?: boolean};

/** Returns a function that prints a systemd unit. */
const unit =
	(choose: (all: typeof units) => string) =>
	async ({print}: Context): Promise<void> =>
		print(choose(await import('./help/systemd-units.ts')));

type Extra = {
	readonly flag: string;
	/** For every other topic. */
	readonly refusal: string;
	readonly topics: Readonly<Record<string, (context: Context) => Promise<void>>>;
};

/** Printed in place of the text of a topic. */
const extras: Readonly<Record<keyof HelpOptions, Extra>> = {
	schema: {
		flag: '--schema',
		refusal: 'Only the state file has a schema.',
		topics: {state: async ({printJson}) => printJson((await import('../state/schema.ts')).stateSchema)},
	},
	unit: {
		flag: '--unit',
		refusal: 'Only serving, ssh and timers run have a unit.',
		topics: {
			serving: unit(({serviceUnit}) => serviceUnit()),
			ssh: unit(({sshUnit}) => sshUnit()),
			'timers run': unit(({timersUnit}) => timersUnit()),
		},
	},
	socketUnit: {flag: '--socket-unit', refusal: 'Only serving has a socket unit.', topics: {serving: unit(({socketUnit}) => socketUnit)}},
};

/** Returns the function that prints the wanted extra; `undefined` if the options ask for none. */
function findExtra(words: readonly string[], options: HelpOptions): ((context: Context) => Promise<void>) | undefined {
	const [extra, another] = (Object.keys(extras) as Array<keyof HelpOptions>).filter(key => options[key]).map(key => extras[key]);
	if (extra === undefined) {
		return undefined;
	}

	const {flag, refusal, topics: known} = extra;
	const print = Object.entries(known).find(([topic]) => topic === words.join(' '))?.[1];
	if (another !== undefined || print === undefined) {
		throw new SwitchboardError('usage', another === undefined ? refusal : `${flag} and ${another.flag} cannot be used together.`, {
			nextStep: `Use: switchboard help ${Object.keys(known)[0]} ${flag}`,
		});
	}

	return print;
}

/** Replaces Commander's own help command, which knows no topics. A topic beats a command of the same name. */
export const defineHelp: DefineCommand = (parent, run) =>
	parent
		.command('help')
		.description('print the help on a topic or a command')
		.argument('[topic|command...]', 'a topic, or the name of a command')
		.option('--schema', 'print the JSON Schema of the state file (help state --schema)')
		.option('--unit', 'print a systemd unit that runs this installation (help serving --unit, help ssh --unit, help timers run --unit)')
		.option('--socket-unit', 'print the unit of a socket for it (help serving --socket-unit)')
		.addHelpText('after', topicList)
		.examples(
			['switchboard help filter', 'a topic'],
			['switchboard help enable', 'the same as: switchboard enable --help'],
			['switchboard help keys create', 'a subcommand'],
			['switchboard help state --schema', 'the JSON Schema of the state file'],
		)
		.action(
			run(async (context, words: readonly string[], options: HelpOptions) => {
				const printExtra = findExtra(words, options);
				if (printExtra !== undefined) {
					await printExtra(context);
					return;
				}

				const topic = words.length === 1 ? topics.find(({name}) => name === words[0]) : undefined;
				if (topic === undefined) {
					findCommand(parent, words, context.session !== undefined).outputHelp();
				} else {
					context.print(layTopic(await topic.load(), outputWidth(context.streams.stdout)));
				}
			}),
		);
