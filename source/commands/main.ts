import process from 'node:process';
import {SwitchboardError} from '../interface/errors.ts';
import {signalErrors} from '../interface/signal-errors.ts';
import {flush} from '../platform/flush.ts';
import {watchNpm} from '../platform/npm-parent.ts';
import {createRun, type Surroundings} from './command.ts';
import {completionWord} from './completion/scripts.ts';
import {createCommandLine} from './command-line.ts';
import {watchUnread} from './output/unread-output.ts';
import {runWords, type Outcome} from './run-words.ts';

/** The signal is aborted by the first signal that ends a command; a second one ends the process. */
const listenToSignals = (): Pick<Surroundings, 'signal' | 'handleHangup'> => {
	const controller = new AbortController();
	let survive = (): boolean => false;
	const hangUp = (): void => {
		if (survive()) {
			return;
		}

		process.off('SIGHUP', hangUp);
		controller.abort(signalErrors.SIGHUP);
	};

	const terminate = (): void => {
		controller.abort(signalErrors.SIGTERM);
	};

	process.on('SIGHUP', hangUp);
	process.once('SIGTERM', terminate);
	process.once('SIGINT', () => {
		controller.abort(signalErrors.SIGINT);
	});
	watchNpm(terminate);
	return {
		signal: controller.signal,
		handleHangup(handle) {
			survive = handle;
		},
	};
};

/** Commands in this process. */
const createSurroundings = (signals: Pick<Surroundings, 'signal' | 'handleHangup'>): Surroundings => ({
	...signals,
	// Its streams are opened when they are first used.
	streams: process,
	env: process.env,
	async loadPrograms() {
		const {loadPrograms} = await import('./ssh/load-programs.ts');
		return loadPrograms();
	},
	endUnread(exitCode) {
		watchUnread(process, () => {
			// eslint-disable-next-line unicorn/no-process-exit -- The output cannot be waited for.
			process.exit(exitCode);
		});
	},
});

const runCommand = async (words: readonly string[]): Promise<Outcome> => {
	const outcome = await runWords(words, createSurroundings(listenToSignals()));
	if (outcome.isCutShort) {
		// `process.exit` drops what is not written.
		await Promise.all([flush(process.stdout), flush(process.stderr)]);
	}

	return outcome;
};

/** Answers the completion scripts. Offers nothing if the command line has a mistake. */
const answerCompletion = async (shell: string, words: readonly string[]): Promise<Outcome> => {
	const {answerShell} = await import('./completion/answer-shell.ts');
	const program = createCommandLine(createRun(createSurroundings({signal: new AbortController().signal})));
	try {
		const lines = await answerShell(program, shell, words, process.env);
		process.stdout.write(lines.map(line => `${line}\n`).join(''));
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}
	}

	return {exitCode: 0, isCutShort: false};
};

/** Runs the command line, given the words after the program's name. */
export const main = async (words: readonly string[]): Promise<Outcome> => {
	const [first = '', ...rest] = words;
	return first === completionWord || first.startsWith(`${completionWord}-`)
		? answerCompletion(first.slice(completionWord.length + 1), rest)
		: runCommand(words);
};
