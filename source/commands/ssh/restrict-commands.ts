import type {Command, HelpConfiguration, Option} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';
import {namesOf, pathOf} from '../help/program-help.ts';
import {allowedCommands, allowedGlobalOptions, type AllowedValue} from './allowed-commands.ts';

const nextStep = 'To see what is: switchboard help ssh';

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

/** Refuses a command before its own options are read, and so its help too. */
const restrict = (command: Command): void => {
	command.hook('preSubcommand', (_parent, subcommand) => {
		refuseUnavailable(subcommand);
	});
	command.configureHelp(availableHelp(command.configureHelp()));
	for (const option of command.options) {
		option.hideHelp(allowedOption(command, option) === undefined);
	}

	for (const subcommand of command.commands) {
		restrict(subcommand);
	}
};

/** Leaves of the command line what is allowed over SSH (`allowedCommands`): the rest is refused, and its help lists no other commands and options. */
export const restrictCommands = (program: Command): void => {
	restrict(program);
	program.hook('preAction', (_program, command) => {
		refuseUnavailable(command);
		refuseOptions(command);
		refuseArguments(command);
	});
	program.addHelpText('afterAll', '\nOver SSH only the commands and options that are listed work, with “-” in place of a\nfile: switchboard help ssh');
};
