import {setTimeout as delay} from 'node:timers/promises';
import {boundRetryAfter} from '../../client/retry-after.ts';
import {type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';

/** The longest wait between two looks at a service that fails, unless it asks for more. */
const longestWaitMilliseconds = 60_000;

/** What came of one look at the service. */
export type Look = {
	/** True if no other look is wanted. */
	readonly isDone?: boolean;
	/** What could not be read this time. */
	readonly failure?: SwitchboardError | undefined;
};

type PollOptions = {
	readonly intervalMilliseconds: number;
	/** Ends it; `look` must stop at it too. */
	readonly signal: AbortSignal;
	/** An error that is no outage ends it. */
	readonly look: () => Promise<Look>;
};

/** True for a failure that may pass: the service is away, fails or has no time. */
export const isOutage = ({exitCode}: SwitchboardError): boolean => exitCode === 5;

/** How long to wait after so many failures in a row: twice as long each time, up to a minute, and as long as the service asks for. */
export const waitAfter = (failureCount: number, intervalMilliseconds: number, {retryAfterMilliseconds}: SwitchboardError): number => Math.max(
	intervalMilliseconds,
	Math.min(intervalMilliseconds * (2 ** failureCount), longestWaitMilliseconds),
	boundRetryAfter(retryAfterMilliseconds),
);

const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
	try {
		await delay(milliseconds, undefined, {signal});
	} catch {
		// The signal is looked at next.
	}
};

const lookOnce = async ({look, signal}: PollOptions): Promise<Look> => {
	try {
		return await look();
	} catch (error_) {
		const failure = toSwitchboardError(error_);
		// A look that the signal cuts short fails too.
		if (!isOutage(failure) && !signal.aborted) {
			throw error_;
		}

		return {failure};
	}
};

/**
Looks at a service again and again until a look is the last one or the signal comes. Outages are survived: the first failure and the
first success after it are noted, and between failures it waits longer.

@throws the error of a look that is no outage, such as `key-refused`.
*/
export const poll = async ({note}: Context, options: PollOptions): Promise<void> => {
	const {intervalMilliseconds, signal} = options;
	let failureCount = 0;
	while (!signal.aborted) {
		const {isDone = false, failure} = await lookOnce(options);
		if (signal.aborted) {
			return;
		}

		if (failure !== undefined && failureCount === 0) {
			note(`${failure.message} Trying again until it works.`);
		} else if (failure === undefined && failureCount > 0) {
			note('The service answers again.');
		}

		if (isDone) {
			return;
		}

		failureCount = failure === undefined ? 0 : failureCount + 1;
		await sleep(failure === undefined ? intervalMilliseconds : waitAfter(failureCount, intervalMilliseconds, failure), signal);
	}
};
