import {type ClientBase} from 'pg';
import {earlierDatabase, type Migration, newerDatabase} from '../database-version.ts';
import {LocationError} from '../location-error.ts';
import {migrations} from './migrations.ts';

/** How to use another one (`LocationError`). */
const otherDatabase = (option = '--database-url or SWITCHBOARD_DATABASE_URL'): string => `use another database, named by ${option}`;

/** Marks the schema as ours. */
const owner = 'Switchboard';

/** All processes that migrate a database wait for this lock. The letters SWBD. */
const lock = 0x53_57_42_44;

const readOne = async (client: ClientBase, sql: string): Promise<unknown> => {
	const {rows} = await client.query<Record<string, unknown>>(sql);
	return Object.values(rows[0] ?? {})[0];
};

/** The number of the last step that was applied. */
export const readVersion = async (client: ClientBase): Promise<number> => {
	const table = await readOne(client, 'select to_regclass(\'switchboard.migrations\')');
	return table === null ? 0 : Number(await readOne(client, 'select coalesce(max(number), 0) from switchboard.migrations'));
};

/** A schema of another program is not changed. */
export const refuseForeignSchema = async (client: ClientBase, shown: string): Promise<void> => {
	const comment = await readOne(client, 'select coalesce(obj_description(oid, \'pg_namespace\'), \'\') from pg_namespace where nspname = \'switchboard\'');
	const isOurs = comment === undefined || comment === owner
		|| (comment === '' && await readOne(client, 'select count(*)::integer from pg_class where relnamespace = \'switchboard\'::regnamespace') === 0);
	if (!isOurs) {
		throw new LocationError('unexpected', `The schema “switchboard” of the database ${shown} is of another program.`, {
			elsewhere: otherDatabase,
			advise: elsewhere => `Rename it, or ${elsewhere}.`,
		});
	}
};

/** @throws SwitchboardError `unexpected` */
export const refuseNewer = (version: number, shown: string, steps: readonly string[] = migrations): void => {
	if (version > steps.length) {
		throw newerDatabase(shown, version, steps.length, otherDatabase);
	}
};

/**
Refuses a database that this program would have to migrate first, or cannot use.

@throws SwitchboardError `refused` or `unexpected`
*/
export const refuseOtherVersion = (version: number, shown: string): void => {
	refuseNewer(version, shown);
	if (version < migrations.length) {
		throw earlierDatabase(shown, version, migrations.length, 'switchboard migrate --database-url, with its URL.');
	}
};

/**
Applies the steps that the database has not seen, all in one transaction, one process at a time: if one fails, the database stays as it was.
Everything lies in the schema `switchboard`; the rest of the database is not looked at. Transactions that write have read the version
(`readSchemaVersion`) and hold its table until they end: this waits for them, and those that begin meanwhile wait for this and see the
new version.

@param shown - the database as it may be shown
@param steps - given by tests only.
@returns the version before and after.
@throws SwitchboardError `unexpected` if the database is newer than this program, or the schema of another program.
*/
export const migrate = async (client: ClientBase, shown: string, steps: readonly string[] = migrations): Promise<Migration> => {
	await client.query('begin');
	try {
		await client.query(`select pg_advisory_xact_lock(${lock})`);
		await refuseForeignSchema(client, shown);
		const from = await readVersion(client);
		refuseNewer(from, shown, steps);
		if (from === 0) {
			await client.query(`
				create schema if not exists switchboard;
				comment on schema switchboard is '${owner}';
				create table if not exists switchboard.migrations (number integer primary key, applied_at timestamptz not null default now())`);
		}

		if (from < steps.length) {
			await client.query('lock table switchboard.migrations in access exclusive mode');
		}

		for (const [index, step] of steps.entries()) {
			if (index >= from) {
				await client.query(`${step}; insert into switchboard.migrations (number) values (${index + 1})`);
			}
		}

		await client.query('commit');
		return {from, to: steps.length};
	} catch (error) {
		await client.query('rollback');
		throw error;
	}
};

/**
Creates the tables in a database that holds nothing of ours yet, and refuses one that it cannot use as it is.

@throws SwitchboardError `refused` or `unexpected`
*/
export const prepareSchema = async (client: ClientBase, shown: string): Promise<void> => {
	await refuseForeignSchema(client, shown);
	const version = await readVersion(client);
	if (version === 0) {
		await migrate(client, shown);
	} else {
		refuseOtherVersion(version, shown);
	}
};
