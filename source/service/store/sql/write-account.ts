import {quotaExceeded} from '../store-errors.ts';
import {listNames, type ListVersions, type Written} from '../store.ts';
import {type Engine} from './engine.ts';
import {type Database} from './tables.ts';

/** The columns of an account that hold the versions of its lists. */
export const versionColumns = ['agents_version', 'abilities_version', 'installed_version'] as const;

type VersionRow = Readonly<Record<typeof versionColumns[number], string>>;

export const toVersions = (row: VersionRow): ListVersions => ({
	agents: row.agents_version,
	abilities: row.abilities_version,
	installed: row.installed_version,
});

/** Reads what an account holds; where several can write at once, it waits for the others, and they for this. */
const readAccount = async (engine: Engine, database: Database, accountId: number) => {
	const query = database.selectFrom('accounts').select(['bytes', ...versionColumns]).where('id', '=', accountId);
	const row = await (engine.isSingleWriter ? query : query.forUpdate()).executeTakeFirstOrThrow();
	return {bytes: row.bytes, versions: toVersions(row)};
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

@throws SwitchboardError `quota` if the account would hold more than its quota; then all of it is undone.
*/
export const withinAccount = async <Result>(
	engine: Engine,
	transaction: Database,
	{accountId, quotaBytes}: AccountToWrite,
	work: (database: Database) => Promise<Result>,
): Promise<Written<Result>> => {
	const before = await readAccount(engine, transaction, accountId);
	const result = await work(transaction);
	const after = await readAccount(engine, transaction, accountId);
	if (quotaBytes !== undefined && after.bytes > quotaBytes && after.bytes > before.bytes) {
		throw quotaExceeded(quotaBytes);
	}

	return {result, versions: changedVersions(before.versions, after.versions)};
};

/** The same as one atomic unit, of which those who watch are told. */
export const writeAccount = async <Result>(engine: Engine, account: AccountToWrite, work: (database: Database) => Promise<Result>): Promise<Written<Result>> => {
	const written = await engine.writeInTurn(account.accountId, async transaction => withinAccount(engine, transaction, account, work));
	engine.announce(account.accountId, written.versions);
	return written;
};
