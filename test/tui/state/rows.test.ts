import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Sort} from '../../../source/tui/state/view.ts';
import {createRowFilter} from '../../../source/tui/state/rows.ts';
import {nextSort, sortText} from '../../../source/tui/state/sort.ts';

const records = [
	{
		id: 1, name: 'Pantry 10', category: 'brain_skill', isEnabled: false, changedAt: 300,
	},
	{
		id: 2, name: 'lamps', category: 'skill', isEnabled: true, changedAt: 100,
	},
	{
		id: 3, name: 'Äpfel', category: 'skill', isEnabled: undefined, changedAt: undefined,
	},
	{
		id: 4, name: 'pantry 9', category: 'local', isEnabled: true, changedAt: 200,
	},
];

const rows = (column: Sort['column'], isReversed = false, filter = ''): readonly number[] =>
	createRowFilter()(records, {filter, sort: {column, isReversed}, toRowData: record => record}).ids;

test('without sorting the rows are as the service lists them', () => {
	assert.deepEqual(rows('none'), [1, 2, 3, 4]);
	assert.deepEqual(rows('none', true), [4, 3, 2, 1]);
});

test('names sort without case and accents, and numbers by value', () => {
	assert.deepEqual(rows('name'), [3, 2, 4, 1]);
	assert.deepEqual(rows('name', true), [1, 4, 2, 3]);
});

test('on sorts before off, and off before no state', () => {
	assert.deepEqual(rows('state'), [2, 4, 1, 3]);
	assert.deepEqual(rows('state', true), [3, 1, 2, 4]);
});

test('categories are grouped, in the service\'s order within each', () => {
	assert.deepEqual(rows('category'), [1, 4, 2, 3]);
});

test('categories sort by the words that the rows show', () => {
	const categories = ['skill', 'local', 'background_daemon', 'brain_skill'].map((category, id) => ({id, name: 'x', category}));
	const {ids} = createRowFilter()(categories, {filter: '', sort: {column: 'category', isReversed: false}, toRowData: record => record});
	// Brain, daemon, local, skill.
	assert.deepEqual(ids, [3, 2, 1, 0]);
});

test('the last changed row comes first, unknown ones last', () => {
	assert.deepEqual(rows('changed'), [1, 4, 2, 3]);
});

test('filter and sort order work together', () => {
	assert.deepEqual(rows('name', false, 'pantry'), [4, 1]);
	assert.deepEqual(rows('name', false, 'is:on'), [2, 4]);
	assert.deepEqual(rows('none', false, 'nothing like it'), []);
});

test('the sort orders cycle and end with the service\'s own', () => {
	let sort: Sort = {column: 'none', isReversed: true};
	const round = [1, 2, 3, 4, 5, 6].map(() => {
		sort = nextSort(sort, 'installed');
		return sort;
	});
	assert.deepEqual(round, ['name', 'state', 'category', 'phrases', 'changed', 'none'].map(column => ({column, isReversed: false})));
});

test('a sort order is described in words', () => {
	assert.equal(sortText({column: 'none', isReversed: false}), '');
	assert.equal(sortText({column: 'none', isReversed: true}), 'reversed');
	assert.equal(sortText({column: 'changed', isReversed: true}), 'by last change, reversed');
});

const named = (...names: readonly string[]) => names.map((name, id) => ({id, name}));

const asListed: Sort = {column: 'none', isReversed: false};

/** The names that a filter leaves, in order. */
const found = (entries: ReadonlyArray<{readonly id: number; readonly name: string}>, filter: string, sort: Sort = asListed): readonly string[] =>
	createRowFilter()(entries, {filter, sort, toRowData: record => record}).ids.map(id => entries[id]!.name);

test('a whole name ranks before a whole word, that before the start of one, and that before its inside', () => {
	const entries = named('goodnight', 'nightwatch', 'Night lamp', 'lampNight', 'night', 'late-night');
	assert.deepEqual(found(entries, 'night'), ['night', 'Night lamp', 'lampNight', 'late-night', 'nightwatch', 'goodnight']);
	assert.deepEqual(found(entries, 'night lamp'), ['Night lamp', 'lampNight']);
});

