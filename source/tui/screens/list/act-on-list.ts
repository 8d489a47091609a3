import {type SwitchboardError} from '../../../interface/errors.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {type ActionName} from '../../keys/key-table.ts';
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
import {dismissError} from '../dismiss-error.ts';
import {endText} from '../use-step-record.ts';
import {scrollPane, togglePane, type PaneContext} from './pane-actions.ts';
import {sortList} from './sort-list.ts';

type ListContext = PaneContext & {
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
	readonly resource: ResourceState<unknown>;
	readonly view: View;
	/** All rows shown, in order. */
	readonly ids: readonly number[];
	readonly listRows: number;
	/** Says why the list that is shown could not be refreshed. */
	reportFailure(error: SwitchboardError): void;
	/** Takes that back. */
	withdrawFailure(): void;
	/** Says once which key renames an agent, if a person may expect that of the key of the next match; returns false if it said nothing. */
	sayRenameKey(): boolean;
	/** Reports that the cursor has passed these rows. */
	pass(ids: readonly number[]): void;
};

const refreshing = 'Refreshing the list…';

/** A list that arrives sooner needs no message. */
const noticeableMilliseconds = 500;

const refresh = async ({ui: {store}, screen, resource, reportFailure, withdrawFailure}: ListContext): Promise<void> => {
	withdrawFailure();
	const timer = setTimeout(() => {
		if (store.getState().progress === undefined) {
			store.dispatch({type: 'progress', text: refreshing});
		}
	}, noticeableMilliseconds);
	const error = await resource.refresh();
	clearTimeout(timer);
	if (store.getState().progress === refreshing) {
		store.dispatch({type: 'progress', text: undefined});
	}

	if (error !== undefined && resource.records !== undefined) {
		reportFailure(error);
	}

	const {generation} = store.getState().views[screen];
	store.dispatch({type: 'change-view', screen, change: {generation: generation + 1}});
};

/** Escape: dismisses an error, then clears the marks, then the filter. */
const clear = ({ui: {store}, screen, view}: ListContext): void => {
	if (dismissError(store)) {
		return;
	}

	if (view.marks.size > 0) {
		store.dispatch({type: 'change-view', screen, change: noMarks});
	} else {
		store.dispatch({type: 'clear-filter'});
	}
};

const copyId = ({ui, screen, cursorRecord}: ListContext): void => {
	if (cursorRecord === undefined) {
		ui.say('info', 'No row to copy the id of.', screen);
	} else {
		void ui.copy(String(cursorRecord.id), `The id of ${cursorRecord.name}`);
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
			say('info', endText(by), 'move');
		} else {
			go(by === 1 ? 'down' : 'up')();
		}
	};

	const mark = (marked: (id: number) => Partial<View>) => (): void => {
		if (cursorRecord === undefined) {
			say('info', 'No row to mark.', screen);
		} else {
			change(marked(cursorRecord.id));
		}
	};

	const scroll = () => {
		scrollPane(context, paneMoveOf(action)!);
	};

	const move = moveOf(action);
	return runAction({
		...(move !== undefined && {[action]: go(move)}),
		// Each row of a filtered list is a match.
		'next-match'() {
			if (!context.sayRenameKey()) {
				go('down')();
			}
		},
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
