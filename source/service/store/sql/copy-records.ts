import {createHash} from 'node:crypto';
import {setImmediate} from 'node:timers/promises';
import {type RawBuilder, sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import type {Database, Tables} from './database.ts';
import {missPast} from './timers.ts';

type CopiedTable = {
	readonly name: keyof Tables;
	/** Its primary key, by which it is ordered: every database orders it in the same way. */
	readonly key: readonly string[];
	/** All but those that triggers keep, and those that are computed. */
	readonly columns: readonly string[];
	/** How many rows are read at once: few where each may have megabytes. */
	readonly rowsAtOnce: number;
	/** The rows that are copied; all of them if it is missing. */
	readonly where?: RawBuilder<unknown>;
};

/** Each after those that its rows refer to. */
export const copiedTables: readonly CopiedTable[] = [
	copied('accounts', 200, 'id name created_at history_number history_bytes'),
	copied('api_keys', 200, 'id account_id name folded_name hash created_at rights expires_at last_used_at is_for_ssh'),
	copied('identifiers', 200, 'id'),
	copied('agents', 16, 'id account_id name description image is_starter'),
	copied('abilities', 16, 'id account_id name folded_name category description trigger_words image image_file last_updated bytes'),
	copied('releases', 16, 'id ability_id version is_committed is_in_use commit_message created_at bytes'),
	{
		...copied('release_files', 1, 'release_id path content', 2),
		// Not those of an upload that is under way. A list of all releases would be gone through again for each file.
		where: sql`exists (select 1 from releases where releases.id = release_files.release_id)`,
	},
	copied('installed', 16, 'id ability_id is_enabled trigger_words is_system_capability is_agent_capability last_updated'),
	copied('timers', 200, 'installed_id account_id is_enabled at note set_by person key_id overdue'),
	copied('agent_abilities', 200, 'agent_id ability_id', 2),
	copied(
		'history',
		50,
		'account_id number at key_id key_name folded_key_name person folded_person via kind record_id record_name folded_record_name field from_value to_value bytes long_texts',
		2,
	),
];

function copied(name: keyof Tables, rowsAtOnce: number, names: string, keyCount = 1): CopiedTable {
	const columns = names.split(' ');
	return {name, key: columns.slice(0, keyCount), columns, rowsAtOnce};
}

/** The tables whose ids are given by the database. */
const sequenceTables = ['accounts', 'api_keys', 'identifiers'] as const;

type SequenceTable = (typeof sequenceTables)[number];

/** A database as the source or the target of a copy: nothing is retried or announced as for a service. */
export type CopyDatabase = AsyncDisposable & {
	/** Work that sees one state, whatever a service writes meanwhile. */
	readonly read: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
	/** Work during which nobody else writes; a throw rolls all of it back. */
	readonly write: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
	/** The last id that a table gave: none is given again, also if its record is gone. */
	readonly readLastId: (database: Database, table: SequenceTable) => Promise<number>;
	readonly setLastId: (database: Database, table: SequenceTable, id: number) => Promise<void>;
};

/** The rows of each table. */
export type CopyCounts = Readonly<Record<string, number>>;

export type CopyOptions = {
	/** Ends it, and undoes what is done. */
	readonly signal: AbortSignal;
	/** Called with the number of rows of a table that are done. */
	readonly onProgress: (doing: 'copying' | 'comparing', table: string, count: number) => void;
};

/** @throws SwitchboardError `conflict` if there is anything in it. */
export async function refuseFilled(database: Database): Promise<void> {
	for (const table of copiedTables) {
		if ((await readRows(database, table).next()).done !== true) {
			const nextStep = 'Name a new folder, or a new database.';
			throw new SwitchboardError('conflict', 'The target is not empty. Nothing was copied.', {nextStep});
		}
	}
}

/** A value of a row, as every database gives it back. */
type Value = string | number | Uint8Array | null;

type Row = Readonly<Record<string, Value>>;

/**
Reads the rows of a table in the order of its key.

@yields a few at a time.
*/
async function* readRows(
	database: Database,
	{name, key, columns, rowsAtOnce, where = sql`true`}: CopiedTable,
): AsyncGenerator<readonly Row[]> {
	let after = sql`true`;
	for (;;) {
		const {rows} = await sql<Row>`
			select ${list(columns)} from ${sql.table(name)} where ${where} and ${after} order by ${list(key)} limit ${rowsAtOnce}
		`.execute(database);
		const last = rows.at(-1);
		if (last === undefined) {
			return;
		}

		yield rows;
		after = sql`(${list(key)}) > ${tuple(key.map(column => last[column]))}`;
	}
}

const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map(name => sql.ref(name)));

