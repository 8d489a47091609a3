import {hashKey, isSameHash} from './key-text.ts';
import {defaultAccount} from './store/sqlite/accounts.ts';
import {type Database} from './store/sqlite/store.ts';

/** Who asks: the account that the key belongs to, and a name for the key that is not the key. */
export type Caller = {
	readonly accountId: number;
	readonly keyName: string;
};

/** Finds whose key it is; `undefined` for a key of nobody's. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;

/** @param ephemeralKey - accepted for the account `default` while the service runs; stored nowhere. */
export const createFindCaller = (database: Database, ephemeralKey: string | undefined): FindCaller => {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async key => {
		const hash = hashKey(key);
		if (ephemeralHash !== undefined && isSameHash(hash, ephemeralHash)) {
			const account = await database.selectFrom('accounts').select('id').where('name', '=', defaultAccount).executeTakeFirst();
			return account && {accountId: account.id, keyName: 'ephemeral'};
		}

		// The index is searched by a hash that nobody can aim at; the last word has a comparison in constant time.
		const row = await database.selectFrom('api_keys').select(['id', 'account_id', 'hash']).where('hash', '=', hash).executeTakeFirst();
		return row !== undefined && isSameHash(hash, row.hash) ? {accountId: row.account_id, keyName: String(row.id)} : undefined;
	};
};
