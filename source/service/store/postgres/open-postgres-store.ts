import {setTimeout as delay} from 'node:timers/promises';
import {Kysely, sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import {withoutPassword} from '../../../platform/database-url.ts';
import {sqlVerbs} from '../sql/sql-verbs.ts';
import {type Database, type Tables} from '../sql/tables.ts';
import {unreachable} from '../store-errors.ts';
import {type Store, type StoreOptions} from '../store.ts';
import {
	connectAlone,
	createPool,
	loadPg,
	type Pg,
} from './connect.ts';
import {createPostgresDialect} from './dialect.ts';
import {createPostgresEngine} from './engine.ts';
import {isAway, toStoreError} from './failures.ts';
import {createLimits} from './limits.ts';
import {migrate} from './migrate.ts';
import {retry} from './retry.ts';
import {createVersionExchange} from './version-exchange.ts';

const connectionCount = 10;

const readyMilliseconds = 2000;

/** Waits for a database that is just starting. */
const makeReady = async (pg: Pg, url: string, shown: string): Promise<void> => {
	try {
		await retry(async () => {
			const client = await connectAlone(pg, url);
			try {
				await migrate(client, shown);
			} finally {
				await client.end();
			}
		}, isAway);
	} catch (error) {
		const known = toStoreError(error, shown);
		throw known instanceof SwitchboardError ? known : unreachable(shown, error);
	}
};

const withinMilliseconds = async <Result>(work: Promise<Result>, milliseconds: number): Promise<Result> => {
	const ending = new AbortController();
	try {
		return await Promise.race([
			work,
			(async () => {
				await delay(milliseconds, undefined, {signal: ending.signal});
				throw new Error(`no answer within ${milliseconds} ms`);
			})(),
		]);
	} finally {
		ending.abort();
	}
};

/** The store on PostgreSQL (`openStore`). */
export const openPostgresStore = async (url: string, {quotaBytes, onQuery}: StoreOptions): Promise<Store> => {
	const shown = withoutPassword(url);
	const pg = await loadPg();
	await makeReady(pg, url, shown);
	const database: Database = new Kysely<Tables>({
		dialect: createPostgresDialect(createPool(pg, url, connectionCount)),
		...(onQuery !== undefined && {
			log(event) {
				onQuery(event.queryDurationMillis);
			},
		}),
	});
	const exchange = createVersionExchange({pg, url, database});
	const engine = createPostgresEngine({database, shown, announce: exchange.announce});
	const verbs = sqlVerbs(engine, quotaBytes);
	return {
		...verbs,
		// A release and its files are one transaction, of which a killed process leaves nothing.
		releases: {...verbs.releases, removeUnfinished: async () => undefined},
		limits: createLimits(database),
		watch: exchange.watch,
		async ready() {
			try {
				await withinMilliseconds(sql`select 1`.execute(database), readyMilliseconds);
			} catch (error) {
				throw unreachable(shown, error);
			}
		},
		// It has no files that could be moved.
		check: () => undefined,
		async close() {
			await engine.close();
			await exchange.close();
			await database.destroy();
		},
	};
};
