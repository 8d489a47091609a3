import {useEffect, useSyncExternalStore, type ReactElement} from 'react';
import {Text} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {useEarlyInput} from '../hooks/use-early-input.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {ActionName} from '../../words/key-table.ts';
import {hintOf, isBackKey, isOpenKey, type Hint} from '../../words/keymap.ts';
import {typingEnd} from '../../words/signs.ts';
import {createStore, withChanges} from '../observable.ts';
import type {AppAction, FilterLineAction} from '../state/app-state.ts';
import type {Key} from '../../terminal/key.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {List, listRowOf, type Line, type Part} from '../widgets/list.tsx';
import {cursorRowOf, initialListState, afterMove, moveOf, settled, withMouse, type ListState, type Move} from '../state/list-state.ts';
import {Notice, type NoticeProps} from '../widgets/notice.tsx';
import {useRememberedState} from '../widgets/text-scroll.ts';
import {DetailFrame, detailLayoutOf} from './detail-frame.tsx';
import {useFilterLine} from './filter-line.ts';

/** Columns before a row of an overlay. */
export const rowStart = 3;

/** Returns a row of an overlay: the marker of the cursor and its parts, with its form for a screen reader. */
export function overlayLine(isCursor: boolean, parts: readonly Part[], spoken: string, width: number): Line {
	return listRowOf(isCursor, [[isCursor ? ' > ' : ' '.repeat(rowStart)], ...parts], spokenRow(isCursor, spoken), width);
}

/** Returns the digit that chooses a row, and a blank; only blanks for a row from the tenth on. */
export function rowNumber(row: number): string {
	return row < 9 ? `${row + 1} ` : '  ';
}

/** Returns the number of the row that a digit chooses, from 1; 0 for any other key. */
export function numberOf(keyName: string): number {
	return /^[1-9]$/.test(keyName) ? Number(keyName) : 0;
}

/** Returns the filter of a list above the screens, which its own screen applies. */
export function createOverlayFilter() {
	return createStore(reduceFilter, {filter: '', isFilterOpen: false});
}

type OverlayFilter = {readonly filter: string; readonly isFilterOpen: boolean};

function reduceFilter(before: OverlayFilter, action: FilterLineAction | Extract<AppAction, {readonly type: 'open-filter'}>): OverlayFilter {
	switch (action.type) {
		case 'open-filter': {
			return withChanges(before, {isFilterOpen: true});
		}

		case 'edit-filter': {
			return withChanges(before, {filter: action.filter});
		}

		case 'keep-filter': {
			return withChanges(before, {isFilterOpen: false});
		}

		case 'clear-filter': {
			return {filter: '', isFilterOpen: false};
		}
	}
}

/** Returns the filter as a note, with the number of rows that it leaves, such as “2 of 5”; empty without a filter. */
export function filterNote({filter, isFilterOpen}: OverlayFilter, counts: string): string {
	return isFilterOpen || filter !== '' ? `/${filter}${isFilterOpen ? typingEnd : ''} ${counts}` : '';
}

const noFilter = createOverlayFilter();

const filterLineHints: readonly Hint[] = [
	{key: 'enter', label: 'keep'},
	{key: 'esc', label: 'clear'},
];

type ListOverlayProps = {
	readonly title: string;
	readonly notes?: readonly string[];
	/** Lines below the title, for a fact about all rows. */
	readonly lead?: readonly string[];
	/** Lines below the list; on a screen with room for it, one is kept free for them. */
	readonly foot?: readonly string[];
	readonly filter?: ReturnType<typeof createOverlayFilter>;
	/** Shown while the filter line is open. */
	readonly filterHints?: readonly Hint[];
	/** The action that opens it; its key also closes it. */
	readonly action: ActionName;
	readonly isPlain?: boolean;
	readonly ids: readonly number[];
	readonly lineOf: (row: number, isCursor: boolean) => Line;
	/** Keys are kept until there are rows to move over. */
	readonly isLoading?: boolean;
	/** Shown instead of a list without rows. */
	readonly notice: Omit<NoticeProps, 'width' | 'height'>;
	readonly openLabel?: string;
	readonly hints?: ReadonlyArray<Hint | undefined>;
	readonly onOpen?: (row: number) => void;
	/** Called with the key that goes back, in place of closing it. */
	readonly onLeave?: (keyName: string) => void;
	/** Called after a move, even in an empty list, with the row of the cursor and the number of visible rows. */
	readonly onMove?: (row: number, height: number) => void;
	/** Handles the overlay's keys; the row is -1 in an empty list, `move` moves on. Returns false for any other key. */
	readonly onKey?: (key: Key, row: number, move: (move: Move) => void) => boolean;
};

