import {
	chmodSync,
	closeSync,
	mkdirSync,
	openSync,
	statSync,
	type Stats,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import envPaths from 'env-paths';
import {SwitchboardError} from '../interface/errors.ts';

/** Where the bundled service keeps its data unless told otherwise: the platform's data folder (`CONTRACT.md`). */
export const defaultDataFolder = (): string => envPaths('switchboard', {suffix: ''}).data;

/** What moves the platform's data folder (`env-paths`); nothing but the home folder does on macOS. */
const placeVariable = (): string | undefined => {
	switch (process.platform) {
		case 'darwin': {
			return undefined;
		}

		case 'win32': {
			return 'LOCALAPPDATA';
		}

		default: {
			return 'XDG_DATA_HOME';
		}
	}
};

/** How another folder is chosen, as the end of a sentence. The terminal UI and the profile `local` have no `--data`. */
export const waysToAnotherFolder = (folder: string): string => {
	if (folder !== defaultDataFolder()) {
		return 'choose a folder of its own with --data';
	}

	const variable = placeVariable();
	return variable === undefined ? 'choose another folder with --data of serve and keys' : `choose another place for it with ${variable} or, for serve and keys, with --data`;
};

const adviceOn = (folder: string): string => {
	const ways = waysToAnotherFolder(folder);
	return `${ways[0]!.toUpperCase()}${ways.slice(1)}.`;
};

const ownerOnlyFolder = 0o700;
const ownerOnlyFile = 0o600;
const stickyBit = 0o1000;

const isErrorCode = (error: unknown, code: string): boolean =>
	error instanceof Error && 'code' in error && error.code === code;

const statIfThere = (file: string): Stats | undefined => statSync(file, {throwIfNoEntry: false});

/** Others may read neither keys' hashes nor prompts, also where the file was made by hand or restored from a copy. */
const tighten = (file: string, mode: number): void => {
	const stats = statIfThere(file);
	// eslint-disable-next-line no-bitwise -- A mode is made of bits.
	if (stats !== undefined && (stats.mode & 0o777 & ~mode) !== 0) {
		chmodSync(file, mode);
	}
};

/** A folder such as /tmp belongs to everyone: tightening it would lock the others out. */
const refuseSharedFolder = (folder: string, stats: Stats | undefined): void => {
	if (stats === undefined) {
		return;
	}

	if (!stats.isDirectory()) {
		throw new SwitchboardError('usage', `${folder} is no folder.`, {nextStep: adviceOn(folder), field: 'data'});
	}

	const ownUser = process.getuid?.();
	// Root is let in everywhere: it may well run on a volume that belongs to another user.
	const isOthers = ownUser !== undefined && ownUser !== 0 && stats.uid !== ownUser;
	// eslint-disable-next-line no-bitwise -- As above.
	const isSticky = (stats.mode & stickyBit) !== 0;
	if (isSticky || isOthers) {
		throw new SwitchboardError('usage', `${folder} is shared with others, so no keys are kept in it.`, {nextStep: adviceOn(folder), field: 'data'});
	}
};

/** One folder after the other: Node's own `recursive` never ends under /proc, where a home folder may be by mistake. */
const makeFolder = (folder: string): void => {
	const parent = path.dirname(folder);
	if (statIfThere(folder) !== undefined) {
		return;
	}

	if (parent !== folder) {
		makeFolder(parent);
	}

	try {
		mkdirSync(folder, {mode: ownerOnlyFolder});
	} catch (error) {
		// Another process may have been faster.
		if (!isErrorCode(error, 'EEXIST')) {
			throw error;
		}
	}
};

/** What the file system said, on one line at the end of a sentence. */
const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error);

/**
Makes the folder where it is missing, and sees to it that only its owner can read it.

@throws SwitchboardError `usage` where it is no folder of the user's own, `unexpected` where it cannot be made.
*/
export const prepareDataFolder = (folder: string): void => {
	try {
		refuseSharedFolder(folder, statIfThere(folder));
		makeFolder(folder);
		tighten(folder, ownerOnlyFolder);
	} catch (error) {
		throw error instanceof SwitchboardError
			? error
			: new SwitchboardError('unexpected', `The data folder ${folder} cannot be used: ${reasonOf(error)}`, {nextStep: adviceOn(folder), cause: error});
	}
};

const databaseFile = (folder: string): string => path.join(folder, 'switchboard.db');

/** True where something is kept in the folder already. */
export const hasDatabase = (folder: string): boolean => statIfThere(databaseFile(folder)) !== undefined;

/**
Makes the database file where it is missing, readable for its owner alone; SQLite gives the files beside it the same mode.
An existing one is never opened here: closing any handle of it would drop the locks that SQLite holds in this process.

@returns the path of the database file.
*/
export const prepareDatabaseFile = (folder: string): string => {
	const file = databaseFile(folder);
	try {
		closeSync(openSync(file, 'wx', ownerOnlyFile));
	} catch (error) {
		if (!isErrorCode(error, 'EEXIST')) {
			throw new SwitchboardError('unexpected', `The database ${file} cannot be made: ${reasonOf(error)}`, {nextStep: adviceOn(folder), cause: error});
		}
	}

	for (const existing of [file, `${file}-wal`, `${file}-shm`]) {
		tighten(existing, ownerOnlyFile);
	}

	return file;
};
