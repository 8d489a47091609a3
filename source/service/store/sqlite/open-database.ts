import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {withoutFailing} from '../../../interface/errors.ts';
import {databaseFileIn} from '../../data-folder.ts';
import {isTrouble, movedAtEnd, type StoreFailure} from '../../store-errors.ts';
import {refuseForeignLog, refuseStrayHolders} from './database-files.ts';
import {isDatabaseBusy, refuseDamage, toOpenError} from './errors.ts';
import {migrate, readVersion, refuseOtherVersion, refuseUnknownDatabase} from './schema.ts';

/*
A database has a log (WAL) beside it while a process has it open, and after a crash. The last connection to close leaves WAL mode, so that
the header says that there is no log, and a log beside such a file is known to be of another database (`hasForeignLog`).

The header is rewritten in place, with its journal in memory: the change is smaller than a sector, which a disk writes as a whole, and a
full disk needs no room for it.
*/

/** How long opening and reading wait for another process: the service and the commands of its operator share the file. */
export const busyTimeoutMilliseconds = 5000;

/** Sets how long an open store waits at one go: nothing else runs meanwhile. */
export function setServingBusyTimeout(database: DatabaseSync): void {
	database.exec('pragma busy_timeout = 250');
}

/** Returns the value of a pragma. */
export function readPragma(database: DatabaseSync, pragma: string): unknown {
	return Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0];
}

/**
Moves the log into the file and removes it.

@throws the error of SQLite if another connection has the file open.
*/
export function leaveWalMode(database: DatabaseSync): void {
	database.exec('pragma journal_mode = memory');
}

/** Leaves WAL mode before a connection is closed, if it is the last one. */
export function leaveWalModeIfLast(database: DatabaseSync): void {
	// The last one to close the file tries, too. After a crash the log stays, and the next start reads it.
	withoutFailing(() => leaveWalMode(database));
}

/** Referenced for good: what is collected is closed. */
const abandoned: DatabaseSync[] = [];

/**
Refuses to close connections whose files others may use by now: closing the last one writes its log into the database, and deletes the
files that have the names of its files. Then they must stay open to the end of the process, which must come by `process.exit`: a process or
a thread that just ends closes them.

@param connections - all that one store has, the one that writes first.
@param refuse - throws the reason.
*/
export function refuseToClose(
	connections: readonly [DatabaseSync, ...DatabaseSync[]],
	refuse: () => void,
	isLogLost = (): boolean => false,
): void {
	try {
		refuse();
	} catch (error) {
		abandoned.push(...connections);
		throw isTrouble(error, 'moved') ? movedAtEnd(error as StoreFailure, isLogLost() && saveLog(connections[0])) : error;
	}
}

/** Moves a log into the file that would be gone with this process; returns false if a part of it could not be moved. */
function saveLog(database: DatabaseSync): boolean {
	const {busy, log, checkpointed} = withoutFailing(() => database.prepare('pragma wal_checkpoint(full)').get()) ?? {};
	return busy === 0 && log === checkpointed;
}

/** Checks the whole file, even a large one: 200 MB take 40 ms where they are in memory, and otherwise as long as the disk does. */
export const damageCheck = 'quick_check(1)';

/**
Refuses files beside a database that do not belong to it and to all who have it open. It may be missing.

@throws SwitchboardError; none of the files was opened by SQLite then.
*/
export function refuseForeignFiles(file: string): void {
	refuseStrayHolders(file);
	refuseForeignLog(file);
}

/**
Opens a database file, which others may use, without changing it. A handle that may only read leaves the files of the WAL behind
where there were none, and one that may write would move a WAL that a killed service left into the database.

@throws SwitchboardError if it cannot be opened.
*/
export function openToRead(file: string): DatabaseSync {
	try {
		refuseForeignFiles(file);
		const hasWal = statSync(`${file}-wal`, {throwIfNoEntry: false}) !== undefined;
		const database = new DatabaseSync(file, {readOnly: hasWal, timeout: busyTimeoutMilliseconds});
		database.exec('pragma query_only = on');
		return database;
	} catch (error) {
		throw toOpenError(error, file);
	}
}

