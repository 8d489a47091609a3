import {Buffer} from 'node:buffer';
import {setImmediate} from 'node:timers/promises';
import {SwitchboardError} from '../../../interface/errors.ts';
import {keyRights, type KeyRights} from '../../../interface/key-rights.ts';
import {foldName} from '../../../interface/name-index.ts';
import {type Account, type KeyTerms, plainTerms} from '../changes.ts';
import {ensureAccount, toAccount} from './accounts.ts';
import {type Database, type Engine, flag, idsOf, isKeyValid, padded, selectLocked, versionColumns} from './database.ts';
import {existing} from './history.ts';
import {accountOf, withinAccount} from './write-account.ts';

/** An API key as it is listed. The key itself is stored nowhere. */
export type StoredKey = Readonly<Awaited<ReturnType<typeof listKeys>>[number]>;

export type FoundKey = {
	readonly id: number;
	readonly name: string;
	readonly hash: Uint8Array;
	readonly rights: KeyRights;
	readonly isForSsh: boolean;
	readonly expiresAt: string | undefined;
	readonly account: Account;
};

/** A key that makes way for another one of its name. */
type Replacement = {
	readonly before: StoredKey;
	/** Its new name and end; it is removed without them. */
	readonly left: {readonly name: string; readonly expiresAt: string} | undefined;
	/** Keys of the account that are removed besides. */
	readonly forgotten: readonly StoredKey[];
};

export function keyVerbs(engine: Engine) {
	return {
		/**
	Adds a key to an account, and creates the account on first use.

	@param chooseName - given the names of the account's keys, returns the name of the new one.
	@param terms - by default it may do everything, without end.
	*/
		addKey: async (account: string, hash: Uint8Array, chooseName: (taken: readonly string[]) => string, terms = plainTerms) =>
			engine.write(async transaction => {
				const accountId = await ensureAccount(transaction, account);
				const {result} = await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
					const taken = await transaction.selectFrom('api_keys').select('name').where('account_id', '=', accountId).execute();
					const name = chooseName(taken.map(key => key.name));
					const id = await insertKey(transaction, {accountId, name, hash}, terms);
					note([existing('key', {id, name}, true)]);
					return {id, name};
				});
				return result;
			}),
		/**
	Adds a key with the name, the rights, the end and the timers of another one of the account, which makes way.

	@param choose - given all keys.
	@throws SwitchboardError `conflict` if it was removed meanwhile.
	*/
		replaceKey: async (hash: Uint8Array, choose: (keys: readonly StoredKey[]) => Replacement) =>
			engine.write(async transaction => {
				const {before, left, forgotten} = choose(await listKeys(transaction));
				const accountId = await ensureAccount(transaction, before.account);
				const {result} = await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
					if (forgotten.length > 0) {
						await transaction.deleteFrom('api_keys').where('id', 'in', idsOf(forgotten)).execute();
					}

					const gone = `The key “${before.name}” was revoked or replaced meanwhile. No key was changed.`;
					const refuse = () => new SwitchboardError('conflict', gone);
					if (left === undefined) {
						await transaction.deleteFrom('api_keys').where('id', '=', before.id).returning('id').executeTakeFirstOrThrow(refuse);
					} else {
						const values = {name: left.name, folded_name: foldName(left.name), expires_at: left.expiresAt};
						const update = transaction.updateTable('api_keys').set(values).where('id', '=', before.id);
						await update.returning('id').executeTakeFirstOrThrow(refuse);
					}

					const terms = {rights: before.rights, expiresAt: before.expires_at, isForSsh: before.for_ssh};
					const id = await insertKey(transaction, {accountId, name: before.name, hash}, terms);
					await transaction.updateTable('timers').set({key_id: id}).where('key_id', '=', before.id).execute();
					note([...forgotten, ...(left === undefined ? [before] : [])].map(key => existing('key', key, false)));
					note([existing('key', {id, name: before.name}, true)]);
					return {id, before, left};
				});
				return result;
			}),
		/** The keys of all accounts, oldest first. */
		listKeys: async (): Promise<readonly StoredKey[]> => engine.query(listKeys),
		/** Removes, and returns, the keys of all accounts that `choose` picks. */
		async removeKeys(choose: (keys: readonly StoredKey[]) => readonly StoredKey[]) {
			const {chosen, held} = await engine.write(async transaction => {
				const chosen = choose(await listKeys(transaction));
				return {chosen, held: await revokeKeys(engine, transaction, chosen)};
			});
			for (const each of held) {
				// The keys are revoked, whether the history has that or not.
				await engine.write(async transaction => noteRevoked(engine, transaction, each)).catch(() => undefined);
			}

			return chosen;
		},
		/** Those of these ids of keys that are not removed, and have not ended. */
		keysLeft: async (ids: readonly number[]): Promise<ReadonlySet<number>> =>
			engine.query(async database => {
				const rows = await database.selectFrom('api_keys').select('id').where('id', 'in', padded(ids)).where(isKeyValid()).execute();
				return new Set(rows.map(row => row.id));
			}),
		/** Stores when keys were used last. It is not worth a wait, and may fail. */
		markUsed: async (ids: readonly number[], at: Date) =>
			engine.touch(async database => {
				await database.updateTable('api_keys').set({last_used_at: at.toISOString()}).where('id', 'in', padded(ids)).execute();
			}),
		/** The key with that hash, and its account; `undefined` if there is none. */
		findKey: createFindKey(engine),
	};
}

