import type {ListChange} from '../../client/list-versions.ts';
import {entryName, type HistoryEntry} from '../../interface/history.ts';
import {cleanName, type Resource} from '../../interface/records.ts';
import type {History} from '../../changes/history.ts';
import {createObservable} from '../observable.ts';
import {authorName, changeWords, type LateChange, type Lately} from './lately.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {resourceOf} from '../../changes/fields.ts';
import type {TimeZone} from '../../words/time-zone.ts';

/** The author of a change elsewhere, and its time in milliseconds since the epoch. */
type Changer = {readonly by: string; readonly at: number};

/**
This many entries before the newest known one are read again: another list may show a change later, and a list may have been read before the
service said how far its history goes.
*/
const overlapCount = 20;

/** Further changes of one list stay without an author. */
const limit = 200;

/** `by` is `undefined` if the service does not say who it was. */
type ChangesByOther = {readonly by: string | undefined; readonly changes: readonly RecordChange[]};

const nobody: Readonly<Record<Resource, ReadonlyMap<number, Changer>>> = {agents: new Map(), abilities: new Map(), installed: new Map()};

type WhoChangedOptions = {
	readonly history: Pick<History, 'read'>;
	readonly lately: Pick<Lately, 'add' | 'replace'>;
	/** Returns the keys of changes in the person's own log, by change: they made them with a command, or in another window. */
	ownKeysOf(changes: readonly RecordChange[]): ReadonlyMap<RecordChange, string>;
	/** Called with changes that turn out to be the person's own. */
	onOwn(resource: Resource, ids: readonly number[]): void;
	readonly closing: AbortSignal;
	readonly timeZone?: TimeZone | undefined;
};

/**
Looks up the authors of changes that were seen in lists, with one request for each list. Only a service that announces a history is asked.
*/
export function createWhoChanged({history, lately, ownKeysOf, onOwn, closing, timeZone}: WhoChangedOptions) {
	const changers = createObservable(nobody);
	const newest = createObservable<ChangesByOther | undefined>(undefined);
	/** The newest known entry; `undefined` while the service announces none. */
	let lastId: number | undefined;

	/** Forgets the author of an earlier change, which is no longer right. */
	const forget = (resource: Resource, ids: readonly number[]): void => {
		const before = changers.get();
		const forgotten = new Set(ids);
		const left = [...before[resource]].filter(([id]) => !forgotten.has(id));
		changers.set(left.length === before[resource].size ? before : {...before, [resource]: new Map(left)});
	};

	/** Returns the keys of the person's own changes, which are no longer highlighted. */
	const takeOwn = (changes: readonly RecordChange[]): ReadonlyMap<RecordChange, string> => {
		const keys = ownKeysOf(changes);
		for (const [resource, own] of Map.groupBy(keys.keys(), ({kind}) => resourceOf[kind])) {
			onOwn(
				resource,
				own.map(({record}) => record),
			);
		}

		return keys;
	};

	const name = async (changes: readonly RecordChange[], added: readonly LateChange[]): Promise<void> => {
		let entries: readonly HistoryEntry[];
		const after = lastId! - overlapCount;
		try {
			({entries} = await history.read({...(after > 0 && {after}), limit}, closing));
		} catch {
			// The changes stay without a name. If the service is away, the lists say so.
			newest.set({by: undefined, changes});
			return;
		}

		lastId = Math.max(lastId!, ...entries.map(({id}) => id));
		const entryOf = entryFinder(entries);
		const found = new Map(changes.map(change => [change, entryOf(change)]));
		if (closing.aborted || found.values().every(entry => entry === undefined)) {
			newest.set({by: undefined, changes});
			return;
		}

		// A command may have noted it a moment later.
		const keys = takeOwn(changes);
		const named = {...changers.get()};
		for (const [change, entry] of found) {
			const {kind, record} = change;
			const resource = resourceOf[kind];
			if (entry !== undefined && !keys.has(change)) {
				named[resource] = new Map(named[resource]).set(record, {by: entry.by, at: Date.parse(entry.at)});
			}
		}

		changers.set(named);
		for (const [by, same] of Map.groupBy(
			changes.filter(change => !keys.has(change)),
			change => found.get(change)?.by,
		)) {
			newest.set({by: by === undefined ? undefined : authorName(by), changes: same});
		}

		lately.replace(
			added,
			[...Map.groupBy(changes, change => (keys.has(change) ? 'you' : authorName(found.get(change)?.by)))].flatMap(([by, same]) =>
				changeWords(same, timeZone).map(words => ({
					...words,
					by,
					...(by === 'you' && {earlier: same.map(change => keys.get(change)!)}),
					at: Date.parse(found.get(same[0]!)?.at ?? '') || added[0]!.at,
				})),
			),
		);
	};

	return {
		get: changers.get,
		subscribe: changers.subscribe,
		/** The newest changes by somebody else, once it is known who that was. */
		newest,
		/** Call this for records that were changed here. */
		forget,
		/** Takes the service's announcement about its history. */
		handleChange({history: newestId}: ListChange): void {
			// A service that was restored from a backup may go back.
			if (newestId !== undefined && newestId < (lastId ?? Infinity)) {
				lastId = newestId;
			}
		},
		/** Adds changes to the last ones, and their authors as soon as they are known. Returns those that are not the person's own. */
		add(changes: readonly RecordChange[]): readonly RecordChange[] {
			const keys = takeOwn(changes);
			lately.add('you', changeWords([...keys.keys()], timeZone), {earlier: [...keys.values()]});
			const others = changes.filter(change => !keys.has(change));
			const added = lately.add('elsewhere', changeWords(others, timeZone));
			for (const [resource, same] of Map.groupBy(changes, ({kind}) => resourceOf[kind])) {
				forget(
					resource,
					same.map(({record}) => record),
				);
			}

			if (lastId !== undefined && others.length > 0) {
				void name(others, added);
			} else if (others.length > 0) {
				newest.set({by: undefined, changes: others});
			}

			return others;
		},
	};
}

/** Finds the entry of a change: the entry of its record, or of another record with its name whose field appears in both lists. */
function entryFinder(entries: readonly HistoryEntry[]): (change: RecordChange) => HistoryEntry | undefined {
	const byRecord = new Map(entries.toReversed().map(entry => [`${entry.kind} ${entry.record} ${entry.field}`, entry]));
	const byName = new Map(entries.toReversed().map(entry => [`${entry.field} ${entryName(entry)}`, entry]));
	return ({kind, record, field, name}) => byRecord.get(`${kind} ${record} ${field}`) ?? byName.get(`${field} ${cleanName(name)}`);
}
