import {type ListVersions} from '../store.ts';
import {type Database} from './tables.ts';

/** The columns of an account that hold the versions of its lists. */
export const versionColumns = ['agents_version', 'abilities_version', 'installed_version'] as const;

type VersionRow = Readonly<Record<typeof versionColumns[number], string>>;

export const toVersions = (row: VersionRow): ListVersions => ({
	agents: row.agents_version,
	abilities: row.abilities_version,
	installed: row.installed_version,
});

/** The versions of the lists of all accounts. */
export const readVersions = async (database: Database): Promise<ReadonlyArray<{readonly id: number; readonly versions: ListVersions}>> => {
	const rows = await database.selectFrom('accounts').select(['id', ...versionColumns]).execute();
	return rows.map(row => ({id: row.id, versions: toVersions(row)}));
};
