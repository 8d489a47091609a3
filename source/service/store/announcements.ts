import {
	listNames,
	type ListChange,
	type ListVersions,
	type Store,
} from './store.ts';

type Announcements = {
	readonly announce: (accountId: number, versions: Partial<ListVersions>) => void;
	readonly watch: Store['watch'];
	/** True while somebody watches. */
	readonly isWatched: () => boolean;
};

/** What is done only while somebody watches: from the first on, until the last has gone. */
type Watching = {
	begin(): void;
	end(): void;
};

/** Tells those who watch of new versions of lists. */
export const createAnnouncements = ({begin, end}: Watching): Announcements => {
	const watchers = new Set<{readonly listener: (change: ListChange) => void}>();
	return {
		announce(accountId, versions) {
			for (const list of listNames) {
				const version = versions[list];
				if (version === undefined) {
					continue;
				}

				for (const {listener} of watchers) {
					listener({accountId, list, version});
				}
			}
		},
		watch(listener) {
			const watcher = {listener};
			watchers.add(watcher);
			if (watchers.size === 1) {
				begin();
			}

			return () => {
				if (watchers.delete(watcher) && watchers.size === 0) {
					end();
				}
			};
		},
		isWatched: () => watchers.size > 0,
	};
};
