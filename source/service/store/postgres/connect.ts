import process from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import type {Client, ClientBase, ClientConfig, CustomTypesConfig} from 'pg';
import {SwitchboardError} from '../../../interface/errors.ts';
import {withoutPassword} from '../../../platform/secret-variables.ts';
import {unreachable} from '../../store-errors.ts';
import {asAnswer, isAway, toOpenError} from './failures.ts';
import {connectionOf, warningsForDatabase} from './tls.ts';

/**
Tries again, a little later each time, as long as an error passes by itself and patience lasts.

@throws the last error
*/
export async function retry<Result>(attempt: () => Promise<Result>, isPassing: (error: unknown) => boolean): Promise<Result> {
	// How long work waits for a database that is away.
	const deadline = performance.now() + 5000;
	for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
		try {
			return await attempt();
		} catch (error) {
			if (!isPassing(error) || performance.now() + pause > deadline) {
				throw error;
			}

			await delay(pause);
		}
	}
}

/** Warnings for the person who starts a service on this database, about the way to it. */
export async function warningsForUrl(url: string): Promise<readonly string[]> {
	return warningsForDatabase(await loadPg(), url);
}

/** `pg`, which is loaded only where a PostgreSQL is used. */
async function loadPg() {
	// Its warnings about its next version on standard error, as when it reads the file of PGPASSFILE, are for programmers.
	process.noDeprecation = true;
	return (await import('pg')).default;
}

/**
The server ends what takes longer, so that it holds up nothing for long: in a service, which must have answered when it stops, sooner.
*/
export const statementMilliseconds = {service: 12_000, copy: 30_000} as const;

/** How much longer the server has to say that it ended a statement. After that it answers nothing any more. */
const graceMilliseconds = 3000;

/** How long a transaction waits for others that write to the same account. */
export const rowLockMilliseconds = 10_000;

/** Numbers of 64 bits: ids and sizes, which stay far below where JavaScript's numbers lose count. */
const int8 = 20;

/** Returns the connections that do the work, and replaces lost ones. */
export async function createPool(
	url: string,
	{connectionCount, milliseconds}: {readonly connectionCount: number; readonly milliseconds: number},
) {
	const {Pool, Client, config} = await clientConfig(url);
	const pool = new Pool({
		...config,
		Client,
		query_timeout: milliseconds + graceMilliseconds,
		max: connectionCount,
		idleTimeoutMillis: 60_000,
		async onConnect(client) {
			ignoreEvents(client);
			await client.query(sessionSettings(milliseconds));
		},
	});
	pool.on('error', () => undefined);
	return pool;
}

/** Returns how `pg` connects. The variables that it knows (`PGPASSFILE`, `PGHOST` …) fill in what the URL leaves out. */
async function clientConfig(url: string) {
	const pg = await loadPg();
	const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
		oid === int8 && format !== 'binary' ? Number : (pg.types.getTypeParser(oid, format) as unknown);
	const {config, Client} = connectionOf(pg, url);
	return {
		Pool: pg.Pool,
		Client,
		config: {
			...config,
			application_name: 'switchboard',
			// `pg` sends and reads UTF-8 whatever the URL or PGCLIENT_ENCODING say.
			client_encoding: 'utf8',
			connectionTimeoutMillis: 5000,
			keepAlive: true,
			types: {getTypeParser},
		} satisfies ClientConfig,
	};
}

/** The connection is watched for its end, or what is asked on it rejected; an event without a listener would end the process. */
function ignoreEvents(client: ClientBase): void {
	client.on('error', () => undefined);
}

/**
Settings of a session, and not parameters of the connection: poolers refuse those. A commit that was answered must survive a crash of the
server, so `synchronous_commit` is not off, whatever the server, the database or the role says, then and later; other values are the
operator's choice.
*/
const sessionSettings = (milliseconds: number): string => `
	set search_path = switchboard;
	set statement_timeout = ${milliseconds};
	-- For another session that has locked a table, as a migration does.
	set lock_timeout = 1500;
	set idle_in_transaction_session_timeout = 60000;
	select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end, false)`;

/**
Does work on a separate connection. Waits for a database that is just starting, so the work may begin again.

@throws SwitchboardError if it cannot be reached or used.
*/
export async function withConnection<Result>(url: string, work: (client: ClientBase) => Promise<Result>): Promise<Result> {
	const shown = withoutPassword(url);
	try {
		return await retry(async () => {
			const client = await connectAlone(url);
			try {
				await refuseSharedSessions(client, url, shown);
				return await work(client);
			} finally {
				await client.end();
			}
		}, isAway);
	} catch (error) {
		throw toOpenError(error, shown);
	}
}

/**
Returns a separate connection, which the caller ends.

@throws ConnectionLostError, or what the server answers
*/
async function connectAlone(url: string, limits: Pick<ClientConfig, 'query_timeout'> = {}): Promise<Client> {
	const {Client, config} = await clientConfig(url);
	const client = new Client({...config, ...limits});
	ignoreEvents(client);
	try {
		await client.connect();
	} catch (error) {
		// A server that refuses may leave the connection open, and with it this process.
		client.connection.stream.destroy();
		throw asAnswer(error);
	}

	return client;
}

/**
Refuses a pooler that shares sessions between its clients: settings of a session and its prepared statements would get lost, or be those of
another client. Poolers make up the number of the server's process that they announce, so anything else is not looked at closer. Then, while
a second client is in a transaction, either both have had the same process, or the first one gets another than before.
*/
async function refuseSharedSessions(client: Client, url: string, shown: string): Promise<void> {
	const own = await backendOf(client);
	// `processID` is the number that the server, or a pooler in its place, announced when the connection was made.
	if (own === (client as Client & {readonly processID?: unknown}).processID) {
		return;
	}

	// A pooler that keeps others waiting for longer has too few connections.
	const other = await connectAlone(url, {query_timeout: 5000});
	try {
		for (let round = 0; round < 3; round++) {
			try {
				await other.query('begin');
			} catch (error) {
				if (error instanceof Error && error.message === 'Query read timeout') {
					const cause = new Error('the pooler in front of it has no second connection', {cause: error});
					throw unreachable(shown, cause, 'Make its pool larger: a process of the service uses up to 10 connections.');
				}

				// PgBouncer allows no transactions where it pools statements.
				throw (error as {readonly code?: unknown}).code === '08P01' ? sharedSessions(shown) : error;
			}

			const backends = [await backendOf(other), await backendOf(client)];
			await other.query('rollback');
			if (backends[0] === own || backends[1] !== own) {
				throw sharedSessions(shown);
			}
		}
	} finally {
		await other.end();
	}
}

/** Returns the process of the server that works for a client. */
async function backendOf(client: Client): Promise<unknown> {
	const {rows} = await client.query<{readonly pid: number}>('select pg_backend_pid() as pid');
	return rows[0]?.pid;
}

const sharedSessions = (shown: string): SwitchboardError =>
	new SwitchboardError(
		'refused',
		`A pooler in front of the database ${shown} gives each transaction, or each statement, another session, which Switchboard cannot use.`,
		{nextStep: 'Set its pool mode to session (pool_mode = session for PgBouncer), or use the address of the database itself.'},
	);
