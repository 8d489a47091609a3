import process from 'node:process';
import type {WriteStream} from 'node:tty';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {StandardStreams} from '../platform/standard-streams.ts';
import {endingSignals, exitCodeOf} from './early-input.ts';

export type ExitSignal = {
	readonly reason: 'signal' | 'hangup' | 'error';
	readonly exitCode: number;
	/** The uncaught error, or why a session over SSH ends. */
	readonly error?: unknown;
};

/** Suspends the program for the shell, and notices when others do. Each watch returns a function that ends it. */
type JobControl = {
	/** Calls back instead of suspending, for example when another program sends the signal of Ctrl+Z. */
	watchSuspension(onSuspend: () => void): () => void;
	/** Calls back when the shell has continued the program. */
	watchContinuation(onContinue: () => void): () => void;
	/** Suspends the program; resolves when the shell continues it. Nothing may watch for suspension meanwhile. */
	suspend(): Promise<void>;
};

/**
The surroundings of a terminal besides its streams: its process, or one of many sessions in one process. Each watch returns a function that
ends it.
*/
export type TerminalHost = {
	/** Calls back when the size of the terminal may have changed. */
	watchSize(onResize: () => void): () => void;
	/**
	Has the size of the terminal read again, and calls back as above: a change is signalled only to the foreground job of the session, and
	in many containers and under `su -c` not at all.
	*/
	readSizeAgain(): void;
	/**
	Calls back when the UI must end.
	@param isForBorrower - true while Ctrl+C and Ctrl+\ are meant for a program that the terminal is lent to.
	*/
	watchEnd(onEnd: (exitSignal: ExitSignal) => void, isForBorrower: () => boolean): () => void;
	/** Calls back when the process exits at once. */
	watchExit(onExit: () => void): () => void;
	/** Keeps other output to the terminal, such as warnings, off the screen; the returned function writes it. */
	holdOtherOutput(): () => void;
	/** `undefined` if no shell could continue a suspended program. */
	readonly jobControl: JobControl | undefined;
};

export const hangup: ExitSignal = {reason: 'hangup', exitCode: exitCodeOf('SIGHUP')};

const watchExitSignals: TerminalHost['watchEnd'] = (onExitSignal, isForBorrower) => {
	const onSignal = (signal: NodeJS.Signals): void => {
		if (!(isForBorrower() && (signal === 'SIGINT' || signal === 'SIGQUIT'))) {
			onExitSignal(signal === 'SIGHUP' ? hangup : {reason: 'signal', exitCode: exitCodeOf(signal)});
		}
	};

	const stopWatching = [
		...endingSignals.map(signal => listenTo(process, signal, onSignal)),
		// Unhandled rejections arrive here too.
		listenTo(process, 'uncaughtException', (error: unknown) => onExitSignal({reason: 'error', exitCode: 1, error})),
	];
	return () => {
		for (const stop of stopWatching) {
			stop();
		}
	};
};

/** More text than this is from an error in a loop. */
const maximumHeldLength = 64 * 1024;

/**
Keeps standard error, such as warnings of Node.js, off the UI's screen.

@returns a function that stops buffering and writes the buffered text.
*/
export function bufferStderr(stderr: WriteStream): () => void {
	if (!stderr.isTTY) {
		return () => undefined;
	}

	const {write} = stderr;
	let buffered = '';
	stderr.write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
		const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
		buffered = (buffered + text).slice(0, maximumHeldLength);
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
}

/** A program that has not stopped by then has no shell that could continue it: the kernel has dropped the signal. */
const stopWaitMilliseconds = 200;

/** The host of a UI that has the whole process and its terminal. */
export const processHost: TerminalHost = {
	// Node reads the new size in its own listener, which is called before this one.
	watchSize: onResize => listenTo(process, 'SIGWINCH', onResize),
	readSizeAgain() {
		if (process.platform !== 'win32') {
			process.kill(process.pid, 'SIGWINCH');
		}
	},
	watchEnd: watchExitSignals,
	watchExit: onExit => listenTo(process, 'exit', onExit),
	holdOtherOutput: () => bufferStderr(process.stderr),
	jobControl:
		process.platform === 'win32'
			? undefined
			: {
					watchSuspension: onSuspend => listenTo(process, 'SIGTSTP', onSuspend),
					watchContinuation: onContinue => listenTo(process, 'SIGCONT', onContinue),
					async suspend() {
						const {promise: continued, resolve} = Promise.withResolvers<void>();
						const timer = setTimeout(resolve, stopWaitMilliseconds);
						const stopWatching = listenTo(process, 'SIGCONT', resolve);
						// Signals the whole job, including a parent such as `npm start`, as Ctrl+Z does in a terminal that is not raw.
						process.kill(0, 'SIGTSTP');
						await continued;
						stopWatching();
						clearTimeout(timer);
					},
				},
};

/** Returns the reason for which a session has to end; a hangup if none was given. */
export function endingReason({reason}: AbortSignal): SwitchboardError {
	return reason === undefined || (reason instanceof Error && reason.name === 'AbortError')
		? new SwitchboardError('hangup', 'The session has ended.')
		: toSwitchboardError(reason);
}

/** Returns the host of a UI that shares the process with others: it listens only to its own session. */
export function createRemoteHost({
	streams: {stdin, stdout},
	signal,
}: {
	readonly streams: StandardStreams;
	readonly signal: AbortSignal;
}): TerminalHost {
	return {
		watchSize: onResize => listenTo(stdout, 'resize', onResize),
		// The client sends each new size.
		readSizeAgain: nothing,
		watchEnd(onEnd) {
			const onAbort = (): void => {
				const error = endingReason(signal);
				onEnd({reason: error.kind === 'hangup' ? 'hangup' : 'signal', exitCode: error.exitCode, error});
			};

			// Output still arrives: a terminal without further input is given back like any other.
			const stopWatchingInput = listenTo(stdin, 'end', onAbort);
			signal.addEventListener('abort', onAbort, {once: true});
			return () => {
				signal.removeEventListener('abort', onAbort);
				stopWatchingInput();
			};
		},
		watchExit: () => nothing,
		holdOtherOutput: () => nothing,
		jobControl: undefined,
	};
}

function listenTo(emitter: NodeJS.EventEmitter, event: string, listener: (value: never) => void): () => void {
	emitter.on(event, listener as (value: unknown) => void);
	return () => {
		emitter.off(event, listener as (value: unknown) => void);
	};
}

const nothing = (): void => undefined;