/** Draws a list above the screens. The cursor stays where it is while another overlay is above the list. */
export function ListOverlay(props: ListOverlayProps): ReactElement {
	const {
		title,
		notes = [],
		lead = [],
		foot,
		filter = noFilter,
		filterHints = filterLineHints,
		action,
		isPlain = false,
		ids,
		lineOf,
		isLoading = false,
		notice,
		openLabel,
		hints = [],
		onOpen,
		onLeave,
		onMove,
		onKey = () => false,
	} = props;
	const {store, keymap} = useUiServices();
	const state = useAppState();
	const {columns} = state.size;
	const [cursor, setCursor] = useRememberedState('list', initialListState);
	const {isFilterOpen} = useSyncExternalStore(filter.subscribe, filter.getState);
	const {bodyRows, hasSpacer} = detailLayoutOf(state, isPlain);
	// The line that is kept free is for a list that does not jump.
	const footRows = foot === undefined ? 0 : Math.max(foot.length, hasSpacer ? 1 : 0);
	const height = Math.max(1, bodyRows - lead.length - footRows);
	const row = cursorRowOf(cursor, ids);
	const go = (next: (before: ListState) => ListState): void => {
		setCursor(next);
		onMove?.(cursorRowOf(next(cursor), ids), height);
	};

	const moveBy = (move: Move): void => go(before => afterMove(before, ids, move, height));

	const actSoon = useEarlyInput(isLoading, (key: Key): true => {
		const asked = keymap.actionOf(key.name, ['list']);
		if (onKey(key, row, moveBy)) {
			return true;
		}

		// Each row of a filtered list is a match.
		const move = asked === 'next-match' ? 'down' : asked === 'previous-match' ? 'up' : moveOf(asked);
		if (move !== undefined) {
			moveBy(move);
		} else if (asked === 'filter' && filter !== noFilter) {
			filter.dispatch({type: 'open-filter'});
		} else if (isOpenKey(keymap, key.name) && row !== -1) {
			onOpen?.(row);
		}

		return true;
	});
	const leave = onLeave ?? (() => store.dispatch({type: 'close'}));
	useKeys(layers.overlay, {
		onKey(key) {
			// A key that the open filter line does not use does nothing.
			if (filter.getState().isFilterOpen) {
				return true;
			}

			if (key.name === 'escape' && filter.getState().filter !== '') {
				filter.dispatch({type: 'clear-filter'});
				return true;
			}

			if (isBackKey(keymap, key.name) || keymap.keysOf(action).includes(key.name)) {
				leave(key.name);
				return true;
			}

			return actSoon(key);
		},
		onMouse(event) {
			go(before => withMouse(before, ids, event, {top: lead.length + (hasSpacer ? 2 : 1), visibleRows: height}) ?? before);
			return true;
		},
	});
	// The cursor stays on its row when others are inserted before it.
	useEffect(() => setCursor(before => settled(before, ids, height)), [ids, height]);
	useFilterLine({store: filter, read: filter.getState, move: moveBy});
	const hasRows = ids.length > 0;
	return (
		<DetailFrame
			isPlain={isPlain}
			title={title}
			notes={[ids.length > height ? `${row + 1} of ${ids.length}` : '', ...notes]}
			spoken={isPlain ? '' : undefined}
			lead={lead.map(line => <Text key={line} {...theme.warning} wrap="truncate-end">{` ${line}`}</Text>)}
			hints={
				isFilterOpen
					? filterHints
					: [
							hasRows && openLabel !== undefined ? hintOf(keymap, 'open', openLabel) : undefined,
							...hints,
							filter === noFilter ? undefined : hintOf(keymap, 'filter'),
							hasRows ? {key: 'j/k', label: 'move'} : undefined,
							{key: 'esc', label: 'back', isKept: true},
						]
			}
		>
			{hasRows ? (
				<List state={cursor} ids={ids} visibleRows={height} lineOf={lineOf} />
			) : (
				<Notice width={columns} height={height} {...notice} />
			)}
			{foot?.map(line => (
				<Text key={line} {...theme.pending} wrap="truncate-end">{` ${line}`}</Text>
			))}
		</DetailFrame>
	);
}
