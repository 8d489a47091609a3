import {Buffer, delay, process} from './node.ts';
import {spawn} from '@lydell/node-pty';
import {createEmulatedScreen, framed, isMet, type ScreenCondition} from './emulated-screen.ts';
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

/** How long the exit of a program is waited for. */
const exitMilliseconds = 60_000;

/** Runs a program in a real pseudo-terminal, with headless xterm.js as its screen. */
export function openPseudoTerminal({command, args = [], env, columns = 80, rows = 24, cwd = process.cwd()}: PseudoTerminalOptions) {
	const shown = createEmulatedScreen({
		columns,
		rows,
		scrollback: 1000,
		ending: () => exit && JSON.stringify(exit),
		// Whoever waits may not have the terminal yet, and could not end it: the file of tests would never end.
		onLate: () => kill(),
	});
	const {emulator, lines: screen} = shown;
	const pty = spawn(command, [...args], {cols: columns, rows, cwd, env: {...env}, encoding: null});
	const chunks: Buffer[] = [];
	let outputLength = 0;
	const listeners = new Set<() => void>();
	let exit: {exitCode: number; signal: number | undefined} | undefined;
	let isCursorHidden = false;

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

		void shown.draw(chunk);
	});
	// Programs query the terminal's attributes.
	emulator.onData(answer => {
		if (exit === undefined) {
			pty.write(answer);
		}
	});

	const exited = new Promise<{exitCode: number; signal: number | undefined}>(resolve => {
		pty.onExit(async ({exitCode, signal}) => {
			await shown.draw('');
			exit = {exitCode, signal: signal === 0 ? undefined : signal};
			shown.look();
			resolve(exit);
		});
	});

	const kill = (): void => {
		try {
			pty.kill('SIGKILL');
		} catch {
			// It has ended.
		}
	};

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
		/** Ends the program where the deadline passes. */
		waitFor: shown.waitFor,
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
				const lines = await keyboard.press(key).waitFor(shownLines => isMet(effect, shownLines) || isAskedAgain(shownLines));
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
