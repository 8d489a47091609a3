import {type Key} from '../terminal/key.ts';
import {type AppAction} from './app-state.ts';
import {editedLine, withPasted} from './edit-line.ts';
import {type Store} from './store.ts';

/** What a filter line asks of its list. */
export type FilterLineAction = Extract<AppAction, {readonly type: 'edit-filter' | 'keep-filter' | 'clear-filter'}>;

type FilterLine = {readonly filter: string; readonly isFilterOpen: boolean};

/** Adds pasted text to an open filter line; returns false if it is closed. */
export const pasteIntoFilter = (store: Pick<Store<unknown, FilterLineAction>, 'dispatch'>, {filter, isFilterOpen}: FilterLine, text: string): boolean => {
	if (isFilterOpen) {
		store.dispatch({type: 'edit-filter', filter: withPasted(filter, text)});
	}

	return isFilterOpen;
};

/**
One key of the filter line. Every printable key is text; Enter keeps the filter, Escape clears it.

@returns false for a key that the line does not use, such as an arrow: it is for the list.
*/
export const editFilter = (store: Pick<Store<unknown, FilterLineAction>, 'dispatch'>, line: string, key: Key): boolean => {
	if (key.name === 'enter') {
		store.dispatch({type: 'keep-filter'});
		return true;
	}

	if (key.name === 'escape' || (key.name === 'backspace' && line === '')) {
		store.dispatch({type: 'clear-filter'});
		return true;
	}

	const filter = editedLine(line, key);
	if (filter !== undefined) {
		store.dispatch({type: 'edit-filter', filter});
	}

	return filter !== undefined;
};
