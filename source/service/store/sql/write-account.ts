import {accountGone, quotaExceeded} from '../store-errors.ts';
import {listNames, type ListVersions, type Written} from '../store.ts';
import {type Engine} from './engine.ts';
import {type Database} from './tables.ts';
import {toVersions, versionColumns} from './versions.ts';

type AccountState = {readonly bytes: number; readonly versions: ListVersions};

const selectAccount = (database: Database, accountId: number) =>
	database.selectFrom('accounts').select(['bytes', ...versionColumns]).where('id', '=', accountId);

const readAccount = async (query: ReturnType<typeof selectAccount>): Promise<AccountState> => {
	const row = await query.executeTakeFirst();
	if (row === undefined) {
		throw accountGone();
	}

	return {bytes: row.bytes, versions: toVersions(row)};
};

/** Where several can write at once, it waits for the others, and they for this. */
const lockAccount = async ({isSingleWriter}: Engine, database: Database, accountId: number): Promise<AccountState> => {
	const query = selectAccount(database, accountId);
	return readAccount(isSingleWriter ? query : query.forUpdate());
};

/** What accounts hold in a transaction, as the last work in it has left them: several that wait for each other share one. */
const lastStates = new WeakMap<Database, Map<number, AccountState>>();

const statesIn = (transaction: Database): Map<number, AccountState> => {
	const states = lastStates.get(transaction) ?? new Map<number, AccountState>();
	lastStates.set(transaction, states);
	return states;
};

const changedVersions = (before: ListVersions, after: ListVersions): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => after[name] !== before[name]).map(name => [name, after[name]]));

export type AccountToWrite = {
	readonly accountId: number;
	/** `undefined` for no limit. */
	readonly quotaBytes?: number | undefined;
};

/**
Work on an account within a transaction that writes. What makes the account no larger is always possible.

@throws SwitchboardError `quota` if the account would hold more than its quota, `key-refused` if it was removed; then all of it is undone.
*/
export const withinAccount = async <Result>(
	engine: Engine,
	transaction: Database,
	{accountId, quotaBytes}: AccountToWrite,
	work: (database: Database) => Promise<Result>,
): Promise<Written<Result>> => {
	const states = statesIn(transaction);
	const before = states.get(accountId) ?? await lockAccount(engine, transaction, accountId);
	const result = await work(transaction);
	const after = await readAccount(selectAccount(transaction, accountId));
	if (quotaBytes !== undefined && after.bytes > quotaBytes && after.bytes > before.bytes) {
		throw quotaExceeded(quotaBytes);
	}

	states.set(accountId, after);
	return {result, versions: changedVersions(before.versions, after.versions), former: before.versions};
};

/** The same as one atomic unit. Whoever watches is told of the new versions. */
export const writeAccount = async <Result>(engine: Engine, account: AccountToWrite, work: (database: Database) => Promise<Result>): Promise<Written<Result>> => {
	const written = await engine.writeInTurn(account.accountId, async transaction => withinAccount(engine, transaction, account, work));
	engine.announce(account.accountId, written.versions);
	return written;
};