const tuple = (values: ReadonlyArray<Value | undefined>): RawBuilder<unknown> => sql`(${sql.join(values)})`;

/** Returns the rows that a copy would copy. */
export async function countRecords(source: CopyDatabase, options: CopyOptions): Promise<CopyCounts> {
	return countsOf(await source.read(async database => addUp(database, 'copying', options)));
}

type Sums = ReadonlyMap<string, {readonly count: number; readonly checksum: string}>;

const countsOf = (sums: Sums): CopyCounts => Object.fromEntries([...sums].map(([name, {count}]) => [name, count]));

/** Counts the rows of all tables and adds up their values, and hands each to `work`. */
async function addUp(
	database: Database,
	doing: Parameters<CopyOptions['onProgress']>[0],
	{signal, onProgress}: CopyOptions,
	work: (table: CopiedTable, rows: readonly Row[]) => Promise<void> = async () => undefined,
): Promise<Sums> {
	const sums = new Map<string, {readonly count: number; readonly checksum: string}>();
	for (const table of copiedTables) {
		const hash = createHash('sha256');
		let count = 0;
		for await (const rows of readRows(database, table)) {
			signal.throwIfAborted();
			await work(table, rows);
			for (const row of rows) {
				const values = table.columns.map(column => (row[column] instanceof Uint8Array ? {hash: hashOf(row[column])} : row[column]));
				hash.update(`${JSON.stringify(values)}\n`);
			}

			count += rows.length;
			onProgress(doing, table.name, count);
			// Lets a signal arrive.
			await setImmediate();
		}

		sums.set(table.name, {count, checksum: hash.digest('hex')});
	}

	return sums;
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
Copies one state of the source into the target, where triggers count and give versions anew, as one atomic unit; then reads it back
and compares it.

@throws SwitchboardError `conflict` if the target is not empty, `unexpected` if the copy differs; then nothing is kept of it.
*/
export async function copyRecords(source: CopyDatabase, target: CopyDatabase, options: CopyOptions): Promise<CopyCounts> {
	let copied: Sums | undefined;
	return source.read(async from => {
		// If the source is lost after the last row, it is not needed any more.
		copied ??= await target.write(async to => {
			const sums = await copyInto(from, to, options);
			for (const table of sequenceTables) {
				const last = Math.max(await source.readLastId(from, table), await target.readLastId(to, table));
				if (last > 0) {
					await target.setLastId(to, table, last);
				}
			}

			await missPast(to);
			return sums;
		});
		return countsOf(copied);
	});
}

async function copyInto(source: Database, target: Database, options: CopyOptions): Promise<Sums> {
	await refuseFilled(target);
	const sums = await addUp(source, 'copying', options, async (table, rows) => insertRows(target, table, rows));
	const copiedSums = await addUp(target, 'comparing', options);
	for (const [name, {count, checksum}] of sums) {
		const copied = copiedSums.get(name);
		if (copied?.count !== count || copied.checksum !== checksum) {
			const message = `The copy of the table ${name} differs from the original, so nothing was kept of the copy.`;
			throw new SwitchboardError('unexpected', message, {nextStep: 'Check both: switchboard check'});
		}
	}

	return sums;
}

async function insertRows(database: Database, {name, columns}: CopiedTable, rows: readonly Row[]): Promise<void> {
	const tuples = rows.map(row => tuple(columns.map(column => row[column])));
	await sql`insert into ${sql.table(name)} (${list(columns)}) values ${sql.join(tuples)}`.execute(database);
}
