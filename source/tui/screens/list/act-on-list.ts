import {type UiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type ScreenName, type View} from '../../state/view.ts';
import {
	noMarks,
	withAllToggled,
	withMarkToggled,
	withRangeTo,
	withRangeToggled,
} from '../../state/marks.ts';
import {layoutOf, wideColumns} from '../../state/layout.ts';
import {nextSort} from '../../state/sort.ts';
import {
	cursorRowOf,
	moved,
	moveOf,
	paneMoveOf,
	type Move,
} from '../../widgets/list/index.ts';
import {endText} from '../use-step-record.ts';
import {sortList} from './sort-list.ts';

export type ListPosition = {
	readonly ui: UiServices;
	readonly screen: ScreenName;
	readonly plural: string;
	readonly resource: ResourceState<unknown>;
	readonly view: View;
	/** All rows shown, in order. */
	readonly ids: readonly number[];
	readonly cursorId: number | undefined;
	readonly listRows: number;
	/** True where lines are listened to: nothing stands beside another there. */
	readonly isScreenReader: boolean;
	nameOf(id: number): string;
	/** Tells that the cursor has passed these rows. */
	pass(ids: readonly number[]): void;
	/** Scrolls the details of a record beside the list. */
	scrollPane(id: number, move: Move): void;
};

const readingAgain = 'Reading the list again…';

/** A list that comes sooner needs no words about it. */
const noticeableMilliseconds = 500;

const refresh = async ({ui: {store}, screen, resource}: ListPosition): Promise<void> => {
	const timer = setTimeout(() => {
		if (store.getState().progress === undefined) {
			store.dispatch({type: 'progress', text: readingAgain});
		}
	}, noticeableMilliseconds);
	await resource.refresh();
	clearTimeout(timer);
	if (store.getState().progress === readingAgain) {
		store.dispatch({type: 'progress', text: undefined});
	}

	const {generation} = store.getState().views[screen];
	store.dispatch({type: 'change-view', screen, change: {generation: generation + 1}});
};

/** What Escape takes away: the message, then the marks, then the filter. */
const clear = ({ui: {store}, screen, view}: ListPosition): void => {
	const {shown} = store.getState().messages;
	if (shown !== undefined) {
		store.dispatch({type: 'dismiss'});
	} else if (view.marks.size > 0) {
		store.dispatch({type: 'change-view', screen, change: noMarks});
	} else {
		store.dispatch({type: 'clear-filter'});
	}
};

const copyId = async ({ui, cursorId, nameOf}: ListPosition): Promise<void> => {
	if (cursorId === undefined) {
		ui.say('info', 'There is no row whose id could be copied.');
		return;
	}

	await ui.copy(String(cursorId), `The id of ${nameOf(cursorId)}`);
};

/** Scrolls the details of the record under the cursor, or says why none are there. */
const scrollDetails = ({ui, cursorId, isScreenReader, scrollPane}: ListPosition, move: Move): void => {
	const state = ui.store.getState();
	const {say, keymap} = ui;
	if (isScreenReader) {
		say('info', `No details stand beside the list: ${keyName(keymap, 'open')} shows them.`);
	} else if (state.size.columns < wideColumns) {
		say('info', `The details stand beside the list on a terminal of at least ${wideColumns} columns; here ${keyName(keymap, 'open')} shows them.`);
	} else if (layoutOf(state).paneColumns === 0) {
		say('info', `The details beside the list are hidden: ${keyName(keymap, 'pane')} shows them.`);
	} else if (cursorId === undefined) {
		say('info', 'There is no row whose details could be scrolled.');
	} else {
		scrollPane(cursorId, move);
	}
};

/** The view after a move. What the cursor leaves and goes past has been seen. */
const movedView = ({view, ids, listRows, pass}: ListPosition, move: Move): Pick<View, 'list' | 'idBefore'> => {
	const before = cursorRowOf(view.list, ids);
	const list = moved(view.list, ids, move, listRows);
	pass(before < list.cursorRow ? ids.slice(Math.max(0, before), list.cursorRow) : ids.slice(list.cursorRow + 1, before + 1));
	return {list, idBefore: undefined};
};

const marked = (action: 'mark' | 'mark-range' | 'mark-all', position: ListPosition, cursorId: number): Partial<View> => {
	switch (action) {
		case 'mark': {
			return {...withMarkToggled(position.view, cursorId), ...movedView(position, 'down')};
		}

		case 'mark-range': {
			return withRangeToggled(position.view, cursorId);
		}

		case 'mark-all': {
			return withAllToggled(position.view, position.ids);
		}
	}
};

/** Carries out what is the same on every list; false for any other action. */
export const actOnList = (action: ActionName, position: ListPosition): boolean => {
	const {ui, screen, view, ids, cursorId} = position;
	const {store} = ui;
	const change = (part: Partial<View>): true => {
		store.dispatch({type: 'change-view', screen, change: part});
		return true;
	};

	const move = moveOf(action);
	if (move !== undefined) {
		const part = movedView(position, move);
		return change({...part, ...(part.list !== view.list && withRangeTo(view, ids, part.list.cursorId))});
	}

	switch (action) {
		// Each row that a filter leaves is a match of it.
		case 'next-match': {
			return actOnList('down', position);
		}

		case 'previous-match': {
			return actOnList('up', position);
		}

		case 'next-record':
		case 'previous-record': {
			const by = action === 'next-record' ? 1 : -1;
			if (ids.length > 0 && cursorId === ids.at(by === 1 ? -1 : 0)) {
				ui.say('info', endText(by));
			}

			return actOnList(by === 1 ? 'down' : 'up', position);
		}

		case 'filter': {
			store.dispatch({type: 'open-filter'});
			return true;
		}

		case 'refresh': {
			void refresh(position);
			return true;
		}

		case 'clear': {
			clear(position);
			return true;
		}

		case 'mark':
		case 'mark-range':
		case 'mark-all': {
			if (cursorId === undefined) {
				ui.say('info', 'There is no row to mark.');
				return true;
			}

			return change(marked(action, position, cursorId));
		}

		case 'sort': {
			sortList(position, nextSort(view.sort, screen));
			return true;
		}

		case 'reverse-sort': {
			sortList(position, {...view.sort, isReversed: !view.sort.isReversed});
			return true;
		}

		case 'sort-by': {
			return change({isSortOpen: true});
		}

		case 'copy-id': {
			void copyId(position);
			return true;
		}

		case 'pane': {
			store.dispatch({type: 'toggle-pane'});
			return true;
		}

		case 'pane-down':
		case 'pane-up': {
			scrollDetails(position, paneMoveOf(action)!);
			return true;
		}

		default: {
			return false;
		}
	}
};
