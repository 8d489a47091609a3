import {withoutPassword} from '../../../platform/database-url.ts';
import {inTime} from '../../../platform/in-time.ts';
import {createDatabase} from '../sql/create-database.ts';
import {sqlVerbs} from '../sql/sql-verbs.ts';
import {refuseNewerSchema, StoreFailure, unreachable} from '../store-errors.ts';
import {type Store, type StoreOptions} from '../store.ts';
import {createPool, loadPg, statementMilliseconds} from './connect.ts';
import {createPostgresDialect, readSchemaVersion} from './dialect.ts';
import {createPostgresEngine} from './engine.ts';
import {createLimits} from './limits.ts';
import {prepareSchema} from './migrate.ts';
import {migrations} from './migrations.ts';
import {createVersionExchange} from './version-exchange.ts';
import {withConnection} from './with-connection.ts';

const connectionCount = 10;

const readyMilliseconds = 2000;

/** The store on PostgreSQL (`openStore`). */
export const openPostgresStore = async (url: string, options: StoreOptions): Promise<Store> => {
	const shown = withoutPassword(url);
	const pg = await loadPg();
	await withConnection(pg, url, async client => {
		await prepareSchema(client, shown);
	});
	const database = createDatabase(createPostgresDialect(createPool(pg, url, {connectionCount, milliseconds: statementMilliseconds.service}), shown), options);
	const exchange = createVersionExchange({pg, url, database});
	const engine = createPostgresEngine({database, shown, announce: exchange.announce});
	const verbs = sqlVerbs(engine, options.quotaBytes);
	const checkVersion = async (): Promise<true> => {
		const {rows: [row]} = await database.executeQuery(readSchemaVersion);
		refuseNewerSchema(shown, row?.version ?? 0, migrations.length);
		return true;
	};

	return {
		...verbs,
		// A release and its files are one transaction, of which a killed process leaves nothing.
		releases: {...verbs.releases, removeUnfinished: async () => undefined},
		limits: createLimits(database),
		watch: exchange.watch,
		async ready() {
			try {
				if (await inTime(checkVersion(), readyMilliseconds) === undefined) {
					throw new Error(`no answer within ${readyMilliseconds} ms`);
				}
			} catch (error) {
				throw error instanceof StoreFailure ? error : unreachable(shown, error);
			}
		},
		// It has no files that could be moved.
		check: () => undefined,
		async checkVersion() {
			await checkVersion();
		},
		async close() {
			await engine.close();
			await exchange.close();
			await database.destroy();
		},
	};
};
