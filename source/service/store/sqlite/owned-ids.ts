import {type Database} from './tables.ts';

/** The ids of all that an account has of one kind. */
export const findOwnedIds = async (database: Database, table: 'abilities' | 'agents', accountId: number): Promise<ReadonlySet<number>> => {
	const rows = await database.selectFrom(table).select('id').where('account_id', '=', accountId).execute();
	return new Set(rows.map(({id}) => id));
};
