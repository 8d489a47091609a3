import {placeOf, skipKey, type ChangeLog, type LogEntry} from '../../changes/log.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {formatCount} from '../../interface/format-count.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {findField, plainValue, resourceOf, isSameValue} from '../../changes/fields.ts';
import {seenElsewhere, entryName, type HistoryEntry} from '../../interface/history.ts';
import {cleanName} from '../../interface/records.ts';
import type {UndoEntry} from './undo-history.ts';
import {createObservable} from '../observable.ts';
import type {TimeZone} from '../../words/time-zone.ts';

export type LateChange = {
	/** In milliseconds since the epoch. */
	readonly at: number;
	/** “you”, “elsewhere” or a name. */
	readonly by: string;
	/** The name of the record, such as “pantry” or “pantry and 2 more”. */
	readonly subject: string;
	/** Such as “on → off” or “phrases changed”. */
	readonly what: string;
	/** The entry that undo takes back, if this is a change of this session and not itself an undo. */
	readonly done?: UndoEntry | undefined;
	/** For a change from outside this session: its keys in the log, as far as undo offers it. */
	readonly earlier?: readonly string[] | undefined;
};

/** No screen shows more. */
const maximumCount = 50;

export type Switched = {readonly name: string; readonly wasEnabled: boolean | undefined; readonly isEnabled: boolean};

/** Returns the switches of one key as one change. */
export function switchedWords(changes: readonly Switched[]): Pick<LateChange, 'subject' | 'what'> {
	const states = new Set(changes.map(({wasEnabled, isEnabled}) => `${stateWord(wasEnabled)} → ${stateWord(isEnabled)}`));
	return {subject: subjectOf(changes.map(({name}) => name)), what: states.size === 1 ? [...states][0]! : 'switched'};
}

const subjectOf = (names: readonly string[]): string =>
	names.length === 1 ? names[0]! : `${names[0]!} and ${formatCount(names.length - 1)} more`;

const presenceWords: ReadonlyMap<string, string> = new Map([
	['installed true', 'installed'],
	['installed false', 'uninstalled'],
	['exists true', 'added'],
	['exists false', 'deleted'],
]);

/** Returns the words for changes: one line for each record, or one line for many changes of a kind. */
export function changeWords(changes: readonly RecordChange[], timeZone?: TimeZone): ReadonlyArray<Pick<LateChange, 'subject' | 'what'>> {
	return [...Map.groupBy(changes, change => wordsOf(change, timeZone))].map(([what, same]) => ({
		subject: subjectOf(same.map(({name}) => cleanName(name))),
		what,
	}));
}

function wordsOf({kind, field, from, to}: RecordChange, timeZone: TimeZone | undefined): string {
	const {noun, words = () => `new ${noun}`} = findField(resourceOf[kind], field) ?? {};
	return presenceWords.get(`${field} ${plainValue(to)}`) ?? words(from, to, timeZone);
}

/** Returns a sentence about changes by somebody else, such as “anna switched guestwifi off.” */
export function changedByOtherText(by: string | undefined, changes: readonly RecordChange[], timeZone?: TimeZone): string {
	const [{subject, what}] = changeWords(changes, timeZone) as readonly [Pick<LateChange, 'subject' | 'what'>];
	const [{field, to}] = changes as readonly [RecordChange];
	return field === 'enabled'
		? by === undefined
			? `${subject} switched ${stateWord(to as boolean)} elsewhere.`
			: `${by} switched ${subject} ${stateWord(to as boolean)}.`
		: `${by ?? 'Elsewhere'}: ${subject} ${what}.`;
}

/** Returns the author of a change by others for display: in quotes if somebody has the name of the reader's own changes. */
export function authorName(by = ''): string {
	return by === '' ? seenElsewhere : by === 'you' ? '“you”' : by;
}

/**
Returns the last changes, of a session and of others meanwhile, the newest first.

@param onOwn - called with changes of this session, but for switches.
*/
export function createLately(onOwn?: (words: Pick<LateChange, 'subject' | 'what'>) => void) {
	const entries = createObservable<readonly LateChange[]>([]);
	let filled = new WeakSet<LateChange>();
	return {
		get: entries.get,
		subscribe: entries.subscribe,
		/** @returns the new entries. */
		add(
			by: 'you' | 'elsewhere',
			changes: ReadonlyArray<Pick<LateChange, 'subject' | 'what'>>,
			{done, earlier, isSwitch = false}: Pick<LateChange, 'done' | 'earlier'> & {readonly isSwitch?: boolean} = {},
		): readonly LateChange[] {
			const at = Date.now();
			if (by === 'you' && !isSwitch) {
				for (const words of changes) {
					onOwn?.(words);
				}
			}

			const added = changes.map(({subject, what}) => ({at, by, subject, what, done, earlier}));
			if (added.length > 0) {
				entries.set([...added, ...entries.get()].slice(0, maximumCount));
			}

			return added;
		},
		/** Puts the changes from before this session after its own, in place of those known before. */
		fill(earlier: readonly LateChange[]): void {
			const present = entries.get().filter(entry => !filled.has(entry));
			const oldest = present.at(-1)?.at ?? Infinity;
			filled = new WeakSet(earlier);
			entries.set([...present, ...earlier.filter(({at}) => at < oldest)].slice(0, maximumCount));
		},
		/** Replaces entries once more is known about them. */
		replace(before: readonly LateChange[], after: readonly LateChange[]): void {
			const old = new Set(before);
			entries.set(
				entries
					.get()
					.flatMap(entry => (entry === before[0] ? after : old.has(entry) ? [] : [entry]))
					.slice(0, maximumCount),
			);
		},
	};
}

