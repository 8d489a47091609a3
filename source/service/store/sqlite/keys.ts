import {type Accounts} from '../store.ts';
import {ensureAccount} from './accounts.ts';
import {type Database} from './tables.ts';
import {inTransaction} from './transactions.ts';

const selectKeys = (database: Database) =>
	database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name', 'accounts.name as account', 'api_keys.created_at'])
		.orderBy('api_keys.id');

const namesOfKeys = async (database: Database, accountId: number): Promise<readonly string[]> => {
	const rows = await database.selectFrom('api_keys').select('name').where('account_id', '=', accountId).execute();
	return rows.map(row => row.name);
};

export const keyVerbs = (database: Database): Pick<Accounts, 'addKey' | 'listKeys' | 'removeKeys' | 'findKey'> => ({
	addKey: async (account, hash, chooseName) => inTransaction(database, async transaction => {
		const accountId = await ensureAccount(transaction, account);
		const name = chooseName(await namesOfKeys(transaction, accountId));
		const {id} = await transaction
			.insertInto('api_keys')
			.values({
				account_id: accountId,
				name,
				hash,
				created_at: new Date().toISOString(),
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		return {id, name};
	}),
	// The rows of `node:sqlite` have no prototype.
	listKeys: async () => (await selectKeys(database).execute()).map(row => ({...row})),
	removeKeys: async choose => inTransaction(database, async transaction => {
		const ids = choose(await selectKeys(transaction).execute());
		await transaction.deleteFrom('api_keys').where('id', 'in', ids).execute();
		return ids;
	}),
	async findKey(hash) {
		const row = await database.selectFrom('api_keys').select(['id', 'account_id', 'hash']).where('hash', '=', hash).executeTakeFirst();
		return row && {id: row.id, accountId: row.account_id, hash: row.hash};
	},
});
