import {type Database} from './tables.ts';

/** The ids of all abilities, or all agents, of an account. */
export const findOwnedIds = async (database: Database, table: 'abilities' | 'agents', accountId: number): Promise<ReadonlySet<number>> => {
	const rows = await database.selectFrom(table).select('id').where('account_id', '=', accountId).execute();
	return new Set(rows.map(({id}) => id));
};
