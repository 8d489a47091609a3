import {assert, test} from '../../helpers/node.ts';
import {isJsonObject} from '../../../source/interface/json.ts';
import {type AppAction, type AppState, createAppState, reduceApp} from '../../../source/tui/state/app-state.ts';
import {readSavedView, savedViewOf} from '../../../source/tui/views.ts';
import {layoutOf} from '../../../source/tui/state/layout.ts';
import {noMarks, withAllToggled, withMarkToggled, withRangeTo, withRangeToggled} from '../../../source/tui/state/view.ts';

const initial = createAppState('installed', {columns: 80, rows: 24});

function after(...actions: readonly AppAction[]) {
	let state = initial;
	for (const action of actions) {
		state = reduceApp(state, action);
	}

	return state;
}

test('screen, filter, sort order and row are restored; marks and an open filter line are not', () => {
	const left = after(
		{type: 'show-screen', screen: 'abilities'},
		{type: 'open-filter'},
		{type: 'edit-filter', filter: 'is:on lam'},
		{
			type: 'change-view',
			screen: 'abilities',
			change: {
				list: {cursorId: 7, cursorRow: 30, topRow: 20},
				sort: {column: 'name', isReversed: true},
				marks: new Set([7]),
				range: {anchorId: 7, marksBefore: new Set()},
				generation: 3,
			},
		},
	);
	const text = JSON.stringify(savedViewOf(left));
	const stored: unknown = JSON.parse(text);
	assert.ok(isJsonObject(stored));
	const restored = reduceApp(initial, {type: 'restore', left: readSavedView(stored)});
	assert.deepEqual(restored, {
		...initial,
		screen: 'abilities',
		views: {
			...initial.views,
			abilities: {
				...initial.views.abilities,
				list: {cursorId: 7, cursorRow: 30, topRow: 20},
				sort: {column: 'name', isReversed: true},
				filter: 'is:on lam',
			},
		},
	});
});

test('a filter for marked rows is not restored, since no row is marked then', () => {
	const left = after({type: 'open-filter'}, {type: 'edit-filter', filter: 'light !is:marked'});
	assert.equal(readSavedView(savedViewOf(left)).views.installed?.filter, '');
});

test('invalid parts of the stored view are ignored', () => {
	assert.deepEqual(
		[undefined, null, 5, 'agents', [], {}, {screen: 'settings', agents: [], abilities: null, installed: 'x'}].map(value =>
			readSavedView(value),
		),
		Array.from({length: 7}, () => ({views: {}})),
	);
	const hostile = readSavedView({
		screen: 'agents',
		agents: {cursorId: 1.5, cursorRow: 1e9, topRow: 1e300, filter: ['x'], sort: 'category', isReversed: true},
		abilities: {
			cursorId: '7',
			cursorRow: '1',
			topRow: null,
			filter: `\u{1B}]52;c;ZXZpbA==\u{7}one\ntwo\u{202E}${'x'.repeat(10_000)}`,
			sort: 'constructor',
			isReversed: 'yes',
		},
		installed: {cursorId: -1, filter: '', sort: 'state'},
	});
	assert.equal(hostile.screen, 'agents');
	assert.deepEqual(hostile.views.agents, {
		list: {cursorId: undefined, cursorRow: 1_000_000, topRow: 0},
		filter: '',
		sort: {column: 'none', isReversed: false},
	});
	const {filter, ...rest} = hostile.views.abilities!;
	assert.deepEqual(rest, {list: {cursorId: undefined, cursorRow: 0, topRow: 0}, sort: {column: 'none', isReversed: false}});
	assert.match(filter, /^one twox+…$/);
	assert.equal(filter.length, 500);
	assert.deepEqual(hostile.views.installed, {
		list: {cursorId: -1, cursorRow: 0, topRow: 0},
		filter: '',
		sort: {column: 'state', isReversed: false},
	});
});

test('unknown parts of a stored view change nothing', () => {
	const state = after({type: 'change-view', screen: 'agents', change: {sort: {column: 'name', isReversed: false}}});
	assert.deepEqual(reduceApp(state, {type: 'restore', left: {views: {}}}), state);
});

function stateOf(columns: number, rows: number, message?: string): AppState {
	const state = createAppState('installed', {columns, rows});
	return message === undefined ? state : reduceApp(state, {type: 'say', level: 'error', text: message, at: 1});
}

/** Header and tabs are always there; the names of the columns and the line below the list come as a pair. */
function linesOf(state: AppState): number {
	const {isRoomy, messageRows, hasHints, listRows} = layoutOf(state);
	return 2 + (isRoomy ? 2 : 0) + listRows + messageRows + Number(hasHints);
}

