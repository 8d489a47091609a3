import {type ClientBase} from 'pg';
import {newerDatabase} from '../database-version.ts';
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

const applyStep = async (client: ClientBase, sql: string, number: number, shown: string): Promise<void> => {
	await client.query('begin');
	try {
		await client.query(`select pg_advisory_xact_lock(${lock})`);
		await refuseForeignSchema(client, shown);
		// Another process may have applied it while this one waited for the lock.
		if (await readVersion(client) < number) {
			await client.query(`
				create schema if not exists switchboard;
				comment on schema switchboard is '${owner}';
				create table if not exists switchboard.migrations (number integer primary key, applied_at timestamptz not null default now());
				${sql};
				insert into switchboard.migrations (number) values (${number})`);
		}

		await client.query('commit');
	} catch (error) {
		await client.query('rollback');
		throw error;
	}
};

/**
Applies the steps that the database has not seen, each in a transaction of its own, one process at a time: one that fails leaves the
database at the step before. Everything lies in the schema `switchboard`; the rest of the database is not looked at.

@param shown - the database as it may be shown
@param steps - given by tests only.
@throws SwitchboardError `unexpected` if the database is newer than this program, or the schema of another program.
*/
export const migrate = async (client: ClientBase, shown: string, steps: readonly string[] = migrations): Promise<void> => {
	await refuseForeignSchema(client, shown);
	const version = await readVersion(client);
	refuseNewer(version, shown, steps);

	for (const [index, step] of steps.entries()) {
		if (index >= version) {
			await applyStep(client, step, index + 1, shown);
		}
	}
};
