import {useIsScreenReaderEnabled} from 'ink';
import {useEffect, useEffectEvent} from 'react';
import {type UiServices, useUiServices} from '../../app-context.ts';
import {parseFilter} from '../../../interface/filter.ts';
import {changedByOtherText} from '../../hooks/lately.ts';
import {useServiceSession, type MemoryKey, type ServiceSession} from '../../hooks/service-session.ts';
import {useEarlyInput} from '../../hooks/use-early-input.ts';
import type {ResourceState} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {keyTable, scopesOf, screensOf, type ActionName} from '../../../words/key-table.ts';
import {keyLabel, keyName, runAction} from '../../../words/keymap.ts';
import type {RecordChange} from '../../../changes/compare-lists.ts';
import {resourceOf} from '../../../changes/fields.ts';
import type {Message} from '../../state/messages.ts';
import type {AppState} from '../../state/app-state.ts';
import {areChangesShown, layoutOf, partsRows, rowsBeneath, shownListRows, wideColumns} from '../../state/layout.ts';
import {nextSort, sortColumns, sortText, type ListColumn} from '../../state/sort.ts';
import {
	noMarks,
	withAllToggled,
	withMarkToggled,
	withRangeTo,
	withRangeToggled,
	type ScreenName,
	type Sort,
	type View,
} from '../../state/view.ts';
import type {Key} from '../../../terminal/key.ts';
import type {MouseReport} from '../../../terminal/mouse.ts';
import {cursorRowOf, topRowOf, afterMove, moveOf, paneMoveOf, settled, withMouse, type Move} from '../../state/list-state.ts';
import {markerWidth, stateWidth} from '../../widgets/row.ts';
import {createPaneScroll, type PaneScroll} from '../../widgets/pane.tsx';
import {useFilterLine} from '../filter-line.ts';
import {dismissError, endText, historyOverlay, nothingSelected, refuseChange} from '../refuse-change.ts';
import {useFailureReports} from './list-notice.tsx';
import {openSentence, useSentenceLine} from './sentence-line.ts';
import type {ListedRecord, useListRows} from './list-rows.ts';

type ListRows<Record_ extends ListedRecord> = ReturnType<typeof useListRows<Record_>>;

/** The changed record of each message that names one. */
const placesOfMessages = new WeakMap<Message, ListedPlace>();

type ListedPlace = {readonly resource: ScreenName; readonly id: number};

/** Kept outside the screens, which an overlay unmounts, so that they come back as they were left. */
const scrollsByScreen: MemoryKey<Map<ScreenName, PaneScroll>> = {create: () => new Map()};

/** Returns the scroll position of the details beside a list; it lasts while the cursor stays on its record. */
export function paneScrollOf(session: ServiceSession, screen: ScreenName, recordId: number): PaneScroll {
	const byScreen = session.memory.get(scrollsByScreen);
	const before = byScreen.get(screen);
	if (before?.recordId === recordId) {
		return before;
	}

	const scroll = createPaneScroll(recordId);
	byScreen.set(screen, scroll);
	return scroll;
}

/** Tells whether the details of this record were the last ones to be scrolled. */
export function hasPaneScroll(session: ServiceSession, screen: ScreenName, recordId: number): boolean {
	return session.memory.get(scrollsByScreen).get(screen)?.recordId === recordId;
}

export type ListActionsOptions<Record_> = {
	readonly screen: ScreenName;
	/** The name of its records, such as “agents”. */
	readonly plural: string;
	readonly resource: ResourceState<Record_>;
	/** Carries out the screen's own actions; returns false for any other action. */
	readonly onAction: (action: ActionName, record: Record_ | undefined, marked: readonly Record_[]) => boolean;
};

/** A list that arrives sooner needs no message. */
const noticeableMilliseconds = 500;

const refreshing = 'Refreshing the list…';

