import type {Command, CommanderError} from 'commander';
import {isDatabaseUrl} from '../platform/secret-variables.ts';
import {shellWord} from '../platform/shell-word.ts';
import {endpoints} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {nearestWord} from '../interface/name-index.ts';
import {hasHiddenCharacters, revealLine} from '../interface/clean-text.ts';
import {isChange, optionsOf, parseWords, pathOf, rootOf, usableSubcommandsOf} from './command-tree.ts';

const apiExample = `Example: switchboard api GET ${endpoints.listInstalled.path}`;

/** Each argument in words, with the way to find its value, by its name in the help. */
const argumentHints: Readonly<Record<string, readonly [what: string, nextStep?: string]>> = {
	ability: ['an ability: its id or its name', 'List them with: switchboard abilities'],
	agent: ['an agent: its id or its name', 'List them with: switchboard agents'],
	change: ['the number of a change', 'List them with: switchboard history'],
	file: ['the file to write', 'Example: switchboard backup home.db'],
	backup: ['a file that “switchboard backup” wrote', 'Example: switchboard restore home.db'],
	folder: ['the folder of an ability'],
	'folder|zip': ['the folder of an ability, or a zip file of it', 'Example: switchboard abilities upload ./pantry'],
	installed: ['an installed ability: its id or its name', 'List them with: switchboard installed'],
	key: ['a key: its id or its name', 'List them with: switchboard keys list'],
	method: ['a method: GET, POST, PUT, PATCH or DELETE', apiExample],
	path: ['a path on the service', apiExample],
	phrase: ['a phrase to say', 'Example: switchboard say lights out'],
	preset: ['the name of a preset', 'List them with: switchboard presets'],
	profile: ['the name of a profile', 'List them with: switchboard profiles'],
	'state-file': ['a state file, or “-” for standard input', 'Write one with: switchboard export home.yaml'],
	shell: ['the name of a shell: bash, zsh or fish', 'Example: switchboard completion bash'],
};

/** The way to give a command its required options, by its path. */
const requiredOptionHints: Readonly<Record<string, string>> = {
	'switchboard abilities restore': 'List the versions with: switchboard abilities versions ABILITY',
	'switchboard copy': 'Example: switchboard copy --from ./data --to postgres://home@db/home',
	'switchboard wait': 'Example: switchboard wait pantry --for on',
};

/** Hints for a word that a command does not take, by the path of the command. */
const strayWordHints: Readonly<Record<string, (word: string) => string | undefined>> = {
	'switchboard agents': word => `To see that agent: switchboard agents get ${word}`,
	'switchboard abilities': word => `To see that ability: switchboard abilities get ${word}`,
	'switchboard installed': word => `To see that ability: switchboard abilities get ${word}\nTo switch it on: switchboard enable ${word}`,
	'switchboard profiles': word => `To switch to that profile: switchboard profiles use ${word}`,
	'switchboard presets': word => `To apply that preset: switchboard presets apply ${word}`,
	'switchboard login': word => `Use: switchboard login ${word.includes('/') ? '--base-url' : '--profile'} ${word}`,
	'switchboard logout': word => `Use: switchboard logout --profile ${word}`,
	'switchboard check': word => `Use: switchboard check ${isDatabaseUrl(word) ? '--database-url' : '--data'} ${word}`,
	'switchboard migrate': word => `Use: switchboard migrate ${isDatabaseUrl(word) ? '--database-url' : '--data'} ${word}`,
	'switchboard keys create': word => `Use: switchboard keys create --name ${word}`,
	'switchboard serve': word => (/^\d+$/.test(word) ? `Use: switchboard serve --port ${word}` : undefined),
};

/** Verbs of other programs, with our verbs for them. */
const otherVerbs: Readonly<Record<string, string>> = {info: 'get', ls: 'list', show: 'get'};

/** Verbs of other programs: such a word is neither the name of a record nor a misspelling. */
const commonVerbs: ReadonlySet<string> = new Set([
	...Object.entries(otherVerbs).flat(),
	'add',
	'create',
	'delete',
	'edit',
	'remove',
	'rm',
	'set',
]);

