import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import {programFile} from '../helpers/run-command.ts';
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
export const eventually = async (isMet: () => boolean): Promise<boolean> => {
	const deadline = performance.now() + deadlineMilliseconds;
	while (!isMet()) {
		if (performance.now() > deadline) {
			return false;
		}

		await delay(10);
	}

	return true;
};

/** Starts a command that runs until it is ended, with pipes. It is killed at the end of the test. */
export const startCommand = (words: readonly string[], env: Readonly<Record<string, string | undefined>>): RunningCommand => {
	const child = spawn(process.execPath, [programFile, ...words], {env, stdio: ['ignore', 'pipe', 'pipe']});
	let [output, errors] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	let isOver = false;
	const exited = (async () => {
		const [code] = await once(child, 'close') as [number | null];
		isOver = true;
		return code;
	})();

	const command: RunningCommand = {
		lines: () => output.split('\n').slice(0, -1),
		changes: () => command.lines().map(line => {
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
		kill(signal) {
			child.kill(signal);
		},
		closeOutput() {
			child.stdout.destroy();
		},
		exited,
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await exited;
		},
	};
	return command;
};
