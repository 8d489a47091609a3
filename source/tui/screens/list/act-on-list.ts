import {type UiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {layoutOf, wideColumns} from '../../state/layout.ts';
import {
	noMarks,
	withAllToggled,
	withMarkToggled,
	withRangeTo,
	withRangeToggled,
} from '../../state/marks.ts';
import {nextSort} from '../../state/sort.ts';
import {type ScreenName, type View} from '../../state/view.ts';
import {
	cursorRowOf,
	moved,
	moveOf,
	paneMoveOf,
	type Move,
} from '../../widgets/list/index.ts';
import {endText} from '../use-step-record.ts';
import {sortList} from './sort-list.ts';
import {type Listed} from './use-rows.ts';

type ListContext = {
	readonly ui: UiServices;
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
	readonly resource: ResourceState<unknown>;
	readonly view: View;
	/** All rows shown, in order. */
	readonly ids: readonly number[];
	/** The record under the cursor. */
	readonly cursorRecord: Listed | undefined;
	readonly listRows: number;
	/** True for a screen reader: there are no details beside the list. */
	readonly isScreenReader: boolean;
	/** Reports that the cursor has passed these rows. */
	pass(ids: readonly number[]): void;
	/** Scrolls the details of a record beside the list. */
	scrollPane(id: number, move: Move): void;
};

const refreshing = 'Refreshing the list…';

/** A list that arrives sooner needs no message. */
const noticeableMilliseconds = 500;

const refresh = async ({ui: {store}, screen, resource}: ListContext): Promise<void> => {
	const timer = setTimeout(() => {
		if (store.getState().progress === undefined) {
			store.dispatch({type: 'progress', text: refreshing});
		}
	}, noticeableMilliseconds);
	await resource.refresh();
	clearTimeout(timer);
	if (store.getState().progress === refreshing) {
		store.dispatch({type: 'progress', text: undefined});
	}

	const {generation} = store.getState().views[screen];
	store.dispatch({type: 'change-view', screen, change: {generation: generation + 1}});
};

/** Escape: dismisses the message, then clears the marks, then the filter. */
const clear = ({ui: {store}, screen, view}: ListContext): void => {
	const {shown} = store.getState().messages;
	if (shown !== undefined) {
		store.dispatch({type: 'dismiss'});
	} else if (view.marks.size > 0) {
		store.dispatch({type: 'change-view', screen, change: noMarks});
	} else {
		store.dispatch({type: 'clear-filter'});
	}
};

const copyId = ({ui, cursorRecord}: ListContext): void => {
	if (cursorRecord === undefined) {
		ui.say('info', 'No row to copy the id of.');
	} else {
		void ui.copy(String(cursorRecord.id), `The id of ${cursorRecord.name}`);
	}
};

/** Why no details can stand beside the list, with the key that shows them instead; undefined where they can. */
const paneProblem = ({ui: {store, keymap}, isScreenReader}: ListContext): string | undefined => {
	const open = keyName(keymap, 'open');
	if (isScreenReader) {
		return `No details beside the list in a screen reader: ${open} shows them.`;
	}

	return store.getState().size.columns < wideColumns
		? `Details beside the list need at least ${wideColumns} columns: ${open} shows them here.`
		: undefined;
};

/** Shows or hides the details beside the list, or says why there can be none. */
const togglePane = (context: ListContext): void => {
	const problem = paneProblem(context);
	if (problem === undefined) {
		context.ui.store.dispatch({type: 'toggle-pane'});
	} else {
		context.ui.say('info', problem);
	}
};

/** Scrolls the details of the record under the cursor, or says why there are none. */
const scrollDetails = (context: ListContext, move: Move): void => {
	const {ui: {store, say, keymap}, cursorRecord, scrollPane} = context;
	const problem = paneProblem(context);
	if (problem !== undefined) {
		say('info', problem);
	} else if (layoutOf(store.getState()).paneColumns === 0) {
		say('info', `The details beside the list are hidden: ${keyName(keymap, 'pane')} shows them.`);
	} else if (cursorRecord === undefined) {
		say('info', 'No row to scroll the details of.');
	} else {
		scrollPane(cursorRecord.id, move);
	}
};

/** The view after a move. Rows that the cursor leaves or passes have been seen. */
const movedView = ({view, ids, listRows, pass}: ListContext, move: Move): Pick<View, 'list' | 'idBefore'> => {
	const before = cursorRowOf(view.list, ids);
	const list = moved(view.list, ids, move, listRows);
	pass(before < list.cursorRow ? ids.slice(Math.max(0, before), list.cursorRow) : ids.slice(list.cursorRow + 1, before + 1));
	return {list, idBefore: undefined};
};

/** Carries out what is the same on every list; returns false for any other action. */
export const actOnList = (action: ActionName, context: ListContext): boolean => {
	const {ui: {store, say}, screen, view, ids, cursorRecord} = context;
	const change = (part: Partial<View>): void => {
		store.dispatch({type: 'change-view', screen, change: part});
	};

	const go = (move: Move) => (): void => {
		const after = movedView(context, move);
		change({...after, ...(after.list !== view.list && withRangeTo(view, ids, after.list.cursorId))});
	};

	/** Says at the end of the list that there are no more records. */
	const step = (by: 1 | -1) => (): void => {
		if (cursorRecord !== undefined && cursorRecord.id === ids.at(by === 1 ? -1 : 0)) {
			say('info', endText(by));
		}

		go(by === 1 ? 'down' : 'up')();
	};

	const mark = (marked: (id: number) => Partial<View>) => (): void => {
		if (cursorRecord === undefined) {
			say('info', 'No row to mark.');
		} else {
			change(marked(cursorRecord.id));
		}
	};

	const scroll = () => {
		scrollDetails(context, paneMoveOf(action)!);
	};

	const move = moveOf(action);
	return runAction({
		...(move !== undefined && {[action]: go(move)}),
		// Each row of a filtered list is a match.
		'next-match': go('down'),
		'previous-match': go('up'),
		'next-record': step(1),
		'previous-record': step(-1),
		filter() {
			store.dispatch({type: 'open-filter'});
		},
		refresh() {
			void refresh(context);
		},
		clear() {
			clear(context);
		},
		mark: mark(id => ({...withMarkToggled(view, id), ...movedView(context, 'down')})),
		'mark-range': mark(id => withRangeToggled(view, id)),
		'mark-all': mark(() => withAllToggled(view, ids)),
		sort() {
			sortList(context, nextSort(view.sort, screen));
		},
		'reverse-sort'() {
			sortList(context, {...view.sort, isReversed: !view.sort.isReversed});
		},
		'sort-by'() {
			change({isSortOpen: true});
		},
		'copy-id'() {
			copyId(context);
		},
		pane() {
			togglePane(context);
		},
		'pane-down': scroll,
		'pane-up': scroll,
	}, action);
};
