import {Buffer, delay, process} from './node.ts';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {keyBytes} from './key-bytes.ts';

export type PseudoTerminalOptions = {
	readonly command: string;
	readonly args?: readonly string[] | undefined;
	/** The whole environment; nothing is inherited. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly columns?: number | undefined;
	readonly rows?: number | undefined;
	readonly cwd?: string | undefined;
};

/** What to wait for: a text or pattern anywhere on the screen (lines joined by `\n`), or a condition on its lines. */
export type ScreenCondition = string | RegExp | ((lines: readonly string[]) => boolean);

/** True if the lines of a screen are what is waited for. */
export function isMet(condition: ScreenCondition, lines: readonly string[]): boolean {
	if (typeof condition === 'function') {
		return condition(lines);
	}

	const text = lines.join('\n');
	return typeof condition === 'string' ? text.includes(condition) : condition.test(text);
}

/** The visible rows of a terminal, without blanks at their ends. */
export function screenOf({rows, cols, buffer: {active}}: InstanceType<typeof xterm.Terminal>): readonly string[] {
	return Array.from(
		{length: rows},
		(_, row) =>
			active
				.getLine(active.viewportY + row)
				?.translateToString(false, 0, cols)
				.trimEnd() ?? '',
	);
}

/** How long the exit of a program is waited for. */
const exitMilliseconds = 60_000;

const framed = (lines: readonly string[]): string => ['┌──', ...lines.map(line => `│ ${line}`), '└──'].join('\n');

/** Runs a program in a real pseudo-terminal, with headless xterm.js as its screen. */
export function openPseudoTerminal({command, args = [], env, columns = 80, rows = 24, cwd = process.cwd()}: PseudoTerminalOptions) {
	const emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 1000});
	const pty = spawn(command, [...args], {cols: columns, rows, cwd, env: {...env}, encoding: null});
	const chunks: Buffer[] = [];
	let outputLength = 0;
	const listeners = new Set<() => void>();
	const watchers = new Set<() => void>();
	let exit: {exitCode: number; signal: number | undefined} | undefined;
	let isCursorHidden = false;

	const notify = (): void => {
		for (const watcher of watchers) {
			watcher();
		}
	};

	const watchCursor = (final: string, isHidden: boolean): void => {
		emulator.parser.registerCsiHandler({prefix: '?', final}, parameters => {
			isCursorHidden = parameters.includes(25) ? isHidden : isCursorHidden;
			return false;
		});
	};

	watchCursor('h', false);
	watchCursor('l', true);

	// Without an encoding the library returns buffers, despite its types.
	pty.onData((data: unknown) => {
		const chunk = data as Buffer;
		chunks.push(chunk);
		outputLength += chunk.length;
		for (const listener of listeners) {
			listener();
		}

		emulator.write(chunk, notify);
	});
	// Programs query the terminal's attributes.
	emulator.onData(answer => {
		if (exit === undefined) {
			pty.write(answer);
		}
	});

	const exited = new Promise<{exitCode: number; signal: number | undefined}>(resolve => {
		pty.onExit(({exitCode, signal}) =>
			emulator.write('', () => {
				exit = {exitCode, signal: signal === 0 ? undefined : signal};
				notify();
				resolve(exit);
			}),
		);
	});

	const kill = (): void => {
		try {
			pty.kill('SIGKILL');
		} catch {
			// It has ended.
		}
	};

	const screen = (): readonly string[] => screenOf(emulator);

	const exitInTime = async (): Promise<NonNullable<typeof exit>> =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				const lines = screen();
				// A wait without an end hangs the whole run: node:test has no deadline of its own.
				kill();
				reject(new Error(`The program did not exit within ${exitMilliseconds} ms. Its screen:\n${framed(lines)}`));
			}, exitMilliseconds);
			void exited.then(result => {
				clearTimeout(timer);
				resolve(result);
			});
		});

	let awaitedExit: ReturnType<typeof exitInTime> | undefined;

	const output = (): Buffer => Buffer.concat(chunks);

	const terminal = {
		pid: pty.pid,
		screen,
		/**
		Resolves when the program has exited and all its output is drawn. Rejects with the last screen, and ends the program, when that
		does not happen within a minute of the first look at it.
		*/
		get exited() {
			awaitedExit ??= exitInTime();
			return awaitedExit;
		},
		get output() {
			return output();
		},
		get outputLength() {
			return outputLength;
		},
		/** Calls back with every chunk as it comes, before it is drawn. Returns what ends that. */
		onOutput(callback: () => void) {
			listeners.add(callback);
			return () => {
				listeners.delete(callback);
			};
		},
		get cursor() {
			const {active} = emulator.buffer;
			return {row: active.cursorY, column: active.cursorX, isHidden: isCursorHidden};
		},
		get isAlternateScreen() {
			return emulator.buffer.active.type === 'alternate';
		},
		/** @throws Error with the last screen, when the program has ended or the deadline has passed: then it is ended. */
		async waitFor(condition: ScreenCondition, {deadlineMilliseconds = 20_000} = {}): Promise<readonly string[]> {
			return new Promise((resolve, reject) => {
				const settle = (): void => {
					const lines = screen();
					const hasSucceeded = isMet(condition, lines);
					if (!hasSucceeded && exit === undefined) {
						return;
					}

					watchers.delete(settle);
					clearTimeout(timer);
					if (hasSucceeded) {
						resolve(lines);
						return;
					}

					const ending = JSON.stringify(exit);
					reject(new Error(`The program ended (${ending}) before ${String(condition)} was on the screen:\n${framed(lines)}`));
				};

				const timer = setTimeout(() => {
					watchers.delete(settle);
					const lines = screen();
					// Whoever waits may not have the terminal yet, and could not end it: the file of tests would never end.
					kill();
					reject(
						new Error(
							`${String(condition)} was not on the screen within ${deadlineMilliseconds} ms, in which ${outputLength} bytes came:\n${framed(lines)}`,
						),
					);
				}, deadlineMilliseconds);
				watchers.add(settle);
				settle();
			});
		},
		mark: () => outputLength,
		bytesSince: (mark: number) => output().subarray(mark),
		kill(signal: NodeJS.Signals) {
			pty.kill(signal);
		},
		/** Stops reading output, as a stalled connection does. */
		stall() {
			pty.pause();
		},
		unstall() {
			pty.resume();
		},
		/** Hangs up, as a lost connection does. */
		hangUp() {
			// Closing our end is what makes the kernel send SIGHUP.
			(pty as unknown as {destroy(): void}).destroy();
		},
		async [Symbol.asyncDispose]() {
			if (exit === undefined) {
				kill();
				pty.resume();
				await exited;
			}

			emulator.dispose();
		},
	};
	/** Each returns the terminal, to wait for what comes of it. */
	const keyboard = {
		write(bytes: string | Uint8Array) {
			pty.write(bytes as string);
			return terminal;
		},
		/** Keys by name: a character, or `enter`, `escape`, `up`, `ctrl+c` … One write each. */
		press(...names: readonly string[]) {
			for (const name of names) {
				pty.write(keyBytes(name));
			}

			return terminal;
		},
		resize(newColumns: number, newRows: number) {
			emulator.resize(newColumns, newRows);
			pty.resize(newColumns, newRows);
			return terminal;
		},
		/** Says Yes with a key, and again as long as the question asks for that, as a person does who reads it; then waits for its effect. */
		async answer(key: string, effect: ScreenCondition): Promise<readonly string[]> {
			const isAskedAgain = (lines: readonly string[]): boolean => /Press \w+ again\./.test(lines.join(' ').replaceAll(/[\s│║]+/g, ' '));
			for (;;) {
				const lines = await keyboard.press(key).waitFor(shown => isMet(effect, shown) || isAskedAgain(shown));
				if (isMet(effect, lines)) {
					return lines;
				}

				// Any key before that makes it wait anew.
				await delay(200);
				if (!isAskedAgain(screen())) {
					return terminal.waitFor(effect);
				}
			}
		},
	};
	return Object.assign(terminal, keyboard);
}

export type PseudoTerminal = ReturnType<typeof openPseudoTerminal>;
