import {type ListState} from '../widgets/list/list-state.ts';
import {parseFilter} from './filter.ts';

/** A list, its filter, and where the cursor was before the filter took it elsewhere. */
export type FilteredList = {
	readonly list: ListState;
	readonly filter: string;
	/** The record to go back to once the filter is cleared; `undefined` where the cursor is where the person took it. */
	readonly idBefore: number | undefined;
};

const wordsOf = (filter: string): string => parseFilter(filter).words.join(' ');

const atFirstRow = (list: ListState, cursorId: number | undefined): ListState => ({
	...list, cursorId, cursorRow: 0, topRow: 0,
});

/**
The list under another filter. Other words take the cursor to the row that fits them best, which is the first. Where the
words stay, it stays on its record, or goes to the first where that is not shown any more. Without words it is back where it was.
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

/** The list without its filter, with the cursor where it was before. */
export const withoutFilter = ({list, idBefore}: FilteredList): FilteredList =>
	({filter: '', list: idBefore === undefined ? list : {...list, cursorId: idBefore}, idBefore: undefined});

/** The list with the cursor settled on a row that is shown. A record that the filter hides has it back once that is cleared. */
export const withSettled = ({list: before, filter, idBefore}: FilteredList, list: ListState, isHidden: boolean): FilteredList =>
	({filter, list, idBefore: isHidden ? idBefore ?? before.cursorId : idBefore});
