import path from 'node:path';
import {type DatabaseSync} from 'node:sqlite';
import {SwitchboardError} from '../../../interface/errors.ts';
import {otherFolderHint} from '../../data-folder.ts';
import {type Migration, migrations} from './migrations.ts';

/** Marks a SQLite file as ours (`PRAGMA application_id`): the letters SWBD. */
const appId = 0x53_57_42_44;

const readNumber = (database: DatabaseSync, sql: string): number => {
	const [value] = Object.values(database.prepare(sql).get() ?? {});
	return Number(value);
};

/** Number of the last migration that the database has seen. */
const readVersion = (database: DatabaseSync): number => readNumber(database, 'pragma user_version');

/** A file of another program is left as it is. */
const refuseForeignDatabase = (database: DatabaseSync, file: string): void => {
	const owner = readNumber(database, 'pragma application_id');
	if (owner !== appId && (owner !== 0 || readNumber(database, 'select count(*) from sqlite_schema') > 0)) {
		throw new SwitchboardError('unexpected', `${file} is a database of another program.`, {
			nextStep: `Move it away, or ${otherFolderHint(path.dirname(file))}.`,
		});
	}
};

const runMigration = (database: DatabaseSync, {sql}: Migration, number: number): void => {
	database.exec('begin immediate');
	try {
		// Another process may have done it while this one waited for the lock.
		if (readVersion(database) < number) {
			database.exec(sql);
			database.exec(`pragma application_id = ${appId}; pragma user_version = ${number}`);
		}

		database.exec('commit');
	} catch (error) {
		if (database.isTransaction) {
			database.exec('rollback');
		}

		throw error;
	}
};

/**
Brings the database to the form that this program knows, one numbered migration after the other, each in a transaction
of its own: one that fails leaves the database at the step before.

@param steps - given by tests alone.
@throws SwitchboardError `unexpected` where the database is newer than this program, or not ours.
*/
export const migrate = (database: DatabaseSync, file: string, steps: readonly Migration[] = migrations): void => {
	refuseForeignDatabase(database, file);
	const version = readVersion(database);
	if (version > steps.length) {
		throw new SwitchboardError(
			'unexpected',
			`The database ${file} was written by a newer Switchboard (its form is ${version}, this program knows up to ${steps.length}).`,
			{nextStep: `Update Switchboard, or ${otherFolderHint(path.dirname(file))}.`},
		);
	}

	for (const [index, step] of steps.entries()) {
		if (index >= version) {
			runMigration(database, step, index + 1);
		}
	}
};
