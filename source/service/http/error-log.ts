import {errorText, reasonOf} from '../../interface/errors.ts';
import {appendToRotatingFile} from '../../platform/rotating-file.ts';
import {logFilesIn} from '../data-folder.ts';
import {StoreFailure} from '../store/store-errors.ts';

/** Logs an unexpected failure for the operator of the service. */
export type LogError = (error: unknown, where: string) => void;

export type ErrorLog = {
	readonly logError: LogError;
	/** Warns of what is no failure yet, in whole sentences. */
	warn(text: string): void;
	/** Tries again to write what could not be written, as on a full disk. */
	writeWaiting(): void;
};

/** Tells the operator something at once, in whole sentences. */
export type Report = (text: string) => void;

/** More entries than this are not kept while the log cannot be written. */
const maximumWaiting = 20;

const quietMilliseconds = 60_000;

/** True for the first time, and then not before a minute has passed: what fails for one request fails for all. */
const createPacer = () => {
	const saidAt = new Map<string, number>();
	return (what: string): boolean => {
		const now = performance.now();
		const isDue = now - (saidAt.get(what) ?? -Infinity) > quietMilliseconds;
		if (isDue) {
			saidAt.set(what, now);
		}

		return isDue;
	};
};

/** All that is known of an error, for the operator. */
export const stackOf = (error: unknown): string => error instanceof Error ? error.stack ?? error.message : String(error);

/** Without a data folder there is no file: each error that is not logged elsewhere is reported instead, the same once a minute at most. */
const createReportedLog = (report: Report, logEntry: LogError | undefined): ErrorLog => {
	const isDue = createPacer();
	return {
		logError(error, where) {
			const isFailure = error instanceof StoreFailure;
			if (!isDue(isFailure ? error.message : `${where} ${reasonOf(error)}`)) {
				return;
			}

			if (logEntry === undefined || isFailure) {
				report(isFailure ? errorText(error) : `Internal error at ${where}: ${stackOf(error)}`);
			}

			logEntry?.(error, where);
		},
		warn: report,
		writeWaiting() {/* Nothing waits. */},
	};
};

/**
A log of internal errors: `service.log` in the data folder, readable by its owner only. It has the method, the pattern of the
path and the error with its stack; no header, no body and no id, and so no key. It is a file because standard error may be a
screen that the UI draws on.

@param dataFolder - `undefined` if the data is in a database elsewhere: then `report` is told of all errors.
@param report - is told of trouble with the database or the log itself, once a minute at most.
@param logEntry - is given what is written.
*/
export const createErrorLog = (dataFolder: string | undefined, report: Report, logEntry?: LogError): ErrorLog => {
	if (dataFolder === undefined) {
		return createReportedLog(report, logEntry);
	}

	const files = logFilesIn(dataFolder);
	const isDue = createPacer();

	const waiting: string[] = [];

	const writeWaiting = (): void => {
		if (waiting.length === 0) {
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

	const write = (error: unknown, where: string): void => {
		logEntry?.(error, where);
		append({where, error: stackOf(error)});
	};

	return {
		logError(error, where) {
			if (!(error instanceof StoreFailure)) {
				write(error, where);
			} else if (isDue(error.message)) {
				report(errorText(error));
				write(error, where);
			}
		},
		warn(text) {
			report(text);
			append({warning: text});
		},
		writeWaiting,
	};
};
