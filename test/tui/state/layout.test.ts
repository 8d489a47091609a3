import {assert, test} from '../../helpers/node.ts';
import {createAppState, reduceApp, type AppState} from '../../../source/tui/state/app-state.ts';
import {layoutOf} from '../../../source/tui/state/layout.ts';

const stateOf = (columns: number, rows: number, message?: string): AppState => {
	const state = createAppState('installed', {columns, rows});
	return message === undefined ? state : reduceApp(state, {type: 'say', level: 'error', text: message, at: 1});
};

/** Header and tabs are always there; the names of the columns and the line below the list come as a pair. */
const linesOf = (state: AppState): number => {
	const {isRoomy, messageRows, hasHints, listRows} = layoutOf(state);
	return 2 + (isRoomy ? 2 : 0) + listRows + messageRows + Number(hasHints);
};

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
