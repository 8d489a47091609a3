import {abilityVerbs} from './sql/abilities.ts';
import {accountVerbs} from './sql/accounts.ts';
import {keyVerbs} from './sql/api-keys.ts';
import {agentVerbs} from './sql/agents.ts';
import type {Engine} from './sql/database.ts';
import {historyVerbs} from './sql/history.ts';
import {dueTimerVerbs} from './sql/due-timers.ts';
import {installedVerbs} from './sql/installed.ts';
import {releaseVerbs} from './sql/releases.ts';
import {timerVerbs} from './sql/timers.ts';
import type {ListChange} from './changes.ts';

/*
The data of the service, in terms of the service. Nothing outside this folder knows which database is behind it.

Each verb is one atomic unit: it happens as a whole or not at all, it sees one state of the store from beginning to end, and
no transaction outlives it. A verb that must look before it writes takes a function, which is given the present records and
returns the changes. Such a function must be pure and quick, because a store may call it again. A throw of it rejects
the verb, and nothing is changed. A verb that writes for a key that was revoked, or has ended, is `key-refused`, and nothing is changed.

A record of another account does not exist for the caller: it is `not-found`, in the same words. A verb rejects with
`StoreFailure` (`store-errors.ts`) when another program holds the database for too long, the disk is full, or the database is damaged or no
longer there.
*/

/** Returns the verbs of the store, in SQL that every database understands. */
export function sqlVerbs(engine: Engine) {
	return {
		/** `undefined` if none is kept. */
		history: engine.history && historyVerbs(engine, engine.history),
		accounts: {...accountVerbs(engine), ...keyVerbs(engine)},
		agents: agentVerbs(engine),
		abilities: abilityVerbs(engine),
		installed: installedVerbs(engine),
		timers: {...timerVerbs(engine), ...dueTimerVerbs(engine)},
		releases: releaseVerbs(engine),
	};
}

type Verbs = ReturnType<typeof sqlVerbs>;

export type Accounts = Verbs['accounts'];

export type Releases = Verbs['releases'];

export type {FoundKey, StoredKey} from './sql/api-keys.ts';

export type StoredAccount = Awaited<ReturnType<Accounts['list']>>[number];

export type {Release, Source} from './sql/releases.ts';

export type {NamedTimer} from './sql/timers.ts';

export type StoreOptions = {
	/** The limit of each account (`sizeOf`); none if it is not given. */
	readonly quotaBytes?: number | undefined;
	/** How long the history is kept; 400 by default. */
	readonly historyDays?: number | 'off' | undefined;
	/** Closes the other connections of this process to the same file. Called before the last ones are closed, unless they must not be. */
	readonly beforeClose?: (() => Promise<void>) | undefined;
	/** Called with the duration of each query. */
	readonly onQuery?: ((milliseconds: number) => void) | undefined;
};

const defaultHistoryDays = 400;

export function limitsOf({historyDays: days = defaultHistoryDays, quotaBytes}: StoreOptions): Pick<Engine, 'history' | 'quotaBytes'> {
	return {history: days === 'off' ? undefined : {days, waiting: new Set()}, quotaBytes};
}

/** Texts from process to process, which are stored nowhere. */
export type Messages = {
	/** Sends a text to the other processes that listen. It may get lost. */
	send(text: string): void;
	/**
	Calls back with the texts of other processes until the store is closed; to be called once. Resolves when it listens, or will try again.
	*/
	listen(onText: (text: string) => void): Promise<void>;
};

export type Store = Verbs & {
	/** Only where the database is a server, which processes on several machines may use. */
	readonly messages?: Messages;
	/**
	Only where the database is a file. Writes it anew, without the records that were deleted: parts of them stay in pages that hold other
	records, and in the log. Meanwhile nobody can write.

	@throws SwitchboardError if that is not possible, with what to do.
	*/
	readonly erase?: () => Promise<void>;
	/**
	Reports the changes of all lists, also of those by other processes.

	@returns how to end that.
	*/
	watch(listener: (change: ListChange) => void): () => void;
	/** Rejects with the reason if the database cannot be used now. */
	ready(): Promise<void>;
	/** A warning for the person who starts a service on this database, in whole sentences. */
	readonly warning?: string;
	/** A warning for the operator of files that have grown too long, in whole sentences; only where the database is a file. */
	readonly findWarning?: () => string | undefined;
	/** @throws StoreFailure if the files of the database were deleted or replaced since it was opened. */
	check(): void;
	/** Rejects with a `StoreFailure`, `newer`, once a newer program has changed the schema: then no verb writes any more. */
	checkVersion(): Promise<void>;
	/**
	Rejects with a `StoreFailure`, `moved` or `damaged`, where closing would write to files that must not be written: then end by
	`process.exit`.
	*/
	close(): Promise<void>;
};
