import {type ListChange, listNames, type ListVersions} from './changes.ts';

type Versions = Partial<ListVersions>;

type Parts = {
	/** Reads the versions of all accounts; `undefined` if nothing has changed since the last time that it read them. */
	readonly read: (
		isFirst: boolean,
	) => Promise<ReadonlyArray<{readonly id: number; readonly versions: ListVersions; readonly historyNumber: number}> | undefined>;
	/** How soon a change by another process is seen. */
	readonly lookMilliseconds: number;
};

/**
Publishes the new versions of lists to watchers: of this process at once, and, while somebody watches, those of others that use the
database. Each is published once, whether it is announced here or found by a comparison first.
*/
export function createListChanges({read, lookMilliseconds}: Parts) {
	const watchers = new Set<{readonly listener: (change: ListChange) => void}>();
	/** The last version of each list that was published. */
	const seen = new Map<number, Versions>();
	const learnedMeanwhile = new Set<number>();
	let isFirst = true;
	let timer: NodeJS.Timeout | undefined;
	let looking: Promise<void> | undefined;
	let nextLookAt = 0;

	const announce = (accountId: number, versions: Versions, historyNumber: number): void => {
		const before = seen.get(accountId);
		const fresh = listNames.filter(list => versions[list] !== undefined && versions[list] !== before?.[list]);
		if (watchers.size === 0 || fresh.length === 0) {
			return;
		}

		seen.set(accountId, {...before, ...Object.fromEntries(fresh.map(list => [list, versions[list]]))});
		learnedMeanwhile.add(accountId);
		for (const list of fresh) {
			for (const {listener} of watchers) {
				listener({accountId, list, version: versions[list]!, historyNumber});
			}
		}
	};

	/** A version that is announced while the others are read may be newer than the one that is read, so it is kept. */
	const look = async (): Promise<void> => {
		const startedAt = performance.now();
		learnedMeanwhile.clear();
		try {
			const accounts = await read(isFirst);
			for (const {id, versions, historyNumber} of accounts ?? []) {
				if (isFirst) {
					seen.set(id, {...versions, ...seen.get(id)});
				} else if (!learnedMeanwhile.has(id)) {
					announce(id, versions, historyNumber);
				}
			}

			isFirst = false;
			// Very many accounts take long to read.
			nextLookAt = performance.now() + Math.min(9 * (performance.now() - startedAt), 3000);
		} catch {
			// The database cannot be read now: the next time.
		}
	};

	const lookUnlessUnderWay = (): void => {
		if (performance.now() >= nextLookAt) {
			looking ??= look().finally(() => {
				looking = undefined;
			});
		}
	};

	return {
		announce,
		watch(listener: (change: ListChange) => void) {
			const watcher = {listener};
			watchers.add(watcher);
			if (watchers.size === 1) {
				seen.clear();
				isFirst = true;
				nextLookAt = 0;
				timer = setInterval(lookUnlessUnderWay, lookMilliseconds).unref();
				lookUnlessUnderWay();
			}

			return () => {
				if (watchers.delete(watcher) && watchers.size === 0) {
					clearInterval(timer);
				}
			};
		},
		/** Ends watching. */
		async close() {
			clearInterval(timer);
			await looking;
		},
	};
}
