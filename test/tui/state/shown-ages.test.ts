import assert from 'node:assert/strict';
import process from 'node:process';
import {test, type TestContext} from 'node:test';
import {createShownAges, type ShownAges} from '../../../source/tui/state/shown-ages.ts';
import {createAppState, reduceApp} from '../../../source/tui/state/app-state.ts';
import {createStore} from '../../../source/tui/state/store.ts';

const start = Date.UTC(2026, 5, 15, 12);
const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** The ages of screens that were opened just now, and how long after that their time moved on. */
const openAges = (t: TestContext): {readonly ages: ShownAges; readonly moved: readonly number[]} => {
	t.mock.timers.enable({apis: ['setTimeout', 'Date'], now: start});
	const store = createStore(reduceApp, createAppState('installed', {columns: 80, rows: 24}));
	const ages = createShownAges(store);
	ages.catchUp();
	const moved: number[] = [];
	store.subscribe(() => {
		moved.push(store.getState().now - start);
	});
	return {ages, moved};
};

test('the time moves on at the first of the moments, and then no more', t => {
	const {ages, moved} = openAges(t);
	ages.redrawAt(start + (90 * second));
	ages.redrawAt(start + (75 * second));
	t.mock.timers.tick((75 * second) - 1);
	assert.deepEqual(moved, []);
	t.mock.timers.tick(1);
	assert.deepEqual(moved, [75 * second]);
});

test('the time moves on once a minute at the most', t => {
	const {ages, moved} = openAges(t);
	for (const seconds of [0, 10, 30, 70]) {
		ages.redrawAt(start + (seconds * second));
	}

	for (let passed = 0; passed < 150; passed++) {
		t.mock.timers.tick(second);
	}

	assert.deepEqual(moved, [minute, 2 * minute], 'nobody has taken the moments back');
});

test('the time does not move on where no age is shown, or none any more', t => {
	const {ages, moved} = openAges(t);
	const takeBack = ages.redrawAt(start + minute);
	takeBack();
	t.mock.timers.tick(day);
	assert.deepEqual(moved, []);
});

test('a moment that is further away than a timer can wait comes at its time', t => {
	const {ages, moved} = openAges(t);
	ages.redrawAt(start + (40 * day));
	t.mock.timers.tick((40 * day) - 1);
	assert.deepEqual(moved, []);
	t.mock.timers.tick(1);
	assert.deepEqual(moved, [40 * day]);
});

test('a key moves the time on after a minute, also where no age is shown, and after the clock was set back', t => {
	const {ages, moved} = openAges(t);
	t.mock.timers.setTime(start + minute - 1);
	ages.catchUp();
	assert.deepEqual(moved, []);
	t.mock.timers.setTime(start + minute);
	ages.catchUp();
	ages.catchUp();
	assert.deepEqual(moved, [minute]);
	t.mock.timers.setTime(start - day);
	ages.catchUp();
	assert.deepEqual(moved, [minute, -day]);
});

test('waiting for an age does not keep the process alive', () => {
	const ages = createShownAges(createStore(reduceApp, createAppState('installed', {columns: 80, rows: 24})));
	ages.catchUp();
	const timerCount = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
	const before = timerCount();
	const takeBack = ages.redrawAt(Date.now() + day);
	assert.equal(timerCount(), before);
	takeBack();
});
