import {foldName} from '../../../interface/fold-name.ts';
import {type Accounts} from '../store.ts';
import {ensureAccount} from './accounts.ts';
import {type Engine} from './engine.ts';
import {createFindKey} from './find-key.ts';
import {padded} from './padded.ts';
import {type Database} from './tables.ts';
import {accountOf, withinAccount} from './write-account.ts';

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

export const keyVerbs = (engine: Engine): Pick<Accounts, 'addKey' | 'listKeys' | 'removeKeys' | 'keysLeft' | 'findKey'> => ({
	addKey: async (account, hash, chooseName) => engine.write(async transaction => {
		const accountId = await ensureAccount(transaction, account);
		const {result} = await withinAccount(engine, transaction, accountOf(accountId), async () => {
			const name = chooseName(await namesOfKeys(transaction, accountId));
			const {id} = await transaction
				.insertInto('api_keys')
				.values({
					account_id: accountId,
					name,
					folded_name: foldName(name),
					hash,
					created_at: new Date().toISOString(),
				})
				.returning('id')
				.executeTakeFirstOrThrow();
			return {id, name};
		});
		return result;
	}),
	// The rows of `node:sqlite` have no prototype.
	listKeys: async () => engine.query(async database => (await selectKeys(database).execute()).map(row => ({...row}))),
	removeKeys: async choose => engine.write(async transaction => {
		const chosen = choose(await selectKeys(transaction).execute());
		if (chosen.length > 0) {
			await transaction.deleteFrom('api_keys').where('id', 'in', chosen.map(({id}) => id)).execute();
		}

		return chosen;
	}),
	keysLeft: async ids => engine.query(async database => {
		const rows = await database.selectFrom('api_keys').select('id').where('id', 'in', padded(ids)).execute();
		return new Set(rows.map(row => row.id));
	}),
	findKey: createFindKey(engine),
});
