import {accessSync, constants, existsSync, lstatSync, readdirSync, type Stats, statSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {explainFileError, foreignOwner, ownerName} from '../platform/file-owner.ts';
import {createPrivateFile, ensurePrivateFolder, isNoRoom, type Tightened, tightenFile} from '../platform/private-files.ts';
import {shellWord} from '../platform/shell-word.ts';
import {userFolders} from '../platform/user-folders.ts';
import {noRoomFor} from './store-errors.ts';

/** Returns the bundled service's default folder: the platform's data folder (`docs/compatibility.md`, Running). */
export function defaultDataFolder(): string {
	return userFolders().data;
}

export function databaseFileIn(folder: string): string {
	return path.join(folder, 'switchboard.db');
}

/** Returns a database file and the two files that SQLite keeps beside it while it is open in WAL mode. */
export function databaseFiles(file: string): readonly [string, ...string[]] {
	return [file, `${file}-wal`, `${file}-shm`];
}

/** Returns these files for a data folder. */
export function databaseFilesIn(folder: string): readonly string[] {
	return databaseFiles(databaseFileIn(folder));
}

/**
Returns the copy of the database from before this version first changed its schema, and the name of the copy while it is being written.
*/
export function copiesBeforeUpgrade(folder: string): readonly [copy: string, unfinished: string] {
	const copy = `${databaseFileIn(folder)}.before-1.1.0`;
	return [copy, `${copy}.part`];
}

/** Returns the name of the database that the first, or a later, restore replaced. */
export function asideOf(file: string, number: number): string {
	return `${file}.before-restore${number === 1 ? '' : `-${number}`}`;
}

/** Returns the number of the last database that a restore set aside, even if only a part of it is left; 0 if there is none. */
export function lastAside(file: string): number {
	const folder = path.dirname(file);
	const names = existsSync(folder) ? readdirSync(folder) : [];
	const numbers = names.map(name => /^switchboard\.db\.before-restore(?:-(?<number>\d+))?(?:-wal|-shm)?$/.exec(name));
	return Math.max(0, ...numbers.filter(found => found !== null).map(({groups}) => Number(groups?.['number'] ?? 1)));
}

/** Returns the log of internal errors, and the earlier log. */
export function logFilesIn(folder: string) {
	return withEarlier(folder, 'service.log');
}

const withEarlier = (folder: string, name: string): readonly [current: string, earlier: string] => [
	path.join(folder, name),
	path.join(folder, `${name}.1`),
];

/** Returns the log of requests to the terminal UI's service, and the earlier log. */
export function requestLogFilesIn(folder: string) {
	return withEarlier(folder, 'requests.log');
}

export const otherFolder = 'Choose another folder.';

const othersCanWrite = 0o022;

/** The reasons why a folder, or a file in it, cannot be used, by the code of the file system. Another folder helps. */
const obstacles: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	ELOOP: 'its path is a loop of links',
	ENAMETOOLONG: 'its path is too long',
	ENOENT: 'it cannot be created there',
	ENOTDIR: 'a part of its path is not a folder',
	EPERM: 'permission denied',
	EROFS: 'the disk is read-only',
};

/** For messages: a path can have four thousand bytes. */
const longestPath = 300;

/**
Returns the reason why SQLite cannot open or write a database, in more detail than SQLite gives; `undefined` if the file system has no
objection.

@param file - the database file; SQLite creates others beside it.
*/
export function findObstacle(file: string): SwitchboardError | undefined {
	try {
		for (const needed of [file, path.dirname(file)]) {
			// eslint-disable-next-line no-bitwise -- Modes are made of bits.
			accessSync(needed, constants.R_OK | constants.W_OK);
		}

		return undefined;
	} catch (error) {
		return describe(error, 'The database', file);
	}
}

