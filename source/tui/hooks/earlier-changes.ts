import type {RecordChange} from '../../changes/compare-lists.ts';
import {isSameValue} from '../../changes/fields.ts';
import type {History} from '../../changes/history.ts';
import {placeOf, skipKey, type LogEntry} from '../../changes/log-lines.ts';
import type {ChangeLog} from '../../changes/log.ts';
import {entryName, type HistoryEntry} from '../../interface/history.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {authorName, changeWords, type LateChange, type Lately} from './lately.ts';
import type {SessionLog} from './session-log.ts';

/* The changes from before a session, for the last ones below the lists: those of the service's history, else those of the log. */

/** The log is read after the frame that shows the first list. */
const delayMilliseconds = 100;

type EarlierChangesOptions = {
	readonly lately: Pick<Lately, 'fill'>;
	readonly log: Pick<SessionLog, 'recent'>;
	readonly history: Pick<History, 'read'>;
	readonly personId: string | undefined;
	readonly timeZone: TimeZone;
	readonly closing: AbortSignal;
};

/** Adds the changes from before a session to its last ones. */
export function createEarlierChanges({lately, log, history, personId, timeZone, closing}: EarlierChangesOptions) {
	let filledFrom: 'log' | 'history' | undefined;
	let earlierEntries: readonly HistoryEntry[] | undefined;

	const fill = (): void => {
		try {
			const {logged, undoable} = log.recent();
			const entries = earlierEntries ?? logged.slice(0, earlierCount);
			lately.fill(earlierChanges({entries, logged, undoable, personId, timeZone}));
		} catch {
			// Undo and the history say that the log cannot be read.
		}
	};

	return {
		/** Adds the changes of the log; call this when a list was read. */
		fillFromLog(): void {
			if (filledFrom === undefined) {
				filledFrom = 'log';
				setTimeout(fill, delayMilliseconds).unref();
			}
		},
		/** Puts those of the service's history in their place; call this when the service announces one. */
		async fillFromHistory(): Promise<void> {
			if (filledFrom === 'history') {
				return;
			}

			filledFrom = 'history';
			try {
				({entries: earlierEntries} = await history.read({limit: earlierCount}, closing));
				fill();
			} catch {
				// The changes of the log stay. If the service is away, the lists say so.
			}
		},
	};
}

/** How many entries are read: many of them may be one change of several records. */
const earlierCount = 50;

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
