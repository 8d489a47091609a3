import {useMemo} from 'react';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ScreenName, type View} from '../../state/view.ts';
import {parseFilter, type Filter} from '../../state/filter.ts';
import {
	createRowFilter,
	type FilteredRows,
	type RowData,
	type RowFilter,
} from '../../state/rows.ts';

export type Listed = {readonly id: number; readonly name: string; readonly changedAt?: number | undefined};

export type Rows<Record_> = FilteredRows & {
	recordOf(id: number | undefined): Record_ | undefined;
};

/** What `toRowData` depends on besides the record. */
export type RowDependencies = {
	/** Changes when the agents in the row data change. */
	readonly tiesKey?: string | undefined;
	/** False while the states are unknown. */
	readonly areStatesRead?: boolean | undefined;
	/** Changes when failures or changes made elsewhere change. */
	readonly eventsKey?: string | undefined;
};

type KeptRows = FilteredRows & {
	readonly screen: ScreenName;
	readonly key: string;
	/** The ids of all records. */
	readonly recordIds: string;
	readonly eventsKey: string;
};

/**
Kept outside the screens, which help or an opened record unmounts: the rows come back as they were left. Only the last
screen's rows are kept: coming back from another screen filters and sorts anew.
*/
const keptRows: MemoryKey<{newest?: KeptRows}> = {create: () => ({})};

const rowFilters: MemoryKey<Readonly<Record<ScreenName, RowFilter>>> = {
	create: () => ({agents: createRowFilter(), abilities: createRowFilter(), installed: createRowFilter()}),
};

/** The rows of a list as it was left, in order; `undefined` if another list was shown since. */
export const rowsLeft = (session: ServiceSession, screen: ScreenName): readonly number[] | undefined => {
	const {newest} = session.memory.get(keptRows);
	return newest?.screen === screen ? newest.ids : undefined;
};

/**
What the rows and their order depend on besides which records there are. The contents of a record do not count:
a row that is switched off stays under the filter `is:on` until the next refresh. But an ability's agents may arrive after
the filter that asks for them, and its state after the ability.
*/
const rowsKey = (view: View, {dependsOnMarks, dependsOnAgents}: Filter, {tiesKey = '', areStatesRead = true}: RowDependencies): string => [
	view.filter,
	view.sort.column,
	view.sort.isReversed,
	view.generation,
	dependsOnMarks ? [...view.marks].join(' ') : '',
	dependsOnAgents ? tiesKey : '',
	areStatesRead,
].join('\n');

/**
The rows of a list, for drawing and for keys.

@returns `rowsOf`, which returns the rows for a view: an earlier key in the same chunk may have changed it since the frame.
*/
export const useRows = <Record_ extends Listed>(
	screen: ScreenName,
	records: readonly Record_[],
	toRowData: (record: Record_) => RowData,
	basis: RowDependencies = {},
): ((view: View) => Rows<Record_>) => {
	const {store} = useUiServices();
	const session = useServiceSession();
	const recordIds = useMemo(() => records.map(({id}) => id).join(' '), [records]);
	const byId = useMemo(() => new Map(records.map(record => [record.id, record])), [records]);
	return view => {
		const filter = parseFilter(view.filter);
		const key = rowsKey(view, filter, basis);
		const eventsKey = filter.dependsOnEvents ? basis.eventsKey ?? '' : '';
		const kept = session.memory.get(keptRows);
		const before = kept.newest;
		let rows = before?.screen === screen && before.key === key && before.recordIds === recordIds ? before : undefined;
		if (rows?.eventsKey !== eventsKey) {
			const {marks} = store.getState().views[screen];
			// Rows that failed or changed since are added; none disappears while the person works on it.
			const idsBefore = rows && new Set(rows.ids);
			rows = {
				screen,
				key,
				recordIds,
				eventsKey,
				...session.memory.get(rowFilters)[screen](records, {
					...view,
					toRowData: record => ({...toRowData(record), isMarked: marks.has(record.id)}),
					isKept: idsBefore && (id => idsBefore.has(id)),
				}),
			};
			kept.newest = rows;
		}

		return {ids: rows.ids, isFuzzy: rows.isFuzzy, recordOf: id => id === undefined ? undefined : byId.get(id)};
	};
};
