import type {Command, CommanderError, Option} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {followWords, optionsOf} from './completion/words.ts';
import {nearestWord} from './nearest-word.ts';
import {missingArgumentHint, strayWordHint} from './usage-hints.ts';

/** The command as it is typed, with those above it. */
const pathOf = (command: Command): string => command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const seeHelp = (command: Command): string => `See: ${pathOf(command)} --help`;

const usageError = (message: string, nextStep: string): SwitchboardError => new SwitchboardError('usage', message, {nextStep});

const findByName = (command: Command, name: string): readonly Command[] =>
	command.commands.flatMap(subcommand => [...(subcommand.name() === name ? [subcommand] : []), ...findByName(subcommand, name)]);

/** The command that a wrong word was probably to name: one beside it that is spelled like it, or the only one of that name elsewhere. */
const findMeant = (command: Command, word: string): Command | undefined => {
	const nearest = nearestWord(word, command.commands.map(subcommand => subcommand.name()));
	if (nearest !== undefined) {
		return command.commands.find(subcommand => subcommand.name() === nearest);
	}

	const elsewhere = command.parent === null ? findByName(command, word) : [];
	return elsewhere.length === 1 ? elsewhere[0] : undefined;
};

/** For a word that is no subcommand of a command, with the one that was probably meant. */
export const unknownSubcommand = (command: Command, word: string): SwitchboardError => {
	const path = pathOf(command);
	if (word === 'help') {
		return usageError(`There is no command “${path} help”.`, seeHelp(command));
	}

	const meant = findMeant(command, word);
	return usageError(
		`There is no command “${path} ${word}”.`,
		meant === undefined ? strayWordHint(path, word) ?? `See the commands with: ${path} --help` : `Did you mean: ${pathOf(meant)}`,
	);
};

const tooManyWords = (command: Command, operands: readonly string[]): SwitchboardError => {
	const path = pathOf(command);
	const {length} = command.registeredArguments;
	const stray = operands[length]!;
	return usageError(
		`“${stray}” is one word too many for “${path}”.`,
		length === 0 || command.registeredArguments.at(-1)!.argChoices !== undefined
			? strayWordHint(path, stray) ?? `Leave it out: ${[path, ...operands.slice(0, length)].join(' ')}`
			: `A name with a space needs quotes: ${path} ${shellWord(operands.slice(length - 1).join(' '))}`,
	);
};

const missingArgument = (command: Command, operands: readonly string[]): SwitchboardError => {
	const [what, nextStep] = missingArgumentHint(command.registeredArguments[operands.length]!.name());
	return usageError(`“${pathOf(command)}” needs ${what}.`, nextStep ?? seeHelp(command));
};

const missingValue = (command: Command, {long, flags}: Option): SwitchboardError =>
	usageError(`There is no value after ${long!}.`, `Type: ${flags}\n${seeHelp(command)}`);

/** What follows a `=` is not repeated: it may be a key. */
const unknownOption = (command: Command, word: string): SwitchboardError => {
	const flag = word.split('=', 1)[0]!;
	const flags = [...optionsOf(command).map(({long}) => long!), '--help'];
	if (flags.includes(flag)) {
		return usageError(`${flag} takes no value.`, `Type: ${flag}`);
	}

	const path = pathOf(command);
	const meant = flag.startsWith('--') ? nearestWord(flag, flags) : undefined;
	const isPerhapsName = flag === word && command.registeredArguments.length > 0;
	return usageError(`There is no option ${flag} of “${path}”.`, meant === undefined
		? [
			...(isPerhapsName ? [`A name that begins with “-” comes after “--”: ${path} -- ${shellWord(word)}`] : []),
			`See the options with: ${path} --help`,
		].join('\n')
		: `Did you mean: ${meant}`);
};

/** What Commander found wrong with the command line, in our words, with what to type. Only its code is looked at. */
export const toUsageError = ({code, message}: CommanderError, program: Command, words: readonly string[]): SwitchboardError => {
	const {command, operands, awaiting, unknownOption: wrongOption} = followWords(program, words);
	if (code === 'commander.unknownOption' && wrongOption !== undefined) {
		return unknownOption(command, wrongOption);
	}

	if (code === 'commander.optionMissingArgument' && awaiting !== undefined) {
		return missingValue(command, awaiting);
	}

	if (code === 'commander.missingArgument' && command.registeredArguments.length > operands.length) {
		return missingArgument(command, operands);
	}

	const isWordWrong = (code === 'commander.excessArguments' || code === 'commander.unknownCommand') && operands.length > command.registeredArguments.length;
	if (isWordWrong) {
		return command.commands.length > 0 ? unknownSubcommand(command, operands[0]!) : tooManyWords(command, operands);
	}

	const text = message.replace(/^error: /, '').trim();
	return usageError(`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[!.?]?$/, '.')}`, seeHelp(command));
};
