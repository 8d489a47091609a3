import {type UiServices} from '../../app-context.ts';
import {keyLabel} from '../../keys/key-labels.ts';
import {type ScreenName, type Sort} from '../../state/view.ts';
import {sortColumns, sortText} from '../../state/sort.ts';
import {type Key} from '../../terminal/key.ts';

type OrderedList = {
	readonly ui: UiServices;
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
};

/** Sorts a list, and says how. */
export const sortList = ({ui: {store, say}, screen, plural}: OrderedList, sort: Sort): void => {
	const text = sortText(sort);
	store.dispatch({type: 'change-view', screen, change: {sort}});
	say('info', `${plural[0]!.toUpperCase()}${plural.slice(1)} sorted ${text === '' ? 'as the service lists them' : text}.`);
};

/** Takes the key after the sort prompt: the number of a column sorts by it, 0 restores the service's order, any other key cancels. */
export const chooseSortColumn = (list: OrderedList, key: Key): void => {
	const {ui: {store, say}, screen} = list;
	const columns = sortColumns[screen];
	const {sort} = store.getState().views[screen];
	store.dispatch({type: 'change-view', screen, change: {isSortOpen: false}});
	if (key.name === '0') {
		sortList(list, {column: 'none', isReversed: false});
		return;
	}

	const column = /^\d$/.test(key.name) ? columns[Number(key.name) - 1] : undefined;
	if (column !== undefined) {
		sortList(list, {column, isReversed: column === sort.column && !sort.isReversed});
	} else if (key.name !== 'escape') {
		say('info', `There is no column ${keyLabel(key.name)}.`);
	}
};
