import {useMemo} from 'react';
import {useAppState, useUiServices} from '../../app-context.ts';
import {hintOf, hintsFor} from '../../keys/hints.ts';
import {scopesOf} from '../../keys/key-table.ts';
import {filterHints} from '../../state/filter-syntax.ts';
import {sortColumns} from '../../state/sort.ts';
import {type Hint} from '../../state/hint.ts';

/** The hints for the keys that work on a list now. */
export const useHints = (hasMarks: boolean): readonly Hint[] => {
	const {keymap, isReadOnly} = useUiServices();
	const screen = useAppState(state => state.screen);
	const isSortOpen = useAppState(({views}) => views[screen].isSortOpen);
	const openFilter = useAppState(({views}) => views[screen].isFilterOpen ? views[screen].filter : undefined);
	const isRangeOpen = useAppState(({views}) => views[screen].range !== undefined);
	return useMemo(() => {
		if (isSortOpen) {
			return [{key: `1-${sortColumns[screen].length}`, label: 'column'}, {key: '0', label: 'as listed'}, {key: 'esc', label: 'cancel', isKept: true}];
		}

		if (openFilter !== undefined) {
			return filterHints(openFilter);
		}

		// Each move marks rows now: nothing else on the screen says so.
		const rangeHint = isRangeOpen ? hintOf(keymap, 'mark-range', 'end the range') : undefined;
		return [...(rangeHint === undefined ? [] : [rangeHint]), ...hintsFor(keymap, scopesOf[screen], {isReadOnly, hasMarks})];
	}, [keymap, isReadOnly, hasMarks, screen, isSortOpen, openFilter, isRangeOpen]);
};
