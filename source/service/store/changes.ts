import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import type {KeyRights} from '../../interface/key-rights.ts';
import type {InstalledRecord, TimerRecord} from '../records.ts';

/* The values that the verbs of the store take and return. */

/** The lists of an account. */
export const listNames = ['agents', 'abilities', 'installed'] as const;

export type ListName = (typeof listNames)[number];

/**
The version of each list of an account: the same as long as the list is, and another after each change. Versions are random and
not counted: a restored backup never comes back to a version that somebody has seen with other content.
*/
export type ListVersions = Readonly<Record<ListName, string>>;

/** All records of a list, oldest first, and their version. */
export type Listed<Record> = {readonly version: string; readonly records: readonly Record[]};

/** The result of a verb that writes. */
export type Written<Result> = {
	readonly result: Result;
	/** The new versions of the lists that it changed. */
	readonly versions: Partial<ListVersions>;
	/** The versions of all lists before the change: nothing lies between. */
	readonly former: ListVersions;
};

/** A list has a new version. */
export type ListChange = {
	readonly accountId: number;
	readonly list: ListName;
	readonly version: string;
	/** The number of the account's newest entry of the history, as of that version. */
	readonly historyNumber: number;
};

/** The author of a change and the way that it came, as the history has them. */
export type Author = {
	/** The name of the key; without a stored one, `local` or `operator`. */
	readonly name: string;
	/** Empty if it is not known. */
	readonly person: string;
	/** An address, or `thisMachine`. */
	readonly via: string;
};

/** In place of the address of a client that runs on the machine of the service, and has none. */
export const thisMachine = 'this machine';

/**
The author of a change: the operator, who names the account alone, or the sender of a request. The key of a request (`undefined` for
one that is not stored) is looked up again in the transaction that writes: one that was revoked meanwhile changes nothing.
*/
export type Writer = number | {readonly accountId: number; readonly keyId: number | undefined; readonly author: Author};

/** The rights of a key, and their end. */
export type KeyTerms = {
	readonly rights: KeyRights;
	/** ISO 8601 in UTC; `null` for a key without end. */
	readonly expiresAt: string | null;
	/** True for the key of an `ssh-serve`, which says for whom it asks. */
	readonly isForSsh: boolean;
};

/** A key that may do everything, without end. */
export const plainTerms: KeyTerms = {rights: 'all', expiresAt: null, isForSsh: false};

/** An account with the versions of its lists. */
export type Account = {
	readonly id: number;
	readonly name: string;
	readonly versions: ListVersions;
	/** The number of the newest entry of its history; 0 before the first. */
	readonly historyNumber: number;
};

export type NewAbility = {
	readonly name: string;
	readonly category: string;
	readonly description: string;
	readonly triggerPhrases: readonly string[];
	/** Paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** Whether it is enabled; `undefined` if it is not to be installed. */
	readonly installedAs: boolean | undefined;
	readonly changedAt: Date;
	readonly image?: {readonly name: string; readonly bytes: Uint8Array} | undefined;
};

export type NewAgent = {
	readonly name: string;
	/** Its prompt. */
	readonly description: string;
	/** A data URI. */
	readonly image: string | null;
	/** The names of the abilities tied to it. */
	readonly abilities: readonly string[];
};

/** The content for an empty account. */
export type AccountContent = {
	readonly abilities: readonly NewAbility[];
	/** The first replaces the agent that came with the account. */
	readonly agents: readonly NewAgent[];
};

/** A change of fields; `undefined` leaves one as it is. */
type Changes<Record_, Field extends keyof Record_> = {readonly [Name in Field]?: Record_[Name] | undefined};

export type AgentChanges = Changes<NewAgent, 'name' | 'description'> & {
	/** All abilities to tie to the agent, instead of those tied to it now. */
	readonly abilityIds?: readonly number[] | undefined;
};

export type AbilityChanges = Changes<NewAbility, 'name' | 'category' | 'description' | 'triggerPhrases'>;

/** A timer with the key that sets it; the person is empty if it is not known. */
export type NewTimer = TimerRecord & {readonly person: string; readonly keyId: number | undefined};

export type InstalledChanges = Changes<InstalledRecord, 'enabled' | 'system_capability' | 'agent_capability'> & {
	readonly trigger_words?: readonly string[] | undefined;
	/** `null` removes it. Without one, it stays unless `enabled` changes. */
	readonly timer?: NewTimer | null | undefined;
};

export type NewCode = {
	/** False for a draft, which is not used, and which the next code replaces. */
	readonly isCommitted: boolean;
	readonly commitMessage: string;
	readonly createdAt: Date;
	/** Paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
};

/** The files of a release as one save has left them: a draft keeps its id when it is replaced, and gets a later time. */
export type SavedCode = {readonly releaseId: number; readonly savedAt: string};
