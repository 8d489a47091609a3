import {type ListVersions} from '../store.ts';
import {type Database} from './tables.ts';
import {toVersions, versionColumns} from './write-account.ts';

/** The versions of the lists of all accounts. */
export const readVersions = async (database: Database): Promise<ReadonlyArray<{readonly id: number; readonly versions: ListVersions}>> => {
	const rows = await database.selectFrom('accounts').select(['id', ...versionColumns]).execute();
	return rows.map(row => ({id: row.id, versions: toVersions(row)}));
};
