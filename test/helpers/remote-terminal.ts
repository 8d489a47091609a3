import {createHash} from './node.ts';
import {Readable, Writable} from 'node:stream';
import {SwitchboardError} from '../../source/interface/errors.ts';
import type {InputStream, OutputStream} from '../../source/platform/standard-streams.ts';
import type {RemoteSession} from '../../source/settings/remote-session.ts';
import {Reader} from './reader.ts';
import {keyBytes} from './key-bytes.ts';
import {createEmulatedScreen, type ScreenCondition} from './emulated-screen.ts';

export type RemoteTerminalOptions = Partial<Pick<RemoteSession, 'fingerprint' | 'profileName' | 'isReadOnly' | 'env'>> & {
	readonly columns?: number;
	readonly rows?: number;
};

/** The deadline for anything that a test waits for, on a busy machine. */
const deadlineMilliseconds = 60_000;

/** A fingerprint as OpenSSH prints it; another one for each name. */
export function fingerprintOf(name: string): string {
	return `SHA256:${createHash('sha256').update(name).digest('base64').slice(0, 43)}`;
}

class Output extends Writable implements OutputStream {
	readonly #onBytes: (bytes: string, onDrawn: () => void) => void;
	readonly reader = new Reader();
	columns: number;
	rows: number;

	constructor({columns, rows}: {columns: number; rows: number}, onBytes: (bytes: string, onDrawn: () => void) => void) {
		super({decodeStrings: false});
		this.columns = columns;
		this.rows = rows;
		this.#onBytes = onBytes;
	}

	get isTTY(): true {
		return true;
	}

	get text(): string {
		return this.reader.text;
	}

	override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, callback: () => void): void {
		const bytes = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
		this.reader.take(bytes, () => this.#onBytes(bytes, callback));
	}
}

/** Somebody's terminal at the other end of a line: the streams of a channel in memory, with headless xterm.js as the screen. */
export class RemoteTerminal {
	readonly #screen: ReturnType<typeof createEmulatedScreen>;
	readonly #input: InputStream = new Readable({read: () => undefined});
	readonly #ending = new AbortController();
	readonly session: RemoteSession;
	readonly output: Output;

	constructor({columns = 80, rows = 24, ...options}: RemoteTerminalOptions = {}) {
		this.#screen = createEmulatedScreen({columns, rows, deadlineMilliseconds});
		this.output = new Output({columns, rows}, (bytes, onDrawn) => void this.#screen.draw(bytes).then(onDrawn));
		// It answers where it is asked, as for its state.
		this.#screen.emulator.onData(answer => {
			this.write(answer);
		});
		this.session = {
			fingerprint: fingerprintOf('a'),
			person: {name: 'anna', address: '203.0.113.7'},
			timeZone: {zone: undefined, isOwn: false},
			profileName: 'home',
			isReadOnly: false,
			// Without colours the current tab is in brackets.
			env: {TERM: 'xterm-256color', LANG: 'C.UTF-8', NO_COLOR: '1'},
			...options,
			streams: {
				stdin: this.#input,
				stdout: this.output,
				stderr: new Writable({
					write(_chunk, _encoding, callback) {
						callback();
					},
				}),
			},
			signal: this.#ending.signal,
		};
	}

	get isAlternateScreen(): boolean {
		return this.#screen.emulator.buffer.active.type === 'alternate';
	}

	/** What is read or was not read yet, in bytes. */
	get queuedBytes(): number {
		return this.output.writableLength;
	}

	write(bytes: string): this {
		if (!this.#input.destroyed) {
			this.#input.push(bytes);
		}

		return this;
	}

	press(...names: readonly string[]): this {
		for (const name of names) {
			this.write(keyBytes(name));
		}

		return this;
	}

	resize(columns: number, rows: number): void {
		this.#screen.emulator.resize(columns, rows);
		this.output.columns = columns;
		this.output.rows = rows;
		this.output.emit('resize');
	}

	/** Stops reading, as a stalled line does. */
	stall(): void {
		this.output.reader.isStalled = true;
	}

	unstall(): void {
		this.output.reader.goOn();
	}

	/** Cuts the line without a word: nobody reads any more, and the server notices. */
	cut(): void {
		this.stall();
		this.#input.destroy();
		this.output.destroy();
		this.end(new SwitchboardError('hangup', 'The connection was cut.'));
	}

	end(reason: SwitchboardError): void {
		this.#ending.abort(reason);
	}

	screen(): readonly string[] {
		return this.#screen.lines();
	}

	hasColors(): boolean {
		const {rows, cols, buffer} = this.#screen.emulator;
		return Array.from({length: rows * cols}, (_, index) => buffer.active.getLine(Math.floor(index / cols))?.getCell(index % cols)).some(
			cell => cell !== undefined && !(cell.isFgDefault() && cell.isBgDefault()),
		);
	}

	async waitFor(condition: ScreenCondition): Promise<readonly string[]> {
		return this.#screen.waitFor(condition);
	}
}
