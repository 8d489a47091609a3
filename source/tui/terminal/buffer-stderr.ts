import {type WriteStream} from 'node:tty';

/** More text than this comes from an error in a loop. */
const maximumLength = 64 * 1024;

/**
Keeps what is written to standard error, such as warnings of Node.js, off the screen that the UI draws on.

@returns a function that stops buffering and writes the buffered text.
*/
export const bufferStderr = (stderr: WriteStream): (() => void) => {
	if (!stderr.isTTY) {
		return () => undefined;
	}

	const {write} = stderr;
	let buffered = '';
	stderr.write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
		const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
		buffered = (buffered + text).slice(0, maximumLength);
		const callback = rest.at(-1);
		if (typeof callback === 'function') {
			queueMicrotask(callback as () => void);
		}

		return true;
	};

	return () => {
		stderr.write = write;
		if (buffered === '') {
			return;
		}

		stderr.write(buffered);
		buffered = '';
	};
};
