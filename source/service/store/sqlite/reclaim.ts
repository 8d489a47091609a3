import {type DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Database} from '../sql/tables.ts';
import {checkpoint} from './checkpoint.ts';

/** About a megabyte: a request in between waits for a few milliseconds. */
const pagesAtOnce = 256;

/**
Gives the room of what was deleted back to the disk, a little at a time, so that the file no longer holds it either.

@returns a function that starts this unless it is under way, and resolves when it is done or cannot go on, as on a full disk.
*/
export const createReclaim = (database: Database, connection: DatabaseSync): () => Promise<void> => {
	const freePages = (): number => Number(connection.prepare('pragma freelist_count').get()?.['freelist_count']);

	/** True if there may be more to do. Kysely lends the connection when no transaction is open. */
	const reclaimSome = async (): Promise<boolean> => database.connection().execute(async () => {
		if (freePages() === 0) {
			return false;
		}

		connection.exec(`pragma incremental_vacuum(${pagesAtOnce})`);
		if (freePages() === 0) {
			checkpoint(connection);
		}

		return true;
	});

	const reclaim = async (): Promise<void> => {
		try {
			while (await reclaimSome()) {
				await nextTurn();
			}
		} catch {
			// Another process is writing, or the disk is full: what is free is used again, and the next deletion tries again.
		}
	};

	let underWay: Promise<void> | undefined;
	return async () => {
		underWay ??= reclaim().finally(() => {
			underWay = undefined;
		});
		return underWay;
	};
};
