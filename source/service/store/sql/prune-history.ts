import {sql} from 'kysely';
import type {AccountRow, Database, Engine, HistoryRules} from './database.ts';

/*
Removes the oldest entries of histories. The clock decides which are too old, and a wrong one would remove all of them: where more would go
at once than usual, they stay for a day after that was first seen. The moment is stored, so that a restart does not begin anew. Its table is
made when it is first needed, and not part of the schema: earlier programs neither need nor mind it.
*/

/** The most entries that an account keeps. */
const maximumEntries = 100_000;

const millisecondsPerDay = 86_400_000;

const waitMilliseconds = millisecondsPerDay;

/** Entries that are older than the limit by more were kept by another limit, by another clock, or while nothing ran. */
const usualBacklogMilliseconds = millisecondsPerDay;

/** An account where nothing was changed for so long may only seem so. */
const longSilenceMilliseconds = 30 * millisecondsPerDay;

/** The clock has jumped if a wait was seen so much earlier, or so much later than now. */
const longestUnseenMilliseconds = 7 * millisecondsPerDay;

const clockSkewMilliseconds = 3_600_000;

/** The row of an account, whose entries are removed within a transaction that has locked it. */
type HistoryAccount = Pick<AccountRow, 'id' | 'bytes' | 'history_number' | 'history_bytes'>;

/** Makes room with a change: removes entries that are too many, or beyond the quota unless that waits. */
export async function makeRoomForEntries(
	database: Database,
	{history, quotaBytes}: Engine,
	before: HistoryAccount,
	after: HistoryAccount,
	count: number,
): Promise<void> {
	const isFull = quotaBytes !== undefined && after.bytes + after.history_bytes > quotaBytes;
	const [roundBefore, roundAfter] = [before, after].map(account => Math.floor(account.history_number / entriesBetweenPrunings));
	if (isFull || roundBefore !== roundAfter) {
		await removeEntries(database, after, {days: undefined, quotaBytes: history?.waiting.has(after.id) ? undefined : quotaBytes}, count);
	}
}

/** Entries that are too many are removed at every so many, as looking for them costs as much as writing one. */
const entriesBetweenPrunings = 64;

/** @param days - `undefined` to remove none for their age. */
type Limits = Pick<Engine, 'quotaBytes'> & {readonly days: number | undefined};

/**
Removes the oldest entries: those that are too old, too many, or beyond the quota. A few at a time, so that no change takes long.

@param count - the most that are removed.
@returns true if some were removed.
*/
async function removeEntries(database: Database, account: HistoryAccount, {days, quotaBytes}: Limits, count: number): Promise<boolean> {
	const leastAt = days === undefined ? '' : before(days * millisecondsPerDay);
	const leastNumber = account.history_number - maximumEntries + 1;
	let excess = quotaBytes === undefined ? 0 : account.bytes + account.history_bytes - quotaBytes;
	if (leastNumber <= 1 && excess <= 0 && days === undefined) {
		return false;
	}

	const oldest = await selectEntries(database, account.id).orderBy('number').limit(count).execute();
	let last = 0;
	let removedBytes = 0;
	for (const {number, at, bytes} of oldest) {
		if (number >= leastNumber && at >= leastAt && excess <= 0) {
			break;
		}

		last = number;
		removedBytes += bytes;
		excess -= bytes;
	}

	if (last > 0) {
		await database.deleteFrom('history').where('account_id', '=', account.id).where('number', '<=', last).execute();
		await database
			.updateTable('accounts')
			.set({history_bytes: account.history_bytes - removedBytes})
			.where('id', '=', account.id)
			.execute();
	}

	return last > 0;
}

const selectState = (database: Database, accountId: number) =>
	database.selectFrom('accounts').select(['id', 'name', 'bytes', 'history_number', 'history_bytes']).where('id', '=', accountId);

const selectEntries = (database: Database, accountId: number) =>
	database.selectFrom('history').select(['number', 'at', 'bytes']).where('account_id', '=', accountId);

const before = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

