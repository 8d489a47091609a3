import {isOfAll, StoreFailure} from '../store-errors.ts';
import {type Database} from './tables.ts';

type Work = (database: Database) => Promise<unknown>;

/** Resolves when the transaction is committed. */
type Write = <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;

type Waiting = {
	readonly work: Work;
	readonly resolve: (result: unknown) => void;
	readonly reject: (error: unknown) => void;
};

const maximumBatch = 50;

/**
Commits the writes of an account that wait for each other together: on the disk they cost as much as one. If one of them throws,
all are undone and done again one by one.
*/
export const createWriteBatches = (write: Write) => {
	/** What waits for a database that is away has waited as long as what it waits behind. */
	const isOfWaiting = (error: unknown): boolean => error instanceof StoreFailure && error.trouble === 'unreachable';

	/** The writes that wait for the one that is under way. */
	const queues = new Map<number, Waiting[]>();

	const rejectAll = (waiting: readonly Waiting[], error: unknown): void => {
		for (const {reject} of waiting) {
			reject(error);
		}
	};

	/** Does the writes one by one; `queue` waits behind them. */
	const writeAlone = async (batch: readonly Waiting[], queue: Waiting[]): Promise<void> => {
		for (const [index, {work, resolve, reject}] of batch.entries()) {
			try {
				resolve(await write(work));
			} catch (error) {
				reject(error);
				if (isOfWaiting(error)) {
					rejectAll([...batch.slice(index + 1), ...queue.splice(0)], error);
					return;
				}
			}
		}
	};

	const writeTogether = async (batch: readonly Waiting[], queue: Waiting[]): Promise<void> => {
		try {
			const results = await write(async transaction => {
				const done: unknown[] = [];
				for (const {work} of batch) {
					done.push(await work(transaction));
				}

				return done;
			});
			for (const [index, {resolve}] of batch.entries()) {
				resolve(results[index]);
			}
		} catch (error) {
			if (isOfAll(error)) {
				rejectAll(isOfWaiting(error) ? [...batch, ...queue.splice(0)] : batch, error);
				return;
			}

			await writeAlone(batch, queue);
		}
	};

	const workOff = async (accountId: number, queue: Waiting[]): Promise<void> => {
		while (queue.length > 0) {
			const batch = queue.splice(0, maximumBatch);
			await (batch.length === 1 ? writeAlone(batch, queue) : writeTogether(batch, queue));
		}

		queues.delete(accountId);
	};

	return async <Result>(accountId: number, work: (database: Database) => Promise<Result>): Promise<Result> => new Promise<Result>((resolve, reject) => {
		const waiting: Waiting = {work, resolve: resolve as Waiting['resolve'], reject};
		const queue = queues.get(accountId);
		if (queue !== undefined) {
			queue.push(waiting);
			return;
		}

		const started = [waiting];
		queues.set(accountId, started);
		void workOff(accountId, started);
	});
};
