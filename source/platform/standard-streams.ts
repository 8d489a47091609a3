import type {Readable, Writable} from 'node:stream';

/** Standard input: of this process, or of an SSH session. */
export type InputStream = Readable & {
	/** True if it comes from a terminal. */
	readonly isTTY?: boolean;
	setRawMode?(isRaw: boolean): unknown;
};

/** Standard output or error. A terminal has a size, in cells, and emits `resize` when it changes. */
export type OutputStream = Writable & {readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number};

export type StandardStreams = {readonly stdin: InputStream; readonly stdout: OutputStream; readonly stderr: OutputStream};

/** Resolves once everything written to a stream is on its way, or cannot be sent. */
export async function flush(output: Writable): Promise<void> {
	return new Promise(resolve => {
		// An empty write fails too if nothing can be written.
		if (output.writableLength === 0) {
			resolve();
			return;
		}

		output.write('', () => resolve());
	});
}
