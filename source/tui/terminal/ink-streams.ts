import {EventEmitter} from 'node:events';
import {type Size} from './frame-writer.ts';

/**
What Ink takes for standard input: it gets one key at a time, each read before the next is given. Ink's own way with
chunks drops all keys of a chunk but the first, and takes a split sequence for Escape.
*/
// eslint-disable-next-line unicorn/prefer-event-target -- Ink listens as to a stream.
export class InkStdin extends EventEmitter {
	readonly #queue: string[] = [];

	/** Only to a terminal does Ink listen for keys; raw mode itself is none of its business here. */
	get isTTY(): true {
		return true;
	}

	/** Gives Ink a key; none where nobody in it listens. */
	push(sequence: string): void {
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
What Ink takes for standard output: with `debug` it writes whole frames and nothing else. Being no terminal keeps Ink
from writing cursor and paste modes of its own; its size makes Ink's layout and `useWindowSize` follow the real one.
*/
// eslint-disable-next-line unicorn/prefer-event-target -- Ink listens as to a stream.
export class InkStdout extends EventEmitter {
	readonly #draw: (frame: string) => void;
	columns: number;
	rows: number;

	constructor({columns, rows}: Size, draw: (frame: string) => void) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.#draw = draw;
		// Each `useWindowSize` listens.
		this.setMaxListeners(0);
	}

	get isTTY(): false {
		return false;
	}

	write(frame: string, callback?: () => void): boolean {
		// An empty write is Ink's way to wait for those before it.
		if (frame !== '') {
			this.#draw(frame);
		}

		if (callback !== undefined) {
			queueMicrotask(callback);
		}

		return true;
	}

	resize({columns, rows}: Size): void {
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

/** The options of Ink's `render` with which it leaves the terminal alone, and takes no notice of `CI`. */
export const createInkOptions = (stdin: InkStdin, stdout: InkStdout) => ({
	// These are all that Ink uses of the streams.
	stdin: stdin as unknown as NodeJS.ReadableStream,
	stdout: stdout as unknown as NodeJS.WritableStream,
	debug: true,
	interactive: true,
	patchConsole: false,
	exitOnCtrlC: false,
	alternateScreen: false,
}) as const;

export type InkOptions = ReturnType<typeof createInkOptions>;
