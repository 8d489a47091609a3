import {once} from 'node:events';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {cleanLines, cleanText} from '../interface/clean-text.ts';
import {stringifyJsonInParts} from '../interface/json.ts';
import type {SessionPrograms} from '../ssh/run-session.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import type {RemoteTarget} from '../settings/target.ts';
import {toAsciiText, withLongDots} from '../tui/terminal/ascii.ts';
import type {StatusLine} from './output/status-line.ts';
import type {TimeLimit} from './time-limit.ts';

/** The options that every command takes, before or after its name (`CONTRACT.md`, Commands). */
export type GlobalOptions = {
	readonly profile: string | undefined;
	readonly baseUrl: string | undefined;
	readonly isJson: boolean;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds: number | undefined;
	readonly isColorWanted: boolean;
	/** Text is printed in the nearest ASCII characters; JSON stays as it is. */
	readonly isAscii: boolean;
	readonly isDebug: boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is different for someone who came over SSH. */
export type SessionAccess = {
	readonly profileName: string;
	/** True if they may change nothing, whatever they ask for. */
	readonly isReadOnly: boolean;
	/** Throws a SwitchboardError if their profile cannot be used. */
	readonly resolveTarget: () => RemoteTarget;
	/** Where their caches are. */
	readonly cacheFolder: string;
	/** Where the journals of the profiles are; that of the platform by default. */
	readonly stateFolder: string | undefined;
};

/** What a command works with. */
export type Context = {
	/** Its words, such as `agents edit`. */
	readonly commandName: string;
	readonly options: GlobalOptions;
	/** True if the command only shows what it would change. */
	readonly isDryRun: boolean;
	/** True if `--yes` was given to a command that makes changes. */
	readonly isSure: boolean;
	readonly env: Environment;
	/** Standard input, output and error. Results are printed by the functions below. */
	readonly streams: StandardStreams;
	/** `undefined` for a command on this machine. */
	readonly session: SessionAccess | undefined;
	/** Loads what `ssh-serve` runs for others: commands cannot import the command line that they are part of. */
	readonly loadPrograms?: (() => Promise<SessionPrograms>) | undefined;
	/** Aborted with a `SwitchboardError` when a signal ends the command. */
	readonly signal: AbortSignal;
	/** From now on SIGHUP calls this instead of ending the command, unless it returns false. Sessions have none. */
	readonly handleHangup?: ((handle: () => boolean) => void) | undefined;
	/** For requests that read: aborted by a signal, or when the time of `--timeout` is up. */
	readonly readSignal: AbortSignal;
	/** For requests that write: aborted so early that their outcome can still be looked up. */
	readonly writeSignal: AbortSignal;
	/** Waits without limit for work that has a limit of its own, or for a person. */
	readonly waitFor: TimeLimit['pause'];
	/** Shows on standard error what the command is doing, if it takes long and that is a terminal. */
	readonly showProgress: (text: string) => void;
	/** Lets work finish after a signal, so that it can still report its outcome: the command ends after it. */
	readonly finishBeforeExit: <T>(work: Promise<T>) => Promise<T>;
	/** Resolves once all such work has ended, successfully or not. */
	readonly whenFinished: () => Promise<void>;
	/** True if there was such work: then the output tells what was changed. */
	readonly isReporting: () => boolean;
	/**
	For the parts of a long output: a signal has its turn, and a slow reader leaves little in memory. What was changed is
	told without waiting for a reader.
	*/
	readonly whenPrinted: () => Promise<void>;
	/** Writes text to standard output: the result of the command, and nothing else. */
	readonly print: (text: string) => void;
	/** Writes a value to standard output, for `--json`. */
	readonly printJson: (value: unknown) => Promise<void>;
	/** Writes whole lines of a data format to standard output, as they are. */
	readonly printData: (lines: string) => void;
	/** Writes a message to standard error. */
	readonly note: (text: string) => void;
	/** Ends a command that succeeds with this exit code instead of 0. */
	readonly exitWith: (exitCode: number) => void;
};

/** True if a person can be asked a question. */
export const isInteractive = ({streams: {stdin, stderr}}: Pick<Context, 'streams'>): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** True if a person reads the results: otherwise they are for a script. */
export const isForPerson = ({streams: {stdout}}: Pick<Context, 'streams'>): boolean => stdout.isTTY === true;

/** Resolves when the reader has taken what was written, or takes no more: a closed pipe is no failure. */
const whenDrained = async (stdout: StandardStreams['stdout']): Promise<void> => {
	try {
		await once(stdout, 'drain');
	} catch {
		// The listener of the stream reports the error.
	}
};

/** What the context of a command lives on. */
type ContextParts = Pick<Context, 'commandName' | 'streams' | 'env' | 'signal'> & {
	readonly session?: SessionAccess | undefined;
	readonly loadPrograms?: Context['loadPrograms'];
	readonly handleHangup?: Context['handleHangup'];
	readonly limit: TimeLimit;
	readonly statusLine: StatusLine;
	readonly exitWith?: Context['exitWith'] | undefined;
};

/** The context of a command: results go to standard output, everything else to standard error. */
export const createContext = (options: GlobalOptions, {
	commandName, streams, env, session, loadPrograms, handleHangup, signal, limit, statusLine, exitWith = () => undefined,
}: ContextParts): Context => {
	const underWay = new Set<Promise<unknown>>();
	let isReporting = false;
	const whenPrinted = async (): Promise<void> => {
		if (streams.stdout.writableNeedDrain && !isReporting) {
			await whenDrained(streams.stdout);
		} else {
			await nextTurn();
		}
	};

	const inAscii = (text: string): string => options.isAscii ? toAsciiText(text) : text;
	return {
		commandName,
		options,
		isDryRun: false,
		isSure: false,
		env,
		streams,
		session,
		loadPrograms,
		signal,
		handleHangup,
		readSignal: AbortSignal.any([signal, limit.signal]),
		writeSignal: AbortSignal.any([signal, limit.writeSignal]),
		async waitFor(work) {
			statusLine.clear();
			return limit.pause(work);
		},
		showProgress(text) {
			const line = cleanText(text);
			statusLine.show(options.isAscii ? toAsciiText(withLongDots(line)) : line);
		},
		async finishBeforeExit(work) {
			isReporting = true;
			underWay.add(work);
			try {
				return await work;
			} finally {
				underWay.delete(work);
			}
		},
		async whenFinished() {
			await Promise.allSettled(underWay);
		},
		isReporting: () => isReporting,
		whenPrinted,
		print(text) {
			statusLine.clear();
			streams.stdout.write(`${inAscii(text)}\n`);
		},
		async printJson(value) {
			statusLine.clear();
			for (const part of stringifyJsonInParts(value)) {
				streams.stdout.write(part);
				await whenPrinted();
			}
		},
		printData(lines) {
			statusLine.clear();
			streams.stdout.write(lines);
		},
		note(text) {
			statusLine.clear();
			streams.stderr.write(`${inAscii(cleanLines(text))}\n`);
		},
		exitWith,
	};
};
