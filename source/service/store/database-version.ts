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
What is only read is not migrated.

@param migrate - the command that brings it up to date.
*/
export const earlierDatabase = (database: string, version: number, known: number, migrate: string): SwitchboardError => new SwitchboardError(
	'unexpected',
	`The database ${database} was written by an earlier Switchboard: it has version ${version}, and a copy is made of version ${known}.`,
	{nextStep: `Make a backup of it, then bring it up to date: ${migrate}`},
);