/**
Removes entries that are too old, too many, or beyond the quota, also of accounts where nothing is changed any more. A few at a time,
between which others go on.

@param onWait - called once for each account where more would go than usual, which waits for a day.
*/
export async function pruneHistories(
	engine: Engine,
	rules: HistoryRules,
	signal: AbortSignal,
	onWait: (text: string) => void,
): Promise<void> {
	const accounts = await engine.query(async database =>
		database.selectFrom('accounts').select('id').where('history_number', '>', 0).execute(),
	);
	const waiting = await engine.query(readWaiting);
	const limits = {days: rules.days, quotaBytes: engine.quotaBytes};
	for (const {id} of accounts) {
		const unusual = await engine.query(async database => findUnusual(database, id, limits));
		if (unusual !== undefined) {
			const {since, isNew} = await engine.write(async transaction => noteWait(transaction, id));
			if (isNew) {
				onWait(describeWait(unusual, since));
			}

			if (Date.now() < since + waitMilliseconds) {
				rules.waiting.add(id);
				continue;
			}
		}

		rules.waiting.delete(id);
		let isMore = true;
		while (isMore && !signal.aborted) {
			isMore = await engine.writeAccount(id, async transaction => {
				const account = await selectState(transaction, id).forUpdate().executeTakeFirst();
				return account !== undefined && removeEntries(transaction, account, limits, 500);
			});
		}

		if (!signal.aborted && (unusual !== undefined || waiting.has(id))) {
			await engine.write(async transaction => transaction.deleteFrom('history_waits').where('account_id', '=', id).execute());
		}
	}
}

async function readWaiting(database: Database): Promise<ReadonlySet<number>> {
	const rows = (await isTableThere(database)) ? await database.selectFrom('history_waits').select('account_id').execute() : [];
	return new Set(rows.map(row => row.account_id));
}

async function isTableThere(database: Database): Promise<boolean> {
	const tables = await database.introspection.getTables();
	return tables.some(({name, schema = 'switchboard'}) => name === 'history_waits' && schema === 'switchboard');
}

/** Returns the account where more entries would go at once than usual. */
async function findUnusual(database: Database, accountId: number, {days, quotaBytes}: Limits & Pick<HistoryRules, 'days'>) {
	const account = await selectState(database, accountId).executeTakeFirst();
	const entries = selectEntries(database, accountId);
	const oldest = await entries.orderBy('number').limit(1).executeTakeFirst();
	if (account === undefined || oldest === undefined) {
		return undefined;
	}

	const leastAt = before(days * millisecondsPerDay);
	const excess = quotaBytes === undefined ? 0 : account.bytes + account.history_bytes - quotaBytes;
	if (oldest.at >= leastAt && excess <= 0) {
		return undefined;
	}

	const kept = await entries.where('at', '>=', leastAt).orderBy('number').limit(1).executeTakeFirst();
	const newest = await entries.orderBy('number', 'desc').limit(1).executeTakeFirstOrThrow();
	const count = account.history_number - oldest.number + 1;
	const goingCount = (kept?.number ?? account.history_number + 1) - oldest.number;
	const isUnusual =
		goingCount * 2 > count ||
		excess * 2 > account.history_bytes ||
		oldest.at < before(days * millisecondsPerDay + usualBacklogMilliseconds) ||
		(goingCount > 0 && newest.at < before(longSilenceMilliseconds));
	return isUnusual ? {account: account.name, count, goingCount, leastAt} : undefined;
}

/** Notes that the removal from an account waits, and since when. */
async function noteWait(database: Database, accountId: number): Promise<{readonly since: number; readonly isNew: boolean}> {
	const create = sql`create table if not exists history_waits (account_id bigint primary key, since text not null, seen text not null)`;
	await create.execute(database);
	const noted = await database.selectFrom('history_waits').selectAll().where('account_id', '=', accountId).executeTakeFirst();
	const now = before(0);
	const isNew = noted === undefined || noted.seen < before(longestUnseenMilliseconds) || noted.seen > before(-clockSkewMilliseconds);
	const since = isNew ? now : noted.since;
	const insert = database.insertInto('history_waits').values({account_id: accountId, since, seen: now});
	await insert.onConflict(conflict => conflict.column('account_id').doUpdateSet({since, seen: now})).execute();
	return {since: Date.parse(since), isNew};
}

type Unusual = NonNullable<Awaited<ReturnType<typeof findUnusual>>>;

const describeWait = ({account, count, goingCount, leastAt}: Unusual, since: number): string =>
	`Much of the history of the account “${account}” would be removed at once: ${goingCount === 0 ? 'it is beyond the quota' : `${goingCount} of its ${count} entries, those before ${leastAt}`}. ` +
	`It waits until ${new Date(since + waitMilliseconds).toISOString()}. Check the clock of this machine, --history and --quota until then.`;
