import {type Key} from '../../terminal/key.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {editFilter} from '../../state/filter-line.ts';
import {type Store} from '../../state/store.ts';
import {moveOf} from '../list/index.ts';
import {type ChecklistAction, type ChecklistState} from './checklist-state.ts';

export type ChecklistPlace = {
	readonly keymap: Keymap;
	readonly store: Store<ChecklistState, ChecklistAction>;
	readonly visibleRows: number;
	/** The ids that a filter leaves, in order. */
	idsOf(state: ChecklistState): readonly number[];
};

/**
One key of a checklist: moves, the keys that switch or mark a row, the one that marks all, the filter line.

@returns false for a key that is not the checklist's: Enter and Escape, unless the filter line is open.
*/
export const actOnChecklist = (key: Key, {keymap, store, visibleRows, idsOf}: ChecklistPlace): boolean => {
	const state = store.getState();
	if (state.isFilterOpen && editFilter(store, state.filter, key)) {
		return true;
	}

	const ids = idsOf(state);
	const action = keymap.actionOf(key.name, ['switches', 'list']);
	const move = moveOf(action);
	if (move !== undefined) {
		store.dispatch({
			type: 'move', move, ids, visibleRows,
		});
		return true;
	}

	switch (action) {
		case 'toggle': {
			store.dispatch({type: 'mark', ids});
			return true;
		}

		case 'mark': {
			store.dispatch({type: 'mark', ids});
			store.dispatch({
				type: 'move', move: 'down', ids, visibleRows,
			});
			return true;
		}

		case 'mark-all': {
			store.dispatch({type: 'mark-all', ids});
			return true;
		}

		case 'filter': {
			store.dispatch({type: 'open-filter'});
			return true;
		}

		case 'clear': {
			store.dispatch({type: 'clear-filter'});
			return state.filter !== '';
		}

		default: {
			return false;
		}
	}
};
