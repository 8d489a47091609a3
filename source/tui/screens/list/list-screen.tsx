import {
	useEffect,
	useEffectEvent,
	useMemo,
	useRef,
	type ReactElement,
} from 'react';
import {useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices} from '../../app-context.ts';
import {type OutsideState} from '../../hooks/outside-changes.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useOutsideChanges} from '../../hooks/use-outside-changes.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {keyTable, scopesOf, type ActionName} from '../../keys/key-table.ts';
import {screenNames, type ScreenName} from '../../state/app-state.ts';
import {editFilter} from '../../state/filter-line.ts';
import {parseFilter} from '../../state/filter.ts';
import {type Highlight} from '../../state/highlight.ts';
import {layoutOf} from '../../state/layout.ts';
import {type RowData} from '../../state/rows.ts';
import {cursorRowOf, List, settled} from '../../widgets/list/index.ts';
import {type PaneDetails} from '../../widgets/pane.tsx';
import {actOnList} from './act-on-list.ts';
import {type ListHead} from './columns.ts';
import {DetailPane} from './detail-pane.tsx';
import {Frame} from './frame.tsx';
import {ListNotice} from './list-notice.tsx';
import {chooseColumn} from './order-list.ts';
import {paneScrollOf} from './pane-scrolls.ts';
import {useHeardResource} from './use-heard-resource.ts';
import {useRows, type Listed, type RowsBasis} from './use-rows.ts';
import {useTellFailure} from './use-tell-failure.ts';

export type RowLook = {
	readonly isCursor: boolean;
	readonly isMarked: boolean;
	/** True where it was changed elsewhere, and perhaps not seen yet. */
	readonly isChanged: boolean;
	/** What shows where the record fits the filter. */
	readonly filter: Highlight;
};

export type ListScreenProps<Record_ extends Listed> = RowsBasis & {
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
	readonly emptyHint: string;
	readonly head: ListHead;
	readonly resource: ResourceState<Record_>;
	/** What the header says beside the status. */
	readonly counts: string;
	readonly toListable: (record: Record_) => RowData;
	/** The installed record that a row shows beside its own. */
	readonly installedIdOf?: ((record: Record_) => number | undefined) | undefined;
	readonly renderRow: (record: Record_, look: RowLook) => ReactElement;
	/** The details beside the list on a wide screen. */
	readonly detailsOf: (record: Record_) => PaneDetails;
	/** Carries out an action of the screen's own on the record under the cursor; true where it is one. */
	readonly onAction: (action: ActionName, record: Record_ | undefined, marked: readonly Record_[]) => boolean;
};

/** More than anyone types while a list loads. */
const maximumEarlyActions = 500;

/** True for what acts on a row: with no list yet it would act on nothing. */
const needsRows = (action: ActionName): boolean =>
	keyTable[action].scope !== 'everywhere' && !['filter', 'refresh', 'clear', 'pane', 'sort', 'reverse-sort', 'sort-by', 'upload'].includes(action);

/** True for what acts on all that is marked, and so ends a range. */
const isForMarked = (action: ActionName): boolean => ['enable-marked', 'disable-marked', 'install', 'uninstall', 'delete'].includes(action);

