import {
	listNames,
	type ListChange,
	type ListVersions,
	type Store,
} from './store.ts';

type Announcements = {
	readonly announce: (accountId: number, versions: Partial<ListVersions>) => void;
	readonly watch: Store['watch'];
};

/** Tells those who watch of new versions of lists. */
export const createAnnouncements = (): Announcements => {
	const listeners = new Set<(change: ListChange) => void>();
	return {
		announce(accountId, versions) {
			for (const list of listNames) {
				const version = versions[list];
				if (version === undefined) {
					continue;
				}

				for (const listener of listeners) {
					listener({accountId, list, version});
				}
			}
		},
		watch(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
};
