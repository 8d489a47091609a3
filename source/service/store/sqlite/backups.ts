import {lstatSync, renameSync, rmSync, statSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {Buffer} from 'node:buffer';
import path from 'node:path';
import {backup as copyPages, DatabaseSync} from 'node:sqlite';
import {SwitchboardError} from '../../../interface/errors.ts';
import {explainFileError} from '../../../platform/file-owner.ts';
import {createPrivateFile, syncFolder} from '../../../platform/private-files.ts';
import {
	asideOf,
	databaseFileIn,
	databaseFiles,
	databaseFilesIn,
	findDatabaseFile,
	hasDatabase,
	lastAside,
	prepareFolderToRestore,
} from '../../data-folder.ts';
import {isTrouble} from '../../store-errors.ts';
import {findVersionFault} from '../database-version.ts';
import {shellWord} from '../../../platform/shell-word.ts';
import {checkDatabaseFile} from './check-database.ts';
import {hasForeignLog, identityOf, logBytes, refuseStrayHolders} from './database-files.ts';
import {refuseDamage, toOpenError, toStoreError} from './errors.ts';
import {damageCheck, leaveWalMode, openIfAlone, openImmutable, openToRead, readPragma} from './open-database.ts';
import {readVersion, refuseForeignDatabase, versions} from './schema.ts';

export type BackupOptions = {
	/** Ends it, and with it the copy. */
	readonly signal: AbortSignal;
	/** Called with the part that is done, from 0 to 1. */
	readonly onProgress: (part: number) => void;
};

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
		await copyPages(source, copy, {
			// A megabyte: a signal reaches the command in between.
			rate: 256,
			progress({totalPages, remainingPages}) {
				signal.throwIfAborted();
				onProgress(1 - remainingPages / totalPages);
			},
		});
		signal.throwIfAborted();
		using database = new DatabaseSync(copy);
		leaveWalMode(database);
		if (readPragma(database, damageCheck) !== 'ok') {
			const message = `The copy of ${file} is damaged, as the database itself probably is. The copy was not kept.`;
			throw new SwitchboardError('unexpected', message, {nextStep: 'To see what is damaged, run: switchboard check'});
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
Copies the database of a data folder to an empty file, as it is at one moment, also while others write to it. The copy is checked,
and works as the database of a data folder.

@throws SwitchboardError `not-found` if the folder has no database, `no-room` if the disk is full; otherwise if the database
cannot be read. Then the copy is of no use.
*/
export async function backUpDatabase(folder: string, copy: string, options: BackupOptions): Promise<void> {
	const file = findDatabaseFile(folder);
	using source = openToRead(file);
	await copyDatabase(source, file, copy, options);
}

/**
Returns the result of a restore, if it were made.

@returns where it would set the present home aside; `undefined` if there is none.
@throws SwitchboardError if the file is not a backup that this program can restore, or the folder cannot be used.
*/
export async function planRestore(file: string, folder: string): Promise<string | undefined> {
	await refuseOtherFile(file, folder);
	hasDatabase(folder);
	await withBackup(file, backup => refuseDamage(readPragma(backup, damageCheck)));
	return findAside(databaseFileIn(folder));
}

/** @throws SwitchboardError if a file, which is only looked at, is not a backup of a home on SQLite. */
async function refuseOtherFile(file: string, folder: string): Promise<void> {
	// Before any handle of it is opened and closed here (`handles` in database-files.ts).
	const identity = identityOf(file);
	if (identity !== undefined && databaseFilesIn(folder).some(each => identityOf(each) === identity)) {
		throw new SwitchboardError('usage', `“${file}” is the database itself. Nothing was restored.`, {nextStep: 'Name a backup.'});
	}

	const start = await readStart(file);
	if (start.startsWith('PGDMP')) {
		const nextStep = `Run: pg_restore --dbname=postgres://host/home ${shellWord(file)}`;
		throw refused(`“${file}” is an archive of pg_dump, and goes into a PostgreSQL database.`, nextStep);
	}

	if (start !== 'SQLite format 3\0') {
		throw refused(`“${file}” is not a backup of Switchboard.`, nameBackup);
	}
}

/** Returns the first bytes of a file, which say what it is. */
async function readStart(file: string): Promise<string> {
	try {
		if (!statSync(file).isFile()) {
			throw new Error('it is not a regular file');
		}

		await using handle = await open(file);
		const {buffer, bytesRead} = await handle.read(Buffer.alloc(16), 0, 16, 0);
		return buffer.toString('latin1', 0, bytesRead);
	} catch (error) {
		const message = `“${file}” cannot be read: ${explainFileError(error, file).reason}. Nothing was restored.`;
		throw new SwitchboardError('usage', message, {nextStep: 'Check the path.', cause: error});
	}
}

const nameBackup = 'Name a file that “switchboard backup” wrote.';

const refused = (message: string, nextStep: string): SwitchboardError =>
	new SwitchboardError('refused', `${message} Nothing was restored.`, {nextStep});

/** A backup without a log is read as a file that nobody changes. */
async function withBackup<Result>(file: string, work: (backup: DatabaseSync) => Result): Promise<Awaited<Result>> {
	try {
		using backup = logBytes(file) > 0 ? openToRead(file) : openImmutable(file);
		refuseOtherVersion(backup, file);
		return await work(backup);
	} catch (error) {
		const known = toOpenError(error, file);
		// The remedy for a damaged database is a backup.
		throw isTrouble(known, 'damaged') ? refused(`“${file}” is damaged.`, 'Use another backup.') : known;
	}
}

function refuseOtherVersion(backup: DatabaseSync, file: string): void {
	try {
		refuseForeignDatabase(backup, file);
	} catch (error) {
		throw error instanceof SwitchboardError ? refused(error.message, nameBackup) : error;
	}

	const version = readVersion(backup);
	const fault = findVersionFault(`“${file}”`, version, versions);
	if (fault !== undefined) {
		throw refused(fault.message, fault.nextStep!);
	}

	if (version === 0) {
		throw refused(`“${file}” holds no data of Switchboard.`, nameBackup);
	}
}

/**
Returns the new place of a home: its database and the files beside it keep belonging together.

@returns `undefined` if there is none.
*/
function findAside(file: string): string | undefined {
	const number = lastAside(file);
	const last = asideOf(file, number);
	if (isFilled(file) || logBytes(file) > 0) {
		// The rest of a home whose database was moved before a kill goes to that place.
		return !isThere(file) && number > 0 && !isThere(`${last}-wal`) ? last : asideOf(file, number + 1);
	}

	return isThere(file) || number === 0 ? undefined : last;
}

const isFilled = (file: string): boolean => (lstatSync(file, {throwIfNoEntry: false})?.size ?? 0) > 0;

const isThere = (file: string): boolean => lstatSync(file, {throwIfNoEntry: false}) !== undefined;

/** @throws SwitchboardError `conflict` if a process has the data in the folder open. */
export function refuseOpenData(folder: string): void {
	const file = databaseFileIn(folder);
	refuseStrayHolders(file);
	holdAlone(file)?.close();
}

/**
Moves the log of a home into its file, and keeps others from opening it.

@returns `undefined` if SQLite cannot do that, as with a damaged file: then the log stays beside it.
@throws SwitchboardError `conflict` if a process has it open.
*/
function holdAlone(file: string): DatabaseSync | undefined {
	if (!isFilled(file) || hasForeignLog(file)) {
		return undefined;
	}

	let database: DatabaseSync | undefined;
	try {
		database = openIfAlone(file);
		if (database !== undefined) {
			leaveWalMode(database);
			return database;
		}
	} catch {
		database?.close();
		return undefined;
	}

	throw new SwitchboardError('conflict', `A process has the data in ${path.dirname(file)} open. Nothing was restored.`, {
		nextStep: 'Stop the service, then run the command again.',
	});
}

/**
Restores a backup into a data folder, as it is: of its version. It is checked before it replaces the present home, which is
set aside. A kill leaves the one home or the other, or none and the former one set aside.

@returns where the former home is now; `undefined` if there was none.
@throws SwitchboardError as `planRestore` does, and `conflict` if a process has the home open.
*/
export async function restoreBackup(backup: string, folder: string, options: BackupOptions): Promise<string | undefined> {
	prepareFolderToRestore(folder);
	const file = databaseFileIn(folder);
	// Before the work, too.
	refuseOpenData(folder);
	const unfinished = `${file}.${crypto.randomUUID()}.tmp`;
	try {
		createPrivateFile(unfinished);
		await withBackup(backup, async opened => copyDatabase(opened, backup, unfinished, options));
		const {findings} = await checkDatabaseFile(unfinished);
		const found = findings.find(({severity, kind}) => severity === 'problem' && (kind === 'damage' || kind === 'references'));
		if (found !== undefined) {
			throw refused(`“${backup}” has a problem. ${found.message}`, 'Use another backup.');
		}

		missTimers(unfinished);
		await syncFile(unfinished);
		options.signal.throwIfAborted();
		// A signal comes too late now.
		return putInPlace(file, unfinished);
	} catch (error) {
		throw toOpenError(error, file);
	} finally {
		for (const each of [...databaseFiles(unfinished), `${unfinished}-journal`]) {
			rmSync(each, {force: true});
		}
	}
}

/** Nothing that was to happen after the backup was made happens all at once now. A backup of an earlier version has no timers. */
function missTimers(file: string): void {
	using database = new DatabaseSync(file);
	if (readPragma(database, 'table_info(timers)') !== undefined) {
		database.prepare("update timers set overdue = 'late' where overdue is null and at <= ?").run(new Date().toISOString());
	}
}

async function syncFile(file: string): Promise<void> {
	await using handle = await open(file, 'r+');
	await handle.sync();
}

/** Puts a finished database in the place of the present one. */
function putInPlace(file: string, finished: string): string | undefined {
	const held = holdAlone(file);
	const moved: Array<readonly [from: string, to: string]> = [];
	try {
		const aside = findAside(file);
		// The database first: without it, nothing is served from the rest (`prepareDataFolder`).
		for (const [index, to] of (aside === undefined ? [] : databaseFiles(aside)).entries()) {
			const from = databaseFiles(file)[index]!;
			if (!isThere(from) || isThere(to)) {
				continue;
			}

			renameSync(from, to);
			moved.push([from, to]);
		}

		rmSync(`${file}-wal`, {force: true});
		rmSync(`${file}-shm`, {force: true});
		renameSync(finished, file);
		syncFolder(path.dirname(file));
		return aside;
	} catch (error) {
		for (const [from, to] of moved.toReversed()) {
			renameSync(to, from);
		}

		throw error;
	} finally {
		held?.close();
	}
}
