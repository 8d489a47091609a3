import {setImmediate} from 'node:timers/promises';
import {constants, deflateSync, inflateSync} from 'node:zlib';
import {sql} from 'kysely';
import {
	describeWithStart,
	type HistoryEntry,
	type HistoryKind,
	type HistoryPage,
	type HistoryQuery,
	type LongText,
	longTextCharacters,
} from '../../../interface/history.ts';
import type {JsonValue} from '../../../interface/json.ts';
import {foldName} from '../../../interface/name-index.ts';
import {decodeId} from '../../../interface/records.ts';
import {hunksOf, hunkTitle} from '../../../interface/unified-diff.ts';
import type {Author} from '../changes.ts';
import {accountColumns, type AccountRow, type Database, type Engine, type HistoryRules, sizeOf} from './database.ts';
import {makeRoomForEntries, pruneHistories} from './prune-history.ts';

/*
The history of an account: each change of a field of a record, and its author. Entries are written in the transaction of the change. Their
numbers count the entries of the account, whatever the clock says, and are without a gap: only the oldest are ever removed.
*/

/** One field of one record that a change has changed. */
export type FieldChange = {
	readonly kind: HistoryKind;
	/** The id of the record. */
	readonly record: number;
	/** Its name as it was before. */
	readonly name: string;
	/** In the words of `plan` and `watch` (`docs/compatibility.md`, JSON). */
	readonly field: string;
	readonly from: JsonValue;
	readonly to: JsonValue;
};

/** The author of an entry, with the id of their key. */
export type Signature = Author & {readonly keyId: number | undefined};

export type SignedChange = FieldChange & {readonly by: Signature};

type Named = {readonly id: number; readonly name: string};

/** Returns an entry for a record that was made or removed. */
export function existing(kind: HistoryKind, {id, name}: Named, exists: boolean, field = 'exists'): FieldChange {
	return {kind, record: id, name, field, from: !exists, to: exists};
}

