import {assert, test} from '../../helpers/node.ts';
import {
	atRow,
	cursorRowOf,
	initialListState,
	type ListState,
	type Move,
	afterMove,
	settled,
	topRowOf,
	withMouse,
} from '../../../source/tui/state/list-state.ts';

const idsUpTo = (count: number): readonly number[] => Array.from({length: count}, (_, index) => 100 + index);

const twenty = idsUpTo(20);

const visibleRows = 7;

function after(
	moves: readonly Move[],
	{ids = twenty, from = atRow(initialListState, ids, 0, visibleRows)}: {ids?: readonly number[]; from?: ListState} = {},
): ListState {
	let state = from;
	for (const move of moves) {
		state = afterMove(state, ids, move, visibleRows);
	}

	return state;
}

const repeated = (move: Move, count: number): readonly Move[] => Array.from({length: count}, () => move);

const rowAfter = (...moves: readonly Move[]): number => cursorRowOf(after(moves), twenty);

test('a move goes where its name says', () => {
	assert.equal(rowAfter('down'), 1);
	assert.equal(rowAfter('down', 'down', 'up'), 1);
	assert.equal(rowAfter('half-page-down'), 3);
	assert.equal(rowAfter('half-page-down', 'half-page-down', 'half-page-up'), 3);
	assert.equal(rowAfter('page-down'), 6, 'a page leaves one row in common with the one before');
	assert.equal(rowAfter('page-down', 'page-down', 'page-up'), 6);
	assert.equal(rowAfter('last'), 19);
	assert.equal(rowAfter('last', 'first'), 0);
});

test('the cursor stays at an end instead of wrapping around', () => {
	const upwards = ['up', 'half-page-up', 'page-up', 'first'] as const;
	assert.deepEqual(
		upwards.map(move => rowAfter(move)),
		[0, 0, 0, 0],
	);
	assert.deepEqual(
		upwards.map(move => rowAfter('down', move)),
		[0, 0, 0, 0],
	);
	const downwards = ['down', 'half-page-down', 'page-down', 'last'] as const;
	assert.deepEqual(
		downwards.map(move => rowAfter('last', move)),
		[19, 19, 19, 19],
	);
	assert.deepEqual(
		downwards.map(move => rowAfter('last', 'up', move)),
		[19, 19, 19, 19],
	);
});

/** Where the cursor and the first row are after each of these moves. */
function placesDuring(moves: readonly Move[], rows: number): ReadonlyArray<{readonly row: number; readonly topRow: number}> {
	let state = atRow(initialListState, twenty, 0, rows);
	return moves.map(move => {
		state = afterMove(state, twenty, move, rows);
		return {row: cursorRowOf(state, twenty), topRow: state.topRow};
	});
}

const downAndUp = [...repeated('down', 25), ...repeated('up', 25)];

test('three rows stay in view around the cursor, except at the ends', () => {
	const crowded = placesDuring(downAndUp, visibleRows).filter(
		({row, topRow}) => row - topRow < Math.min(3, row) || topRow + visibleRows - 1 - row < Math.min(3, 19 - row),
	);
	assert.deepEqual(crowded, []);
});

test('a list with fewer rows than its margins keeps the cursor in view', () => {
	const hidden = [1, 2, 3, 4].flatMap(rows =>
		placesDuring(downAndUp, rows).filter(({row, topRow}) => row < topRow || row >= topRow + rows),
	);
	assert.deepEqual(hidden, []);
});

test('the view never leaves the list', () => {
	const outside = placesDuring(downAndUp, visibleRows).filter(({topRow}) => topRow < 0 || topRow + visibleRows > twenty.length);
	assert.deepEqual(outside, []);
});

test('a move back inside the margins scrolls nothing', () => {
	const rows = idsUpTo(40);
	const deep = afterMove(atRow(initialListState, rows, 20, 11), rows, 'down', 11);
	assert.equal(afterMove(deep, rows, 'up', 11).topRow, deep.topRow);
});

test('a list shorter than the screen never scrolls', () => {
	const three = idsUpTo(3);
	assert.equal(after(['last'], {ids: three}).topRow, 0);
	assert.equal(cursorRowOf(after(['page-down'], {ids: three}), three), 2);
});

test('an empty list has no cursor, and moves in it change nothing', () => {
	assert.equal(cursorRowOf(initialListState, []), -1);
	assert.equal(topRowOf(initialListState, [], visibleRows), 0);
	const moves = ['down', 'up', 'page-down', 'page-up', 'first', 'last'] as const;
	assert.deepEqual(
		moves.map(move => afterMove(initialListState, [], move, visibleRows)),
		moves.map(() => initialListState),
	);
});

test('the first record has the cursor before any key', () => {
	assert.equal(cursorRowOf(initialListState, twenty), 0);
	assert.equal(settled(initialListState, twenty, visibleRows).cursorId, 100);
});

