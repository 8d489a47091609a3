import {type ListState, initialListState} from './list-state.ts';
import {parseFilter} from '../../interface/filter.ts';

/** A list, its filter, and the position of the cursor before the filter moved it. */
export type FilteredList = {
	readonly list: ListState;
	readonly filter: string;
	/**
	The record to go back to when the filter is erased, or cleared while nothing matches; `undefined` if the person has moved the cursor.
	*/
	readonly idBefore: number | undefined;
};

/**
Returns the list with another filter. New words move the cursor to the best match, which is the first row. If the words are unchanged, the
cursor stays on its record, or moves to the first row if that is hidden. Without words it goes back.
*/
export function withFilter({list, filter: before, idBefore}: FilteredList, filter: string): FilteredList {
	const words = wordsOf(filter);
	const home = idBefore ?? list.cursorId;
	if (words === '') {
		return {filter, list: atFirstRow(list, home), idBefore: undefined};
	}

	return words === wordsOf(before)
		? {filter, list: atFirstRow(list, list.cursorId), idBefore}
		: {filter, list: atFirstRow(list, undefined), idBefore: home};
}

const wordsOf = (filter: string): string => parseFilter(filter).words.join(' ');

const atFirstRow = (list: ListState, cursorId: number | undefined): ListState => ({...list, cursorId, cursorRow: 0, topRow: 0});

/** Returns the list without its filter: the cursor stays on the found record, among its neighbours, or goes back if none was found. */
export function withoutFilter({list, idBefore}: FilteredList): FilteredList {
	return {filter: '', list: {...list, cursorId: list.cursorId ?? idBefore}, idBefore: undefined};
}

/** Returns the list with the cursor on a visible row. It goes back to a hidden record when the filter is erased. */
export function withSettled({list: before, filter, idBefore}: FilteredList, list: ListState, isHidden: boolean): FilteredList {
	return {filter, list, idBefore: isHidden ? (idBefore ?? before.cursorId) : idBefore};
}

export const screenNames = ['agents', 'abilities', 'installed'] as const;

export type ScreenName = (typeof screenNames)[number];

/** Columns that a list can be sorted by; `none` is the service's own order. */
export type SortColumn = 'none' | 'name' | 'state' | 'agents' | 'category' | 'phrases' | 'changed' | 'abilities' | 'id' | 'prompt';

export type Sort = {readonly column: SortColumn; readonly isReversed: boolean};

export type View = FilteredList & {
	readonly isFilterOpen: boolean;
	readonly sort: Sort;
	/** True while the UI waits for the number of a column to sort by. */
	readonly isSortOpen: boolean;
	readonly marks: ReadonlySet<number>;
	/** The current range: its start, and the marks before it. */
	readonly range: {readonly anchorId: number; readonly marksBefore: ReadonlySet<number>} | undefined;
	/** Increases each time the rows must be filtered and sorted again; switching a row does not change it. */
	readonly generation: number;
};

/** The choices of the quiet parts, in the order of their key: the row under the cursor and the last changes, only these, or none. */
export const shownParts = ['both', 'lately', 'none'] as const;

export type ShownParts = (typeof shownParts)[number];

/** The current screen, and the view of each screen's list. */
export type Screens = {readonly screen: ScreenName; readonly views: Readonly<Record<ScreenName, View>>};

/** The screens as they were left, as far as that is known. Marks are restored later, with the records. */
export type LeftScreens = {
	readonly screen?: ScreenName;
	/** Belongs to the program rather than to a service. */
	readonly parts?: ShownParts | undefined;
	readonly views: Readonly<Partial<Record<ScreenName, Pick<View, 'list' | 'filter' | 'sort'>>>>;
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

type Marking = Pick<View, 'marks' | 'range'>;

export function withMarkToggled({marks}: Marking, id: number): Marking {
	const next = new Set(marks);
	if (!next.delete(id)) {
		next.add(id);
	}

	return {marks: next, range: undefined};
}

/** Starts a range at a record, or ends the current range and keeps its marks. */
export function withRangeToggled({marks, range}: Marking, id: number): Marking {
	return range === undefined ? {marks: new Set(marks).add(id), range: {anchorId: id, marksBefore: marks}} : {marks, range: undefined};
}

/** Returns the marks after the cursor moved to a record while marking a range. */
export function withRangeTo(marking: Marking, ids: readonly number[], cursorId: number | undefined): Marking {
	const {marks, range} = marking;
	return range === undefined || cursorId === undefined
		? {marks, range}
		: {marks: new Set([...range.marksBefore, ...between(ids, range.anchorId, cursorId)]), range};
}

/** Returns the ids from one to another, both included, in list order; none if one is missing. */
function between(ids: readonly number[], first: number, second: number): readonly number[] {
	const rows = [ids.indexOf(first), ids.indexOf(second)].toSorted((one, other) => one - other) as [number, number];
	return rows[0] === -1 ? [] : ids.slice(rows[0], rows[1] + 1);
}

/** Marks all visible rows; unmarks them if all are marked already. */
export function withAllToggled({marks}: Marking, ids: readonly number[]): Marking {
	const next = new Set(marks);
	const areAllMarked = ids.length > 0 && ids.every(id => marks.has(id));
	for (const id of ids) {
		if (areAllMarked) {
			next.delete(id);
		} else {
			next.add(id);
		}
	}

	return {marks: next, range: undefined};
}

export const noMarks: Marking = {marks: new Set(), range: undefined};
