import {starterAgent} from '../starter-agent.ts';
import {type Accounts} from '../store.ts';
import {insertAgent} from './agents.ts';
import {fillAccount} from './fill-account.ts';
import {type Database, flag} from './tables.ts';
import {inSnapshot, inTransaction} from './transactions.ts';

const findAccount = async (database: Database, name: string): Promise<number | undefined> => {
	const row = await database.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst();
	return row?.id;
};

const createAccount = async (database: Database, name: string): Promise<number> => {
	const {id} = await database
		.insertInto('accounts')
		.values({name, created_at: new Date().toISOString()})
		.returning('id')
		.executeTakeFirstOrThrow();
	await insertAgent(database, id, {...starterAgent, isStarter: true});
	return id;
};

/** The id of an account, which is created on first use, within a transaction. */
export const ensureAccount = async (database: Database, name: string): Promise<number> =>
	await findAccount(database, name) ?? createAccount(database, name);

const isAccountEmpty = async (database: Database, accountId: number): Promise<boolean> => {
	const ability = await database.selectFrom('abilities').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst();
	const agent = await database
		.selectFrom('agents')
		.select('id')
		.where('account_id', '=', accountId)
		.where('is_starter', '=', flag(false))
		.limit(1)
		.executeTakeFirst();
	return ability === undefined && agent === undefined;
};

export const accountVerbs = (database: Database): Pick<Accounts, 'find' | 'ensure' | 'isEmpty' | 'fill'> => ({
	find: async name => findAccount(database, name),
	ensure: async name => inTransaction(database, async within => ensureAccount(within, name)),
	isEmpty: async name => inSnapshot(database, async within => {
		const accountId = await findAccount(within, name);
		return accountId === undefined || isAccountEmpty(within, accountId);
	}),
	fill: async (name, home) => inTransaction(database, async within => {
		const accountId = await ensureAccount(within, name);
		const isEmpty = await isAccountEmpty(within, accountId);
		if (isEmpty) {
			await fillAccount(within, accountId, home);
		}

		return isEmpty;
	}),
});
