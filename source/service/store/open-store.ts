import {isDatabaseUrl} from '../../platform/secret-variables.ts';
import {findDatabaseFile, hasDatabase} from '../data-folder.ts';
import type {Migration, MigrationOptions} from './database-version.ts';
import type {Store, StoreOptions} from './store.ts';

/*
The only place that chooses a database, by its location: a data folder, or the URL of a PostgreSQL database. Each is loaded when it is used;
the work of an operator is in `maintenance.ts`.
*/

/**
Opens a store. A data folder is created if it is missing.

@throws SwitchboardError if the folder or the database cannot be used, with what to do; a damaged database is not changed, nor one of an
earlier version (`migrateStore`).
*/
export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
	return isDatabaseUrl(location)
		? (await import('./postgres/open-postgres-store.ts')).openPostgresStore(location, options)
		: (await import('./sqlite/open-sqlite-store.ts')).openSqliteStore(location, options);
}

/**
Brings a store to the version of this program. A verified copy of a SQLite file lies beside it before anything is changed, and nobody
else may have it open; on PostgreSQL, processes of the earlier version go on reading.

@throws SwitchboardError `conflict` if another process has the file open, `no-room` if there is none for the copy; `unexpected` if it is
newer than this program, `refused` if it is too old for it.
*/
export async function migrateStore(location: string, options: MigrationOptions = {}): Promise<Migration> {
	return isDatabaseUrl(location)
		? (await import('./postgres/open-postgres-store.ts')).upgradePostgres(location, options)
		: (await import('./sqlite/upgrade.ts')).upgradeDatabase(location, options);
}

/** Keeps a data folder open that another thread has opened (`holdDatabase`). */
export async function holdStore(dataFolder: string) {
	return (await import('./sqlite/open-database.ts')).holdDatabase(dataFolder);
}

/** Warnings for the person who starts a service, about the way to its database. */
export async function warningsFor(location: string): Promise<readonly string[]> {
	return isDatabaseUrl(location) ? (await import('./postgres/connect.ts')).warningsForUrl(location) : [];
}

/** Tells whether a data folder, or a PostgreSQL database, holds anything of ours yet. */
export async function hasStore(location: string): Promise<boolean> {
	return isDatabaseUrl(location)
		? (await (await import('./postgres/open-postgres-store.ts')).readPostgresVersion(location)) > 0
		: hasDatabase(location);
}

/** @throws SwitchboardError `not-found` if `hasStore` is false; otherwise if the folder or the database cannot be used. */
export async function requireStore(location: string): Promise<void> {
	if (isDatabaseUrl(location)) {
		await (await import('./postgres/open-postgres-store.ts')).requireVersion(location);
	} else {
		findDatabaseFile(location);
	}
}
