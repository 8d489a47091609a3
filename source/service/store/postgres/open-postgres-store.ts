import {sql} from 'kysely';
import type {ClientBase} from 'pg';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {withoutPassword} from '../../../platform/secret-variables.ts';
import {inTime} from '../../../platform/timers.ts';
import {type Migration, type MigrationOptions, refuseVersion} from '../database-version.ts';
import {checkRecords, type CheckResult, checkVersion, type Finding, note, problem} from '../sql/check-records.ts';
import {copiedTables, type CopyDatabase} from '../sql/copy-records.ts';
import {createListChanges} from '../list-changes.ts';
import {createDatabase, type Database, readVersions} from '../sql/database.ts';
import {refuseNewerSchema, StoreFailure, unreachable} from '../../store-errors.ts';
import {limitsOf, sqlVerbs, type Store, type StoreOptions} from '../store.ts';
import {createPool, statementMilliseconds, withConnection} from './connect.ts';
import {createPostgresDialect, createPostgresEngine, readSchemaVersion} from './engine.ts';
import {createMessages} from './messages.ts';
import {
	checkEncoding,
	describeOddEncoding,
	findOddEncoding,
	migrate,
	prepareSchema,
	readVersion,
	refuseChangesIn,
	refuseOtherVersion,
	versions,
} from './schema.ts';

const readyMilliseconds = 1500;

/** Returns the store on PostgreSQL (`openStore`). */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
	const shown = withoutPassword(url);
	const encoding = await withConnection(url, async client => {
		await prepareSchema(client, shown);
		return findOddEncoding(client);
	});
	const pool = await createPool(url, {connectionCount: 10, milliseconds: statementMilliseconds.service});
	const database = createDatabase(createPostgresDialect(pool, shown), options.onQuery);
	const {announce, watch, close: closeWatch} = createListChanges({read: async () => readVersions(database), lookMilliseconds: 200});
	const engine = createPostgresEngine({database, shown, announce, ...limitsOf(options)});

	const messages = createMessages(pool);

	/** Begins a transaction as a change does, which finds most of what would refuse one, and looks for the rest. */
	const checkWritable = async (): Promise<boolean> =>
		database.transaction().execute(async transaction => {
			const {rows} = await sql.raw<MissingRights>(missingRights).execute(transaction);
			if (rows[0]?.areMissing !== false) {
				throw new Error('its user may not change all tables');
			}

			// A database that is read-only refuses it.
			await sql`select from accounts where false for update`.execute(transaction);
			return true;
		});

	return {
		...sqlVerbs(engine),
		watch,
		messages,
		...(encoding !== undefined && {warning: describeOddEncoding(`The database ${shown}`, encoding)}),
		async ready() {
			try {
				if ((await inTime(checkWritable(), readyMilliseconds)) === undefined) {
					throw new Error(`no answer within ${readyMilliseconds} ms`);
				}
			} catch (error) {
				throw error instanceof StoreFailure ? error : unreachable(shown, error);
			}
		},
		// It has no files that could be moved.
		check: () => undefined,
		async checkVersion() {
			const {rows} = await database.executeQuery(readSchemaVersion);
			refuseNewerSchema(shown, rows[0]?.version ?? 0, versions.present);
		},
		async close() {
			await engine.close();
			await closeWatch();
			await messages.close();
			await database.destroy();
		},
	};
}

type MissingRights = {readonly areMissing: boolean};

const missingRights = `
	select exists (
		select from unnest(array[${copiedTables.map(({name}) => `'switchboard.${name}'`).join(', ')}]) as name, unnest(array['select', 'insert', 'update', 'delete']) as privilege
		where not has_table_privilege(name, privilege)
	) as "areMissing"`;

/**
Returns the version of the schema of a database, 0 if it holds nothing of ours.

@throws SwitchboardError if it cannot be reached, or its schema is of another program.
*/
export async function readPostgresVersion(url: string): Promise<number> {
	return withConnection(url, async client => readVersion(client, withoutPassword(url)));
}

/** Brings a database up to date (`migrateStore`). */
export async function upgradePostgres(url: string, {isDryRun = false}: MigrationOptions): Promise<Migration> {
	const shown = withoutPassword(url);
	return withConnection(url, async client => {
		const from = await readVersion(client, shown);
		refuseVersion(shown, from, versions);
		const to = from === 0 ? 0 : versions.present;
		if (from > 0) {
			await refuseChangesIn(client, shown, from === to);
		}

		return isDryRun || from === to ? {from, to} : migrate(client, shown);
	});
}

