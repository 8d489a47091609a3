import {sql} from 'kysely';
import {withoutPassword} from '../../../platform/database-url.ts';
import {inTime} from '../../../platform/in-time.ts';
import {copiedTables} from '../sql/copied-tables.ts';
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
		const {rows} = await database.executeQuery(readSchemaVersion);
		refuseNewerSchema(shown, rows[0]?.version ?? 0, migrations.length);
		return true;
	};

	/** Begins a transaction as a change does, which finds most of what would refuse one, and looks for the rest. */
	const checkWritable = async (): Promise<boolean> => database.transaction().execute(async transaction => {
		const {rows} = await sql<{readonly areMissing: boolean}>`
			select exists (
				select from unnest(${copiedTables.map(({name}) => name)}::text[]) as name, unnest(array['select', 'insert', 'update', 'delete']) as privilege
				where not has_table_privilege(name, privilege)
			) as "areMissing"
		`.execute(transaction);
		if (rows[0]?.areMissing !== false) {
			throw new Error('its user may not change all tables');
		}

		// A database that is read-only refuses it.
		await sql`select from accounts where false for update`.execute(transaction);
		return true;
	});

	return {
		...verbs,
		// A release and its files are one transaction, of which a killed process leaves nothing.
		releases: {...verbs.releases, removeUnfinished: async () => undefined},
		limits: createLimits(database),
		watch: exchange.watch,
		async ready() {
			try {
				if (await inTime(checkWritable(), readyMilliseconds) === undefined) {
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
