import process from 'node:process';
import {type Command, CommanderError} from 'commander';
import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {createRun} from './command.ts';
import {hideKeys} from './hide-keys.ts';
import {completionWord} from './completion/scripts.ts';
import {createCommandLine} from './command-line.ts';
import {reportError} from './report-error.ts';
import {isJsonWanted, versionFlags} from './global-option-table.ts';
import {toUsageError} from './usage-error.ts';

const signals: ReadonlyArray<readonly [signal: NodeJS.Signals, kind: ErrorKind, message: string]> = [
	['SIGHUP', 'hangup', 'The terminal hung up.'],
	['SIGINT', 'interrupted', 'Interrupted.'],
	['SIGTERM', 'terminated', 'Terminated.'],
];

/** Aborted by the first signal that ends a command; a second one ends the process. */
const listenToSignals = (): AbortSignal => {
	const controller = new AbortController();
	for (const [signal, kind, message] of signals) {
		process.once(signal, () => {
			controller.abort(new SwitchboardError(kind, message));
		});
	}

	return controller.signal;
};

export type Outcome = {
	readonly exitCode: number;
	/** True if part of the command may still be running and the process must not wait for it. */
	readonly isCutShort: boolean;
};

const done: Outcome = {exitCode: 0, isCutShort: false};

const isHelpOf = (error: unknown, ...codes: readonly string[]): error is CommanderError =>
	error instanceof CommanderError && codes.includes(error.code);

/** Any command may be given a relative path. */
const isCurrentFolderGone = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';

/** What is no error of ours is a fault of the program, which is rare: most commands never load the code that reports it. */
const explain = async (error: unknown): Promise<SwitchboardError> => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (isCurrentFolderGone(error)) {
		return new SwitchboardError('usage', 'The current folder does not exist any more.', {nextStep: 'Change to another folder.', cause: error});
	}

	const {explainCrash} = await import('../settings/crash-report.ts');
	return explainCrash(error);
};

const fail = async (error: unknown, program: Command, words: readonly string[]): Promise<number> => {
	const isMisplaced = error instanceof CommanderError;
	const failure = hideKeys(isMisplaced ? toUsageError(error, program, words) : await explain(error), {words, env: process.env, isMisplaced});
	reportError(failure, {isJson: isJsonWanted(words), isDebug: words.includes('--debug'), isAscii: words.includes('--ascii')});
	return failure.exitCode;
};

/** Resolves once the output is written, or cannot be: `process.exit` drops the rest. */
const flush = async (output: NodeJS.WriteStream): Promise<void> => new Promise(resolve => {
	output.write('', () => {
		resolve();
	});
});

/** Runs the command that the words name. */
const runCommand = async (words: readonly string[]): Promise<Outcome> => {
	const signal = listenToSignals();
	let exitCode = 0;
	const program = createCommandLine(createRun(signal, code => {
		exitCode = code;
	}));
	try {
		await program.parseAsync([...words], {from: 'user'});
		return {exitCode, isCutShort: false};
	} catch (error) {
		const isHelp = isHelpOf(error, 'commander.helpDisplayed', 'commander.help', 'commander.version');
		if (isHelp && error.exitCode === 0) {
			return done;
		}

		// Commander has printed the usage in place of a missing command.
		if (isHelp && !isJsonWanted(words)) {
			return {exitCode: 2, isCutShort: false};
		}

		const failure = isHelp ? new SwitchboardError('usage', 'No command given.', {nextStep: 'List the commands with: switchboard --help'}) : error;
		const failureCode = await fail(failure, program, words);
		await Promise.all([flush(process.stdout), flush(process.stderr)]);
		// What failed may have left something open that would keep the process.
		return {exitCode: failureCode, isCutShort: true};
	}
};

/** Answers the completion scripts. Offers nothing if the command line has a mistake. */
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

/** Runs the command line, given the words after the program's name. */
export const main = async (words: readonly string[]): Promise<Outcome> => {
	const [first = '', ...rest] = words;
	if (words.length === 2 && words.includes('--json') && words.some(word => versionFlags.has(word))) {
		return runCommand(['version', '--json']);
	}

	return first === completionWord || first.startsWith(`${completionWord}-`)
		? answerCompletion(first.slice(completionWord.length + 1), rest)
		: runCommand(words);
};
