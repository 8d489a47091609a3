import {rmSync} from 'node:fs';
import {backup, type DatabaseSync} from 'node:sqlite';
import {SwitchboardError} from '../../../interface/errors.ts';
import {findDatabaseFile} from '../../data-folder.ts';
import {refuseForeignDatabase} from './migrate.ts';
import {damageCheck, toOpenError} from './open-database.ts';
import {openToRead} from './open-to-read.ts';
import {runPragma} from './run-pragma.ts';
import {toStoreError} from './store-failures.ts';

/** What a long copy needs. */
export type BackupOptions = {
	/** Ends it, and with it the copy. */
	readonly signal: AbortSignal;
	/** Told the part that is done, from 0 to 1. */
	readonly onProgress: (part: number) => void;
};

/** A megabyte: the command hears of a signal in between. */
const pagesAtOnce = 256;

/** Nobody else uses the copy, so SQLite can read it without a WAL. */
const refuseDamagedCopy = async (copy: string, file: string, check: string, signal: AbortSignal): Promise<void> => {
	const [finding] = await runPragma(copy, check, {signal, isImmutable: true});
	if (finding !== 'ok') {
		throw new SwitchboardError('unexpected', `The copy of ${file} is damaged, as the database itself probably is. The copy was not kept.`, {
			nextStep: 'To see what is damaged, run: switchboard check',
		});
	}
};

/**
Copies an open database to an empty file, page by page, and checks the copy.

@param file - of the database.
@param check - the pragma for that.
*/
export const copyPages = async (source: DatabaseSync, file: string, copy: string, {signal, onProgress, check}: BackupOptions & {readonly check: string}): Promise<void> => {
	try {
		await backup(source, copy, {
			rate: pagesAtOnce,
			progress({totalPages, remainingPages}) {
				signal.throwIfAborted();
				onProgress(1 - (remainingPages / totalPages));
			},
		});
		signal.throwIfAborted();
		await refuseDamagedCopy(copy, file, check, signal);
	} catch (error) {
		throw toStoreError(error, copy);
	} finally {
		// SQLite leaves it behind if the copy could not be written.
		rmSync(`${copy}-journal`, {force: true});
	}
};

/** Copies the database of a data folder, as it is at this moment, to an empty file (`backUp`). */
export const backUpDatabase = async (folder: string, copy: string, options: BackupOptions): Promise<void> => {
	const file = findDatabaseFile(folder);
	using source = openToRead(file);
	try {
		refuseForeignDatabase(source, file);
		// What others write from now on is not in the copy. Without this, each of their writes would start the copy again.
		source.exec('begin; select count(*) from sqlite_schema');
	} catch (error) {
		throw toOpenError(error, file);
	}

	await copyPages(source, file, copy, {...options, check: damageCheck});
};
