import {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {Readable, Writable} from 'node:stream';
import type {Connection, ServerChannel} from 'ssh2';
import {onReply, ping} from './inside-ssh2.ts';

export type RemoteTerminal = {readonly term: string; readonly columns: number; readonly rows: number};

/**
Asks the client for replies, which come in the order of the requests. A full window or a full socket shows too late that a connection is
slow: the system buffers megabytes of unsent data, and the client's window is as large.
*/
export function createRoundTrips(connection: Connection, socket: Socket) {
	const waiting: Array<() => void> = [];
	onReply(connection, () => {
		const callback = waiting.shift();
		if (callback === undefined) {
			// A reply to no request would suggest that everything was received.
			socket.destroy();
			return;
		}

		callback();
	});
	return {
		/** Calls back once the client has received everything sent so far; never, if the connection is cut. */
		next(callback: () => void): void {
			waiting.push(callback);
			ping(connection);
		},
		isWaiting: () => waiting.length > 0,
	};
}

export type RoundTrips = ReturnType<typeof createRoundTrips>;

const interruptByte = 3;
const endByte = 4;

/** As in the line discipline of a terminal: Enter is a line feed (termios(3), ICRNL). */
const withLineBreaks = (chunk: Buffer): Buffer => chunk.map(byte => (byte === 13 ? 10 : byte)) as Buffer;

/** Standard input from a channel. */
export class ChannelInput extends Readable {
	readonly #channel: ServerChannel;
	readonly #onInterrupt: () => void;
	#isAtEnd = false;
	#isStopped = false;
	readonly isTTY: boolean;
	isRaw: boolean;

	/** @param onInterrupt - called for Ctrl+C in a terminal that is not in raw mode. */
	constructor(
		channel: ServerChannel,
		{isTerminal, isRaw, onInterrupt}: {readonly isTerminal: boolean; readonly isRaw: boolean; readonly onInterrupt: () => void},
	) {
		super({highWaterMark: 64 * 1024});
		this.#channel = channel;
		this.isTTY = isTerminal;
		this.isRaw = isRaw;
		this.#onInterrupt = onInterrupt;
	}

	#takeTyped(chunk: Buffer): void {
		const end = chunk.findIndex(byte => byte === interruptByte || byte === endByte);
		const typed = end === -1 ? chunk : chunk.subarray(0, end);
		if (typed.length > 0) {
			this.#push(withLineBreaks(typed));
		}

		if (chunk[end] === endByte) {
			this.#push(null);
		} else if (end !== -1) {
			this.#onInterrupt();
		}
	}

	#push(chunk: Buffer | null): void {
		if (this.#isAtEnd) {
			return;
		}

		this.#isAtEnd = chunk === null;
		if (!this.push(chunk) && !this.#isAtEnd) {
			this.#channel.pause();
		}
	}

	setRawMode(isRaw: boolean): this {
		this.isRaw = isRaw;
		return this;
	}

	/** Takes bytes from the channel. Pauses it while nobody reads them. */
	receive(chunk: Buffer): void {
		if (this.isTTY && !this.isRaw) {
			this.#takeTyped(chunk);
		} else {
			this.#push(chunk);
		}
	}

	end(): void {
		this.#push(null);
	}

	/** Stops reading; queued input is dropped. */
	stop(): void {
		this.#isStopped = true;
		this.#isAtEnd = true;
		this.#channel.resume();
	}

	override read(size?: number): unknown {
		return this.#isStopped ? null : super.read(size);
	}

	override _read(): void {
		this.#channel.resume();
	}
}

/** On a terminal, a line feed by itself would leave the cursor in its column (termios(3), ONLCR). */
const withCarriageReturns = (chunk: Buffer): Buffer =>
	chunk.includes(10) ? Buffer.from(chunk.toString('latin1').replaceAll('\n', '\r\n'), 'latin1') : chunk;

/** Small, so that a slow connection is noticed before much is under way. */
const largestPart = 16 * 1024;

/** More than the output of any command that can wait for its reader. */
const mostQueuedBytes = 16 * 1024 * 1024;

/** A terminal shows frames, and only the newest counts; a pipe wants all bytes soon. */
const bytesUnderWay = {terminal: 8 * 1024, pipe: 256 * 1024};

type ChannelOutputOptions = {
	readonly target: Pick<Writable, 'write'>;
	readonly roundTrips: RoundTrips;
	readonly terminal: RemoteTerminal | undefined;
	/** Called when more is queued than a session may keep in memory. */
	readonly onOverflow: () => void;
	readonly onWrite: () => void;
	readonly enter: (action: () => void) => void;
};

/** Standard output or error through a channel. A write is done when more may be sent. */
export class ChannelOutput extends Writable {
	readonly #options: ChannelOutputOptions;
	readonly #mostUnderWay: number;
	#isGone = false;
	/** Called once the current chunk is sent. */
	#pending: (() => void) | undefined;
	/** Sends the rest of the chunk once there is room. */
	#sendRest: (() => void) | undefined;
	#sentBytes = 0;
	#receivedBytes = 0;
	#isAsking = false;
	readonly isTTY: boolean;
	columns?: number;
	rows?: number;

	constructor(options: ChannelOutputOptions) {
		super({highWaterMark: largestPart, decodeStrings: true});
		this.#options = options;
		this.isTTY = options.terminal !== undefined;
		this.#mostUnderWay = this.isTTY ? bytesUnderWay.terminal : bytesUnderWay.pipe;
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
			this.#sentBytes += part.length;
			this.#sendRest = () => this.#send(bytes.subarray(part.length));

			this.#ask();
			this.#release();
		});
	}

	/** Asks for a reply once half of the bytes that may be under way are. */
	#ask(): void {
		if (this.#isAsking || this.#sentBytes - this.#receivedBytes < this.#mostUnderWay / 2) {
			return;
		}

		const askedAt = this.#sentBytes;
		this.#isAsking = true;
		this.#options.roundTrips.next(() => {
			this.#isAsking = false;
			this.#receivedBytes = askedAt;
			this.#ask();
			this.#release();
		});
	}

	#release(): void {
		const sendRest = this.#sendRest;
		if (sendRest === undefined || this.#sentBytes - this.#receivedBytes > this.#mostUnderWay) {
			return;
		}

		this.#sendRest = undefined;
		this.#options.enter(sendRest);
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

	/** Drops everything written from now on, so that nobody waits for the connection. */
	drop(): void {
		this.#isGone = true;
		this.#finish();
	}

	override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
		this.#options.onWrite();
		this.#pending = done;
		this.#send(this.isTTY ? withCarriageReturns(chunk) : chunk);
	}

	/** Many small writes become few packets. */
	override _writev(chunks: ReadonlyArray<{readonly chunk: Buffer; readonly encoding: BufferEncoding}>, done: () => void): void {
		this._write(Buffer.concat(chunks.map(({chunk}) => chunk)), 'utf8', done);
	}
}
