import {delay, once, process, spawn} from '../helpers/node.ts';
import {PassThrough, Readable, type Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {signalErrors} from '../../source/interface/errors.ts';
import {programFile} from '../helpers/run-command.ts';
import {runOn} from '../helpers/run-in-process.ts';
import {parseJson} from './served-home.ts';

export type RunningCommand = AsyncDisposable & {
	/** What it has written to standard output so far, by lines. */
	lines(): readonly string[];
	/** The same as JSON, without the time at which each change was seen. */
	changes(): ReadonlyArray<Readonly<Record<string, unknown>>>;
	/** What it has written to standard error so far. */
	errors(): string;
	/** @throws Error with all that was written if the condition is not met within the deadline. */
	waitFor(condition: (command: RunningCommand) => boolean): Promise<void>;
	kill(signal: NodeJS.Signals): void;
	/** Closes the pipe that it writes its output to. */
	closeOutput(): void;
	readonly exited: Promise<number | null>;
};

const deadlineMilliseconds = 60_000;

/** Polls the condition every few milliseconds; false if the deadline passes first. */
export async function eventually(isMet: () => boolean): Promise<boolean> {
	const deadline = performance.now() + deadlineMilliseconds;
	while (!isMet()) {
		if (performance.now() > deadline) {
			return false;
		}

		await delay(10);
	}

	return true;
}

/** The streams of a program that runs, and the ways to end it. */
export type Running = Pick<RunningCommand, 'kill' | 'closeOutput' | 'exited'> & {readonly stdout: Readable; readonly stderr: Readable};

/** Starts a command that runs until it is ended, as a process with pipes. */
export function spawnCommand(
	words: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): Running & {readonly stdin: Writable} {
	const child = spawn(process.execPath, [programFile, ...words], {env, stdio: 'pipe'});
	child.stdin.on('error', () => undefined);
	return {
		stdin: child.stdin,
		stdout: child.stdout,
		stderr: child.stderr,
		exited: once(child, 'close').then(([code]) => code as number | null),
		kill(signal) {
			child.kill(signal);
		},
		closeOutput() {
			child.stdout.destroy();
		},
	};
}

/** Runs such a command in this process. */
export function runHere(words: readonly string[], env: Readonly<Record<string, string | undefined>>, stdin: Readable): Running {
	const [stdout, stderr] = [new PassThrough(), new PassThrough()];
	const ending = new AbortController();
	stdout.on('error', () => undefined);
	const run = async (): Promise<number> => {
		const exitCode = await runOn(words, {env, streams: {stdin, stdout, stderr}, signal: ending.signal});
		// What it has written is read in later turns.
		await Promise.all([stdout, stderr].map(async output => (output.destroyed ? undefined : finished(output.end()))));
		return exitCode;
	};

	return {
		stdout,
		stderr,
		exited: run(),
		kill: signal => ending.abort(signalErrors[signal as keyof typeof signalErrors]),
		closeOutput() {
			stdout.destroy(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}));
		},
	};
}

/** Starts a command that runs until it is ended, as a process without input. It is killed at the end of the test. */
export function startCommand(words: readonly string[], env: Readonly<Record<string, string | undefined>>): RunningCommand {
	const {stdin, ...running} = spawnCommand(words, env);
	stdin.end();
	return readRunning(running, 'SIGKILL');
}

/** The same in this process. */
export function startInProcess(words: readonly string[], env: Readonly<Record<string, string | undefined>>): RunningCommand {
	return readRunning(runHere(words, env, Readable.from([])), 'SIGTERM');
}

function readRunning({stdout, stderr, ...running}: Running, lastSignal: NodeJS.Signals): RunningCommand {
	let [output, errors] = ['', ''];
	stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	let isOver = false;
	const exited = (async () => {
		const code = await running.exited;
		isOver = true;
		return code;
	})();

	const command: RunningCommand = {
		lines: () => output.split('\n').slice(0, -1),
		changes: () =>
			command.lines().map(line => {
				const {at: _at, ...change} = parseJson(line) as Readonly<Record<string, unknown>>;
				return change;
			}),
		errors: () => errors,
		async waitFor(condition) {
			await eventually(() => isOver || condition(command));
			if (!condition(command)) {
				throw new Error(`It did not come${isOver ? ' before the command ended' : ''}. Output:\n${output}\nErrors:\n${errors}`);
			}
		},
		...running,
		exited,
		async [Symbol.asyncDispose]() {
			running.kill(lastSignal);
			await exited;
		},
	};
	return command;
}
