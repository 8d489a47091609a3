import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {refuseForeignLog} from './foreign-log.ts';
import {busyTimeoutMilliseconds, toOpenError} from './open-database.ts';

/**
Opens a database file without changing it, whoever else uses it. A handle that may only read leaves the files of the WAL behind
where there were none, and one that may write would move a WAL that a killed service left into the database.

@throws SwitchboardError if it cannot be opened.
*/
export const openToRead = (file: string): DatabaseSync => {
	try {
		refuseForeignLog(file);
		const hasWal = statSync(`${file}-wal`, {throwIfNoEntry: false}) !== undefined;
		const database = new DatabaseSync(file, {readOnly: hasWal, timeout: busyTimeoutMilliseconds});
		database.exec('pragma query_only = on');
		return database;
	} catch (error) {
		throw toOpenError(error, file);
	}
};
