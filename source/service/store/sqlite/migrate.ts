import path from 'node:path';
import {type DatabaseSync} from 'node:sqlite';
import {foldName} from '../../../interface/fold-name.ts';
import {otherFolder} from '../../data-folder.ts';
import {earlierDatabase, newerDatabase} from '../database-version.ts';
import {LocationError} from '../location-error.ts';
import {refuseForeignParts} from './foreign-parts.ts';
import {migrations} from './migrations.ts';

/** Marks a SQLite file as ours (`PRAGMA application_id`): the letters SWBD. */
const appId = 0x53_57_42_44;

const readNumber = (database: DatabaseSync, sql: string): number => {
	const [value] = Object.values(database.prepare(sql).get() ?? {});
	return Number(value);
};

/** The number of the last step that was applied. */
export const readVersion = (database: DatabaseSync): number => readNumber(database, 'pragma user_version');

/**
The database of another program is not changed.

@throws SwitchboardError `unexpected`
*/
export const refuseForeignDatabase = (database: DatabaseSync, file: string): void => {
	const owner = readNumber(database, 'pragma application_id');
	if (owner !== appId && (owner !== 0 || readNumber(database, 'select count(*) from sqlite_schema') > 0)) {
		throw new LocationError('unexpected', `${file} is the database of another program.`, {
			elsewhere: otherFolder(path.dirname(file)),
			advise: elsewhere => `Move it away, or ${elsewhere}.`,
		});
	}

	refuseForeignParts(database, file);
};

/** @throws SwitchboardError `unexpected` */
export const refuseNewerDatabase = (database: DatabaseSync, file: string, steps: readonly string[] = migrations): void => {
	const version = readVersion(database);
	if (version > steps.length) {
		throw newerDatabase(file, version, steps.length, otherFolder(path.dirname(file)));
	}
};

/**
Refuses a database that this program would have to migrate first, or cannot use. One without any content is fine.

@throws SwitchboardError `refused` or `unexpected`
*/
export const refuseOtherVersion = (database: DatabaseSync, file: string): void => {
	refuseForeignDatabase(database, file);
	refuseNewerDatabase(database, file);
	const version = readVersion(database);
	if (version > 0 && version < migrations.length) {
		throw earlierDatabase(file, version, migrations.length, `switchboard migrate --data ${path.dirname(file)}`);
	}
};

/**
Applies the steps that the database has not seen, all in one transaction: if one fails, the database stays as it was.

@param steps - given by tests only.
@throws SwitchboardError `unexpected` if the database is newer than this program, or of another program.
*/
export const migrate = (database: DatabaseSync, file: string, steps: readonly string[] = migrations): void => {
	refuseForeignDatabase(database, file);
	database.function('fold_name', {deterministic: true}, name => foldName(String(name)));
	database.exec('begin immediate');
	try {
		// Read here: another process may have changed it while this one waited for the lock.
		refuseNewerDatabase(database, file, steps);
		const missing = steps.slice(readVersion(database));
		for (const step of missing) {
			database.exec(step);
		}

		if (missing.length > 0) {
			database.exec(`pragma application_id = ${appId}; pragma user_version = ${steps.length}`);
		}

		database.exec('commit');
	} catch (error) {
		if (database.isTransaction) {
			database.exec('rollback');
		}

		throw error;
	}
};
