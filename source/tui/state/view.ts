import {initialListState} from '../widgets/list/list-state.ts';
import {type FilteredList} from './filtered-list.ts';

export const screenNames = ['agents', 'abilities', 'installed'] as const;

export type ScreenName = typeof screenNames[number];

/** Columns that a list can be sorted by; `none` is the service's own order. */
export type SortColumn = 'none' | 'name' | 'state' | 'category' | 'phrases' | 'changed' | 'abilities' | 'id' | 'prompt';

export type Sort = {readonly column: SortColumn; readonly isReversed: boolean};

/** How one screen shows its list. */
export type View = FilteredList & {
	/** True while the filter line takes the keys. */
	readonly isFilterOpen: boolean;
	readonly sort: Sort;
	/** True while the UI waits for the number of a column to sort by. */
	readonly isSortOpen: boolean;
	readonly marks: ReadonlySet<number>;
	/** The range being marked: where it started, and what was marked before. */
	readonly range: {readonly anchorId: number; readonly marksBefore: ReadonlySet<number>} | undefined;
	/** Goes up each time the rows must be filtered and sorted again; switching a row doesn't do that. */
	readonly generation: number;
};

/** The screen shown, and how each of them shows its list. */
export type Screens = {
	readonly screen: ScreenName;
	readonly views: Readonly<Record<ScreenName, View>>;
};

export const initialView: View = {
	list: initialListState,
	filter: '',
	idBefore: undefined,
	isFilterOpen: false,
	sort: {column: 'none', isReversed: false},
	isSortOpen: false,
	marks: new Set(),
	range: undefined,
	generation: 0,
};
