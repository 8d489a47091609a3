import {Buffer} from 'node:buffer';
import {Writable} from 'node:stream';
import {type RemoteTerminal} from './terminal-request.ts';
import {type Flow} from './round-trips.ts';

/** A terminal whose program writes line breaks alone would go down without going back (termios(3), ONLCR). */
const withCarriageReturns = (chunk: Buffer): Buffer => chunk.includes(10) ? Buffer.from(chunk.toString('latin1').replaceAll('\n', '\r\n'), 'latin1') : chunk;

/** So little that a slow line is noticed before much is under way. */
const largestPart = 16 * 1024;

/** More than any output that does not wait for its reader. */
const mostQueuedBytes = 16 * 1024 * 1024;

export type ChannelOutputOptions = {
	readonly target: Pick<Writable, 'write'>;
	readonly flow: Flow;
	readonly terminal: RemoteTerminal | undefined;
	/** Called when more is queued than a session may keep in memory. */
	readonly onOverflow: () => void;
	readonly onActivity: () => void;
	/** Runs what the session waits for. */
	readonly enter: (action: () => void) => void;
};

/** Standard output or error through a channel. A write is done when the line has room for more. */
export class ChannelOutput extends Writable {
	readonly #options: ChannelOutputOptions;
	#isGone = false;
	#pending: (() => void) | undefined;
	readonly isTTY: boolean;
	columns?: number;
	rows?: number;

	constructor(options: ChannelOutputOptions) {
		super({highWaterMark: largestPart, decodeStrings: true});
		this.#options = options;
		this.isTTY = options.terminal !== undefined;
		if (options.terminal !== undefined) {
			this.columns = options.terminal.columns;
			this.rows = options.terminal.rows;
		}

		const write = this.write.bind(this) as (...words: readonly unknown[]) => boolean;
		this.write = (...words: readonly unknown[]): boolean => {
			const hasRoom = write(...words);
			if (this.writableLength > mostQueuedBytes) {
				options.onOverflow();
			}

			return hasRoom;
		};
	}

	#send(bytes: Buffer): void {
		if (this.#isGone || bytes.length === 0) {
			this.#finish();
			return;
		}

		const part = bytes.subarray(0, largestPart);
		this.#options.target.write(part, () => {
			this.#options.flow.sent(part.length, () => {
				this.#options.enter(() => {
					this.#send(bytes.subarray(part.length));
				});
			});
		});
	}

	#finish(): void {
		const done = this.#pending;
		this.#pending = undefined;
		done?.();
	}

	resize(columns: number, rows: number): void {
		if (columns === this.columns && rows === this.rows) {
			return;
		}

		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}

	/** From now on, everything written is dropped at once: who waits for the line is not kept waiting. */
	drop(): void {
		this.#isGone = true;
		this.#finish();
	}

	override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
		this.#options.onActivity();
		this.#pending = done;
		this.#send(this.isTTY ? withCarriageReturns(chunk) : chunk);
	}

	/** Many small writes become few packets. */
	override _writev(chunks: ReadonlyArray<{readonly chunk: Buffer; readonly encoding: BufferEncoding}>, done: () => void): void {
		this._write(Buffer.concat(chunks.map(({chunk}) => chunk)), 'utf8', done);
	}
}
