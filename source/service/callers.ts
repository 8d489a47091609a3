import {defaultAccount} from './default-account.ts';
import {hashKey, isSameHash} from './key-text.ts';
import {type Accounts} from './store/store.ts';

/** Who asks: the account that the key belongs to, and a name for the key that is not the key. */
export type Caller = {
	readonly accountId: number;
	readonly keyName: string;
};

/** Finds whose key it is; `undefined` for a key of nobody's. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;

/** @param ephemeralKey - accepted for the account `default` while the service runs; stored nowhere. */
export const createFindCaller = (accounts: Accounts, ephemeralKey: string | undefined): FindCaller => {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async key => {
		const hash = hashKey(key);
		if (ephemeralHash !== undefined && isSameHash(hash, ephemeralHash)) {
			const accountId = await accounts.find(defaultAccount);
			return accountId === undefined ? undefined : {accountId, keyName: 'ephemeral'};
		}

		// The index is searched by a hash that nobody can aim at; the last word has a comparison in constant time.
		const found = await accounts.findKey(hash);
		return found !== undefined && isSameHash(hash, found.hash) ? {accountId: found.accountId, keyName: String(found.id)} : undefined;
	};
};
