import {Buffer} from 'node:buffer';
import {setImmediate} from 'node:timers/promises';
import {type ColumnType, type Dialect, type Generated, Kysely, type RawBuilder, sql} from 'kysely';
import type {HistoryKind} from '../../../interface/history.ts';
import type {KeyRights} from '../../../interface/key-rights.ts';
import type {OverdueReason} from '../../../interface/timers.ts';
import type {ListName, ListVersions} from '../changes.ts';

/** SQLite has no booleans: 0 or 1. */
type Flag = 0 | 1;

export function flag(value: boolean): Flag {
	return value ? 1 : 0;
}

/** ISO 8601 in UTC, as on the wire. */
type Timestamp = string;

/** Parses a column of strings. Only this service writes such a column, so the JSON is valid. */
export function parseStrings(json: string): string[] {
	return JSON.parse(json) as string[];
}

type Columns<Value, Name extends string> = {readonly [Key in Name]: Value};

/** Columns that are set once. */
type Fixed<Row> = {readonly [Name in keyof Row]: ColumnType<Row[Name], Row[Name], never>};

/** Columns that triggers keep. */
type Kept<Value, Name extends string> = Columns<ColumnType<Value, never, never>, Name>;

/** The tables of both schemas, as types. Names are unique as they are folded (`foldName`), so in the same way in every database. */
export type Tables = {
	/** The number is that of the newest entry of its history, 0 before the first: it goes on when entries are removed. */
	readonly accounts: Fixed<Columns<string, 'name' | 'created_at'>> &
		Kept<string, `${ListName}_version`> &
		Kept<number, 'bytes'> &
		Columns<Generated<number>, 'id' | 'history_number' | 'history_bytes'>;
	readonly api_keys: Fixed<{account_id: number; hash: Uint8Array; created_at: Timestamp}> &
		Columns<string, 'name' | 'folded_name'> &
		Columns<Timestamp | null, 'expires_at' | 'last_used_at'> & {
			readonly id: Generated<number>;
			readonly rights: Generated<KeyRights>;
			/** 1 for the key of an `ssh-serve`, which may name the person. */
			readonly is_for_ssh: Generated<Flag>;
		};
	/** Numbered for each account from 1, without a gap; the oldest are removed. */
	readonly history: Fixed<
		Columns<number, 'account_id' | 'number' | 'record_id' | 'bytes'> &
			/** The person is empty if it is not known. The values are JSON; of a long one what a page has of it (`LongText`). */
			Columns<string, 'at' | 'via' | 'field' | 'from_value' | 'to_value' | `${'' | 'folded_'}${'key_name' | 'person' | 'record_name'}`> & {
				/** Null where no stored key was used: then the name is `local` or `operator`. */
				key_id: number | null;
				kind: HistoryKind;
			}
	> & {
		/** The whole values of an entry that is read alone, as compressed JSON. */
		readonly long_texts: Uint8Array | null;
	};
	readonly identifiers: {readonly id: Generated<number>};
	readonly agents: Fixed<Columns<number, 'id' | 'account_id'>> &
		Columns<string, 'name' | 'description'> & {
			readonly image: string | null;
			/** 1 until the agent that came with the account is changed. */
			readonly is_starter: Flag;
		};
	readonly abilities: Fixed<Columns<number, 'id' | 'account_id'>> &
		Columns<string, 'name' | 'folded_name' | 'category' | 'description' | 'trigger_words' | 'last_updated'> & {
			readonly bytes: number;
			readonly image: Uint8Array | null;
			readonly image_file: string | null;
		};
	/** The size includes the files. One release of each ability is in use. */
	readonly releases: Fixed<Columns<number, 'id' | 'ability_id' | 'version'>> &
		Columns<Flag, 'is_committed' | 'is_in_use'> &
		Columns<string, 'commit_message' | 'created_at'> &
		Columns<number, 'bytes'>;
	readonly release_files: Fixed<{path: string; content: Uint8Array}> & Columns<number, 'release_id'>;
	/**
	SQLite only: the uploads whose files are stored before their releases. Those of an earlier version have no account. Seconds since 1970.
	*/
	readonly staged_releases: Fixed<{id: number; account_id: number | null}> & Columns<number, 'touched_at'>;
	readonly installed: Fixed<Columns<number, 'id' | 'ability_id'>> &
		Columns<Flag, 'is_enabled' | 'is_system_capability' | 'is_agent_capability'> &
		Columns<string, 'trigger_words' | 'last_updated'>;
	/** The names are those that are shown: `set_by` is the person, else the key. */
	readonly timers: Fixed<Columns<number, 'installed_id' | 'account_id'>> &
		Columns<Flag, 'is_enabled'> &
		Columns<string, 'note' | 'set_by' | 'person'> &
		Columns<Timestamp, 'at'> & {readonly key_id: number | null; readonly overdue: OverdueReason | null};
	/** Made when it is first needed (`pruneHistories`). */
	readonly history_waits: Fixed<{account_id: number}> & Columns<Timestamp, 'since' | 'seen'>;
	readonly agent_abilities: Fixed<Columns<number, 'agent_id' | 'ability_id'>>;
};

