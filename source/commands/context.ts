import {once} from 'node:events';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {styleText} from 'node:util';
import {SwitchboardError} from '../interface/errors.ts';
import type {Person} from '../interface/key-rights.ts';
import type {OutputStream, StandardStreams} from '../platform/standard-streams.ts';
import {cleanLines, cleanText} from '../interface/clean-text.ts';
import {stringifyJson, stringifyJsonInParts} from '../interface/json.ts';
import type {FileLane} from '../ssh/file-queue.ts';
import type {SessionPrograms} from '../ssh/run-session.ts';
import type {RemoteTarget} from '../settings/target.ts';
import {toAsciiText, withLongDots} from '../terminal/ascii.ts';
import {ownTimeZone, type TimeZone} from '../words/time-zone.ts';
import {hintOverSsh} from './allowed-commands.ts';
import type {Environment, GlobalOptions} from './global-options.ts';

/**
Returns the limit for all requests of a command (`--timeout`).

@param milliseconds - `undefined` for no limit.
*/
export function startTimeLimit(milliseconds: number | undefined) {
	const [whole, writes] = [new AbortController(), new AbortController()];
	let leftMilliseconds = milliseconds ?? Infinity;
	let startedAt = 0;
	let timers: readonly NodeJS.Timeout[] = [];
	let pauseCount = 0;

	const abort = (controller: AbortController) => (): void =>
		controller.abort(
			new SwitchboardError('timeout', `The command took longer than ${milliseconds! / 1000} s.`, {
				nextStep: 'Allow more time with --timeout DURATION.',
			}),
		);

	const start = (): void => {
		startedAt = performance.now();
		if (milliseconds === undefined) {
			return;
		}

		// Reserved to look up writes with an unknown outcome.
		const kept = Math.min(milliseconds * 0.25, 5000);
		timers = [setTimeout(abort(whole), leftMilliseconds), setTimeout(abort(writes), leftMilliseconds - kept)];
	};

	const end = (): void => {
		leftMilliseconds -= performance.now() - startedAt;
		for (const timer of timers) {
			clearTimeout(timer);
		}
	};

	start();
	return {
		/** Aborted with a `timeout` error when the time is up. */
		signal: whole.signal,
		/** For writes: aborted while there is still time to look up their outcome. */
		writeSignal: writes.signal,
		/** Stops the clock during work that has its own limit or waits for a person; if several are under way, until all have ended. */
		async pause<T>(work: () => Promise<T>): Promise<T> {
			if (pauseCount++ === 0) {
				end();
			}

			try {
				return await work();
			} finally {
				if (--pauseCount === 0) {
					start();
				}
			}
		},
		/** Stops the clock for good. */
		end,
	};
}

/** Returns the width of an output in columns; the given width if it is not a terminal or its width is unknown. */
export function outputWidth({columns = 0}: OutputStream, otherwise = 80): number {
	return columns > 0 ? columns : otherwise;
}

/** People copy a line with one of these, and a line break would end the command. */
const hasCommand = /\b(?:switchboard|sudo|ssh|chmod|chown|createdb|copy|lsof|pg_\w+|sqlite3|npm|npx) /;

/** Returns a line on standard error that shows the progress of a command, if standard error is a terminal. */
function createStatusLine({streams: {stderr}, env}: {readonly streams: Pick<StandardStreams, 'stderr'>; readonly env: Environment}) {
	const isSeen = stderr.isTTY && env['TERM'] !== 'dumb';
	const earliest = performance.now() + 2000;
	let wanted = '';
	let shown = '';
	let timer: NodeJS.Timeout | undefined;

	const draw = (): void => {
		if (wanted === shown || !isSeen) {
			return;
		}

		stderr.write(`\r\u{1B}[K${fit(wanted, outputWidth(stderr))}`);
		shown = wanted;
	};

	return {
		/** Replaces the text, at the earliest when the command has run for two seconds. */
		show(text: string): void {
			wanted = text;
			clearTimeout(timer);
			timer = setTimeout(draw, Math.max(0, earliest - performance.now())).unref();
		},
		/** Call this before anything else is written to the terminal. */
		clear(): void {
			wanted = '';
			clearTimeout(timer);
			draw();
		},
	};
}

/** Returns the text in one row, because a text that wraps could not be erased. Any character outside ASCII may be two columns wide. */
function fit(text: string, columns: number): string {
	const width = /^[ -~…]*$/.test(text) ? columns - 1 : Math.floor((columns - 1) / 2);
	// A person may want only ASCII, and all other texts end with an ellipsis.
	const end = /^[ -~]*$/.test(text) ? '...' : '…';
	return text.length <= width ? text : text.slice(0, Math.max(0, width - end.length)).toWellFormed() + end;
}