const seeAbility = (name: string | undefined): string =>
	name === undefined ? 'To see an ability: switchboard abilities get ABILITY' : `To see that ability: switchboard abilities get ${name}`;

/** The way to see a record, by the path of a command without a subcommand for that. */
const seeingHints: Readonly<Record<string, (name: string | undefined) => string>> = {
	'switchboard installed': seeAbility,
	'switchboard profiles': () => 'See the profiles with: switchboard profiles',
	'switchboard presets': () => 'See the presets with: switchboard presets --json',
	'switchboard keys': () => 'See the keys with: switchboard keys list',
};

/** Returns the command that a wrong word probably means: a command of that name, or a subcommand spelled like it. */
export function suggestCommand(command: Command, word: string): Command | undefined {
	const subcommands = usableSubcommandsOf(command);
	const name = verbOf(word);
	const found =
		subcommands.find(subcommand => subcommand.name() === name || (command.parent !== null && subcommand.aliases().includes(name))) ??
		findElsewhere(command, name);
	if (found !== undefined || commonVerbs.has(word)) {
		return found;
	}

	const isRisky = (other: string): boolean => subcommands.some(subcommand => subcommand.name() === other && isChange(subcommand));
	const nearest = nearestWord(
		word,
		subcommands.map(subcommand => subcommand.name()),
		isRisky,
	);
	return subcommands.find(subcommand => subcommand.name() === nearest);
}

/** Our verb for a word: another program's verb becomes ours. */
const verbOf = (word: string): string => (Object.hasOwn(otherVerbs, word) ? otherVerbs[word]! : word);

/**
Returns the command with this name in another place: for a wrong command, the only such command; for a subcommand, a command beside its
parent.
*/
function findElsewhere(command: Command, name: string): Command | undefined {
	if (command.parent !== null) {
		return usableSubcommandsOf(rootOf(command)).find(other => other.name() === name && other.helpGroup() === command.helpGroup());
	}

	const [found, ...others] = usableBelow(command).filter(other => other.name() === name);
	// “remove pantry” hardly means a profile.
	const isGuess = found !== undefined && commonVerbs.has(name) && isChange(found);
	return others.length === 0 && !isGuess ? found : undefined;
}

/** The commands below a command that can be used. */
const usableBelow = (command: Command): readonly Command[] =>
	usableSubcommandsOf(command).flatMap(subcommand => [subcommand, ...usableBelow(subcommand)]);

/**
Returns the error for a word that is not a subcommand, with the subcommand that was probably meant.

@param operands - the word and the words after it.
*/
export function unknownSubcommand(command: Command, [word = '', ...others]: readonly string[]): SwitchboardError {
	const path = pathOf(command);
	if (word === '') {
		return usageError(`The name of the command after “${path}” is empty.`, `List the commands with: ${path} --help`);
	}

	const message = `Unknown command “${path} ${shown(word)}”.`;
	if (word === 'help') {
		return usageError(message, seeHelp(command));
	}

	const meant = suggestCommand(command, word);
	if (meant !== undefined) {
		return usageError(message, `Did you mean: ${pathOf(meant)}`);
	}

	const isVerb = others.length > 0 || commonVerbs.has(word) || usableBelow(rootOf(command)).some(other => other.name() === word);
	const hint = isVerb
		? verbOf(word) === 'get'
			? seeingHints[path]?.(others[0] && shellWord(others[0]))
			: undefined
		: strayWordHint(path, word);
	return usageError(message, hint ?? `List the commands with: ${path} --help`);
}

/** The word as it was typed, so that a word with invisible characters does not look right. */
const shown = (word: string): string => revealLine(word, 200);

const usageError = (message: string, nextStep: string): SwitchboardError => new SwitchboardError('usage', message, {nextStep});

const seeHelp = (command: Command): string => `See: ${pathOf(command)} --help`;

/** The hint for a word that the command of this path does not take; `undefined` if there is no likely one. */
const strayWordHint = (path: string, word: string): string | undefined => strayWordHints[path]?.(shellWord(word));

