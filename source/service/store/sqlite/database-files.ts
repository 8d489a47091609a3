import {Buffer} from 'node:buffer';
import {openSync, readSync, statSync} from 'node:fs';
import path from 'node:path';
import {SwitchboardError} from '../../../interface/errors.ts';
import {databaseFiles} from '../../data-folder.ts';
import {damaged, moved, type StoreFailure} from '../../store-errors.ts';

/** Names the file itself rather than its path; `undefined` if there is none. */
export function identityOf(file: string): string | undefined {
	const found = statSync(file, {throwIfNoEntry: false});
	return found && `${found.dev} ${found.ino}`;
}

const sizeOf = (file: string): number => statSync(file, {throwIfNoEntry: false})?.size ?? 0;

export function logBytes(file: string): number {
	return sizeOf(`${file}-wal`);
}

/** Open handles by `identityOf`. Closing one would drop the locks that SQLite holds on that file in this process (POSIX, fcntl). */
const handles = new Map<string, number>();

/** The byte of the header that says how a file is to be read: 1 with a rollback journal, 2 with a WAL (https://sqlite.org/fileformat.html). */
const readVersionOffset = 19;

/** Tells whether this is an empty file, too, and for a missing one. */
export function knowsNoLog(file: string): boolean {
	const identity = identityOf(file);
	if (identity === undefined) {
		return true;
	}

	const handle = handles.get(identity) ?? openSync(file, 'r');
	handles.set(identity, handle);
	const buffer = Buffer.alloc(1);
	return readSync(handle, buffer, 0, 1, readVersionOffset) === 0 || buffer[0] === 1;
}

/**
Tells whether a database file lies beside the log of another. SQLite writes the header for a WAL before it creates one, and takes it back only
after the WAL is gone. So a log beside a file whose header says that there is none belongs to the file that was there before, and SQLite
would replay it into this one.

The header of a database that is not open says that there is none (`leaveWalMode`). A plain copy of a file that was in use cannot be told
from the file that the log belongs to.
*/
export function hasForeignLog(file: string): boolean {
	try {
		// The log first: another process may be about to create it. Both again: another process may open or close the file meanwhile.
		return logBytes(file) > 0 && knowsNoLog(file) && logBytes(file) > 0 && knowsNoLog(file);
	} catch {
		// SQLite says why it cannot be read.
		return false;
	}
}

/**
Remembers the files of an open database. SQLite would go on with a file that has no name any more: a change that it stores there is
gone when the process ends, and one that it stores beside another database damages that.
*/
export function guardDatabaseFiles(file: string) {
	const opened = databaseFiles(file).map(each => ({each, identity: identityOf(each)}));
	const [database, log, index] = opened as [(typeof opened)[0], (typeof opened)[0], (typeof opened)[0]];
	const isSame = ({each, identity}: typeof database): boolean => identity === undefined || identityOf(each) === identity;
	let failure: StoreFailure | undefined;
	const findFailure = (): StoreFailure | undefined => {
		const missing = opened.find(each => !isSame(each));
		if (missing !== undefined) {
			return moved(missing.each, missing === database);
		}

		if (sizeOf(file) === 0) {
			return damaged(file, new Error('it was emptied while it was in use'));
		}

		// An open database says that it has a log: another one was written over this one.
		return knowsNoLog(file) ? moved(file, true) : undefined;
	};

	return {
		/** Throws a `StoreFailure` if a file was deleted, emptied or replaced since, and then always: others may use the files by now. */
		refuseMoved(): void {
			failure ??= findFailure();
			if (failure !== undefined) {
				throw failure;
			}
		},
		/**
		True if the log was deleted and nobody else can have changed the database since: nobody reads it without the pages that only
		that log has.
		*/
		isLogLost: (): boolean =>
			isSame(database) &&
			!knowsNoLog(file) &&
			!isSame(log) &&
			logBytes(file) === 0 &&
			(isSame(index) || identityOf(index.each) === undefined),
	};
}

export type DatabaseGuard = ReturnType<typeof guardDatabaseFiles>;

/** @throws SwitchboardError `usage`; neither file was opened by SQLite then. */
export function refuseForeignLog(file: string): void {
	if (hasForeignLog(file)) {
		throw new SwitchboardError(
			'usage',
			`${file}-wal is the log of another database: ${path.basename(file)} was put beside it. Nothing was changed.`,
			{
				nextStep:
					'First stop what uses that folder. If the database of the log was moved, put it back. To restore a backup, run: switchboard restore FILE. If the changes in the log are not needed, move the -wal and -shm files to another folder.',
			},
		);
	}
}
