import {assert, test} from '../../helpers/node.ts';
import type {MessageEnd} from '../../../source/tui/state/messages.ts';
import {type AppAction, type AppState, createAppState, reduceApp} from '../../../source/tui/state/app-state.ts';
import {createStore} from '../../../source/tui/observable.ts';

const initial = createAppState('installed', {columns: 80, rows: 24});

function after(actions: readonly AppAction[], from: AppState = initial): AppState {
	let state = from;
	for (const action of actions) {
		state = reduceApp(state, action);
	}

	return state;
}

const say = (level: 'info' | 'error', text: string, at = 1, until: readonly MessageEnd[] = []) =>
	({type: 'say', level, text, at, until}) as const;

test('the screens cycle in both directions', () => {
	const screensBy = (by: 1 | -1): readonly string[] => {
		let state = initial;
		return Array.from({length: 4}, () => {
			state = reduceApp(state, {type: 'step-screen', by});
			return state.screen;
		});
	};

	assert.deepEqual(screensBy(1), ['agents', 'abilities', 'installed', 'agents']);
	assert.deepEqual(screensBy(-1), ['abilities', 'agents', 'installed', 'abilities']);
});

test('each screen keeps its own cursor and filter', () => {
	const list = {cursorId: 302, cursorRow: 1, topRow: 0};
	const state = after([
		{type: 'change-list', screen: 'installed', list},
		{type: 'open-filter'},
		{type: 'edit-filter', filter: 'pan'},
		{type: 'show-screen', screen: 'abilities'},
		{type: 'open-filter'},
		{type: 'edit-filter', filter: 'lamp'},
		{type: 'show-screen', screen: 'installed'},
	]);
	assert.equal(state.views.installed.filter, 'pan');
	assert.equal(state.views.installed.idBefore, 302);
	assert.equal(state.views.abilities.filter, 'lamp');
	assert.equal(state.views.abilities.list.cursorId, undefined);
	assert.equal(state.views.agents.filter, '');
});

test('the filter line closes when the filter is kept or cleared, or another screen is shown, and not with the same screen', () => {
	const typed = after([{type: 'open-filter'}, {type: 'edit-filter', filter: 'pan'}]);
	const filterAfter = (action: AppAction): readonly [boolean, string] => {
		const {isFilterOpen, filter} = reduceApp(typed, action).views.installed;
		return [isFilterOpen, filter];
	};

	assert.deepEqual(filterAfter({type: 'show-screen', screen: 'installed'}), [true, 'pan']);
	assert.deepEqual(filterAfter({type: 'keep-filter'}), [false, 'pan']);
	assert.deepEqual(filterAfter({type: 'clear-filter'}), [false, '']);
	assert.deepEqual(filterAfter({type: 'step-screen', by: 1}), [false, 'pan']);
});

test('new words in the filter take the cursor to the first row, where clearing the filter leaves it; erasing the words takes it back', () => {
	const list = {cursorId: 302, cursorRow: 40, topRow: 35};
	const typed = after([{type: 'change-list', screen: 'installed', list}, {type: 'open-filter'}, {type: 'edit-filter', filter: 'l'}]);
	assert.deepEqual(typed.views.installed.list, {cursorId: undefined, cursorRow: 0, topRow: 0});
	const settled = reduceApp(typed, {
		type: 'settle-list',
		screen: 'installed',
		list: {cursorId: 301, cursorRow: 0, topRow: 0},
		isHidden: false,
	});
	const asked = reduceApp(settled, {type: 'edit-filter', filter: 'l is:on !x '});
	assert.equal(asked.views.installed.list.cursorId, 301, 'the words are the same');
	assert.equal(reduceApp(asked, {type: 'edit-filter', filter: 'la'}).views.installed.list.cursorId, undefined);
	assert.equal(reduceApp(asked, {type: 'edit-filter', filter: 'is:on'}).views.installed.list.cursorId, 302);
	assert.equal(reduceApp(asked, {type: 'clear-filter'}).views.installed.list.cursorId, 301);
	assert.equal(reduceApp(typed, {type: 'clear-filter'}).views.installed.list.cursorId, 302, 'nothing was found');

	const moved = reduceApp(asked, {type: 'change-list', screen: 'installed', list: {cursorId: 305, cursorRow: 1, topRow: 0}});
	assert.equal(reduceApp(moved, {type: 'clear-filter'}).views.installed.list.cursorId, 305, 'it was taken there on purpose');
});

