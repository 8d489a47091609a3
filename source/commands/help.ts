import type {Command} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import {unknownSubcommand} from './usage-error.ts';

/** The command that the words name, one subcommand after the other. */
const findNamed = (command: Command, [word, ...rest]: readonly string[]): Command => {
	if (word === undefined) {
		return command;
	}

	const named = command.commands.find(subcommand => subcommand.name() === word);
	if (named === undefined) {
		throw unknownSubcommand(command, word);
	}

	return findNamed(named, rest);
};

/** In place of Commander's own, which shows the help of what stands above a word that it does not know. */
export const defineHelp: DefineCommand = parent => parent
	.command('help')
	.description('print the help of a command')
	.argument('[command...]', 'its name')
	.addHelpText('after', examples(
		['switchboard help enable', 'the same as: switchboard enable --help'],
		['switchboard help keys create', 'of a command within another'],
	))
	.action((words: readonly string[]) => {
		findNamed(parent, words).outputHelp();
	});