async function insertKey(
	transaction: Database,
	{accountId, name, hash}: {readonly accountId: number; readonly name: string; readonly hash: Uint8Array},
	{rights, expiresAt, isForSsh}: KeyTerms,
): Promise<number> {
	const {id} = await transaction
		.insertInto('api_keys')
		.values({
			account_id: accountId,
			name,
			folded_name: foldName(name),
			hash,
			created_at: new Date().toISOString(),
			rights,
			expires_at: expiresAt,
			is_for_ssh: flag(isForSsh),
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

/** Returns plain objects: the rows of `node:sqlite` have no prototype. */
async function listKeys(database: Database) {
	const rows = await database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name', 'accounts.name as account', 'api_keys.created_at'])
		.select(['rights', 'is_for_ssh', 'last_used_at', 'expires_at'])
		.orderBy('api_keys.id')
		.execute();
	return rows.map(({is_for_ssh: isForSsh, rights, ...row}) => ({...row, rights: toRights(rights), for_ssh: isForSsh === 1}));
}

/** Rights that a later version knows, or that were written by hand, are the least. */
const toRights = (text: string): KeyRights => keyRights.find(each => each === text) ?? 'read-only';

type KeysOfAccount = {readonly accountId: number; readonly keys: readonly StoredKey[]};

/**
Revokes keys, and locks those of their accounts that nobody else has locked: revoking waits for nobody.

@returns the accounts that another process holds.
*/
async function revokeKeys(engine: Engine, transaction: Database, keys: readonly StoredKey[]): Promise<readonly KeysOfAccount[]> {
	const held: KeysOfAccount[] = [];
	for (const each of await groupByAccount(transaction, keys)) {
		await transaction.deleteFrom('api_keys').where('id', 'in', idsOf(each.keys)).execute();
		if ((await selectLocked(transaction, each.accountId).skipLocked().executeTakeFirst()) === undefined) {
			held.push(each);
		} else {
			await noteRevoked(engine, transaction, each);
		}
	}

	return held;
}

/** Returns the keys of each account; accounts are locked in the order of their ids, so that no two transactions wait for each other. */
async function groupByAccount(database: Database, keys: readonly StoredKey[]): Promise<readonly KeysOfAccount[]> {
	if (keys.length === 0) {
		return [];
	}

	const byName = Map.groupBy(keys, ({account}) => account);
	const query = database
		.selectFrom('accounts')
		.select(['id', 'name'])
		.where('name', 'in', [...byName.keys()]);
	const accounts = await query.orderBy('id').execute();
	return accounts.map(({id, name}) => ({accountId: id, keys: byName.get(name)!}));
}

async function noteRevoked(engine: Engine, transaction: Database, {accountId, keys}: KeysOfAccount): Promise<void> {
	await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
		note(keys.map(key => existing('key', key, false)));
	});
}

/**
One query looks up all keys that are asked for in one turn of the event loop. It begins after each of them was asked for: its answer is
never older than the question.
*/
function createFindKey(engine: Engine) {
	let hashes = new Map<string, Uint8Array>();
	let answers: Promise<ReadonlyMap<string, FoundKey>> | undefined;

	const answer = async (): Promise<ReadonlyMap<string, FoundKey>> => {
		await setImmediate();
		const asked = [...hashes.values()];
		hashes = new Map();
		answers = undefined;
		return engine.query(async database => findKeys(database, asked));
	};

	return async (hash: Uint8Array): Promise<FoundKey | undefined> => {
		const name = nameOf(hash);
		hashes.set(name, hash);
		answers ??= answer();
		return (await answers).get(name);
	};
}

/** @returns the keys that are found, by `nameOf` their hashes. */
async function findKeys(database: Database, hashes: readonly Uint8Array[]): Promise<ReadonlyMap<string, FoundKey>> {
	const rows = await database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name as key_name', 'hash', 'rights', 'is_for_ssh', 'expires_at'])
		.select(['accounts.id as account_id', 'accounts.name', 'accounts.history_number', ...versionColumns])
		.where('hash', 'in', padded(hashes))
		.execute();
	return new Map(
		rows.map(row => [
			nameOf(row.hash),
			{
				id: row.id,
				name: row.key_name,
				hash: row.hash,
				rights: toRights(row.rights),
				isForSsh: row.is_for_ssh === 1,
				expiresAt: row.expires_at ?? undefined,
				account: toAccount({...row, id: row.account_id}),
			},
		]),
	);
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
