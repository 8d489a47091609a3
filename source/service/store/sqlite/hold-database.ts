import {DatabaseSync} from 'node:sqlite';
import {databaseFilesIn} from '../../data-folder.ts';

/**
Opens the database in this thread, too, only to have it open: when a thread ends, for whichever reason, Node.js closes its connections, and
the last one to close writes the log into the file and deletes the log by its name, although both may be of others by then
(`refuseToClose`). A connection that only reads can do neither, and `process.exit` closes none of this thread.
*/
export function holdDatabase(dataFolder: string): DatabaseSync | undefined {
	try {
		const database = new DatabaseSync(databaseFilesIn(dataFolder)[0]!, {readOnly: true});
		database.exec('select count(*) from sqlite_schema');
		return database;
	} catch {
		// The service says why.
		return undefined;
	}
}
