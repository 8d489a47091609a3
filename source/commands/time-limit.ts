import {SwitchboardError} from '../interface/errors.ts';

/** The part of the limit that is kept to look up writes whose outcome is unknown, and at most how much. */
const keptPart = 0.25;
const mostKeptMilliseconds = 5000;

/** The limit for all requests of a command together (`--timeout`). */
export type TimeLimit = {
	/** Aborted with a `timeout` error when the time is up. */
	readonly signal: AbortSignal;
	/** The same for writes: aborted while there is still time to look up what became of them. */
	readonly writeSignal: AbortSignal;
	/** Stops the clock during work that has a limit of its own, or that waits for a person; for several at once, until all have ended. */
	readonly pause: <T>(work: () => Promise<T>) => Promise<T>;
	/** Stops the clock for good. */
	readonly end: () => void;
};

/** @param milliseconds - `undefined` for no limit. */
export const startTimeLimit = (milliseconds: number | undefined): TimeLimit => {
	const [whole, writes] = [new AbortController(), new AbortController()];
	let leftMilliseconds = milliseconds ?? Infinity;
	let startedAt = 0;
	let timers: readonly NodeJS.Timeout[] = [];
	let pauseCount = 0;

	const abort = (controller: AbortController) => (): void => {
		controller.abort(new SwitchboardError('timeout', `The command took longer than ${milliseconds! / 1000} s.`, {nextStep: 'Allow more time with --timeout SECONDS.'}));
	};

	const start = (): void => {
		startedAt = performance.now();
		if (milliseconds === undefined) {
			return;
		}

		const kept = Math.min(milliseconds * keptPart, mostKeptMilliseconds);
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
		signal: whole.signal,
		writeSignal: writes.signal,
		async pause(work) {
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
		end,
	};
};
