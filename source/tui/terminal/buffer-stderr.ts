import {type WriteStream} from 'node:tty';

/** A program that has more to say than this goes wrong in a loop. */
const longestHeldText = 64 * 1024;

/**
Keeps what anyone writes on standard error, a warning of Node's for one, from the screen that the UI draws on.

@returns what writes it after all, once the screen is the shell's again.
*/
export const bufferStderr = (stderr: WriteStream): (() => void) => {
	if (!stderr.isTTY) {
		return () => undefined;
	}

	const {write} = stderr;
	let held = '';
	stderr.write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
		const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
		held = (held + text).slice(0, longestHeldText);
		const callback = rest.at(-1);
		if (typeof callback === 'function') {
			queueMicrotask(callback as () => void);
		}

		return true;
	};

	return () => {
		stderr.write = write;
		if (held === '') {
			return;
		}

		stderr.write(held);
		held = '';
	};
};