export type Database = Kysely<Tables>;

/** @param onQuery - called with the duration of each query. */
export function createDatabase(dialect: Dialect, onQuery?: (milliseconds: number) => void): Database {
	return new Kysely<Tables>({dialect, log: event => onQuery?.(event.queryDurationMillis)});
}

type Work<Result> = (database: Database) => Promise<Result>;

export type HistoryRules = {
	/** Older entries are removed. */
	readonly days: number;
	/** The accounts where more would go at once than usual (`pruneHistories`). */
	readonly waiting: Set<number>;
};

/** The differences between the databases, as the verbs need them. */
export type Engine = {
	/** One query, which sees one state of the database by itself. */
	readonly query: <Result>(work: Work<Result>) => Promise<Result>;
	/** Queries that see one state of the database, whatever others write meanwhile. They may run again, so they change nothing. */
	readonly read: <Result>(work: Work<Result>) => Promise<Result>;
	/** Reads long lists, in steps that let others go on. */
	readonly readMuch: <Result>(work: Work<Result>) => Promise<Result>;
	/** Statements that write, as one atomic unit: a throw rolls all of them back. */
	readonly write: <Result>(work: Work<Result>) => Promise<Result>;
	/** Writes what begins by locking the account. It begins after this turn of the event loop. */
	readonly writeAccount: <Result>(accountId: number, work: Work<Result>) => Promise<Result>;
	/** The elements of a JSON array as rows with one column, `value`. */
	readonly elementsOf: (json: string) => RawBuilder<unknown>;
	/** One statement that writes what is worth no wait: it fails at once while another process writes. */
	readonly touch: <Result>(work: Work<Result>) => Promise<Result>;
	/** True if a part of `with` may write: then one statement does what otherwise takes two. */
	readonly canWriteInWith: boolean;
	/**
	Writes rows that may name others that are not there yet: for large files, which are stored a few at a time before
	the record that they belong to. Missing where a long transaction holds up nobody, and rows are checked at its end.
	*/
	readonly writeAhead?: <Result>(work: Work<Result>) => Promise<Result>;
	/** Publishes the new versions of an account's lists, once they are stored, with the number of the newest entry of its history. */
	readonly announce: (accountId: number, versions: Partial<ListVersions>, historyNumber: number) => void;
	/** The limits of the history; `undefined` if none is written. */
	readonly history: HistoryRules | undefined;
	/** The size that an account may reach; `undefined` for no limit. With its history it may reach that before the oldest entries are removed. */
	readonly quotaBytes: number | undefined;
};

/** The columns of an account that hold the versions of its lists. */
export const versionColumns = ['agents_version', 'abilities_version', 'installed_version'] as const;

