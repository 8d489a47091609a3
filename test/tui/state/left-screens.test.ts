import {assert, test} from '../../helpers/node.ts';
import {isJsonObject} from '../../../source/interface/json.ts';
import {createAppState, reduceApp, type AppAction} from '../../../source/tui/state/app-state.ts';
import {savedViewOf, readSavedView} from '../../../source/tui/state/saved-view.ts';

const initial = createAppState('installed', {columns: 80, rows: 24});

const after = (...actions: readonly AppAction[]) => {
	let state = initial;
	for (const action of actions) {
		state = reduceApp(state, action);
	}

	return state;
};

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
