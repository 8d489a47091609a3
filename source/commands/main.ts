import process from 'node:process';
import {type Command, CommanderError} from 'commander';
import {SwitchboardError, toSwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {createRun} from './command.ts';
import {completionWord} from './completion/scripts.ts';
import {createCommandLine} from './command-line.ts';
import {reportError} from './report-error.ts';
import {toUsageError} from './usage-error.ts';

const signalKinds: Readonly<Record<string, ErrorKind>> = {SIGHUP: 'hangup', SIGINT: 'interrupted', SIGTERM: 'terminated'};

const signalSentences: Readonly<Record<string, string>> = {
	SIGHUP: 'The terminal hung up.',
	SIGINT: 'Interrupted.',
	SIGTERM: 'Told to end.',
};

/** Aborted by the first of the signals that end a command; a second one then ends it the hard way. */
const listenToSignals = (): AbortSignal => {
	const controller = new AbortController();
	for (const [signal, kind] of Object.entries(signalKinds)) {
		process.once(signal, () => {
			controller.abort(new SwitchboardError(kind, signalSentences[signal]!));
		});
	}

	return controller.signal;
};

export type Outcome = {
	readonly exitCode: number;
	/** True where something of the command may still be under way, and is to be left. */
	readonly isCutShort: boolean;
};

const done: Outcome = {exitCode: 0, isCutShort: false};

const isHelpOf = (error: unknown, ...codes: readonly string[]): error is CommanderError =>
	error instanceof CommanderError && codes.includes(error.code);

const fail = (error: unknown, program: Command, words: readonly string[]): number => {
	const failure = error instanceof CommanderError ? toUsageError(error, program, words) : toSwitchboardError(error);
	reportError(failure, {isJson: words.includes('--json'), isDebug: words.includes('--debug'), isAscii: words.includes('--ascii')});
	return failure.exitCode;
};

/** Resolves once all that was written is with whoever reads it, or never will be: what ends a process drops the rest. */
const flush = async (output: NodeJS.WriteStream): Promise<void> => new Promise(resolve => {
	output.write('', () => {
		resolve();
	});
});

/** What the command line asked for, when all that is left to tell is how it ended. */
const runCommand = async (words: readonly string[]): Promise<Outcome> => {
	const signal = listenToSignals();
	const program = createCommandLine(createRun(signal));
	try {
		await program.parseAsync([...words], {from: 'user'});
		return done;
	} catch (error) {
		const isHelp = isHelpOf(error, 'commander.helpDisplayed', 'commander.help', 'commander.version');
		if (isHelp && error.exitCode === 0) {
			return done;
		}

		// Help that nobody asked for stands in for a command that is missing; it was printed already.
		if (isHelp && !words.includes('--json')) {
			return {exitCode: 2, isCutShort: false};
		}

		const failure = isHelp ? new SwitchboardError('usage', 'A command is missing.', {nextStep: 'See the commands with: switchboard --help'}) : error;
		const exitCode = fail(failure, program, words);
		if (signal.aborted) {
			await Promise.all([flush(process.stdout), flush(process.stderr)]);
		}

		return {exitCode, isCutShort: signal.aborted};
	}
};

/** Answers the completion scripts. A mistake in what is typed so far is none of the shell's business: nothing is offered. */
const answerCompletion = async (shell: string, words: readonly string[]): Promise<Outcome> => {
	const {answerShell} = await import('./completion/answer-shell.ts');
	const program = createCommandLine(createRun(new AbortController().signal));
	try {
		const lines = await answerShell(program, shell, words, process.env);
		process.stdout.write(lines.map(line => `${line}\n`).join(''));
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}
	}

	return done;
};

/** Does what the words after the program's name ask for. */
export const main = async (words: readonly string[]): Promise<Outcome> => {
	const [first = '', ...rest] = words;
	return first === completionWord || first.startsWith(`${completionWord}-`)
		? answerCompletion(first.slice(completionWord.length + 1), rest)
		: runCommand(words);
};
