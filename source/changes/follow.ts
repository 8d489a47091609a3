import {setTimeout as delay} from 'node:timers/promises';
import {boundRetryAfter} from '../client/answer-errors.ts';
import {followChanges, pauseAfterReading, rarePollMilliseconds} from '../client/changes.ts';
import type {Client} from '../client/client.ts';
import type {SwitchboardError} from '../interface/errors.ts';
import type {Resource} from '../interface/records.ts';
import {
	FollowedChanges,
	type FollowedOptions,
	type ReadLists,
	type OpenStream,
	type Outdated,
	type SeenChange,
} from './followed-changes.ts';

type FollowOptions = FollowedOptions & {
	readonly intervalMilliseconds: number;
	/** Awaited before anything is read. */
	readonly whenReady?: () => Promise<void>;
};

/**
Follows the lists of a service until the signal comes: reads them when its stream names a change, and at an interval while no stream is
open. Outages are survived: the first failure and the first success after it are noted, and between failures it waits longer.

@throws an error that does not pass, such as `key-refused`, and `not-found` for a service without any of the lists.
*/
export async function* follow(
	client: Pick<Client, 'list' | 'readChanges' | 'readHistory'>,
	options: FollowOptions,
): AsyncGenerator<{readonly lists: ReadLists; readonly entries: readonly SeenChange[]}, void, void> {
	const {signal, note, whenReady} = options;
	const changes = new FollowedChanges(client, options);
	const news = new News(client, options);
	let failureCount = 0;
	try {
		while (!signal.aborted) {
			await whenReady?.();
			const startedAt = performance.now();
			const {changes: entries, failure} = await changes.read(news.take(), news.stream);
			const readMilliseconds = performance.now() - startedAt;
			if (failure !== undefined && failureCount === 0 && !signal.aborted) {
				note(`${failure.message} Trying again until it works.`);
			} else if (failure === undefined && failureCount > 0) {
				note('The service answers again.');
			}

			failureCount = failure === undefined ? 0 : failureCount + 1;
			yield {lists: changes.lists, entries};
			await (failure === undefined ? news.wait(readMilliseconds) : news.waitAfterFailure(failure, failureCount));
		}
	} finally {
		await news.close();
	}
}

/** After a failure, a service whose stream is open is read again as if this were the interval. */
const openIntervalMilliseconds = 1000;

/** Listens to the stream of a service, from the first wait on, and knows which lists to read for it. */
class News {
	stream: OpenStream | undefined;
	readonly #client: Pick<Client, 'readChanges'>;
	readonly #options: FollowOptions;
	readonly #outdated = new Map<Resource, string | undefined>();
	readonly #ending = new AbortController();
	#waking = new AbortController();
	#listening: Promise<void> | undefined;
	#isOpen = false;
	#openCount = 0;

	constructor(client: Pick<Client, 'readChanges'>, options: FollowOptions) {
		this.#client = client;
		this.#options = options;
		options.signal.addEventListener('abort', this.#wake, {once: true});
		this.#outdateAll();
	}

	/** Returns the lists to read now. */
	take(): Outdated {
		const taken = new Map(this.#outdated);
		this.#outdated.clear();
		return taken;
	}

	/** Waits until a list is out of date. */
	async wait(readMilliseconds: number): Promise<void> {
		this.#listening ??= this.#listen();
		await this.#waitUntil(
			() => (this.#isOpen ? pauseAfterReading(readMilliseconds) : 0),
			() => false,
		);
		await this.#waitUntil(
			() => (this.#isOpen ? rarePollMilliseconds : this.#options.intervalMilliseconds),
			() => this.#outdated.size > 0,
		);
		if (this.#outdated.size === 0) {
			this.#outdateAll();
		}
	}

	/** Waits longer with each failure, unless the stream is opened again: then the service is back. */
	async waitAfterFailure(failure: SwitchboardError, failureCount: number): Promise<void> {
		this.#listening ??= this.#listen();
		const countBefore = this.#openCount;
		const {intervalMilliseconds} = this.#options;
		const interval = (): number => (this.#isOpen ? Math.min(intervalMilliseconds, openIntervalMilliseconds) : intervalMilliseconds);
		await this.#waitUntil(
			() => waitBeforeRetry(failureCount, interval(), failure),
			() => this.#openCount > countBefore && failure.retryAfterMilliseconds === undefined,
		);
		this.#outdateAll();
	}

	async close(): Promise<void> {
		this.#options.signal.removeEventListener('abort', this.#wake);
		this.#ending.abort();
		await this.#listening;
	}

	readonly #wake = (): void => this.#waking.abort();

	#outdateAll(): void {
		for (const resource of this.#options.resources) {
			this.#outdated.set(resource, undefined);
		}
	}

	async #listen(): Promise<void> {
		await followChanges(
			this.#client,
			{
				onOpen: () => {
					this.#isOpen = true;
					this.#openCount++;
					this.stream = {history: undefined};
					// Versions follow in the stream, but not for every list.
					this.#outdateAll();
					this.#wake();
				},
				onChange: ({resource, version, history}) => {
					if (this.stream!.history === undefined && history !== undefined) {
						this.stream = {history};
					}

					if (this.#options.resources.includes(resource)) {
						this.#outdated.set(resource, version);
						this.#wake();
					}
				},
				onClosed: isLost => {
					this.#isOpen = false;
					if (isLost) {
						this.#outdateAll();
					}

					this.#wake();
				},
			},
			this.#ending.signal,
		);
	}

	/** Waits for the condition, or for this many milliseconds; both are computed anew with each event. */
	async #waitUntil(milliseconds: () => number, isMet: () => boolean): Promise<void> {
		const startedAt = performance.now();
		for (;;) {
			const left = startedAt + milliseconds() - performance.now();
			if (left <= 0 || isMet() || this.#options.signal.aborted) {
				return;
			}

			this.#waking = new AbortController();
			// The conditions are checked again.
			await delay(left, undefined, {signal: this.#waking.signal}).catch(() => undefined);
		}
	}
}

const longestWaitMilliseconds = 60_000;

/** Returns the wait after this many failures in a row: twice as long each time, up to a minute, and as long as the service asks for. */
export function waitBeforeRetry(failureCount: number, intervalMilliseconds: number, {retryAfterMilliseconds}: SwitchboardError): number {
	return Math.max(
		intervalMilliseconds,
		Math.min(intervalMilliseconds * 2 ** failureCount, longestWaitMilliseconds),
		boundRetryAfter(retryAfterMilliseconds),
	);
}
