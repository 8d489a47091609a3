import {type Database} from './tables.ts';

/**
A new id. Agents, abilities, installed abilities and releases share one sequence, and ids of what was deleted do not
come back. That is what lets the service understand clients that send an ability's id where its installed record's id
is meant, as `openhome-cli` does: the number can mean one thing only.
*/
export const allotIdentifier = async (database: Database): Promise<number> => {
	const {id} = await database.insertInto('identifiers').defaultValues().returning('id').executeTakeFirstOrThrow();
	return id;
};
