import process from 'node:process';
import {signalErrors, SwitchboardError} from '../interface/errors.ts';
import {flush} from '../platform/standard-streams.ts';
import {watchNpm} from '../platform/parent-process.ts';
import {createRun, type Surroundings} from './command.ts';
import {completionWord} from './completion.ts';
import {createCommandLine} from './command-line.ts';
import {screenTopics} from './help.ts';
import {runWords, watchUnread, type RunOutcome} from './run-words.ts';

/** Runs the words after the program's name. */
export async function runProgram(words: readonly string[], surroundings: Surroundings): Promise<RunOutcome> {
	const [first = '', ...rest] = words;
	return isForCompletion(words)
		? answerCompletion(first.slice(completionWord.length + 1), rest, surroundings)
		: runWords(words, surroundings);
}

const isForCompletion = ([first = '']: readonly string[]): boolean => first === completionWord || first.startsWith(`${completionWord}-`);

/** Answers the completion scripts. Offers nothing if the command line has a mistake. */
async function answerCompletion(shell: string, words: readonly string[], surroundings: Surroundings): Promise<RunOutcome> {
	const {answerShell} = await import('./completion/answer-shell.ts');
	const {streams, env} = surroundings;
	try {
		const lines = await answerShell(createCommandLine(createRun(surroundings), streams), shell, words, env);
		streams.stdout.write(lines.map(line => `${line}\n`).join(''));
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}
	}

	return {exitCode: 0, isCutShort: false};
}

/** Runs the words after the program's name in this process. */
export async function main(words: readonly string[]): Promise<RunOutcome> {
	const outcome = await runProgram(words, {
		// Ctrl+C ends a completion at once.
		...(isForCompletion(words) ? {signal: new AbortController().signal} : listenToSignals()),
		// Its streams are opened when they are first used.
		streams: process,
		env: process.env,
		async loadPrograms() {
			const [{runRemoteUi, warmUp}, {runRemoteCommand}] = await Promise.all([
				import('../tui/remote-ui.tsx'),
				import('./run-remote-command.ts'),
			]);
			await warmUp();
			return {openUi: async session => runRemoteUi(session, async () => screenTopics), runCommand: runRemoteCommand};
		},
		endUnread(exitCode) {
			watchUnread(process, () => {
				// eslint-disable-next-line unicorn/no-process-exit -- The output cannot be waited for.
				process.exit(exitCode);
			});
		},
	});
	if (outcome.isCutShort) {
		// `process.exit` drops unwritten output.
		await Promise.all([flush(process.stdout), flush(process.stderr)]);
	}

	return outcome;
}

/** The signal is aborted by the first signal that ends a command; a second signal ends the process. */
function listenToSignals(): Pick<Surroundings, 'signal' | 'handleHangup'> {
	const controller = new AbortController();
	let survive = (): boolean => false;
	const hangUp = (): void => {
		if (survive()) {
			return;
		}

		process.off('SIGHUP', hangUp);
		controller.abort(signalErrors.SIGHUP);
	};

	const terminate = (): void => controller.abort(signalErrors.SIGTERM);

	process.on('SIGHUP', hangUp);
	process.once('SIGTERM', terminate);
	process.once('SIGINT', () => controller.abort(signalErrors.SIGINT));
	watchNpm(terminate);
	return {
		signal: controller.signal,
		handleHangup(handle) {
			survive = handle;
		},
	};
}
