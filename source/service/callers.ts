import {defaultAccount} from './default-account.ts';
import {hashKey, isSameHash} from './key-hash.ts';
import {type Account, type Accounts, type ListVersions} from './store/store.ts';

/** The sender of a request: the account of the key, and a name for the key that does not reveal it. */
export type Caller = {
	readonly accountId: number;
	/** The name of the account. */
	readonly account: string;
	readonly keyName: string;
	/** Of the key; `undefined` for one that is not stored, and so cannot be revoked. */
	readonly keyId: number | undefined;
	/** Of the account's lists, as they were when the key was checked. */
	readonly versions: ListVersions;
};

/** Finds the caller with a key; `undefined` for an invalid key. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;

const callerWith = (keyId: number | undefined, {id, name, versions}: Account): Caller => ({
	accountId: id, account: name, keyName: keyId === undefined ? 'ephemeral' : String(keyId), keyId, versions,
});

/** @param ephemeralKey - accepted for the account `default` while the service runs; not stored. */
export const createFindCaller = (accounts: Accounts, ephemeralKey: string | undefined): FindCaller => {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async key => {
		const hash = hashKey(key);
		if (ephemeralHash !== undefined && isSameHash(hash, ephemeralHash)) {
			const account = await accounts.find(defaultAccount);
			return account && callerWith(undefined, account);
		}

		// A caller cannot choose the hash that the index is searched by; the decision is a comparison in constant time.
		const found = await accounts.findKey(hash);
		return found !== undefined && isSameHash(hash, found.hash) ? callerWith(found.id, found.account) : undefined;
	};
};
