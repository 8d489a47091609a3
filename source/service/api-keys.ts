import {SwitchboardError} from '../interface/errors.ts';
import {foldName} from '../interface/fold-name.ts';
import {didYouMean, nearestNames} from '../interface/nearest-word.ts';
import {defaultAccount} from './default-account.ts';
import {displayNameProblem, normalizeName} from './display-name.ts';
import {generateKey, hashKey} from './key-hash.ts';
import {openStore} from './store/open-store.ts';
import {type StoredKey} from './store/store.ts';

const checkName = (field: string, label: string, name: string): string => {
	const problem = displayNameProblem(name, 100);
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The name of the ${label} ${problem}.`, {field});
	}

	return normalizeName(name);
};

const isSameName = (first: string, second: string): boolean => foldName(first) === foldName(second);

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
		throw new SwitchboardError('not-found', `There is no key “${nameOrId}”. No key was revoked.`, {
			nextStep: didYouMean(nearestNames(nameOrId, keys.map(({name}) => name))) ?? 'To see the keys, run: switchboard keys list',
		});
	}

	if (byId === undefined && byName.length > 1) {
		const candidates = byName.map(key => `${key.id} (account ${key.account})`).join(', ');
		throw new SwitchboardError('ambiguous', `Several keys are named “${nameOrId}”: ${candidates}. No key was revoked.`, {nextStep: 'Use the id instead.'});
	}

	return found;
};

const findKeys = (keys: readonly StoredKey[], namesOrIds: readonly string[]): readonly StoredKey[] =>
	[...new Set(namesOrIds.map(nameOrId => findKey(keys, nameOrId)))];

type WantedKey = {readonly account?: string | undefined; readonly name?: string | undefined};

const checkWanted = ({account = defaultAccount, name}: WantedKey) => ({
	account: checkName('account', 'account', account),
	name: name === undefined ? undefined : checkName('name', 'key', name),
});

/**
The account and the name that a new key would have, beside those that are stored.

@throws SwitchboardError as creating it would.
*/
export const planKey = (stored: readonly StoredKey[], wanted: WantedKey): {readonly account: string; readonly name: string} => {
	const {account, name} = checkWanted(wanted);
	return {account, name: chooseName(account, stored.filter(key => key.account === account).map(key => key.name), name)};
};

/** What the command `keys` can do with the keys of a service. */
export type ApiKeys = Awaited<ReturnType<typeof openApiKeys>>;

/**
The keys in a data folder or a PostgreSQL database. The service may be running on it: a new key works, and a revoked one stops
working, at once.

@throws SwitchboardError if the folder or the database cannot be used.
*/
export const openApiKeys = async (location: string) => {
	const store = await openStore(location);
	const {accounts} = store;

	return {
		/**
		Creates a key, and the account on its first use. This is the only time that the key itself is returned.

		@throws SwitchboardError `conflict` if the account has a key of that name.
		*/
		async create(wanted: WantedKey = {}) {
			const {account, name: wantedName} = checkWanted(wanted);
			const key = generateKey();
			const {id, name} = await accounts.addKey(account, hashKey(key), taken => chooseName(account, taken, wantedName));
			return {
				key,
				id,
				name,
				account,
			};
		},
		/** The keys of all accounts, oldest first. */
		list: async () => accounts.listKeys(),
		/**
		Finds keys by id or by name in any case; an id beats a name.

		@throws SwitchboardError `not-found` or `ambiguous`.
		*/
		find: async (namesOrIds: readonly string[]) => findKeys(await accounts.listKeys(), namesOrIds),
		/**
		Revokes keys, found as `find` does. All are looked up first.

		@throws SwitchboardError `not-found` or `ambiguous`; then no key is revoked.
		*/
		revoke: async (namesOrIds: readonly string[]) => accounts.removeKeys(keys => findKeys(keys, namesOrIds)),
		close: async () => store.close(),
	};
};
