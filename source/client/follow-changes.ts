import {setTimeout as delay} from 'node:timers/promises';
import {type Client} from './operations.ts';
import {type ChangeListener, type ChangesEnd} from './read-changes.ts';
import {boundRetryAfter} from './retry-after.ts';

export type FollowListener = ChangeListener & {
	/**
	Called when the service no longer tells, or could not be asked to.

	@param isLost - true if a stream that was open did not come back at once, or never will: then changes may have been missed. One that
	comes back tells the versions of the lists.
	*/
	onClosed(isLost: boolean): void;
};

/** How often lists are polled while the service tells of their changes: something on the way may hold events back. */
export const rarePollMilliseconds = 5 * 60_000;

const shortestPauseMilliseconds = 200;
const pausePerReading = 4;

/** How long to leave a list alone that was read because it changed: one that changes all the time is read a fifth of the time at most. */
export const pauseAfterReading = (readMilliseconds: number): number => Math.max(shortestPauseMilliseconds, pausePerReading * readMilliseconds);

const shortestWaitMilliseconds = 500;
const longestWaitMilliseconds = 30_000;

/** After a stream that was open for so long, the waits start from the shortest again. */
const goodMilliseconds = 30_000;

/** Twice as long after each failure in a row, and after what the service asks for; clients that it has lost or refused at once do not come back at once. */
const waitAfter = (failureCount: number, {retryAfterMilliseconds}: ChangesEnd): number =>
	boundRetryAfter(retryAfterMilliseconds) + (Math.min(shortestWaitMilliseconds * (2 ** failureCount), longestWaitMilliseconds) * (0.5 + (Math.random() / 2)));

/** Resolves after so many milliseconds; rejects when the signal is aborted. */
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const sleepUnheld: Sleep = async (milliseconds, signal) => delay(milliseconds, undefined, {signal, ref: false});

/** Listens to the changes of a service, again and again, until the signal is aborted or it turns out that the service does not tell them. Never rejects. */
export const followChanges = async ({readChanges}: Pick<Client, 'readChanges'>, listener: FollowListener, signal: AbortSignal, sleep = sleepUnheld): Promise<void> => {
	let failureCount = 0;
	let wasOpen = false;
	let end: ChangesEnd = {isUseful: true};
	while (end.isUseful && !signal.aborted) {
		let openedAt = Infinity;
		try {
			end = await readChanges({
				...listener,
				onOpen() {
					openedAt = performance.now();
					listener.onOpen();
				},
			}, signal);
		} catch {
			// The lists say why the service is away.
			end = {isUseful: true};
		}

		if (signal.aborted) {
			return;
		}

		const isOpened = openedAt < Infinity;
		listener.onClosed(isOpened ? !end.isUseful : wasOpen);
		wasOpen = isOpened;
		failureCount = performance.now() - openedAt >= goodMilliseconds ? 0 : failureCount + 1;
		try {
			await sleep(end.isUseful ? waitAfter(failureCount, end) : 0, signal);
		} catch {
			// The signal is looked at next.
		}
	}
};
