import {Buffer} from 'node:buffer';
import {openSync, readSync, statSync} from 'node:fs';
import path from 'node:path';
import {SwitchboardError} from '../../../interface/errors.ts';

/** Open handles by device and inode. Closing one would drop the locks that SQLite holds on that file in this process (POSIX, fcntl). */
const handles = new Map<string, number>();

/** The byte of the header that says how a file is to be read: 1 with a rollback journal, 2 with a WAL (https://sqlite.org/fileformat.html). */
const readVersionOffset = 19;

/** `undefined` if the file is shorter. */
const readJournalByte = (file: string): number | undefined => {
	const {dev, ino} = statSync(file);
	const identity = `${dev} ${ino}`;
	const handle = handles.get(identity) ?? openSync(file, 'r');
	handles.set(identity, handle);
	const buffer = Buffer.alloc(1);
	return readSync(handle, buffer, 0, 1, readVersionOffset) === 1 ? buffer[0] : undefined;
};

/** True if a log with changes lies beside a database file. */
export const hasLog = (file: string): boolean => (statSync(`${file}-wal`, {throwIfNoEntry: false})?.size ?? 0) > 0;

/**
True if a database file lies beside the log of another. SQLite writes the header for a WAL before it creates one, and takes it back only
after the WAL is gone. So a log beside a file whose header knows of none belongs to the file that was there before, and SQLite would
replay it into this one.

Our backups, copies and restored homes know of no log until they are opened. A plain copy of a file that was in use does, and is not
told from the file that its log belongs to.
*/
export const hasForeignLog = (file: string): boolean => {
	try {
		// The log first: another process may be about to create it. Again at the end: it may have been removed meanwhile.
		return hasLog(file) && readJournalByte(file) === 1 && hasLog(file);
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
