import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createAppState, reduceApp} from '../../../source/tui/state/app-state.ts';
import {editFilter} from '../../../source/tui/state/filter-line.ts';
import {createStore} from '../../../source/tui/state/store.ts';
import {createKeyReader} from '../../../source/tui/terminal/key-reader.ts';
import {keyBytes} from '../../helpers/key-bytes.ts';

/** The filter line after these chunks from the keyboard, and the keys that were not its own. */
const typed = (...chunks: readonly string[]) => {
	const store = createStore(reduceApp, createAppState('installed', {columns: 80, rows: 24}));
	store.dispatch({type: 'open-filter'});
	const others: string[] = [];
	const reader = createKeyReader({
		key(key) {
			if (!editFilter(store, store.getState().views.installed.filter, key)) {
				others.push(key.name);
			}
		},
		paste(text) {
			assert.fail(`“${text}” was no paste`);
		},
	});
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	reader.close();
	const {filter, isFilterOpen} = store.getState().views.installed;
	return {filter, isFilterOpen, others};
};

const open = (filter: string, ...others: readonly string[]) => ({filter, isFilterOpen: true, others});

test('every printable key is text, even those with an action elsewhere', () => {
	assert.deepEqual(typed('qr1 /?P'), open('qr1 /?P'));
	assert.deepEqual(typed('夜é👍🏽.'), open('夜é👍🏽.'));
});

test('Enter keeps the filter and closes the line', () => {
	assert.deepEqual(typed('pan\r'), {filter: 'pan', isFilterOpen: false, others: []});
});

test('Escape clears the filter and closes the line', () => {
	assert.deepEqual(typed('pan', '\u{1B}[27u'), {filter: '', isFilterOpen: false, others: []});
});

test('Backspace deletes the last character as a person sees it', () => {
	assert.deepEqual(typed('pan\u{7F}'), open('pa'));
	assert.deepEqual(typed('a👍🏽\u{7F}'), open('a'));
	assert.deepEqual(typed('e\u{301}\u{7F}'), open(''));
});

test('Backspace in an empty line closes it', () => {
	assert.deepEqual(typed('p\u{7F}\u{7F}'), {filter: '', isFilterOpen: false, others: []});
});

test('Ctrl+W deletes the last word, Ctrl+U the whole line', () => {
	assert.deepEqual(typed('good morning\u{17}'), open('good '));
	assert.deepEqual(typed('good morning  \u{17}'), open('good '));
	assert.deepEqual(typed('good\u{17}'), open(''));
	assert.deepEqual(typed('good morning\u{15}'), open(''));
});

test('keys that type nothing go to the list', () => {
	assert.deepEqual(typed(keyBytes('p', 'down', 'up', 'pageup', 'tab', 'ctrl+c')), open('p', 'down', 'up', 'pageup', 'tab', 'ctrl+c'));
});
