import {withChanges} from '../observable.ts';
import {wheelRows, type MouseReport} from '../../terminal/mouse.ts';

/** The cursor and the scrolling of a list. The cursor follows the id of a record, not its row. */
export type ListState = {
	/** `undefined` until a record is shown. */
	readonly cursorId: number | undefined;
	/** The last known row of the cursor: if its record is gone, the cursor goes to the neighbour. */
	readonly cursorRow: number;
	readonly topRow: number;
	/** True if the cursor was put on a visible row: no row moves then, so that a second click hits the same row. */
	readonly isPlaced?: boolean;
};

export const initialListState: ListState = {cursorId: undefined, cursorRow: 0, topRow: 0};

export type Move = 'down' | 'up' | 'half-page-down' | 'half-page-up' | 'page-down' | 'page-up' | 'first' | 'last';

/** Returns the row of the cursor's record, or the row nearest to where it was; -1 in an empty list. */
export function cursorRowOf(state: ListState, ids: readonly number[]): number {
	if (state.cursorId !== undefined && ids[state.cursorRow] === state.cursorId) {
		return state.cursorRow;
	}

	const row = state.cursorId === undefined ? -1 : ids.indexOf(state.cursorId);
	return row === -1 ? Math.min(state.cursorRow, ids.length - 1) : row;
}

/** Returns the first visible row that keeps the cursor in view without empty rows below the last record. */
export function topRowOf(state: ListState, ids: readonly number[], visibleRows: number): number {
	const row = Math.max(0, cursorRowOf(state, ids));
	const margin = state.isPlaced ? 0 : scrollMargin(visibleRows);
	const lowest = Math.max(0, ids.length - visibleRows);
	const fromCursor = Math.min(Math.max(state.topRow, row + margin - visibleRows + 1), Math.max(0, row - margin));
	return Math.min(Math.max(0, fromCursor), lowest);
}

/** Returns the state with the first row from which the most marked rows are visible; unchanged without marks. */
export function withMostMarked(state: ListState, ids: readonly number[], marks: ReadonlySet<number>, visibleRows: number): ListState {
	let count = 0;
	let most = {count: 0, topRow: state.topRow};
	for (const [row, id] of ids.entries()) {
		count += Number(marks.has(id)) - Number(row >= visibleRows && marks.has(ids[row - visibleRows]!));
		if (count > most.count) {
			most = {count, topRow: Math.max(0, row - visibleRows + 1)};
		}
	}

	return withChanges(state, {topRow: most.topRow});
}

/** Rows kept in view above and below the cursor, if there is room. */
const scrollMargin = (visibleRows: number): number => Math.max(0, Math.min(3, Math.floor((visibleRows - 1) / 2)));

/** Returns the target of a move from a row, in a list with this many rows. */
export function targetRow(move: Move, row: number, count: number, visibleRows: number): number {
	const page = Math.max(1, visibleRows - 1);
	const half = Math.max(1, Math.floor(visibleRows / 2));
	const targets: Readonly<Record<Move, number>> = {
		down: row + 1,
		up: row - 1,
		'half-page-down': row + half,
		'half-page-up': row - half,
		'page-down': row + page,
		'page-up': row - page,
		first: 0,
		last: count - 1,
	};
	return Math.min(Math.max(0, targets[move]), count - 1);
}

/** Returns the state with the cursor on the record of a row; the unchanged state if it is there already. */
export function atRow(state: ListState, ids: readonly number[], row: number, visibleRows: number, isPlaced = false): ListState {
	if (ids.length === 0) {
		return state;
	}

	const cursorRow = Math.min(Math.max(0, row), ids.length - 1);
	const placed = isPlaced || state.isPlaced ? {isPlaced} : {};
	const atCursor = {...state, cursorId: ids[cursorRow], cursorRow, ...placed};
	return withChanges(state, {...atCursor, topRow: topRowOf(atCursor, ids, visibleRows)});
}

/** Returns the state after a move. At either end the cursor stays. */
export function afterMove(state: ListState, ids: readonly number[], move: Move, visibleRows: number): ListState {
	return atRow(state, ids, targetRow(move, cursorRowOf(state, ids), ids.length, visibleRows), visibleRows);
}

/** The line of the screen, from 0, on which a list begins, and its number of lines. */
type ListPlace = {readonly top: number; readonly visibleRows: number};

/** Returns the state after a mouse event on or over a list; `undefined` if the event does not concern it. */
export function withMouse(
	state: ListState,
	ids: readonly number[],
	{kind, row}: MouseReport,
	{top, visibleRows}: ListPlace,
): ListState | undefined {
	return kind === 'press'
		? clicked(state, ids, row - top, visibleRows)
		: scrolled(state, ids, kind === 'wheel-down' ? wheelRows : -wheelRows, visibleRows);
}

/** Returns the state after a click on a line of the list, counted from 0; `undefined` if the line has no row. */
function clicked(state: ListState, ids: readonly number[], line: number, visibleRows: number): ListState | undefined {
	const topRow = topRowOf(state, ids, visibleRows);
	const row = topRow + line;
	return line >= 0 && line < visibleRows && row < ids.length ? atRow({...state, topRow}, ids, row, visibleRows, true) : undefined;
}

/**
Returns the state after a step of the wheel: the rows scroll, and the cursor stays until it would be out of view. At an end of the list the
cursor moves.
*/
function scrolled(state: ListState, ids: readonly number[], by: number, visibleRows: number): ListState {
	const before = topRowOf(state, ids, visibleRows);
	const topRow = Math.min(Math.max(0, before + by), Math.max(0, ids.length - visibleRows));
	const row = cursorRowOf(state, ids);
	const margin = scrollMargin(visibleRows);
	const within = Math.min(Math.max(row, topRow + margin), topRow + visibleRows - 1 - margin);
	return atRow({...state, topRow}, ids, topRow === before ? row + by : within, visibleRows);
}

/** Returns the state for these records: the cursor is on its record or, if that is gone, on its neighbour. */
export function settled(state: ListState, ids: readonly number[], visibleRows: number): ListState {
	const row = cursorRowOf(state, ids);
	return row === -1 ? state : withChanges(state, {cursorId: ids[row], cursorRow: row, topRow: topRowOf(state, ids, visibleRows)});
}

const moves: readonly string[] = [
	'down',
	'up',
	'half-page-down',
	'half-page-up',
	'page-down',
	'page-up',
	'first',
	'last',
] satisfies readonly Move[];

/** Returns the move of an action of the key table; `undefined` for any other action. */
export function moveOf(action: string | undefined): Move | undefined {
	return action !== undefined && moves.includes(action) ? (action as Move) : undefined;
}

const lineMoves: Readonly<Record<string, Move>> = {
	down: 'down',
	'ctrl+n': 'down',
	up: 'up',
	'ctrl+p': 'up',
	pagedown: 'page-down',
	pageup: 'page-up',
	home: 'first',
	end: 'last',
};

/** Returns the move of a key while a line is typed above the list, where letters are text; `undefined` for any other key. */
export function lineMoveOf(keyName: string): Move | undefined {
	return lineMoves[keyName];
}

/** Returns the move of an action that scrolls details, beside or below a list; `undefined` for any other action. */
export function paneMoveOf(action: string | undefined): Move | undefined {
	return action === 'pane-down' ? 'half-page-down' : action === 'pane-up' ? 'half-page-up' : undefined;
}
