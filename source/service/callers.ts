import {defaultAccount} from './default-account.ts';
import {hashKey, isSameHash} from './key-hash.ts';
import {type Accounts} from './store/store.ts';

/** The sender of a request: the account of the key, and a name for the key that does not reveal it. */
export type Caller = {
	readonly accountId: number;
	readonly keyName: string;
};

/** Finds the caller with a key; `undefined` for an invalid key. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;

/** @param ephemeralKey - accepted for the account `default` while the service runs; not stored. */
export const createFindCaller = (accounts: Accounts, ephemeralKey: string | undefined): FindCaller => {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async key => {
		const hash = hashKey(key);
		if (ephemeralHash !== undefined && isSameHash(hash, ephemeralHash)) {
			const accountId = await accounts.find(defaultAccount);
			return accountId === undefined ? undefined : {accountId, keyName: 'ephemeral'};
		}

		// A caller cannot choose the hash that the index is searched by; the decision is a comparison in constant time.
		const found = await accounts.findKey(hash);
		return found !== undefined && isSameHash(hash, found.hash) ? {accountId: found.accountId, keyName: String(found.id)} : undefined;
	};
};
