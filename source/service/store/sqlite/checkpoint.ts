import {statSync} from 'node:fs';
import {type DatabaseSync} from 'node:sqlite';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
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

/** Much more than what several large uploads at once leave in it before it can be shortened. */
const stuckLogBytes = 64 * 1024 * 1024;

const logBytes = (file: string): number => statSync(`${file}-wal`, {throwIfNoEntry: false})?.size ?? 0;

/** Warns of a log that grows without end, since a reader keeps what was in it when that began; `undefined` if it does not. */
export const describeLongLog = (file: string): string | undefined => {
	const bytes = logBytes(file);
	return bytes <= stuckLogBytes
		? undefined
		: `The log of the database, ${file}-wal, has grown to ${formatBytes(bytes)}: a program that has been reading the database for long keeps it from being shortened, and it may fill the disk. End that program. To find it, run: lsof ${file}`;
};

/**
Shortens a long log, between two reads: while lists are read without a pause, SQLite finds no moment for it, and the log would
grow for as long as that lasts.
*/
export const shortenLog = (connection: DatabaseSync, file: string): void => {
	if (logBytes(file) <= longLogBytes || connection.isTransaction) {
		return;
	}

	try {
		checkpoint(connection);
	} catch {
		// Another process reads or writes, or the disk is full: the next read tries again.
	}
};
