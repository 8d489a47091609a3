import {environmentManager, focusManager, notifyManager, onlineManager, QueryClient, type Query} from '@tanstack/react-query';
import type {ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {decodeList} from '../../interface/lists.ts';
import {resources, type Records, type Resource} from '../../interface/records.ts';
import type {LastScreen, LastSeen} from '../../settings/last-seen.ts';

/** How often the shown lists are polled. */
export const pollMilliseconds = 15_000;

/** Returns the cache under the hooks. It never retries a request: the client does that for reads. */
export function createQueryClient(): QueryClient {
	// By default TanStack Query treats Node as a server, and does not poll.
	environmentManager.setIsServer(() => false);
	focusManager.setFocused(true);
	onlineManager.setOnline(true);
	// A list and the message about it change in one frame: by default lists change a turn of the event loop later.
	notifyManager.setScheduler(queueMicrotask);
	const queryClient = new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				networkMode: 'always',
				gcTime: Infinity,
				// Within this time, switching between screens requests nothing.
				staleTime: 5000,
				structuralSharing: false,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
			},
			mutations: {retry: false, networkMode: 'always', gcTime: 0},
		},
	});
	readListsOnceRefused(queryClient);
	return queryClient;
}

const isKeyRefused = (error: unknown): boolean => error instanceof SwitchboardError && error.kind === 'key-refused';

/**
Reads the lists on the screen when a change is refused because of its key: they show the state of the key, and would otherwise still look up
to date.
*/
function readListsOnceRefused(queryClient: QueryClient): void {
	queryClient.getMutationCache().subscribe(({type, mutation}) => {
		const shown = {type: 'active', predicate: ({state}: Query) => !isKeyRefused(state.error)} as const;
		if (type === 'updated' && mutation.state.status === 'error' && isKeyRefused(mutation.state.error)) {
			void queryClient.invalidateQueries(shown, {cancelRefetch: false});
		}
	});
}

/** A list of this run, or a list that an earlier run stored. */
export type SeenList<Record_> = ResourceList<Record_> & {readonly isFromEarlierRun?: boolean};

/** The first part of the keys of the mutations that the queue sends. */
export const queueKey = 'queue';

export const resourceKeys = {
	list: (resource: Resource) => ['resource', resource, 'list'] as const,
	ability: (id: number | undefined) => ['resource', 'abilities', 'one', id] as const,
};

type Identified = {readonly id: number};

/**
Changes a list at once, after an answer to a write. A read that is under way is older, so it is cancelled. Resolves when it has ended.
*/
export async function changeList(
	queryClient: QueryClient,
	resource: Resource,
	change: (records: readonly Identified[]) => readonly Identified[],
): Promise<void> {
	const queryKey = resourceKeys.list(resource);
	const cancelled = queryClient.cancelQueries({queryKey});
	const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
	queryClient.setQueryData<SeenList<Identified>>(
		queryKey,
		// The service's tag belongs to the service's records.
		list => list && {...list, records: change(list.records), entityTag: undefined},
		updatedAt === undefined ? {} : {updatedAt},
	);
	await cancelled;
}

/** Returns the lists in the cache, as the screens show them. */
export function createListCache(queryClient: QueryClient) {
	/** Records by id: one key may look up thousands. */
	const indexes = new WeakMap<readonly unknown[], ReadonlyMap<number, unknown>>();
	const listOf = <R extends Resource>(resource: R): SeenList<Records[R]> | undefined =>
		queryClient.getQueryData(resourceKeys.list(resource));
	return {
		listOf,
		/** Returns the records of a list; `undefined` if there is no list. */
		seen: <R extends Resource>(resource: R): ReadonlyArray<Records[R]> | undefined => listOf(resource)?.records,
		find<R extends Resource>(resource: R, id: number): Records[R] | undefined {
			const records: ReadonlyArray<Records[R]> = listOf(resource)?.records ?? [];
			const index = indexes.get(records) ?? new Map(records.map(record => [record.id, record]));
			indexes.set(records, index);
			return index.get(id) as Records[R] | undefined;
		},
		/** False while the list comes from an earlier run. */
		isFresh: (resource: Resource): boolean => listOf(resource)?.isFromEarlierRun !== true,
		isReading: (resource: Resource): boolean => queryClient.isFetching({queryKey: resourceKeys.list(resource)}) > 0,
	};
}