export type SessionAccess = {
	readonly person: Person | undefined;
	readonly timeZone: TimeZone;
	/** Tells authors of changes apart in a log. */
	readonly personId: string;
	readonly profileName: string;
	/** True if they may not change anything, whatever their command. */
	readonly isReadOnly: boolean;
	readonly file: FileLane;
	/** Throws a SwitchboardError if their profile cannot be used. */
	readonly resolveTarget: () => RemoteTarget;
	readonly cacheFolder: string;
	/** The folder with the presets of the profiles; by default the settings folder. */
	readonly configFolder: string | undefined;
	/** The folder with the logs of the profiles; by default the platform's. */
	readonly stateFolder: string | undefined;
};

/** Tells whether a person can be asked a question. */
export function isInteractive({streams: {stdin, stderr}}: Pick<Context, 'streams'>): boolean {
	return stdin.isTTY === true && stderr.isTTY === true;
}

const tones = {
	on: 'green',
	off: 'dim',
	unknown: 'yellow',
	added: 'green',
	removed: 'red',
	changed: 'yellow',
	title: 'bold',
	place: 'cyan',
	quiet: 'dim',
	error: 'red',
	warning: 'yellow',
} as const satisfies Readonly<Record<string, Parameters<typeof styleText>[0]>>;

/** The meaning of a text that is printed in colour. The text itself says it too. */
export type PrintTone = keyof typeof tones;

/**
Tells whether text is printed in colour there: if it is wanted and the output is a terminal, or if it is forced (`FORCE_COLOR`,
`CLICOLOR_FORCE`).
*/
export function isPainted({isColorWanted, isColorForced}: GlobalOptions, {isTTY}: OutputStream): boolean {
	return isColorWanted && (isColorForced || isTTY === true);
}

/**
Returns a text in the colour of its meaning, if colour is printed.

@param text - must be safe for a terminal, and measured already.
@param output - standard output by default.
*/
export function paint(
	{options, streams}: {readonly options: GlobalOptions; readonly streams: Pick<StandardStreams, 'stdout' | 'stderr'>},
	tone: PrintTone | undefined,
	text: string,
	output: OutputStream = streams.stdout,
): string {
	return tone !== undefined && text !== '' && isPainted(options, output) ? styleText(tones[tone], text, {validateStream: false}) : text;
}

/** Tells whether a person reads the results, rather than a script. */
export function isForPerson({streams: {stdout}}: Pick<Context, 'streams'>): boolean {
	return stdout.isTTY === true;
}

/**
Refuses a command that makes changes if `--read-only` is given, unless it is a dry run.

@throws SwitchboardError `read-only`
*/
export function refuseReadOnly({options, session, isDryRun}: Context): void {
	if (options.isReadOnly && !isDryRun) {
		throw session?.isReadOnly
			? new SwitchboardError('read-only', 'Your key may only read here: nothing was changed.')
			: new SwitchboardError('read-only', 'This command makes changes, which --read-only forbids.', {
					nextStep: 'Run it without --read-only.',
				});
	}
}

/** Notes after the output of a dry run that nothing was done. */
export function noteDryRun({isDryRun, note}: Context): void {
	if (isDryRun) {
		note('Nothing was changed: this was a dry run.');
	}
}

type ContextParts = {
	/** The words of the command, such as `agents edit`. */
	readonly commandName: string;
	/** True for a command that changes something on a service (in a dry run, that shows the changes). */
	readonly isChanging: boolean;
	readonly isDryRun: boolean;
	readonly isSure: boolean;
	/** True for a command without a time limit. */
	readonly isUnlimited: boolean;
	readonly env: Environment;
	/** Results are printed by the functions of the context. */
	readonly streams: StandardStreams;
	/** `undefined` for a command on this machine. */
	readonly session?: SessionAccess | undefined;
	/** Loads the programs that `ssh-serve` runs for others, because commands cannot import their own command line. */
	readonly loadPrograms?: (() => Promise<SessionPrograms>) | undefined;
	/** Aborted with a `SwitchboardError` when a signal ends the command. */
	readonly signal: AbortSignal;
	/** Makes SIGHUP call this function instead of ending the command, unless it returns false. Sessions have no such signal. */
	readonly handleHangup?: ((handle: () => boolean) => void) | undefined;
	/** Ends a successful command with this exit code instead of 0. */
	readonly exitWith?: ((exitCode: number) => void) | undefined;
};

