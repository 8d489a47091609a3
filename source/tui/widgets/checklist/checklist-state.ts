import {type FilterLineAction} from '../../state/filter-line.ts';
import {
	withFilter,
	withoutFilter,
	withSettled,
	type FilteredList,
} from '../../state/filtered-list.ts';
import {withAllToggled, withMarkToggled} from '../../state/marks.ts';
import {
	cursorRowOf,
	initialListState,
	moved,
	settled,
	type Move,
} from '../list/index.ts';

/** The chosen items of a list, its cursor and its filter. */
export type ChecklistState = FilteredList & {
	readonly marks: ReadonlySet<number>;
	/** True while the filter line takes the keys. */
	readonly isFilterOpen: boolean;
};

/** The ids of the rows that match the filter, in order. */
type Rows = {readonly ids: readonly number[]};

export type ChecklistAction =
	| ({readonly type: 'move'; readonly move: Move; readonly visibleRows: number} & Rows)
	/** Puts the cursor on a row that is shown, where it stays when the list is read again. */
	| ({readonly type: 'settle'; readonly visibleRows: number} & Rows)
	| ({readonly type: 'mark' | 'mark-all'} & Rows)
	/** Chooses these, and no others. */
	| ({readonly type: 'set-marks'} & Rows)
	| FilterLineAction
	| {readonly type: 'open-filter'};

export const createChecklistState = (marked: readonly number[]): ChecklistState => ({
	list: initialListState,
	marks: new Set(marked),
	filter: '',
	idBefore: undefined,
	isFilterOpen: false,
});

export const reduceChecklist = (state: ChecklistState, action: ChecklistAction): ChecklistState => {
	switch (action.type) {
		case 'move': {
			return {...state, list: moved(state.list, action.ids, action.move, action.visibleRows), idBefore: undefined};
		}

		case 'settle': {
			const list = settled(state.list, action.ids, action.visibleRows);
			return list === state.list ? state : {...state, ...withSettled(state, list, !action.ids.includes(state.list.cursorId ?? list.cursorId!))};
		}

		case 'mark': {
			const id = action.ids[cursorRowOf(state.list, action.ids)];
			return id === undefined ? state : {...state, marks: withMarkToggled({marks: state.marks, range: undefined}, id).marks};
		}

		case 'mark-all': {
			return {...state, marks: withAllToggled({marks: state.marks, range: undefined}, action.ids).marks};
		}

		case 'set-marks': {
			const marks = new Set(action.ids);
			return marks.symmetricDifference(state.marks).size === 0 ? state : {...state, marks};
		}

		case 'open-filter': {
			return {...state, isFilterOpen: true};
		}

		case 'edit-filter': {
			return {...state, ...withFilter(state, action.filter)};
		}

		case 'keep-filter': {
			return {...state, isFilterOpen: false};
		}

		case 'clear-filter': {
			return {...state, ...withoutFilter(state), isFilterOpen: false};
		}
	}
};
