import {useMemo} from 'react';
import {useUiServices} from '../../app-context.ts';
import type {OutsideState} from '../../hooks/outside-changes.ts';
import {useServiceSession, type MemoryKey, type ServiceSession} from '../../hooks/service-session.ts';
import {useChangers, useOutsideChanges, type ResourceState} from '../../hooks/use-resource.ts';
import {parseFilter, type Highlight} from '../../../interface/filter.ts';
import {createRowFilter, type FilteredRows, type RowData, type RowFilter} from '../../state/rows.ts';
import type {RowHearing} from '../../state/hearing.ts';
import {screenNames, type ScreenName, type View} from '../../state/view.ts';

export type ListedRecord = {readonly id: number; readonly name: string; readonly changedAt?: number | undefined};

type KeptRows = {
	readonly filters: Readonly<Record<ScreenName, RowFilter>>;
	/** The rows of the last screen. Coming back from another one filters and sorts anew. */
	newest?: FilteredRows & {readonly screen: ScreenName; readonly key: string; readonly recordIds: string; readonly eventsKey: string};
};

/** Kept outside the screens, which help or an opened record unmounts, so that the rows come back as they were left. */
const keptRows: MemoryKey<KeptRows> = {
	create: () => ({filters: {agents: createRowFilter(), abilities: createRowFilter(), installed: createRowFilter()}}),
};

/** Returns the rows of a list as it was left, in order; `undefined` if another list was shown since. */
export function rowsLeft(session: ServiceSession, screen: ScreenName): readonly number[] | undefined {
	const {newest} = session.memory.get(keptRows);
	return newest?.screen === screen ? newest.ids : undefined;
}

export type ListRowsOptions<Record_> = {
	readonly screen: ScreenName;
	readonly resource: ResourceState<Record_>;
	readonly toRowData: (record: Record_) => RowData;
	/** The installed record that a row shows, beside its own record. */
	readonly installedIdOf?: ((record: Record_) => number | undefined) | undefined;
	/** `toRowData` depends on this besides the record. */
	readonly tiesKey?: string | undefined;
	readonly eventsKey?: string | undefined;
	/** False while the states are unknown. */
	readonly areStatesRead?: boolean | undefined;
};

/** Returns the rows of a list, for drawing and for keys, with the rows that were changed elsewhere. */
export function useListRows<Record_ extends ListedRecord>(options: ListRowsOptions<Record_>) {
	const {
		screen,
		resource: {records},
		toRowData,
		installedIdOf,
		tiesKey = '',
		areStatesRead = true,
	} = options;
	const {store} = useUiServices();
	const session = useServiceSession();
	const {signs, changed} = useOutsideChanges();
	const changerOf = useChangers();
	const all = useMemo(() => records ?? [], [records]);
	const recordIds = useMemo(() => all.map(({id}) => id).join(' '), [all]);
	const byId = useMemo(() => new Map(all.map(record => [record.id, record])), [all]);
	const isIn = (ids: OutsideState['signs'], record: Record_): boolean =>
		ids[screen].has(record.id) || ids.installed.has(installedIdOf?.(record) ?? -1);

	/**
	Besides the set of records, the rows and their order depend on these. The contents of a record do not count: a row that is switched off
	stays under the filter `is:on` until the next refresh. But an ability's agents may arrive after the filter that needs them, and its
	state after the ability.
	*/
	const keysOf = (view: View): readonly [key: string, eventsKey: string] => {
		const {dependsOnMarks, dependsOnAgents, dependsOnTimes, dependsOnEvents} = parseFilter(view.filter);
		const marks = dependsOnMarks ? [...view.marks].join(' ') : '';
		return [
			[
				view.filter,
				view.sort.column,
				view.sort.isReversed,
				view.generation,
				marks,
				dependsOnAgents || dependsOnTimes || ['agents', 'changed'].includes(view.sort.column) ? tiesKey : '',
				areStatesRead,
			].join('\n'),
			dependsOnEvents ? [options.eventsKey, ...screenNames.map(name => changed[name].size)].join(' ') : '',
		];
	};

	return {
		/** All records, as the service lists them. */
		all,
		/** Returns the rows for a view: an earlier key in the chunk may have changed it since the last frame. */
		rowsOf(view: View) {
			const [key, eventsKey] = keysOf(view);
			const kept = session.memory.get(keptRows);
			const {newest} = kept;
			let rows = newest?.screen === screen && newest.key === key && newest.recordIds === recordIds ? newest : undefined;
			if (rows?.eventsKey !== eventsKey) {
				const {marks} = store.getState().views[screen];
				// Rows that have failed or changed since are added; none disappears while the person works on it.
				const idsBefore = rows && new Set(rows.ids);
				const filtered = kept.filters[screen](all, {
					...view,
					toRowData: record => ({...toRowData(record), isChanged: isIn(changed, record), isMarked: marks.has(record.id)}),
					isKept: idsBefore && (id => idsBefore.has(id)),
				});
				rows = {screen, key, recordIds, eventsKey, ...filtered};
				kept.newest = rows;
			}

			return {...rows, recordOf: (id: number | undefined): Record_ | undefined => (id === undefined ? undefined : byId.get(id))};
		},
		/** True if somebody else has changed the record and the cursor has not passed it since. */
		hasChangeSign: (record: Record_) => isIn(signs, record),
		/** Such as “by anna, 12:03”; empty if the author of a change elsewhere is not known. */
		changedBy(record: Record_, now: number): string {
			const installedId = installedIdOf?.(record);
			return changerOf(screen, record.id, now) || (installedId === undefined ? '' : changerOf('installed', installedId, now));
		},
		/** Removes the change signs of records that the cursor has passed. */
		pass(passed: readonly Record_[]): void {
			session.changes.outside.pass(
				screen,
				passed.map(({id}) => id),
			);
			session.changes.outside.pass(
				'installed',
				passed.map(record => installedIdOf?.(record)).filter(id => id !== undefined),
			);
		},
	};
}

export type RowLook = {
	readonly isCursor: boolean;
	readonly isMarked: boolean;
	/** True if it was changed elsewhere, and perhaps not seen yet. */
	readonly isChanged: boolean;
	/** The author and the time; empty if they are not known. */
	readonly changedBy?: string;
	readonly heard?: RowHearing | undefined;
	readonly filter: Highlight;
};
