import {type Database} from './tables.ts';

/**
A new id. Agents, abilities, installed abilities and releases share one sequence, and the id of something deleted never
comes back (see `Installed` in `store.ts` for the reason).
*/
export const allocateId = async (database: Database): Promise<number> => {
	const {id} = await database.insertInto('identifiers').defaultValues().returning('id').executeTakeFirstOrThrow();
	return id;
};

/** The ids of all abilities, or all agents, of an account. */
export const findOwnedIds = async (database: Database, table: 'abilities' | 'agents', accountId: number): Promise<ReadonlySet<number>> => {
	const rows = await database.selectFrom(table).select('id').where('account_id', '=', accountId).execute();
	return new Set(rows.map(({id}) => id));
};
