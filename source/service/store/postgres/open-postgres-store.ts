import {sql} from 'kysely';
import {withoutPassword} from '../../../platform/database-url.ts';
import {inTime} from '../../../platform/in-time.ts';
import {createDatabase} from '../sql/create-database.ts';
import {sqlVerbs} from '../sql/sql-verbs.ts';
import {unreachable} from '../store-errors.ts';
import {type Store, type StoreOptions} from '../store.ts';
import {createPool, loadPg, statementMilliseconds} from './connect.ts';
import {createPostgresDialect} from './dialect.ts';
import {createPostgresEngine} from './engine.ts';
import {createLimits} from './limits.ts';
import {migrate} from './migrate.ts';
import {createVersionExchange} from './version-exchange.ts';
import {withConnection} from './with-connection.ts';

const connectionCount = 10;

const readyMilliseconds = 2000;

/** The store on PostgreSQL (`openStore`). */
export const openPostgresStore = async (url: string, options: StoreOptions): Promise<Store> => {
	const shown = withoutPassword(url);
	const pg = await loadPg();
	await withConnection(pg, url, async client => {
		await migrate(client, shown);
	});
	const database = createDatabase(createPostgresDialect(createPool(pg, url, {connectionCount, milliseconds: statementMilliseconds.service})), options);
	const exchange = createVersionExchange({pg, url, database});
	const engine = createPostgresEngine({database, shown, announce: exchange.announce});
	const verbs = sqlVerbs(engine, options.quotaBytes);
	return {
		...verbs,
		// A release and its files are one transaction, of which a killed process leaves nothing.
		releases: {...verbs.releases, removeUnfinished: async () => undefined},
		limits: createLimits(database),
		watch: exchange.watch,
		async ready() {
			try {
				if (await inTime(sql`select 1`.execute(database), readyMilliseconds) === undefined) {
					throw new Error(`no answer within ${readyMilliseconds} ms`);
				}
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