export type VersionRow = Readonly<Record<(typeof versionColumns)[number], string>>;

/** The columns of an account that a change may change, and its id. */
export const accountColumns = ['accounts.id', 'bytes', 'history_number', 'history_bytes', ...versionColumns] as const;

export type AccountRow = VersionRow & Columns<number, 'id' | 'bytes' | 'history_number' | 'history_bytes'>;

export function toVersions(row: VersionRow): ListVersions {
	return {agents: row.agents_version, abilities: row.abilities_version, installed: row.installed_version};
}

/** Selects an account, and locks its row until the transaction ends where several can write at once. */
export function selectLocked(database: Database, accountId: number) {
	return database.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate();
}

/** Returns the versions of the lists of all accounts. */
export async function readVersions(database: Database) {
	const rows = await database
		.selectFrom('accounts')
		.select(['id', 'history_number', ...versionColumns])
		.execute();
	return rows.map(row => ({id: row.id, versions: toVersions(row), historyNumber: row.history_number}));
}

/** Values repeated up to the next power of two: a few sizes only, so that the database knows each query already. */
export function padded<Value>(values: readonly Value[]): readonly Value[] {
	const size = 2 ** Math.ceil(Math.log2(values.length));
	return Array.from({length: size}, (_, index) => values[index] ?? values[0]!);
}

/** Tells whether this is a row of `api_keys` whose key has not ended. */
export function isKeyValid() {
	return sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > ${new Date().toISOString()})`;
}

/**
Returns a new id. Agents, abilities, installed abilities and releases share one sequence, and the id of something deleted never comes back.
No number means both an installed ability and another ability, so the service understands clients that send an ability's id where its
installed record's is meant, as `openhome-cli` does.
*/
export async function allocateId(database: Database): Promise<number> {
	const {id} = await database.insertInto('identifiers').defaultValues().returning('id').executeTakeFirstOrThrow();
	return id;
}

/** The number of values that fit into one statement of every database. */
const maximumValues = 1000;

/** Removes the ids of records that were deleted: no quota counts them. The sequence goes on, so they do not come back. */
export async function removeIds(database: Database, ids: readonly number[]): Promise<void> {
	for (let start = 0; start < ids.length; start += maximumValues) {
		await database
			.deleteFrom('identifiers')
			.where('id', 'in', padded(ids.slice(start, start + maximumValues)))
			.execute();
	}
}

export function idsOf(rows: ReadonlyArray<{readonly id: number}>): readonly number[] {
	return rows.map(({id}) => id);
}

/** Returns the ids of all abilities, or all agents, of an account. */
export async function findOwnedIds(database: Database, table: 'abilities' | 'agents', accountId: number): Promise<ReadonlySet<number>> {
	const rows = await database.selectFrom(table).select('id').where('account_id', '=', accountId).execute();
	return new Set(idsOf(rows));
}

/** Counted for each record besides its texts and files, so that many small ones count as well. */
const bytesOfRecord = 500;

/** Returns the size of a record for the quota of its account; the schemas say the same in SQL. */
export function sizeOf(...contents: ReadonlyArray<string | Uint8Array | undefined>): number {
	return contents.reduce((bytes: number, content) => bytes + (content === undefined ? 0 : Buffer.byteLength(content)), bytesOfRecord);
}

/** About a millisecond's work. */
const recordsAtOnce = 500;

/**
Returns the records of a query, read row by row: all rows at once would take more memory than the records. Between steps others go on.
*/
export async function readRecords<Row, Record_>(
	query: {stream(): AsyncIterable<Row>},
	toRecord: (row: Row) => Record_,
): Promise<Record_[]> {
	const records: Record_[] = [];
	for await (const row of query.stream()) {
		records.push(toRecord(row));
		if (records.length % recordsAtOnce === 0) {
			await setImmediate();
		}
	}

	return records;
}
