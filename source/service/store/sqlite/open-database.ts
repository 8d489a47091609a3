import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {findObstacle} from '../../data-folder.ts';
import {refuseForeignLog} from './foreign-log.ts';
import {migrate, readVersion, refuseOtherVersion} from './migrate.ts';
import {isDatabaseBusy, resultCode, resultCodes} from './result-codes.ts';
import {toStoreError} from './store-failures.ts';

/** How long opening and reading wait for another process: the service and the commands of its operator share the file. */
export const busyTimeoutMilliseconds = 5000;

/** The same of an open store, at one go: nothing else runs meanwhile. */
const servingBusyMilliseconds = 250;

export const setServingBusyTimeout = (database: DatabaseSync): void => {
	database.exec(`pragma busy_timeout = ${servingBusyMilliseconds}`);
};

/** What is said of a database that cannot be opened or read. */
export const toOpenError = (error: unknown, file: string): SwitchboardError => {
	if (isDatabaseBusy(error)) {
		return new SwitchboardError('unexpected', `The database ${file} is in use by another program.`, {nextStep: 'Try again in a moment.', cause: error});
	}

	const code = resultCode(error);
	const known = code === resultCodes.readOnly ? findObstacle(file) ?? error : toStoreError(error, file);
	if (known instanceof SwitchboardError) {
		return known;
	}

	const obstacle = code === resultCodes.cannotOpen ? findObstacle(file) : undefined;
	return obstacle ?? new SwitchboardError('unexpected', `The database ${file} cannot be opened: ${reasonOf(known)}.`, {cause: error});
};

/** Checks the whole file, even a large one: 200 MB take 40 ms where they are in memory, and otherwise as long as the disk does. */
export const damageCheck = 'quick_check(1)';

/** @throws an error as SQLite has it for a damaged file, if `damageCheck` found one. */
export const refuseDamage = (finding: unknown): void => {
	if (finding !== 'ok') {
		throw Object.assign(new Error(String(finding)), {errcode: resultCodes.corrupt});
	}
};

/** Switching to WAL needs the file exclusively for a moment, and SQLite does not wait for that by itself. */
const enterWalMode = (database: DatabaseSync): void => {
	const deadline = Date.now() + busyTimeoutMilliseconds;
	const pause = new Int32Array(new SharedArrayBuffer(4));
	for (;;) {
		try {
			database.exec('pragma journal_mode = wal');
			return;
		} catch (error) {
			if (!isDatabaseBusy(error) || Date.now() > deadline) {
				throw error;
			}

			Atomics.wait(pause, 0, 0, 20);
		}
	}
};

/** Rewriting a larger file takes too long for a start, and that much room again. */
const maximumRewrittenBytes = 256 * 1024 * 1024;

/** A database of an earlier version is written anew once, so that it can shrink. Without room for that it stays as it is. */
const letItShrink = (database: DatabaseSync, file: string): void => {
	const isShrinking = database.prepare('pragma auto_vacuum').get()?.['auto_vacuum'] !== 0;
	if (isShrinking || statSync(file).size > maximumRewrittenBytes) {
		return;
	}

	try {
		database.exec('pragma auto_vacuum = incremental; vacuum');
	} catch {
		// The next start tries again.
	}
};

const makeReady = (database: DatabaseSync, file: string): void => {
	if (statSync(file).size === 0) {
		database.exec('pragma auto_vacuum = incremental');
	}

	enterWalMode(database);
	// A write that was answered is on disk, even if the process or the machine crashes.
	database.exec('pragma synchronous = full');
	// What is deleted is overwritten in the pages that stay; free pages leave the file soon (`createReclaim`).
	database.exec('pragma secure_delete = fast');
	// As much as is kept between two checkpoints. What a large upload needed goes back to the disk.
	database.exec('pragma journal_size_limit = 4194304');
	refuseDamage(Object.values(database.prepare(`pragma ${damageCheck}`).get() ?? {})[0]);
	if (readVersion(database) === 0) {
		migrate(database, file);
	}

	refuseOtherVersion(database, file);
	letItShrink(database, file);
};

/**
Opens a database file, and creates the tables in an empty one. One of an earlier version is refused; look at its version before
(`refuseToOpen`), since opening it changes the file.

@throws SwitchboardError if it cannot be used, with what to do. A damaged file is not changed.
*/
export const openDatabase = (file: string): DatabaseSync => {
	let database: DatabaseSync | undefined;
	try {
		refuseForeignLog(file);
		database = new DatabaseSync(file, {timeout: busyTimeoutMilliseconds, enableForeignKeyConstraints: true});
		makeReady(database, file);
		return database;
	} catch (error) {
		database?.close();
		throw toOpenError(error, file);
	}
};
