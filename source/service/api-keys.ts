import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {defaultAccount} from './default-account.ts';
import {generateKey, hashKey} from './key-text.ts';
import {openStore} from './store/open-store.ts';
import {type StoredKey} from './store/store.ts';

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
	list(): Promise<readonly StoredKey[]>;
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

const chooseName = (account: string, taken: readonly string[], wanted: string | undefined): string => {
	const name = wanted ?? freeName(taken);
	if (taken.some(existing => isSameName(existing, name))) {
		throw new SwitchboardError('conflict', `The account “${account}” already has a key named “${name}”.`, {
			nextStep: 'Choose another name, or revoke that key first.',
			field: 'name',
		});
	}

	return name;
};

const findKey = (keys: readonly StoredKey[], nameOrId: string): StoredKey => {
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
	const store = await openStore(dataFolder);
	const {accounts} = store;

	return {
		async create({account = defaultAccount, name: wanted} = {}) {
			const accountName = checkName('account', 'account', account);
			const wantedName = wanted === undefined ? undefined : checkName('name', 'key', wanted);
			const key = generateKey();
			const {id, name} = await accounts.addKey(accountName, hashKey(key), taken => chooseName(accountName, taken, wantedName));
			return {
				key,
				id,
				name,
				account: accountName,
			};
		},
		list: async () => accounts.listKeys(),
		async revoke(namesOrIds) {
			const ids = await accounts.removeKeys(keys => [...new Set(namesOrIds.map(nameOrId => findKey(keys, nameOrId).id))]);
			return ids.map(id => ({id, revoked: true as const}));
		},
		close: async () => store.close(),
	};
};
