import {CommanderError, type Command} from 'commander';
import {removeKeys} from '../client/redact-key.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {environmentKeys, passwordsIn} from '../platform/secret-variables.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {createRun, type Surroundings} from './command.ts';
import {createCommandLine, findCommandName} from './command-line.ts';
import {isJsonWanted, versionFlags} from './global-options.ts';
import {reportError} from './context.ts';
import {hintOverSsh} from './allowed-commands.ts';
import {toUsageError} from './usage-error.ts';

const giveKeyElsewhere = 'Keys are not given on the command line: run switchboard login, or set SWITCHBOARD_API_KEY.';

const noKeyNeeded = 'Keys are not given on the command line: the server has its own.';

type CommandLineWords = {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly isMisplaced: boolean;
	readonly isOverSsh?: boolean;
};

/**
Returns the error without the keys and passwords in the command line: always the keys of the environment and words that begin like a key; in
a wrong command line also words that look like one, because a key was probably put in the wrong place.

@param isMisplaced - true if the words do not fit the command line at all.
@param isOverSsh - true for a person over SSH, who needs no key.
*/
export function hideKeys(given: SwitchboardError, {words, env, isMisplaced, isOverSsh = false}: CommandLineWords): SwitchboardError {
	const error = without(
		given,
		words.flatMap(word => passwordsIn(word)),
	);
	const isUsage = error.kind === 'usage';
	const guessed = words.flatMap(word => [
		...(isUsage ? keyLikeParts(word, isMisplaced) : []),
		...keyLikeParts(word, true).filter(part => hasKeyPrefix(part)),
	]);
	const known = environmentKeys(env).filter(key => words.some(word => word.includes(key)));
	const hidden = without(error, [...known, ...guessed]);
	return hidden === error || !isUsage ? hidden : hidden.with({nextStep: isOverSsh ? noKeyNeeded : giveKeyElsewhere});
}

/** Returns the error without these secrets, and without its cause, which may have them. */
function without(error: SwitchboardError, secrets: readonly string[]): SwitchboardError {
	const {kind, status, field, isOutcomeUnknown} = error;
	const message = removeKeys(error.message, secrets);
	const nextStep = error.nextStep && removeKeys(error.nextStep, secrets);
	return message === error.message && nextStep === error.nextStep
		? error
		: new SwitchboardError(kind, message, {nextStep, status, field, isOutcomeUnknown});
}

/**
The parts of a word of the command line that may be a key. A name or a path of several words is not a key, unless the word is misplaced.
*/
const keyLikeParts = (word: string, isMisplaced: boolean): readonly string[] =>
	(word.match(isMisplaced ? /\b[\w-]+/g : /\w+/g) ?? []).filter(part => isKeyLike(part));

/** Keys are long, and have letters and a longer part with digits; such names are rare, and hiding one costs little. */
const isKeyLike = (text: string): boolean =>
	text.length >= 16 && /[a-z]/i.test(text) && text.split('-').some(part => part.length >= 8 && /\d/.test(part));

/** True for the keys of the bundled service, and for other services' keys with such a prefix. */
const hasKeyPrefix = (part: string): boolean => /^(?:sb|sk|pk)[-_]/.test(part);

/** A reader that takes nothing for this long is stuck. */
const patienceMilliseconds = 2000;

const looksInPatience = 8;

/**
Calls back if output is waiting and nobody reads it. Call this after a signal: nothing else would end code that waits for its output to be
written, as Node.js itself does.

@returns a function that stops the check.
*/
export function watchUnread({stdout, stderr}: StandardStreams, onUnread: () => void): () => void {
	let waitingBefore = Infinity;
	let looksInVain = 0;
	const timer = setInterval(() => {
		const waiting = stdout.writableLength + stderr.writableLength;
		looksInVain = waiting > 0 && waiting >= waitingBefore ? looksInVain + 1 : 0;
		waitingBefore = waiting;
		if (looksInVain === looksInPatience) {
			onUnread();
		}
	}, patienceMilliseconds / looksInPatience).unref();
	return () => clearInterval(timer);
}

export type RunOutcome = {
	readonly exitCode: number;
	/** True if part of the command may still be running, and the process must not wait for it. */
	readonly isCutShort: boolean;
};

type WordsSurroundings = Surroundings & {readonly adapt?: (program: Command) => void};

/** Runs the command that the words name, and reports the error that ends it. */
export async function runWords(given: readonly string[], surroundings: WordsSurroundings): Promise<RunOutcome> {
	const [first, ...others] = given;
	const words =
		first === '-V' && others.length === 0
			? ['--version']
			: given.length === 2 && given.includes('--json') && given.some(word => versionFlags.has(word))
				? ['version', '--json']
				: given;
	// Help, mistakes and the rules over SSH need the other commands too.
	const named = surroundings.adapt === undefined && !words.includes('help') ? findCommandName(words) : undefined;
	return (named === undefined ? undefined : await runLine(words, surroundings, named)) ?? (await runLine(words, surroundings))!;
}

/** Runs the words with the whole command line, or with one command of it. Returns undefined if that one does not take them. */
async function runLine(
	words: readonly string[],
	{adapt, ...surroundings}: WordsSurroundings,
	onlyCommand?: string,
): Promise<RunOutcome | undefined> {
	let exitCode = 0;
	const program = createCommandLine(
		createRun(surroundings, code => {
			exitCode = code;
		}),
		surroundings.streams,
		surroundings.env,
		onlyCommand,
	);
	adapt?.(program);
	try {
		await program.parseAsync([...words], {from: 'user'});
		return {exitCode, isCutShort: false};
	} catch (error) {
		if (isHelpOf(error) && (error.exitCode === 0 || !isJsonWanted(words))) {
			// Commander has printed the help, or the usage in place of a missing command.
			return {exitCode: error.exitCode === 0 ? 0 : 2, isCutShort: false};
		}

		if (onlyCommand !== undefined && error instanceof CommanderError) {
			return undefined;
		}

		// A failure may have left a resource open that would keep the process alive.
		return {exitCode: await fail(error, program, words, surroundings), isCutShort: true};
	}
}

const isHelpOf = (error: unknown): error is CommanderError =>
	error instanceof CommanderError && ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(error.code);

async function fail(error: unknown, program: Command, words: readonly string[], surroundings: Surroundings): Promise<number> {
	const {env, streams, session} = surroundings;
	const isMisplaced = error instanceof CommanderError;
	const failure = hideKeys(isMisplaced ? toUsageError(error, program, words) : await explain(error, surroundings), {
		words,
		env,
		isMisplaced,
		isOverSsh: session !== undefined,
	});
	reportError(
		session === undefined || failure.nextStep === undefined ? failure : failure.with({nextStep: hintOverSsh(failure.nextStep)}),
		{isJson: isJsonWanted(words), isDebug: session === undefined && words.includes('--debug'), isAscii: words.includes('--ascii')},
		streams.stderr,
	);
	return failure.exitCode;
}

/** All other errors are faults of the program, which are rare: most commands never load the code that reports them. */
async function explain(error: unknown, {session}: Surroundings): Promise<SwitchboardError> {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (session !== undefined) {
		return (await import('../settings/logs.ts')).explainSessionCrash(error, 'command');
	}

	if (isCurrentFolderGone(error)) {
		return new SwitchboardError('usage', 'The current folder does not exist any more.', {
			nextStep: 'Change to another folder.',
			cause: error,
		});
	}

	return (await import('../settings/logs.ts')).explainCrash(error);
}

/** Any command may get a relative path. */
const isCurrentFolderGone = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