/** Returns the context of a command: results go to standard output, everything else to standard error. */
export function createContext(options: GlobalOptions, {isUnlimited, ...parts}: ContextParts) {
	const {streams, signal, isDryRun, exitWith = () => undefined} = parts;
	const limit = startTimeLimit(isUnlimited ? undefined : options.timeoutMilliseconds);
	const statusLine = createStatusLine(parts);
	const underWay = new Set<Promise<unknown>>();
	let isReporting = false;

	/**
	Waits between the parts of a long output, so that signals are handled and a slow reader leaves little in memory. Changes are reported
	without waiting for a reader.
	*/
	const whenPrinted = async (): Promise<void> => {
		if (streams.stdout.writableNeedDrain && !isReporting) {
			// A closed pipe is not a failure: the listener of the stream reports the error.
			await once(streams.stdout, 'drain').catch(() => undefined);
		} else {
			await nextTurn();
		}
	};

	const inAscii = (text: string): string => (options.isAscii ? toAsciiText(text) : text);
	return {
		...parts,
		exitWith,
		timeZone: parts.session?.timeZone ?? ownTimeZone,
		// Whatever the command does, its client sends no change in a dry run.
		options: isDryRun ? {...options, isReadOnly: true} : options,
		/** For reads: aborted by a signal, or when the time of `--timeout` is up. */
		readSignal: AbortSignal.any([signal, limit.signal]),
		/** For writes: aborted early enough to look up their outcome. */
		writeSignal: AbortSignal.any([signal, limit.writeSignal]),
		/** Waits without limit for a person, or for work that has its own limit. */
		async waitFor<T>(work: () => Promise<T>): Promise<T> {
			statusLine.clear();
			return limit.pause(work);
		},
		/** Shows the current work on standard error, if it takes long and standard error is a terminal. */
		showProgress(text: string): void {
			const line = cleanText(text);
			statusLine.show(options.isAscii ? toAsciiText(withLongDots(line)) : line);
		},
		/** Lets work finish after a signal, before the command ends, so that it can still report its outcome. */
		async finishBeforeExit<T>(work: Promise<T>): Promise<T> {
			isReporting = true;
			underWay.add(work);
			try {
				return await work;
			} finally {
				underWay.delete(work);
			}
		},
		/** Ends the time limit and the line of progress. */
		close(): void {
			limit.end();
			statusLine.clear();
		},
		/** Resolves once all this work has ended, successfully or not. */
		async whenFinished(): Promise<void> {
			await Promise.allSettled(underWay);
		},
		/** True if there was such work: the output then lists the changes. */
		isReporting: () => isReporting,
		whenPrinted,
		/** Writes the result of the command to standard output; nothing else goes there. */
		print(text: string): void {
			statusLine.clear();
			streams.stdout.write(`${inAscii(text)}\n`);
		},
		/** Writes a value to standard output, for `--json`. */
		async printJson(value: unknown): Promise<void> {
			statusLine.clear();
			for (const part of stringifyJsonInParts(value)) {
				streams.stdout.write(part);
				await whenPrinted();
			}
		},
		/** Writes lines of a data format, or data from elsewhere, to standard output as they are. */
		printData(lines: string | Uint8Array): void {
			statusLine.clear();
			streams.stdout.write(lines);
		},
		/** Writes a message to standard error, in the colour of its meaning. */
		note(text: string, tone?: PrintTone): void {
			statusLine.clear();
			const typed = parts.session === undefined ? text : hintOverSsh(text);
			const shown = inAscii(cleanLines(typed));
			streams.stderr.write(`${paint({options, streams}, tone, breakLines(shown, streams.stderr), streams.stderr)}\n`);
		},
		/** Writes lines to standard error, which must be a terminal: they may be styled, and must be clean. */
		noteStyled(lines: readonly string[]): void {
			statusLine.clear();
			streams.stderr.write(lines.map(line => `${inAscii(line)}\n`).join(''));
		},
	};
}

/**
Breaks lines between words where a terminal would break them anywhere. Wide characters count as one column, and the terminal breaks such
lines.
*/
function breakLines(text: string, stream: OutputStream): string {
	const width = outputWidth(stream);
	return stream.isTTY === true
		? text
				.split('\n')
				.map(line =>
					line.length <= width || hasCommand.test(line)
						? line
						: line.replaceAll(new RegExp(`(.{1,${width}})(?: +|$)`, 'g'), '$1\n').trimEnd(),
				)
				.join('\n')
		: text;
}

export type Context = Readonly<ReturnType<typeof createContext>>;

/** Prints the result of a command: a value with `--json`, else words. */
export async function printJsonOr({options, printJson}: Context, value: unknown, inWords: () => Promise<void> | void): Promise<void> {
	if (options.isJson) {
		await printJson(value);
	} else {
		await inWords();
	}
}

/** Returns an error in the form for scripts (`docs/compatibility.md`, JSON): several problems of a state file become one line each. */
export function toPublicError({kind, message, nextStep = ''}: SwitchboardError): {readonly kind: string; readonly message: string} {
	return {kind, message: [cleanLines(message, 2000), cleanText(nextStep, 2000)].join(message.includes('\n') ? '\n' : ' ').trim()};
}

/** Prints the error that ends a command to standard error: a sentence and the next step, or one JSON value. */
export function reportError(
	error: SwitchboardError,
	{isJson, isDebug, isAscii}: {readonly isJson: boolean; readonly isDebug: boolean; readonly isAscii: boolean},
	stderr: OutputStream,
): void {
	if (isDebug && error.kind === 'unexpected') {
		// Only the stack: the errors of requests contain their headers, and so the key.
		const {stack = ''} = error.cause instanceof Error ? error.cause : error;
		stderr.write(`${cleanLines(stack)}\n`);
	}

	const text = isJson
		? stringifyJson({error: toPublicError(error)}, 0)
		: cleanLines([error.message, error.nextStep].filter(Boolean).join('\n'));
	stderr.write(`${isJson ? text : breakLines(isAscii ? toAsciiText(text) : text, stderr)}\n`);
}
