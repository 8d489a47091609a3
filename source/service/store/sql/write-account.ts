import {randomUUID} from 'node:crypto';
import {accountGone, isTrouble, keyRefused, quotaExceeded} from '../../store-errors.ts';
import {type Listed, listNames, type ListName, type ListVersions, thisMachine, type Writer, type Written} from '../changes.ts';
import {accountColumns, type AccountRow, type Database, type Engine, isKeyValid, padded, toVersions} from './database.ts';
import {type FieldChange, insertEntries, type Signature, type SignedChange} from './history.ts';

/** Returns a list of an account and its version, as they are at one moment. */
export async function readList<Item>(
	engine: Engine,
	accountId: number,
	list: ListName,
	readAll: (database: Database, accountId: number) => Promise<readonly Item[]>,
): Promise<Listed<Item>> {
	return engine.readMuch(async transaction => {
		const account = await readAccount(selectAccount(transaction, accountId));
		return {version: toVersions(account)[list], records: await readAll(transaction, accountId)};
	});
}

async function readAccount(query: ReturnType<typeof selectAccount>): Promise<AccountRow> {
	return query.executeTakeFirstOrThrow(() => accountGone());
}

const selectAccount = (database: Database, accountId: number) =>
	database.selectFrom('accounts').select(accountColumns).where('accounts.id', '=', accountId);

type AccountToWrite = {
	readonly accountId: number;
	/** The keys that write. */
	readonly keyIds: ReadonlySet<number>;
	/** `undefined` for no limit. */
	readonly quotaBytes?: number | undefined;
	/** The author of the changes that come without one. */
	readonly author: Signature;
};

/** The author of the changes of the operator, who works on the database itself. */
const operator: Signature = {keyId: undefined, name: 'operator', person: '', via: thisMachine};

/** Returns the account that a writer changes, with their key. */
export function accountOf(writer: Writer, quotaBytes?: number): AccountToWrite {
	const {accountId, keyId, author} = typeof writer === 'number' ? {accountId: writer, keyId: undefined, author: operator} : writer;
	return {accountId, keyIds: new Set(keyId === undefined ? [] : [keyId]), quotaBytes, author: {...author, keyId}};
}

/** Notes what was changed, for the history. */
export type Note = (changes: readonly FieldChange[], author?: Signature) => void;

type Work<Result> = (database: Database, accountId: number, note: Note) => Promise<Result>;

type AccountWritten<Result> = Written<Result> & {readonly historyNumber: number};

/**
Does work on an account within a transaction that writes. A change that makes the account no larger is always possible.

@throws SwitchboardError `key-refused` if a key that writes was revoked or has ended or the account was removed, `quota` if the account
would hold more than its quota; the transaction must then be rolled back.
*/
export async function withinAccount<Result>(
	engine: Engine,
	transaction: Database,
	{accountId, keyIds, quotaBytes, author}: AccountToWrite,
	work: Work<Result>,
): Promise<AccountWritten<Result>> {
	const before = await lock(transaction, accountId, keyIds);
	const noted: SignedChange[] = [];
	const result = await work(transaction, accountId, (changes, by = author) => {
		noted.push(...changes.map(change => ({...change, by})));
	});
	const after =
		engine.history === undefined || noted.length === 0
			? await readAccount(selectAccount(transaction, accountId))
			: await insertEntries(engine, transaction, before, noted);
	if (quotaBytes !== undefined && after.bytes > quotaBytes && after.bytes > before.bytes) {
		throw quotaExceeded(quotaBytes);
	}

	const former = toVersions(before);
	return {result, versions: changedVersions(former, toVersions(after)), former, historyNumber: after.history_number};
}

/**
Where several can write at once, the account's row is locked. One query reads the keys too, as each change needs it. PostgreSQL leaves
out a key that was revoked while the query waited; afterwards none can be until the transaction ends.

@throws SwitchboardError `key-refused` if one of the keys was revoked, or has ended.
*/
async function lock(database: Database, accountId: number, keyIds: ReadonlySet<number>): Promise<AccountRow> {
	const account = selectAccount(database, accountId);
	if (keyIds.size === 0) {
		return readAccount(account.forUpdate());
	}

	const rows = await account
		.innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
		.where('api_keys.id', 'in', padded([...keyIds]))
		.where(isKeyValid())
		.forUpdate('accounts')
		.forKeyShare('api_keys')
		.execute();
	const [row] = rows;
	if (row === undefined || rows.length < keyIds.size) {
		throw keyRefused();
	}

	return row;
}

const changedVersions = (before: ListVersions, after: ListVersions): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => after[name] !== before[name]).map(name => [name, after[name]]));

