import {hash, randomBytes, timingSafeEqual} from 'node:crypto';
import {
	type Account,
	type Author,
	type ListVersions,
	thisMachine,
} from './store/changes.ts';
import type {Accounts} from './store/store.ts';

/** The account that is used by default. */
export const defaultAccount = 'default';

/** A new key: 256 random bits, with a prefix that people and secret scanners recognize. */
export const generateKey = (): string => `sb_${randomBytes(32).toString('base64url')}`;

/**
The hash of a key, which is stored in its place. A slow, salted hash protects passwords that can be guessed; 256 random bits
cannot be guessed, so a plain SHA-256 reveals nothing, and an index can find it.
*/
export const hashKey = (key: string): Uint8Array => hash('sha256', key, 'buffer');

/** The sender of a request: the account of the key, and a name for the key that does not reveal it. */
export type Caller = {
	readonly accountId: number;
	/** The name of the account. */
	readonly account: string;
	readonly keyName: string;
	/** Of the key; `undefined` for one that is not stored, and so cannot be revoked. */
	readonly keyId: number | undefined;
	/** For the history. */
	readonly author: Author;
	/** Of the account's lists, as they were when the key was checked. */
	readonly versions: ListVersions;
};

/**
Finds the caller with a key; `undefined` for an invalid key.

@param via - the way that the request came (`Author`).
*/
export type FindCaller = (key: string, via: string) => Promise<Caller | undefined>;

const callerWith = (keyId: number | undefined, {id, name, versions}: Account, author: Author): Caller => ({
	accountId: id, account: name, keyName: keyId === undefined ? 'ephemeral' : String(keyId), keyId, author, versions,
});

/** @param ephemeralKey - accepted for the account `default` while the service runs; not stored. */
export const createFindCaller = (accounts: Accounts, ephemeralKey: string | undefined): FindCaller => {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async (key, via) => {
		const keyHash = hashKey(key);
		if (ephemeralHash !== undefined && timingSafeEqual(keyHash, ephemeralHash)) {
			const account = await accounts.find(defaultAccount);
			return account && callerWith(undefined, account, {name: 'local', person: '', via: thisMachine});
		}

		// A caller cannot choose the hash that the index is searched by.
		const found = await accounts.findKey(keyHash);
		return found && callerWith(found.id, found.account, {name: found.name, person: '', via});
	};
};
