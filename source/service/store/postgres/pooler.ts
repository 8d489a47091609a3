import {type Client} from 'pg';
import {SwitchboardError} from '../../../interface/errors.ts';
import {unreachable} from '../store-errors.ts';

/** A pooler that keeps others waiting for longer has too few connections. */
export const poolerMilliseconds = 5000;

const rounds = 3;

const sharedSessions = (shown: string): SwitchboardError => new SwitchboardError(
	'refused',
	`A pooler in front of the database ${shown} gives each transaction, or each statement, another session, which Switchboard cannot use.`,
	{nextStep: 'Set its pool mode to session (pool_mode = session for PgBouncer), or use the address of the database itself.'},
);

/** The process of the server that works for a client. */
const backendOf = async (client: Client): Promise<unknown> => {
	const {rows} = await client.query<{readonly pid: number}>('select pg_backend_pid() as pid');
	return rows[0]?.pid;
};

/** The same as the server, or a pooler in its place, said when the connection was made. */
const announcedBackendOf = (client: Client): unknown => (client as Client & {readonly processID?: unknown}).processID;

const begin = async (other: Client, shown: string): Promise<void> => {
	try {
		await other.query('begin');
	} catch (error) {
		// PgBouncer allows no transactions where it pools statements.
		if ((error as {readonly code?: unknown}).code === '08P01') {
			throw sharedSessions(shown);
		}

		if (error instanceof Error && error.message === 'Query read timeout') {
			throw unreachable(shown, new Error('the pooler in front of it has no second connection', {cause: error}), 'Make its pool larger: a process of the service uses up to 12 connections.');
		}

		throw error;
	}
};

/**
Refuses a pooler that shares sessions between its clients: settings of a session, what it listens to and its prepared statements would get
lost, or be those of another client. Poolers make up the number of the server's process that a client is told, so anything else is not looked
at closer. Then, while a second client is in a transaction, either both have had the same process, or the first one gets another than before.

@param connect - opens the second connection, which waits for no longer than `poolerMilliseconds`.
*/
export const refuseSharedSessions = async (client: Client, connect: () => Promise<Client>, shown: string): Promise<void> => {
	const own = await backendOf(client);
	if (own === announcedBackendOf(client)) {
		return;
	}

	const other = await connect();
	try {
		for (let round = 0; round < rounds; round++) {
			await begin(other, shown);
			const backends = [await backendOf(other), await backendOf(client)];
			await other.query('rollback');
			if (backends[0] === own || backends[1] !== own) {
				throw sharedSessions(shown);
			}
		}
	} finally {
		await other.end();
	}
};
