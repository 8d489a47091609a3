import {SwitchboardError} from '../../interface/errors.ts';
import {isDatabaseUrl} from '../../platform/database-url.ts';
import {isBeneath, realPlace} from '../../platform/real-place.ts';
import {databaseFilesIn, findDatabaseFile, hasDatabase} from '../data-folder.ts';
import {type CheckResult} from './check-result.ts';
import {type Home} from './sql/home.ts';
import {hasStore} from './open-store.ts';
import {
	type CopyCounts,
	type CopyOptions,
	copyRecords,
	countRecords,
	refuseFilledHome,
} from './sql/copy-records.ts';
import {type BackupOptions, backUpDatabase, leaveWalMode} from './sqlite/back-up.ts';
import {checkDatabase} from './sqlite/check-database.ts';
import {openSqliteHome, openSqliteHomeToRead} from './sqlite/home.ts';
import {
	checkBackup,
	findAside,
	refuseOtherFile,
	restoreDatabase,
} from './sqlite/restore.ts';
import {LocationError} from './location-error.ts';
import {StoreBusyError} from './store-errors.ts';

/*
What an operator does with a database beside the service. Like `open-store.ts`, this file chooses the database. A location is a
data folder, or the URL of a PostgreSQL database.
*/

const explainBusy = (error: unknown): unknown => error instanceof StoreBusyError
	? new SwitchboardError('unexpected', 'The database is in use by another program.', {nextStep: 'Try again in a moment.', cause: error})
	: error;

/**
Copies the database of a data folder to an empty file, as it is at one moment, whoever writes to it meanwhile. The copy is checked,
and works as the database of a data folder.

@throws SwitchboardError `not-found` if the folder has no database, `no-room` if the disk is full; otherwise if the database
cannot be read. Then the copy is of no use.
*/
export const backUp = async (dataFolder: string, copy: string, options: BackupOptions): Promise<void> => {
	try {
		await backUpDatabase(dataFolder, copy, options);
	} catch (error) {
		throw explainBusy(error);
	}
};

/**
Checks a database without changing it; a service may be running on it.

@param signal - ends it.
@throws SwitchboardError `not-found` if there is none, or if it cannot be opened at all.
*/
export const checkStore = async (location: string, signal: AbortSignal): Promise<CheckResult> => {
	try {
		if (!isDatabaseUrl(location)) {
			return await checkDatabase(location, signal);
		}

		const {checkPostgres} = await import('./postgres/check-database.ts');
		return await checkPostgres(location);
	} catch (error) {
		throw explainBusy(error);
	}
};

/**
What a restore would do.

@returns where it would set the present home aside; `undefined` if there is none.
@throws SwitchboardError if the file is no backup that this program can restore, or the folder cannot be used.
*/
export const planRestore = async (file: string, dataFolder: string, signal: AbortSignal): Promise<string | undefined> => {
	refuseOtherFile(file, dataFolder);
	hasDatabase(dataFolder);
	await checkBackup(file, signal);
	return findAside(databaseFilesIn(dataFolder)[0]!);
};

/**
Restores a backup into a data folder, as it is: of its version. It is checked before it takes the place of the present home, which is
set aside. A kill leaves the one home or the other, or none and the former one set aside.

@returns where the former home is now; `undefined` if there was none.
@throws SwitchboardError as `planRestore` does, and `conflict` if a process has the home open.
*/
export const restoreBackup = async (file: string, dataFolder: string, options: BackupOptions): Promise<string | undefined> => {
	try {
		return await restoreDatabase(dataFolder, file, options);
	} catch (error) {
		throw explainBusy(error);
	}
};

const openHomeToRead = async (location: string, signal: AbortSignal): Promise<Home> => {
	if (!isDatabaseUrl(location)) {
		return openSqliteHomeToRead(location, signal);
	}

	const {openPostgresHomeToRead} = await import('./postgres/home.ts');
	return openPostgresHomeToRead(location);
};

const openHome = async (location: string): Promise<Home> => {
	if (!isDatabaseUrl(location)) {
		return openSqliteHome(location);
	}

	const {openPostgresHome} = await import('./postgres/home.ts');
	return openPostgresHome(location);
};

/** Opens one of the two homes of a copy, or looks at its place, and names its option where something is wrong with it. */
const openFor = async <Opened>(option: '--from' | '--to', opening: Promise<Opened>): Promise<Opened> => {
	try {
		return await opening;
	} catch (error) {
		throw error instanceof LocationError ? error.withOption(option) : error;
	}
};

const openSource = async (from: string, {signal}: CopyOptions): Promise<Home> => openFor('--from', openHomeToRead(from, signal));

const withHome = async <Result>(opening: Promise<Home>, work: (home: Home) => Promise<Result>): Promise<Result> => {
	const home = await opening;
	try {
		return await work(home);
	} catch (error) {
		throw explainBusy(error);
	} finally {
		await home.close();
	}
};

/** What lies in a data folder goes with it when it is moved or deleted. */
const refuseTargetWithin = (from: string, to: string): void => {
	if (isDatabaseUrl(from) || isDatabaseUrl(to)) {
		return;
	}

	const [source, target] = [realPlace(from), realPlace(to)];
	if (target !== source && isBeneath(source, target)) {
		throw new SwitchboardError('usage', `${to} lies in the data folder that is to be copied. Nothing was copied.`, {nextStep: 'Choose a folder outside of it with --to.'});
	}
};

/**
Copies all that the source holds at one moment into a target that is empty or missing, and compares it; a service may be running on the
source.

@returns how many rows each table has.
@throws SwitchboardError `conflict` if the target is not empty; otherwise if one of both cannot be used, or the copy differs. Then
the target holds nothing.
*/
export const copyStore = async (from: string, to: string, options: CopyOptions): Promise<CopyCounts> => withHome(openSource(from, options), async source => {
	refuseTargetWithin(from, to);
	const counts = await withHome(openFor('--to', openHome(to)), async target => copyRecords(source, target, options));
	if (!isDatabaseUrl(to)) {
		leaveWalMode(findDatabaseFile(to));
	}

	return counts;
});

/** What `copyStore` would copy; throws what it would throw, and creates no target. */
export const planCopy = async (from: string, to: string, options: CopyOptions): Promise<CopyCounts> => withHome(openSource(from, options), async source => {
	refuseTargetWithin(from, to);
	if (await openFor('--to', hasStore(to))) {
		await withHome(openFor('--to', openHomeToRead(to, options.signal)), refuseFilledHome);
	}

	return countRecords(source, options);
});