/** What the three screens share: moves, marks, filter, order, refresh, and what stands in place of a list. */
export const ListScreen = <Record_ extends Listed>(props: ListScreenProps<Record_>): ReactElement => {
	const {screen, plural, emptyHint, head, resource, counts, toListable, installedIdOf, renderRow, detailsOf} = props;
	const ui = useUiServices();
	const {store, keymap} = ui;
	const session = useServiceSession();
	const isScreenReader = useIsScreenReaderEnabled();
	const state = useAppState();
	const view = state.views[screen];
	const {listRows, listColumns, paneColumns} = layoutOf(state);
	const all = useMemo(() => resource.records ?? [], [resource.records]);
	const outside = useOutsideChanges();
	const isAmong = (changed: OutsideState['signs'], record: Record_): boolean =>
		changed[screen].has(record.id) || (installedIdOf !== undefined && changed.installed.has(installedIdOf(record) ?? -1));
	const rowsOf = useRows(
		screen,
		all,
		record => ({...toListable(record), isChanged: isAmong(outside.changed, record)}),
		{...props, eventsKey: [props.eventsKey, ...screenNames.map(name => outside.changed[name].size)].join(' ')},
	);
	const {ids, areLettersEnough, recordOf} = rowsOf(view);
	useTellFailure(plural, resource);
	const heard = useHeardResource(resource);
	const highlight = useMemo(() => parseFilter(view.filter).highlight(areLettersEnough), [view.filter, areLettersEnough]);

	// The cursor is a record's, and its neighbour's once the service has it no more or the filter hides it.
	const settle = (): void => {
		const now = store.getState().views[screen];
		const {ids: nowIds} = rowsOf(now);
		const list = settled(now.list, nowIds, listRows);
		if (list === now.list) {
			return;
		}

		const {cursorId} = now.list;
		store.dispatch({
			type: 'settle-list', screen, list, isHidden: cursorId !== list.cursorId && recordOf(cursorId) !== undefined,
		});
	};

	useEffect(settle);

	const act = (action: ActionName): boolean => {
		settle();
		const now = store.getState();
		const nowView = now.views[screen];
		const rows = rowsOf(nowView);
		const recordId = rows.ids[cursorRowOf(nowView.list, rows.ids)];
		if (actOnList(action, {
			...props,
			ui,
			view: nowView,
			ids: rows.ids,
			cursorId: recordId,
			listRows: layoutOf(now).listRows,
			isScreenReader,
			nameOf: id => rows.recordOf(id)?.name ?? `#${id}`,
			pass(passedIds) {
				session.outside.pass(screen, passedIds);
				if (installedIdOf !== undefined) {
					session.outside.pass('installed', passedIds.map(id => installedIdOf(rows.recordOf(id)!)).filter(id => id !== undefined));
				}
			},
			scrollPane(id, move) {
				paneScrollOf(session, screen, id).move(move);
			},
		})) {
			return true;
		}

		if (nowView.range !== undefined && isForMarked(action)) {
			// Whoever goes on afterwards does not mean to mark what they pass.
			store.dispatch({type: 'change-view', screen, change: {range: undefined}});
		}

		const marked = [...nowView.marks].map(id => rows.recordOf(id)).filter(record => record !== undefined);
		return props.onAction(action, rows.recordOf(recordId), marked);
	};

	// Keys pressed before there is a list wait for it; what was typed while the program loads is not lost.
	const isLoading = resource.records === undefined && resource.error === undefined;
	const early = useRef<readonly ActionName[]>([]);
	const actOrWait = (action: ActionName): boolean => {
		if (!isLoading || !needsRows(action)) {
			return act(action);
		}

		early.current = [...early.current, action].slice(0, maximumEarlyActions);
		return true;
	};

	const replay = useEffectEvent(() => {
		const actions = early.current;
		early.current = [];
		for (const action of actions) {
			act(action);
		}
	});
	useEffect(() => {
		if (!isLoading) {
			replay();
		}
	}, [isLoading]);

	useKeys(layers.screen, {
		onKey(key) {
			const {isFilterOpen, isSortOpen, filter} = store.getState().views[screen];
			if (isSortOpen) {
				chooseColumn({ui, screen, plural}, key);
				return true;
			}

			if (isFilterOpen && editFilter(store, filter, key)) {
				return true;
			}

			const action = keymap.actionOf(key.name, scopesOf[screen]);
			const {overlays} = store.getState();
			const isUsed = action !== undefined && actOrWait(action);
			// What was opened takes the next key, also one of the same chunk.
			return store.getState().overlays === overlays ? isUsed : 'settle';
		},
		onAction: actOrWait,
		onPaste(text) {
			const {isFilterOpen, filter} = store.getState().views[screen];
			if (isFilterOpen) {
				store.dispatch({type: 'edit-filter', filter: filter + text.replaceAll('\n', ' ')});
			}

			return isFilterOpen;
		},
	});

	const cursorRow = cursorRowOf(view.list, ids);
	const cursorRecord = recordOf(ids[cursorRow]);
	const pane = paneColumns > 0 && cursorRecord !== undefined
		? <DetailPane key={cursorRecord.id} scroll={paneScrollOf(session, screen, cursorRecord.id)} details={detailsOf(cursorRecord)} width={paneColumns} height={listRows}/>
		: undefined;
	const markedCount = [...view.marks].filter(id => recordOf(id) !== undefined).length;
	return (
		<Frame
			resource={heard}
			counts={counts}
			shownCount={ids.length}
			totalCount={all.length}
			markedCount={markedCount}
			cursorRow={cursorRow}
			head={all.length === 0 ? undefined : head}
			pane={pane}
		>
			{ids.length === 0
				? <ListNotice width={listColumns} height={listRows} plural={plural} emptyHint={emptyHint} filter={view.filter} hasRecords={all.length > 0} resource={heard}/>
				: (
					<List
						state={view.list}
						ids={ids}
						visibleRows={listRows}
						renderRow={(row, isCursor) => {
							const record = recordOf(ids[row])!;
							return renderRow(record, {
								isCursor, isMarked: view.marks.has(record.id), isChanged: isAmong(outside.signs, record), filter: highlight,
							});
						}}
					/>
				)}
		</Frame>
	);
};
