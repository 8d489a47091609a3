import {readdirSync, readFileSync, statSync} from 'node:fs';
import process from 'node:process';
import {SwitchboardError} from '../../../interface/errors.ts';
import {databaseFiles} from '../../data-folder.ts';
import {identityOf, knowsNoLog} from './database-files.ts';

/*
SQLite keeps processes apart by locks on the database and the file with the ending -shm. Once one of the files was deleted or replaced under
a process, the next one uses others, and neither sees what the other one writes. Linux shows the locks and the open files of processes in
/proc. Elsewhere this cannot be known, nor of a process of another user or in another container.
*/

/** A process that is just opening the database has the other files in a moment. */
const looks = 20;

const pauseMilliseconds = 50;

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
	for (let look = 0; look < looks; look++) {
		if (look > 0) {
			Atomics.wait(pause, 0, 0, pauseMilliseconds);
		}

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
	throw hasDatabase
		? new SwitchboardError(
				'conflict',
				`The process ${processId} has ${file} open with other -wal or -shm files than those beside it: they were deleted or replaced. Nothing was changed.`,
				{
					nextStep: `Delete and restore nothing before you have stopped that process, as with: kill ${processId}\nIt keeps what it has stored. Then run the command again.`,
				},
			)
		: new SwitchboardError(
				'conflict',
				`The process ${processId} has the -wal and -shm files beside ${file} open, with another database: it was deleted or replaced. Nothing was changed.`,
				{
					nextStep: `Until that process ends, a database that was deleted can be copied from it: ls -l /proc/${processId}/fd\nThen stop it, as with: kill ${processId}`,
				},
			);
}

/** Returns a process that has some of the files of a database open, and others in place of the rest. */
function findStray(file: string): Stray | undefined {
	const files = databaseFiles(file);
	const identities = files.map(each => identityOf(each));
	for (const processId of findReaders(files)) {
		const open = openFilesOf(processId);
		const isOpen = identities.map(identity => identity !== undefined && open.has(identity));
		const [hasDatabase = false, ...hasOthers] = isOpen;
		// One that reads a database without a log has no others.
		const isReader = hasDatabase && !hasOthers.includes(true) && knowsNoLog(file);
		if (isOpen.includes(true) && isOpen.includes(false) && !isReader) {
			return {processId, hasDatabase};
		}
	}

	return undefined;
}

/** Returns the other processes that read one of the files with a lock; by inodes alone, since some file systems have another device in that list. */
function findReaders(files: readonly string[]): ReadonlySet<string> {
	const inodes = new Set(files.map(file => String(statSync(file, {throwIfNoEntry: false})?.ino)));
	const locks = readFileSync('/proc/locks', 'utf8').matchAll(/ POSIX +ADVISORY +READ +(?<reader>\d+) [\da-f]+:[\da-f]+:(?<inode>\d+) /g);
	const found = [...locks].map(({groups}) => groups!).filter(({reader, inode}) => inodes.has(inode!) && Number(reader) !== process.pid);
	return new Set(found.map(({reader}) => reader!));
}

function openFilesOf(reader: string): ReadonlySet<string | undefined> {
	try {
		return new Set(readdirSync(`/proc/${reader}/fd`).map(descriptor => identityOf(`/proc/${reader}/fd/${descriptor}`)));
	} catch {
		// It has ended, or is of another user.
		return new Set();
	}
}
