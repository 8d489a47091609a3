import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import {followChanges, pauseAfterReading, rarePollMilliseconds} from '../../client/follow-changes.ts';
import {boundRetryAfter} from '../../client/retry-after.ts';
import {type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {Resource} from '../../interface/records.ts';
import type {Context} from '../context.ts';

/** The longest wait between two looks at a service that fails, unless it asks for more. */
const longestWaitMilliseconds = 60_000;

/** After a failure, a service whose stream is open is looked at again as if this were the interval. */
const openIntervalMilliseconds = 1000;

/** The lists to read, each with the version that the stream names; `undefined` if it names none. */
export type Outdated = ReadonlyMap<Resource, string | undefined>;

/** What came of one look at the service. */
export type Look = {
	/** True if no other look is wanted. */
	readonly isDone?: boolean;
	/** What could not be read this time. */
	readonly failure?: SwitchboardError | undefined;
	/** How long reading took. */
	readonly readMilliseconds: number;
};

type PollOptions = {
	readonly client: Pick<Client, 'readChanges'>;
	readonly resources: readonly Resource[];
	/** How often to look while no stream is open. */
	readonly intervalMilliseconds: number;
	/** Ends it; `look` must stop at it too. */
	readonly signal: AbortSignal;
	/** An error that is no outage ends it. */
	readonly look: (outdated: Outdated) => Promise<Look>;
};

/** True for a failure that may pass: the service is away, fails or has no time. */
export const isOutage = ({exitCode}: SwitchboardError): boolean => exitCode === 5;

/** How long to wait after so many failures in a row: twice as long each time, up to a minute, and as long as the service asks for. */
export const waitAfter = (failureCount: number, intervalMilliseconds: number, {retryAfterMilliseconds}: SwitchboardError): number => Math.max(
	intervalMilliseconds,
	Math.min(intervalMilliseconds * (2 ** failureCount), longestWaitMilliseconds),
	boundRetryAfter(retryAfterMilliseconds),
);

/** The lists that are out of date, by the stream of the service. */
const createNews = ({client, resources, signal}: PollOptions) => {
	const outdated = new Map<Resource, string | undefined>();
	const ending = new AbortController();
	let following: Promise<void> | undefined;
	let isOpen = false;
	let openCount = 0;
	let waking = new AbortController();

	const wake = (): void => {
		waking.abort();
	};

	const addAll = (): void => {
		for (const resource of resources) {
			outdated.set(resource, undefined);
		}
	};

	signal.addEventListener('abort', wake, {once: true});
	return {
		isOpen: () => isOpen,
		openCount: () => openCount,
		hasOutdated: () => outdated.size > 0,
		addAll,
		take(): Outdated {
			const taken = new Map(outdated);
			outdated.clear();
			return taken;
		},
		/** Follows the stream until `close`. */
		follow() {
			following ??= followChanges(client, {
				onOpen() {
					isOpen = true;
					openCount++;
					// Its versions follow, but a list may have none.
					addAll();
					wake();
				},
				onChange({resource, version}) {
					if (!resources.includes(resource)) {
						return;
					}

					outdated.set(resource, version);
					wake();
				},
				onClosed(isLost) {
					isOpen = false;
					if (isLost) {
						addAll();
					}

					wake();
				},
			}, ending.signal);
		},
		/** Waits for the condition, or for so many milliseconds; both are computed anew with each event. */
		async wait(milliseconds: () => number, isMet: () => boolean): Promise<void> {
			const startedAt = performance.now();
			for (;;) {
				const left = startedAt + milliseconds() - performance.now();
				if (left <= 0 || isMet() || signal.aborted) {
					return;
				}

				waking = new AbortController();
				try {
					await delay(left, undefined, {signal: waking.signal});
				} catch {
					// The conditions are checked again.
				}
			}
		},
		async close() {
			signal.removeEventListener('abort', wake);
			ending.abort();
			await following;
		},
	};
};

const lookOnce = async ({look, signal}: PollOptions, outdated: Outdated): Promise<Look> => {
	try {
		return await look(outdated);
	} catch (error_) {
		const failure = toSwitchboardError(error_);
		// A look that the signal cuts short fails too.
		if (!isOutage(failure) && !signal.aborted) {
			throw error_;
		}

		return {failure, readMilliseconds: 0};
	}
};

/**
Looks at a service whenever its stream names a change, and at an interval while no stream is open, until a look is the last one or the
signal comes. Outages are survived: the first failure and the first success after it are noted, and between failures it waits longer.

@throws the error of a look that is no outage, such as `key-refused`.
*/
export const poll = async ({note}: Context, options: PollOptions): Promise<void> => {
	const {intervalMilliseconds, signal} = options;
	const news = createNews(options);
	let failureCount = 0;

	const waitForNews = async ({readMilliseconds}: Look): Promise<void> => {
		await news.wait(() => news.isOpen() ? pauseAfterReading(readMilliseconds) : 0, () => false);
		await news.wait(() => news.isOpen() ? rarePollMilliseconds : intervalMilliseconds, news.hasOutdated);
		if (!news.hasOutdated()) {
			news.addAll();
		}
	};

	const waitAfterFailure = async (failure: SwitchboardError): Promise<void> => {
		const countBefore = news.openCount();
		const interval = (): number => news.isOpen() ? Math.min(intervalMilliseconds, openIntervalMilliseconds) : intervalMilliseconds;
		// A service whose stream opens again is back.
		const isBack = (): boolean => news.openCount() > countBefore && failure.retryAfterMilliseconds === undefined;
		await news.wait(() => waitAfter(failureCount, interval(), failure), isBack);
		news.addAll();
	};

	try {
		news.addAll();
		while (!signal.aborted) {
			const seen = await lookOnce(options, news.take());
			const {isDone = false, failure} = seen;
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

			news.follow();
			failureCount = failure === undefined ? 0 : failureCount + 1;
			await (failure === undefined ? waitForNews(seen) : waitAfterFailure(failure));
		}
	} finally {
		await news.close();
	}
};
