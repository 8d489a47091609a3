import {type Engine} from '../sql/engine.ts';
import {type Database} from '../sql/tables.ts';
import {createWriteBatches} from '../sql/write-batches.ts';
import {unknownOutcome} from '../store-errors.ts';
import {isAway, isGivenUp, toStoreError} from './failures.ts';
import {retry} from './retry.ts';

/** A commit that was not answered: nobody knows what became of it, so it is not tried again. */
class LostCommitError extends Error {}

const isPassing = (error: unknown): boolean => isAway(error) || isGivenUp(error);

const commit = async <Result>(database: Database, work: (database: Database) => Promise<Result>): Promise<Result> => {
	let isDone = false;
	try {
		return await database.transaction().execute(async transaction => {
			const result = await work(transaction);
			isDone = true;
			return result;
		});
	} catch (error) {
		throw isDone && isAway(error) ? new LostCommitError('The commit was not answered', {cause: error}) : error;
	}
};

type EngineParts = {
	readonly database: Database;
	/** The database as it may be shown. */
	readonly shown: string;
	readonly announce: Engine['announce'];
};

/** Several connections, and several processes: rows that are written are locked. Work is tried again as a whole where the database was away. */
export const createPostgresEngine = ({database, shown, announce}: EngineParts): Engine & {readonly close: () => Promise<void>} => {
	const underWay = new Set<Promise<unknown>>();

	const tryUntilDone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		try {
			return await retry(work, isPassing);
		} catch (error) {
			throw error instanceof LostCommitError ? unknownOutcome(shown, error.cause) : toStoreError(error, shown);
		}
	};

	const follow = async <Result>(result: Promise<Result>): Promise<Result> => {
		underWay.add(result);
		try {
			return await result;
		} finally {
			underWay.delete(result);
		}
	};

	const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => follow(tryUntilDone(work));

	const read: Engine['read'] = async work => attempt(async () => database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work));
	const write: Engine['write'] = async work => attempt(async () => commit(database, work));
	const writeTogether = createWriteBatches(write);
	return {
		isSingleWriter: false,
		announce,
		query: async work => attempt(async () => work(database)),
		read,
		readMuch: read,
		write,
		// What waits for its turn is under way, too.
		writeInTurn: async (accountId, work) => follow(writeTogether(accountId, work)),
		async close() {
			while (underWay.size > 0) {
				await Promise.allSettled(underWay);
			}
		},
	};
};