/** The options, without their hyphens, that override something, or make the command do more. */
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

/** Turns an error of Commander, identified by its code, into ours, which says what to type. */
export function toUsageError({code, message}: CommanderError, program: Command, words: readonly string[]): SwitchboardError {
	const {command, operands, awaiting, values, unknownOption: wrongOption} = parseWords(program, words);
	// Commander may name a consequence instead: an option that is missing because it is misspelled.
	if (wrongOption !== undefined && code !== 'commander.unknownCommand') {
		return unknownOption(command, wrongOption);
	}

	if (code === 'commander.help') {
		return usageError('No command given.', 'List the commands with: switchboard --help');
	}

	if (code === 'commander.missingMandatoryOptionValue') {
		return missingOptions(command, values);
	}

	if (code === 'commander.optionMissingArgument' && awaiting !== undefined) {
		return usageError(`${awaiting.long!} needs a value.`, `Use: ${awaiting.flags}\n${seeHelp(command)}`);
	}

	if (code === 'commander.missingArgument' && command.registeredArguments.length > operands.length) {
		return missingArgument(command, operands);
	}

	const isWordWrong =
		(code === 'commander.excessArguments' || code === 'commander.unknownCommand') && operands.length > command.registeredArguments.length;
	if (isWordWrong) {
		return command.commands.length > 0 ? unknownSubcommand(command, operands) : unexpectedArgument(command, operands);
	}

	const text = message.replace(/^error: /, '').trim();
	return usageError(`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[!.?]?$/, '.')}`, seeHelp(command));
}

/** Omits the text after `=`, which may be a key. */
function unknownOption(command: Command, word: string): SwitchboardError {
	const flag = word.split('=', 1)[0]!;
	const flags = [...optionsOf(command).map(({long}) => long!), '--help'];
	if (flags.includes(flag)) {
		return usageError(`${flag} takes no value.`, `Use: ${flag}`);
	}

	const path = pathOf(command);
	const meant = flag.startsWith('--')
		? nearestWord(
				flag.slice(2),
				flags.map(known => known.slice(2)),
				known => riskyOptions.has(known),
			)
		: undefined;
	// A name that begins with two of them is rarer than an option of another program.
	const mayBeName = flag === word && !word.startsWith('--') && !hasHiddenCharacters(word) && command.registeredArguments.length > 0;
	return usageError(
		`Unknown option ${shown(flag)} for “${path}”.`,
		meant === undefined
			? [
					...(mayBeName ? [`Put a name that starts with “-” after “--”: ${path} -- ${shellWord(word)}`] : []),
					`List the options with: ${path} --help`,
				].join('\n')
			: `Did you mean: --${meant}`,
	);
}

function missingOptions(command: Command, values: Readonly<Record<string, string>>): SwitchboardError {
	const missing = command.options.filter(option => option.mandatory && !Object.hasOwn(values, option.attributeName()));
	return usageError(
		`“${pathOf(command)}” needs ${missing.map(({flags}) => flags).join(' and ')}.`,
		requiredOptionHints[pathOf(command)] ?? seeHelp(command),
	);
}

function missingArgument(command: Command, operands: readonly string[]): SwitchboardError {
	const name = command.registeredArguments[operands.length]!.name();
	const [what, nextStep] = argumentHints[name] ?? [`<${name}>`];
	return usageError(`“${pathOf(command)}” needs ${what}.`, nextStep ?? seeHelp(command));
}

function unexpectedArgument(command: Command, operands: readonly string[]): SwitchboardError {
	const path = pathOf(command);
	const {length} = command.registeredArguments;
	const stray = operands[length]!;
	return usageError(
		`Unexpected argument “${shown(stray)}” for “${path}”.`,
		length === 0 || command.registeredArguments.at(-1)!.argChoices !== undefined
			? (strayWordHint(path, stray) ?? `Use: ${[path, ...operands.slice(0, length).map(operand => shellWord(operand))].join(' ')}`)
			: `Quote a name that contains a space: ${path} ${shellWord(operands.slice(length - 1).join(' '))}`,
	);
}
