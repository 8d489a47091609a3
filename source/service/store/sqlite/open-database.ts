import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {migrate} from './migrate.ts';
import {isDatabaseBusy, resultCode, resultCodes} from './result-codes.ts';

/** How long a write waits for another process: the service and the `keys` command share the file. */
const busyTimeoutMilliseconds = 5000;

/** A check reads the whole file: a few milliseconds up to this size, too slow at start beyond it. */
const checkedBytes = 32 * 1024 * 1024;

const describe = (error: unknown, file: string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const code = resultCode(error);
	if (code === resultCodes.corrupt || code === resultCodes.notADatabase) {
		return new SwitchboardError('unexpected', `The database ${file} is damaged. Nothing in it was changed.`, {
			nextStep: 'Restore it from a backup. To start over, rename it and the -wal and -shm files beside it.',
			cause: error,
		});
	}

	return isDatabaseBusy(error)
		? new SwitchboardError('unexpected', `The database ${file} is in use by another program.`, {nextStep: 'Try again in a moment.', cause: error})
		: new SwitchboardError('unexpected', `The database ${file} cannot be opened: ${reasonOf(error)}.`, {cause: error});
};

const refuseDamage = (database: DatabaseSync, file: string): void => {
	if (statSync(file).size > checkedBytes) {
		return;
	}

	const [finding] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
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

const makeReady = (database: DatabaseSync, file: string): void => {
	enterWalMode(database);
	// A write that was answered is on disk, even if the process or the machine crashes.
	database.exec('pragma synchronous = full');
	refuseDamage(database, file);
	migrate(database, file);
};

/**
Opens a database file and applies the migrations that it needs.

@throws SwitchboardError if it cannot be used, with what to do. A damaged file is not changed.
*/
export const openDatabase = (file: string): DatabaseSync => {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, {timeout: busyTimeoutMilliseconds, enableForeignKeyConstraints: true});
		makeReady(database, file);
		return database;
	} catch (error) {
		database?.close();
		throw describe(error, file);
	}
};
