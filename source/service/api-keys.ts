import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {generateKey, hashKey} from './key-text.ts';
import {defaultAccount, ensureAccount} from './store/sqlite/accounts.ts';
import {type Database, openStore} from './store/sqlite/store.ts';

/** A key as `keys list` shows it; the key itself is stored nowhere. */
export type ApiKey = {
	readonly id: number;
	readonly name: string;
	readonly account: string;
	readonly created_at: string;
};

export type NewApiKey = {
	/** Shown this once. */
	readonly key: string;
	readonly id: number;
	readonly name: string;
	readonly account: string;
};

export type ApiKeys = {
	/**
	Makes a key, and the account on its first use.

	@throws SwitchboardError `conflict` where the account has a key of that name.
	*/
	create(options?: {readonly account?: string | undefined; readonly name?: string | undefined}): Promise<NewApiKey>;
	/** All keys of all accounts, the oldest first. */
	list(): Promise<readonly ApiKey[]>;
	/**
	Takes keys back, named by id or by name in any case; an id beats a name. All are looked up first.

	@throws SwitchboardError `not-found` or `ambiguous`; then no key is taken back.
	*/
	revoke(namesOrIds: readonly string[]): Promise<ReadonlyArray<{readonly id: number; readonly revoked: true}>>;
	close(): Promise<void>;
};

const checkName = (field: string, label: string, name: string): string => {
	const trimmed = name.trim().normalize('NFC');
	const complaint = trimmed === ''
		? 'is empty'
		: (trimmed.length > 100 ? 'is longer than 100 characters' : (cleanText(trimmed) === trimmed ? undefined : 'holds characters that cannot be shown'));
	if (complaint !== undefined) {
		throw new SwitchboardError('usage', `The name of the ${label} ${complaint}.`, {field});
	}

	return trimmed;
};

const selectKeys = (database: Database) =>
	database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'api_keys.name', 'accounts.name as account', 'api_keys.created_at'])
		.orderBy('api_keys.id');

const isSameName = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

/** `key 1`, `key 2`, …: the first that the account does not have. */
const freeName = (taken: readonly string[]): string => {
	const isTaken = (name: string): boolean => taken.some(existing => isSameName(existing, name));
	let number = taken.length + 1;
	while (isTaken(`key ${number}`)) {
		number++;
	}

	return `key ${number}`;
};

const createKey = async (database: Database, account: string, wantedName: string | undefined): Promise<NewApiKey> => {
	const accountId = await ensureAccount(database, account);
	const rows = await database.selectFrom('api_keys').select('name').where('account_id', '=', accountId).execute();
	const taken = rows.map(row => row.name);
	const name = wantedName ?? freeName(taken);
	if (taken.some(existing => isSameName(existing, name))) {
		throw new SwitchboardError('conflict', `The account “${account}” already has a key named “${name}”.`, {
			nextStep: 'Choose another name, or revoke that key first.',
			field: 'name',
		});
	}

	const key = generateKey();
	const {id} = await database
		.insertInto('api_keys')
		.values({
			account_id: accountId,
			name,
			hash: hashKey(key),
			created_at: new Date().toISOString(),
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return {
		key,
		id,
		name,
		account,
	};
};

const findKey = (keys: readonly ApiKey[], nameOrId: string): ApiKey => {
	const byId = keys.find(key => String(key.id) === nameOrId);
	const byName = keys.filter(key => isSameName(key.name, nameOrId));
	const [found] = byId === undefined ? byName : [byId];
	if (found === undefined) {
		throw new SwitchboardError('not-found', `There is no key “${nameOrId}”. No key was revoked.`, {nextStep: 'See the keys with: switchboard keys list'});
	}

	if (byId === undefined && byName.length > 1) {
		const candidates = byName.map(key => `${key.id} (account ${key.account})`).join(', ');
		throw new SwitchboardError('ambiguous', `“${nameOrId}” is the name of several keys: ${candidates}. No key was revoked.`, {nextStep: 'Give the id instead.'});
	}

	return found;
};

/**
The keys of a data folder. The service may be running on the same folder: a new key works and a revoked one stops at once.

@throws SwitchboardError where the folder or its database cannot be used.
*/
export const openApiKeys = async (dataFolder: string): Promise<ApiKeys> => {
	const store = openStore(dataFolder);

	return {
		async create({account = defaultAccount, name} = {}) {
			const accountName = checkName('account', 'account', account);
			const keyName = name === undefined ? undefined : checkName('name', 'key', name);
			return store.database.transaction().execute(async database => createKey(database, accountName, keyName));
		},
		list: async () => (await selectKeys(store.database).execute()).map(row => ({...row})),
		async revoke(namesOrIds) {
			return store.database.transaction().execute(async database => {
				const keys = await selectKeys(database).execute();
				const ids = [...new Set(namesOrIds.map(nameOrId => findKey(keys, nameOrId).id))];
				await database.deleteFrom('api_keys').where('id', 'in', ids).execute();
				return ids.map(id => ({id, revoked: true as const}));
			});
		},
		close: async () => store.close(),
	};
};
