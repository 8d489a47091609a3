import {type BackupOptions, backUpDatabase} from './sqlite/back-up.ts';

/* What an operator does with a database beside the service. Like `open-store.ts`, this file chooses the database. */

/**
Copies the database of a data folder to an empty file, as it is at one moment, whoever writes to it meanwhile. The copy is checked,
and works as the database of a data folder.

@throws SwitchboardError `not-found` if the folder has no database, `no-room` if the disk is full; otherwise if the database
cannot be read. Then the copy is of no use.
*/
export const backUp = async (dataFolder: string, copy: string, options: BackupOptions): Promise<void> => backUpDatabase(dataFolder, copy, options);
