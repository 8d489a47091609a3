import {type DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {reasonOf, SwitchboardError} from '../../../interface/errors.ts';
import {type Database} from '../sql/tables.ts';
import {busyTimeoutMilliseconds} from './open-database.ts';
import {toStoreError} from './store-failures.ts';

const notErased = (file: string, cause: unknown): SwitchboardError => {
	const known = toStoreError(cause, file);
	return new SwitchboardError(known instanceof SwitchboardError ? known.kind : 'unexpected', `What was deleted may still be found in ${file} or its log, which cannot be written anew: ${reasonOf(cause)}.`, {
		nextStep: `Later, run: sqlite3 ${file} "vacuum; pragma wal_checkpoint(truncate)"`,
		cause,
	});
};

/**
Writes the file anew, and empties its log, without what was deleted. Overwriting what is deleted (`secure_delete`) is not enough: when
SQLite moves records between pages, copies of them stay in the gaps of pages that other records use.

@throws SwitchboardError if another program holds the file for too long, or there is no room to write it again.
*/
export const erase = async (database: Database, connection: DatabaseSync, file: string): Promise<void> =>
	// Kysely lends the connection when no transaction is open.
	database.connection().execute(async () => {
		try {
			connection.exec('pragma auto_vacuum = incremental; vacuum');
			// SQLite waits for readers by itself, but not for a service that is moving the log into the file.
			const deadline = performance.now() + busyTimeoutMilliseconds;
			while (connection.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] !== 0) {
				if (performance.now() > deadline) {
					throw new Error('another program has been reading it all the time');
				}

				await delay(20);
			}
		} catch (error) {
			throw notErased(file, error);
		}
	});