const messages = [undefined, 'short', 'a sentence of several words. '.repeat(2), 'a sentence of several words. '.repeat(20)];

const upTo60 = Array.from({length: 60}, (_, index) => index + 1);

test('the lines of a screen add up to its height, with every message', () => {
	const cases = upTo60
		.filter(rows => rows > 5)
		.flatMap(rows => [20, 40, 80, 200].flatMap(columns => messages.map(message => ({rows, columns, message}))));
	assert.deepEqual(
		cases.filter(({columns, rows, message}) => linesOf(stateOf(columns, rows, message)) !== rows),
		[],
	);
});

test('at least one row is shown at any size', () => {
	const cases = upTo60.flatMap(rows => messages.map(message => ({rows, message})));
	assert.deepEqual(
		cases.filter(({rows, message}) => layoutOf(stateOf(20, rows, message)).listRows < 1),
		[],
	);
});

test('a tall screen keeps a line free for messages, so that the list does not jump', () => {
	const quiet = layoutOf(stateOf(80, 24));
	const told = layoutOf(stateOf(80, 24, 'pantry stays on.'));
	assert.deepEqual(told, quiet);
	assert.equal(quiet.messageRows, 1);
});

test('on a short screen a message replaces the hints', () => {
	const quiet = layoutOf(stateOf(80, 10));
	const told = layoutOf(stateOf(80, 10, 'pantry stays on.'));
	assert.equal(quiet.hasHints, true);
	assert.equal(told.hasHints, false);
	assert.equal(told.listRows, quiet.listRows);
});

test('on a short screen the progress of a bulk change has its line too', () => {
	const quiet = layoutOf(stateOf(80, 10));
	const under = layoutOf(reduceApp(stateOf(80, 10), {type: 'progress', text: 'Switching off: 3 of 12…'}));
	assert.deepEqual([under.messageRows, under.hasHints, under.listRows], [1, false, quiet.listRows]);
});

test('a long message gets up to three lines', () => {
	assert.equal(layoutOf(stateOf(40, 24, 'x'.repeat(30))).messageRows, 1);
	assert.equal(layoutOf(stateOf(40, 24, 'x'.repeat(50))).messageRows, 2);
	assert.equal(layoutOf(stateOf(40, 24, 'x'.repeat(500))).messageRows, 3);
});

const ids = [10, 20, 30, 40, 50];

const marked = ({marks}: {readonly marks: ReadonlySet<number>}): readonly number[] =>
	[...marks].toSorted((first, second) => first - second);

test('a row is marked and unmarked', () => {
	const once = withMarkToggled(noMarks, 20);
	assert.deepEqual(marked(once), [20]);
	assert.deepEqual(marked(withMarkToggled(withMarkToggled(once, 30), 20)), [30]);
	assert.deepEqual(marked(noMarks), [], 'nothing is changed in place');
});

test('a range spans from its start to the cursor, in both directions', () => {
	const begun = withRangeToggled(noMarks, 30);
	assert.deepEqual(marked(begun), [30]);
	const down = withRangeTo(begun, ids, 50);
	assert.deepEqual(marked(down), [30, 40, 50]);
	assert.deepEqual(marked(withRangeTo(down, ids, 40)), [30, 40], 'going back takes marks away again');
	assert.deepEqual(marked(withRangeTo(down, ids, 10)), [10, 20, 30]);
});

test('a range keeps earlier marks', () => {
	const begun = withRangeToggled(withMarkToggled(noMarks, 50), 10);
	const wide = withRangeTo(begun, ids, 30);
	assert.deepEqual(marked(wide), [10, 20, 30, 50]);
	assert.deepEqual(marked(withRangeTo(wide, ids, 10)), [10, 50]);
});

test('a range whose start is gone marks nothing new', () => {
	const begun = withRangeToggled(noMarks, 30);
	assert.deepEqual(marked(withRangeTo(begun, [10, 20, 40], 40)), []);
	assert.deepEqual(marked(withRangeTo(begun, ids, undefined)), [30]);
});

test('all rows shown are marked, and unmarked again', () => {
	const hidden = withMarkToggled(noMarks, 99);
	const all = withAllToggled(withMarkToggled(hidden, 20), ids);
	assert.deepEqual(marked(all), [...ids, 99]);
	assert.deepEqual(marked(withAllToggled(all, ids)), [99], 'what the filter hides keeps its mark');
	assert.deepEqual(marked(withAllToggled(hidden, [])), [99]);
});
