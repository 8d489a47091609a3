import {createHash} from 'node:crypto';
import {
	CompiledQuery,
	type Dialect,
	PostgresDialect,
	PostgresDriver,
	type PostgresDialectConfig,
	type PostgresPool,
	type PostgresPoolClient,
	type TransactionSettings,
} from 'kysely';
import {type Pool, type PoolClient, type QueryResult} from 'pg';
import {copiedTables} from '../sql/copied-tables.ts';
import {refuseNewerSchema} from '../store-errors.ts';
import {rowLockMilliseconds} from './connect.ts';
import {asAnswer, isReadOnly} from './failures.ts';
import {migrations} from './migrations.ts';

/** Reads all rows at once, where Kysely would use a cursor: for a few thousand small rows the round trips cost more. */
class AllRows {
	readonly sql: string;
	readonly parameters: unknown[];
	rows: () => Promise<unknown[]> = async () => [];

	constructor(sql: string, parameters: unknown[]) {
		this.sql = sql;
		this.parameters = parameters;
	}

	async read<Row>(): Promise<Row[]> {
		const {rows} = this;
		this.rows = async () => [];
		return await rows() as Row[];
	}

	async close(): Promise<void> {
		this.rows = async () => [];
	}
}

/** Of the texts of statements: those with a list of values are many, and prepared ones stay in the memory of each connection. */
const maximumPrepared = 200;

/**
Statements that return often are prepared once for each connection. A name says which text it stands for: behind a pooler another process may
have prepared the statement of that name.
*/
const createStatementNames = (): ((sql: string) => string | undefined) => {
	const names = new Map<string, string>();
	return sql => {
		const name = names.get(sql) ?? (names.size < maximumPrepared ? createHash('sha256').update(sql).digest('base64url') : undefined);
		if (name !== undefined) {
			names.set(sql, name);
		}

		return name;
	};
};

const guardClient = (client: PoolClient, nameOf: (sql: string) => string | undefined): PostgresPoolClient => {
	let isLost = false;

	const run = async (text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown[]>> => {
		try {
			const values = [...parameters];
			const answers: QueryResult<unknown[]> | Array<QueryResult<unknown[]>> = await (values.length === 0 ? client.query(text) : client.query({name: nameOf(text), text, values}));
			// Of several statements that are sent together, the last one is the query.
			return [answers].flat().at(-1)!;
		} catch (error) {
			const answer = asAnswer(error);
			// A standby stays one for as long as the connection lasts, wherever the database has moved to.
			isLost ||= answer !== error || isReadOnly(error);
			throw answer;
		}
	};

	const startReading = (all: AllRows): AllRows => {
		all.rows = async () => (await run(all.sql, all.parameters)).rows;
		return all;
	};

	return {
		query: ((asked: string | AllRows, parameters: readonly unknown[] = []): unknown =>
			typeof asked === 'string' ? run(asked, parameters) : startReading(asked)) as PostgresPoolClient['query'],
		release(destroy) {
			client.release(destroy === true || isLost);
		},
	};
};

const versionQuery = 'select max(number) as version from switchboard.migrations';

/** The version of the schema as it is now. A transaction that has read it holds up every migration until it ends (`migrate`). */
export const readSchemaVersion = CompiledQuery.raw(versionQuery) as CompiledQuery<{readonly version: number | null}>;

/**
A transaction that writes locks the tables first, in the mode that its changes take anyway: without all of them, without the rights to change
them, or while another session keeps one to itself, it fails before it has changed anything, and soon. Within it, it has time for others.
*/
const beginWriting = `
	begin;
	lock table ${copiedTables.map(({name}) => `switchboard.${name}`).join(', ')} in row exclusive mode;
	set local lock_timeout = ${rowLockMilliseconds};
	${versionQuery}`;

class GuardedPostgresDriver extends PostgresDriver {
	readonly #shown: string;

	constructor(config: PostgresDialectConfig, shown: string) {
		super(config);
		this.#shown = shown;
	}

	/** A transaction that writes reads the version of the schema in the same round trip. */
	override async beginTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0], settings: TransactionSettings): Promise<void> {
		if (settings.accessMode === 'read only') {
			await super.beginTransaction(connection, settings);
			return;
		}

		try {
			const {rows} = await connection.executeQuery<{readonly version: number | null}>(CompiledQuery.raw(beginWriting));
			refuseNewerSchema(this.#shown, rows[0]?.version ?? 0, migrations.length);
		} catch (error) {
			try {
				await this.rollbackTransaction(connection);
			} catch {
				// The connection is lost, and with it the transaction.
			}

			throw error;
		}
	}
}

/**
Kysely's PostgreSQL dialect on a pool of `pg`. What `pg` says of a connection becomes a ConnectionLostError.

@param shown - the database as it may be shown.
*/
export const createPostgresDialect = (pool: Pool, shown: string): Dialect => {
	const nameOf = createStatementNames();
	const guarded: PostgresPool = {
		options: pool.options,
		async connect() {
			try {
				return guardClient(await pool.connect(), nameOf);
			} catch (error) {
				throw asAnswer(error);
			}
		},
		end: async () => pool.end(),
	};
	const config = {pool: guarded, cursor: AllRows};
	return Object.assign(new PostgresDialect(config), {createDriver: () => new GuardedPostgresDriver(config, shown)});
};