/**
Handles the keys of a list: keys of its filter line and of the choice of a sort column while these are open, else actions, always with the
newest state. Returns the verb for a click on the title of a column.
*/
export function useListKeys<Record_ extends ListedRecord>(
	options: ListActionsOptions<Record_>,
	{all, rowsOf, pass}: ListRows<Record_>,
): {readonly sortByColumn: (column: ListColumn) => void} {
	const {screen, plural, resource, onAction} = options;
	const ui = useUiServices();
	const {store, keymap, say} = ui;
	const session = useServiceSession();
	const isScreenReader = useIsScreenReaderEnabled();
	const failures = useFailureReports(options);

	const visibleRows = (state: AppState): number => (isScreenReader ? layoutOf(state).listRows : shownListRows(state, all.length));

	const change = (part: Partial<View>): void => store.dispatch({type: 'change-view', screen, change: part});

	// The cursor follows its record; if that is deleted or hidden by the filter, it goes to the neighbour.
	const settle = (): void => {
		const state = store.getState();
		const {list} = state.views[screen];
		const {ids, recordOf} = rowsOf(state.views[screen]);
		const after = settled(list, ids, visibleRows(state));
		if (after !== list) {
			store.dispatch({
				type: 'settle-list',
				screen,
				list: after,
				isHidden: list.cursorId !== after.cursorId && recordOf(list.cursorId) !== undefined,
			});
		}
	};

	useEffect(settle);

	/** Says what somebody else changed out of sight, where the last changes have no room. */
	const sayChangedByOther = useEffectEvent((): void => {
		const {by, changes} = session.changes.whoChanged.newest.get()!;
		const state = store.getState();
		const [{kind, record}] = changes as readonly [RecordChange];
		const place = {resource: resourceOf[kind], id: record};
		const {ids} = rowsOf(state.views[screen]);
		const {list} = state.views[screen];
		const row = ids.indexOf(record) - topRowOf(list, ids, visibleRows(state));
		const isInView = place.resource === screen && row >= 0 && row < visibleRows(state);
		if (state.overlays.length > 0 || isInView || areChangesShown(state) || (state.messages.shown?.level ?? 'info') !== 'info') {
			return;
		}

		say('info', `${changedByOtherText(by, changes, session.account.timeZone)} ${keyName(keymap, 'next-record')} goes there.`);
		placesOfMessages.set(store.getState().messages.shown!, place);
	});
	useEffect(() => session.changes.whoChanged.newest.subscribe(() => sayChangedByOther()), [session]);

	const sortBy = (sort: Sort): void => {
		const text = sortText(sort);
		change({sort});
		say('info', text === '' ? 'In the order of the service.' : `${plural[0]!.toUpperCase()}${plural.slice(1)} sorted ${text}.`);
	};

	/** Sorts by a column; by the one that the list is sorted by, in the reverse order. */
	const sortByColumn = (column: ListColumn): void => {
		const {sort} = store.getState().views[screen];
		change({isSortOpen: false});
		sortBy({column, isReversed: column === sort.column && !sort.isReversed});
	};

	/** Handles the key after the sort prompt: the number of a column sorts by it, 0 restores the service's order, any other key cancels. */
	const chooseSortColumn = ({name}: Key): void => {
		change({isSortOpen: false});
		const column = /^[1-9]$/.test(name) ? sortColumns[screen][Number(name) - 1] : undefined;
		if (name === '0') {
			sortBy({column: 'none', isReversed: false});
		} else if (column !== undefined) {
			sortByColumn(column);
		} else if (name !== 'escape') {
			say('info', `There is no column ${keyLabel(name)}.`);
		}
	};

	const refresh = async (): Promise<void> => {
		failures.withdraw();
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

		// Another service may be shown by now.
		if (error !== undefined && resource.records !== undefined && session.account.profileName === ui.profiles.currentName()) {
			failures.report(error);
		}

		change({generation: store.getState().views[screen].generation + 1});
	};

	const actNow = (action: ActionName): boolean => {
		settle();
		const state = store.getState();
		const view = state.views[screen];
		const {ids, recordOf} = rowsOf(view);
		const recordsOf = (chosen: Iterable<number>): readonly Record_[] =>
			[...chosen].map(id => recordOf(id)).filter(record => record !== undefined);
		const cursorRecord = recordOf(ids[cursorRowOf(view.list, ids)]);

		/** Returns the view after a move. Rows that the cursor leaves or passes have been seen. */
		const movedView = (move: Move): Pick<View, 'list' | 'idBefore'> => {
			const list = afterMove(view.list, ids, move, visibleRows(state));
			const before = cursorRowOf(view.list, ids);
			pass(recordsOf(before < list.cursorRow ? ids.slice(Math.max(0, before), list.cursorRow) : ids.slice(list.cursorRow + 1, before + 1)));
			return {list, idBefore: undefined};
		};

		const go = (move: Move) => (): void => {
			const after = movedView(move);
			change({...after, ...(after.list !== view.list && withRangeTo(view, ids, after.list.cursorId))});
		};

		/** Reports the end of the list. */
		const step = (by: 1 | -1) => (): void => {
			const place = by === 1 && state.messages.shown !== undefined ? placesOfMessages.get(state.messages.shown) : undefined;
			if (place !== undefined) {
				store.dispatch({type: 'show-screen', screen: place.resource});
				const there = store.getState().views[place.resource];
				store.dispatch({type: 'change-view', screen: place.resource, change: {list: {...there.list, cursorId: place.id}}});
			} else if (cursorRecord !== undefined && cursorRecord.id === ids.at(by === 1 ? -1 : 0)) {
				say('info', endText(by), 'move');
			} else {
				go(by === 1 ? 'down' : 'up')();
			}
		};

		const onRow = (act: (record: Record_) => void) => (): void => {
			if (cursorRecord === undefined) {
				say('info', nothingSelected, screen);
			} else {
				act(cursorRecord);
			}
		};

		const mark = (marked: (id: number) => Partial<View>) => onRow(({id}) => change(marked(id)));

		const scrollPane = onRow(({id}) => paneScrollOf(session, screen, id).move(paneMoveOf(action)!));

		const actOnPane = (): void => {
			const open = keyName(keymap, 'open');
			const isRoomFor = (shown: AppState): boolean => layoutOf(shown).paneColumns > 0 || rowsBeneath(shown, Math.max(1, all.length)) > 0;
			const isDescribed = state.parts === 'both' && isRoomFor(state);
			if (isScreenReader) {
				say('info', `No details beside the list in a screen reader. ${open} opens them.`);
			} else if (isRoomFor({...state, parts: 'both'})) {
				if (action === 'pane') {
					store.dispatch({type: 'next-parts'});
				} else if (isDescribed) {
					scrollPane();
				} else {
					say('info', `The details are hidden. ${keyName(keymap, 'pane')} shows them.`);
				}
			} else {
				say('info', `No room for details: they need ${partsRows} lines or ${wideColumns} columns. ${open} opens them.`);
			}
		};

		const move = moveOf(action);
		const isListAction = runAction(
			{
				...(move !== undefined && {[action]: go(move)}),
				// Each row of a filtered list is a match.
				'next-match'() {
					if (screen !== 'agents' || view.filter !== '' || !sayRenameKey(ui)) {
						go('down')();
					}
				},
				'previous-match': go('up'),
				'next-record': step(1),
				'previous-record': step(-1),
				filter() {
					store.dispatch({type: 'open-filter'});
				},
				sentence() {
					openSentence(ui, session);
				},
				refresh() {
					void refresh();
				},
				history() {
					store.dispatch({type: 'open', overlay: historyOverlay(screen)});
				},
				clear() {
					if (!dismissError(store)) {
						store.dispatch(
							view.marks.size > 0
								? {type: 'change-view', screen, change: noMarks}
								: {type: view.filter === '' ? 'clear-sentence' : 'clear-filter'},
						);
					}
				},
				mark: mark(id => ({...withMarkToggled(view, id), ...movedView('down')})),
				'mark-range': mark(id => withRangeToggled(view, id)),
				'mark-all': mark(() => withAllToggled(view, ids)),
				sort() {
					sortBy(nextSort(view.sort, screen));
				},
				'reverse-sort'() {
					change({sort: {...view.sort, isReversed: !view.sort.isReversed}});
					say('info', 'Order reversed.');
				},
				'sort-by'() {
					change({isSortOpen: true});
				},
				'copy-id': onRow(({id, name}) => {
					void ui.copy(String(id), `the id of ${name}`);
				}),
				board() {
					say('info', `${keyName(keymap, 'board')} works in a history, which ${keyName(keymap, 'history')} opens.`);
				},
				pane: actOnPane,
				'pane-down': actOnPane,
				'pane-up': actOnPane,
			},
			action,
		);
		if (isListAction) {
			return true;
		}

		if (view.range !== undefined && keyTable[action].endsRange) {
			// Moving on now should not mark more rows.
			change({range: undefined});
		}

		// A name that is typed means one row.
		const marked = recordsOf(view.isFilterOpen ? [] : view.marks);
		if (keyTable[action].takesOne && marked.some(record => record !== cursorRecord)) {
			say('info', `${keyName(keymap, action)} takes one row. ${keyName(keymap, 'clear')} clears the marks.`);
			return true;
		}

		return onAction(action, cursorRecord, marked);
	};

	const actSoon = useEarlyInput(resource.records === undefined && resource.error === undefined, actNow);
	const act = (action: ActionName): boolean => {
		const {scope, needsRow = true, writes = false} = keyTable[action];
		if (writes && refuseChange(ui, action)) {
			return true;
		}

		return scope === 'everywhere' || !needsRow ? actNow(action) : actSoon(action);
	};

	const takeMouse = (event: MouseReport): boolean => {
		settle();
		const state = store.getState();
		const view = state.views[screen];
		const {ids, recordOf} = rowsOf(view);
		const {listTop, listColumns} = layoutOf(state);
		const list =
			view.isSortOpen || event.column >= listColumns
				? undefined
				: withMouse(view.list, ids, event, {top: listTop, visibleRows: visibleRows(state)});
		if (list === undefined) {
			return false;
		}

		if (list.cursorId !== view.list.cursorId) {
			const left = recordOf(ids[cursorRowOf(view.list, ids)]);
			pass(left === undefined ? [] : [left]);
		}

		change({list, idBefore: undefined, ...(list.cursorId !== view.list.cursorId && withRangeTo(view, ids, list.cursorId))});
		const isOnState = event.column >= markerWidth && event.column < markerWidth + stateWidth - 1;
		return event.kind !== 'press' || screen === 'agents' || !isOnState || act('toggle');
	};

	useKeys(layers.screen, {
		onMouse: takeMouse,
		onKey(key) {
			const {views, overlays} = store.getState();
			if (views[screen].isSortOpen) {
				chooseSortColumn(key);
				return true;
			}

			const action = keymap.actionOf(key.name, scopesOf[screen]);
			const isUsed = action !== undefined && act(action);
			// An opened overlay takes the next key, even a key of the same chunk.
			return store.getState().overlays === overlays ? isUsed : 'settle';
		},
		onAction: act,
	});
	useFilterLine({
		store,
		read: () => store.getState().views[screen],
		onKept(filter) {
			const {unfinishedTerm = ''} = parseFilter(filter);
			if (unfinishedTerm.includes(':')) {
				say('info', `“${unfinishedTerm}” is not finished, and filters nothing yet. ${keyName(keymap, 'filter')} goes on.`);
			}
		},
		move(move) {
			act(move);
		},
		switchRow() {
			if (!scopesOf[screen].includes(keyTable.toggle.scope)) {
				say('info', `Ctrl+T works on ${screensOf(keyTable.toggle.scope).join(' and ')}, not here.`);
			} else {
				act('toggle');
			}
		},
	});
	useSentenceLine(move => {
		act(move);
	});
	return {sortByColumn};
}

/** The screens that have said which key renames agents. */
const toldStores = new WeakSet<UiServices['store']>();

/**
Says that the key for the next match formerly renamed agents, and names the present key. Used while nothing is searched for; returns false
if that was said already.
*/
export function sayRenameKey({store, keymap, say}: UiServices): boolean {
	const text = `${keyName(keymap, 'next-match')} goes to the next match of a search. ${keyName(keymap, 'edit-name')} renames the agent.`;
	const isNew = !toldStores.has(store);
	if (isNew) {
		toldStores.add(store);
		say('info', text);
	}

	return isNew;
}
