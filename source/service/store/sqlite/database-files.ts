import {Buffer} from 'node:buffer';
import {openSync, readdirSync, readFileSync, readSync, statSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError, withoutFailing, throwIfAny} from '../../../interface/errors.ts';
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

/** Tells whether this is an empty file, too, and for a missing one. */
function knowsNoLog(file: string): boolean {
	const identity = identityOf(file);
	if (identity === undefined) {
		return true;
	}

	const handle = handles.get(identity) ?? openSync(file, 'r');
	handles.set(identity, handle);
	const buffer = Buffer.alloc(1);
	// The byte of the header is 1 with a rollback journal, 2 with a WAL (https://sqlite.org/fileformat.html).
	return readSync(handle, buffer, 0, 1, 19) === 0 || buffer[0] === 1;
}

/**
Tells whether a database file lies beside the log of another. SQLite writes the header for a WAL before it creates one, and takes it back
only after the WAL is gone. So a log beside a file whose header says that there is none belongs to the file that was there before, and
SQLite would replay it into this one.

The header of a database that is not open says that there is none (`leaveWalMode`). A plain copy of a file that was in use cannot be told
from the file that the log belongs to.
*/
export function hasForeignLog(file: string): boolean {
	// The log first: another process may be about to create it. Both again: another process may open or close the file meanwhile.
	// SQLite says why it cannot be read.
	return withoutFailing(() => logBytes(file) > 0 && knowsNoLog(file) && logBytes(file) > 0 && knowsNoLog(file)) ?? false;
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
			throwIfAny(failure);
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
		const message = `${file}-wal is the log of another database: ${path.basename(file)} was put beside it. Nothing was changed.`;
		const nextStep =
			'First stop what uses that folder. If the database of the log was moved, put it back. To restore a backup, run: switchboard restore FILE. If the changes in the log are not needed, move the -wal and -shm files to another folder.';
		throw new SwitchboardError('usage', message, {nextStep});
	}
}

/*
SQLite keeps processes apart by locks on the database and the file with the ending -shm. Once one of the files was deleted or replaced under
a process, the next one uses others, and neither sees what the other one writes. Linux shows the locks and the open files of processes in
/proc. Elsewhere this cannot be known, nor of a process of another user or in another container.
*/

type Stray = {
	readonly processId: string;
	/** False if it has another database, with the files beside this one. */
	readonly hasDatabase: boolean;
};

/**
Refuses a database if a process has some of its files open, but not all.

@throws SwitchboardError `conflict`, which names the process; nothing where it cannot be known.
*/
export function refuseStrayHolders(file: string): void {
	const pause = new Int32Array(new SharedArrayBuffer(4));
	let stray: Stray | undefined;
	// A process that is just opening the database has the other files in a moment.
	for (let look = 0; look < 20; look++) {
		Atomics.wait(pause, 0, 0, look === 0 ? 0 : 50);
		try {
			stray = findStray(file);
		} catch {
			return;
		}

		if (stray === undefined) {
			return;
		}
	}

	const {processId, hasDatabase} = stray!;
	const problem = hasDatabase
		? `has ${file} open with other -wal or -shm files than those beside it: they were deleted or replaced`
		: `has the -wal and -shm files beside ${file} open, with another database: it was deleted or replaced`;
	const nextStep = hasDatabase
		? `Delete and restore nothing before you have stopped that process, as with: kill ${processId}\nIt keeps what it has stored. Then run the command again.`
		: `Until that process ends, a database that was deleted can be copied from it: ls -l /proc/${processId}/fd\nThen stop it, as with: kill ${processId}`;
	throw new SwitchboardError('conflict', `The process ${processId} ${problem}. Nothing was changed.`, {nextStep});
}

/** Returns a process that has some of the files of a database open, and others in place of the rest. */
function findStray(file: string): Stray | undefined {
	const files = databaseFiles(file);
	const identities = files.map(each => identityOf(each));
	for (const processId of findReaders(files)) {
		const open = openFilesOf(processId);
		const isOpen = identities.map(identity => identity !== undefined && open.has(identity));
		const [hasDatabase = false, ...hasOthers] = isOpen;
		// A process that reads a database without a log has no others.
		const isReader = hasDatabase && !hasOthers.includes(true) && knowsNoLog(file);
		if (isOpen.includes(true) && isOpen.includes(false) && !isReader) {
			return {processId, hasDatabase};
		}
	}

	return undefined;
}

/**
Returns the other processes that read one of the files with a lock; by inodes alone, since some file systems have another device in that
list.
*/
function findReaders(files: readonly string[]): ReadonlySet<string> {
	const inodes = new Set(files.map(file => String(statSync(file, {throwIfNoEntry: false})?.ino)));
	const locks = readFileSync('/proc/locks', 'utf8').matchAll(/ POSIX +ADVISORY +READ +(?<reader>\d+) [\da-f]+:[\da-f]+:(?<inode>\d+) /g);
	const found = [...locks].map(({groups}) => groups!).filter(({reader, inode}) => inodes.has(inode!) && Number(reader) !== process.pid);
	return new Set(found.map(({reader}) => reader!));
}

function openFilesOf(reader: string): ReadonlySet<string | undefined> {
	// It has ended, or is of another user.
	return (
		withoutFailing(() => new Set(readdirSync(`/proc/${reader}/fd`).map(descriptor => identityOf(`/proc/${reader}/fd/${descriptor}`)))) ??
		new Set()
	);
}
