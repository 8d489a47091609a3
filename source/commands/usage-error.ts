import type {Command, CommanderError, Option} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {nearestWord} from '../interface/nearest-word.ts';
import {hasHiddenCharacters, revealLine} from '../interface/reveal-text.ts';
import {parseWords, optionsOf} from './completion/words.ts';
import {pathOf} from './help/program-help.ts';
import {missingArgumentHint, strayWordHint} from './usage-hints.ts';

const seeHelp = (command: Command): string => `See: ${pathOf(command)} --help`;

const longestWord = 200;

/** A word as it was typed, so that one with characters that are not seen does not look right. */
const shown = (word: string): string => revealLine(word, longestWord);

const usageError = (message: string, nextStep: string): SwitchboardError => new SwitchboardError('usage', message, {nextStep});

const findByName = (command: Command, name: string): readonly Command[] =>
	command.commands.flatMap(subcommand => [...(subcommand.name() === name ? [subcommand] : []), ...findByName(subcommand, name)]);

/** The command that a wrong word probably means: the only command of that name elsewhere, or a subcommand spelled like it. */
export const suggestCommand = (command: Command, word: string): Command | undefined => {
	const elsewhere = command.parent === null ? findByName(command, word) : [];
	if (elsewhere.length === 1) {
		return elsewhere[0];
	}

	const nearest = nearestWord(word, command.commands.map(subcommand => subcommand.name()));
	return command.commands.find(subcommand => subcommand.name() === nearest);
};

/** The error for a word that is not a subcommand, with the one that was probably meant. */
export const unknownSubcommand = (command: Command, word: string): SwitchboardError => {
	const path = pathOf(command);
	if (word === 'help') {
		return usageError(`Unknown command “${path} help”.`, seeHelp(command));
	}

	const meant = suggestCommand(command, word);
	return usageError(
		`Unknown command “${path} ${shown(word)}”.`,
		meant === undefined ? strayWordHint(path, word) ?? `List the commands with: ${path} --help` : `Did you mean: ${pathOf(meant)}`,
	);
};

const unexpectedArgument = (command: Command, operands: readonly string[]): SwitchboardError => {
	const path = pathOf(command);
	const {length} = command.registeredArguments;
	const stray = operands[length]!;
	return usageError(
		`Unexpected argument “${shown(stray)}” for “${path}”.`,
		length === 0 || command.registeredArguments.at(-1)!.argChoices !== undefined
			? strayWordHint(path, stray) ?? `Use: ${[path, ...operands.slice(0, length)].join(' ')}`
			: `Quote a name that contains a space: ${path} ${shellWord(operands.slice(length - 1).join(' '))}`,
	);
};

const missingArgument = (command: Command, operands: readonly string[]): SwitchboardError => {
	const [what, nextStep] = missingArgumentHint(command.registeredArguments[operands.length]!.name());
	return usageError(`“${pathOf(command)}” needs ${what}.`, nextStep ?? seeHelp(command));
};

const missingValue = (command: Command, {long, flags}: Option): SwitchboardError =>
	usageError(`${long!} needs a value.`, `Use: ${flags}\n${seeHelp(command)}`);

/** Omits what follows a `=`: it may be a key. */
const unknownOption = (command: Command, word: string): SwitchboardError => {
	const flag = word.split('=', 1)[0]!;
	const flags = [...optionsOf(command).map(({long}) => long!), '--help'];
	if (flags.includes(flag)) {
		return usageError(`${flag} takes no value.`, `Use: ${flag}`);
	}

	const path = pathOf(command);
	const meant = flag.startsWith('--') ? nearestWord(flag, flags) : undefined;
	const mayBeName = flag === word && !hasHiddenCharacters(word) && command.registeredArguments.length > 0;
	return usageError(`Unknown option ${shown(flag)} for “${path}”.`, meant === undefined
		? [
			...(mayBeName ? [`Put a name that starts with “-” after “--”: ${path} -- ${shellWord(word)}`] : []),
			`List the options with: ${path} --help`,
		].join('\n')
		: `Did you mean: ${meant}`);
};

/** Turns an error of Commander, identified by its code, into ours, which says what to type. */
export const toUsageError = ({code, message}: CommanderError, program: Command, words: readonly string[]): SwitchboardError => {
	const {command, operands, awaiting, unknownOption: wrongOption} = parseWords(program, words);
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
		return command.commands.length > 0 ? unknownSubcommand(command, operands[0]!) : unexpectedArgument(command, operands);
	}

	const text = message.replace(/^error: /, '').trim();
	return usageError(`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[!.?]?$/, '.')}`, seeHelp(command));
};