test('names rank before trigger phrases, and those before the rest', () => {
	const sayings = [
		{id: 0, name: 'one', category: 'pantry'},
		{id: 1, name: 'two', triggerPhrases: ['what is left', 'the pantry']},
		{id: 2, name: 'nopantry'},
	];
	assert.deepEqual(found(sayings, 'pantry'), ['nopantry', 'two', 'one']);
});

test('subsequences count only where the words are a substring of no record, whatever the conditions', () => {
	const entries = [
		{
			id: 0, name: 'morninglights', isEnabled: true, triggerPhrases: ['good morning'],
		},
		{
			id: 1, name: 'nightwatch', isEnabled: false, triggerPhrases: ['keep watch'],
		},
	];
	assert.deepEqual(found(entries, 'night'), ['nightwatch']);
	assert.deepEqual(found(entries, 'night is:on'), []);
	assert.deepEqual(found(entries, 'mlt'), ['morninglights']);
	assert.deepEqual(found(entries, 'mlt watch'), []);
	assert.deepEqual(found(entries, 'kp'), ['nightwatch'], 'within a word of a phrase, from its start');
	assert.deepEqual(found(entries, 'eph'), [], 'not from word to word');
	assert.deepEqual(found(named('a-lamp', 'my lamp', 'mat'), 'ml'), ['my lamp'], 'in order');
});

test('the sort order also applies to the matches of words', () => {
	const entries = named('b night', 'nightb', 'a night', 'nighta');
	assert.deepEqual(found(entries, 'night', {column: 'name', isReversed: false}), ['a night', 'b night', 'nighta', 'nightb']);
	assert.deepEqual(found(entries, 'night', {column: 'none', isReversed: true}), ['a night', 'b night', 'nighta', 'nightb']);
	assert.deepEqual(found(entries, '!zebra', {column: 'name', isReversed: true}), ['nightb', 'nighta', 'b night', 'a night']);
});

test('matches that counted when the words were typed count as long as the words stay', () => {
	const choose = createRowFilter();
	const names = (entries: ReturnType<typeof named>, filter: string): readonly string[] =>
		choose(entries, {filter, sort: {column: 'none', isReversed: false}, toRowData: record => record}).ids.map(id => entries[id]!.name);

	assert.deepEqual(names(named('morninglights'), 'mlt'), ['morninglights']);
	assert.deepEqual(names(named('morninglights', 'mlt'), 'mlt'), ['mlt', 'morninglights'], 'it is not taken away');
	assert.deepEqual(names(named('morninglights', 'mlt'), 'mlt !x'), ['mlt', 'morninglights']);
	assert.deepEqual(names(named('morninglights', 'mlt'), 'ml'), ['mlt']);
	assert.deepEqual(names(named('morninglights', 'nightwatch'), 'night'), ['nightwatch']);
	assert.deepEqual(names(named('morninglights'), 'night'), [], 'and nothing else comes in its place');
});

test('whatever was typed, changed or deleted before, the rows are those of the words alone', () => {
	const toRowData = (record: {readonly id: number; readonly name: string}) => record;
	const parts = ['garden', 'garage', 'lamp', 'light', 'Küche', 'a', 'b'];
	const many = Array.from({length: 200}, (_, index) => ({id: index + 1, name: `${parts[index % 7]} ${parts[(index * 3) % 5]} ${index}`}));
	const filterRows = createRowFilter();
	const sort: Sort = {column: 'none', isReversed: false};
	const typed = ['g', 'ga', 'gar', 'ga', 'gar', 'gard', 'gard l', 'gard la', 'la', 'l', 'li', 'x', '', 'ku', 'kuc', 'kuc 1', '1', 'gdn', 'gd', 'ga !lamp', 'gara !lamp', 'gara'];
	for (const filter of [...typed, ...typed.toReversed()]) {
		assert.deepEqual(filterRows(many, {filter, sort, toRowData}).ids, createRowFilter()(many, {filter, sort, toRowData}).ids, filter);
	}
});
