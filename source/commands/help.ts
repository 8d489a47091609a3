import type {Command} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {nearestWord} from '../interface/nearest-word.ts';
import {examples, type DefineCommand} from './command.ts';
import {pathOf} from './help/program-help.ts';
import type {Context} from './context.ts';
import {layTopic} from './help/topic.ts';
import {topicList, topics} from './help/topics.ts';
import {outputWidth} from './output/output-width.ts';
import {refuseUnavailable} from './ssh/restrict-commands.ts';
import {suggestCommand, unknownSubcommand} from './usage-error.ts';

/** The error for a word that is neither a topic nor a command, with the nearest one. */
const unknownTopic = (program: Command, word: string): SwitchboardError => {
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
};

/** The command that the words name, one subcommand after the other; over SSH, if it is available there. */
const findCommand = (command: Command, words: readonly string[], isOverSsh: boolean): Command => {
	const [word, ...rest] = words;
	const subcommand = command.commands.find(candidate => candidate.name() === word);
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
};

type HelpOptions = {
	readonly schema?: boolean;
	readonly unit?: boolean;
	readonly socketUnit?: boolean;
};

/** What topics can print instead of their text. */
type Extra = {
	readonly refusal: string;
	/** By the names of the topics, of which the first one is told of. */
	readonly topics: Readonly<Record<string, (context: Context) => Promise<void>>>;
};

const extras: Readonly<Record<keyof HelpOptions, Extra>> = {
	schema: {
		refusal: 'Only the state file has a schema.',
		topics: {
			async state(context) {
				const {stateSchema} = await import('../state/schema.ts');
				await context.printJson(stateSchema);
			},
		},
	},
	unit: {
		refusal: 'Only serving and ssh have a unit.',
		topics: {
			async serving(context) {
				const {serviceUnit} = await import('./help/systemd-units.ts');
				context.print(serviceUnit());
			},
			async ssh(context) {
				const {sshUnit} = await import('./help/systemd-units.ts');
				context.print(sshUnit());
			},
		},
	},
	socketUnit: {
		refusal: 'Only serving has a socket unit.',
		topics: {
			async serving(context) {
				const {socketUnit} = await import('./help/systemd-units.ts');
				context.print(socketUnit);
			},
		},
	},
};

const flagOf = (name: string): string => name === 'socketUnit' ? '--socket-unit' : `--${name}`;

/** Prints what the options ask for in place of the text; `undefined` if they ask for nothing else. */
const findExtra = (words: readonly string[], options: HelpOptions): ((context: Context) => Promise<void>) | undefined => {
	const [name, another] = (Object.keys(extras) as Array<keyof HelpOptions>).filter(key => options[key]);
	if (name === undefined) {
		return undefined;
	}

	const {refusal, topics: known} = extras[name];
	const print = Object.entries(known).find(([topic]) => topic === words.join(' '))?.[1];
	if (another !== undefined || print === undefined) {
		throw new SwitchboardError('usage', another === undefined ? refusal : `${flagOf(name)} and ${flagOf(another)} cannot be used together.`, {
			nextStep: `Use: switchboard help ${Object.keys(known)[0]} ${flagOf(name)}`,
		});
	}

	return print;
};

/** Replaces Commander's own help command, which knows no topics. A topic beats a command of the same name. */
export const defineHelp: DefineCommand = (parent, run) => parent
	.command('help')
	.description('print the help on a topic or a command')
	.argument('[topic|command...]', 'a topic, or the name of a command')
	.option('--schema', 'print the JSON Schema of the state file (help state --schema)')
	.option('--unit', 'print a systemd unit that runs this installation (help serving --unit, help ssh --unit)')
	.option('--socket-unit', 'print the unit of a socket for it (help serving --socket-unit)')
	.addHelpText('after', topicList())
	.addHelpText('after', examples(
		['switchboard help filter', 'a topic'],
		['switchboard help enable', 'the same as: switchboard enable --help'],
		['switchboard help keys create', 'a subcommand'],
		['switchboard help state --schema', 'the JSON Schema of the state file'],
	))
	.action(run(async (context, words: readonly string[], options: HelpOptions) => {
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
	}));