export type ListCache = ReturnType<typeof createListCache>;

/** Returns the newest of these records, by id. */
export function newestOf<R extends Resource>(queryClient: QueryClient, resource: R, records: ReadonlyArray<Records[R]>) {
	const list = queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource));
	const byId = new Map(list?.records.map(record => [record.id, record]));
	const isThere = ({id}: Records[R]): boolean => !list?.isComplete || byId.has(id);
	return {
		there: records.filter(record => isThere(record)).map(record => byId.get(record.id) ?? record),
		/** The records that were deleted since; an incomplete list does not show deletions. */
		gone: records.filter(record => !isThere(record)),
	};
}

/** At the end, a list is stored again if the stored one is older than this. */
const staleMilliseconds = 60_000;

/** The list is drawn first. */
const delayMilliseconds = 50;

/** Fills the cache with the lists of an earlier run, and stores those of this one. */
export function openLastSeenLists(queryClient: QueryClient, lastSeen: LastSeen | undefined) {
	/** When each list was stored, by its records: a confirmed list has the same objects. */
	const storedAt = new WeakMap<readonly unknown[], number>();
	const timers = new Map<Resource, NodeJS.Timeout>();
	/** True if lists are stored: if they are gone later, the account was signed out, perhaps by another process. */
	let areStored = lastSeen?.isForgotten() === false;
	let isForgotten = false;
	if (lastSeen !== undefined) {
		show(queryClient, lastSeen, storedAt);
	}

	/** Stores the list if it was read or changed since it was stored, or was confirmed this long after that. */
	const store = (resource: Resource, confirmedMilliseconds = Infinity): void => {
		clearTimeout(timers.get(resource));
		timers.delete(resource);
		const {data: list, dataUpdatedAt = 0} = queryClient.getQueryState<SeenList<Records[Resource]>>(resourceKeys.list(resource)) ?? {};
		isForgotten ||= areStored && lastSeen!.isForgotten();
		if (isForgotten || list === undefined || !(dataUpdatedAt - (storedAt.get(list.records) ?? -Infinity) >= confirmedMilliseconds)) {
			return;
		}

		storedAt.set(list.records, dataUpdatedAt);
		lastSeen?.save(resource, {
			records: list.records.map(({raw}) => raw),
			fetchedAt: dataUpdatedAt,
			// The tag also covers records that were left out, which are not stored.
			entityTag: list.leftOutCount === 0 ? list.entityTag : undefined,
		});
		areStored = lastSeen?.isForgotten() === false;
	};

	return {
		/** Stores a list that was just read. */
		handleRead(resource: Resource, {records}: ResourceList<Records[Resource]>): void {
			if (lastSeen === undefined || storedAt.has(records)) {
				return;
			}

			clearTimeout(timers.get(resource));
			timers.set(resource, setTimeout(store, delayMilliseconds, resource));
		},
		/** Stores the screen for the next run, after the lists that it shows. */
		async saveScreen(screen: LastScreen): Promise<void> {
			for (const resource of resources) {
				store(resource);
			}

			await lastSeen?.saveScreen(screen);
		},
		removeScreen: (): void => lastSeen?.removeScreen(),
		/** Stores no list from now on: the account is signed out, and a newly read list would come back. */
		forget(): void {
			isForgotten = true;
		},
		/** Stores the lists as they are at the end of the session. */
		close(): void {
			for (const resource of resources) {
				store(resource, staleMilliseconds);
			}
		},
	};
}

function show(queryClient: QueryClient, lastSeen: LastSeen, storedAt: WeakMap<readonly unknown[], number>): void {
	for (const resource of resources) {
		const stored = lastSeen.load(resource);
		const list = stored === undefined ? undefined : decodeList(resource, stored.records);
		if (stored === undefined || list === undefined) {
			continue;
		}

		const seen: SeenList<unknown> = {...list, isComplete: true, entityTag: stored.entityTag, isFromEarlierRun: true};
		storedAt.set(list.records, stored.fetchedAt);
		queryClient.setQueryData(resourceKeys.list(resource), seen, {updatedAt: stored.fetchedAt});
		// Even a new list is read again in this run, also after a quick restart.
		void queryClient.invalidateQueries({queryKey: resourceKeys.list(resource), refetchType: 'none'});
	}
}
