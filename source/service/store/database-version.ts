import {SwitchboardError} from '../../interface/errors.ts';
import {LocationError} from './location-error.ts';

/*
The version of a database is the number of the last migration that was applied to it, and that of the program the number of those that
it knows.
*/

/** @param elsewhere - how to use another database (`LocationError`). */
export const newerDatabase = (database: string, version: number, known: number, elsewhere: (option?: string) => string): LocationError => new LocationError(
	'unexpected',
	`The database ${database} was written by a newer Switchboard: it has version ${version}, this program supports up to ${known}.`,
	{elsewhere, advise: other => `Update Switchboard, or ${other}.`},
);

/**
Only `serve` and `migrate` change a schema: a service of the earlier version may be running on it, which could not go on.

@param migrate - the command that brings it up to date.
*/
export const earlierDatabase = (database: string, version: number, known: number, migrate: string): SwitchboardError => new SwitchboardError(
	'refused',
	`The database ${database} was written by an earlier Switchboard: it has version ${version}, this program uses version ${known}.`,
	{nextStep: `Stop what still uses it, then bring it up to date: ${migrate}`},
);

/** What became of the schema of a database; `from` and `to` are equal if there was nothing to do, and 0 if it holds nothing of ours yet. */
export type Migration = {
	readonly from: number;
	readonly to: number;
	/** The copy from before, of a SQLite file. */
	readonly copy?: {readonly file: string; readonly isNew: boolean};
};

export type MigrationOptions = {
	/** True to look and check only. */
	readonly isDryRun?: boolean;
	/** Ends it before the schema is changed. */
	readonly signal?: AbortSignal;
	/** Told the part of the copy that is done, from 0 to 1. */
	readonly onProgress?: (part: number) => void;
};

const describeCopy = ({file, isNew}: NonNullable<Migration['copy']>, isDryRun: boolean): string => {
	if (!isNew) {
		return ` The copy from before that is already there is kept: ${file}`;
	}

	return isDryRun ? ` A copy from before would go to ${file}` : ` A copy from before is in ${file}`;
};

/** A migration in one line. */
export const describeMigration = ({from, to, copy}: Migration, database: string, isDryRun = false): string => from === to
	? `The database in ${database} has version ${to}: it is up to date.`
	: `${isDryRun ? 'Would bring' : 'Brought'} the database in ${database} from version ${from} to ${to}.${copy === undefined ? '' : describeCopy(copy, isDryRun)}`;