/**
Opens a database that nobody else has open, and nobody else can open as long as it is. Every connection in WAL mode holds a shared lock on
the file from its first query to its end, whichever version of Switchboard it belongs to, and this one takes the exclusive lock
(https://sqlite.org/pragma.html#pragma_locking_mode).

@returns `undefined` if another one has it open.
*/
export function openIfAlone(file: string): DatabaseSync | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, {enableForeignKeyConstraints: true});
		database.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma synchronous = full; pragma secure_delete = fast');
		return database;
	} catch (error) {
		database?.close();
		if (isDatabaseBusy(error)) {
			return undefined;
		}

		throw toOpenError(error, file);
	}
}

/** Opens a file that nobody uses, without a log, and also on a read-only medium. */
export function openImmutable(file: string): DatabaseSync {
	const url = pathToFileURL(file);
	url.search = '?immutable=1';
	return new DatabaseSync(url, {readOnly: true});
}

/**
Opens the database in this thread, too, only to have it open: when a thread ends, for whichever reason, Node.js closes its connections, and
the last one to close writes the log into the file and deletes the log by its name, although both may be of others by then
(`refuseToClose`). A connection that only reads can do neither, and `process.exit` closes none of this thread.
*/
export function holdDatabase(dataFolder: string): DatabaseSync | undefined {
	try {
		const database = new DatabaseSync(databaseFileIn(dataFolder), {readOnly: true});
		database.exec('select count(*) from sqlite_schema');
		return database;
	} catch {
		// The service says why.
		return undefined;
	}
}

/**
Opens a database file (after `refuseForeignFiles`), and creates the tables in an empty one. One of an earlier version is refused before it
is opened to be written, which would change the file.

@throws SwitchboardError if it cannot be used, with what to do. A damaged file is not changed.
*/
export function openDatabase(file: string): DatabaseSync {
	lookAt(file, refuseOtherVersion);
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, {timeout: busyTimeoutMilliseconds, enableForeignKeyConstraints: true});
		makeReady(database, file);
		return database;
	} catch (error) {
		database?.close();
		throw toOpenError(error, file);
	}
}

/** Looks at a database, which others may use, without changing it; an empty one is not even opened. */
function lookAt<Result>(file: string, look: (database: DatabaseSync, file: string) => Result): Result | undefined {
	if (statSync(file).size === 0) {
		return undefined;
	}

	using database = openToRead(file);
	try {
		return look(database, file);
	} catch (error) {
		throw toOpenError(error, file);
	}
}

function makeReady(database: DatabaseSync, file: string): void {
	if (statSync(file).size === 0) {
		database.exec('pragma auto_vacuum = incremental');
	}

	// Before anything is written to it.
	refuseDamage(readPragma(database, damageCheck));
	enterWalMode(database, file);
	// A write that was answered is on disk, even if the process or the machine crashes.
	database.exec('pragma synchronous = full');
	// Deleted content is overwritten in the pages that stay; free pages leave the file soon (`createReclaim`).
	database.exec('pragma secure_delete = fast');
	// As much as is kept between two checkpoints. The room that a large upload needed goes back to the disk.
	database.exec('pragma journal_size_limit = 4194304');
	if (readVersion(database) === 0) {
		migrate(database, file);
	}

	refuseOtherVersion(database, file);
}

/** Entering WAL mode needs the file exclusively for a moment, and SQLite does not wait for that by itself. */
function enterWalMode(database: DatabaseSync, file: string): void {
	// A backup or a check of a home that is not in use delays a start for as long as it reads.
	const deadline = Date.now() + 15_000;
	const pause = new Int32Array(new SharedArrayBuffer(4));
	for (;;) {
		try {
			if (statSync(file).size > 0 && readPragma(database, 'journal_mode') !== 'wal') {
				database.exec('pragma journal_mode = memory');
			}

			database.exec('pragma journal_mode = wal');
			return;
		} catch (error) {
			if (!isDatabaseBusy(error) || Date.now() > deadline) {
				throw error;
			}

			Atomics.wait(pause, 0, 0, 20);
		}
	}
}

/**
Returns the version of a database file, 0 if it holds nothing of ours yet.

@throws SwitchboardError as `refuseUnknownDatabase` does.
*/
export function lookAtVersion(file: string): number {
	return (
		lookAt(file, database => {
			refuseUnknownDatabase(database, file);
			return readVersion(database);
		}) ?? 0
	);
}
