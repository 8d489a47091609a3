import {assert, test} from '../../helpers/node.ts';
import {createAppState, reduceApp} from '../../../source/tui/state/app-state.ts';
import {editFilter} from '../../../source/tui/screens/filter-line.ts';
import {createStore} from '../../../source/tui/observable.ts';
import {createKeyReader} from '../../../source/tui/terminal/keyboard-input.ts';
import {keyBytes} from '../../helpers/key-bytes.ts';

/** The filter line after these chunks from the keyboard. */
const typed = (...chunks: readonly string[]) => {
	const store = createStore(reduceApp, createAppState('installed', {columns: 80, rows: 24}));
	store.dispatch({type: 'open-filter'});
	const reader = createKeyReader({
		key(key) {
			editFilter(store, store.getState().views.installed.filter, key);
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
	return {filter, isFilterOpen};
};

const open = (filter: string) => ({filter, isFilterOpen: true});

test('every printable key is text, even those with an action elsewhere', () => {
	assert.deepEqual(typed('qr1 /?P'), open('qr1 /?P'));
	assert.deepEqual(typed('夜é👍🏽.'), open('夜é👍🏽.'));
});

test('Backspace deletes the last character as a person sees it', () => {
	assert.deepEqual(typed('pan\u{7F}'), open('pa'));
	assert.deepEqual(typed('a👍🏽\u{7F}'), open('a'));
	assert.deepEqual(typed('e\u{301}\u{7F}'), open(''));
});

test('Backspace in an empty line closes it', () => {
	assert.deepEqual(typed('p\u{7F}\u{7F}'), {filter: '', isFilterOpen: false});
});

test('Ctrl+W deletes the last word, Ctrl+U the whole line', () => {
	assert.deepEqual(typed('good morning\u{17}'), open('good '));
	assert.deepEqual(typed('good morning  \u{17}'), open('good '));
	assert.deepEqual(typed('good\u{17}'), open(''));
	assert.deepEqual(typed('good morning\u{15}'), open(''));
});

test('keys that type nothing change nothing', () => {
	assert.deepEqual(typed(keyBytes('p', 'down', 'pageup', 'f5', 'ctrl+c', 'ctrl+d', 'alt+x', 'delete')), open('p'));
});
