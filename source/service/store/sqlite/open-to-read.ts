import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {SwitchboardError} from '../../../interface/errors.ts';
import {readVersion, refuseForeignDatabase, refuseNewerDatabase, refuseOtherVersion} from './migrate.ts';
import {busyTimeoutMilliseconds, toOpenError} from './open-database.ts';

/**
Opens a database file without changing it, whoever else uses it. A handle that may only read leaves the files of the WAL behind
where there were none, and one that may write would move a WAL that a killed service left into the database.

@throws SwitchboardError if it cannot be opened.
*/
export const openToRead = (file: string): DatabaseSync => {
	try {
		const hasWal = statSync(`${file}-wal`, {throwIfNoEntry: false}) !== undefined;
		const database = new DatabaseSync(file, {readOnly: hasWal, timeout: busyTimeoutMilliseconds});
		database.exec('pragma query_only = on');
		return database;
	} catch (error) {
		throw toOpenError(error, file);
	}
};

/** Looks at a database without changing it, whoever else uses it; one that has no content yet is not even opened. */
const lookAt = <Result>(file: string, look: (database: DatabaseSync) => Result): Result | undefined => {
	if (statSync(file).size === 0) {
		return undefined;
	}

	using database = openToRead(file);
	try {
		return look(database);
	} catch (error) {
		throw error instanceof SwitchboardError ? error : toOpenError(error, file);
	}
};

/**
The number of the last migration that was applied to a database file, 0 if it holds nothing of ours yet.

@throws SwitchboardError if it is newer than this program, or of another program.
*/
export const lookAtVersion = (file: string): number => lookAt(file, database => {
	refuseForeignDatabase(database, file);
	refuseNewerDatabase(database, file);
	return readVersion(database);
}) ?? 0;

/** @throws SwitchboardError if the file cannot be opened as it is (`refuseOtherVersion`); it is not changed. */
export const refuseToOpen = (file: string): void => {
	lookAt(file, database => {
		refuseOtherVersion(database, file);
	});
};
