import {sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import {withoutPassword} from '../../../platform/database-url.ts';
import {type Migration, type MigrationOptions} from '../database-version.ts';
import {createDatabase} from '../sql/create-database.ts';
import {type Home, type LastIds, sequenceTables} from '../sql/home.ts';
import {type Database} from '../sql/tables.ts';
import {
	createPool,
	loadPg,
	statementMilliseconds,
	type Pg,
} from './connect.ts';
import {createPostgresDialect} from './dialect.ts';
import {createPostgresEngine} from './engine.ts';
import {
	migrate,
	prepareSchema,
	readVersion,
	refuseForeignSchema,
	refuseNewer,
	refuseOtherVersion,
} from './migrate.ts';
import {migrations} from './migrations.ts';
import {withConnection} from './with-connection.ts';

/** The work of an operator takes as long as it takes. */
const withoutLimits = async (transaction: Database): Promise<void> => {
	await sql`set local statement_timeout = 0`.execute(transaction);
	await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
};

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(${`switchboard.${table}`}, 'id')`;

const readLastIds = async (database: Database): Promise<LastIds> => {
	const ids = new Map<string, number>();
	for (const table of sequenceTables) {
		const {rows} = await sql<{readonly last: number}>`
			select greatest(coalesce(pg_sequence_last_value(${sequenceOf(table)}::regclass), 0), (select coalesce(max(id), 0) from ${sql.table(table)})) as last
		`.execute(database);
		ids.set(table, rows[0]!.last);
	}

	return Object.fromEntries(ids) as LastIds;
};

const raiseLastIds = async (database: Database, ids: LastIds): Promise<void> => {
	const before = await readLastIds(database);
	for (const table of sequenceTables) {
		const last = Math.max(ids[table], before[table]);
		if (last > 0) {
			await sql`select setval(${sequenceOf(table)}::regclass, ${last})`.execute(database);
		}
	}
};

const homeOf = (pg: Pg, url: string): Home => {
	const shown = withoutPassword(url);
	const database = createDatabase(createPostgresDialect(createPool(pg, url, {connectionCount: 1, milliseconds: statementMilliseconds.copy}), shown));
	const engine = createPostgresEngine({database, shown, announce: () => undefined});
	return {
		read: async work => engine.read(async transaction => {
			await withoutLimits(transaction);
			return work(transaction);
		}),
		write: async work => engine.write(async transaction => {
			await withoutLimits(transaction);
			await sql`lock table accounts in share row exclusive mode`.execute(transaction);
			return work(transaction);
		}),
		readLastIds,
		raiseLastIds,
		async close() {
			await engine.close();
			await database.destroy();
		},
	};
};

/**
The number of the last migration of a database, 0 if it holds nothing of ours.

@throws SwitchboardError if it cannot be reached, or its schema is of another program.
*/
export const readPostgresVersion = async (url: string): Promise<number> => {
	const pg = await loadPg();
	return withConnection(pg, url, async client => {
		await refuseForeignSchema(client, withoutPassword(url));
		return readVersion(client);
	});
};

/** Brings a database up to date (`migrateStore`). */
export const upgradePostgres = async (url: string, {isDryRun = false}: MigrationOptions): Promise<Migration> => {
	const pg = await loadPg();
	const shown = withoutPassword(url);
	return withConnection(pg, url, async client => {
		await refuseForeignSchema(client, shown);
		const from = await readVersion(client);
		refuseNewer(from, shown);
		if (from === 0 || from === migrations.length) {
			return {from, to: from};
		}

		return isDryRun ? {from, to: migrations.length} : migrate(client, shown);
	});
};

export const noPostgresHome = (url: string): SwitchboardError =>
	new SwitchboardError('not-found', `The database ${withoutPassword(url)} holds nothing of Switchboard.`, {nextStep: 'Check its name.'});

/** Opens a database to be read, without changing it (`openHome`). */
export const openPostgresHomeToRead = async (url: string): Promise<Home> => {
	const version = await readPostgresVersion(url);
	if (version === 0) {
		throw noPostgresHome(url);
	}

	refuseOtherVersion(version, withoutPassword(url));
	return homeOf(await loadPg(), url);
};

/** Opens a database to be filled (`openHome`). */
export const openPostgresHome = async (url: string): Promise<Home> => {
	const pg = await loadPg();
	await withConnection(pg, url, async client => {
		await prepareSchema(client, withoutPassword(url));
	});
	return homeOf(pg, url);
};
