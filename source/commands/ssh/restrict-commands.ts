import type {Argument, Command, HelpConfiguration, Option} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';
import {splitShellWords} from '../../platform/shell-word.ts';
import {adaptExamples, type Example} from '../command.ts';
import {hiddenDefaultOf, commandPath, parseWords, pathOf} from '../command-tree.ts';
import {allowedCommands, allowedGlobalOptions, type AllowedValue, asTypedOverSsh} from '../allowed-commands.ts';

const nextStep = 'To see the available ones: ssh HOST help ssh';

/** @throws SwitchboardError `refused` if the command is not available over SSH. */
export function refuseUnavailable(command: Command): void {
	if (!isAvailable(command)) {
		throw refused(nameOf(command));
	}
}

const isAvailable = (command: Command): boolean => command.parent === null || Object.hasOwn(allowedCommands, nameOf(command));

const nameOf = (command: Command): string => commandPath(command).join(' ');

const refused = (what: string): SwitchboardError => new SwitchboardError('refused', `${what} is not available over SSH.`, {nextStep});

/** Refuses the commands, options and values that are not allowed over SSH (`allowedCommands`), and leaves them out of the help. */
export function restrictCommands(program: Command): void {
	restrict(program);
	adaptExamples(program, adaptExample);
	program.hook('preAction', (_program, command) => {
		refuseUnavailable(command);
		refuseOptions(command);
		refuseArguments(command);
	});
	program.addHelpText(
		'afterAll',
		'\nOver SSH only the commands and options that are listed work, with “-” in place\nof a file: ssh HOST help ssh',
	);
}

/** Refuses a command before its own options, and so its help, are read. */
function restrict(command: Command): void {
	command.hook('preSubcommand', (_parent, subcommand) => refuseUnavailable(subcommand));
	command.configureHelp(availableHelp(command.configureHelp()));
	const {writeOut, writeErr} = command.configureOutput();
	command.configureOutput({writeOut: text => writeOut?.(asTypedOverSsh(text)), writeErr: text => writeErr?.(asTypedOverSsh(text))});
	for (const option of command.options) {
		option.hideHelp(option.hidden || allowedOption(command, option) === undefined);
	}

	for (const subcommand of command.commands) {
		restrict(subcommand);
	}
}

const availableHelp = ({visibleCommands, ...others}: HelpConfiguration): HelpConfiguration => ({
	...others,
	visibleCommands: command => (visibleCommands?.(command) ?? []).filter(candidate => isAvailable(candidate)),
});

const allowedOption = (command: Command, {long}: Option): AllowedValue | undefined =>
	(command.parent === null ? allowedGlobalOptions : allowedCommands[nameOf(command)]?.options)?.[long ?? ''];

/** Returns an example as it is typed over SSH; `undefined` if it does not work there. */
function adaptExample([typed, meaning]: Example, program: Command): Example | undefined {
	const command = /^switchboard (?<words>[^&;<>|]*)/.exec(typed)?.groups?.['words'];
	const words = command === undefined ? undefined : splitShellWords(command);
	return words !== undefined && areAvailable(program, words) ? [asTypedOverSsh(typed), asTypedOverSsh(meaning)] : undefined;
}

/** Tells whether all words of an example are available: the command, its options and their values. */
function areAvailable(program: Command, words: readonly string[]): boolean {
	const {command, operands, given, values, unknownOption} = parseWords(program, words);
	const taking = hiddenDefaultOf(command) ?? command;
	return (
		isAvailable(command) &&
		unknownOption === undefined &&
		given.every(option => {
			const owner = [taking, command, program].find(({options}) => options.includes(option))!;
			return mayBe(allowedOption(owner, option), values[option.attributeName()]);
		}) &&
		operands.every((word, index) => {
			const argument = taking.registeredArguments[index] ?? taking.registeredArguments.at(-1);
			return argument !== undefined && mayBe(allowedArgument(taking, argument), word);
		})
	);
}

const mayBe = (allowed: AllowedValue | undefined, value: string | undefined): boolean =>
	allowed === 'any' || (allowed !== undefined && value === '-');

const allowedArgument = (command: Command, argument: Argument): AllowedValue | undefined =>
	allowedCommands[nameOf(command)]?.arguments?.[argument.name()];

function refuseOptions(command: Command, given = command): void {
	for (const option of given.options) {
		if (given.getOptionValueSource(option.attributeName()) !== 'cli') {
			continue;
		}

		const what = option.long ?? option.flags;
		refuseValue(command, what, allowedOption(given, option), given.getOptionValue(option.attributeName()), [what, '-']);
	}

	if (given.parent !== null) {
		refuseOptions(command, given.parent);
	}
}

/** @param option - the words that give the value to an option. */
function refuseValue(
	command: Command,
	what: string,
	allowed: AllowedValue | undefined,
	value: unknown,
	option: readonly string[] = [],
): void {
	if (allowed === undefined) {
		throw refused(what);
	}

	if (allowed !== 'any' && value !== '-') {
		throw new SwitchboardError('refused', `${what} can only be “-” over SSH: files are out of reach here.`, {
			nextStep: `Use “-” and a file of your own, as in: ${withDash(command, option)} ${allowed === 'input' ? '<' : '>'} FILE`,
		});
	}
}

/** Returns the command as it is typed, with “-” in place of a file. */
function withDash(command: Command, option: readonly string[]): string {
	const values = command.registeredArguments.map(argument =>
		allowedArgument(command, argument) === 'any' ? argument.name().toUpperCase() : '-',
	);
	return ['ssh HOST', nameOf(command), ...values, ...option].join(' ');
}

function refuseArguments(command: Command): void {
	for (const [index, argument] of command.registeredArguments.entries()) {
		for (const value of [command.processedArgs[index] ?? []].flat() as readonly unknown[]) {
			refuseValue(command, `<${argument.name()}> of “${pathOf(command)}”`, allowedArgument(command, argument), value);
		}
	}
}
