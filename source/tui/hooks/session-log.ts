import {placeOf, skipKey, type Group, type LogEntry, type Tried} from '../../changes/log-lines.ts';
import type {ChangeLog} from '../../changes/log.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {isSameValue} from '../../changes/fields.ts';
import type {RecordedClient} from '../../changes/recorded-client.ts';
import {findStandingGroups, type StandingGroup} from '../../changes/undo.ts';
import {withoutFailing} from '../../interface/errors.ts';
import type {HistoryEntry, HistoryQuery} from '../../interface/history.ts';
import {isSessionRunning} from '../../platform/sessions.ts';

/** A list shows a change within this time, if the service is polled. */
const ownMilliseconds = 60_000;

/** Changes from before this session can be undone for a day. */
const earlierMilliseconds = 24 * 60 * 60 * 1000;

type SessionLogOptions = {
	/** The log of the account: a different one once its profile is renamed. */
	readonly openLog: () => ChangeLog;
	readonly recorded: Pick<RecordedClient, 'flush' | 'history' | 'checkLog' | 'newGroup' | 'noteRemoval' | 'within'>;
	readonly personId: string | undefined;
	readonly session: string;
};

/** Reads the log of an account for undo. */
export function createSessionLog({openLog, recorded, personId, session}: SessionLogOptions) {
	const {flush, history, newGroup, within} = recorded;
	/** Keys of earlier changes that this session has handled. */
	let taken: ReadonlySet<string> = new Set();
	const entries = (): readonly LogEntry[] => openLog().recent().changes;
	/**
	Returns the groups by ended sessions and by commands of this person in the last day that were not taken back, the newest first.
	*/
	const earlierGroups = (): readonly StandingGroup[] => {
		const {changes, skipped} = openLog().recent();
		return findStandingGroups(changes, skipped.union(taken)).filter(
			group =>
				group.person === personId &&
				!isSessionRunning(group.session) &&
				Date.now() - Date.parse(group.entries[0]!.at) < earlierMilliseconds,
		);
	};

	/** The changes that entries of other windows and commands explain, by the keys of these. */
	const explained = new Map<string, RecordChange>();

	/** The lists are read and shown whether or not the log can be read. */
	const newestNoted = (): readonly LogEntry[] =>
		withoutFailing(() => entries().filter(({at, origin}) => origin !== undefined && Date.now() - Date.parse(at) < ownMilliseconds)) ?? [];

	/** Tells whether an entry is of this person, but not of this session, and explains no other change. */
	const isByOtherWindow = (entry: LogEntry, change: RecordChange): boolean =>
		entry.origin?.person === personId && entry.origin?.session !== session && (explained.get(skipKey(entry)) ?? change) === change;

	return {
		/** Returns the newest entries, the newest first. */
		entries,
		/** Returns the entries of groups, including entries that are not noted yet. */
		async entriesOf(groups: readonly string[]): Promise<readonly LogEntry[]> {
			await flush();
			return openLog()
				.changes()
				.filter(({origin}) => origin !== undefined && groups.includes(origin.group));
		},
		earlierGroups,
		/**
		Returns the newest entries with the keys of the changes that `earlierGroups` has.

		@throws SwitchboardError if the log cannot be read.
		*/
		recent: () => ({
			logged: openLog().recent().changes,
			undoable: new Set(earlierGroups().flatMap(group => group.entries.map(entry => skipKey(entry)))),
		}),
		/**
		Returns the keys of the changes that another window or a command of this person has just made, by change; none if the log cannot be
		read.
		*/
		ownKeysOf(changes: readonly RecordChange[]): ReadonlyMap<RecordChange, string> {
			const noted = Map.groupBy(newestNoted(), entry => placeOf(entry));
			const keys = new Map<RecordChange, string>();
			for (const change of changes) {
				// Others may have made the same change since.
				const entry = noted.get(placeOf(change))?.find(({to}) => isSameValue(to, change.to));
				if (entry !== undefined && isByOtherWindow(entry, change)) {
					keys.set(change, skipKey(entry));
					explained.set(skipKey(entry), change);
				}
			}

			return keys;
		},
		/** Tells whether this session has handled a change from before it. */
		isTaken: (key: string): boolean => taken.has(key),
		/**
		Notes an ability that is to be on for a conversation, before it is switched on. Returns the key for `skip`, which ends that.

		@throws SwitchboardError `not-kept`.
		*/
		noteTry: async (tried: Pick<Tried, 'id' | 'name' | 'at'>): Promise<string> => openLog().noteTry({...tried, session}),
		/** Returns the abilities that ended sessions left on. */
		leftTries: (): readonly Tried[] =>
			openLog()
				.tries()
				.filter(tried => !taken.has(tried.key) && !isSessionRunning(tried.session)),
		/** @throws SwitchboardError `not-kept` if changes cannot be noted. */
		check: recorded.checkLog,
		noteRemoval: recorded.noteRemoval,
		/** Returns the package of a deleted ability; `undefined` if it is no longer kept. Throws an error of the file system. */
		package: (name: string): Uint8Array | undefined => openLog().package(name),
		/** Runs work whose changes undo takes back together. */
		together: async <Result>(work: () => Promise<Result>): Promise<Result> => within(newGroup(), work),
		/** Runs work that restores removed abilities: undo ignores its changes. */
		async restoring<Result>(work: (group: Group) => Promise<Result>): Promise<Result> {
			const group = {...newGroup(), undoes: []};
			return within(group, async () => work(group));
		},
		/** Remembers for this session that changes are being taken back. */
		take(keys: readonly string[]): void {
			taken = taken.union(new Set(keys));
		},
		/** Remembers changes that were taken back already, or cannot be. */
		skip(keys: readonly string[]): void {
			taken = taken.union(new Set(keys));
			void openLog().skip(keys);
		},
		/** Returns a function that asks the service for its history; `undefined` if it keeps none. */
		historyReader: async (): Promise<((query: HistoryQuery) => Promise<readonly HistoryEntry[]>) | undefined> =>
			(await history.isKeptByService()) ? async query => (await history.read(query)).entries : undefined,
	};
}

export type SessionLog = ReturnType<typeof createSessionLog>;
