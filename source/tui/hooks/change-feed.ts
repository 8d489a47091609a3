import {type QueryClient} from '@tanstack/react-query';
import {type Client} from '../../client/client.ts';
import {followChanges, pauseAfterReading} from '../../client/follow-changes.ts';
import {resources, type Resource} from '../../interface/records.ts';
import {createObservable, type Observable} from '../observable.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';
import {type OwnVersions} from './own-versions.ts';
import {pollMilliseconds} from './query-client.ts';

/** What a service tells of changes, and the reading that follows. */
export type ChangeFeed = Pick<Observable<unknown>, 'subscribe'> & {
	/** True while the service tells of changes: lists need not be polled. */
	isOpen(): boolean;
	/** True for a moment at the start, until it turns out whether the service tells of changes. */
	isAsking(): boolean;
	/** A list was read. From the first one on the service is listened to. */
	handleRead(resource: Resource): void;
	/** Reads what may have changed while nobody listened or polled. */
	readMissed(): void;
	/** While it is held, nothing is read; lists that change meanwhile are read afterwards. */
	setHeld(isHeld: boolean): void;
};

type ChangeFeedOptions = {
	readonly client: Pick<Client, 'readChanges'>;
	readonly queryClient: QueryClient;
	readonly ownVersions: OwnVersions;
	/** Aborted when the session is closed. */
	readonly closing: AbortSignal;
};

/** A service that has not answered by then is polled, and said to be. */
const askingMilliseconds = 1000;

/** What is known of a list that may be out of date. */
type Outdated = {
	/** The newest version that the service named; `undefined` if changes may have been missed. */
	readonly version: string | undefined;
};

/** Reads the lists that a service says have changed. */
export const createChangeFeed = ({client, queryClient, ownVersions, closing}: ChangeFeedOptions): ChangeFeed => {
	const state = createObservable<'asking' | 'open' | 'closed'>('asking');
	const isOpen = (): boolean => state.get() === 'open';
	const outdated = new Map<Resource, Outdated>();
	/** Until when a list is not read again. */
	const pauses = new Map<Resource, NodeJS.Timeout>();
	const reading = new Set<Resource>();
	const readCounts: Record<Resource, number> = {agents: 0, abilities: 0, installed: 0};
	let isHeld = false;
	let isStarted = false;

	const isUpToDate = (resource: Resource, {version}: Outdated): boolean => {
		const {data: list, status} = queryClient.getQueryState<SeenList<unknown>>(resourceKeys.list(resource)) ?? {};
		// One that could not be read says so until it is.
		return status !== 'error' && version !== undefined && list?.version !== undefined && ownVersions.isBetween(resource, list.version, version);
	};

	const endPauses = (): void => {
		for (const timer of pauses.values()) {
			clearTimeout(timer);
		}

		pauses.clear();
	};

	const pause = (resource: Resource, milliseconds: number): void => {
		clearTimeout(pauses.get(resource));
		pauses.set(resource, setTimeout(() => {
			pauses.delete(resource);
			catchUp(resource);
		}, milliseconds).unref());
	};

	const read = async (resource: Resource, told: Outdated): Promise<void> => {
		const queryKey = resourceKeys.list(resource);
		const countBefore = readCounts[resource];
		const startedAt = performance.now();
		reading.add(resource);
		// One that no screen shows is read when one does.
		await queryClient.invalidateQueries({queryKey});
		reading.delete(resource);
		const {status, isInvalidated} = queryClient.getQueryState(queryKey) ?? {};
		// A write may have cancelled it.
		const isRead = readCounts[resource] > countBefore || (status !== 'error' && isInvalidated);
		if (isRead && outdated.get(resource) === told) {
			outdated.delete(resource);
		}

		pause(resource, status === 'error' ? pollMilliseconds : pauseAfterReading(performance.now() - startedAt));
	};

	/** Reads a list if it is out of date, and nothing speaks against it. */
	const catchUp = (resource: Resource): void => {
		const told = outdated.get(resource);
		const query = queryClient.getQueryState(resourceKeys.list(resource));
		const isWaiting = isHeld || reading.has(resource) || pauses.has(resource) || query?.fetchStatus === 'fetching' || queryClient.isMutating() > 0;
		if (told === undefined || isWaiting || closing.aborted) {
			return;
		}

		// A list that nobody has read is read by whoever wants it.
		if (query === undefined || isUpToDate(resource, told)) {
			outdated.delete(resource);
		} else {
			void read(resource, told);
		}
	};

	const catchUpAll = (): void => {
		for (const resource of outdated.keys()) {
			catchUp(resource);
		}
	};

	/** Later than those who read lists themselves after what has just ended. */
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

	const follow = async (): Promise<void> => {
		setTimeout(() => {
			if (state.get() === 'asking') {
				state.set('closed');
			}
		}, askingMilliseconds).unref();
		await followChanges(client, {
			onOpen() {
				endPauses();
				// A service that was restored from a backup may be back at one of them.
				ownVersions.forget();
				state.set('open');
			},
			onChange({resource, version}) {
				outdated.set(resource, {version});
				catchUp(resource);
			},
			onClosed(isLost) {
				state.set('closed');
				// The screens show why it is away.
				if (isLost) {
					readAll();
				}
			},
		}, closing);
	};

	queryClient.getQueryCache().subscribe(catchUpSoon);
	queryClient.getMutationCache().subscribe(catchUpSoon);
	closing.addEventListener('abort', endPauses);

	return {
		subscribe: state.subscribe,
		isOpen,
		isAsking: () => state.get() === 'asking',
		handleRead(resource) {
			readCounts[resource]++;
			if (isStarted || closing.aborted) {
				return;
			}

			isStarted = true;
			void follow();
		},
		readMissed() {
			if (!isOpen()) {
				readAll();
			}
		},
		setHeld(isHeldNow) {
			isHeld = isHeldNow;
			catchUpAll();
		},
	};
};
