import {type CheckResult} from './check-result.ts';
import {type BackupOptions, backUpDatabase} from './sqlite/back-up.ts';
import {checkDatabase} from './sqlite/check-database.ts';

/* What an operator does with a database beside the service. Like `open-store.ts`, this file chooses the database. */

/**
Copies the database of a data folder to an empty file, as it is at one moment, whoever writes to it meanwhile. The copy is checked,
and works as the database of a data folder.

@throws SwitchboardError `not-found` if the folder has no database, `no-room` if the disk is full; otherwise if the database
cannot be read. Then the copy is of no use.
*/
export const backUp = async (dataFolder: string, copy: string, options: BackupOptions): Promise<void> => backUpDatabase(dataFolder, copy, options);

/**
Checks a database without changing it; a service may be running on it.

@param location - a data folder, or the URL of a PostgreSQL database.
@throws SwitchboardError `not-found` if there is none, or if it cannot be opened at all.
*/
export const checkStore = async (location: string): Promise<CheckResult> => checkDatabase(location);
