import {Buffer} from 'node:buffer';
import {openSync, readSync, statSync} from 'node:fs';
import path from 'node:path';
import {SwitchboardError} from '../../../interface/errors.ts';
import {databaseFiles} from '../../data-folder.ts';
import {damaged, moved} from '../store-errors.ts';

/** Names the file itself rather than its path; `undefined` if there is none. */
export const identityOf = (file: string): string | undefined => {
	const found = statSync(file, {throwIfNoEntry: false});
	return found && `${found.dev} ${found.ino}`;
};

const sizeOf = (file: string): number => statSync(file, {throwIfNoEntry: false})?.size ?? 0;

export const logBytes = (file: string): number => sizeOf(`${file}-wal`);

/**
Remembers the files of an open database. SQLite would go on with a file that has no name any more: a change that it stores there is
gone when the process ends, and one that it stores beside an emptied database belongs to none.

@returns a function that throws a `StoreFailure` if one of them was deleted or replaced since, or the database emptied.
*/
export const guardDatabaseFiles = (file: string): () => void => {
	const opened = databaseFiles(file).map(each => ({each, identity: identityOf(each)})).filter(({identity}) => identity !== undefined);
	return () => {
		for (const {each, identity} of opened) {
			if (identityOf(each) !== identity) {
				throw moved(each);
			}
		}

		if (sizeOf(file) === 0) {
			throw damaged(file, new Error('it was emptied while it was in use'));
		}
	};
};

/** Open handles by `identityOf`. Closing one would drop the locks that SQLite holds on that file in this process (POSIX, fcntl). */
const handles = new Map<string, number>();

/** The byte of the header that says how a file is to be read: 1 with a rollback journal, 2 with a WAL (https://sqlite.org/fileformat.html). */
const readVersionOffset = 19;

/** True for an empty file, too. */
const knowsNoLog = (file: string): boolean => {
	const identity = identityOf(file)!;
	const handle = handles.get(identity) ?? openSync(file, 'r');
	handles.set(identity, handle);
	const buffer = Buffer.alloc(1);
	return readSync(handle, buffer, 0, 1, readVersionOffset) === 0 || buffer[0] === 1;
};

/**
True if a database file lies beside the log of another. SQLite writes the header for a WAL before it creates one, and takes it back only
after the WAL is gone. So a log beside a file whose header says that there is none belongs to the file that was there before, and SQLite
would replay it into this one.

The header of a database that is not open says that there is none (`leaveWalMode`). A plain copy of a file that was in use cannot be told
from the file that the log belongs to.
*/
export const hasForeignLog = (file: string): boolean => {
	try {
		// The log first: another process may be about to create it. Both again: another process may open or close the file meanwhile.
		return logBytes(file) > 0 && knowsNoLog(file) && logBytes(file) > 0 && knowsNoLog(file);
	} catch {
		// SQLite says why it cannot be read.
		return false;
	}
};

/** @throws SwitchboardError `usage`; neither file was opened by SQLite then. */
export const refuseForeignLog = (file: string): void => {
	if (hasForeignLog(file)) {
		throw new SwitchboardError('usage', `${file}-wal is the log of another database: ${path.basename(file)} was put beside it. Nothing was changed.`, {
			nextStep: 'To restore a backup, run: switchboard restore FILE. If the changes in the log are not needed, move the -wal and -shm files away.',
		});
	}
};
