import {type InstalledRecord, type InstalledReleaseRecord} from '../../records.ts';
import {notFound} from '../store-errors.ts';
import {padded} from './padded.ts';
import {readRecords} from './read-records.ts';
import {getCurrentRelease} from './releases.ts';
import {type Database, parseStrings} from './tables.ts';

const columns = [
	'installed.id',
	'installed.ability_id',
	'installed.is_enabled',
	'installed.trigger_words',
	'installed.is_system_capability',
	'installed.is_agent_capability',
	'installed.last_updated',
	'abilities.name',
	'abilities.category',
	'abilities.image_file',
] as const;

const selectInstalled = (database: Database, accountId: number) =>
	database
		.selectFrom('installed')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.select(columns)
		.where('abilities.account_id', '=', accountId);

/** The few are found first: PostgreSQL would rather go through all of the account. */
const selectSome = (database: Database, accountId: number, ids: readonly number[]) =>
	database
		.with(name => name('chosen').materialized(), query => query
			.selectFrom('installed')
			.selectAll()
			.where(where => where.or([where('id', 'in', ids), where('ability_id', 'in', ids)])))
		.selectFrom('chosen as installed')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.select(columns)
		.where('abilities.account_id', '=', accountId);

type Row = Awaited<ReturnType<ReturnType<typeof selectInstalled>['execute']>>[number];

const toRecord = (row: Row): InstalledRecord => ({
	id: row.id,
	installed_cap_id: row.id,
	capability_id: row.ability_id,
	name: row.name,
	category: row.category,
	enabled: row.is_enabled === 1,
	trigger_words: parseStrings(row.trigger_words),
	last_updated: row.last_updated,
	image_file: row.image_file,
	// This service brings and pins no abilities of its own.
	default: false,
	system_capability: row.is_system_capability === 1,
	agent_capability: row.is_agent_capability === 1,
	shortcut: false,
});

export const listInstalled = async (database: Database, accountId: number): Promise<readonly InstalledRecord[]> =>
	readRecords(selectInstalled(database, accountId).orderBy('installed.id'), toRecord);

/** Finds them by their own ids or by those of their abilities: no number means both (`allocateId`). */
export const findInstalled = async (database: Database, accountId: number, ids: readonly number[]): Promise<ReadonlyMap<number, InstalledRecord>> => {
	const rows = await selectSome(database, accountId, padded(ids)).execute();
	return new Map(rows.map(row => toRecord(row)).flatMap(record => [[record.id, record], [record.capability_id, record]]));
};

/** Finds it by either id. */
export const getInstalled = async (database: Database, accountId: number, id: number): Promise<InstalledRecord> => {
	const found = await findInstalled(database, accountId, [id]);
	const record = found.get(id);
	if (record === undefined) {
		throw notFound('installed ability', id);
	}

	return record;
};

export const getInstalledRelease = async (database: Database, accountId: number, id: number): Promise<InstalledReleaseRecord> => {
	const installed = await getInstalled(database, accountId, id);
	const release = await getCurrentRelease(database, installed.capability_id);
	return {
		...installed,
		release_id: release.id,
		version: String(release.version),
		is_committed: release.isCommitted,
	};
};
