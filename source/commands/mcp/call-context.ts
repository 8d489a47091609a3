import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {revealLine} from '../../interface/reveal-text.ts';
import type {Context} from '../context.ts';
import {startTimeLimit} from '../time-limit.ts';

export type CallContext = {
	readonly context: Context;
	/** What the command would have written to standard error. */
	readonly notes: readonly string[];
	/** Stops the clock of `--timeout`. */
	readonly end: () => void;
};

/**
The context of one call of a tool. It prints nothing, since standard output belongs to the protocol. It ends with the server and when
the client cancels the call; `--timeout` is the limit of each call.

@param cancelled - aborted when the client cancels the call, or is gone.
@param showProgress - gets what the call is doing.
*/
export const createCallContext = (server: Context, cancelled: AbortSignal, showProgress: (text: string) => void): CallContext => {
	const limit = startTimeLimit(server.options.timeoutMilliseconds);
	const cancellation = new AbortController();
	const cancel = (): void => {
		cancellation.abort(new SwitchboardError('interrupted', 'The call was cancelled.'));
	};

	if (cancelled.aborted) {
		cancel();
	} else {
		cancelled.addEventListener('abort', cancel, {once: true});
	}

	const signal = AbortSignal.any([server.signal, cancellation.signal]);
	const notes: string[] = [];
	return {
		notes,
		end: limit.end,
		context: {
			...server,
			options: {...server.options, isJson: false},
			signal,
			readSignal: AbortSignal.any([signal, limit.signal]),
			writeSignal: AbortSignal.any([signal, limit.writeSignal]),
			waitFor: limit.pause,
			showProgress(text) {
				showProgress(cleanText(text));
			},
			print() {/* What a call returns is its result. */},
			async printJson() {/* The same. */},
			note(text) {
				notes.push(revealLine(text, 2000));
			},
			exitWith() {/* A call has no exit code. */},
		},
	};
};
