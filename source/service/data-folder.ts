import {
	accessSync,
	constants,
	lstatSync,
	readdirSync,
	statSync,
	type Stats,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {cleanText} from '../interface/clean-text.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isNoRoom} from '../platform/no-room.ts';
import {
	createPrivateFile,
	ensurePrivateFolder,
	tightenFile,
	type Tightened,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {LocationError, toSentence} from './store/location-error.ts';
import {noRoomFor} from './store/store-errors.ts';

/** Where the bundled service keeps its data by default: the platform's data folder (`CONTRACT.md`). */
export const defaultDataFolder = (): string => userFolders().data;

const databaseFile = (folder: string): string => path.join(folder, 'switchboard.db');

/** A database file and the two that SQLite keeps beside it while it is open in WAL mode. */
export const databaseFiles = (file: string): readonly [string, ...string[]] => [file, `${file}-wal`, `${file}-shm`];

/** The same for the database of a data folder. */
export const databaseFilesIn = (folder: string): readonly string[] => databaseFiles(databaseFile(folder));

/**
The copy of the database as it was before the first start of this version that changed its schema, and the same as long as it is being
written.
*/
export const copiesBeforeUpgrade = (folder: string): readonly [copy: string, unfinished: string] => {
	const copy = `${databaseFile(folder)}.before-1.0.0`;
	return [copy, `${copy}.part`];
};

/** The log of internal errors, and the one before it. */
export const logFilesIn = (folder: string): readonly [current: string, earlier: string] => [path.join(folder, 'service.log'), path.join(folder, 'service.log.1')];

/** The log of the requests to the service of the terminal UI, and the one before it. */
export const requestLogFilesIn = (folder: string): readonly [current: string, earlier: string] => [path.join(folder, 'requests.log'), path.join(folder, 'requests.log.1')];

const ownFilesIn = (folder: string): readonly string[] => [...databaseFilesIn(folder), ...copiesBeforeUpgrade(folder), ...logFilesIn(folder), ...requestLogFilesIn(folder)];

const hasFile = (folder: string): boolean => lstatSync(databaseFile(folder), {throwIfNoEntry: false}) !== undefined;

/** The environment variables that move the platform's data folder (`userFolders`). On macOS only the home folder does. */
const dataFolderVariables: Readonly<Partial<Record<NodeJS.Platform, string>>> = {linux: 'XDG_DATA_HOME', win32: 'LOCALAPPDATA'};

/** How to choose another folder (`LocationError`). The terminal UI and the profile `local` have no `--data`. */
export const otherFolder = (folder: string) => (option?: string): string => {
	if (option !== undefined || folder !== defaultDataFolder()) {
		return `choose another folder with ${option ?? '--data'}`;
	}

	const variable = dataFolderVariables[process.platform];
	return variable === undefined ? 'choose another folder with --data of serve and keys' : `choose another folder with ${variable} or, for serve and keys, with --data`;
};

const refuse = (folder: string, message: string, remedy?: string): never => {
	throw new LocationError('usage', message, {
		field: 'data',
		elsewhere: otherFolder(folder),
		advise: elsewhere => [remedy, toSentence(elsewhere)].filter(Boolean).join(' '),
	});
};

const othersCanWrite = 0o022;

/**
Who can write to the folder can put files of theirs in the place of ours; a folder such as /tmp belongs to everyone, and
tightening it would lock the others out. That holds for root as well.
*/
const refuseSharedFolder = (folder: string, {uid, mode}: Stats): void => {
	const ownUser = process.getuid?.();
	if (ownUser === undefined) {
		return;
	}

	if (uid !== ownUser) {
		refuse(folder, `${folder} belongs to another user, so no keys can be kept in it.`);
	}

	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	if ((mode & othersCanWrite) !== 0) {
		refuse(folder, `${folder} is shared with other users, who can write to it, so no keys can be kept in it.`, `If it is yours alone, run: chmod go-w ${folder}`);
	}
};

/** True if the settings or the caches lie in it too: somebody gave the variables of several folders one value. */
const isSharedWithSettings = (folder: string): boolean => {
	const {data, ...others} = userFolders();
	return folder === data && Object.values(others).includes(data);
};

/** A home folder given by mistake stays as it is. A new file system has `lost+found`. */
const refuseForeignFolder = (folder: string): void => {
	if (hasFile(folder) || isSharedWithSettings(folder)) {
		return;
	}

	const ownNames = new Set(ownFilesIn(folder).map(file => path.basename(file)));
	const foreign = readdirSync(folder).find(name => !ownNames.has(name) && name !== 'lost+found');
	if (foreign !== undefined) {
		refuse(folder, `${folder} holds other files, such as “${cleanText(foreign, 60)}”, and no database of Switchboard.`);
	}
};

/** A link leads to something that is not ours, and a database with two names would have two logs of changes. */
const refuseLinks = (folder: string): void => {
	for (const file of ownFilesIn(folder)) {
		const found = lstatSync(file, {throwIfNoEntry: false});
		if (found?.isSymbolicLink()) {
			refuse(folder, `${file} is a link, and links are not followed here.`, 'Put the file itself there.');
		}

		if (found?.isFile() === false) {
			refuse(folder, `${file} is not a regular file.`, 'Move it away.');
		}

		if (found !== undefined && found.nlink > 1) {
			refuse(folder, `${file} has a second name (a hard link), so that another file would change with it.`, 'Put a copy of it there.');
		}
	}
};

/** @returns what is known of the folder; `undefined` if there is none. */
const findFolder = (folder: string): Stats | undefined => {
	const stats = statSync(folder, {throwIfNoEntry: false});
	if (stats?.isDirectory() === false) {
		refuse(folder, `${folder} is not a folder.`);
	}

	return stats;
};

const refuseUnsafeFolder = (folder: string): void => {
	const stats = findFolder(folder);
	if (stats === undefined) {
		return;
	}

	refuseSharedFolder(folder, stats);
	refuseForeignFolder(folder);
	refuseLinks(folder);
};

/** Others may read neither keys' hashes nor prompts, even if the file was created by hand or restored from a copy. */
const requireTightened = ({error}: Tightened): void => {
	if (error !== undefined) {
		throw new Error(`others may read it, and its mode cannot be changed: ${reasonOf(error)}`, {cause: error});
	}
};

/** Why a folder, or a file in it, is of no use, by the code of the file system. Another folder helps. */
const obstacles: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	ELOOP: 'its path is a loop of links',
	ENAMETOOLONG: 'its path is too long',
	ENOENT: 'it cannot be created there',
	ENOTDIR: 'a part of its path is not a folder',
	EPERM: 'permission denied',
	EROFS: 'the disk is read-only',
};

/** A path can have four thousand bytes. */
const longestPath = 300;

/** What the file system says about a folder or file, as ours. */
const describe = (error: unknown, what: string, file: string, folder: string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (isNoRoom(error)) {
		return noRoomFor(file, error);
	}

	const obstacle = error instanceof Error && 'code' in error ? obstacles[String(error.code)] : undefined;
	return new LocationError(obstacle === undefined ? 'unexpected' : 'usage', `${what} ${cleanText(file, longestPath)} cannot be used: ${obstacle ?? reasonOf(error)}.`, {
		elsewhere: otherFolder(folder), advise: toSentence, cause: error,
	});
};

/**
Why SQLite cannot open or write a database, in more words than its own; `undefined` if the file system has no objection.

@param file - the database file; SQLite creates others beside it.
*/
export const findObstacle = (file: string): SwitchboardError | undefined => {
	const folder = path.dirname(file);
	try {
		for (const needed of [file, folder]) {
			// eslint-disable-next-line no-bitwise -- Modes are made of bits.
			accessSync(needed, constants.R_OK | constants.W_OK);
		}

		return undefined;
	} catch (error) {
		return describe(error, 'The database', file, folder);
	}
};

/**
Creates the folder if it is missing, and makes sure that only its owner can read it.

@throws SwitchboardError `usage` if it is not a folder of this user alone, or one for something else: then it is not changed;
`usage`, `no-room` or `unexpected` if it cannot be created.
*/
export const prepareDataFolder = (folder: string): void => {
	try {
		refuseUnsafeFolder(folder);
		requireTightened(ensurePrivateFolder(folder));
	} catch (error) {
		throw describe(error, 'The data folder', folder, folder);
	}
};

/**
True if a data folder has a database; creates nothing.

@throws SwitchboardError as `prepareDataFolder` does of a folder that exists.
*/
export const hasDatabase = (folder: string): boolean => {
	try {
		refuseUnsafeFolder(folder);
		return hasFile(folder);
	} catch (error) {
		throw describe(error, 'The data folder', folder, folder);
	}
};

/**
The database file of a folder, to be read only: nothing is created or changed.

@throws SwitchboardError `not-found` if there is none; `usage` if the folder is not one of this user alone.
*/
export const findDatabaseFile = (folder: string): string => {
	const file = databaseFile(folder);
	try {
		findFolder(folder);
		if (!hasFile(folder)) {
			throw new LocationError('not-found', `There is no database in ${folder}.`, {
				elsewhere: (option = '--data') => `name the data folder of the service with ${option}`,
				advise: toSentence,
			});
		}

		refuseUnsafeFolder(folder);
	} catch (error) {
		throw describe(error, 'The data folder', folder, folder);
	}

	return file;
};

/**
Creates the database file if it is missing, readable by its owner alone; SQLite gives the files beside it the same mode.
An existing one is never opened here: closing any handle of it would drop the locks that SQLite holds in this process.

@returns the path of the database file.
*/
export const prepareDatabaseFile = (folder: string): string => {
	const file = databaseFile(folder);
	try {
		createPrivateFile(file);
		for (const existing of databaseFilesIn(folder)) {
			requireTightened(tightenFile(existing));
		}
	} catch (error) {
		throw describe(error, 'The database', file, folder);
	}

	return file;
};
