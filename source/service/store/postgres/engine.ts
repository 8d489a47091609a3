import {createHash} from 'node:crypto';
import {setImmediate} from 'node:timers/promises';
import {
	type AbortableOperationOptions,
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	PostgresDialect,
	type PostgresDialectConfig,
	PostgresDriver,
	type PostgresPool,
	type PostgresPoolClient,
	sql,
	type TransactionSettings,
} from 'kysely';
import type {Pool, PoolClient, QueryResult} from 'pg';
import {copiedTables} from '../sql/copy-records.ts';
import type {Database, Engine} from '../sql/database.ts';
import {isTrouble, refuseNewerSchema, unknownOutcome} from '../../store-errors.ts';
import {retry, rowLockMilliseconds} from './connect.ts';
import {asAnswer, isAway, isPassing, isReadOnly, toStoreError} from './failures.ts';
import {versions} from './schema.ts';

/** Statements with a list of values are many, and prepared ones stay in the memory of each connection. */
const maximumPrepared = 200;

const versionQuery = 'select max(number) as version from switchboard.migrations';

/** The version of the schema as it is now. A transaction that has read it holds up every migration until it ends (`prepareSchema`). */
export const readSchemaVersion = CompiledQuery.raw(versionQuery) as CompiledQuery<{readonly version: number | null}>;

/**
A transaction that writes locks the tables first, in the mode that its changes take anyway: without all of them, without the rights to
change them, or while another session keeps one to itself, it fails before it has changed anything, and soon. Within it, it has time for
others.
*/
const beginWriting = `
	begin;
	lock table ${copiedTables.map(({name}) => `switchboard.${name}`).join(', ')} in row exclusive mode;
	set local lock_timeout = ${rowLockMilliseconds};
	${versionQuery}`;

type PostgresConnection = Parameters<PostgresDriver['rollbackTransaction']>[0];

class GuardedPostgresDriver extends PostgresDriver {
	readonly #shown: string;

	constructor(config: PostgresDialectConfig, shown: string) {
		super(config);
		this.#shown = shown;
	}

	/** Reads all rows of a stream at once: for a few thousand small rows the round trips of a cursor cost more. */
	override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
		const connection = await super.acquireConnection(options);
		connection.streamQuery = async function* (query) {
			yield await connection.executeQuery(query);
		};

		return connection;
	}

	/** A transaction that writes reads the version of the schema in the same round trip. */
	override async beginTransaction(connection: PostgresConnection, settings: TransactionSettings): Promise<void> {
		if (settings.accessMode === 'read only') {
			await super.beginTransaction(connection, settings);
			return;
		}

		try {
			const {rows} = await connection.executeQuery<{readonly version: number | null}>(CompiledQuery.raw(beginWriting));
			refuseNewerSchema(this.#shown, rows[0]?.version ?? 0, versions.present);
		} catch (error) {
			// If this fails, the connection is lost, and with it the transaction.
			await this.rollbackTransaction(connection).catch(() => undefined);
			throw error;
		}
	}
}

/**
Creates Kysely's PostgreSQL dialect on a pool of `pg`, whose errors about a connection become a ConnectionLostError.

@param shown - the database as it may be shown.
*/
export function createPostgresDialect(pool: Pool, shown: string): Dialect {
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
	const config: PostgresDialectConfig = {pool: guarded};
	return Object.assign(new PostgresDialect(config), {createDriver: () => new GuardedPostgresDriver(config, shown)});
}

/**
Statements that return often are prepared once for each connection. A name is made from the text: behind a pooler another process may
have prepared the statement of that name.
*/
function createStatementNames(): (text: string) => string | undefined {
	const names = new Map<string, string>();
	return text => {
		if (!names.has(text) && names.size < maximumPrepared) {
			names.set(text, createHash('sha256').update(text).digest('base64url'));
		}

		return names.get(text);
	};
}

function guardClient(client: PoolClient, nameOf: (text: string) => string | undefined): PostgresPoolClient {
	let isLost = false;

	const query = async (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
		try {
			const values = [...parameters];
			const answers: QueryResult | QueryResult[] = await (values.length === 0
				? client.query(text)
				: client.query({name: nameOf(text), text, values}));
			// The last one of several statements that are sent together is the query.
			return [answers].flat().at(-1)!;
		} catch (error) {
			const answer = asAnswer(error);
			// A standby stays one for as long as the connection lasts, wherever the database has moved to.
			isLost ||= answer !== error || isReadOnly(error);
			throw answer;
		}
	};

	return {query: query as unknown as PostgresPoolClient['query'], release: destroy => client.release(destroy === true || isLost)};
}

type EngineParts = Pick<Engine, 'announce' | 'history' | 'quotaBytes'> & {
	readonly database: Database;
	/** The database as it may be shown. */
	readonly shown: string;
};

/**
Returns several connections, and several processes: rows that are written are locked. Work is retried as a whole where the database was
away.
*/
export function createPostgresEngine({database, shown, ...parts}: EngineParts): Engine & {readonly close: () => Promise<void>} {
	const underWay = new Set<Promise<unknown>>();

	const follow = async <Result>(result: Promise<Result>): Promise<Result> => {
		underWay.add(result);
		try {
			return await result;
		} finally {
			underWay.delete(result);
		}
	};

	const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		try {
			return await follow(retry(work, isPassing));
		} catch (error) {
			throw toStoreError(error, shown);
		}
	};

	const read: Engine['read'] = async work =>
		attempt(async () => database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work));
	const write: Engine['write'] = async work => attempt(async () => commit(database, shown, work));
	const writeAccount = createWriteQueues(write);
	return {
		canWriteInWith: true,
		elementsOf: json => sql`jsonb_array_elements(cast(${json} as jsonb)) as element (value)`,
		...parts,
		query: async work => attempt(async () => work(database)),
		read,
		readMuch: read,
		write,
		// A write in a queue is under way, too.
		writeAccount: async (accountId, work) => follow(writeAccount(accountId, work)),
		// Where the database is away, the next one comes soon enough.
		touch: async work => follow(work(database)),
		async close() {
			while (underWay.size > 0) {
				await Promise.allSettled(underWay);
			}
		},
	};
}

/** A commit that was not answered is not tried again. */
async function commit<Result>(database: Database, shown: string, work: (database: Database) => Promise<Result>): Promise<Result> {
	let isDone = false;
	try {
		return await database.transaction().execute(async transaction => {
			const result = await work(transaction);
			isDone = true;
			return result;
		});
	} catch (error) {
		throw isDone && isAway(error) ? unknownOutcome(shown, error) : error;
	}
}

/** Runs the writes of each account one after the other: each that waits for the row of its account would hold a connection. */
function createWriteQueues(write: Engine['write']): Engine['writeAccount'] {
	const lastWrites = new Map<number, Promise<unknown>>();

	return async (accountId, work) => {
		const before = lastWrites.get(accountId);
		const run = async (): ReturnType<typeof work> => {
			await setImmediate();
			try {
				await before;
			} catch (error) {
				// The writes behind one that has waited for the database have waited as long.
				if (isTrouble(error, 'unreachable')) {
					throw error;
				}
			}

			return write(work);
		};

		const own = run();
		lastWrites.set(accountId, own);
		try {
			return await own;
		} finally {
			if (lastWrites.get(accountId) === own) {
				lastWrites.delete(accountId);
			}
		}
	};
}
