import {isIPv6} from 'node:net';
import type {Command, Option} from 'commander';
import {parseDuration} from '../interface/duration.ts';
import {SwitchboardError, throwIfAny} from '../interface/errors.ts';
import {didYouMean, nearestNames} from '../interface/name-index.ts';
import {straightenPhrases, tidyTriggerPhrases} from '../interface/names.ts';
import type {Context} from './context.ts';

/**
Returns the error for the value of an option or an argument.

@param name - the option or the argument, as in `--port`.
@param expected - the values that it takes: “a number from 0 to 65535”.
*/
export function wrongValue(name: string, text: string, expected: string): SwitchboardError {
	return new SwitchboardError('usage', text === '' ? `The value for ${name} is empty.` : `Invalid value “${text}” for ${name}.`, {
		nextStep: `Use ${expected}.`,
	});
}

/**
Returns the error for a value that must be one of some words, with the words that may be meant.

@param accepted - all accepted words; by default the named ones.
*/
export function wrongChoice(name: string, text: string, words: readonly string[], accepted = words): SwitchboardError {
	const error = wrongValue(name, text, new Intl.ListFormat('en-GB', {type: 'disjunction'}).format(words));
	return error.with({nextStep: [didYouMean(nearestNames(text, accepted)), error.nextStep].filter(Boolean).join('\n')});
}

/**
Returns a parser for an option or an argument that takes one of some words. Commander's choices serve the help and completion only, because
its error does not suggest a word.

@param toCase - converts the typed text to the case of the words, if any case will do.
*/
export function parseChoice<Word extends string>(name: string, words: readonly Word[], toCase = (text: string): string => text) {
	return (text: string): Word => {
		const word = words.find(each => each === toCase(text));
		if (word === undefined) {
			throw wrongChoice(name, text, words);
		}

		return word;
	};
}

/** Parses the value of an option that may be given several times. */
export function collectValues(value: string, earlier: readonly string[] = []): readonly string[] {
	return [...earlier, value];
}

/**
Lets a command and its subcommands refuse what Commander would take: an option with one value that is given twice, `--NAME` together with
`--no-NAME`, and an empty value. Commander silently drops the first of two options, which may be the one that protects something.
*/
export function refuseMistakenOptions(command: Command): void {
	const given = new Map<string, Option>();
	for (const option of command.options) {
		refuseEmptyValue(option);
		command.on(`option:${option.name()}`, () => {
			const earlier = given.get(option.attributeName());
			given.set(option.attributeName(), option);
			if (earlier !== undefined && earlier !== option) {
				const name = (option.negate ? earlier : option).name();
				throw new SwitchboardError('usage', `--${name} and --no-${name} cannot be used together.`, {nextStep: 'Use one of them.'});
			}

			if (earlier !== undefined && option.required && option.parseArg !== collectValues) {
				throw new SwitchboardError('usage', `${option.long!} is given twice.`, {nextStep: 'Give it once.'});
			}
		});
	}

	for (const subcommand of command.commands) {
		refuseMistakenOptions(subcommand);
	}
}

/** Options whose text may be empty, and those whose command says in more detail what is missing. */
const optionsWithOwnRule: ReadonlySet<string> = new Set([
	'--abilities',
	'--account',
	'--category',
	'--description',
	'--filter',
	'--into',
	'--message',
	'--name',
	'--prompt',
	'--search',
	'--triggers',
]);

/**
Lets an option refuse an empty value, such as that of a script's unset variable: the command would look for a profile or a file without a
name.
*/
export function refuseEmptyValue(option: Option): void {
	const {required, parseArg, mandatory} = option;
	const long = option.long!;
	if (!required || parseArg !== undefined || optionsWithOwnRule.has(long)) {
		return;
	}

	option.argParser((text: string) => {
		if (text === '') {
			throw new SwitchboardError('usage', `The value for ${long} is empty.`, {
				nextStep: `Set the variable that it comes from${mandatory ? '' : `, or leave ${long} out`}.`,
			});
		}

		return text;
	});
}

/**
Returns the words of an option that takes a list separated by commas.

@param nextStep - the remedy for an empty list.
@throws SwitchboardError `usage` if the list is empty.
*/
export function splitList(flag: string, list: string, nextStep: string): readonly string[] {
	const words = list
		.split(',')
		.map(word => word.trim())
		.filter(word => word !== '');
	if (words.length === 0) {
		throw new SwitchboardError('usage', `The list after ${flag} is empty.`, {nextStep});
	}

	return words;
}

/** Returns the trigger phrases of `--triggers`, or of `--no-triggers`; throws as `splitList` does. */
export function parsePhrases(triggers: string | false): readonly string[] {
	return triggers === false
		? []
		: tidyTriggerPhrases(splitList('--triggers', triggers, 'To remove all trigger phrases, use --no-triggers.'));
}

