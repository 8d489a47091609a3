import {appendToRotatingFile} from '../../platform/rotating-file.ts';

const intervalMilliseconds = 1000;

/** So much is written at once. */
const maximumWaitingLength = 64 * 1024;

/** Writes lines to a file at intervals. */
export type FileWriter = {
	readonly writeLine: (line: string) => void;
	/** Writes what waits. */
	readonly flush: () => void;
};

/**
Writes lines to a file that rotates, a second after they came at the latest. What cannot be written, as on a full disk, is
dropped: the log is not worth an answer.

@param files - the current file and the earlier one.
*/
export const createFileWriter = (files: readonly [file: string, earlier: string]): FileWriter => {
	let waiting = '';
	let timer: NodeJS.Timeout | undefined;

	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const text = waiting;
		waiting = '';
		if (text === '') {
			return;
		}

		try {
			appendToRotatingFile(files, text);
		} catch {
			// The next lines are tried again.
		}
	};

	return {
		writeLine(line) {
			waiting += `${line}\n`;
			if (waiting.length > maximumWaitingLength) {
				flush();
			} else {
				timer ??= setTimeout(flush, intervalMilliseconds).unref();
			}
		},
		flush,
	};
};
