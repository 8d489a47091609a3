import process from 'node:process';
import {cleanLines} from '../interface/clean-text.ts';
import {stringifyJson} from '../interface/json.ts';
import {toAsciiText} from '../tui/terminal/ascii.ts';

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

/** What a command works with. */
export type Context = {
	readonly options: GlobalOptions;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Aborted with a `SwitchboardError` when a signal ends the command. */
	readonly signal: AbortSignal;
	/** Lets work finish after a signal, so that it can still report its outcome: the command ends after it. */
	readonly finishBeforeExit: <T>(work: Promise<T>) => Promise<T>;
	/** Resolves once all such work has ended, successfully or not. */
	readonly whenFinished: () => Promise<void>;
	/** Writes text to standard output: the result of the command, and nothing else. */
	readonly print: (text: string) => void;
	/** Writes a value to standard output, for `--json`. */
	readonly printJson: (value: unknown) => void;
	/** Writes a message to standard error. */
	readonly note: (text: string) => void;
};

/** True if a person can be asked a question. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** The context of a command: results go to standard output, everything else to standard error. */
export const createContext = (options: GlobalOptions, signal: AbortSignal): Context => {
	const underWay = new Set<Promise<unknown>>();
	return {
		options,
		env: process.env,
		signal,
		async finishBeforeExit(work) {
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
		print(text) {
			process.stdout.write(`${options.isAscii ? toAsciiText(text) : text}\n`);
		},
		printJson(value) {
			process.stdout.write(`${stringifyJson(value)}\n`);
		},
		note(text) {
			process.stderr.write(`${options.isAscii ? toAsciiText(cleanLines(text)) : cleanLines(text)}\n`);
		},
	};
};
