import {placeOf, skipKey, type ChangeLog, type LogEntry} from '../../changes/log.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {isSameValue} from '../../changes/fields.ts';
import {entryName, type HistoryEntry} from '../../interface/history.ts';
import {authorName, changeWords, type LateChange} from './lately.ts';

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
};

/**
Returns the changes of a history for the quiet parts, the newest first. A change is the person's own if their log has it: others may have
the same key.
*/
export function earlierChanges({entries, logged, personId, undoable}: EarlierOptions): readonly LateChange[] {
	const own = Map.groupBy(
		logged.filter(({origin}) => origin !== undefined && origin.person === personId),
		entry => placeOf(entry),
	);
	const ownOf = (entry: HistoryEntry): LogEntry | undefined =>
		own
			.get(placeOf(entry))
			?.find(({at, to}) => isSameValue(to, entry.to) && Math.abs(Date.parse(at) - Date.parse(entry.at)) < clocksMilliseconds);
	const runs: Array<{readonly by: string; readonly group: string | undefined; readonly entries: HistoryEntry[]; undo: string[]}> = [];
	for (const entry of entries.filter(({kind, field}) => kind !== 'key' && field !== 'version')) {
		const logEntry = ownOf(entry);
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
		changeWords(same.map(entry => ({...entry, name: entryName(entry)}) as RecordChange)).map(words => ({
			...words,
			at: Date.parse(same[0]!.at),
			by,
			earlier: undo,
		})),
	);
}
