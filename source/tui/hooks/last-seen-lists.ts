import {type QueryClient} from '@tanstack/react-query';
import {type ResourceList} from '../../client/client.ts';
import {decodeList} from '../../interface/lists.ts';
import {resources, type Records, type Resource} from '../../interface/records.ts';
import {type LastScreen, type LastSeen} from '../../settings/last-seen.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';

/** Between the cache of a session and the lists that are stored for the next run. */
export type LastSeenLists = {
	/** Stores a list that was just read. */
	store(resource: Resource, list: ResourceList<Records[Resource]>): void;
	/** Stores the screen for the next run, after the lists that it shows. */
	saveScreen(screen: LastScreen): Promise<void>;
	removeScreen(): void;
	/** Stores the lists as they are at the end of the session. */
	close(): void;
};

/** A list is stored again at the end if what is stored is older than this. */
const staleMilliseconds = 60_000;

/** The list is drawn first. */
const delayMilliseconds = 50;

const show = (queryClient: QueryClient, lastSeen: LastSeen, storedAt: WeakMap<readonly unknown[], number>): void => {
	for (const resource of resources) {
		const stored = lastSeen.load(resource);
		const list = stored === undefined ? undefined : decodeList(resource, stored.records);
		if (stored === undefined || list === undefined) {
			continue;
		}

		const seen: SeenList<unknown> = {
			...list, isComplete: true, entityTag: stored.entityTag, isFromEarlierRun: true,
		};
		storedAt.set(list.records, stored.fetchedAt);
		queryClient.setQueryData(resourceKeys.list(resource), seen, {updatedAt: stored.fetchedAt});
		// However new it is, it is read again in this run: after a quick restart as well.
		void queryClient.invalidateQueries({queryKey: resourceKeys.list(resource), refetchType: 'none'});
	}
};

const toStored = ({records, leftOutCount, entityTag}: ResourceList<Records[Resource]>, fetchedAt: number) => ({
	records: records.map(({raw}) => raw),
	fetchedAt,
	// The tag covers what was left out as well, which is not stored.
	entityTag: leftOutCount === 0 ? entityTag : undefined,
});

/** Fills the cache with the lists of an earlier run, and stores those of this one. */
export const openLastSeenLists = (queryClient: QueryClient, lastSeen: LastSeen | undefined): LastSeenLists => {
	/** When each list was stored, by its records: they are the same objects in a list that was confirmed. */
	const storedAt = new WeakMap<readonly unknown[], number>();
	const waiting = new Map<Resource, {readonly list: SeenList<Records[Resource]>; readonly timer: NodeJS.Timeout}>();
	if (lastSeen !== undefined) {
		show(queryClient, lastSeen, storedAt);
	}

	const save = (resource: Resource, list: SeenList<Records[Resource]>): void => {
		waiting.delete(resource);
		lastSeen?.save(resource, toStored(list, storedAt.get(list.records) ?? 0));
	};

	/** Stores the lists that were changed here since they were read, or were confirmed for so long since they were stored. */
	const update = (confirmedMilliseconds: number): void => {
		for (const resource of resources) {
			const {data: list, dataUpdatedAt = 0} = queryClient.getQueryState<SeenList<Records[Resource]>>(resourceKeys.list(resource)) ?? {};
			if (list === undefined || !(dataUpdatedAt - (storedAt.get(list.records) ?? -Infinity) >= confirmedMilliseconds)) {
				continue;
			}

			lastSeen?.update(resource, toStored(list, dataUpdatedAt));
			storedAt.set(list.records, dataUpdatedAt);
		}
	};

	const storeNow = (confirmedMilliseconds: number): void => {
		for (const [resource, {list, timer}] of waiting) {
			clearTimeout(timer);
			save(resource, list);
		}

		update(confirmedMilliseconds);
	};

	return {
		store(resource, list) {
			if (lastSeen === undefined || storedAt.has(list.records)) {
				return;
			}

			storedAt.set(list.records, Date.now());
			clearTimeout(waiting.get(resource)?.timer);
			waiting.set(resource, {
				list,
				timer: setTimeout(() => {
					save(resource, list);
				}, delayMilliseconds),
			});
		},
		async saveScreen(screen) {
			storeNow(Infinity);
			await lastSeen?.saveScreen(screen);
		},
		removeScreen() {
			lastSeen?.removeScreen();
		},
		close() {
			storeNow(staleMilliseconds);
		},
	};
};
