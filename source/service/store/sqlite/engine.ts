import {setImmediate} from 'node:timers/promises';
import {CompiledQuery, sql} from 'kysely';
import {isOfAll} from '../store-errors.ts';
import {type Engine} from '../sql/engine.ts';
import {type Database} from '../sql/tables.ts';
import {createWriteBatches} from '../sql/write-batches.ts';

type EngineParts = {
	readonly database: Database;
	/** The same database by a connection of its own, which only reads. */
	readonly reading: Database;
	/** Called when nothing is being read, and no transaction is open. */
	readonly betweenReads: () => void;
	readonly announce: Engine['announce'];
};

type Outcome<Result> = {readonly result: Result} | {readonly error: unknown};

/** Work of which nothing is left in its transaction if it throws. */
const inSavepoint = async <Result>(transaction: Database, work: (database: Database) => Promise<Result>): Promise<Outcome<Result>> => {
	await transaction.executeQuery(CompiledQuery.raw('savepoint work'));
	try {
		const result = await work(transaction);
		await transaction.executeQuery(CompiledQuery.raw('release work'));
		return {result};
	} catch (error) {
		if (isOfAll(error)) {
			throw error;
		}

		try {
			await transaction.executeQuery(CompiledQuery.raw('rollback to work'));
			await transaction.executeQuery(CompiledQuery.raw('release work'));
		} catch {
			// SQLite has rolled back all of it by itself; an error about a missing savepoint would hide the reason.
			throw error;
		}

		return {error};
	}
};

/** Writes that wait at the same time, of whichever account, are committed together: the disk is what takes the time. */
const oneQueue = 0;

/** Two connections: lists are read on one while the other does the rest. A transaction that writes holds up all others. */
export const createSqliteEngine = ({database, reading, betweenReads, announce}: EngineParts): Engine => {
	const write: Engine['write'] = async work => database.transaction().execute(work);
	const writeTogether = createWriteBatches(write);
	return {
		isSingleWriter: true,
		announce,
		query: async work => work(database),
		read: async work => database.transaction().setAccessMode('read only').execute(work),
		readMuch: async work => reading.connection().execute(async connection => {
			// No transaction outlasts a turn of the event loop, but for those that read.
			await setImmediate();
			betweenReads();
			return connection.transaction().setAccessMode('read only').execute(work);
		}),
		write,
		async writeInTurn(_accountId, work) {
			const outcome = await writeTogether(oneQueue, async transaction => inSavepoint(transaction, work));
			if ('error' in outcome) {
				throw outcome.error;
			}

			return outcome.result;
		},
		// Nothing else may use the connection meanwhile: SQLite ignores the setting within a transaction.
		writeAhead: async work => database.connection().execute(async connection => {
			await sql`pragma foreign_keys = off`.execute(connection);
			try {
				return await connection.transaction().execute(work);
			} finally {
				await sql`pragma foreign_keys = on`.execute(connection);
			}
		}),
	};
};
