import {statSync} from 'node:fs';
import {type DatabaseSync} from 'node:sqlite';
import {setServingBusyTimeout} from './open-database.ts';

/** Moves the log into the file. Without waiting for readers, which would hold up every request: the next time will do. */
export const checkpoint = (connection: DatabaseSync): void => {
	connection.exec('pragma busy_timeout = 0');
	try {
		connection.exec('pragma wal_checkpoint(truncate)');
	} finally {
		setServingBusyTimeout(connection);
	}
};

/** Some four times what SQLite lets it grow to by itself. */
const longLogBytes = 16 * 1024 * 1024;

/**
Shortens a long log, between two reads: while lists are read without a pause, SQLite finds no moment for it, and the log would
grow for as long as that lasts.
*/
export const shortenLog = (connection: DatabaseSync, file: string): void => {
	const size = statSync(`${file}-wal`, {throwIfNoEntry: false})?.size ?? 0;
	if (size <= longLogBytes || connection.isTransaction) {
		return;
	}

	try {
		checkpoint(connection);
	} catch {
		// Another process reads or writes, or the disk is full: the next read tries again.
	}
};
