import {type Key} from '../../terminal/key.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {type Store} from '../../state/store.ts';
import {moveOf} from '../list/index.ts';
import {type ChecklistAction, type ChecklistState} from './checklist-state.ts';

type ChecklistKeysOptions = {
	readonly keymap: Keymap;
	readonly store: Store<ChecklistState, ChecklistAction>;
	readonly visibleRows: number;
	/** The ids of the rows that match the filter, in order. */
	idsOf(state: ChecklistState): readonly number[];
};

/**
Handles a key of a checklist: moves, also from match to match, marking one row or all, opening and clearing the filter.

@returns false for any other key, such as Enter.
*/
export const actOnChecklist = (key: Key, {keymap, store, visibleRows, idsOf}: ChecklistKeysOptions): boolean => {
	const state = store.getState();
	const ids = idsOf(state);
	const action = keymap.actionOf(key.name, ['switches', 'list']);
	// Each row of a filtered list is a match.
	const move = action === 'next-match' ? 'down' : (action === 'previous-match' ? 'up' : moveOf(action));
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
