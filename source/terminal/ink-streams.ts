import {EventEmitter} from 'node:events';
import type {FrameSize} from './frame-writer.ts';
import type {Key} from './key.ts';

/** The keys without text that fields and menus of Ink use. */
const sequences: ReadonlyMap<string, string> = new Map([
	['enter', '\r'],
	['up', '\u{1B}[A'],
	['down', '\u{1B}[B'],
]);

/** Returns a key in the form that Ink reads; empty if Ink has no use for it. */
export function inkSequence({name, text}: Key): string {
	return text || (sequences.get(name) ?? '');
}

/**
Ink's standard input: it gets one key at a time, and reads each before the next is sent. From a whole chunk, Ink drops all keys but the
first, and reads a split sequence as Escape.
*/
// eslint-disable-next-line unicorn/prefer-event-target -- Ink listens as to a stream.
export class InkStdin extends EventEmitter {
	readonly #queue: string[] = [];

	/** Ink reads keys only from a terminal; it does not control raw mode here. */
	get isTTY(): true {
		return true;
	}

	/** Sends Ink a key; ignored if Ink does not know the key or is not listening. */
	push(key: Key): void {
		const sequence = inkSequence(key);
		if (sequence === '' || this.listenerCount('readable') === 0) {
			return;
		}

		this.#queue.push(sequence);
		this.emit('readable');
	}

	read(): string | null {
		return this.#queue.shift() ?? null;
	}

	setRawMode(): this {
		return this;
	}

	setEncoding(): this {
		return this;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}
}

/**
Ink's standard output: with `debug` Ink writes whole frames and nothing else. As this is not a terminal, Ink sets no cursor and paste modes;
its size makes Ink's layout and `useWindowSize` follow the real terminal.
*/
// eslint-disable-next-line unicorn/prefer-event-target -- Ink listens as to a stream.
export class InkStdout extends EventEmitter {
	readonly #draw: (frame: string) => void;
	columns: number;
	rows: number;

	constructor({columns, rows}: FrameSize, draw: (frame: string) => void) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.#draw = draw;
		// Each `useWindowSize` adds a listener.
		this.setMaxListeners(0);
	}

	get isTTY(): false {
		return false;
	}

	write(frame: string, callback?: () => void): boolean {
		// After an empty write Ink waits for earlier writes.
		if (frame !== '') {
			this.#draw(frame);
		}

		if (callback !== undefined) {
			queueMicrotask(callback);
		}

		return true;
	}

	resize({columns, rows}: FrameSize): void {
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

/** Returns the options for Ink's `render` that make it leave the terminal alone and ignore `CI`. */
export function createInkOptions(stdin: InkStdin, stdout: InkStdout) {
	return {
		// The classes implement all that Ink uses of the streams.
		stdin: stdin as unknown as NodeJS.ReadableStream,
		stdout: stdout as unknown as NodeJS.WritableStream,
		debug: true,
		interactive: true,
		patchConsole: false,
		exitOnCtrlC: false,
		alternateScreen: false,
	} as const;
}
