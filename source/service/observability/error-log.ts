import {errorText, reasonOf} from '../../interface/errors.ts';
import {appendToRotatingFile} from '../../platform/private-files.ts';
import {logFilesIn} from '../data-folder.ts';
import type {LogError} from '../http/error-handler.ts';
import {StoreFailure} from '../store-errors.ts';

/** Reports to the operator at once, in whole sentences. */
export type Report = (text: string) => void;

/** Further entries are not kept while the log cannot be written. */
const maximumWaiting = 20;

const quietMilliseconds = 60_000;

/** Returns all details of an error, for the operator. */
export function stackOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
Returns a log of internal errors: `service.log` in the data folder, readable by its owner only. It has the method, the pattern of the path
and the error with its stack; no header, no body and no id, and so no key. It is a file because the UI may be drawing on the screen that
shows standard error.

@param dataFolder - `undefined` if the data is in a database elsewhere: then errors that `logEntry` does not get are reported.
@param report - called for trouble with the database or the log itself, for each kind once a minute at most.
@param logEntry - called with each entry, too.
*/
export function createErrorLog(dataFolder: string | undefined, report: Report, logEntry?: LogError) {
	const files = dataFolder === undefined ? undefined : logFilesIn(dataFolder);
	const isDue = createPacer();
	const waiting: string[] = [];

	/** Retries entries that could not be written, as on a full disk. */
	const writeWaiting = (): void => {
		if (files === undefined || waiting.length === 0) {
			return;
		}

		try {
			appendToRotatingFile(files, waiting.join(''));
			waiting.length = 0;
		} catch (error) {
			// A full disk must not turn one failed answer into a failed service.
			if (isDue(`log ${reasonOf(error)}`)) {
				report(`The log ${files[0]} cannot be written: ${reasonOf(error)}.`);
			}
		}
	};

	const append = (entry: Readonly<Record<string, string>>): void => {
		waiting.push(`${JSON.stringify({time: new Date().toISOString(), ...entry})}\n`);
		waiting.splice(0, waiting.length - maximumWaiting);
		writeWaiting();
	};

	const logError: LogError = (error, where) => {
		const isFailure = error instanceof StoreFailure;
		const isPaced = isFailure || files === undefined;
		if (isPaced && !isDue(isFailure ? error.message : `${where} ${reasonOf(error)}`)) {
			return;
		}

		if (isFailure) {
			report(errorText(error));
		} else if (files === undefined && logEntry === undefined) {
			report(`Internal error at ${where}: ${stackOf(error)}`);
		}

		logEntry?.(error, where);
		append({where, error: stackOf(error)});
	};

	return {
		logError,
		/** Warns of trouble that is not a failure yet, in whole sentences. */
		warn(text: string): void {
			report(text);
			append({warning: text});
		},
		writeWaiting,
	};
}

/**
Tells whether this is the first error, and then not again before a minute has passed: an error of one request is often an error of all.
*/
function createPacer() {
	const saidAt = new Map<string, number>();
	return (text: string): boolean => {
		const now = performance.now();
		const isDue = now - (saidAt.get(text) ?? -Infinity) > quietMilliseconds;
		if (isDue) {
			saidAt.set(text, now);
		}

		return isDue;
	};
}
