import {createHash} from 'node:crypto';
import {
	type Dialect,
	PostgresDialect,
	type PostgresPool,
	type PostgresPoolClient,
} from 'kysely';
import {type Pool, type PoolClient, type QueryResult} from 'pg';
import {asAnswer} from './failures.ts';

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
			return await (values.length === 0 ? client.query(text) : client.query({name: nameOf(text), text, values}));
		} catch (error) {
			const answer = asAnswer(error);
			isLost ||= answer !== error;
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

/** Kysely's PostgreSQL dialect on a pool of `pg`. What `pg` says of a connection becomes a ConnectionLostError. */
export const createPostgresDialect = (pool: Pool): Dialect => {
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
	return new PostgresDialect({pool: guarded, cursor: AllRows});
};