/** @throws SwitchboardError `not-found` if it holds nothing of ours; otherwise as `readPostgresVersion` does. */
export async function requireVersion(url: string): Promise<number> {
	const version = await readPostgresVersion(url);
	if (version === 0) {
		const message = `The database ${withoutPassword(url)} holds nothing of Switchboard.`;
		throw new SwitchboardError('not-found', message, {nextStep: 'Check its name.'});
	}

	return version;
}

/** Opens a database to be copied, without changing it. */
export async function openPostgresSource(url: string): Promise<CopyDatabase> {
	refuseOtherVersion(await requireVersion(url), withoutPassword(url));
	return openCopyDatabase(url);
}

async function openCopyDatabase(url: string): Promise<CopyDatabase> {
	const shown = withoutPassword(url);
	const pool = await createPool(url, {connectionCount: 1, milliseconds: statementMilliseconds.copy});
	const database = createDatabase(createPostgresDialect(pool, shown));
	const engine = createPostgresEngine({database, shown, announce: () => undefined, ...limitsOf({historyDays: 'off'})});
	return {
		read: async work =>
			engine.read(async transaction => {
				await withoutLimits(transaction);
				return work(transaction);
			}),
		write: async work =>
			engine.write(async transaction => {
				await withoutLimits(transaction);
				await sql`lock table accounts in share row exclusive mode`.execute(transaction);
				return work(transaction);
			}),
		async readLastId(transaction, table) {
			const {rows} = await sql<{readonly last: number}>`
				select greatest(coalesce(pg_sequence_last_value(${sequenceOf(table)}::regclass), 0), (select coalesce(max(id), 0) from ${sql.table(table)})) as last
			`.execute(transaction);
			return rows[0]!.last;
		},
		async setLastId(transaction, table, id) {
			await sql`select setval(${sequenceOf(table)}::regclass, ${id})`.execute(transaction);
		},
		async [Symbol.asyncDispose]() {
			await engine.close();
			await database.destroy();
		},
	};
}

/** The work of an operator takes as long as it takes. */
async function withoutLimits(transaction: Database): Promise<void> {
	await sql`set local statement_timeout = 0`.execute(transaction);
	await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
}

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(${`switchboard.${table}`}, 'id')`;

/** Opens a database to be filled. */
export async function openPostgresTarget(url: string): Promise<CopyDatabase> {
	await withConnection(url, async client => prepareSchema(client, withoutPassword(url)));
	return openCopyDatabase(url);
}

const serversOwn = 'Not checked: the disk of the server and the files of the database. Its administrator can check them with pg_amcheck.';

/** Checks a PostgreSQL database (`checkStore`). */
export async function checkPostgres(url: string): Promise<CheckResult> {
	const version = await requireVersion(url);
	const [validity, server, encoding] = await withConnection(
		url,
		async client => [await checkValidity(client), await describeServer(client), await findOddEncoding(client)] as const,
	);
	const findings = [...validity, ...checkEncoding(encoding), ...checkVersion(version, versions)];
	const summary = [server, serversOwn];
	if (version !== versions.present) {
		return {findings, summary};
	}

	findings.push(...(await withConnection(url, checkRights)));

	await using database = await openCopyDatabase(url);
	const records = await database.read(checkRecords);
	return {findings: [...findings, ...records.findings], summary: [...records.summary, ...summary]};
}

/** A user that only checks may well have fewer rights than that of the service. */
async function checkRights(client: ClientBase): Promise<readonly Finding[]> {
	const {rows} = await client.query<MissingRights>(missingRights);
	const message = 'The user of this URL may not read and change all tables, as the user of a service must.';
	return rows[0]?.areMissing === false ? [] : [note('rights', message)];
}

/** Constraints and indexes that PostgreSQL itself marks as not valid. */
async function checkValidity(client: ClientBase): Promise<readonly Finding[]> {
	const {rows} = await client.query<{readonly kind: 'damage' | 'references'; readonly name: string}>(`
		select 'references' as kind, format('%s of the table %s', conname, conrelid::regclass) as name
		from pg_constraint where connamespace = 'switchboard'::regnamespace and not convalidated
		union all select 'damage', indexrelid::regclass::text
		from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'switchboard'::regnamespace and not indisvalid`);
	const messages = {
		damage: (name: string) => `The index ${name} is not valid. Run in psql: reindex index ${name}`,
		references: (name: string) =>
			`The constraint ${name} is not valid: some rows may break it. Restore the database from a backup, or validate it.`,
	};
	return rows.map(({kind, name}) => problem(kind, messages[kind](cleanText(name, 200))));
}

async function describeServer(client: ClientBase): Promise<string> {
	const {rows} = await client.query<{readonly version: string; readonly bytes: number}>(`
		select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`);
	const {version, bytes} = rows[0]!;
	return `The server is PostgreSQL ${cleanText(version, 60)}; the database has ${formatBytes(bytes)}.`;
}
