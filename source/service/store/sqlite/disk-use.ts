import type {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn, setTimeout as delay} from 'node:timers/promises';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {reasonOf, SwitchboardError, withoutFailing} from '../../../interface/errors.ts';
import {joinRuns} from '../../../platform/turns.ts';
import type {Database} from '../sql/database.ts';
import {shellWord} from '../../../platform/shell-word.ts';
import {logBytes} from './database-files.ts';
import {toStoreError} from './errors.ts';
import {busyTimeoutMilliseconds, readPragma, setServingBusyTimeout} from './open-database.ts';

/** Some four times what SQLite lets it grow to by itself. */
const longLogBytes = 16 * 1024 * 1024;

/** Much more than several large uploads at once leave in it before it can be shortened. */
const stuckLogBytes = 64 * 1024 * 1024;

/** Returns a warning of a log that grows without end, since a reader keeps its state from when that began; `undefined` if it does not. */
export function describeLongLog(file: string): string | undefined {
	const bytes = logBytes(file);
	return bytes <= stuckLogBytes
		? undefined
		: `The log of the database, ${file}-wal, has grown to ${formatBytes(bytes)}: a program that has been reading the database for long keeps it from being shortened, and it may fill the disk. End that program. To find it, run: lsof ${shellWord(file)}`;
}

/**
Shortens a long log, between two reads: while lists are read without a pause, SQLite finds no moment for it, and the log would
grow for as long as that lasts.
*/
export function shortenLog(connection: DatabaseSync, file: string): void {
	if (logBytes(file) <= longLogBytes || connection.isTransaction) {
		return;
	}

	// If another process reads or writes, or the disk is full, the next read tries again.
	withoutFailing(() => checkpoint(connection));
}

/** Moves the log into the file. Without waiting for readers, which would hold up every request: the next time will do. */
function checkpoint(connection: DatabaseSync): void {
	connection.exec('pragma busy_timeout = 0');
	try {
		connection.exec('pragma wal_checkpoint(truncate)');
	} finally {
		setServingBusyTimeout(connection);
	}
}

/**
Gives the room of deleted records back to the disk, a little at a time, so that the file no longer holds them either.

@param refuse - throws if nothing may be written.
@returns a function that starts this unless it is under way, and resolves when it is done or cannot go on, as on a full disk.
*/
export function createReclaim(database: Database, connection: DatabaseSync, refuse: () => void): () => Promise<void> {
	return joinRuns(async () => {
		try {
			while (readPragma(connection, 'freelist_count') !== 0) {
				// Kysely lends the connection when no transaction is open.
				await database.connection().execute(async () => {
					refuse();
					// About a megabyte: a request in between waits for a few milliseconds.
					connection.exec('pragma incremental_vacuum(256)');
					if (readPragma(connection, 'freelist_count') === 0) {
						checkpoint(connection);
					}
				});
				await nextTurn();
			}
		} catch {
			// Another process is writing, or the disk is full: what is free is used again, and the next deletion tries again.
		}
	});
}

/**
Writes the file anew, and empties its log, without deleted records. Overwriting them (`secure_delete`) is not enough: when SQLite moves
records between pages, copies of them stay in the gaps of pages that other records use.

@throws SwitchboardError if another program holds the file for too long, or there is no room to write it again.
*/
export async function erase(database: Database, connection: DatabaseSync, file: string): Promise<void> {
	// Kysely lends the connection when no transaction is open.
	return database.connection().execute(async () => {
		try {
			connection.exec('pragma auto_vacuum = incremental; vacuum');
			// SQLite waits for readers by itself, but not for a service that is moving the log into the file.
			const deadline = performance.now() + busyTimeoutMilliseconds;
			while (readPragma(connection, 'wal_checkpoint(truncate)') !== 0) {
				if (performance.now() > deadline) {
					throw new Error('another program has been reading it all the time');
				}

				await delay(20);
			}
		} catch (error) {
			const known = toStoreError(error, file);
			const kind = known instanceof SwitchboardError ? known.kind : 'unexpected';
			const message = `Deleted records may still be found in ${file} or its log, which cannot be written anew: ${reasonOf(error)}.`;
			const nextStep = `Later, run: sqlite3 ${shellWord(file)} "vacuum; pragma wal_checkpoint(truncate)"`;
			throw new SwitchboardError(kind, message, {nextStep, cause: error});
		}
	});
}
