import {type DatabaseSync} from 'node:sqlite';
import {createAnnouncements} from '../announcements.ts';
import {createSeenVersions} from '../seen-versions.ts';
import {type Engine} from '../sql/engine.ts';
import {readVersions} from '../sql/versions.ts';
import {type Database} from '../sql/tables.ts';
import {type Store} from '../store.ts';

/** How soon one sees what another process writes. */
const lookMilliseconds = 100;

type Exchange = {
	readonly announce: Engine['announce'];
	readonly watch: Store['watch'];
	readonly close: () => void;
};

/** Tells of new versions: of those by this process at once, and, while somebody watches, of those by others that use the file. */
export const createVersionExchange = (database: Database, connection: DatabaseSync): Exchange => {
	let looking: NodeJS.Timeout | undefined;
	let lastData: unknown;
	let isReading = false;

	/** Another number after each commit by another connection (https://sqlite.org/pragma.html#pragma_data_version). */
	const dataVersion = (): unknown => connection.prepare('pragma data_version').get()?.['data_version'];

	/** One at a time: what is learned while one reads is newer than what it finds (`SeenVersions`). */
	const look = async (): Promise<void> => {
		if (isReading) {
			return;
		}

		isReading = true;
		try {
			const data = dataVersion();
			if (data !== lastData) {
				lastData = data;
				await seen.compare(async () => readVersions(database));
			}
		} catch {
			// The database cannot be read now: the next time.
			lastData = undefined;
		} finally {
			isReading = false;
		}
	};

	const begin = (): void => {
		void look();
		looking = setInterval(() => {
			void look();
		}, lookMilliseconds).unref();
	};

	const end = (): void => {
		clearInterval(looking);
		looking = undefined;
		lastData = undefined;
		seen.forget();
	};

	const {announce, watch, isWatched} = createAnnouncements({begin, end});
	const seen = createSeenVersions(announce);
	return {
		announce(accountId, versions) {
			if (isWatched()) {
				seen.learn(accountId, versions);
			}
		},
		watch,
		close: end,
	};
};
