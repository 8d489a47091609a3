import {listNames, type ListVersions} from './store.ts';

type Versions = Partial<ListVersions>;

export type SeenVersions = {
	/** Tells of those that are new. */
	readonly learn: (accountId: number, versions: Versions) => void;
	/** The same for what another process says, which may be made up: nothing is kept of an account that the database has not shown. */
	readonly hear: (accountId: number, versions: Versions) => void;
	/** The same for all accounts, read from the database. What is learned while they are read may be newer, so it is kept. */
	readonly compare: (read: () => Promise<ReadonlyArray<{readonly id: number; readonly versions: ListVersions}>>) => Promise<void>;
	readonly forget: () => void;
};

/** The last version of each list that watchers were told of: each is told once, whichever way it arrives first. */
export const createSeenVersions = (tell: (accountId: number, versions: Versions) => void): SeenVersions => {
	const seen = new Map<number, Versions>();
	const learnedMeanwhile = new Set<number>();
	let isFirst = true;

	const learn = (accountId: number, versions: Versions): void => {
		const before = seen.get(accountId);
		const fresh = Object.fromEntries(listNames
			.filter(list => versions[list] !== undefined && versions[list] !== before?.[list])
			.map(list => [list, versions[list]]));
		seen.set(accountId, {...before, ...fresh});
		if (Object.keys(fresh).length === 0) {
			return;
		}

		learnedMeanwhile.add(accountId);
		tell(accountId, fresh);
	};

	return {
		learn,
		hear(accountId, versions) {
			if (seen.has(accountId)) {
				learn(accountId, versions);
			}
		},
		async compare(read) {
			learnedMeanwhile.clear();
			for (const {id, versions} of await read()) {
				if (isFirst) {
					seen.set(id, {...versions, ...seen.get(id)});
				} else if (!learnedMeanwhile.has(id)) {
					learn(id, versions);
				}
			}

			isFirst = false;
		},
		forget() {
			seen.clear();
			isFirst = true;
		},
	};
};
