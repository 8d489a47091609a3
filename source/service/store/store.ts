import {type PackageEntry} from '../../interface/ability-package/check-files.ts';
import {
	type AbilityRecord,
	type AgentRecord,
	type InstalledRecord,
	type InstalledReleaseRecord,
} from '../records.ts';
import {
	type AgentChanges,
	type AccountContent,
	type InstalledChanges,
	type NewAbility,
	type NewCode,
} from './changes.ts';

/*
What the service stores, in terms of the service. Nothing outside this folder knows which database is behind it.

Each verb is one atomic unit: it happens as a whole or not at all, it sees one state of the store from beginning to end, and
no transaction outlives it. A verb that must look before it writes takes a function, which is given what is there and
returns what to write. Such a function must be pure and quick, because a store may call it again. What it throws rejects
the verb, and nothing is changed.

What belongs to another account does not exist for the caller: it is `not-found`, in the same words. A verb rejects with
`StoreBusyError` (`store-errors.ts`) when another program holds the database for too long, and with `StoreFailure` when the
disk is full, or the database damaged or no longer there.
*/

/** The lists of an account. */
export const listNames = ['agents', 'abilities', 'installed'] as const;

export type ListName = typeof listNames[number];

/**
The version of each list of an account: the same as long as the list is, and another after each change. Versions are random and
not counted: a restored backup never comes back to a version that somebody has seen with other content.
*/
export type ListVersions = Readonly<Record<ListName, string>>;

/** All records of a list, oldest first, and the version that they are. */
export type Listed<Record> = {
	readonly version: string;
	readonly records: readonly Record[];
};

/** What a verb that changes something answers. */
export type Written<Result> = {
	readonly result: Result;
	/** The new versions of the lists that it changed. */
	readonly versions: Partial<ListVersions>;
	/** The versions of all lists before the change: nothing lies between. */
	readonly former: ListVersions;
};

/** A list has a new version. */
export type ListChange = {readonly accountId: number; readonly list: ListName; readonly version: string};

/** An account with the versions of its lists. */
export type Account = {readonly id: number; readonly name: string; readonly versions: ListVersions};

/** An API key as it is listed. The key itself is stored nowhere. */
export type StoredKey = {
	readonly id: number;
	readonly name: string;
	readonly account: string;
	readonly created_at: string;
};

export type Release = {
	readonly id: number;
	readonly abilityId: number;
	readonly version: number;
	readonly isCommitted: boolean;
};

