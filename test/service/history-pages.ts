import {DatabaseSync, path} from '../helpers/node.ts';
import pg from 'pg';
import {formatHistoryQuery, type HistoryEntry, type HistoryQuery} from '../../source/interface/history.ts';
import {isDatabaseUrl} from '../../source/platform/secret-variables.ts';
import {named, paths, type TestService} from './running-service.ts';

type Page = {readonly entries: readonly HistoryEntry[]; readonly next: number | null};

/** A page of the history, as it came. */
export async function readPage(service: TestService, query: HistoryQuery = {}, key?: string): Promise<Page> {
	return service.read<Page>(`/history${formatHistoryQuery(query)}`, key);
}

/** The entries of a page. */
export async function readEntries(...parameters: Parameters<typeof readPage>): Promise<Page['entries']> {
	const {entries} = await readPage(...parameters);
	return entries;
}

/** An entry in one line, without its number and its time. */
export function lineOf({by, via, kind, name, field, from, to}: HistoryEntry): string {
	return `${by} ${via}: ${kind} ${name} ${field} ${JSON.stringify(from)} > ${JSON.stringify(to)}`;
}

/** Switches an installed ability with a key of the account `default`. */
export async function toggle(service: TestService, name: string, enabled: boolean, key = service.key): Promise<void> {
	const {id} = named(await service.read(paths.installed, key), name);
	const {status, text} = await service.ask('PUT', paths.editInstalled(id), {key, body: {enabled}});
	if (status !== 200) {
		throw new Error(text);
	}
}

/** Changes the database itself: nobody waits for 400 days. */
export async function execute(location: string, statements: string): Promise<void> {
	if (!isDatabaseUrl(location)) {
		using database = new DatabaseSync(path.join(location, 'switchboard.db'), {timeout: 5000});
		database.exec(statements);
		return;
	}

	await queryPostgres(location, statements);
}

async function queryPostgres(location: string, sql: string): Promise<pg.QueryResult<Record<string, unknown>>> {
	const client = new pg.Client({connectionString: location, options: '-c search_path=switchboard'});
	await client.connect();
	try {
		return await client.query<Record<string, unknown>>(sql);
	} finally {
		await client.end();
	}
}

/** Reads rows from the database itself. */
export async function readRows(location: string, query: string): Promise<ReadonlyArray<Record<string, unknown>>> {
	if (isDatabaseUrl(location)) {
		return (await queryPostgres(location, query)).rows;
	}

	using database = new DatabaseSync(path.join(location, 'switchboard.db'), {timeout: 5000});
	// The rows of `node:sqlite` have no prototype.
	return database
		.prepare(query)
		.all()
		.map(row => ({...row}));
}

/** Statements that give an account so many entries more, of a moment ago. */
export function addEntries(accountId: number, count: number): string {
	return `
	with recursive added (number) as (select 1 union all select number + 1 from added where number < ${count})
	insert into history (account_id, number, at, key_name, folded_key_name, via, kind, record_id, record_name, folded_record_name, field, from_value, to_value, bytes)
		select ${accountId}, history_number + added.number, '${new Date().toISOString()}', 'made', 'made', 'any', 'installed', 7, 'Old', 'old', 'enabled', 'true', 'false', 600
		from added, accounts where accounts.id = ${accountId};
	update accounts set history_number = history_number + ${count}, history_bytes = history_bytes + ${count * 600} where id = ${accountId};
`;
}