/** Returns our error for an error of the file system about a folder or file. */
function describe(error: unknown, what: string, file: string): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (isNoRoom(error)) {
		return noRoomFor(file, error);
	}

	const {reason, nextStep = otherFolder} = explainFileError(error, file);
	const obstacle = error instanceof Error && 'code' in error ? obstacles[String(error.code)] : undefined;
	return new SwitchboardError(
		obstacle === undefined ? 'unexpected' : 'usage',
		`${what} ${cleanText(file, longestPath)} cannot be used: ${obstacle === 'permission denied' ? reason : (obstacle ?? reason)}.`,
		{nextStep, cause: error},
	);
}

/**
Creates the folder if it is missing, and makes sure that only its owner can read it. It may have lost its database in a restore that was cut
short.

@throws SwitchboardError `usage` if others can write to the folder, or if it is used for something else: then it is not changed; `usage`,
`no-room` or `unexpected` if it cannot be created.
*/
export function prepareFolderToRestore(folder: string): void {
	inFolder(folder, () => {
		refuseUnsafeFolder(folder);
		requireTightened(ensurePrivateFolder(folder), folder);
	});
}

const inFolder = <Result>(folder: string, work: () => Result): Result => explaining('The data folder', folder, work);

/** Does work on a folder or on a file in it; its errors become ours. */
function explaining<Result>(what: string, file: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw describe(error, what, file);
	}
}

function refuseUnsafeFolder(folder: string): void {
	const stats = findFolder(folder);
	if (stats === undefined) {
		return;
	}

	refuseSharedFolder(folder, stats);
	refuseForeignFolder(folder);
	refuseLinks(folder);
}

/** @returns the folder's facts; `undefined` if it does not exist. */
function findFolder(folder: string): Stats | undefined {
	const stats = statSync(folder, {throwIfNoEntry: false});
	if (stats?.isDirectory() === false) {
		refuse(`${folder} is not a folder.`);
	}

	return stats;
}

function refuse(message: string, remedy?: string): never {
	throw new SwitchboardError('usage', message, {field: 'data', nextStep: [remedy, otherFolder].filter(Boolean).join(' ')});
}

/**
Refuses a folder that other users can write to, because they could replace our files. A folder such as /tmp belongs to everyone, and
tightening it would lock others out. That holds for root as well.
*/
function refuseSharedFolder(folder: string, {uid, mode}: Stats): void {
	const ownUser = process.getuid?.();
	if (ownUser !== undefined && uid !== ownUser) {
		const {nextStep = `For the data of a service, run the command as its user. ${otherFolder}`} = foreignOwner(folder, uid);
		throw new SwitchboardError('usage', `${folder} belongs to ${ownerName(uid)}, so no keys can be kept in it.`, {field: 'data', nextStep});
	}

	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	if (ownUser !== undefined && (mode & othersCanWrite) !== 0) {
		throw new SwitchboardError('usage', `${folder} is shared with other users, who can write to it, so no keys can be kept in it.`, {
			field: 'data',
			nextStep: `${otherFolder} If this one is yours alone, run: chmod go-w ${shellWord(folder)}`,
		});
	}
}

/**
Refuses a folder that is used for something else, such as a home folder given by mistake. A new file system has `lost+found`; settings or
caches are also in the folder if somebody gave several folder variables one value, or below it if it is the home folder of a system user.
*/
function refuseForeignFolder(folder: string): void {
	const {data, ...others} = userFolders();
	if (hasFile(folder) || (folder === data && Object.values(others).includes(data))) {
		return;
	}

	const foldersWithin = Object.values(others).map(other => path.relative(folder, other).split(path.sep, 1)[0]!);
	const ownNames = new Set([...foldersWithin, ...ownFilesIn(folder).map(file => path.basename(file))]);
	const foreign = readdirSync(folder).find(name => !ownNames.has(name) && name !== 'lost+found' && !/^switchboard\.db[-.]/.test(name));
	if (foreign !== undefined) {
		refuse(`${folder} holds other files, such as “${cleanText(foreign, 60)}”, and no database of Switchboard.`);
	}
}

const hasFile = (folder: string): boolean => lstatSync(databaseFileIn(folder), {throwIfNoEntry: false}) !== undefined;

