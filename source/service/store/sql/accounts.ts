import {Buffer} from 'node:buffer';
import {setImmediate} from 'node:timers/promises';
import {SwitchboardError} from '../../../interface/errors.ts';
import {keyRights, type KeyRights} from '../../../interface/key-rights.ts';
import {foldName} from '../../../interface/name-index.ts';
import {
	type Account,
	type AccountContent,
	type KeyTerms,
	type NewAgent,
	plainTerms,
} from '../changes.ts';
import {insertAbility} from './abilities.ts';
import {addTies, insertAgent} from './agents.ts';
import {
	type Database,
	type Engine,
	flag,
	isKeyValid,
	padded,
	removeIds,
	toVersions,
	versionColumns,
	type VersionRow,
} from './database.ts';
import type {FieldChange} from './history.ts';
import {removeStagedFilesOf} from './staged-files.ts';
import {accountOf, withinAccount} from './write-account.ts';

/** The agent that every new account has. */
const starterAgent = {
	name: 'Home',
	description: [
		'You are the voice of this home. You speak briefly and kindly, as to people who have their hands full.',
		'',
		'When you are asked for something that one of your abilities does, let the ability do it and say what came of it in'
		+ ' one sentence. When nothing you have can help, say so plainly and do not guess.',
	].join('\n'),
	image: null,
} as const;

/** Overwrites the agent that came with the account, and returns its id; `undefined` if there is none. */
const replaceStarter = async (database: Database, accountId: number, {name, description, image}: NewAgent): Promise<number | undefined> => {
	const row = await database
		.updateTable('agents')
		.set({
			name, description, image, is_starter: flag(false),
		})
		.where('account_id', '=', accountId)
		.where('is_starter', '=', flag(true))
		.returning('id')
		.executeTakeFirst();
	return row?.id;
};

/** Adds abilities and agents to an empty account, within a transaction. */
const fillAccount = async (database: Database, accountId: number, {abilities, agents}: AccountContent): Promise<void> => {
	const abilityIds = new Map<string, number>();
	for (const ability of abilities) {
		const {id} = await insertAbility(database, accountId, ability);
		abilityIds.set(ability.name, id);
	}

	for (const [index, agent] of agents.entries()) {
		const starterId = index === 0 ? await replaceStarter(database, accountId, agent) : undefined;
		const id = starterId ?? await insertAgent(database, accountId, {...agent, isStarter: false});
		await addTies(database, id, agent.abilities.map(name => abilityIds.get(name)).filter(abilityId => abilityId !== undefined));
	}
};

/** `undefined` if another process has just created it. */
const createAccount = async (database: Database, name: string): Promise<number | undefined> => {
	const row = await database
		.insertInto('accounts')
		.values({name, created_at: new Date().toISOString()})
		.onConflict(conflict => conflict.doNothing())
		.returning('id')
		.executeTakeFirst();
	if (row !== undefined) {
		await insertAgent(database, row.id, {...starterAgent, isStarter: true});
	}

	return row?.id;
};

const findId = async (database: Database, name: string): Promise<number | undefined> => {
	const row = await database.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst();
	return row?.id;
};

const ensureAccount = async (database: Database, name: string): Promise<number> => {
	const id = await findId(database, name) ?? await createAccount(database, name) ?? await findId(database, name);
	if (id === undefined) {
		throw new Error('An account was removed while it was created');
	}

	return id;
};

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

/**
Other changes of the account wait, or are refused when it is gone. Rows that refer to others go first, so that the triggers find what
they look for.
*/
const removeAccount = async (engine: Engine, transaction: Database, id: number): Promise<void> => {
	const account = transaction.selectFrom('accounts').select('id').where('id', '=', id);
	if (await (engine.isSingleWriter ? account : account.forUpdate()).executeTakeFirst() === undefined) {
		throw new SwitchboardError('not-found', 'There is no such account any more.');
	}

	if (engine.writeAhead !== undefined) {
		await removeStagedFilesOf(transaction, id);
	}

	const abilityIds = transaction.selectFrom('abilities').select('id').where('account_id', '=', id);
	const records = await abilityIds
		.unionAll(transaction.selectFrom('agents').select('id').where('account_id', '=', id))
		.unionAll(transaction.selectFrom('releases').select('id').where('ability_id', 'in', abilityIds))
		.unionAll(transaction.selectFrom('installed').select('id').where('ability_id', 'in', abilityIds))
		.execute();
	for (const table of ['api_keys', 'agents', 'abilities'] as const) {
		await transaction.deleteFrom(table).where('account_id', '=', id).execute();
	}

	await removeIds(transaction, records.map(record => record.id));
	await transaction.deleteFrom('accounts').where('id', '=', id).execute();
};

/** Rights that a later version knows, or that were written by hand, are the least. */
const toRights = (text: string): KeyRights => keyRights.find(each => each === text) ?? 'read-only';

