import process from 'node:process';
import {type ClientBase, type ClientConfig, type CustomTypesConfig} from 'pg';
import {asAnswer} from './failures.ts';

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

/** Settings of a session, and not parameters of the connection: poolers refuse those. */
const sessionSettings = (milliseconds: number): string => `
	set search_path = switchboard;
	set statement_timeout = ${milliseconds};
	set lock_timeout = ${tableLockMilliseconds};
	set idle_in_transaction_session_timeout = 60000`;

/** Parameters of a URL that `pg` does not take from the environment, or takes in a sense of its own. */
const tlsVariables: Readonly<Record<string, string>> = {
	sslmode: 'PGSSLMODE',
	sslrootcert: 'PGSSLROOTCERT',
	sslcert: 'PGSSLCERT',
	sslkey: 'PGSSLKEY',
};

/**
A URL whose TLS means the same as for PostgreSQL's own programs, also where it comes from the environment: `require` encrypts,
`verify-ca` and `verify-full` check the certificate.
*/
const withTlsOfLibpq = (url: string): string => {
	const full = new URL(url);
	for (const [parameter, variable] of Object.entries(tlsVariables)) {
		const value = process.env[variable];
		if (value !== undefined && value !== '' && !full.searchParams.has(parameter)) {
			full.searchParams.set(parameter, value);
		}
	}

	full.searchParams.set('uselibpqcompat', 'true');
	return full.href;
};

/** Numbers of 64 bits: ids and sizes, which stay far below where JavaScript's numbers lose count. */
const int8 = 20;

/** How `pg` connects. The variables that it knows (`PGPASSFILE`, `PGHOST` …) fill in what the URL leaves out. */
const clientConfig = (pg: Pg, url: string): ClientConfig => {
	const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
		oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format) as unknown;
	return {
		connectionString: withTlsOfLibpq(url),
		application_name: 'switchboard',
		connectionTimeoutMillis: 5000,
		keepAlive: true,
		types: {getTypeParser},
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
export const connectAlone = async (pg: Pg, url: string) => {
	const client = new pg.Client(clientConfig(pg, url));
	ignoreEvents(client);
	try {
		await client.connect();
	} catch (error) {
		throw asAnswer(error);
	}

	return client;
};

/** The connections that do the work. Those that are lost are replaced. */
export const createPool = (pg: Pg, url: string, {connectionCount, milliseconds}: {readonly connectionCount: number; readonly milliseconds: number}) => {
	const pool = new pg.Pool({
		...clientConfig(pg, url),
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
