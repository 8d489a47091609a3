import type {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {type ServerChannel} from 'ssh2';

const interruptByte = 3;
const endByte = 4;

/** As the line discipline of a terminal does it: Enter is a line feed (termios(3), ICRNL). */
const withLineBreaks = (chunk: Buffer): Buffer => chunk.map(byte => byte === 13 ? 10 : byte) as Buffer;

/** Standard input from a channel. */
export class ChannelInput extends Readable {
	readonly #channel: ServerChannel;
	readonly #onInterrupt: () => void;
	#isAtEnd = false;
	#isStopped = false;
	readonly isTTY: boolean;
	isRaw: boolean;

	/** @param onInterrupt - called for Ctrl+C in a terminal that is not in raw mode. */
	constructor(channel: ServerChannel, {isTerminal, isRaw, onInterrupt}: {readonly isTerminal: boolean; readonly isRaw: boolean; readonly onInterrupt: () => void}) {
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

	/** From now on nothing is read, not even what is queued. */
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
