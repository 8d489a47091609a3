import {padded} from './padded.ts';
import {type Database} from './tables.ts';

/**
A new id. Agents, abilities, installed abilities and releases share one sequence, and the id of something deleted never
comes back (see `Installed` in `store.ts` for the reason).
*/
export const allocateId = async (database: Database): Promise<number> => {
	const {id} = await database.insertInto('identifiers').defaultValues().returning('id').executeTakeFirstOrThrow();
	return id;
};

/** So many values fit into one statement of every database. */
const maximumValues = 1000;

/** Removes the ids of records that were deleted: no quota counts them. The sequence goes on, so they do not come back. */
export const removeIds = async (database: Database, ids: readonly number[]): Promise<void> => {
	for (let start = 0; start < ids.length; start += maximumValues) {
		await database.deleteFrom('identifiers').where('id', 'in', padded(ids.slice(start, start + maximumValues))).execute();
	}
};

/** The ids of all abilities, or all agents, of an account. */
export const findOwnedIds = async (database: Database, table: 'abilities' | 'agents', accountId: number): Promise<ReadonlySet<number>> => {
	const rows = await database.selectFrom(table).select('id').where('account_id', '=', accountId).execute();
	return new Set(rows.map(({id}) => id));
};