/** The rows of `node:sqlite` have no prototype. */
const listKeys = async (database: Database) => {
	const rows = await database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name', 'accounts.name as account', 'api_keys.created_at', 'rights', 'is_for_ssh', 'last_used_at', 'expires_at'])
		.orderBy('api_keys.id')
		.execute();
	return rows.map(({is_for_ssh: isForSsh, rights, ...row}) => ({...row, rights: toRights(rights), for_ssh: isForSsh === 1}));
};

/** An API key as it is listed. The key itself is stored nowhere. */
export type StoredKey = Readonly<Awaited<ReturnType<typeof listKeys>>[number]>;

const toAccount = (row: VersionRow & {readonly id: number; readonly name: string; readonly history_number: number}): Account => ({
	id: row.id, name: row.name, versions: toVersions(row), historyNumber: row.history_number,
});

type KeysOfAccount = {readonly accountId: number; readonly keys: readonly StoredKey[]};

/** The keys of each account; accounts are locked in the order of their ids, so that no two transactions wait for each other. */
const groupByAccount = async (database: Database, keys: readonly StoredKey[]): Promise<readonly KeysOfAccount[]> => {
	const byName = Map.groupBy(keys, ({account}) => account);
	const accounts = byName.size === 0
		? []
		: await database.selectFrom('accounts').select(['id', 'name']).where('name', 'in', [...byName.keys()]).orderBy('id').execute();
	return accounts.map(({id, name}) => ({accountId: id, keys: byName.get(name)!}));
};

/** An entry of the history: a key was made or revoked. */
const keyExisting = ({id, name}: Pick<StoredKey, 'id' | 'name'>, exists: boolean): FieldChange => ({
	kind: 'key', record: id, name, field: 'exists', from: !exists, to: exists,
});

const noteRevoked = async (engine: Engine, transaction: Database, {accountId, keys}: KeysOfAccount): Promise<void> => {
	await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
		note(keys.map(key => keyExisting(key, false)));
	});
};

/**
Revokes keys, and locks those of their accounts that nobody else has locked: revoking waits for nobody.

@returns the accounts that another process holds.
*/
const revokeKeys = async (engine: Engine, transaction: Database, keys: readonly StoredKey[]): Promise<readonly KeysOfAccount[]> => {
	const held: KeysOfAccount[] = [];
	for (const each of await groupByAccount(transaction, keys)) {
		await transaction.deleteFrom('api_keys').where('id', 'in', each.keys.map(({id}) => id)).execute();
		const account = transaction.selectFrom('accounts').select('id').where('id', '=', each.accountId);
		if (await (engine.isSingleWriter ? account : account.forUpdate().skipLocked()).executeTakeFirst() === undefined) {
			held.push(each);
		} else {
			await noteRevoked(engine, transaction, each);
		}
	}

	return held;
};

/** How a key makes way for another one of its name. */
type Replacement = {
	readonly choose: (keys: readonly StoredKey[]) => StoredKey;
	readonly leaving: ((before: StoredKey, others: readonly StoredKey[]) => {readonly name: string; readonly expiresAt: string}) | undefined;
	readonly isForgotten: (key: StoredKey, before: StoredKey) => boolean;
};

type NamedKey = {readonly accountId: number; readonly name: string; readonly hash: Uint8Array};

const insertKey = async (transaction: Database, {accountId, name, hash}: NamedKey, {rights, expiresAt, isForSsh}: KeyTerms): Promise<number> => {
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
};

export type FoundKey = {
	readonly id: number;
	readonly name: string;
	readonly hash: Uint8Array;
	readonly rights: KeyRights;
	readonly isForSsh: boolean;
	readonly expiresAt: string | undefined;
	readonly account: Account;
};

const nameOf = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

/** @returns the keys that are found, by `nameOf` their hashes. */
const findKeys = async (database: Database, hashes: readonly Uint8Array[]): Promise<ReadonlyMap<string, FoundKey>> => {
	const rows = await database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name as key_name', 'hash', 'rights', 'is_for_ssh', 'expires_at', 'accounts.id as account_id', 'accounts.name', 'accounts.history_number', ...versionColumns])
		.where('hash', 'in', padded(hashes))
		.execute();
	return new Map(rows.map(row => [
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
	]));
};

/**
One query looks up all keys that are asked for in one turn of the event loop. It begins after each of them was asked for: its answer is
never older than the question.
*/
const createFindKey = (engine: Engine) => {
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
};

