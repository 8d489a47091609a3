import {type DatabaseSync} from 'node:sqlite';
import {sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import {findDatabaseFile, prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {createDatabase} from '../sql/create-database.ts';
import {type Home, type LastIds, sequenceTables} from '../sql/home.ts';
import {type Database} from '../sql/tables.ts';
import {guardDatabaseFiles} from './database-files.ts';
import {createSqliteDialect} from './dialect.ts';
import {refuseOtherVersion} from './migrate.ts';
import {
	damageCheck,
	openDatabase,
	refuseDamage,
	toOpenError,
} from './open-database.ts';
import {lookAtVersion, openToRead, refuseToOpen} from './open-to-read.ts';
import {runPragma} from './run-pragma.ts';

const readLastIds = async (database: Database): Promise<LastIds> => {
	const {rows} = await sql<{readonly name: string; readonly seq: number}>`select name, seq from sqlite_sequence`.execute(database);
	const ids = new Map(rows.map(({name, seq}) => [name, seq]));
	return Object.fromEntries(sequenceTables.map(table => [table, ids.get(table) ?? 0])) as LastIds;
};

const raiseLastIds = async (database: Database, ids: LastIds): Promise<void> => {
	const before = await readLastIds(database);
	for (const table of sequenceTables) {
		if (!(ids[table] > before[table])) {
			continue;
		}

		await sql`delete from sqlite_sequence where name = ${table}`.execute(database);
		await sql`insert into sqlite_sequence (name, seq) values (${table}, ${ids[table]})`.execute(database);
	}
};

const homeOf = (connection: DatabaseSync, file: string, refuseMoved: () => void): Home => {
	const database = createDatabase(createSqliteDialect({database: connection, file, refuseMoved}));
	return {
		read: async work => database.transaction().setAccessMode('read only').execute(work),
		write: async work => database.transaction().execute(work),
		readLastIds,
		raiseLastIds,
		async close() {
			await database.destroy();
			// Kysely closes only what it has used.
			if (connection.isOpen) {
				connection.close();
			}
		},
	};
};

/**
Opens a data folder to be read, without changing it (`openHome`).

@param signal - ends it while the file is checked.
*/
export const openSqliteHomeToRead = async (folder: string, signal: AbortSignal): Promise<Home> => {
	const file = findDatabaseFile(folder);
	if (lookAtVersion(file) === 0) {
		throw new SwitchboardError('not-found', `The database ${file} is empty: it holds no home.`);
	}

	const connection = openToRead(file);
	try {
		refuseOtherVersion(connection, file);
		const [finding] = await runPragma(file, damageCheck, {signal});
		refuseDamage(finding);
	} catch (error) {
		connection.close();
		throw error instanceof SwitchboardError ? error : toOpenError(error, file);
	}

	return homeOf(connection, file, () => undefined);
};

/** Opens a data folder to be filled, and creates it if it is missing (`openHome`). */
export const openSqliteHome = (folder: string): Home => {
	prepareDataFolder(folder);
	const file = prepareDatabaseFile(folder);
	refuseToOpen(file);
	return homeOf(openDatabase(file), file, guardDatabaseFiles(file));
};
