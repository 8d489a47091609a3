import {
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import {Buffer} from 'node:buffer';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {createPrivateFile, syncFolder} from '../../../platform/private-files.ts';
import {
	asideEnding,
	databaseFiles,
	databaseFilesIn,
	prepareFolderToRestore,
} from '../../data-folder.ts';
import {type BackupOptions, copyDatabase} from './back-up.ts';
import {checkDatabaseFile} from './check-database.ts';
import {hasForeignLog, hasLog} from './foreign-log.ts';
import {readVersion, refuseForeignDatabase} from './migrate.ts';
import {migrations} from './migrations.ts';
import {damageCheck, refuseDamage, toOpenError} from './open-database.ts';
import {openToRead} from './open-to-read.ts';
import {isDatabaseBusy} from './result-codes.ts';
import {runPragma} from './run-pragma.ts';

const refused = (message: string, nextStep: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('refused', `${message} Nothing was restored.`, {nextStep, cause});

/** The first bytes of a file, which say what it is. */
const readStart = (file: string): string => {
	let handle: number | undefined;
	try {
		if (!statSync(file).isFile()) {
			throw new Error('it is not a regular file');
		}

		handle = openSync(file, 'r');
		const buffer = Buffer.alloc(16);
		return buffer.toString('latin1', 0, readSync(handle, buffer, 0, 16, 0));
	} catch (error) {
		throw new SwitchboardError('usage', `“${file}” cannot be read: ${reasonOf(error)}. Nothing was restored.`, {nextStep: 'Check the path.', cause: error});
	} finally {
		if (handle !== undefined) {
			closeSync(handle);
		}
	}
};

const identityOf = (file: string): string | undefined => {
	const found = statSync(file, {throwIfNoEntry: false});
	return found && `${found.dev} ${found.ino}`;
};

/** @throws SwitchboardError if a file is no backup of a home on SQLite; it is only looked at. */
export const refuseOtherFile = (file: string, folder: string): void => {
	// Before any handle of it is opened and closed here (`foreign-log.ts`).
	const identity = identityOf(file);
	if (identity !== undefined && databaseFilesIn(folder).some(each => identityOf(each) === identity)) {
		throw new SwitchboardError('usage', `“${file}” is the database itself. Nothing was restored.`, {nextStep: 'Name a backup.'});
	}

	const start = readStart(file);
	if (start.startsWith('PGDMP')) {
		throw refused(`“${file}” is an archive of pg_dump, and goes into a PostgreSQL database.`, `Run: pg_restore --dbname=postgres://host/home ${file}`);
	}

	if (start !== 'SQLite format 3\0') {
		throw refused(`“${file}” is no backup of Switchboard.`, 'Name a file that “switchboard backup” wrote.');
	}
};

/** A backup alone is read as a file that nobody changes, so also on a medium that nobody can write to. */
const openBackup = (file: string): DatabaseSync => {
	if (hasLog(file)) {
		return openToRead(file);
	}

	const url = pathToFileURL(file);
	url.search = '?immutable=1';
	return new DatabaseSync(url, {readOnly: true});
};

const refuseOtherVersion = (backup: DatabaseSync, file: string): void => {
	refuseForeignDatabase(backup, file);
	const version = readVersion(backup);
	if (version > migrations.length) {
		throw refused(`“${file}” was written by a newer Switchboard: it has version ${version}, this program supports up to ${migrations.length}.`, 'Update Switchboard.');
	}

	if (version === 0) {
		throw refused(`“${file}” holds no home.`, 'Name a file that “switchboard backup” wrote.');
	}
};

const withBackup = async <Result>(file: string, work: (backup: DatabaseSync) => Promise<Result>): Promise<Result> => {
	try {
		using backup = openBackup(file);
		refuseOtherVersion(backup, file);
		return await work(backup);
	} catch (error) {
		throw toOpenError(error, file);
	}
};

const refuseProblems = async (copy: string, file: string, signal: AbortSignal): Promise<void> => {
	const {findings} = await checkDatabaseFile(copy, signal);
	const found = findings.find(({severity, kind}) => severity === 'problem' && (kind === 'damage' || kind === 'references'));
	if (found !== undefined) {
		throw refused(`“${file}” has a problem. ${found.message}`, 'Use another backup.');
	}
};

/** @throws SwitchboardError if it cannot be restored; nothing is written. */
export const checkBackup = async (file: string, signal: AbortSignal): Promise<void> => withBackup(file, async () => {
	const [finding] = await runPragma(file, damageCheck, {signal, isImmutable: !hasLog(file)});
	refuseDamage(finding);
});

const isThere = (file: string): boolean => lstatSync(file, {throwIfNoEntry: false}) !== undefined;

const isFilled = (file: string): boolean => (lstatSync(file, {throwIfNoEntry: false})?.size ?? 0) > 0;

/**
Moves the log of a home into its file, and keeps others from opening it.

@returns `undefined` if SQLite cannot do that, as with a damaged file: then the log stays beside it.
@throws SwitchboardError `conflict` if a process has it open.
*/
const holdAlone = (file: string): DatabaseSync | undefined => {
	if (!isFilled(file) || hasForeignLog(file)) {
		return undefined;
	}

	const database = new DatabaseSync(file);
	try {
		database.exec('pragma journal_mode = delete; begin exclusive');
		return database;
	} catch (error) {
		database.close();
		if (isDatabaseBusy(error)) {
			throw new SwitchboardError('conflict', `A process has the home in ${path.dirname(file)} open. Nothing was restored.`, {nextStep: 'Stop the service, then run the command again.', cause: error});
		}

		return undefined;
	}
};

/**
Where a home goes: its database and the files beside it keep belonging together.

@returns `undefined` if there is none.
*/
export const findAside = (file: string): string | undefined => {
	const nameOf = (number: number): string => `${file}${asideEnding}${number === 1 ? '' : `-${number}`}`;
	let number = 1;
	while (databaseFiles(nameOf(number)).some(each => isThere(each))) {
		number++;
	}

	if (isFilled(file) || hasLog(file)) {
		// The rest of a home whose database was moved before a kill goes where that is.
		const last = nameOf(number - 1);
		return !isThere(file) && number > 1 && !isThere(`${last}-wal`) ? last : nameOf(number);
	}

	return isThere(file) || number === 1 ? undefined : nameOf(number - 1);
};

/** The database first: without it, nothing is served from what is left (`prepareDataFolder`). */
const moveAside = (file: string, aside: string): ReadonlyArray<readonly [from: string, to: string]> => {
	const pairs = databaseFiles(file).map((each, index) => [each, databaseFiles(aside)[index]!] as const).filter(([from, to]) => isThere(from) && !isThere(to));
	for (const [from, to] of pairs) {
		renameSync(from, to);
	}

	return pairs;
};

/** Puts a finished database in the place of the present one. */
const putInPlace = (file: string, finished: string): string | undefined => {
	const held = holdAlone(file);
	try {
		const aside = findAside(file);
		const moved = aside === undefined ? [] : moveAside(file, aside);
		try {
			rmSync(`${file}-wal`, {force: true});
			rmSync(`${file}-shm`, {force: true});
			renameSync(finished, file);
		} catch (error) {
			for (const [from, to] of moved) {
				renameSync(to, from);
			}

			throw error;
		}

		syncFolder(path.dirname(file));
		return aside;
	} finally {
		held?.close();
	}
};

/** Restores a backup into a data folder (`restoreBackup`). */
export const restoreDatabase = async (folder: string, backup: string, options: BackupOptions): Promise<string | undefined> => {
	prepareFolderToRestore(folder);
	const file = databaseFilesIn(folder)[0]!;
	// A process that has the home open is found before the work, too.
	holdAlone(file)?.close();
	const unfinished = `${file}.${crypto.randomUUID()}.tmp`;
	try {
		createPrivateFile(unfinished);
		await withBackup(backup, async opened => copyDatabase(opened, backup, unfinished, options));
		await refuseProblems(unfinished, backup, options.signal);
		const handle = openSync(unfinished, 'r+');
		fsyncSync(handle);
		closeSync(handle);
		options.signal.throwIfAborted();
		const aside = putInPlace(file, unfinished);
		// A signal comes too late now: the home is restored.
		const [finding] = await runPragma(file, damageCheck, {signal: new AbortController().signal, isImmutable: true});
		refuseDamage(finding);
		return aside;
	} catch (error) {
		throw toOpenError(error, file);
	} finally {
		for (const each of [...databaseFiles(unfinished), `${unfinished}-journal`]) {
			rmSync(each, {force: true});
		}
	}
};
