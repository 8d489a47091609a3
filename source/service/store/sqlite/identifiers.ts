import {type Database} from './tables.ts';

/**
A new id. Agents, abilities, installed abilities and releases share one sequence, and the id of something deleted never
comes back (see `Installed` in `store.ts` for the reason).
*/
export const allotIdentifier = async (database: Database): Promise<number> => {
	const {id} = await database.insertInto('identifiers').defaultValues().returning('id').executeTakeFirstOrThrow();
	return id;
};