const ownFilesIn = (folder: string): readonly string[] => [
	...databaseFilesIn(folder),
	...copiesBeforeUpgrade(folder),
	// The copy that version 1.0.0 made.
	`${databaseFileIn(folder)}.before-1.0.0`,
	...logFilesIn(folder),
	...requestLogFilesIn(folder),
];

/** Refuses links: the target of a link is not ours, and a database with two names would have two logs of changes. */
function refuseLinks(folder: string): void {
	for (const file of ownFilesIn(folder)) {
		const found = lstatSync(file, {throwIfNoEntry: false});
		if (found?.isSymbolicLink()) {
			refuse(
				`${file} is a link, and links are not followed here.`,
				'Put the file itself there, and the -wal beside it, once nothing uses it.',
			);
		} else if (found?.isFile() === false) {
			refuse(`${file} is not a regular file.`, 'Move it away.');
		} else if (found !== undefined && found.nlink > 1) {
			refuse(
				`${file} has a second name (a hard link), so that another file would change with it.`,
				'Put a copy of it there once nothing uses it.',
			);
		}
	}
}

/** Refuses a file that others can read, even if it was created by hand or restored from a copy: it has hashes of keys, and prompts. */
function requireTightened({error}: Tightened, file: string): void {
	if (error === undefined) {
		return;
	}

	const {reason, nextStep = otherFolder} = explainFileError(error, file);
	throw new SwitchboardError('unexpected', `Others may read ${file}, and its mode cannot be changed: ${reason}.`, {nextStep, cause: error});
}

/** Prepares a folder for the service, as above. */
export function prepareDataFolder(folder: string): void {
	inFolder(folder, () => {
		refuseUnsafeFolder(folder);
		refuseHalfRestored(folder);
	});
	prepareFolderToRestore(folder);
}

/** Refuses a folder without a database after a restore that was cut short between two names; a new empty database would hide that. */
function refuseHalfRestored(folder: string): void {
	const number = hasFile(folder) ? 0 : lastAside(databaseFileIn(folder));
	if (number === 0) {
		return;
	}

	const aside = asideOf(databaseFileIn(folder), number);
	const hasLog = lstatSync(`${aside}-wal`, {throwIfNoEntry: false}) !== undefined;
	const others = hasLog ? `, and then ${path.basename(aside)}-wal to switchboard.db-wal` : '';
	refuse(
		`${folder} has no database, but one that a restore set aside: ${path.basename(aside)}.`,
		`Run “switchboard restore FILE” again, or rename it back to switchboard.db${others}.`,
	);
}

/**
Tells whether a data folder has a database; creates nothing.

@throws SwitchboardError as `prepareDataFolder` does for an existing folder.
*/
export function hasDatabase(folder: string): boolean {
	return inFolder(folder, () => {
		refuseUnsafeFolder(folder);
		return hasFile(folder);
	});
}

/**
Returns the database file of a folder, for reading only: nothing is created or changed.

@throws SwitchboardError `not-found` if there is none; `usage` if others can write to the folder.
*/
export function findDatabaseFile(folder: string): string {
	return inFolder(folder, () => {
		findFolder(folder);
		if (!hasFile(folder)) {
			refuseHalfRestored(folder);
			throw new SwitchboardError('not-found', `There is no database in ${folder}.`, {nextStep: 'Name the data folder of the service.'});
		}

		refuseUnsafeFolder(folder);
		return databaseFileIn(folder);
	});
}

/**
Creates the database file if it is missing, readable only by its owner; SQLite gives the files beside it that mode, too. An existing file is
never opened here, because closing any handle to it would drop the locks that SQLite holds in this process.

@returns the path of the database file.
*/
export function prepareDatabaseFile(folder: string): string {
	const file = databaseFileIn(folder);
	explaining('The database', file, () => {
		createPrivateFile(file);
		for (const existing of databaseFilesIn(folder)) {
			requireTightened(tightenFile(existing), existing);
		}
	});
	return file;
}
