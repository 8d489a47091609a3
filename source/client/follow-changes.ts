import {setTimeout as delay} from 'node:timers/promises';
import {type Client} from './operations.ts';
import {type ChangeListener} from './read-changes.ts';

export type FollowListener = ChangeListener & {
	/** Called when the service no longer tells, or could not be asked to. */
	onClosed(): void;
};

const shortestWaitMilliseconds = 500;
const longestWaitMilliseconds = 30_000;

/** After a stream that was open for so long, the waits start from the shortest again. */
const goodMilliseconds = 30_000;

/** Twice as long after each failure in a row; clients that a service has lost at once do not come back at once. */
const waitAfter = (failureCount: number): number =>
	Math.min(shortestWaitMilliseconds * (2 ** failureCount), longestWaitMilliseconds) * (0.5 + (Math.random() / 2));

/** Listens to the changes of a service, again and again, until the signal is aborted or it turns out that the service does not tell them. Never rejects. */
export const followChanges = async ({readChanges}: Pick<Client, 'readChanges'>, listener: FollowListener, signal: AbortSignal): Promise<void> => {
	let failureCount = 0;
	let isUseful = true;
	while (isUseful && !signal.aborted) {
		let openedAt = Infinity;
		try {
			isUseful = await readChanges({
				...listener,
				onOpen() {
					openedAt = performance.now();
					listener.onOpen();
				},
			}, signal);
		} catch {
			// The lists say why the service is away.
		}

		if (signal.aborted) {
			return;
		}

		listener.onClosed();
		failureCount = performance.now() - openedAt >= goodMilliseconds ? 0 : failureCount + 1;
		try {
			await delay(isUseful ? waitAfter(failureCount) : 0, undefined, {signal, ref: false});
		} catch {
			// The signal is looked at next.
		}
	}
};
