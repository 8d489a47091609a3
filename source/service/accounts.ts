import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {describeEnd, shownMinute} from '../interface/key-rights.ts';
import {didYouMean, foldName, nearestNames} from '../interface/name-index.ts';
import {defaultAccount, generateKey, hashKey, isOver} from './callers.ts';
import {displayNameProblem, normalizeName} from './records.ts';
import {type KeyTerms, plainTerms} from './store/changes.ts';
import {openStore} from './store/open-store.ts';
import type {NamedTimer, StoredAccount, StoredKey} from './store/store.ts';

type Kind<Named> = {
	readonly noun: 'account' | 'key';
	/** True if the word means only this one. */
	readonly isExact: (named: Named, word: string) => boolean;
	readonly describe: (named: Named) => string;
	readonly unchanged: string;
};

/** Finds by name; in any case if only one account has it so. */
const accountKind: Kind<StoredAccount> = {
	noun: 'account',
	isExact: ({name}, word) => name === word,
	describe: ({name}) => name,
	unchanged: '',
};

/** Returns the terms of a key, as commands print them. */
export function termsJson({rights, expiresAt, isForSsh}: KeyTerms) {
	return {rights, for_ssh: isForSsh, expires_at: expiresAt};
}

type WantedKey = Partial<KeyTerms> & {readonly account?: string | undefined; readonly name?: string | undefined};

/**
Returns the account and the name of a new key, beside the stored keys.

@throws SwitchboardError as creating it would.
*/
export function planKey(stored: readonly StoredKey[], wanted: WantedKey): {readonly account: string; readonly name: string} {
	const {account, name} = checkWanted(wanted);
	return {
		account,
		name: chooseName(
			account,
			stored.filter(key => key.account === account).map(key => key.name),
			name,
		),
	};
}

const checkWanted = ({account = defaultAccount, name}: WantedKey) => ({
	account: checkName('account', 'account', account),
	name: name === undefined ? undefined : refuseMisleadingName(checkName('name', 'key', name)),
});

function checkName(field: string, label: string, name: string): string {
	const problem = displayNameProblem(name, 100);
	if (problem !== undefined) {
		throw new SwitchboardError('usage', `The name of the ${label} ${problem}.`, {field});
	}

	return normalizeName(name);
}

/** Refuses a name that the history uses for changes without a key, and a number, which would be taken for an id. */
function refuseMisleadingName(name: string): string {
	if (['operator', 'local'].includes(foldName(name)) || /^\d+$/.test(name)) {
		throw new SwitchboardError(
			'usage',
			`A key cannot be named “${name}”: ${/^\d/.test(name) ? 'a number is taken for an id' : 'the history has this word for changes without a key'}.`,
			{nextStep: 'Choose another name.', field: 'name'},
		);
	}

	return name;
}

/** Returns the wanted name; by default `key 1`, `key 2`, …, the first that the account does not have. */
function chooseName(account: string, taken: readonly string[], wanted: string | undefined): string {
	const name = wanted ?? firstFree(taken, number => `key ${number}`, taken.length + 1);
	if (isTaken(taken, name)) {
		throw new SwitchboardError('conflict', `The account “${account}” already has a key named “${name}”.`, {
			nextStep: 'Choose another name, or revoke that key first.',
			field: 'name',
		});
	}

	return name;
}

const isSameName = (first: string, second: string): boolean => foldName(first) === foldName(second);

const isTaken = (taken: readonly string[], name: string): boolean => taken.some(each => isSameName(each, name));

/** Returns the first numbered name that is not taken. */
function firstFree(taken: readonly string[], nameOf: (number: number) => string, firstNumber: number): string {
	let number = firstNumber;
	while (isTaken(taken, nameOf(number))) {
		number++;
	}

	return nameOf(number);
}

/**
Returns the key that a new one replaces.

@throws SwitchboardError `not-found` or `ambiguous`, or `conflict` for a key that has ended, because the new one would have that end, too.
*/
export function findReplaced(keys: readonly StoredKey[], nameOrId: string): StoredKey {
	const found = find(keys, nameOrId, keyKind('No key was changed.'));
	if (isKeyOver(found)) {
		throw new SwitchboardError('conflict', `${describeEnd(found.name, found.expires_at!)} No key was changed.`, {
			nextStep: 'Revoke it, then create another one with: switchboard keys create',
		});
	}

	return found;
}

function find<Named extends {readonly name: string}>(
	all: readonly Named[],
	word: string,
	{noun, isExact, describe, unchanged}: Kind<Named>,
): Named {
	const exact = all.find(each => isExact(each, word));
	const [found, ...others] = exact === undefined ? all.filter(({name}) => isSameName(name, word)) : [exact];
	if (found === undefined) {
		throw new SwitchboardError('not-found', `There is no ${noun} “${word}”.${unchanged}`, {
			nextStep:
				didYouMean(
					nearestNames(
						word,
						all.map(({name}) => name),
					),
				) ?? `List them with: switchboard ${noun === 'key' ? 'keys list' : 'accounts'}`,
		});
	}

	if (others.length > 0) {
		throw new SwitchboardError(
			'ambiguous',
			`Several ${noun}s are named “${word}”: ${[found, ...others].map(each => describe(each)).join(', ')}.${unchanged}`,
			{nextStep: `Use the ${noun === 'key' ? 'id' : 'exact name'} instead.`},
		);
	}

	return found;
}