export type Lately = ReturnType<typeof createLately>;

/** How many entries are read: many of them may be one change of several records. */
export const earlierCount = 50;

/** The clocks of the service and of this machine may differ. */
const clocksMilliseconds = 60_000;

/** Changes of one key arrive together. */
const togetherMilliseconds = 2000;

type EarlierOptions = {
	/** The newest entries of the history, the newest first. */
	readonly entries: readonly HistoryEntry[];
	readonly logged: ReturnType<ChangeLog['recent']>['changes'];
	/** Only this person's entries of the log are their own. */
	readonly personId: string | undefined;
	/** Keys of the changes that undo offers. */
	readonly undoable: ReadonlySet<string>;
	readonly timeZone?: TimeZone | undefined;
};

/**
Returns the changes of a history for the quiet parts, the newest first. A change is the person's own if their log has it: others may have
the same key.
*/
export function earlierChanges({entries, logged, personId, undoable, timeZone}: EarlierOptions): readonly LateChange[] {
	const ownEntries = findOwnEntries(entries, logged, personId);
	const runs: Array<{readonly by: string; readonly group: string | undefined; readonly entries: HistoryEntry[]; undo: string[]}> = [];
	for (const entry of entries.filter(({kind, field}) => kind !== 'key' && field !== 'version')) {
		const logEntry = ownEntries.get(entry);
		const by = logEntry === undefined ? authorName(entry.by) : 'you';
		const group = logEntry?.origin?.group;
		const last = runs.at(-1);
		const isTogether =
			last?.by === by &&
			last.group === group &&
			(group !== undefined || Date.parse(last.entries.at(-1)!.at) - Date.parse(entry.at) < togetherMilliseconds);
		const run = isTogether ? last : {by, group, entries: [], undo: []};
		if (!isTogether) {
			runs.push(run);
		}

		run.entries.push(entry);
		if (logEntry !== undefined && undoable.has(skipKey(logEntry))) {
			run.undo.push(skipKey(logEntry));
		}
	}

	return runs.flatMap(({by, entries: same, undo}) =>
		changeWords(
			same.map(entry => ({...entry, name: entryName(entry)}) as RecordChange),
			timeZone,
		).map(words => ({...words, at: Date.parse(same[0]!.at), by, earlier: undo})),
	);
}

/**
Returns the entries that the log has as this person's own. Others may have made the same change a moment before or after, so an entry of the
history and an entry of the log belong together if each is the nearest to the other.
*/
function findOwnEntries(
	entries: readonly HistoryEntry[],
	logged: readonly LogEntry[],
	personId: string | undefined,
): ReadonlyMap<HistoryEntry, LogEntry> {
	const oldest = entries.length < earlierCount ? -Infinity : Math.min(...entries.map(({at}) => Date.parse(at)));
	const made = Map.groupBy(
		logged.filter(({origin, at}) => origin !== undefined && Date.parse(at) >= oldest),
		entry => placeOf(entry),
	);
	// An ability and its installed record come and go in two entries of the history, and share an entry of the log.
	const fieldOf = ({kind, record, field}: HistoryEntry): string => `${kind} ${record} ${field}`;
	const listed = Map.groupBy(entries, entry => fieldOf(entry));
	return new Map(
		entries.flatMap(entry => {
			const own = nearestTo(entry, made.get(placeOf(entry)));
			return own?.origin !== undefined && own.origin.person === personId && nearestTo(own, listed.get(fieldOf(entry))) === entry
				? [[entry, own] as const]
				: [];
		}),
	);
}

/** Returns the entry with the same value that is the nearest in time; `undefined` if there is none within what clocks may differ. */
function nearestTo<Entry extends LogEntry>(wanted: LogEntry, entries: readonly Entry[] = []): Entry | undefined {
	const apartMilliseconds = (entry: LogEntry): number => Math.abs(serviceTime(entry) - serviceTime(wanted));
	return entries
		.filter(entry => isSameValue(entry.to, wanted.to) && apartMilliseconds(entry) < clocksMilliseconds)
		.toSorted((one, other) => apartMilliseconds(one) - apartMilliseconds(other))[0];
}

/** Returns when the service made a change: an entry of the log is noted once the answer has come. */
const serviceTime = ({at, origin}: LogEntry): number => origin?.changedAt ?? Date.parse(at);
