import {Buffer} from 'node:buffer';
import {hash, randomBytes, timingSafeEqual} from 'node:crypto';
import QuickLru from 'quick-lru';
import type {KeyRights} from '../interface/key-rights.ts';
import {type Account, type Author, type ListVersions, thisMachine} from './store/changes.ts';
import type {Accounts, FoundKey, Store} from './store/store.ts';

export const defaultAccount = 'default';

/** Returns a new key: 256 random bits, with a prefix that people and secret scanners recognize. */
export function generateKey(): string {
	return `sb_${randomBytes(32).toString('base64url')}`;
}

/**
Returns the hash of a key, which is stored in its place. A slow, salted hash protects passwords that can be guessed; 256 random bits cannot
be guessed, so a plain SHA-256 reveals nothing, and an index can be used.
*/
export function hashKey(key: string): Uint8Array {
	// Asked for a buffer, Node.js 24 takes three times as long; each request is hashed.
	return Buffer.from(hash('sha256', key, 'binary'), 'binary');
}

/** The sender of a request: the account of its key, and a name for the key that does not reveal it. */
export type Caller = {
	readonly accountId: number;
	readonly account: string;
	readonly keyName: string;
	/** The id of the key; `undefined` for a key that is not stored and so cannot be revoked. */
	readonly keyId: number | undefined;
	/** For the history. */
	readonly author: Author;
	readonly rights: KeyRights;
	/** True for the key of an `ssh-serve`, which names the person behind each request. */
	readonly isForSsh: boolean;
	/** When the key ends, as ISO 8601; `undefined` for never. */
	readonly expiresAt: string | undefined;
	/** The versions of the account's lists when the key was checked. */
	readonly versions: ListVersions;
};

/**
Finds the caller with a key, which may have ended (`isOver`); `undefined` for an invalid key.

@param via - the origin of the request (`Author`).
*/
export type FindCaller = (key: string, via: string) => Promise<Caller | undefined>;

/** Tells whether a key has ended. */
export function isOver({expiresAt}: Pick<Caller, 'expiresAt'>): boolean {
	return expiresAt !== undefined && expiresAt <= new Date().toISOString();
}

const callerWith = (key: Omit<FoundKey, 'account' | 'hash'> | undefined, {id, name, versions}: Account, via: string): Caller => ({
	accountId: id,
	account: name,
	keyName: key === undefined ? 'ephemeral' : String(key.id),
	keyId: key?.id,
	author: {name: key?.name ?? 'local', person: '', via},
	rights: key?.rights ?? 'all',
	isForSsh: key?.isForSsh ?? false,
	expiresAt: key?.expiresAt,
	versions,
});

/** @param ephemeralKey - accepted for the account `default` while the service runs; not stored. */
export function createFindCaller(accounts: Accounts, ephemeralKey: string | undefined): FindCaller {
	const ephemeralHash = ephemeralKey === undefined ? undefined : hashKey(ephemeralKey);

	return async (key, via) => {
		const keyHash = hashKey(key);
		if (ephemeralHash !== undefined && timingSafeEqual(keyHash, ephemeralHash)) {
			const account = await accounts.find(defaultAccount);
			return account && callerWith(undefined, account, thisMachine);
		}

		// A caller cannot choose the hash that the index looks up.
		const found = await accounts.findKey(keyHash);
		return found && callerWith(found, found.account, via);
	};
}

const minuteMilliseconds = 60_000;

/** Keys that are used within this time are stored together, after their requests are answered. */
const delayMilliseconds = 1000;

/**
Stores when each key was used last, to the minute, and so once a minute at most. No request waits for it: a time that cannot be stored at
once, as on a full disk or while another process writes, is left to a later minute.
*/
export function createKeyUse({accounts, checkVersion}: Pick<Store, 'accounts' | 'checkVersion'>) {
	// Where more keys are in use, their times are stored more often.
	const minutes = new QuickLru<number, number>({maxSize: 10_000});
	let unstored = new Set<number>();
	let timer: NodeJS.Timeout | undefined;

	const store = async (): Promise<void> => {
		timer = undefined;
		const ids = [...unstored];
		unstored = new Set();
		try {
			await checkVersion();
			await accounts.markUsed(ids, new Date(Math.floor(Date.now() / minuteMilliseconds) * minuteMilliseconds));
		} catch {
			// The time of the next use is newer.
		}
	};

	return {
		/** Notes that a key is used now. */
		note({keyId}: Caller): void {
			const minute = Math.floor(Date.now() / minuteMilliseconds);
			if (keyId === undefined || minutes.get(keyId) === minute) {
				return;
			}

			minutes.set(keyId, minute);
			unstored.add(keyId);
			timer ??= setTimeout(() => {
				void store();
			}, delayMilliseconds).unref();
		},
		close: (): void => clearTimeout(timer),
	};
}
