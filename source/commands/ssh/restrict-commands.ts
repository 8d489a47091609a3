import type {Command, HelpConfiguration, Option} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';
import {splitShellWords} from '../../platform/split-shell-words.ts';
import {adaptExamples, type Example} from '../command.ts';
import {namesOf, pathOf, rootOf} from '../help/program-help.ts';
import {allowedCommands, allowedGlobalOptions, type AllowedValue} from './allowed-commands.ts';
import {asTypedOverSsh} from './ssh-words.ts';

const nextStep = 'To see what is: ssh HOST help ssh';

const refused = (what: string): SwitchboardError => new SwitchboardError('refused', `${what} is not available over SSH.`, {nextStep});

const nameOf = (command: Command): string => namesOf(command).join(' ');

const isAvailable = (command: Command): boolean => command.parent === null || Object.hasOwn(allowedCommands, nameOf(command));

/** @throws SwitchboardError `refused` if the command is not available over SSH. */
export const refuseUnavailable = (command: Command): void => {
	if (!isAvailable(command)) {
		throw refused(nameOf(command));
	}
};

/** What an option of this command, or an argument of its own, may be given; `undefined` for nothing at all. */
const find = (name: string, values: Readonly<Record<string, AllowedValue>> = {}): AllowedValue | undefined =>
	Object.hasOwn(values, name) ? values[name] : undefined;

const allowedOption = (command: Command, {long}: Option): AllowedValue | undefined =>
	find(long ?? '', command.parent === null ? allowedGlobalOptions : allowedCommands[nameOf(command)]?.options);

/** The command as it is typed, with “-” in place of a file. */
const withDash = (command: Command, option: readonly string[]): string => {
	const values = command.registeredArguments.map(argument => {
		const allowed = find(argument.name(), allowedCommands[nameOf(command)]?.arguments);
		return allowed === 'any' ? argument.name().toUpperCase() : '-';
	});
	return ['ssh HOST', nameOf(command), ...values, ...option].join(' ');
};

type GivenValue = {
	readonly allowed: AllowedValue | undefined;
	readonly value: unknown;
	/** What it was given to. */
	readonly what: string;
	/** The words that give it to an option. */
	readonly option?: readonly string[];
};

const refuseValue = (command: Command, {allowed, value, what, option = []}: GivenValue): void => {
	if (allowed === undefined) {
		throw refused(what);
	}

	if (allowed !== 'any' && value !== '-') {
		throw new SwitchboardError('refused', `${what} can only be “-” over SSH: files are out of reach here.`, {
			nextStep: `Use “-” and a file of your own, as in: ${withDash(command, option)} ${allowed === 'input' ? '<' : '>'} FILE`,
		});
	}
};

const refuseOptions = (command: Command, given = command): void => {
	for (const option of given.options) {
		const name = option.attributeName();
		if (given.getOptionValueSource(name) !== 'cli') {
			continue;
		}

		const what = option.long ?? option.flags;
		refuseValue(command, {
			allowed: allowedOption(given, option), value: given.getOptionValue(name), what, option: [what, '-'],
		});
	}

	if (given.parent !== null) {
		refuseOptions(command, given.parent);
	}
};

const refuseArguments = (command: Command): void => {
	for (const [index, argument] of command.registeredArguments.entries()) {
		const value: unknown = command.processedArgs[index];
		const values: readonly unknown[] = Array.isArray(value) ? value : (value === undefined ? [] : [value]);
		for (const each of values) {
			refuseValue(command, {allowed: find(argument.name(), allowedCommands[nameOf(command)]?.arguments), value: each, what: `<${argument.name()}> of “${pathOf(command)}”`});
		}
	}
};

const availableHelp = ({visibleCommands, ...others}: HelpConfiguration): HelpConfiguration => ({
	...others,
	visibleCommands: command => (visibleCommands?.(command) ?? []).filter(candidate => isAvailable(candidate)),
});

const mayBe = (allowed: AllowedValue | undefined, value: string | undefined): boolean => allowed === 'any' || (allowed !== undefined && value === '-');

/** True if all words of an example are available: the command, its options and what these are given. */
const areAvailable = (command: Command, words: readonly string[], argumentCount = 0): boolean => {
	const [word, ...rest] = words;
	const subcommand = argumentCount === 0 ? command.commands.find(each => each.name() === word) : undefined;
	if (word === undefined || subcommand !== undefined) {
		return subcommand === undefined ? isAvailable(command) : areAvailable(subcommand, rest);
	}

	if (word.startsWith('--')) {
		const owner = [command, ...command.commands, rootOf(command)].find(({options}) => options.some(({long}) => long === word));
		const found = owner?.options.find(({long}) => long === word);
		const isValueNext = found?.required === true;
		return owner !== undefined && found !== undefined
			&& mayBe(allowedOption(owner, found), isValueNext ? rest[0] : undefined)
			&& areAvailable(command, isValueNext ? rest.slice(1) : rest, argumentCount);
	}

	const argument = command.registeredArguments.at(Math.min(argumentCount, command.registeredArguments.length - 1));
	return argument !== undefined && mayBe(find(argument.name(), allowedCommands[nameOf(command)]?.arguments), word) && areAvailable(command, rest, argumentCount + 1);
};

/** An example as it is typed over SSH; `undefined` if it does not work there. */
const adaptExample = ([typed, meaning]: Example, program: Command): Example | undefined => {
	const command = /^switchboard (?<words>[^&;<>|]*)/.exec(typed)?.groups?.['words'];
	const words = command === undefined ? undefined : splitShellWords(command);
	return words !== undefined && areAvailable(program, words) ? [asTypedOverSsh(typed), asTypedOverSsh(meaning)] : undefined;
};

/** Refuses a command before its own options are read, and so its help too. */
const restrict = (command: Command): void => {
	command.hook('preSubcommand', (_parent, subcommand) => {
		refuseUnavailable(subcommand);
	});
	command.configureHelp(availableHelp(command.configureHelp()));
	const {writeOut, writeErr} = command.configureOutput();
	command.configureOutput({
		writeOut(text) {
			writeOut?.(asTypedOverSsh(text));
		},
		writeErr(text) {
			writeErr?.(asTypedOverSsh(text));
		},
	});
	for (const option of command.options) {
		option.hideHelp(option.hidden || allowedOption(command, option) === undefined);
	}

	for (const subcommand of command.commands) {
		restrict(subcommand);
	}
};

/** Leaves of the command line what is allowed over SSH (`allowedCommands`): the rest is refused, and its help lists no other commands and options. */
export const restrictCommands = (program: Command): void => {
	restrict(program);
	adaptExamples(program, adaptExample);
	program.hook('preAction', (_program, command) => {
		refuseUnavailable(command);
		refuseOptions(command);
		refuseArguments(command);
	});
	program.addHelpText('afterAll', '\nOver SSH only the commands and options that are listed work, with “-” in place\nof a file: ssh HOST help ssh');
};