test('the cursor stays on its record when rows above it are added, removed or reordered', () => {
	const onFive = after(repeated('down', 5));
	assert.equal(onFive.cursorId, 105);
	assert.equal(cursorRowOf(onFive, [1, 2, 3, ...twenty]), 8);
	assert.equal(cursorRowOf(onFive, twenty.slice(3)), 2);
	assert.equal(cursorRowOf(onFive, twenty.toReversed()), 14);
	assert.equal(settled(onFive, twenty.toReversed(), visibleRows).cursorId, 105);
});

test('the record under the cursor is scrolled into view after sorting', () => {
	const onFirst = after([]);
	const state = settled(onFirst, twenty.toReversed(), visibleRows);
	assert.deepEqual(state, {cursorId: 100, cursorRow: 19, topRow: 13});
});

test('the cursor goes to the record below one that is gone', () => {
	const onFive = after(repeated('down', 5));
	const without = twenty.filter(id => id !== 105);
	assert.equal(without[cursorRowOf(onFive, without)], 106);
	assert.equal(settled(onFive, without, visibleRows).cursorId, 106);
});

test('the cursor goes to the last record when the one after it is gone', () => {
	const onLast = after(['last']);
	const without = twenty.slice(0, -1);
	assert.equal(settled(onLast, without, visibleRows).cursorId, 118);
	assert.equal(settled(onLast, [7], visibleRows).cursorId, 7);
});

test('the cursor goes to the neighbour also where rows were added above before', () => {
	const onFive = after(repeated('down', 5));
	const longer = [1, 2, 3, ...twenty];
	const inLonger = settled(onFive, longer, visibleRows);
	const without = longer.filter(id => id !== 105);
	assert.equal(settled(inLonger, without, visibleRows).cursorId, 106);
});

test('a cursor that need not move leaves the state as it is, so that nothing is drawn', () => {
	const state = after(repeated('down', 12));
	assert.equal(settled(state, twenty, visibleRows), state);
	assert.equal(settled(initialListState, [], visibleRows), initialListState);
});

test('a list that becomes shorter leaves no empty rows below the last record', () => {
	const onLast = after(['last']);
	const ten = twenty.slice(0, 10);
	assert.equal(topRowOf(onLast, ten, visibleRows), 3);
	assert.equal(topRowOf(onLast, twenty.slice(0, 4), visibleRows), 0);
});

test('moving works in ten thousand rows as in twenty', () => {
	const ids = idsUpTo(10_000);
	const last = after(['last'], {ids});
	assert.deepEqual(last, {cursorId: 10_099, cursorRow: 9999, topRow: 9993});
	assert.deepEqual(after(['page-up', 'up'], {ids, from: last}), {cursorId: 10_092, cursorRow: 9992, topRow: 9989});
	assert.equal(cursorRowOf(after(repeated('down', 5000), {ids}), ids), 5000);
});

test('a click puts the cursor on its row, and no row moves, so that a second click meets the same one', () => {
	const place = {top: 3, visibleRows};
	const at = (from: ListState, row: number) => withMouse(from, twenty, {kind: 'press', column: 0, row}, place);
	const start = after(repeated('down', 10));
	const topRow = topRowOf(start, twenty, visibleRows);
	for (const line of [0, 3, visibleRows - 1]) {
		const once = at(start, 3 + line)!;
		assert.deepEqual([cursorRowOf(once, twenty), topRowOf(once, twenty, visibleRows)], [topRow + line, topRow]);
		assert.equal(at(once, 3 + line)!.cursorId, once.cursorId);
		// A list that is read again stays as well; a key keeps rows in view around the cursor.
		assert.equal(topRowOf(settled(once, twenty, visibleRows), twenty, visibleRows), topRow);
	}

	const last = afterMove(at(start, 3 + visibleRows - 1)!, twenty, 'down', visibleRows);
	assert.equal(cursorRowOf(last, twenty) - topRowOf(last, twenty, visibleRows), 3);
	assert.deepEqual(
		[
			at(start, 2),
			at(start, 3 + visibleRows),
			withMouse(atRow(initialListState, [1], 0, visibleRows), [1], {kind: 'press', column: 0, row: 4}, place),
		],
		[undefined, undefined, undefined],
	);
});

test('the wheel scrolls three rows, keeps the cursor in view, and goes to the ends', () => {
	const turn = (from: ListState, kind: 'wheel-up' | 'wheel-down', count = 1): readonly [top: number, row: number] => {
		let state = from;
		for (let step = 0; step < count; step++) {
			state = withMouse(state, twenty, {kind, column: 0, row: 0}, {top: 3, visibleRows})!;
		}

		return [topRowOf(state, twenty, visibleRows), cursorRowOf(state, twenty)];
	};

	const start = after([]);
	assert.deepEqual(turn(start, 'wheel-down'), [3, 6]);
	assert.deepEqual(turn(start, 'wheel-down', 100), [13, 19]);
	assert.deepEqual(turn(after(['last']), 'wheel-up'), [10, 13]);
	assert.deepEqual(turn(after(['last']), 'wheel-up', 100), [0, 0]);
	assert.deepEqual(withMouse(initialListState, [], {kind: 'wheel-down', column: 0, row: 0}, {top: 3, visibleRows}), initialListState);
});