/**
Returns an entry for each field of a record that differs.

@param fields - the names of the fields in the history.
*/
export function compareFields<Record_ extends Named>(
	kind: HistoryKind,
	before: Record_,
	after: Record_,
	fields: {readonly [Key in keyof Record_]?: string},
): readonly FieldChange[] {
	return (Object.entries(fields) as ReadonlyArray<[keyof Record_, string]>)
		.filter(([key]) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
		.map(([key, field]) => ({...existing(kind, before, true, field), from: before[key] as JsonValue, to: after[key] as JsonValue}));
}

function toNewEntry({by, kind, record, name, field, ...values}: SignedChange) {
	const {from, to, longTexts} = storeValues(values.from, values.to);
	return {
		longTexts,
		bytes: sizeOf(name, from, to, longTexts ?? undefined),
		texts: [by.name, foldName(by.name), by.person, foldName(by.person), by.via, kind, name, foldName(name), field, from, to],
		keyId: by.keyId ?? null,
		record,
	};
}

/**
Writes entries within a transaction that has locked the account, and the state of the history into its row.

@param before - the row of the account before the changes.
@returns the row of the account after them.
*/
export async function insertEntries(
	engine: Engine,
	database: Database,
	before: AccountRow,
	changes: readonly SignedChange[],
): Promise<AccountRow> {
	const {id: accountId, history_number: number, history_bytes: bytes} = before;
	const entries = changes.map(change => toNewEntry(change));
	const values = JSON.stringify(
		entries.map(({keyId, record, bytes: size, texts}, index) => [number + 1 + index, keyId, record, size, ...texts]),
	);
	// One text of the statement for any number of entries. SQLite would write the JSON of an entry anew for each column that is read from it.
	const insert = sql<object>`
		insert into history (
			account_id, at, number, key_id, record_id, bytes,
			key_name, folded_key_name, person, folded_person, via, kind, record_name, folded_record_name, field, from_value, to_value
		)
		with entries as materialized (select value as entry from ${engine.elementsOf(values)})
		select
			cast(${accountId} as bigint), cast(${new Date().toISOString()} as text),
			cast(entry ->> 0 as bigint), cast(entry ->> 1 as bigint), cast(entry ->> 2 as bigint), cast(entry ->> 3 as bigint),
			entry ->> 4, entry ->> 5, entry ->> 6, entry ->> 7, entry ->> 8, entry ->> 9, entry ->> 10, entry ->> 11, entry ->> 12, entry ->> 13, entry ->> 14
		from entries
	`;
	if (!engine.canWriteInWith) {
		await insert.execute(database);
	}

	const after = await (engine.canWriteInWith ? database.with('added', () => sql<object>`(${insert})`) : database)
		.updateTable('accounts')
		.set({history_number: number + entries.length, history_bytes: bytes + entries.reduce((total, entry) => total + entry.bytes, 0)})
		.where('id', '=', accountId)
		.returning(accountColumns)
		.executeTakeFirstOrThrow();
	for (const [index, {longTexts}] of entries.entries()) {
		if (longTexts !== null) {
			await database
				.updateTable('history')
				.set({long_texts: longTexts})
				.where('account_id', '=', accountId)
				.where('number', '=', number + 1 + index)
				.execute();
		}
	}

	// More than were added, so that entries never become too many.
	await makeRoomForEntries(database, engine, before, after, 2 * changes.length + 128);
	return after;
}

/** How many entries one query looks at: a few milliseconds' work, if few of them meet the conditions. */
const numbersAtOnce = 5000;

type Range = {readonly after: number; readonly before: number; readonly limit: number};

/** Returns the entries between two numbers that meet the conditions, the newest first. */
function selectEntries(
	database: Database,
	accountId: number,
	{since, until, records = [], kind, by, entry, after, before, limit}: HistoryQuery & Range,
) {
	const ids = records.map(record => decodeId(record)).filter(id => id !== undefined);
	const names = records.map(record => foldName(String(record)));
	return database
		.selectFrom('history')
		.select(['number', 'at', 'key_id', 'key_name', 'person', 'via', 'kind', 'record_id', 'record_name', 'field', 'from_value', 'to_value'])
		.$if(entry !== undefined, query => query.select('long_texts').where('number', '=', entry!))
		.$if(since !== undefined, query => query.where('at', '>=', since!))
		.$if(until !== undefined, query => query.where('at', '<', until!))
		.$if(kind !== undefined, query => query.where('kind', '=', kind!))
		.$if(by !== undefined, query =>
			query.where(eb => eb(sql.val(foldName(by!)), 'in', [eb.ref('folded_person'), eb.ref('folded_key_name')])),
		)
		.$if(records.length > 0, query =>
			query.where(({eb, or}) => or([eb('folded_record_name', 'in', names), ...(ids.length === 0 ? [] : [eb('record_id', 'in', ids)])])),
		)
		.where('account_id', '=', accountId)
		.where('number', '>', after)
		.where('number', '<', before)
		.orderBy('number', 'desc')
		.limit(limit);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number] & {readonly long_texts?: Uint8Array | null};

const toEntry = (row: Row): HistoryEntry => ({
	id: row.number,
	at: row.at,
	by: row.person === '' ? row.key_name : row.person,
	key: row.key_id === null ? null : row.key_name,
	via: row.via,
	kind: row.kind,
	name: row.record_name,
	record: row.record_id,
	field: row.field,
	...readValues({from: row.from_value, to: row.to_value, longTexts: row.long_texts ?? null}),
});

export function historyVerbs(engine: Engine, rules: HistoryRules) {
	return {
		/** The entries of an account that meet all conditions, the newest first. An entry that is asked for by its number has whole texts. */
		async read(accountId: number, query: HistoryQuery & {readonly limit: number}): Promise<HistoryPage> {
			const {limit, entry} = query;
			// SQLite would look at every entry for the least and the greatest number at once.
			const {first, firstAt, last} = (await engine.query(async database =>
				database
					.selectFrom('accounts')
					.select(builder => [
						'history_number as last',
						builder
							.selectFrom('history')
							.select(({fn}) => fn.min('number').as('first'))
							.whereRef('account_id', '=', 'accounts.id')
							.as('first'),
						builder.selectFrom('history').select('at').whereRef('account_id', '=', 'accounts.id').orderBy('number').limit(1).as('firstAt'),
					])
					.where('id', '=', accountId)
					.executeTakeFirst(),
			)) ?? {first: null, firstAt: null, last: 0};
			const lowest = Math.max(query.after ?? 0, (first ?? last + 1) - 1, (entry ?? 1) - 1);
			let end = Math.min(query.before ?? Infinity, last + 1, (entry ?? Infinity) + 1);
			const rows: Row[] = [];
			while (rows.length <= limit && end > lowest + 1) {
				const range = {after: Math.max(lowest, end - numbersAtOnce - 1), before: end, limit: limit + 1 - rows.length};
				rows.push(...(await engine.query(async database => selectEntries(database, accountId, {...query, ...range}).execute())));
				end = range.after + 1;
				await setImmediate();
			}

			return {
				entries: rows.slice(0, limit).map(row => toEntry(row)),
				next: rows.length > limit ? rows[limit - 1]!.number : undefined,
				reachesBackTo: firstAt ?? undefined,
			};
		},
		/** Removes entries beyond the limits (`pruneHistories`). */
		prune: async (signal: AbortSignal, onWait: (text: string) => void = () => undefined): Promise<void> =>
			pruneHistories(engine, rules, signal, onWait),
	};
}

/*
The values of an entry of the history. Each is stored twice if it is long: described, as a page has it, and as a whole, compressed. A long
text that replaces another value is stored as the difference.
*/

/** A text with many more changed lines is shown in both versions: looking for what they share would hold up every other request. */
const maximumEdits = 500;

/** The whole values of an entry that is read alone, in place of the descriptions. */
type LongValues = {readonly from?: JsonValue; readonly to?: JsonValue; readonly difference?: string};

type StoredValues = {
	/** JSON. */
	readonly from: string;
	/** JSON. */
	readonly to: string;
	/** Compressed; null if neither is long. */
	readonly longTexts: Uint8Array | null;
};

/** The text of a value: that of a list is its JSON. */
const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const differenceOf = (from: JsonValue, to: string): string =>
	hunksOf(typeof from === 'string' ? from : '', to, maximumEdits)
		.flatMap(hunk => [hunkTitle(hunk), ...hunk.lines])
		.join('\n');

function storeValues(from: JsonValue, to: JsonValue): StoredValues {
	const [fromText, toText] = [textOf(from), textOf(to)];
	const isFromLong = fromText.length > longTextCharacters;
	const isToLong = toText.length > longTextCharacters;
	const long: LongValues = {
		...(isFromLong && {from}),
		...(isToLong && (typeof to === 'string' ? {difference: differenceOf(from, to)} : {to})),
	};
	return {
		from: JSON.stringify(isFromLong ? describeWithStart(fromText) : from),
		to: JSON.stringify(isToLong ? describeWithStart(toText) : to),
		longTexts: isFromLong || isToLong ? deflateSync(JSON.stringify(long), {level: constants.Z_BEST_SPEED}) : null,
	};
}

/** Returns the values of an entry: with its long texts the whole ones, or a difference. */
function readValues({from, to, longTexts}: StoredValues): {readonly from: JsonValue; readonly to: JsonValue} {
	const values = {from: JSON.parse(from) as JsonValue, to: JSON.parse(to) as JsonValue};
	if (longTexts === null) {
		return values;
	}

	const {difference, ...whole} = JSON.parse(inflateSync(longTexts).toString()) as LongValues;
	if (difference === undefined) {
		return {...values, ...whole};
	}

	const {characters, sha256} = values.to as LongText;
	return {...values, ...whole, to: {characters, sha256, difference}};
}
