import {quotaExceeded} from '../store-errors.ts';
import {type Database} from './tables.ts';
import {inTransaction} from './transactions.ts';

const bytesOf = async (database: Database, accountId: number): Promise<number> => {
	const row = await database.selectFrom('accounts').select('bytes').where('id', '=', accountId).executeTakeFirst();
	return row?.bytes ?? 0;
};

type Quota = {
	readonly accountId: number;
	/** `undefined` for no limit. */
	readonly quotaBytes: number | undefined;
};

/**
Work that may make an account larger, as one atomic unit. What makes it no larger is always possible.

@throws SwitchboardError `quota` if the account would hold more than its quota; then all of it is undone.
*/
export const withinQuota = async <Result>(database: Database, {accountId, quotaBytes}: Quota, work: (database: Database) => Promise<Result>): Promise<Result> =>
	inTransaction(database, async transaction => {
		const before = await bytesOf(transaction, accountId);
		const result = await work(transaction);
		const after = await bytesOf(transaction, accountId);
		if (quotaBytes !== undefined && after > quotaBytes && after > before) {
			throw quotaExceeded(quotaBytes);
		}

		return result;
	});
