import {starterAgent} from '../../sample/starter-agent.ts';
import {allotIdentifier} from './identifiers.ts';
import {type Database} from './store.ts';
import {flag} from './tables.ts';

/** The account that is meant where none is named. */
export const defaultAccount = 'default';

const now = (): string => new Date().toISOString();

/** The id of an account, which is made on first use with one agent in it. Within a transaction. */
export const ensureAccount = async (database: Database, name: string): Promise<number> => {
	const existing = await database.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst();
	if (existing !== undefined) {
		return existing.id;
	}

	const {id} = await database
		.insertInto('accounts')
		.values({name, created_at: now()})
		.returning('id')
		.executeTakeFirstOrThrow();
	await database
		.insertInto('agents')
		.values({
			id: await allotIdentifier(database),
			account_id: id,
			...starterAgent,
			is_starter: flag(true),
		})
		.execute();
	return id;
};

/** True while an account holds nothing that somebody put there: no ability, and no agent but the untouched first one. */
export const isAccountEmpty = async (database: Database, accountId: number): Promise<boolean> => {
	const ability = await database.selectFrom('abilities').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst();
	const agent = await database
		.selectFrom('agents')
		.select('id')
		.where('account_id', '=', accountId)
		.where('is_starter', '=', 0)
		.limit(1)
		.executeTakeFirst();
	return ability === undefined && agent === undefined;
};