export const accountVerbs = (engine: Engine) => ({
	/** `undefined` if it does not exist. */
	find: async (name: string): Promise<Account | undefined> => engine.query(async database => {
		const row = await database.selectFrom('accounts').select(['id', 'name', 'history_number', ...versionColumns]).where('name', '=', name).executeTakeFirst();
		return row && toAccount(row);
	}),
	/** The id of an account, which is created on first use with one agent. */
	ensure: async (name: string) => engine.write(async transaction => ensureAccount(transaction, name)),
	/** True if the account does not exist, or holds no ability and no agent but the unchanged first one. */
	isEmpty: async (name: string) => engine.read(async transaction => {
		const accountId = await findId(transaction, name);
		return accountId === undefined || isAccountEmpty(transaction, accountId);
	}),
	/**
	Fills an empty account, and creates it on first use. The content of the operator always fits.

	@returns false if the account is not empty; then nothing is changed.
	*/
	async fill(name: string, content: AccountContent): Promise<boolean> {
		const {accountId, result, versions, historyNumber} = await engine.write(async transaction => {
			const id = await ensureAccount(transaction, name);
			const written = await withinAccount(engine, transaction, accountOf(id), async () => {
				const isEmpty = await isAccountEmpty(transaction, id);
				if (isEmpty) {
					await fillAccount(transaction, id, content);
				}

				return isEmpty;
			});
			return {accountId: id, ...written};
		});
		engine.announce(accountId, versions, historyNumber);
		return result;
	},
	/** All accounts, oldest first, with the number of their keys and the size that counts for their quota. */
	list: async () => engine.query(async database => {
		const rows = await database
			.selectFrom('accounts')
			.select(builder => [
				'id',
				'name',
				'bytes',
				builder.selectFrom('api_keys').whereRef('account_id', '=', 'accounts.id').select(({fn}) => fn.countAll<number>().as('count')).as('keys'),
			])
			.orderBy('id')
			.execute();
		return rows.map(({id, name, keys, bytes}) => ({
			id, name, keys: keys ?? 0, bytes,
		}));
	}),
	/**
	Removes an account with its keys and all that it holds. Its keys stop working at once; an upload that is under way is refused.

	@throws SwitchboardError `not-found`.
	*/
	remove: async (id: number) => engine.write(async transaction => removeAccount(engine, transaction, id)),
	/**
	Adds a key to an account, and creates the account on first use.

	@param chooseName - given the names of the account's keys, returns the name of the new one.
	@param terms - by default it may do everything, without end.
	*/
	addKey: async (
		account: string,
		hash: Uint8Array,
		chooseName: (taken: readonly string[]) => string,
		terms = plainTerms,
	) => engine.write(async transaction => {
		const accountId = await ensureAccount(transaction, account);
		const {result} = await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
			const taken = await transaction.selectFrom('api_keys').select('name').where('account_id', '=', accountId).execute();
			const name = chooseName(taken.map(key => key.name));
			const id = await insertKey(transaction, {accountId, name, hash}, terms);
			note([keyExisting({id, name}, true)]);
			return {id, name};
		});
		return result;
	}),
	/**
	Adds a key with the name, the rights and the end of another one of the account, which makes way.

	@param choose - picks the one that makes way.
	@param leaving - what becomes of that one, given all keys: a new name and when it ends. Without it, it is removed.
	@param isForgotten - true for the keys that are removed besides.
	@throws SwitchboardError `conflict` if it was removed meanwhile.
	*/
	replaceKey: async (hash: Uint8Array, {choose, leaving, isForgotten}: Replacement) => engine.write(async transaction => {
		const keys = await listKeys(transaction);
		const before = choose(keys);
		const accountId = await ensureAccount(transaction, before.account);
		const {result} = await withinAccount(engine, transaction, accountOf(accountId), async (_database, _accountId, note) => {
			const forgotten = keys.filter(key => key.account === before.account && isForgotten(key, before));
			if (forgotten.length > 0) {
				await transaction.deleteFrom('api_keys').where('id', 'in', forgotten.map(({id}) => id)).execute();
			}

			const left = leaving?.(before, keys.filter(key => key.account === before.account && !forgotten.includes(key)));
			const found = left === undefined
				? await transaction.deleteFrom('api_keys').where('id', '=', before.id).returning('id').executeTakeFirst()
				: await transaction
					.updateTable('api_keys')
					.set({name: left.name, folded_name: foldName(left.name), expires_at: left.expiresAt})
					.where('id', '=', before.id)
					.returning('id')
					.executeTakeFirst();
			if (found === undefined) {
				throw new SwitchboardError('conflict', `The key “${before.name}” was revoked or replaced meanwhile. No key was changed.`);
			}

			const terms = {rights: before.rights, expiresAt: before.expires_at, isForSsh: before.for_ssh};
			const id = await insertKey(transaction, {accountId, name: before.name, hash}, terms);
			note([...forgotten, ...(left === undefined ? [before] : [])].map(key => keyExisting(key, false)));
			note([keyExisting({id, name: before.name}, true)]);
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
			try {
				await engine.write(async transaction => noteRevoked(engine, transaction, each));
			} catch {
				// The keys are revoked, whether the history has that or not.
			}
		}

		return chosen;
	},
	/** Those of these ids of keys that are not removed, and have not ended. */
	keysLeft: async (ids: readonly number[]): Promise<ReadonlySet<number>> => engine.query(async database => {
		const rows = await database.selectFrom('api_keys').select('id').where('id', 'in', padded(ids)).where(isKeyValid()).execute();
		return new Set(rows.map(row => row.id));
	}),
	/** Stores when keys were used last. It is not worth a wait, and may fail. */
	markUsed: async (ids: readonly number[], at: Date) => engine.touch(async database => {
		await database.updateTable('api_keys').set({last_used_at: at.toISOString()}).where('id', 'in', padded(ids)).execute();
	}),
	/** The key with that hash, and its account; `undefined` if there is none. */
	findKey: createFindKey(engine),
});