/** Finds by id, or by name in any case; an id takes precedence over a name. */
const keyKind = (unchanged: string): Kind<StoredKey> => ({
	noun: 'key',
	isExact: ({id}, word) => String(id) === word,
	describe: ({id, account}) => `${id} (account ${account})`,
	unchanged: ` ${unchanged}`,
});

const isKeyOver = ({expires_at: end}: StoredKey): boolean => isOver({expiresAt: end ?? undefined});

export type ApiKeys = Awaited<ReturnType<typeof openApiKeys>>;

/**
Returns the keys in a data folder or a PostgreSQL database. The service may be running on it: a new key works, and a revoked one stops
working, at once.

@throws SwitchboardError if the folder or the database cannot be used.
*/
export async function openApiKeys(location: string) {
	const store = await openStore(location);
	const {accounts, timers} = store;

	return {
		/**
		Creates a key, and the account on its first use. The key itself is returned this once.

		@throws SwitchboardError `conflict` if the account has a key with that name.
		*/
		async create(wanted: WantedKey = {}) {
			const {account, name: wantedName} = checkWanted(wanted);
			const key = generateKey();
			const terms = {...plainTerms, ...wanted};
			const added = await accounts.addKey(account, hashKey(key), taken => chooseName(account, taken, wantedName), terms);
			return {key, ...added, account, ...termsJson(terms)};
		},
		/**
		Creates a key with the same name, account, rights and end. The old key works until the time is up, under another name; keys that
		were replaced earlier and have ended are removed.

		@param graceMilliseconds - 0 to remove the old key at once.
		@returns the new key, and the old key if it still works.
		@throws SwitchboardError as `findReplaced` does.
		*/
		async rotate(nameOrId: string, graceMilliseconds: number) {
			const key = generateKey();
			const until = new Date(Date.now() + graceMilliseconds).toISOString();
			const {
				id,
				before: {name, account, rights, ...before},
				left,
			} = await accounts.replaceKey(hashKey(key), keys => {
				const replaced = findReplaced(keys, nameOrId);
				const ofAccount = keys.filter(each => each.account === replaced.account);
				const forgotten = ofAccount.filter(each => isKeyOver(each) && isReplaced(each, replaced));
				const taken = ofAccount.filter(each => !forgotten.includes(each)).map(each => each.name);
				const {expires_at: end} = replaced;
				const renamed = {
					name: firstFree(taken, number => replacedName(replaced.name, number), 1),
					expiresAt: end !== null && end < until ? end : until,
				};
				return {before: replaced, forgotten, left: graceMilliseconds === 0 ? undefined : renamed};
			});
			return {key, id, name, account, rights, for_ssh: before.for_ssh, expires_at: before.expires_at, replaced: left};
		},
		/** The keys of all accounts, oldest first. */
		list: async () => accounts.listKeys(),
		/** @throws SwitchboardError `not-found` or `ambiguous`. */
		find: async (namesOrIds: readonly string[]) => findKeys(await accounts.listKeys(), namesOrIds),
		/** A sentence about the timers that are not done without these keys; `undefined` if there are none. */
		timersOf: async (keys: readonly StoredKey[]) =>
			describeUndone(await timers.ofKeys(keys.map(({id}) => id)), ` set with ${keys.length === 1 ? 'it' : 'them'}`),
		/** @throws SwitchboardError `not-found` or `ambiguous`; then no key is revoked. */
		revoke: async (namesOrIds: readonly string[]) => accounts.removeKeys(keys => findKeys(keys, namesOrIds)),
		close: async () => store.close(),
		[Symbol.asyncDispose]: async () => store.close(),
	};
}

function describeUndone(timers: readonly NamedTimer[], origin: string): string | undefined {
	const toCome = timers.filter(({overdue}) => overdue === null);
	const named = toCome.slice(0, 3).map(({name, enabled, at}) => `${cleanText(name)} (${stateWord(enabled)}, ${shownMinute(at)})`);
	const rest = toCome.length - named.length;
	return toCome.length === 0
		? undefined
		: `${counted(toCome.length, 'timer')}${origin} will not be done: ${[...named, ...(rest === 0 ? [] : [`and ${rest} more`])].join(', ')}.`;
}

/** The name of a key that was replaced. */
const replacedName = (name: string, number: number): string => `${name} (replaced${number === 1 ? '' : ` ${number}`})`;

const isReplaced = (key: StoredKey, by: StoredKey): boolean => key.name.startsWith(replacedName(by.name, 1).slice(0, -1));

const findKeys = (keys: readonly StoredKey[], namesOrIds: readonly string[]): readonly StoredKey[] => [
	...new Set(namesOrIds.map(nameOrId => find(keys, nameOrId, keyKind('No key was revoked.')))),
];

export type AccountAdministration = Awaited<ReturnType<typeof openAccounts>>;

/**
Returns the accounts in a data folder or a PostgreSQL database. A service may be running on it.

@throws SwitchboardError if the folder or the database cannot be used.
*/
export async function openAccounts(location: string) {
	const {accounts, timers, erase, close} = await openStore(location);

	return {
		/** Oldest first. */
		list: async () => accounts.list(),
		/** @throws SwitchboardError `not-found` or `ambiguous`. */
		find: async (name: string) => find(await accounts.list(), name, accountKind),
		/** A sentence about the timers that go with the account; `undefined` if there are none. */
		timersOf: async (id: number) => describeUndone(await timers.list(id), ''),
		/** Removes an account with all its data; its keys stop working at once. */
		remove: async (id: number) => accounts.remove(id),
		/** Erases removed records from the files of the database, if it is kept in files. */
		erase: async () => erase?.(),
		close,
		[Symbol.asyncDispose]: close,
	};
}
