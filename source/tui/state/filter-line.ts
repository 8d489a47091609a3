import {type Key} from '../terminal/key.ts';
import {type AppAction} from './app-state.ts';
import {editedLine} from './edit-line.ts';
import {type Store} from './store.ts';

/** What a filter line asks of its list. */
export type FilterLineAction = Extract<AppAction, {readonly type: 'edit-filter' | 'keep-filter' | 'clear-filter'}>;

/**
One key of the filter line. Every printable key is text; Enter keeps the filter, Escape clears it.

@returns false for a key that the line does not use.
*/
export const editFilter = ({dispatch}: Pick<Store<unknown, FilterLineAction>, 'dispatch'>, line: string, key: Key): boolean => {
	if (key.name === 'enter') {
		dispatch({type: 'keep-filter'});
		return true;
	}

	if (key.name === 'escape' || (key.name === 'backspace' && line === '')) {
		dispatch({type: 'clear-filter'});
		return true;
	}

	const filter = editedLine(line, key);
	if (filter !== undefined) {
		dispatch({type: 'edit-filter', filter});
	}

	return filter !== undefined;
};
