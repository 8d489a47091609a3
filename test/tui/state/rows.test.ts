import {assert, test} from '../../helpers/node.ts';
import type {Sort} from '../../../source/tui/state/view.ts';
import {createRowFilter} from '../../../source/tui/state/rows.ts';
import {nextSort, sortText} from '../../../source/tui/state/sort.ts';

const records = [
	{id: 1, name: 'Pantry 10', category: 'brain_skill', agents: [], isEnabled: false, changedAt: 300},
	{id: 2, name: 'lamps', category: 'skill', agents: ['hearth'], isEnabled: true, changedAt: 100},
	{id: 3, name: 'Äpfel', category: 'skill', isEnabled: undefined, changedAt: undefined},
	{id: 4, name: 'pantry 9', category: 'local', agents: ['Hearth', 'Study'], isEnabled: true, changedAt: 200},
];

const rows = (column: Sort['column'], isReversed = false, filter = ''): readonly number[] =>
	createRowFilter()(records, {filter, sort: {column, isReversed}, toRowData: record => record}).ids;

const orders: ReadonlyArray<
	readonly [title: string, expected: readonly number[], column: Sort['column'], isReversed?: boolean, filter?: string]
> = [
	['without sorting the rows are as the service lists them', [1, 2, 3, 4], 'none'],
	['without sorting the rows can be reversed', [4, 3, 2, 1], 'none', true],
	['names sort without case and accents, and numbers by value', [3, 2, 4, 1], 'name'],
	['names sort backwards', [1, 4, 2, 3], 'name', true],
	['on sorts before off, and off before no state', [2, 4, 1, 3], 'state'],
	['no state sorts before off where that is reversed', [3, 1, 2, 4], 'state', true],
	["categories are grouped, in the service's order within each", [1, 4, 2, 3], 'category'],
	["agents are grouped, in the service's order within each, what belongs to none last", [2, 4, 1, 3], 'agents'],
	['the last changed row comes first, unknown ones last', [1, 4, 2, 3], 'changed'],
	['words of a filter and a sort order work together', [4, 1], 'name', false, 'pantry'],
	['conditions of a filter and a sort order work together', [2, 4], 'name', false, 'is:on'],
	['a filter that nothing fits leaves no rows', [], 'none', false, 'nothing like it'],
];

for (const [title, expected, column, isReversed, filter] of orders) {
	test(title, () => assert.deepEqual(rows(column, isReversed, filter), expected));
}

test('categories sort by the words that the rows show', () => {
	const categories = ['skill', 'local', 'background_daemon', 'brain_skill'].map((category, id) => ({id, name: 'x', category}));
	const {ids} = createRowFilter()(categories, {filter: '', sort: {column: 'category', isReversed: false}, toRowData: record => record});
	// Brain, daemon, local, skill.
	assert.deepEqual(ids, [3, 2, 1, 0]);
});

test("the sort orders cycle and end with the service's own", () => {
	let sort: Sort = {column: 'none', isReversed: true};
	const round = [1, 2, 3, 4, 5, 6, 7].map(() => {
		sort = nextSort(sort, 'installed');
		return sort;
	});
	assert.deepEqual(
		round,
		['name', 'state', 'agents', 'phrases', 'changed', 'category', 'none'].map(column => ({column, isReversed: false})),
	);
});

test('a sort order is described in words', () => {
	assert.equal(sortText({column: 'none', isReversed: false}), '');
	assert.equal(sortText({column: 'none', isReversed: true}), 'reversed');
	assert.equal(sortText({column: 'changed', isReversed: true}), 'by last change, reversed');
});

const named = (...names: readonly string[]) => names.map((name, id) => ({id, name}));

const asListed: Sort = {column: 'none', isReversed: false};

/** The names that a filter leaves, in order. */
const found = (
	entries: ReadonlyArray<{readonly id: number; readonly name: string}>,
	filter: string,
	sort: Sort = asListed,
): readonly string[] => createRowFilter()(entries, {filter, sort, toRowData: record => record}).ids.map(id => entries[id]!.name);

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
		{id: 0, name: 'morninglights', isEnabled: true, triggerPhrases: ['good morning']},
		{id: 1, name: 'nightwatch', isEnabled: false, triggerPhrases: ['keep watch']},
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
	const typed = 'g|ga|gar|ga|gar|gard|gard l|gard la|la|l|li|x||ku|kuc|kuc 1|1|gdn|gd|ga !lamp|gara !lamp|gara'.split('|');
	for (const filter of [...typed, ...typed.toReversed()]) {
		assert.deepEqual(filterRows(many, {filter, sort, toRowData}).ids, createRowFilter()(many, {filter, sort, toRowData}).ids, filter);
	}
});
