import {setTimeout as delay} from 'node:timers/promises';
import type {Client, ResourceList} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {Records, Resource} from '../../interface/records.ts';
import {followChanges, pauseAfterReading, rarePollMilliseconds} from '../../client/changes.ts';
import {boundRetryAfter} from '../../client/answer-errors.ts';
import type {Context} from '../context.ts';

/**
Reads a list again, unless the last one has the version that is named. A path that was there before and is not found now is an outage:
a proxy may answer while the service is away.

@param before - the list as it was read last.
@param version - the newest version, where the service has named it.
*/
export const pollList = async <R extends Resource>(
	client: Client,
	resource: R,
	before: ResourceList<Records[R]> | undefined,
	version: string | undefined,
	signal: AbortSignal,
): Promise<ResourceList<Records[R]>> => {
	if (before !== undefined && version !== undefined && before.version === version) {
		return before;
	}

	try {
		return await client.list(resource, signal, before);
	} catch (error) {
		throw before !== undefined && isUnknown(error)
			? new SwitchboardError('server-error', error.message, {nextStep: error.nextStep, status: error.status, cause: error})
			: error;
	}
};

/** The longest wait between two looks at a service that fails, unless it asks for more. */
const longestWaitMilliseconds = 60_000;

/** After a failure, a service whose stream is open is looked at again as if this were the interval. */
const openIntervalMilliseconds = 1000;

/** The lists to read, each with the version that the stream names; `undefined` if it names none. */
export type Outdated = ReadonlyMap<Resource, string | undefined>;

/** A stream of changes that was opened; `history` is the number of the newest entry then, `undefined` if the service keeps none. */
export type OpenStream = {readonly history: number | undefined};

/** The outcome of one look at the service. */
export type Look = {
	/** True if no other look is wanted. */
	readonly isDone?: boolean;
	/** The error of a list that could not be read. */
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
	readonly look: (outdated: Outdated, stream: OpenStream | undefined) => Promise<Look>;
};

/** True for a failure that may pass: the service is away, fails or has no time. */
export const isOutage = ({exitCode}: SwitchboardError): boolean => exitCode === 5;

/** How long to wait after so many failures in a row: twice as long each time, up to a minute, and as long as the service asks for. */
export const waitAfter = (failureCount: number, intervalMilliseconds: number, {retryAfterMilliseconds}: SwitchboardError): number =>
	Math.max(
		intervalMilliseconds,
		Math.min(intervalMilliseconds * 2 ** failureCount, longestWaitMilliseconds),
		boundRetryAfter(retryAfterMilliseconds),
	);

/**
Looks at a service whenever its stream names a change, and at an interval while no stream is open, until a look is the last one or the
signal comes. Outages are survived: the first failure and the first success after it are noted, and between failures it waits longer.

@throws the error of a look that is no outage, such as `key-refused`.
*/
export const poll = async ({note}: Context, {client, resources, intervalMilliseconds, signal, look}: PollOptions): Promise<void> => {
	/** The lists to read at the next look. */
	const outdated = new Map<Resource, string | undefined>();
	const ending = new AbortController();
	let following: Promise<void> | undefined;
	let isOpen = false;
	/** The one that was opened last. */
	let stream: {history: number | undefined} | undefined;
	let openCount = 0;
	let failureCount = 0;
	let waking = new AbortController();

	const wake = (): void => {
		waking.abort();
	};

	const outdateAll = (): void => {
		for (const resource of resources) {
			outdated.set(resource, undefined);
		}
	};

	const follow = async (): Promise<void> =>
		followChanges(
			client,
			{
				onOpen() {
					isOpen = true;
					stream = {history: undefined};
					openCount++;
					// Its versions follow, but a list may have none.
					outdateAll();
					wake();
				},
				onChange({resource, version, history}) {
					stream!.history ??= history;
					if (!resources.includes(resource)) {
						return;
					}

					outdated.set(resource, version);
					wake();
				},
				onClosed(isLost) {
					isOpen = false;
					if (isLost) {
						outdateAll();
					}

					wake();
				},
			},
			ending.signal,
		);

	/** Waits for the condition, or for so many milliseconds; both are computed anew with each event. */
	const wait = async (milliseconds: () => number, isMet: () => boolean): Promise<void> => {
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
	};

	const waitForNews = async ({readMilliseconds}: Look): Promise<void> => {
		await wait(
			() => (isOpen ? pauseAfterReading(readMilliseconds) : 0),
			() => false,
		);
		await wait(
			() => (isOpen ? rarePollMilliseconds : intervalMilliseconds),
			() => outdated.size > 0,
		);
		if (outdated.size === 0) {
			outdateAll();
		}
	};

	const waitAfterFailure = async (failure: SwitchboardError): Promise<void> => {
		const countBefore = openCount;
		const interval = (): number => (isOpen ? Math.min(intervalMilliseconds, openIntervalMilliseconds) : intervalMilliseconds);
		// A service whose stream opens again is back.
		await wait(
			() => waitAfter(failureCount, interval(), failure),
			() => openCount > countBefore && failure.retryAfterMilliseconds === undefined,
		);
		outdateAll();
	};

	const lookOnce = async (): Promise<Look> => {
		const taken = new Map(outdated);
		outdated.clear();
		try {
			return await look(taken, stream);
		} catch (error) {
			const failure = toSwitchboardError(error);
			// A look that the signal cuts short fails too.
			if (isOutage(failure) || signal.aborted) {
				return {failure, readMilliseconds: 0};
			}

			throw error;
		}
	};

	signal.addEventListener('abort', wake, {once: true});
	try {
		outdateAll();
		while (!signal.aborted) {
			const seen = await lookOnce();
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

			following ??= follow();
			failureCount = failure === undefined ? 0 : failureCount + 1;
			await (failure === undefined ? waitForNews(seen) : waitAfterFailure(failure));
		}
	} finally {
		signal.removeEventListener('abort', wake);
		ending.abort();
		await following;
	}
};
