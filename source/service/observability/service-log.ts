import type {Writable} from 'node:stream';
import QuickLru from 'quick-lru';
import {cleanText} from '../../interface/clean-text.ts';
import {errorText, reasonOf, withoutFailing} from '../../interface/errors.ts';
import {explainFileError} from '../../platform/file-owner.ts';
import {appendToRotatingFile} from '../../platform/private-files.ts';
import {joinRuns} from '../../platform/turns.ts';
import {logFilesIn} from '../data-folder.ts';
import {StoreFailure, type Trouble} from '../store-errors.ts';
import type {Accounts, StoredKey} from '../store/store.ts';
import type {LogError} from '../http/error-handler.ts';
import type {EndedRequest, OnRequest} from './observe-requests.ts';

export type LogFormat = 'text' | 'json';

/** Each entry is one line. It holds no key and no body, and only the ids of the key, of the request, and of the record in its path. */
type Formatter = {
	readonly request: (time: string, request: EndedRequest) => string;
	readonly error: (time: string, error: unknown, where: string) => string;
	readonly message: (time: string, text: string) => string;
	readonly dropped: (time: string, count: number) => string;
};

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const maximumAccountLength = 100;

/** For the text of an error, which has its stack. */
const maximumMessageLength = 4000;

const formatters: Readonly<Record<LogFormat, Formatter>> = {
	json: {
		request: (time, {method, path, status, milliseconds, caller, address, requestId, record}) =>
			JSON.stringify({
				time,
				method,
				path,
				status,
				ms: rounded(milliseconds),
				account: caller === undefined ? null : cleanText(caller.account, maximumAccountLength),
				key: caller?.keyName ?? null,
				address: address ?? null,
				request: requestId ?? null,
				record: record ?? null,
			}),
		error: (time, error, where) => JSON.stringify({time, error: stackOf(error), where}),
		message: (time, text) => JSON.stringify({time, message: text}),
		dropped: (time, dropped) => JSON.stringify({time, dropped}),
	},
	text: {
		request(time, {method, path, status, milliseconds, caller, address = '-', requestId = '-', record = '-'}) {
			const sender =
				caller === undefined
					? 'account=- key=-'
					: `account=${JSON.stringify(cleanText(caller.account, maximumAccountLength))} key=${caller.keyName}`;
			return `${time} ${method} ${path} ${status} ${rounded(milliseconds)}ms ${sender} address=${address} request=${requestId} record=${record}`;
		},
		error: (time, error, where) => `${time} error at ${where}: ${cleanText(stackOf(error), maximumMessageLength)}`,
		message: (time, text) => `${time} ${cleanText(text, maximumMessageLength)}`,
		dropped: (time, count) => `${time} dropped ${count} lines that were not read in time`,
	},
};

const now = (): string => new Date().toISOString();

/** @param writeLine - accepts a line without its end. */
export function createServiceLog(format: LogFormat, writeLine: (line: string) => void) {
	const {request, error, message} = formatters[format];
	const logRequest: OnRequest = ended => writeLine(request(now(), ended));

	const logError: LogError = (reason, where) => writeLine(error(now(), reason, where));

	/** Writes a message to the operator, in whole sentences. */
	const note: Report = text => writeLine(message(now(), text));

	return {logRequest, logError, note};
}

/** For text that waits for a reader; further lines are dropped. */
const maximumWaitingLength = 256 * 1024;

/**
Returns a log on a stream whose reader may be slow, stuck or gone. This neither slows the program nor fills its memory, as the streams of
Fastify's own logger would. Dropped lines are counted, and their number is logged once there is room again.
*/
export function createStreamLog(format: LogFormat, stream: Writable) {
	let waiting = '';
	let droppedCount = 0;
	let isScheduled = false;

	const schedule = (): void => {
		if (isScheduled) {
			return;
		}

		isScheduled = true;
		// The lines of one turn of the event loop are written together.
		setImmediate(write);
	};

	const write = (): void => {
		const [lines, dropped] = [waiting, droppedCount];
		waiting = '';
		droppedCount = 0;
		stream.write(dropped === 0 ? lines : `${lines}${formatters[format].dropped(now(), dropped)}\n`, error => {
			isScheduled = false;
			if (error) {
				droppedCount += dropped + lines.split('\n').length - 1;
			}

			if (waiting !== '') {
				schedule();
			}
		});
	};

	return createServiceLog(format, line => {
		if (waiting.length + line.length > maximumWaitingLength) {
			droppedCount++;
			return;
		}

		waiting += `${line}\n`;
		schedule();
	});
}

/** This much is written at once. */
const maximumUnflushedLength = 64 * 1024;

/**
Writes lines to a file that rotates, within a second. Lines that cannot be written, as on a full disk, are dropped: no request fails because
of the log.

@param files - the current file and the earlier one.
*/
export function createFileWriter(files: readonly [file: string, earlier: string]) {
	let waiting = '';
	let timer: NodeJS.Timeout | undefined;

	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const text = waiting;
		waiting = '';
		if (text !== '') {
			// Later lines are tried again.
			withoutFailing(() => appendToRotatingFile(files, text));
		}
	};

	return {
		writeLine(line: string): void {
			waiting += `${line}\n`;
			if (waiting.length > maximumUnflushedLength) {
				flush();
			} else {
				timer ??= setTimeout(flush, 1000).unref();
			}
		},
		flush,
	};
}

const byId = (keys: readonly StoredKey[]): ReadonlyMap<number, StoredKey> => new Map(keys.map(key => [key.id, key]));

const describeKey = ({id, name, account}: StoredKey, verb: string): string =>
	`Key ${id} was ${verb}: ${JSON.stringify(cleanText(name))} of the account ${JSON.stringify(cleanText(account))}.`;

/**
Returns a function, to be called every two seconds, that reports each key that was created or revoked. Other processes do that, and share
only the database with this one; a key that exists for less than two seconds is missed.

@param known - the existing keys.
*/
export function createKeyReport({listKeys}: Pick<Accounts, 'listKeys'>, known: readonly StoredKey[], report: Report): () => void {
	let before = byId(known);
	const check = joinRuns(async () => {
		const current = byId(await listKeys());
		const changes = [
			...[...current.values()].filter(({id}) => !before.has(id)).map(key => describeKey(key, 'created')),
			...[...before.values()].filter(({id}) => !current.has(id)).map(key => describeKey(key, 'revoked')),
		];
		before = current;
		for (const change of changes) {
			report(change);
		}
	});
	// While the database is away, nothing changes.
	return () => void check().catch(() => undefined);
}

/** Reports to the operator at once, in whole sentences. */
export type Report = (text: string) => void;

/** Further entries are not kept while the log cannot be written. */
const maximumWaiting = 20;

/** Returns all details of an error, for the operator. */
function stackOf(error: unknown): string {
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
				report(`The log ${files[0]} cannot be written: ${explainFileError(error, files[0]).reason}.`);
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
			report(`${errorText(error)}${passing.has(error.trouble) ? ' The service then goes on by itself.' : ''}`);
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

/** Nobody needs to start the service again after these, unlike after damage. */
const passing: ReadonlySet<Trouble> = new Set(['no-room', 'unreachable']);

/**
Tells whether a text was not said within the last minute, and counts it as said: an error of one request is often an error of all.
*/
function createPacer() {
	const said = new QuickLru<string, true>({maxSize: 100, maxAge: 60_000});
	return (text: string): boolean => {
		const isDue = !said.has(text);
		if (isDue) {
			said.set(text, true);
		}

		return isDue;
	};
}
