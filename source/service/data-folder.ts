import {statSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {
	createPrivateFile,
	ensurePrivateFolder,
	tightenFile,
	type Tightened,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';

/** Where the bundled service keeps its data by default: the platform's data folder (`CONTRACT.md`). */
export const defaultDataFolder = (): string => userFolders().data;

/** The environment variables that move the platform's data folder (`env-paths`). On macOS only the home folder does. */
const dataFolderVariables: Readonly<Partial<Record<NodeJS.Platform, string>>> = {linux: 'XDG_DATA_HOME', win32: 'LOCALAPPDATA'};

/** How to choose another folder, as the end of a sentence. The terminal UI and the profile `local` have no `--data`. */
export const otherFolderHint = (folder: string): string => {
	if (folder !== defaultDataFolder()) {
		return 'choose another folder with --data';
	}

	const variable = dataFolderVariables[process.platform];
	return variable === undefined ? 'choose another folder with --data of serve and keys' : `choose another folder with ${variable} or, for serve and keys, with --data`;
};

const nextStepFor = (folder: string): string => {
	const hint = otherFolderHint(folder);
	return `${hint[0]!.toUpperCase()}${hint.slice(1)}.`;
};

const stickyBit = 0o1000;

/** A folder such as /tmp belongs to everyone: tightening it would lock the others out. */
const refuseSharedFolder = (folder: string): void => {
	const stats = statSync(folder, {throwIfNoEntry: false});
	if (stats === undefined) {
		return;
	}

	if (!stats.isDirectory()) {
		throw new SwitchboardError('usage', `${folder} is not a folder.`, {nextStep: nextStepFor(folder), field: 'data'});
	}

	const ownUser = process.getuid?.();
	// Root has access to everything, and may well run on a volume that belongs to another user.
	const isOthers = ownUser !== undefined && ownUser !== 0 && stats.uid !== ownUser;
	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	const isSticky = (stats.mode & stickyBit) !== 0;
	if (isSticky || isOthers) {
		throw new SwitchboardError('usage', `${folder} is shared with other users, so no keys can be kept in it.`, {nextStep: nextStepFor(folder), field: 'data'});
	}
};

/** Others may read neither keys' hashes nor prompts, even if the file was created by hand or restored from a copy. */
const requireTightened = ({error}: Tightened): void => {
	if (error !== undefined) {
		throw new Error(`others may read it, and its mode cannot be changed: ${reasonOf(error)}`, {cause: error});
	}
};

/**
Creates the folder if it is missing, and makes sure that only its owner can read it.

@throws SwitchboardError `usage` if it is not a folder of this user alone, `unexpected` if it cannot be created.
*/
export const prepareDataFolder = (folder: string): void => {
	try {
		refuseSharedFolder(folder);
		requireTightened(ensurePrivateFolder(folder));
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('unexpected', `The data folder ${folder} cannot be used: ${reasonOf(error)}`, {nextStep: nextStepFor(folder), cause: error});
	}
};

const databaseFile = (folder: string): string => path.join(folder, 'switchboard.db');

/** True if a data folder has a database. */
export const hasDatabase = (folder: string): boolean => statSync(databaseFile(folder), {throwIfNoEntry: false}) !== undefined;

/**
Creates the database file if it is missing, readable by its owner alone; SQLite gives the files beside it the same mode.
An existing one is never opened here: closing any handle of it would drop the locks that SQLite holds in this process.

@returns the path of the database file.
*/
export const prepareDatabaseFile = (folder: string): string => {
	const file = databaseFile(folder);
	try {
		createPrivateFile(file);
		for (const existing of [file, `${file}-wal`, `${file}-shm`]) {
			requireTightened(tightenFile(existing));
		}
	} catch (error) {
		throw new SwitchboardError('unexpected', `The database ${file} cannot be used: ${reasonOf(error)}`, {nextStep: nextStepFor(folder), cause: error});
	}

	return file;
};
