import {type ListState} from '../widgets/list/list-state.ts';
import {parseFilter} from './filter.ts';

/** A list, its filter, and where the cursor was before the filter moved it. */
export type FilteredList = {
	readonly list: ListState;
	readonly filter: string;
	/** The record to go back to when the filter is cleared; `undefined` if the person has moved the cursor. */
	readonly idBefore: number | undefined;
};

const wordsOf = (filter: string): string => parseFilter(filter).words.join(' ');

const atFirstRow = (list: ListState, cursorId: number | undefined): ListState => ({
	...list, cursorId, cursorRow: 0, topRow: 0,
});

/**
The list with another filter. Other words take the cursor to the best match, which is the first row. If the words are
the same, the cursor stays on its record, or goes to the first row if that is hidden. Without words it goes back.
*/
export const withFilter = ({list, filter: before, idBefore}: FilteredList, filter: string): FilteredList => {
	const words = wordsOf(filter);
	const home = idBefore ?? list.cursorId;
	if (words === '') {
		return {filter, list: atFirstRow(list, home), idBefore: undefined};
	}

	return words === wordsOf(before)
		? {filter, list: atFirstRow(list, list.cursorId), idBefore}
		: {filter, list: atFirstRow(list, undefined), idBefore: home};
};

/** The list without its filter, with the cursor back where it was. */
export const withoutFilter = ({list, idBefore}: FilteredList): FilteredList =>
	({filter: '', list: idBefore === undefined ? list : {...list, cursorId: idBefore}, idBefore: undefined});

/** The list with the cursor on a row that is shown. It goes back to a hidden record when the filter is cleared. */
export const withSettled = ({list: before, filter, idBefore}: FilteredList, list: ListState, isHidden: boolean): FilteredList =>
	({filter, list, idBefore: isHidden ? idBefore ?? before.cursorId : idBefore});