test('a message belongs to its screen, and expires there too', () => {
	const said = after([say('error', 'here')]);
	const away = reduceApp(said, {type: 'show-screen', screen: 'agents'});
	assert.equal(away.messages.shown, undefined);
	const back = reduceApp(away, {type: 'show-screen', screen: 'installed'});
	assert.equal(back.messages.shown?.text, 'here');
	const gone = reduceApp(away, {type: 'dismiss', id: 1});
	assert.equal(reduceApp(gone, {type: 'show-screen', screen: 'installed'}).messages.shown, undefined);
	assert.deepEqual(
		gone.messages.history.map(({text}) => text),
		['here'],
	);
});

test('an info disappears when an overlay opens or is replaced; an error stays', () => {
	const ability = {type: 'open', overlay: {kind: 'ability', resource: 'installed', id: 301}} as const;
	const next = {type: 'replace', overlay: {kind: 'ability', resource: 'installed', id: 302}} as const;
	const shownAfter = (...actions: readonly AppAction[]): string | undefined => after(actions).messages.shown?.text;
	assert.equal(shownAfter(say('info', 'info'), ability), undefined);
	assert.equal(shownAfter(ability, say('info', 'info')), 'info', 'said of what is open');
	assert.equal(shownAfter(ability, say('info', 'info'), next), undefined);
	assert.equal(shownAfter(ability, {type: 'close'}, say('info', 'info')), 'info');
	assert.equal(shownAfter(say('error', 'error'), ability, next), 'error');
});

test('messages that the service is unreachable disappear on every screen when it answers; others stay', () => {
	const away = after([
		say('error', 'unreachable', 1, ['answer', 'failures']),
		{type: 'show-screen', screen: 'agents'},
		say('error', 'refused', 1, ['failures']),
	]);
	const answered = reduceApp(away, {type: 'end', end: 'answer'});
	assert.equal(answered.messages.shown?.text, 'refused');
	assert.equal(reduceApp(answered, {type: 'show-screen', screen: 'installed'}).messages.shown, undefined);
	assert.equal(reduceApp(answered, {type: 'end', end: 'answer'}), answered);
});

test('an info ends with the next thing that is done, on every screen; an error does not', () => {
	const list = {cursorId: 302, cursorRow: 1, topRow: 0};
	const acts: readonly AppAction[] = [
		{type: 'switch'},
		{type: 'resize', size: {columns: 120, rows: 24}},
		{type: 'next-parts'},
		{type: 'change-view', screen: 'installed', change: {marks: new Set([302])}},
		{type: 'edit-filter', filter: 'pan'},
		{type: 'open', overlay: {kind: 'help'}},
	];
	const others: readonly AppAction[] = [
		{type: 'change-list', screen: 'installed', list},
		{type: 'end', end: 'installed'},
		{type: 'note', text: 'aside', at: 2},
		{type: 'close'},
		{type: 'progress', text: 'Refreshing the list…'},
	];
	const shownAfter = (level: 'info' | 'error', act: AppAction, until?: readonly MessageEnd[]): string | undefined =>
		after([say(level, 'said', 1, until), {type: 'show-screen', screen: 'agents'}, act, {type: 'show-screen', screen: 'installed'}]).messages
			.shown?.text;
	assert.deepEqual(
		acts.map(act => shownAfter('info', act)),
		acts.map(() => undefined),
	);
	assert.deepEqual(
		others.map(act => shownAfter('info', act)),
		others.map(() => 'said'),
	);
	assert.deepEqual(
		acts.map(act => shownAfter('error', act)),
		acts.map(() => 'said'),
	);
	assert.deepEqual(
		acts.map(act => shownAfter('info', act, ['overlay'])),
		[...acts.slice(0, -1).map(() => 'said'), undefined],
		'one that lasts until an overlay opens',
	);
	assert.deepEqual(
		[shownAfter('info', others[0]!, ['move']), shownAfter('error', others[1]!, ['installed'])],
		[undefined, undefined],
		'what each says ends it',
	);
});

test('changes and problems are in the history as often as they occurred, an info is not, and each is on one line', () => {
	const {messages} = after([
		say('info', 'Nothing to undo.', 1),
		say('error', 'lamps stays on', 2),
		{type: 'note', text: 'lamps: on → off', at: 3},
		say('info', 'Nothing to undo.', 4),
		{type: 'note', text: 'lamps: on → off', at: 5},
		say('error', 'lamps stays on', 6),
		say('error', 'You look\n\n  after a house.', 7),
		say('info', 'Nothing to undo.', 8),
	]);
	assert.deepEqual(
		messages.history.map(({text, at}) => `${at} ${text}`),
		['2 lamps stays on', '3 lamps: on → off', '5 lamps: on → off', '6 lamps stays on', '7 You look after a house.'],
	);
	assert.equal(new Set(messages.history.map(({id}) => id)).size, messages.history.length);
});

test('a note is in the history and on no screen', () => {
	const noted = after([{type: 'note', text: 'aside', at: 1}]);
	assert.equal(noted.messages.shown, undefined);
	assert.deepEqual(
		noted.messages.history.map(({text}) => text),
		['aside'],
	);
});

