import type {Command, CommanderError, Option} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {nearestWord} from '../interface/nearest-word.ts';
import {hasHiddenCharacters, revealLine} from '../interface/reveal-text.ts';
import {parseWords, optionsOf} from './completion/words.ts';
import {pathOf, rootOf, usableSubcommandsOf} from './help/program-help.ts';
import {
	isCommonVerb,
	missingArgumentHint,
	requiredOptionHint,
	strayWordHint,
	verbHint,
	verbOf,
} from './usage-hints.ts';

const seeHelp = (command: Command): string => `See: ${pathOf(command)} --help`;

const longestWord = 200;

/** A word as it was typed, so that one with characters that are not seen does not look right. */
const shown = (word: string): string => revealLine(word, longestWord);

const usageError = (message: string, nextStep: string): SwitchboardError => new SwitchboardError('usage', message, {nextStep});

/** The commands below a command that can be used. */
const usableBelow = (command: Command): readonly Command[] =>
	usableSubcommandsOf(command).flatMap(subcommand => [subcommand, ...usableBelow(subcommand)]);

/** True for a command that changes something: all of them take this option (`CONTRACT.md`, Commands). */
const isChange = ({options}: Command): boolean => options.some(({long}) => long === '--dry-run');

/** The command of this name in another place: for a word in place of a command, the only one; for a subcommand, one beside its parent. */
const findElsewhere = (command: Command, name: string): Command | undefined => {
	if (command.parent !== null) {
		return usableSubcommandsOf(rootOf(command)).find(other => other.name() === name && other.helpGroup() === command.helpGroup());
	}

	const [found, ...others] = usableBelow(command).filter(other => other.name() === name);
	// “remove pantry” is hardly about a profile.
	const isGuess = found !== undefined && isCommonVerb(name) && isChange(found);
	return others.length === 0 && !isGuess ? found : undefined;
};

/** The command that a wrong word probably means: one of that name, or a subcommand spelled like it. */
export const suggestCommand = (command: Command, word: string): Command | undefined => {
	const subcommands = usableSubcommandsOf(command);
	const name = verbOf(word);
	const found = subcommands.find(subcommand => subcommand.name() === name) ?? findElsewhere(command, name);
	if (found !== undefined || isCommonVerb(word)) {
		return found;
	}

	const isRisky = (other: string): boolean => subcommands.some(subcommand => subcommand.name() === other && isChange(subcommand));
	const nearest = nearestWord(word, subcommands.map(subcommand => subcommand.name()), isRisky);
	return subcommands.find(subcommand => subcommand.name() === nearest);
};

/**
The error for a word that is not a subcommand, with the one that was probably meant.

@param operands - the word, and those after it.
*/
export const unknownSubcommand = (command: Command, [word = '', ...others]: readonly string[]): SwitchboardError => {
	const path = pathOf(command);
	const message = `Unknown command “${path} ${shown(word)}”.`;
	if (word === 'help') {
		return usageError(message, seeHelp(command));
	}

	const meant = suggestCommand(command, word);
	if (meant !== undefined) {
		return usageError(message, `Did you mean: ${pathOf(meant)}`);
	}

	const isVerb = others.length > 0 || isCommonVerb(word) || usableBelow(rootOf(command)).some(other => other.name() === word);
	const hint = isVerb ? verbHint(path, word, others[0]) : strayWordHint(path, word);
	return usageError(message, hint ?? `List the commands with: ${path} --help`);
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

const missingOptions = (command: Command, values: Readonly<Record<string, string>>): SwitchboardError => {
	const missing = command.options.filter(option => option.mandatory && !Object.hasOwn(values, option.attributeName()));
	return usageError(`“${pathOf(command)}” needs ${missing.map(({flags}) => flags).join(' and ')}.`, requiredOptionHint(pathOf(command)) ?? seeHelp(command));
};

/** The options, without their hyphens, that override something, or do more than the command does without them. */
const riskyOptions: ReadonlySet<string> = new Set([
	'all',
	'allow-outside',
	'allow-prune',
	'exec',
	'force',
	'insecure-http',
	'no-abilities',
	'no-triggers',
	'prune',
	'sample',
	'yes',
]);

/** Omits what follows a `=`: it may be a key. */
const unknownOption = (command: Command, word: string): SwitchboardError => {
	const flag = word.split('=', 1)[0]!;
	const flags = [...optionsOf(command).map(({long}) => long!), '--help'];
	if (flags.includes(flag)) {
		return usageError(`${flag} takes no value.`, `Use: ${flag}`);
	}

	const path = pathOf(command);
	const meant = flag.startsWith('--') ? nearestWord(flag.slice(2), flags.map(known => known.slice(2)), known => riskyOptions.has(known)) : undefined;
	// A name with two of them in front is rarer than an option of another program.
	const mayBeName = flag === word && !word.startsWith('--') && !hasHiddenCharacters(word) && command.registeredArguments.length > 0;
	return usageError(`Unknown option ${shown(flag)} for “${path}”.`, meant === undefined
		? [
			...(mayBeName ? [`Put a name that starts with “-” after “--”: ${path} -- ${shellWord(word)}`] : []),
			`List the options with: ${path} --help`,
		].join('\n')
		: `Did you mean: --${meant}`);
};

/** Turns an error of Commander, identified by its code, into ours, which says what to type. */
export const toUsageError = ({code, message}: CommanderError, program: Command, words: readonly string[]): SwitchboardError => {
	const {command, operands, awaiting, values, unknownOption: wrongOption} = parseWords(program, words);
	// Commander may name what follows from it instead: an option that is missing because it is misspelled.
	if (wrongOption !== undefined && code !== 'commander.unknownCommand') {
		return unknownOption(command, wrongOption);
	}

	if (code === 'commander.missingMandatoryOptionValue') {
		return missingOptions(command, values);
	}

	if (code === 'commander.optionMissingArgument' && awaiting !== undefined) {
		return missingValue(command, awaiting);
	}

	if (code === 'commander.missingArgument' && command.registeredArguments.length > operands.length) {
		return missingArgument(command, operands);
	}

	const isWordWrong = (code === 'commander.excessArguments' || code === 'commander.unknownCommand') && operands.length > command.registeredArguments.length;
	if (isWordWrong) {
		return command.commands.length > 0 ? unknownSubcommand(command, operands) : unexpectedArgument(command, operands);
	}

	const text = message.replace(/^error: /, '').trim();
	return usageError(`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[!.?]?$/, '.')}`, seeHelp(command));
};
