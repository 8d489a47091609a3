import {randomUUID} from 'node:crypto';
import {createAnnouncements} from '../announcements.ts';
import {createSeenVersions} from '../seen-versions.ts';
import {type Engine} from '../sql/engine.ts';
import {type Database} from '../sql/tables.ts';
import {readVersions} from '../sql/versions.ts';
import {type Store} from '../store.ts';
import {type Pg} from './connect.ts';
import {listen} from './listen.ts';
import {channel, createNoticeSender, readNotice} from './notices.ts';

/** A process that was killed after a commit has sent no notice of it, and one of an account that is not known yet was not heeded. */
const compareMilliseconds = 3000;

type Exchange = {
	readonly announce: Engine['announce'];
	readonly watch: Store['watch'];
	/** Ends watching, and sends what has not been sent. */
	readonly close: () => Promise<void>;
};

type Parts = {readonly pg: Pg; readonly url: string; readonly database: Database};

/** Tells of new versions in this process and, by notices, in all others on the database. It listens only while somebody watches. */
export const createVersionExchange = ({pg, url, database}: Parts): Exchange => {
	const sender = randomUUID();
	const notices = createNoticeSender(database, sender);
	let stopListening = async (): Promise<void> => undefined;

	const compareNow = async (): Promise<void> => {
		try {
			await seen.compare(async () => readVersions(database));
		} catch {
			// The database is away: the next time.
		}
	};

	let lastComparison = Promise.resolve();
	let comparisonCount = 0;
	/** One after the other. */
	const compare = async (): Promise<void> => {
		comparisonCount++;
		lastComparison = lastComparison.then(compareNow);
		await lastComparison;
		comparisonCount--;
	};

	const begin = (): void => {
		seen.forget();
		const ending = new AbortController();
		const timer = setInterval(() => {
			if (comparisonCount === 0) {
				void compare();
			}
		}, compareMilliseconds).unref();
		const listening = listen({
			pg,
			url,
			channel,
			receive(payload) {
				const notice = readNotice(payload);
				if (notice !== undefined && notice.sender !== sender) {
					seen.hear(notice.accountId, notice.versions);
				}
			},
			begin: compare,
			signal: ending.signal,
		});
		stopListening = async () => {
			clearInterval(timer);
			ending.abort();
			await listening;
		};
	};

	const {announce, watch, isWatched} = createAnnouncements({
		begin,
		end() {
			void stopListening();
		},
	});
	const seen = createSeenVersions(announce);
	return {
		announce(accountId, versions) {
			if (isWatched()) {
				seen.learn(accountId, versions);
			}

			notices.send(accountId, versions);
		},
		watch,
		async close() {
			await stopListening();
			await notices.flush();
		},
	};
};