export type Accounts = {
	/** `undefined` if it does not exist. */
	find(name: string): Promise<Account | undefined>;
	/** The id of an account, which is created on first use with one agent (`starter-agent.ts`). */
	ensure(name: string): Promise<number>;
	/** True if the account does not exist, or holds no ability and no agent but the unchanged first one. */
	isEmpty(name: string): Promise<boolean>;
	/**
	Fills an empty account, and creates it on first use.

	@returns false if the account is not empty; then nothing is changed.
	*/
	fill(name: string, content: AccountContent): Promise<boolean>;
	/**
	Adds a key to an account, and creates the account on first use.

	@param chooseName - given the names of the account's keys, returns the name of the new one.
	*/
	addKey(account: string, hash: Uint8Array, chooseName: (taken: readonly string[]) => string): Promise<{readonly id: number; readonly name: string}>;
	/** The keys of all accounts, oldest first. */
	listKeys(): Promise<readonly StoredKey[]>;
	/**
	Removes the keys of all accounts that `choose` picks.

	@returns these keys.
	*/
	removeKeys(choose: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<readonly StoredKey[]>;
	/** Those of these ids of keys that are not removed. */
	keysLeft(ids: readonly number[]): Promise<ReadonlySet<number>>;
	/** The key with that hash, and its account; `undefined` if there is none. */
	findKey(hash: Uint8Array): Promise<{readonly id: number; readonly hash: Uint8Array; readonly account: Account} | undefined>;
};

export type Agents = {
	list(accountId: number): Promise<Listed<AgentRecord>>;
	/**
	@param decide - given the ids of all abilities of the account: no others can be tied to an agent.
	@throws SwitchboardError `not-found`, before `decide` is called.
	*/
	change(accountId: number, id: number, decide: (abilityIds: ReadonlySet<number>) => AgentChanges): Promise<Written<AgentRecord>>;
};

export type Abilities = {
	list(accountId: number): Promise<Listed<AbilityRecord>>;
	/** @throws SwitchboardError `not-found`. */
	get(accountId: number, id: number): Promise<AbilityRecord>;
	/**
	The ability that a release belongs to.

	@throws SwitchboardError `not-found`.
	*/
	getByRelease(accountId: number, releaseId: number): Promise<AbilityRecord>;
	/**
	Adds an ability with its first release, installs it if wanted, and ties it to an agent if `chooseAgent` returns one.

	@param chooseAgent - given the ids of all agents of the account.
	@returns the id of the ability.
	@throws SwitchboardError `conflict` if the account has an ability of that name, in any case.
	*/
	add(accountId: number, ability: NewAbility, chooseAgent: (agentIds: ReadonlySet<number>) => number | undefined): Promise<Written<number>>;
	/**
	Removes abilities with their source, their installed records and the agents' ties to them.

	@throws SwitchboardError `not-found` if one of them does not exist; then none is removed.
	*/
	remove(accountId: number, ids: readonly number[]): Promise<Written<void>>;
};

/**
An installed ability is found by its own id or by that of its ability. No number means both: agents, abilities, installed
abilities and releases share one sequence of ids, and the id of something deleted never comes back. So the service
understands clients that send an ability's id where its installed record's is meant, as `openhome-cli` does.
*/
export type Installed = {
	list(accountId: number): Promise<Listed<InstalledRecord>>;
	/**
	An installed ability with the release in use.

	@throws SwitchboardError `not-found`.
	*/
	get(accountId: number, id: number): Promise<InstalledReleaseRecord>;
	/**
	Installs an ability, enabled and with its own trigger phrases. One that is installed already stays as it is.

	@throws SwitchboardError `not-found` if there is no such ability.
	*/
	add(accountId: number, abilityId: number): Promise<Written<InstalledRecord>>;
	/**
	Changes what differs. The time of the last change is updated only if something does.

	@param decide - given the record as it is.
	@throws SwitchboardError `not-found`, before `decide` is called.
	*/
	change(accountId: number, id: number, decide: (before: InstalledRecord) => InstalledChanges): Promise<Written<InstalledRecord>>;
	/**
	Uninstalls an ability. The ability itself, and the agents' ties to it, stay.

	@returns what was removed.
	@throws SwitchboardError `not-found`.
	*/
	remove(accountId: number, id: number): Promise<Written<InstalledRecord>>;
};

/** Of a release. Its files are read bit by bit: together they are large. */
export type Source = {
	readonly name: string;
	readonly releaseId: number;
	readonly files: readonly PackageEntry[];
};

export type Releases = {
	/**
	The name of an ability and the list of the files of its release in use.

	@throws SwitchboardError `not-found` if there is no such ability.
	*/
	readSource(accountId: number, abilityId: number): Promise<Source>;
	/**
	A part of a file, byte for byte as it was uploaded.

	@throws SwitchboardError `not-found` if it has been removed since it was listed.
	*/
	readBytes(releaseId: number, path: string, offset: number, length: number): Promise<Uint8Array>;
	/**
	Makes new code the release in use of an ability. It becomes the next version, unless the release in use is a draft:
	a draft is replaced, and is a draft no longer once the code is committed.

	@param releaseId - of any release of the ability.
	@throws SwitchboardError `not-found` if there is no such release.
	*/
	save(accountId: number, releaseId: number, code: NewCode): Promise<Written<Release>>;
	/** Removes the files of releases that were never finished, because the service was killed meanwhile. */
	removeUnfinished(): Promise<void>;
};

/** What a process reports about a name that it counts to the others on its database. */
export type CountReport = {
	readonly name: string;
	/** Its window, as the database named it; `undefined` if it has not yet. */
	readonly window: number | undefined;
	/** All that it has let through in this window. */
	readonly used: number;
	/** How many wait to be let through. */
	readonly waiting: number;
	/** False if it needs no more, and gives back what it holds. */
	readonly isWanted: boolean;
	/** How many all processes together may let through in a window of a minute. */
	readonly limit: number;
};

/** What the database answers for a name. */
export type SharedCount = {
	readonly name: string;
	readonly window: number;
	/** Until the window ends. */
	readonly millisecondsLeft: number;
	/** What the others have let through in it. */
	readonly usedElsewhere: number;
	/** How many more it may let through within the next 2 s: nobody else is given them. */
	readonly held: number;
};

export type Limits = {
	/** Adds what this process has counted, and learns of the others. The same report again counts once. */
	exchange(reports: readonly CountReport[]): Promise<{readonly processCount: number; readonly counts: readonly SharedCount[]}>;
};

export type StoreOptions = {
	/** What each account may hold (`sizes.ts`); no limit if it is not given. Content from the operator, as a sample home, always fits. */
	readonly quotaBytes?: number | undefined;
	/** Told how long each query took. */
	readonly onQuery?: ((milliseconds: number) => void) | undefined;
};

export type Store = {
	readonly accounts: Accounts;
	readonly agents: Agents;
	readonly abilities: Abilities;
	readonly installed: Installed;
	readonly releases: Releases;
	/** Only where several processes share the database. */
	readonly limits?: Limits;
	/**
	Tells of the changes of all lists, also of those by other processes.

	@returns how to end that.
	*/
	watch(listener: (change: ListChange) => void): () => void;
	/** Rejects with the reason if the database cannot be used now. */
	ready(): Promise<void>;
	/** @throws StoreFailure if the files of the database were deleted or replaced since it was opened. */
	check(): void;
	/** Rejects with a `StoreFailure`, `newer`, once a newer program has changed the schema: then no verb writes any more. */
	checkVersion(): Promise<void>;
	close(): Promise<void>;
};
