import {rmSync} from 'node:fs';
import {backup, DatabaseSync} from 'node:sqlite';
import {SwitchboardError} from '../../../interface/errors.ts';
import {findDatabaseFile} from '../../data-folder.ts';
import {toOpenError, toStoreError} from './errors.ts';
import {damageCheck, leaveWalMode, openToRead, readPragma} from './open-database.ts';
import {refuseForeignDatabase} from './schema.ts';

export type BackupOptions = {
	/** Ends it, and with it the copy. */
	readonly signal: AbortSignal;
	/** Called with the part that is done, from 0 to 1. */
	readonly onProgress: (part: number) => void;
};

/** A megabyte: a signal reaches the command in between. */
const pagesAtOnce = 256;

/** Copies an open database, as it is at this moment, to an empty file, and checks the copy for damage. */
export async function copyDatabase(source: DatabaseSync, file: string, copy: string, {signal, onProgress}: BackupOptions): Promise<void> {
	try {
		refuseForeignDatabase(source, file);
		// Later writes of others are not in the copy. Without this, each of them would start the copy again.
		source.exec('begin; select count(*) from sqlite_schema');
	} catch (error) {
		throw toOpenError(error, file);
	}

	try {
		await backup(source, copy, {
			rate: pagesAtOnce,
			progress({totalPages, remainingPages}) {
				signal.throwIfAborted();
				onProgress(1 - remainingPages / totalPages);
			},
		});
		signal.throwIfAborted();
		using database = new DatabaseSync(copy);
		leaveWalMode(database);
		if (readPragma(database, damageCheck) !== 'ok') {
			throw new SwitchboardError(
				'unexpected',
				`The copy of ${file} is damaged, as the database itself probably is. The copy was not kept.`,
				{nextStep: 'To see what is damaged, run: switchboard check'},
			);
		}
	} catch (error) {
		throw toStoreError(error, copy);
	} finally {
		if (source.isTransaction) {
			source.exec('rollback');
		}

		// SQLite leaves them behind if the copy could not be written.
		for (const ending of ['-journal', '-wal', '-shm']) {
			rmSync(`${copy}${ending}`, {force: true});
		}
	}
}

/**
Copies the database of a data folder to an empty file, as it is at one moment, whoever writes to it meanwhile. The copy is checked,
and works as the database of a data folder.

@throws SwitchboardError `not-found` if the folder has no database, `no-room` if the disk is full; otherwise if the database
cannot be read. Then the copy is of no use.
*/
export async function backUpDatabase(folder: string, copy: string, options: BackupOptions): Promise<void> {
	const file = findDatabaseFile(folder);
	using source = openToRead(file);
	await copyDatabase(source, file, copy, options);
}
