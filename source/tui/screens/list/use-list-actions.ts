import {useEffect} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEarlyInput} from '../../hooks/use-early-input.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyTable, type ActionName} from '../../keys/key-table.ts';
import {layoutOf} from '../../state/layout.ts';
import {type ScreenName} from '../../state/view.ts';
import {cursorRowOf, settled} from '../../widgets/list/index.ts';
import {sayRenameKey} from '../agent/rename-key.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {actOnList} from './act-on-list.ts';
import {paneScrollOf} from './pane-scrolls.ts';
import {reportFailure, withdrawFailure} from './use-report-failure.ts';
import {type ListRows} from './use-list-rows.ts';
import {type Listed} from './use-rows.ts';

export type ListActionsOptions<Record_> = {
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
	readonly resource: ResourceState<Record_>;
	/** Carries out an action of the screen's own; returns false for any other. */
	readonly onAction: (action: ActionName, record: Record_ | undefined, marked: readonly Record_[]) => boolean;
};

/** Carries out actions on a list and on its rows, as of the newest state; returns false for any other action. */
export const useListActions = <Record_ extends Listed>(options: ListActionsOptions<Record_>, {rowsOf, pass}: ListRows<Record_>): ((action: ActionName) => boolean) => {
	const {screen, resource, onAction} = options;
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const isScreenReader = useIsScreenReaderEnabled();

	// The cursor follows its record; once that is deleted or hidden by the filter, it goes to the neighbour.
	const settle = (): void => {
		const state = store.getState();
		const {list} = state.views[screen];
		const {ids, recordOf} = rowsOf(state.views[screen]);
		const after = settled(list, ids, layoutOf(state).listRows);
		if (after !== list) {
			store.dispatch({
				type: 'settle-list', screen, list: after, isHidden: list.cursorId !== after.cursorId && recordOf(list.cursorId) !== undefined,
			});
		}
	};

	useEffect(settle);

	const act = (action: ActionName): boolean => {
		const {endsRange = false} = keyTable[action];
		settle();
		const state = store.getState();
		const view = state.views[screen];
		const {ids, recordOf} = rowsOf(view);
		const recordsOf = (chosen: Iterable<number>): readonly Record_[] => [...chosen].map(id => recordOf(id)).filter(record => record !== undefined);
		const cursorRecord = recordOf(ids[cursorRowOf(view.list, ids)]);
		const isListAction = actOnList(action, {
			...options,
			ui,
			view,
			ids,
			cursorRecord,
			listRows: layoutOf(state).listRows,
			isScreenReader,
			reportFailure(error) {
				// Another service may be shown by now.
				if (session.profileName === ui.currentProfileName()) {
					reportFailure(options, error, {ui, session});
				}
			},
			withdrawFailure() {
				withdrawFailure(options, {ui, session});
			},
			pass(passedIds) {
				pass(recordsOf(passedIds));
			},
			sayRenameKey: () => screen === 'agents' && view.filter === '' && sayRenameKey(ui, session),
			scrollPane(id, move) {
				paneScrollOf(session, screen, id).move(move);
			},
		});
		if (isListAction) {
			return true;
		}

		if (view.range !== undefined && endsRange) {
			// Moving on now should not mark more rows.
			store.dispatch({type: 'change-view', screen, change: {range: undefined}});
		}

		return onAction(action, cursorRecord, recordsOf(view.marks));
	};

	const actSoon = useEarlyInput(resource.records === undefined && resource.error === undefined, act);
	return action => {
		const {scope, needsRow = true, writes = false} = keyTable[action];
		if (writes && refuseWhenReadOnly(ui)) {
			return true;
		}

		return scope === 'everywhere' || !needsRow ? act(action) : actSoon(action);
	};
};
