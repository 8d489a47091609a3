import {renameSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {SwitchboardError} from '../../../interface/errors.ts';
import {createPrivateFile, syncFolder} from '../../../platform/private-files.ts';
import {copiesBeforeUpgrade, findDatabaseFile, hasDatabase, prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import type {Migration, MigrationOptions} from '../database-version.ts';
import {moved} from '../../store-errors.ts';
import {type BackupOptions, copyDatabase} from './backups.ts';
import {identityOf} from './database-files.ts';
import {refuseDamage, toOpenError} from './errors.ts';
import {damageCheck, leaveWalMode, lookAtVersion, openIfAlone, openImmutable, readPragma, refuseToClose} from './open-database.ts';
import {migrate, readVersion, refuseForeignDatabase, versions} from './schema.ts';

/** A command that looks holds a database for a moment only. */
const patienceMilliseconds = 2000;

/** Brings the database of a data folder up to date (`migrateStore`). */
export async function upgradeDatabase(
	folder: string,
	{isDryRun = false, signal = new AbortController().signal, onProgress = () => undefined}: MigrationOptions,
): Promise<Migration> {
	if (!hasDatabase(folder)) {
		return {from: 0, to: 0};
	}

	const file = findDatabaseFile(folder);
	const seen = lookAtVersion(file);
	const to = versions.present;
	if (seen === 0 || seen === to) {
		return {from: seen, to: seen};
	}

	const [copy] = copiesBeforeUpgrade(folder);
	if (isDryRun) {
		return {from: seen, to, copy: {file: copy, isNew: isCopyNeeded(copy, seen)}};
	}

	prepareDataFolder(folder);
	prepareDatabaseFile(folder);
	const identity = identityOf(file);
	const database = await openAlone(file);
	if (database === undefined) {
		return {from: to, to};
	}

	const refuseMoved = (): void => {
		if (identityOf(file) !== identity) {
			throw moved(file, true);
		}
	};

	try {
		refuseDamage(readPragma(database, damageCheck));
		const from = readVersion(database);
		const isNew = isCopyNeeded(copy, from);
		if (isNew) {
			await writeCopy(database, file, {signal, onProgress});
		}

		signal.throwIfAborted();
		refuseMoved();
		migrate(database, file);
		leaveWalMode(database);
		return {from, to, copy: {file: copy, isNew}};
	} catch (error) {
		throw toOpenError(error, file);
	} finally {
		refuseToClose([database], refuseMoved);
		database.close();
	}
}

/**
Tells whether the copy from before is still to be written.

@throws SwitchboardError `conflict` if another file is in its place.
*/
function isCopyNeeded(copy: string, version: number): boolean {
	if (statSync(copy, {throwIfNoEntry: false}) === undefined) {
		return true;
	}

	const kept = versionOfCopy(copy) ?? 0;
	if (kept > 0 && kept <= version) {
		return false;
	}

	const message = `A copy of the database from before is to go to ${copy}, but that file is there, and no whole copy of an earlier version. Nothing was changed.`;
	throw new SwitchboardError('conflict', message, {nextStep: 'Move it away.'});
}

/** Returns the version of a copy that nobody uses; `undefined` if it is not a whole database of ours. */
function versionOfCopy(copy: string): number | undefined {
	try {
		using database = openImmutable(copy);
		refuseForeignDatabase(database, copy);
		return readPragma(database, 'integrity_check(1)') === 'ok' ? readVersion(database) : undefined;
	} catch {
		return undefined;
	}
}

/** @returns `undefined` if another process has migrated it meanwhile. */
async function openAlone(file: string): Promise<DatabaseSync | undefined> {
	const deadline = performance.now() + patienceMilliseconds;
	for (;;) {
		const database = openIfAlone(file);
		if (database !== undefined) {
			return database;
		}

		const version = lookAtVersion(file);
		if (version === versions.present) {
			return undefined;
		}

		if (performance.now() > deadline) {
			const message = `The database ${file} is open in another process, so it was not brought from version ${version} to ${versions.present}: a Switchboard of the earlier version could not go on with it.`;
			const uses = 'every “switchboard serve” on this folder and every terminal UI that uses the service on this machine';
			throw new SwitchboardError('conflict', message, {nextStep: `Stop it first, that is ${uses}.`});
		}

		await delay(50);
	}
}

/** The copy has its name only when it was checked. A killed process leaves an unfinished one, which is written anew. */
async function writeCopy(database: DatabaseSync, file: string, options: BackupOptions): Promise<void> {
	const folder = path.dirname(file);
	const [copy, unfinished] = copiesBeforeUpgrade(folder);
	rmSync(unfinished, {force: true});
	try {
		createPrivateFile(unfinished);
		await copyDatabase(database, file, unfinished, options);
		renameSync(unfinished, copy);
		syncFolder(folder);
	} finally {
		rmSync(unfinished, {force: true});
	}
}
