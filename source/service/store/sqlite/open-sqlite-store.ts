import {type DatabaseSync} from 'node:sqlite';
import {sql} from 'kysely';
import {prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {refuseNewerSchema} from '../store-errors.ts';
import {type Store, type StoreOptions} from '../store.ts';
import {copiedTables} from '../sql/copied-tables.ts';
import {createDatabase} from '../sql/create-database.ts';
import {sqlVerbs} from '../sql/sql-verbs.ts';
import {type Database} from '../sql/tables.ts';
import {guardDatabaseFiles} from './database-files.ts';
import {describeLongLog, shortenLog} from './checkpoint.ts';
import {createSqliteDialect, type FoundDamage} from './dialect.ts';
import {createSqliteEngine} from './engine.ts';
import {erase} from './erase.ts';
import {readVersion} from './migrate.ts';
import {migrations} from './migrations.ts';
import {openDatabase, setServingBusyTimeout} from './open-database.ts';
import {openToRead, refuseToOpen} from './open-to-read.ts';
import {createReclaim} from './reclaim.ts';
import {createVersionExchange} from './version-exchange.ts';

/** The store on SQLite (`openStore`). */
export const openSqliteStore = (dataFolder: string, options: StoreOptions): Store => {
	prepareDataFolder(dataFolder);
	const file = prepareDatabaseFile(dataFolder);
	refuseToOpen(file);
	const connection = openDatabase(file);
	setServingBusyTimeout(connection);
	const refuseMoved = guardDatabaseFiles(file);
	const damage: FoundDamage = {};
	const databaseOn = (used: DatabaseSync): Database => createDatabase(createSqliteDialect({database: used, file, refuseMoved}, damage), options);
	const database = databaseOn(connection);
	const readingConnection = openToRead(file);
	const reading = databaseOn(readingConnection);
	const reclaim = createReclaim(database, connection);
	const checkVersion = (): void => {
		refuseNewerSchema(file, readVersion(connection), migrations.length);
	};

	const exchange = createVersionExchange(database, connection);
	const verbs = sqlVerbs(createSqliteEngine({
		database,
		reading,
		betweenReads() {
			shortenLog(connection, file);
		},
		announce: exchange.announce,
	}), options.quotaBytes);
	return {
		...verbs,
		abilities: {
			...verbs.abilities,
			async remove(writer, ids) {
				const written = await verbs.abilities.remove(writer, ids);
				void reclaim();
				return written;
			},
		},
		releases: {
			...verbs.releases,
			async save(writer, releaseId, code) {
				const release = await verbs.releases.save(writer, releaseId, code);
				void reclaim();
				return release;
			},
		},
		erase: async () => erase(database, connection, file),
		watch: exchange.watch,
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
			checkVersion();
		},
		findWarning() {
			shortenLog(connection, file);
			return describeLongLog(file);
		},
		async close() {
			exchange.close();
			await reading.destroy();
			await reclaim();
			await database.destroy();
			// Kysely closes only what it has used.
			for (const used of [readingConnection, connection]) {
				if (used.isOpen) {
					used.close();
				}
			}
		},
	};
};
