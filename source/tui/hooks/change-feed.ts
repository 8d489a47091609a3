import type {QueryClient} from '@tanstack/react-query';
import {followChanges, pauseAfterReading, rarePollMilliseconds} from '../../client/changes.ts';
import type {Client} from '../../client/client.ts';
import type {ListChange} from '../../client/list-versions.ts';
import {resources, type Resource} from '../../interface/records.ts';
import {createObservable, withChanges} from '../observable.ts';
import {pollMilliseconds, resourceKeys, type SeenList} from './list-cache.ts';
import type {OutsideChanges} from './outside-changes.ts';

type ChangeFeedOptions = {
	readonly client: Pick<Client, 'readChanges'>;
	readonly queryClient: QueryClient;
	readonly outside: Pick<OutsideChanges, 'isBetween' | 'forgetVersions'>;
	readonly closing: AbortSignal;
};

/** A service that has not answered by then is polled, and the screens say so. */
const askingMilliseconds = 1000;

/** The service sends something every 15 s: after this silence it may be gone. */
const silenceMilliseconds = 30_000;

type Outdated = {
	/** The newest version named by the service; `undefined` if changes may have been missed. */
	readonly version: string | undefined;
};

export type FeedState = {
	/** `asking` for a moment at the start, until it turns out whether the service announces changes. */
	readonly stream: 'asking' | 'open' | 'closed';
	/** When the last event was heard, if that is two heartbeats ago; else `undefined`. */
	readonly silentSince: number | undefined;
	/** True while text is typed, a question is open or a change is pending: nothing is read, and changed lists are read afterwards. */
	readonly isBusy: boolean;
	/** True after a long time without a key: only announced changes are read. */
	readonly isIdle: boolean;
};

/** Reads the lists that a service announces as changed, and decides how often to poll them. */
export function createChangeFeed({client, queryClient, outside, closing}: ChangeFeedOptions) {
	const state = createObservable<FeedState>({stream: 'asking', silentSince: undefined, isBusy: false, isIdle: false});
	const update = (values: Partial<FeedState>): void => state.set(withChanges(state.get(), values));

	const announced = createObservable<ListChange | undefined>(undefined);
	const outdated = new Map<Resource, Outdated>();
	const reading = new Set<Resource>();
	/** The lists that are not read again for a while. */
	const pausing = new Set<Resource>();
	let silence: NodeJS.Timeout | undefined;
	let isStarted = false;

	const endSilence = (): void => {
		clearTimeout(silence);
		update({silentSince: undefined});
	};

	const onHeard = (): void => {
		endSilence();
		silence = setTimeout(update, silenceMilliseconds, {silentSince: Date.now()}).unref();
	};

	const isUpToDate = (resource: Resource, {version}: Outdated): boolean => {
		const {data: list, status} = queryClient.getQueryState<SeenList<unknown>>(resourceKeys.list(resource)) ?? {};
		// A list that could not be read says so until it is read.
		return status !== 'error' && version !== undefined && list?.version !== undefined && outside.isBetween(resource, list.version, version);
	};

	const read = async (resource: Resource, stale: Outdated): Promise<void> => {
		const queryKey = resourceKeys.list(resource);
		const updatedBefore = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
		const startedAt = performance.now();
		reading.add(resource);
		// A list that no screen shows is read once a screen shows it.
		await queryClient.invalidateQueries({queryKey});
		reading.delete(resource);
		const {status, isInvalidated, dataUpdatedAt} = queryClient.getQueryState(queryKey) ?? {};
		// A write may have cancelled the read.
		const isRead = dataUpdatedAt !== updatedBefore || (status !== 'error' && isInvalidated);
		if (isRead && outdated.get(resource) === stale) {
			outdated.delete(resource);
		}

		pausing.add(resource);
		setTimeout(
			() => {
				pausing.delete(resource);
				catchUp(resource);
			},
			status === 'error' ? pollMilliseconds : pauseAfterReading(performance.now() - startedAt),
		).unref();
	};

	/** Reads a list if it is out of date and nothing prevents it. */
	const catchUp = (resource: Resource): void => {
		const stale = outdated.get(resource);
		const query = queryClient.getQueryState(resourceKeys.list(resource));
		const isWaiting = state.get().isBusy || reading.has(resource) || pausing.has(resource);
		if (stale === undefined || isWaiting || query?.fetchStatus === 'fetching' || queryClient.isMutating() > 0 || closing.aborted) {
			return;
		}

		// A list that was never read is read on demand.
		if (query === undefined || isUpToDate(resource, stale)) {
			outdated.delete(resource);
		} else {
			void read(resource, stale);
		}
	};

	const catchUpAll = (): void => {
		for (const resource of outdated.keys()) {
			catchUp(resource);
		}
	};

	/** Runs in a later turn, because a write that has just ended may read its lists itself. */
	const catchUpSoon = (): void => {
		if (outdated.size > 0) {
			setImmediate(catchUpAll);
		}
	};

	const readAll = (): void => {
		for (const resource of resources) {
			outdated.set(resource, {version: undefined});
			catchUp(resource);
		}
	};

	/** Listens to the service, from the first call on. */
	const follow = async (): Promise<void> => {
		if (isStarted || closing.aborted) {
			return;
		}

		isStarted = true;
		setTimeout(() => {
			if (state.get().stream === 'asking') {
				update({stream: 'closed'});
			}
		}, askingMilliseconds).unref();
		await followChanges(
			client,
			{
				onOpen() {
					pausing.clear();
					// A service that was restored from a backup may be back at one of these versions.
					outside.forgetVersions();
					update({stream: 'open'});
				},
				onHeard,
				onChange(change) {
					announced.set(change);
					outdated.set(change.resource, {version: change.version});
					catchUp(change.resource);
				},
				onClosed(isLost) {
					endSilence();
					update({stream: 'closed'});
					// The screens show the reason.
					if (isLost) {
						readAll();
					}
				},
			},
			closing,
		);
	};

	queryClient.getQueryCache().subscribe(catchUpSoon);
	queryClient.getMutationCache().subscribe(catchUpSoon);
	closing.addEventListener('abort', endSilence);

	return {
		get: state.get,
		subscribe: state.subscribe,
		/** The milliseconds between polls of the lists on the screen; false while they are not polled. */
		pollInterval(): number | false {
			const {stream, isBusy, isIdle} = state.get();
			return isBusy || isIdle ? false : stream === 'open' ? rarePollMilliseconds : pollMilliseconds;
		},
		follow,
		/** Pauses or continues; lists that may have changed unannounced since a key was pressed are read. */
		pause({isBusy, isIdle}: Pick<FeedState, 'isBusy' | 'isIdle'>): void {
			const {isIdle: wasIdle, stream} = state.get();
			update({isBusy, isIdle});
			if (wasIdle && !isIdle && stream !== 'open') {
				readAll();
			}

			catchUpAll();
		},
		/** The changes that the service announces, including those of this session. */
		announced: {get: announced.get, subscribe: announced.subscribe},
	};
}
