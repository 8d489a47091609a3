import {Command, CommanderError} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {followWords} from './completion/words.ts';

/** The message of Commander for a word that is no subcommand, with its suggestion. */
const complainAboutSubcommand = (command: Command, word: string): string => {
	const probe = new Command(command.name()).helpCommand(false).exitOverride().configureOutput({writeErr() {/* The error says it. */}});
	for (const subcommand of command.commands) {
		probe.command(subcommand.name());
	}

	try {
		probe.parse([word], {from: 'user'});
	} catch (error) {
		if (error instanceof CommanderError) {
			return error.message;
		}
	}

	return `error: unknown command '${word}'`;
};

const sentence = (text: string): string => {
	const trimmed = text.trim();
	return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[!.?]$/.test(trimmed) ? '' : '.');
};

const toError = (message: string, command: Command): SwitchboardError => {
	const [what = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/, 2);
	const path = [];
	for (let current: Command | null = command; current !== null; current = current.parent) {
		path.unshift(current.name());
	}

	return new SwitchboardError('usage', sentence(what), {
		nextStep: suggestion === undefined || suggestion === '' ? `See \`${path.join(' ')} --help\`.` : sentence(suggestion),
	});
};

/** For a word that is no subcommand of a command, with the nearest one as the next step. */
export const unknownSubcommand = (command: Command, word: string): SwitchboardError => toError(complainAboutSubcommand(command, word), command);

/** What Commander found wrong with the command line, in our words, with the nearest command or flag as the next step. */
export const toUsageError = (error: CommanderError, program: Command, words: readonly string[]): SwitchboardError => {
	const {command, operands} = followWords(program, words);
	const isSubcommandWrong = error.code === 'commander.excessArguments' && command.commands.length > 0 && operands[0] !== undefined;
	return isSubcommandWrong ? unknownSubcommand(command, operands[0]!) : toError(error.message, command);
};
