import {useAppState, useUiServices} from '../../app-context.ts';
import {hintOf, hintsFor} from '../../keys/hints.ts';
import {scopesOf} from '../../keys/key-table.ts';
import {filterHints} from '../../state/filter-syntax.ts';
import {sortColumns} from '../../state/sort.ts';
import {type Hint} from '../../widgets/hint-line.tsx';

/** The hints for the keys that work on a list now. */
export const useHints = (hasMarks: boolean): readonly Hint[] => {
	const {keymap, isReadOnly} = useUiServices();
	const {screen, views} = useAppState();
	const {filter, isFilterOpen, isSortOpen, range} = views[screen];
	if (isSortOpen) {
		return [{key: `1-${sortColumns[screen].length}`, label: 'column'}, {key: '0', label: 'as listed'}, {key: 'esc', label: 'cancel', isKept: true}];
	}

	if (isFilterOpen) {
		return filterHints(filter);
	}

	// Each move marks rows now: nothing else on the screen says so.
	const rangeHint = range === undefined ? undefined : hintOf(keymap, 'mark-range', 'end the range');
	return [...(rangeHint === undefined ? [] : [rangeHint]), ...hintsFor(keymap, scopesOf[screen], {isReadOnly, hasMarks})];
};
