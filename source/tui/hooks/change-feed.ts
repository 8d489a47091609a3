import type {QueryClient} from '@tanstack/react-query';
import {followChanges, pauseAfterReading} from '../../client/changes.ts';
import type {Client} from '../../client/client.ts';
import type {ListChange} from '../../client/list-versions.ts';
import {resources, type Resource} from '../../interface/records.ts';
import {createObservable} from '../observable.ts';
import {pollMilliseconds, resourceKeys, type SeenList} from './list-cache.ts';
import type {OutsideChanges} from './outside-changes.ts';

type ChangeFeedOptions = {
	readonly client: Pick<Client, 'readChanges'>;
	readonly queryClient: QueryClient;
	readonly outside: Pick<OutsideChanges, 'isBetween' | 'forgetVersions'>;
	/** Aborted when the session is closed. */
	readonly closing: AbortSignal;
};

/** A service that has not answered by then is polled, and said to be. */
const askingMilliseconds = 1000;

/** The service sends something every 15 s: so much has gone missing then that it may be gone. */
const silenceMilliseconds = 30_000;

/** A list that may be out of date. */
type Outdated = {
	/** The newest version that the service named; `undefined` if changes may have been missed. */
	readonly version: string | undefined;
};

/** Reads the lists that a service says have changed. */
export const createChangeFeed = ({client, queryClient, outside, closing}: ChangeFeedOptions) => {
	const state = createObservable<'asking' | 'open' | 'closed'>('asking');
	const announced = createObservable<ListChange | undefined>(undefined);
	const silentSince = createObservable<number | undefined>(undefined);
	let silence: NodeJS.Timeout | undefined;
	const isOpen = (): boolean => state.get() === 'open';

	const endSilence = (): void => {
		clearTimeout(silence);
		silentSince.set(undefined);
	};

	const onHeard = (): void => {
		endSilence();
		const heardAt = Date.now();
		silence = setTimeout(() => {
			silentSince.set(heardAt);
		}, silenceMilliseconds).unref();
	};

	const outdated = new Map<Resource, Outdated>();
	/** Until when a list is not read again. */
	const pauses = new Map<Resource, NodeJS.Timeout>();
	const reading = new Set<Resource>();
	let isHeld = false;
	let isStarted = false;

	const isUpToDate = (resource: Resource, {version}: Outdated): boolean => {
		const {data: list, status} = queryClient.getQueryState<SeenList<unknown>>(resourceKeys.list(resource)) ?? {};
		// One that could not be read says so until it is.
		return status !== 'error' && version !== undefined && list?.version !== undefined && outside.isBetween(resource, list.version, version);
	};

	const endPauses = (): void => {
		for (const timer of pauses.values()) {
			clearTimeout(timer);
		}

		pauses.clear();
	};

	const pause = (resource: Resource, milliseconds: number): void => {
		clearTimeout(pauses.get(resource));
		pauses.set(
			resource,
			setTimeout(() => {
				pauses.delete(resource);
				catchUp(resource);
			}, milliseconds).unref(),
		);
	};

	const read = async (resource: Resource, stale: Outdated): Promise<void> => {
		const queryKey = resourceKeys.list(resource);
		const updatedBefore = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
		const startedAt = performance.now();
		reading.add(resource);
		// One that no screen shows is read when one does.
		await queryClient.invalidateQueries({queryKey});
		reading.delete(resource);
		const {status, isInvalidated, dataUpdatedAt} = queryClient.getQueryState(queryKey) ?? {};
		// A write may have cancelled it.
		const isRead = dataUpdatedAt !== updatedBefore || (status !== 'error' && isInvalidated);
		if (isRead && outdated.get(resource) === stale) {
			outdated.delete(resource);
		}

		pause(resource, status === 'error' ? pollMilliseconds : pauseAfterReading(performance.now() - startedAt));
	};

	/** Reads a list if it is out of date, and nothing speaks against it. */
	const catchUp = (resource: Resource): void => {
		const stale = outdated.get(resource);
		const query = queryClient.getQueryState(resourceKeys.list(resource));
		const isWaiting =
			isHeld || reading.has(resource) || pauses.has(resource) || query?.fetchStatus === 'fetching' || queryClient.isMutating() > 0;
		if (stale === undefined || isWaiting || closing.aborted) {
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

	/** Runs in a later turn: a write that has just ended may read its lists itself. */
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
			if (state.get() === 'asking') {
				state.set('closed');
			}
		}, askingMilliseconds).unref();
		await followChanges(
			client,
			{
				onOpen() {
					endPauses();
					// A service that was restored from a backup may be back at one of them.
					outside.forgetVersions();
					state.set('open');
				},
				onHeard,
				onChange(change) {
					announced.set(change);
					outdated.set(change.resource, {version: change.version});
					catchUp(change.resource);
				},
				onClosed(isLost) {
					endSilence();
					state.set('closed');
					// The screens show why it is away.
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
	closing.addEventListener('abort', endPauses);
	closing.addEventListener('abort', endSilence);

	return {
		subscribe: state.subscribe,
		/** True while the service announces changes: lists need not be polled. */
		isOpen,
		/** True for a moment at the start, until it turns out whether the service announces changes. */
		isAsking: (): boolean => state.get() === 'asking',
		follow,
		/** When anything was last heard, where that is two heartbeats ago; else `undefined`. */
		silentSince: silentSince.get,
		subscribeToSilence: silentSince.subscribe,
		/** The newest change that the service announced, also of this session. */
		newestChange: announced.get,
		subscribeToChanges: announced.subscribe,
		/** Reads the lists, which may have changed while the stream was closed and polling was off. */
		readMissed(): void {
			if (!isOpen()) {
				readAll();
			}
		},
		/** While it is held, nothing is read; lists that change meanwhile are read afterwards. */
		setHeld(isHeldNow: boolean): void {
			isHeld = isHeldNow;
			catchUpAll();
		},
	};
};
