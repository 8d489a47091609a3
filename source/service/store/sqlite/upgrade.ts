import {
	renameSync,
	rmSync,
	statfsSync,
	statSync,
} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {createPrivateFile, syncFolder} from '../../../platform/private-files.ts';
import {
	copiesBeforeUpgrade,
	findDatabaseFile,
	prepareDatabaseFile,
	prepareDataFolder,
} from '../../data-folder.ts';
import {type Migration, type MigrationOptions} from '../database-version.ts';
import {noRoomFor} from '../store-errors.ts';
import {copyPages} from './back-up.ts';
import {migrate, readVersion, refuseForeignDatabase} from './migrate.ts';
import {migrations} from './migrations.ts';
import {damageCheck, refuseDamage, toOpenError} from './open-database.ts';
import {lookAtVersion} from './open-to-read.ts';
import {isDatabaseBusy} from './result-codes.ts';
import {readOnlyUrl, runPragma} from './run-pragma.ts';

/** All pages, rows and indexes. */
const wholeCheck = 'integrity_check(1)';

/** A command that looks holds a database for a moment only. */
const patienceMilliseconds = 2000;
const pauseMilliseconds = 50;

const inUse = (file: string, version: number): SwitchboardError => new SwitchboardError(
	'conflict',
	`The database ${file} is open in another process, so it was not brought from version ${version} to ${migrations.length}: a Switchboard of the earlier version could not go on with it.`,
	{nextStep: 'Stop it first, that is every “switchboard serve” on this folder and every terminal UI that uses the service on this machine.'},
);

/**
Opens a database that nobody else has open, and nobody else can open as long as it is. Every connection in WAL mode holds a shared lock on
the file from its first query to its end, whichever version of Switchboard it belongs to, and this one takes the exclusive lock
(https://sqlite.org/pragma.html#pragma_locking_mode).

@returns `undefined` if another one has it open.
*/
const openIfAlone = (file: string): DatabaseSync | undefined => {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, {enableForeignKeyConstraints: true});
		database.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma synchronous = full; pragma secure_delete = fast');
		return database;
	} catch (error) {
		database?.close();
		if (isDatabaseBusy(error)) {
			return undefined;
		}

		throw toOpenError(error, file);
	}
};

/** @returns `undefined` if another process has migrated it meanwhile. */
const openAlone = async (file: string): Promise<DatabaseSync | undefined> => {
	const deadline = performance.now() + patienceMilliseconds;
	for (;;) {
		const database = openIfAlone(file);
		if (database !== undefined) {
			return database;
		}

		const version = lookAtVersion(file);
		if (version === migrations.length) {
			return undefined;
		}

		if (performance.now() > deadline) {
			throw inUse(file, version);
		}

		await delay(pauseMilliseconds);
	}
};

/** The version of a copy that nobody uses; `undefined` if it is not a whole database of ours. */
const versionOfCopy = async (copy: string, signal: AbortSignal): Promise<number | undefined> => {
	try {
		const [finding] = await runPragma(copy, wholeCheck, {signal, isImmutable: true});
		using database = new DatabaseSync(readOnlyUrl(copy, true), {readOnly: true});
		refuseForeignDatabase(database, copy);
		return finding === 'ok' ? readVersion(database) : undefined;
	} catch {
		signal.throwIfAborted();
		return undefined;
	}
};

/** @returns false if there is a copy already. */
const isCopyNeeded = async (copy: string, version: number, signal: AbortSignal): Promise<boolean> => {
	if (statSync(copy, {throwIfNoEntry: false}) === undefined) {
		return true;
	}

	const kept = await versionOfCopy(copy, signal) ?? 0;
	if (kept > 0 && kept <= version) {
		return false;
	}

	throw new SwitchboardError('conflict', `A copy of the database from before is to go to ${copy}, but that file is there, and no whole copy of an earlier version. Nothing was changed.`, {
		nextStep: 'Move it away.',
	});
};

/** What the file system keeps for itself, and the migration for the beginning. */
const reserveBytes = 1024 * 1024;

const refuseWithoutRoom = (file: string, copy: string): void => {
	const {bavail, bsize} = statfsSync(path.dirname(file));
	const needed = statSync(file).size + (statSync(`${file}-wal`, {throwIfNoEntry: false})?.size ?? 0) + reserveBytes;
	if (bavail * bsize < needed) {
		throw noRoomFor(copy, new Error(`the copy of the database from before takes ${formatBytes(needed)}, and ${formatBytes(bavail * bsize)} are free`));
	}
};

/** Has its name only when it was checked. A killed process leaves an unfinished one, which is written anew. */
const writeCopy = async (database: DatabaseSync, file: string, {signal, onProgress}: Required<Omit<MigrationOptions, 'isDryRun'>>): Promise<void> => {
	const folder = path.dirname(file);
	const [copy, unfinished] = copiesBeforeUpgrade(folder);
	const version = readVersion(database);
	rmSync(unfinished, {force: true});
	try {
		createPrivateFile(unfinished);
		await copyPages(database, file, unfinished, {signal, onProgress, check: wholeCheck});
		if (await versionOfCopy(unfinished, signal) !== version) {
			throw new SwitchboardError('unexpected', `The copy of ${file} cannot be opened as version ${version}. The database was not changed.`);
		}

		renameSync(unfinished, copy);
		syncFolder(folder);
	} finally {
		rmSync(unfinished, {force: true});
	}
};

/** Brings the database of a data folder up to date (`migrateStore`). */
export const upgradeDatabase = async (folder: string, {isDryRun = false, signal = new AbortController().signal, onProgress = () => undefined}: MigrationOptions): Promise<Migration> => {
	const file = findDatabaseFile(folder);
	const seen = lookAtVersion(file);
	const to = migrations.length;
	if (seen === 0 || seen === to) {
		return {from: seen, to: seen};
	}

	const [copy] = copiesBeforeUpgrade(folder);
	if (isDryRun) {
		const isNew = await isCopyNeeded(copy, seen, signal);
		if (isNew) {
			refuseWithoutRoom(file, copy);
		}

		return {from: seen, to, copy: {file: copy, isNew}};
	}

	prepareDataFolder(folder);
	prepareDatabaseFile(folder);
	using database = await openAlone(file);
	if (database === undefined) {
		return {from: to, to};
	}

	try {
		refuseDamage(Object.values(database.prepare(`pragma ${damageCheck}`).get() ?? {})[0]);
		const from = readVersion(database);
		const isNew = await isCopyNeeded(copy, from, signal);
		if (isNew) {
			refuseWithoutRoom(file, copy);
			await writeCopy(database, file, {signal, onProgress});
		}

		signal.throwIfAborted();
		migrate(database, file);
		return {from, to, copy: {file: copy, isNew}};
	} catch (error) {
		throw error instanceof SwitchboardError ? error : toOpenError(error, file);
	}
};