/**
Returns trigger phrases as they are sent: phrases that the service has already stay as they are.

@throws SwitchboardError if a new phrase breaks a rule.
*/
export async function checkPhrases(given: readonly string[], known: readonly string[]): Promise<readonly string[]> {
	const phrases = straightenPhrases(given, known);
	const {checkTriggerPhrases} = await import('../bundle/check-draft.ts');
	throwIfAny(checkTriggerPhrases(phrases.filter(phrase => !known.includes(phrase)))[0]);

	return phrases;
}

export const dryRunOption = ['--dry-run', 'check everything and print what would change, but change nothing'] as const;

/** Tells scripts that there is a difference (`docs/compatibility.md`, Exit codes). */
export const differenceExitCode = 10;

export type ExitCodeOption = {readonly exitCode?: boolean};

/** The option of commands that show another command's changes. */
export const exitCodeOption = ['--exit-code', `exit with ${differenceExitCode} if there is something to change`] as const;

/** Ends such a command with the exit code for a difference. */
export function exitWithDifference({exitWith}: Context, {exitCode: isWanted = false}: ExitCodeOption, changes: readonly unknown[]): void {
	if (isWanted && changes.length > 0) {
		exitWith(differenceExitCode);
	}
}

/** Returns the value of `--port`. */
export function parsePort(text: string): number {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
	if (port < 0 || port > 65_535) {
		throw wrongValue('--port', text, 'a number from 0 to 65535; 0 means any free port');
	}

	return port;
}

/**
Returns the value of `--metrics`: a host and a port, an IPv6 address in brackets as in a URL. Only a port would mean every address of the
machine.
*/
export function parseHostAndPort(text: string): {readonly host: string; readonly port: number} {
	const {host, address, port = ''} = /^(?:(?<host>[^\s/:@[\]]+)|\[(?<address>[^\s[\]]+)\]):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
	const found = host ?? (isIPv6(address ?? '') ? address : undefined);
	if (found === undefined || Number(port) > 65_535) {
		throw wrongValue('--metrics', text, 'HOST:PORT, as in 127.0.0.1:9090 or [::1]:9090; port 0 means any free one');
	}

	return {host: found, port: Number(port)};
}

/** Returns the value of `--host`. An empty one, such as a script's unset variable, would listen on every address of the machine. */
export function parseHost(text: string): string {
	if (text.trim() === '') {
		throw wrongValue('--host', text, 'an address of this machine, such as 127.0.0.1');
	}

	return text;
}

/** The times that an option takes which looks back. */
export const pastMoments =
	'a duration such as 12h or 2d, today, “yesterday 18:00”, 18:00 (the last one), or a date as in 2027-01-31 or 2027-01-31T18:00';

export const durationValue = 'a duration, such as 30m, 12h, 90d or 2w';

/**
Returns the value of an option that takes a moment: a duration from now, or a date with or without a time; in the past also a time of day.

@param direction - whether a duration leads to the past or to the future.
@throws SwitchboardError `usage`
*/
export function parseMoment(option: string, direction: 'past' | 'future') {
	const isPast = direction === 'past';
	return (text: string): Date => {
		const duration = parseDuration(text);
		const moment =
			duration === undefined
				? (parseDate(text) ?? (isPast ? parseDay(text, new Date()) : undefined))
				: new Date(Date.now() + (isPast ? -duration : duration));
		if (moment === undefined) {
			const days = isPast ? ', today, yesterday, “yesterday 18:00”, 18:00 (the last one)' : '';
			throw wrongValue(option, text, `${durationValue}${days}, or a date, as in 2027-01-31 or 2027-01-31T18:00`);
		}

		return moment;
	};
}

/**
Returns the parser of a time that has passed.

@throws SwitchboardError `usage`
*/
export function parsePast(option: string) {
	const parse = parseMoment(option, 'past');
	return (text: string): Date => {
		const moment = parse(text);
		if (moment.getTime() > Date.now()) {
			throw new SwitchboardError('usage', `${text} has not come yet.`, {nextStep: `Give ${option} a time that has passed.`});
		}

		return moment;
	};
}

/** A time without a day is the last one that has passed. */
function parseDay(text: string, now: Date): Date | undefined {
	const {day, hours, minutes} =
		/^(?:(?<day>today|yesterday)(?: +(?=\d)|$))?(?:(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d))?$/i.exec(text)?.groups ?? {};
	if (day === undefined && hours === undefined) {
		return undefined;
	}

	const at = (daysAgo: number): Date =>
		new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, Number(hours ?? 0), Number(minutes ?? 0));
	return at(day?.toLowerCase() === 'yesterday' || (day === undefined && at(0) > now) ? 1 : 0);
}

/** A date without a time means the start of that day in local time. */
function parseDate(text: string): Date | undefined {
	if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)) {
		return undefined;
	}

	const date = new Date(text.includes('T') ? text : `${text}T00:00`);
	// `Date` takes the 31st of February for a day in March.
	const isDay = !Number.isNaN(date.getTime()) && new Date(`${text.slice(0, 10)}T00:00Z`).toISOString().startsWith(text.slice(0, 10));
	return isDay ? date : undefined;
}