/** Does work on an account as one atomic unit. Watchers receive the new versions. */
export async function writeAccount<Result>(engine: Engine, writer: Writer, work: Work<Result>): Promise<Written<Result>> {
	const account = accountOf(writer, engine.quotaBytes);
	const {accountId} = account;
	return announced(
		engine,
		accountId,
		engine.writeAccount(accountId, async transaction => withinAccount(engine, transaction, account, work)),
	);
}

/** Announces what was written, once it is stored. */
export async function announced<Result>(
	engine: Engine,
	accountId: number,
	writing: Promise<AccountWritten<Result>>,
): Promise<Written<Result>> {
	const {historyNumber, ...written} = await writing;
	engine.announce(accountId, written.versions, historyNumber);
	return written;
}

/** The outcome of one of several writes: without changes everything is as it was. */
export type Outcome<Result> = {readonly result: Result; readonly changes: readonly FieldChange[]} | {readonly error: unknown};

type Asked<Input, Result> = PromiseWithResolvers<Written<Result>> & Pick<AccountToWrite, 'keyIds' | 'author'> & {readonly input: Input};

/**
Commits the writes of one kind that wait for the same account in one transaction: on the disk they cost as much as one. They are retried
one by one if together they would be refused.

@param writeAll - makes several, each as if those before it were done. It may be called again.
*/
export function createGatheredWrites<Input, Result>(
	engine: Engine,
	writeAll: (database: Database, accountId: number, inputs: readonly Input[]) => Promise<ReadonlyArray<Outcome<Result>>>,
) {
	/** The writes of the next transaction of each account. */
	const waiting = new Map<number, Array<Asked<Input, Result>>>();

	const commit = async (accountId: number, asked: ReadonlyArray<Asked<Input, Result>>): Promise<void> => {
		/** From then on, others join the next transaction. */
		const close = (): void => {
			if (waiting.get(accountId) === asked) {
				waiting.delete(accountId);
			}
		};

		try {
			const writing = engine.writeAccount(accountId, async transaction => {
				close();
				const keyIds = new Set(asked.flatMap(each => [...each.keyIds]));
				const account: AccountToWrite = {accountId, keyIds, quotaBytes: engine.quotaBytes, author: asked[0]!.author};
				const inputs = asked.map(({input}) => input);
				return withinAccount(engine, transaction, account, async (_, id, note) => {
					const outcomes = await writeAll(transaction, id, inputs);
					for (const [index, outcome] of outcomes.entries()) {
						note('changes' in outcome ? outcome.changes : [], asked[index]!.author);
					}

					return outcomes;
				});
			});
			settle(asked, await announced(engine, accountId, writing));
		} catch (error) {
			// It may have failed before the transaction began.
			close();
			if (asked.length > 1 && !isTrouble(error)) {
				await Promise.all(asked.map(async each => commit(accountId, [each])));
				return;
			}

			for (const {reject} of asked) {
				reject(error);
			}
		}
	};

	return async (writer: Writer, input: Input): Promise<Written<Result>> => {
		const {accountId, keyIds, author} = accountOf(writer);
		const each: Asked<Input, Result> = {...Promise.withResolvers<Written<Result>>(), input, keyIds, author};
		const asked = waiting.get(accountId);
		if (asked !== undefined && asked.length < 128) {
			asked.push(each);
		} else {
			waiting.set(accountId, [each]);
			void commit(accountId, waiting.get(accountId)!);
		}

		return each.promise;
	};
}

/**
Gives each of the changes that one transaction stored its own version, the last one the version that is stored. So the author of
some of them can tell that there were others.
*/
function settle<Result>(
	asked: ReadonlyArray<Asked<unknown, Result>>,
	{result: outcomes, versions: last, former}: Written<ReadonlyArray<Outcome<Result>>>,
): void {
	const lastChange = outcomes.findLastIndex(outcome => 'changes' in outcome && outcome.changes.length > 0);
	let before = former;
	for (const [index, {resolve, reject}] of asked.entries()) {
		const outcome = outcomes[index]!;
		if ('error' in outcome) {
			reject(outcome.error);
			continue;
		}

		const {result, changes} = outcome;
		const versions = changes.length > 0 ? (index === lastChange ? last : newVersions(last)) : {};
		resolve({result, versions, former: before});
		before = {...before, ...versions};
	}
}

const newVersions = (versions: Partial<ListVersions>): Partial<ListVersions> =>
	Object.fromEntries(Object.keys(versions).map(name => [name, randomUUID().replaceAll('-', '')]));
