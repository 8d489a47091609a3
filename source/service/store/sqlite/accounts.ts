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
	ensure: async name => inTransaction(database, async transaction => ensureAccount(transaction, name)),
	isEmpty: async name => inSnapshot(database, async transaction => {
		const accountId = await findAccount(transaction, name);
		return accountId === undefined || isAccountEmpty(transaction, accountId);
	}),
	fill: async (name, content) => inTransaction(database, async transaction => {
		const accountId = await ensureAccount(transaction, name);
		const isEmpty = await isAccountEmpty(transaction, accountId);
		if (isEmpty) {
			await fillAccount(transaction, accountId, content);
		}

		return isEmpty;
	}),
});
