import {type FilterLineAction} from '../../state/filter-line.ts';
import {withAllToggled, withMarkToggled} from '../../state/marks.ts';
import {
	cursorRowOf,
	initialListState,
	moved,
	type ListState,
	type Move,
} from '../list/index.ts';

/** What is chosen from a list, and where the person is in it. */
export type ChecklistState = {
	readonly list: ListState;
	readonly marks: ReadonlySet<number>;
	readonly filter: string;
	/** True while the filter line takes the keys. */
	readonly isFilterOpen: boolean;
};

/** The ids of the rows that the filter leaves, in order. */
type Rows = {readonly ids: readonly number[]};

export type ChecklistAction =
	({readonly type: 'move'; readonly move: Move; readonly visibleRows: number} & Rows) | ({readonly type: 'mark' | 'mark-all'} & Rows) | FilterLineAction | {readonly type: 'open-filter'};

export const createChecklistState = (marked: readonly number[]): ChecklistState => ({
	list: initialListState,
	marks: new Set(marked),
	filter: '',
	isFilterOpen: false,
});

export const reduceChecklist = (state: ChecklistState, action: ChecklistAction): ChecklistState => {
	switch (action.type) {
		case 'move': {
			return {...state, list: moved(state.list, action.ids, action.move, action.visibleRows)};
		}

		case 'mark': {
			const id = action.ids[cursorRowOf(state.list, action.ids)];
			return id === undefined ? state : {...state, marks: withMarkToggled({marks: state.marks, range: undefined}, id).marks};
		}

		case 'mark-all': {
			return {...state, marks: withAllToggled({marks: state.marks, range: undefined}, action.ids).marks};
		}

		case 'open-filter': {
			return {...state, isFilterOpen: true};
		}

		case 'edit-filter': {
			return {...state, filter: action.filter, list: {...state.list, cursorRow: 0, topRow: 0}};
		}

		case 'keep-filter': {
			return {...state, isFilterOpen: false};
		}

		case 'clear-filter': {
			return {...state, filter: '', isFilterOpen: false};
		}
	}
};
