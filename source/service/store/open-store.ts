import {isDatabaseUrl} from '../../platform/database-url.ts';
import {findDatabaseFile, hasDatabase} from '../data-folder.ts';
import {type Migration, type MigrationOptions} from './database-version.ts';
import {type Store, type StoreOptions} from './store.ts';

/**
Opens the store of a data folder, which is created if it is missing, or of a PostgreSQL database, named by its URL. The only place that
chooses a database.

@throws SwitchboardError if the folder or the database cannot be used, with what to do; a damaged database is not changed, nor one of an
earlier version (`migrateStore`).
*/
export const openStore = async (location: string, options: StoreOptions = {}): Promise<Store> => {
	if (isDatabaseUrl(location)) {
		const {openPostgresStore} = await import('./postgres/open-postgres-store.ts');
		return openPostgresStore(location, options);
	}

	const {openSqliteStore} = await import('./sqlite/open-sqlite-store.ts');
	return openSqliteStore(location, options);
};

/**
Brings a store to the version of this program. Of a SQLite file there is a verified copy beside it before anything is changed, and nobody
else may have it open; on PostgreSQL, processes of the earlier version go on reading.

@throws SwitchboardError `conflict` if another process has the file open, `no-room` if there is none for the copy; `unexpected` if it is
newer than this program.
*/
export const migrateStore = async (location: string, options: MigrationOptions = {}): Promise<Migration> => {
	if (!isDatabaseUrl(location)) {
		const {upgradeDatabase} = await import('./sqlite/upgrade.ts');
		return hasDatabase(location) ? upgradeDatabase(location, options) : {from: 0, to: 0};
	}

	const {upgradePostgres} = await import('./postgres/home.ts');
	return upgradePostgres(location, options);
};

/** False if a data folder, or a PostgreSQL database, holds nothing of ours yet. */
export const hasStore = async (location: string): Promise<boolean> => {
	if (!isDatabaseUrl(location)) {
		return hasDatabase(location);
	}

	const {readPostgresVersion} = await import('./postgres/home.ts');
	return await readPostgresVersion(location) > 0;
};

/** @throws SwitchboardError `not-found` if `hasStore` is false; otherwise if the folder or the database cannot be used. */
export const requireStore = async (location: string): Promise<void> => {
	if (!isDatabaseUrl(location)) {
		findDatabaseFile(location);
	} else if (!await hasStore(location)) {
		const {noPostgresHome} = await import('./postgres/home.ts');
		throw noPostgresHome(location);
	}
};
