import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {cleanText} from '../../interface/clean-text.ts';
import {counted} from '../../interface/format-count.ts';
import {stringifyJson} from '../../interface/json.ts';
import {environmentWithoutKeys} from '../../platform/key-variables.ts';
import {changeText} from '../../state/change-text.ts';
import type {Context} from '../context.ts';
import {changeVariables, toPublicChange, type SeenChange} from './seen-change.ts';

/** A program and its arguments. */
export type Command = {readonly program: string; readonly args: readonly string[]};

export type ProgramQueue = {
	/** Runs the program with a change, after it has ended for those before. */
	readonly add: (change: SeenChange) => void;
	/** Resolves once few enough changes wait, or when the queue is closed. */
	readonly whenReady: () => Promise<void>;
	/** Ends the program and drops the changes that wait. */
	readonly close: () => Promise<void>;
};

/** With more changes waiting, no new ones are looked for. */
const maximumWaiting = 100;

/** How long a program may take to end once it is told to. */
const graceMilliseconds = 5000;

const startProblems: Readonly<Record<string, string>> = {ENOENT: 'it was not found', EACCES: 'permission denied'};

const startProblem = (error: unknown): string => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
	return startProblems[code] ?? code;
};

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Tells the program to end, and ends it if it does not, or if another signal comes, which ends this process too. */
const endProgram = (child: ChildProcess): void => {
	child.kill('SIGTERM');
	const endBoth = (signal: NodeJS.Signals): void => {
		child.kill('SIGKILL');
		forget();
		process.kill(process.pid, signal);
	};

	const forget = (): void => {
		for (const signal of signals) {
			process.off(signal, endBoth);
		}
	};

	for (const signal of signals) {
		process.on(signal, endBoth);
	}

	const timer = setTimeout(() => {
		child.kill('SIGKILL');
	}, graceMilliseconds);
	child.once('exit', () => {
		forget();
		clearTimeout(timer);
	});
};

/**
Runs a program once for each change, one after the other and without a shell. The change is in its environment, which has no key, and as a
line of JSON on its standard input; what it prints goes to standard error. A failure is noted and the next change follows.
*/
export const createProgramQueue = ({note, env}: Context, {program, args}: Command): ProgramQueue => {
	const waiting: SeenChange[] = [];
	const name = cleanText(program, 80);
	let child: ChildProcess | undefined;
	let running: Promise<void> | undefined;
	let isClosed = false;
	let whenFewer = Promise.withResolvers<void>();

	const runOnce = async (change: SeenChange): Promise<void> => {
		try {
			child = spawn(program, args, {stdio: ['pipe', 2, 2], env: {...environmentWithoutKeys(env), ...changeVariables(change)}});
			// It need not read its input.
			child.stdin!.on('error', () => undefined);
			child.stdin!.end(`${stringifyJson(toPublicChange(change), 0)}\n`);
			const [code, signal] = await once(child, 'exit') as [number | null, NodeJS.Signals | null];
			if (code !== 0 && !isClosed) {
				note(`${name} ended with ${signal ?? `exit code ${code}`} for: ${changeText(change)}`);
			}
		} catch (error) {
			note(`${name} cannot be run: ${startProblem(error)}. The change was: ${changeText(change)}`);
		} finally {
			child = undefined;
		}
	};

	/** Closing empties the queue, which ends it. */
	const runAll = async (): Promise<void> => {
		for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
			await runOnce(change);
			if (waiting.length <= maximumWaiting) {
				whenFewer.resolve();
			}
		}

		running = undefined;
	};

	return {
		add(change) {
			if (isClosed) {
				return;
			}

			waiting.push(change);
			running ??= runAll();
		},
		async whenReady() {
			if (!(waiting.length > maximumWaiting) || isClosed) {
				return;
			}

			note(`${name} has not kept up: ${counted(waiting.length, 'change')} wait for it. New ones are looked for once it has.`);
			whenFewer = Promise.withResolvers();
			await whenFewer.promise;
		},
		async close() {
			if (!isClosed) {
				isClosed = true;
				whenFewer.resolve();
				const dropped = waiting.splice(0);
				if (dropped.length > 0) {
					note(`${name} was not run for ${counted(dropped.length, 'more change')}.`);
				}

				if (child !== undefined) {
					endProgram(child);
				}
			}

			await running;
		},
	};
};
