import {type RawBuilder, sql} from 'kysely';
import {type Database, type Tables} from './tables.ts';

export type CopiedTable = {
	readonly name: keyof Tables;
	/** Its primary key, by which it is ordered: every database orders it in the same way. */
	readonly key: readonly [string, ...string[]];
	/** All but those that triggers keep, and those that are computed. */
	readonly columns: readonly string[];
	/** Those that may hold megabytes. */
	readonly large: readonly string[];
	/** Which rows are copied; all of them if it is missing. */
	readonly where?: RawBuilder<unknown>;
};

/** Each after those that its rows refer to. */
export const copiedTables: readonly CopiedTable[] = [
	{
		name: 'accounts', key: ['id'], columns: ['id', 'name', 'created_at'], large: [],
	},
	{
		name: 'api_keys', key: ['id'], columns: ['id', 'account_id', 'name', 'folded_name', 'hash', 'created_at'], large: [],
	},
	{
		name: 'identifiers', key: ['id'], columns: ['id'], large: [],
	},
	{
		name: 'agents', key: ['id'], columns: ['id', 'account_id', 'name', 'description', 'image', 'is_starter'], large: ['description', 'image'],
	},
	{
		name: 'abilities',
		key: ['id'],
		columns: ['id', 'account_id', 'name', 'folded_name', 'category', 'description', 'trigger_words', 'image', 'image_file', 'last_updated', 'bytes'],
		large: ['description', 'image'],
	},
	{
		name: 'releases', key: ['id'], columns: ['id', 'ability_id', 'version', 'is_committed', 'commit_message', 'created_at', 'bytes'], large: ['commit_message'],
	},
	{
		name: 'release_files',
		key: ['release_id', 'path'],
		columns: ['release_id', 'path', 'content'],
		large: ['content'],
		// Not those of an upload that is under way.
		where: sql`release_id in (select id from releases)`,
	},
	{
		name: 'installed',
		key: ['id'],
		columns: ['id', 'ability_id', 'is_enabled', 'trigger_words', 'is_system_capability', 'is_agent_capability', 'last_updated'],
		large: ['trigger_words'],
	},
	{
		name: 'agent_abilities', key: ['agent_id', 'ability_id'], columns: ['agent_id', 'ability_id'], large: [],
	},
];

/** A value of a row, as every database gives it back. */
export type Value = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, Value>>;

const maximumRows = 200;

const maximumBytes = 4 * 1024 * 1024;

const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map(name => sql.ref(name)));

const tuple = (values: ReadonlyArray<Value | undefined>): RawBuilder<unknown> => sql`(${sql.join(values)})`;

type KeyAndSize = Row & {readonly row_bytes: number};

/** The keys of the next rows, as many as are read at once: one at least. */
const readKeys = async (database: Database, {name, key, large, where}: CopiedTable, after: Row | undefined): Promise<readonly KeyAndSize[]> => {
	const sizes = large.map(column => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
	const conditions = [
		...(where === undefined ? [] : [where]),
		...(after === undefined ? [] : [sql`(${list(key)}) > ${tuple(key.map(column => after[column]))}`]),
	];
	const {rows} = await sql<KeyAndSize>`
		select ${list(key)}, ${sizes.length === 0 ? sql`0` : sql.join(sizes, sql` + `)} as row_bytes
		from ${sql.table(name)}
		${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
		order by ${list(key)} limit ${maximumRows}
	`.execute(database);
	let bytes = 0;
	const end = rows.findIndex((row, index) => {
		bytes += row.row_bytes;
		return index > 0 && bytes > maximumBytes;
	});
	return end === -1 ? rows : rows.slice(0, end);
};

/**
Reads the rows of a table in the order of its key.

@yields a few at a time; a single one may be as large as the largest file.
*/
export async function * readRows(database: Database, table: CopiedTable): AsyncGenerator<readonly Row[]> {
	const {name, key, columns, where} = table;
	let after: Row | undefined;
	for (;;) {
		const keys = await readKeys(database, table, after);
		const [first, last] = [keys.at(0), keys.at(-1)];
		if (first === undefined || last === undefined) {
			return;
		}

		const {rows} = await sql<Row>`
			select ${list(columns)} from ${sql.table(name)}
			where (${list(key)}) >= ${tuple(key.map(column => first[column]))} and (${list(key)}) <= ${tuple(key.map(column => last[column]))}
			${where === undefined ? sql`` : sql`and ${where}`}
			order by ${list(key)}
		`.execute(database);
		yield rows;
		after = last;
	}
}

export const insertRows = async (database: Database, {name, columns}: CopiedTable, rows: readonly Row[]): Promise<void> => {
	const tuples = rows.map(row => tuple(columns.map(column => row[column])));
	await sql`insert into ${sql.table(name)} (${list(columns)}) values ${sql.join(tuples)}`.execute(database);
};
