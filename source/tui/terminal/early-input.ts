import {Buffer} from 'node:buffer';
import process from 'node:process';
import {type ReadStream, type WriteStream} from 'node:tty';

export type EarlyInput = {
	/** Everything typed so far. Reading is the caller's own from here on; who takes it must listen before this turn ends. */
	take(): Uint8Array;
	/** Gives the terminal back, for when there will be no UI after all. Does nothing once the input was taken. */
	release(): void;
};

const controlC = 3;

/**
Reads the keyboard from the first moment, so that no key typed while the program loads is lost or echoed. Ctrl+C ends
the program at once, with exit code 0 as in the UI; a terminal that goes away ends it with 129.

@returns `undefined` where input or output is no terminal; then nothing is touched.
*/
export const startEarlyInput = (stdin: ReadStream = process.stdin, stdout: WriteStream = process.stdout): EarlyInput | undefined => {
	if (!stdin.isTTY || !stdout.isTTY) {
		return undefined;
	}

	let isReading = true;
	const chunks: Uint8Array[] = [];

	const end = (exitCode: number): void => {
		stdin.setRawMode(false);
		// Nothing else is loaded yet that could end the program.
		// eslint-disable-next-line unicorn/no-process-exit
		process.exit(exitCode);
	};

	const onData = (chunk: Uint8Array): void => {
		chunks.push(chunk);
		if (chunk.includes(controlC)) {
			end(0);
		}
	};

	const onHangup = (): void => {
		end(129);
	};

	const stopReading = (): void => {
		isReading = false;
		stdin.off('data', onData);
		stdin.off('end', onHangup);
		stdin.off('error', onHangup);
	};

	stdin.on('data', onData);
	stdin.on('end', onHangup);
	stdin.on('error', onHangup);
	stdin.setRawMode(true);

	return {
		take() {
			stopReading();
			return Buffer.concat(chunks.splice(0));
		},
		release() {
			if (!isReading) {
				return;
			}

			stopReading();
			stdin.setRawMode(false);
			stdin.pause();
		},
	};
};
