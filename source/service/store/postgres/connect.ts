import process from 'node:process';
import {
	type Client,
	type ClientBase,
	type ClientConfig,
	type CustomTypesConfig,
} from 'pg';
import {asAnswer} from './failures.ts';
import {connectionOf, createBoundClient} from './tls.ts';

/** `pg`, which is loaded only where a PostgreSQL is used. */
export const loadPg = async () => {
	// It announces on standard error what its next version changes, as when it reads the file of PGPASSFILE: nothing to whoever runs this program.
	process.noDeprecation = true;
	return (await import('pg')).default;
};

export type Pg = Awaited<ReturnType<typeof loadPg>>;

/** The server ends what takes longer, so that it holds up nothing for long: in a service, which must have answered when it stops, sooner. */
export const statementMilliseconds = {service: 12_000, copy: 30_000} as const;

/** How much longer the server has to say that it ended a statement. After that it answers nothing any more. */
const graceMilliseconds = 3000;

/** How long work waits for another session that has locked a table, as a migration does. */
const tableLockMilliseconds = 1500;

/** How long a transaction waits for others that write to the same account. */
export const rowLockMilliseconds = 10_000;

/**
Settings of a session, and not parameters of the connection: poolers refuse those. A commit that was answered must survive a crash of the
server, so `synchronous_commit` is not off, whatever the server, the database or the role says, then and later; other values are the operator's choice.
*/
const sessionSettings = (milliseconds: number): string => `
	set search_path = switchboard;
	set statement_timeout = ${milliseconds};
	set lock_timeout = ${tableLockMilliseconds};
	set idle_in_transaction_session_timeout = 60000;
	select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end, false)`;

/** Numbers of 64 bits: ids and sizes, which stay far below where JavaScript's numbers lose count. */
const int8 = 20;

/** How `pg` connects. The variables that it knows (`PGPASSFILE`, `PGHOST` …) fill in what the URL leaves out. */
const clientConfig = (pg: Pg, url: string) => {
	const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
		oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format) as unknown;
	const {config, isBindingRequired} = connectionOf(pg, url);
	return {
		Client: isBindingRequired ? createBoundClient(pg) : pg.Client,
		config: {
			...config,
			application_name: 'switchboard',
			connectionTimeoutMillis: 5000,
			keepAlive: true,
			types: {getTypeParser},
		} satisfies ClientConfig,
	};
};

/** The connection is watched for its end, or what is asked on it rejected; an event without a listener would end the process. */
const ignoreEvents = (client: ClientBase): void => {
	client.on('error', () => undefined);
};

/**
A connection of its own, which the caller ends.

@throws ConnectionLostError, or what the server answers
*/
export const connectAlone = async (pg: Pg, url: string, limits: Pick<ClientConfig, 'query_timeout'> = {}): Promise<Client> => {
	const {Client, config} = clientConfig(pg, url);
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
};

/** The connections that do the work. Those that are lost are replaced. */
export const createPool = (pg: Pg, url: string, {connectionCount, milliseconds}: {readonly connectionCount: number; readonly milliseconds: number}) => {
	const {Client, config} = clientConfig(pg, url);
	const pool = new pg.Pool({
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
};
