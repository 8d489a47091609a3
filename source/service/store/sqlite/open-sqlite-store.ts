import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import {databaseFileIn, findDatabaseFile, prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {createListChanges} from '../list-changes.ts';
import {copiedTables, type CopyDatabase} from '../sql/copy-records.ts';
import {createDatabase, type Database, readVersions} from '../sql/database.ts';
import {refuseNewerSchema} from '../../store-errors.ts';
import {limitsOf, sqlVerbs, type Store, type StoreOptions} from '../store.ts';
import {type DatabaseGuard, guardDatabaseFiles} from './database-files.ts';
import {createReclaim, describeLongLog, erase, shortenLog} from './disk-use.ts';
import {createSqliteDialect, createSqliteEngine, type FoundDamage} from './engine.ts';
import {refuseDamage, toOpenError} from './errors.ts';
import {
	damageCheck,
	leaveWalModeIfLast,
	lookAtVersion,
	openDatabase,
	openToRead,
	readPragma,
	refuseForeignFiles,
	refuseToClose,
	setServingBusyTimeout,
} from './open-database.ts';
import {readVersion, refuseOtherVersion, versions} from './schema.ts';

/** Returns the store on SQLite (`openStore`). */
export function openSqliteStore(dataFolder: string, options: StoreOptions): Store {
	const file = prepareFile(dataFolder);
	const connection = openDatabase(file);
	setServingBusyTimeout(connection);
	const guard = guardDatabaseFiles(file);
	const {refuseMoved} = guard;
	const damage: FoundDamage = {};
	/** Throws if nothing may be written any more. */
	const refuseUnsafe = (): void => {
		if (damage.error !== undefined) {
			throw damage.error;
		}

		refuseMoved();
	};

	const databaseOn = (used: DatabaseSync): Database =>
		createDatabase(createSqliteDialect({database: used, file, refuseMoved}, damage), options.onQuery);
	const database = databaseOn(connection);
	const readingConnection = openToRead(file);
	const reading = databaseOn(readingConnection);
	const reclaim = createReclaim(database, connection, refuseUnsafe);
	const shorten = (): void => {
		if (damage.error === undefined) {
			refuseMoved();
			shortenLog(connection, file);
		}
	};

	const refuseUnsafeClose = (): void => refuseToClose([connection, readingConnection], refuseUnsafe, guard.isLogLost);

	const {announce, watch, close: closeWatch} = watchFile(database, connection);
	const verbs = sqlVerbs(
		createSqliteEngine({database, connection, damage, reading, betweenReads: shorten, announce, ...limitsOf(options)}),
	);

	const thenReclaim =
		<Parameters_ extends readonly unknown[], Result>(verb: (...parameters: Parameters_) => Promise<Result>) =>
		async (...parameters: Parameters_): Promise<Result> => {
			const result = await verb(...parameters);
			void reclaim();
			return result;
		};

	return {
		...verbs,
		abilities: {...verbs.abilities, remove: thenReclaim(verbs.abilities.remove)},
		releases: {...verbs.releases, save: thenReclaim(verbs.releases.save)},
		erase: async () => erase(database, connection, file),
		watch,
		async ready() {
			refuseMoved();
			// As a change does, which finds what would refuse one.
			await database.transaction().execute(async transaction => {
				for (const {name} of copiedTables) {
					await transaction.deleteFrom(name).where(sql<boolean>`false`).execute();
				}
			});
		},
		check: refuseMoved,
		async checkVersion() {
			refuseNewerSchema(file, readVersion(connection), versions.present);
		},
		findWarning() {
			shorten();
			return describeLongLog(file);
		},
		async close() {
			await closeWatch();
			// A write of this turn of the event loop begins before.
			await setImmediate();
			await reclaim();
			refuseUnsafeClose();
			await options.beforeClose?.();
			refuseUnsafeClose();
			await closeBoth(reading, readingConnection);
			leaveWalModeIfLast(connection);
			await closeBoth(database, connection);
		},
	};
}

/** Creates the folder and the file if they are missing, but no file beside the log of another. */
function prepareFile(dataFolder: string): string {
	prepareDataFolder(dataFolder);
	refuseForeignFiles(databaseFileIn(dataFolder));
	return prepareDatabaseFile(dataFolder);
}

/** SQLite counts the commits by other connections (https://sqlite.org/pragma.html#pragma_data_version). */
function watchFile(database: Database, connection: DatabaseSync) {
	let lastData: unknown;
	return createListChanges({
		lookMilliseconds: 100,
		async read(isFirst) {
			const data = readPragma(connection, 'data_version');
			if (!isFirst && data === lastData) {
				return undefined;
			}

			const accounts = await readVersions(database);
			lastData = data;
			return accounts;
		},
	});
}

/** Kysely closes only what it has used. */
async function closeBoth(database: Database, connection: DatabaseSync): Promise<void> {
	await database.destroy();
	if (connection.isOpen) {
		connection.close();
	}
}

/** Opens a data folder to be copied, without changing it. */
export function openSqliteSource(folder: string): CopyDatabase {
	const file = findDatabaseFile(folder);
	if (lookAtVersion(file) === 0) {
		throw new SwitchboardError('not-found', `The database ${file} is empty.`);
	}

	const connection = openToRead(file);
	try {
		refuseOtherVersion(connection, file);
		refuseDamage(readPragma(connection, damageCheck));
	} catch (error) {
		connection.close();
		throw toOpenError(error, file);
	}

	return asCopyDatabase(connection, file);
}

function asCopyDatabase(connection: DatabaseSync, file: string, guard?: DatabaseGuard): CopyDatabase {
	const {refuseMoved} = guard ?? {refuseMoved: () => undefined};
	const database = createDatabase(createSqliteDialect({database: connection, file, refuseMoved}));
	return {
		read: async work => database.transaction().setAccessMode('read only').execute(work),
		write: async work => database.transaction().execute(work),
		async readLastId(transaction, table) {
			const {rows} = await sql<{readonly seq: number}>`select seq from sqlite_sequence where name = ${table}`.execute(transaction);
			return rows[0]?.seq ?? 0;
		},
		async setLastId(transaction, table, id) {
			await sql`delete from sqlite_sequence where name = ${table}`.execute(transaction);
			await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(transaction);
		},
		async [Symbol.asyncDispose]() {
			if (guard !== undefined) {
				refuseToClose([connection], refuseMoved, guard.isLogLost);
				leaveWalModeIfLast(connection);
			}

			await closeBoth(database, connection);
		},
	};
}

/** Opens a data folder to be filled, and creates it if it is missing. */
export function openSqliteTarget(folder: string): CopyDatabase {
	const file = prepareFile(folder);
	const connection = openDatabase(file);
	return asCopyDatabase(connection, file, guardDatabaseFiles(file));
}