test('overlays stack and close from the top', () => {
	const opened = after([
		{type: 'open', overlay: {kind: 'profiles'}},
		{type: 'open', overlay: {kind: 'sign-in', baseAddress: 'https://voice.example.com'}},
		{type: 'open', overlay: {kind: 'help'}},
	]);
	assert.deepEqual(
		opened.overlays.map(({kind}) => kind),
		['profiles', 'sign-in', 'help'],
	);
	const closed = reduceApp(opened, {type: 'close'});
	assert.deepEqual(
		closed.overlays.map(({kind}) => kind),
		['profiles', 'sign-in'],
	);
	assert.deepEqual(reduceApp(closed, {type: 'close-all'}).overlays, []);
	assert.deepEqual(reduceApp(initial, {type: 'close'}).overlays, []);
});

test('a message is shown until it is replaced or dismissed, and one that expires dismisses only itself', () => {
	const first = after([say('info', 'first')]);
	const second = reduceApp(first, say('error', 'second', 2));
	assert.deepEqual([first.messages.shown?.text, second.messages.shown?.text], ['first', 'second']);
	assert.equal(reduceApp(second, {type: 'dismiss', id: first.messages.shown!.id}), second);
	const third = reduceApp(first, say('info', 'third', 2));
	assert.equal(reduceApp(third, {type: 'dismiss', id: first.messages.shown!.id}), third);
	const dismissed = reduceApp(second, {type: 'dismiss'});
	assert.equal(dismissed.messages.shown, undefined);
	assert.deepEqual(
		dismissed.messages.history.map(({text}) => text),
		['second'],
		'the problem can still be read',
	);
});

test('the last hundred messages are kept, each with its own id', () => {
	const state = after(Array.from({length: 150}, (_, index) => say('error', `number ${index}`, index)));
	const {history} = state.messages;
	assert.equal(history.length, 100);
	assert.equal(history.at(0)?.text, 'number 50');
	assert.equal(history.at(-1)?.text, 'number 149');
	assert.equal(new Set(history.map(({id}) => id)).size, 100);
});

test('what changes nothing draws nothing', () => {
	const actions: readonly AppAction[] = [
		{type: 'resize', size: {columns: 80, rows: 24}},
		{type: 'set-idle', isIdle: false},
		{type: 'dismiss'},
		{type: 'change-list', screen: 'installed', list: initial.views.installed.list},
		{type: 'show-screen', screen: 'installed'},
	];
	assert.deepEqual(
		actions.filter(action => reduceApp(initial, action) !== initial),
		[],
	);
});

test('a new size, idleness and leaving are known', () => {
	const state = after([
		{type: 'resize', size: {columns: 40, rows: 10}},
		{type: 'set-idle', isIdle: true},
		{type: 'leave', waitedFor: {changeCount: 2, isEditorOpen: false}},
	]);
	assert.deepEqual(state.size, {columns: 40, rows: 10});
	assert.equal(state.isIdle, true);
	assert.deepEqual(state.leaving, {changeCount: 2, isEditorOpen: false});
	assert.equal(reduceApp(state, {type: 'leave', waitedFor: {changeCount: 2, isEditorOpen: false}}), state);
	assert.equal(reduceApp(state, {type: 'stay'}).leaving, undefined);
});

test('switching services forgets cursor, filter and marks, and keeps the sort order', () => {
	const state = after([
		{
			type: 'change-view',
			screen: 'installed',
			change: {
				sort: {column: 'name', isReversed: true},
				marks: new Set([302]),
				range: {anchorId: 302, marksBefore: new Set()},
				list: {cursorId: 302, cursorRow: 1, topRow: 1},
			},
		},
		{type: 'open-filter'},
		{type: 'edit-filter', filter: 'pan'},
		say('error', 'pantry stays on. Space tries again.'),
		{type: 'forget-records'},
	]);
	assert.deepEqual(state.views.installed, {...initial.views.installed, sort: {column: 'name', isReversed: true}});
	assert.equal(state.messages.shown, undefined);
	assert.equal(state.messages.history.length, 1);
});

const createCounter = () => createStore((state: number, by: number) => state + by, 0);

test('each action sees what the one before it did', () => {
	const store = createCounter();
	store.dispatch(1);
	store.dispatch(2);
	assert.equal(store.getState(), 3);
});

test('listeners are called for changes only, until they unsubscribe', () => {
	const store = createCounter();
	const heard: number[] = [];
	const leave = store.subscribe(() => {
		heard.push(store.getState());
	});
	store.dispatch(1);
	store.dispatch(0);
	store.dispatch(1);
	leave();
	store.dispatch(1);
	assert.deepEqual(heard, [1, 2]);
});
