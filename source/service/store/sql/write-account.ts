import {accountGone, keyRefused, quotaExceeded} from '../store-errors.ts';
import {
	listNames,
	type ListVersions,
	type Writer,
	type Written,
} from '../store.ts';
import {type Engine} from './engine.ts';
import {padded} from './padded.ts';
import {type Database} from './tables.ts';
import {toVersions, versionColumns} from './versions.ts';

type AccountState = {readonly bytes: number; readonly versions: ListVersions};

const selectAccount = (database: Database, accountId: number) =>
	database.selectFrom('accounts').select(['bytes', ...versionColumns]).where('accounts.id', '=', accountId);

const toState = (row: Parameters<typeof toVersions>[0] & {readonly bytes: number}): AccountState => ({bytes: row.bytes, versions: toVersions(row)});

const readAccount = async (query: ReturnType<typeof selectAccount>): Promise<AccountState> => {
	const row = await query.executeTakeFirst();
	if (row === undefined) {
		throw accountGone();
	}

	return toState(row);
};

/** An account in a transaction, and the keys that write to it. */
type Locked = {readonly state: AccountState; readonly keyIds: ReadonlySet<number>};

/**
Where several can write at once, it waits for the others, and they for this. One query reads the keys too, as it is done for each
change. PostgreSQL leaves out a key that was revoked while the query waited; afterwards none can be until the transaction ends.

@throws SwitchboardError `key-refused` if one of the keys was revoked.
*/
const lock = async ({isSingleWriter}: Engine, database: Database, accountId: number, keyIds: ReadonlySet<number>): Promise<Locked> => {
	const account = selectAccount(database, accountId);
	if (keyIds.size === 0) {
		return {state: await readAccount(isSingleWriter ? account : account.forUpdate()), keyIds};
	}

	const withKeys = account
		.innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
		.where('api_keys.id', 'in', padded([...keyIds]));
	const rows = await (isSingleWriter ? withKeys : withKeys.forUpdate('accounts').forKeyShare('api_keys')).execute();
	const [row] = rows;
	if (row === undefined || rows.length < keyIds.size) {
		throw keyRefused();
	}

	return {state: toState(row), keyIds};
};

/** The accounts of each transaction, as the last work in it has left them: several that wait for each other share one. */
const lockedByTransaction = new WeakMap<Database, Map<number, Locked>>();

const lockedIn = (transaction: Database): Map<number, Locked> => {
	const accounts = lockedByTransaction.get(transaction) ?? new Map<number, Locked>();
	lockedByTransaction.set(transaction, accounts);
	return accounts;
};

const changedVersions = (before: ListVersions, after: ListVersions): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => after[name] !== before[name]).map(name => [name, after[name]]));

export type AccountToWrite = {
	readonly accountId: number;
	/** Of the keys that write. More may be added until the work begins. */
	readonly keyIds: ReadonlySet<number>;
	/** `undefined` for no limit. */
	readonly quotaBytes?: number | undefined;
};

const noKeys: ReadonlySet<number> = new Set();

/** The account that somebody writes to, with their key. */
export const accountOf = (writer: Writer, quotaBytes?: number): AccountToWrite => {
	const {accountId, keyId} = typeof writer === 'number' ? {accountId: writer, keyId: undefined} : writer;
	return {accountId, keyIds: keyId === undefined ? noKeys : new Set([keyId]), quotaBytes};
};

/**
Work on an account within a transaction that writes. What makes the account no larger is always possible.

@throws SwitchboardError `key-refused` if a key that writes was revoked or the account was removed, `quota` if the account would hold more
than its quota; then all of it is undone.
*/
export const withinAccount = async <Result>(
	engine: Engine,
	transaction: Database,
	{accountId, keyIds, quotaBytes}: AccountToWrite,
	work: (database: Database) => Promise<Result>,
): Promise<Written<Result>> => {
	const lockedAccounts = lockedIn(transaction);
	let locked = lockedAccounts.get(accountId);
	while (locked === undefined || !keyIds.isSubsetOf(locked.keyIds)) {
		locked = await lock(engine, transaction, accountId, keyIds.union(locked?.keyIds ?? noKeys));
	}

	const before = locked.state;
	const result = await work(transaction);
	const after = await readAccount(selectAccount(transaction, accountId));
	if (quotaBytes !== undefined && after.bytes > quotaBytes && after.bytes > before.bytes) {
		throw quotaExceeded(quotaBytes);
	}

	lockedAccounts.set(accountId, {...locked, state: after});
	return {result, versions: changedVersions(before.versions, after.versions), former: before.versions};
};

/** The same as one atomic unit. Whoever watches is told of the new versions. */
export const writeAccount = async <Result>(
	engine: Engine,
	account: AccountToWrite,
	work: (database: Database, accountId: number) => Promise<Result>,
): Promise<Written<Result>> => {
	const {accountId} = account;
	const written = await engine.writeInTurn(accountId, async transaction => withinAccount(engine, transaction, account, async () => work(transaction, accountId)));
	engine.announce(accountId, written.versions);
	return written;
};
