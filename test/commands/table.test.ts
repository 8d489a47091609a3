import assert from 'node:assert/strict';
import {test} from 'node:test';
import {layTable} from '../../source/commands/output/lay-table.ts';
import {tabTable, type Column} from '../../source/commands/output/table.ts';

type Row = {readonly id: number; readonly name: string; readonly note: string};

const columns: ReadonlyArray<Column<Row>> = [
	{title: 'ID', text: ({id}) => String(id)},
	{title: 'NAME', text: ({name}) => name, minimumWidth: 6},
	{
		title: 'NOTE', text: ({note}) => note, shownText: ({note}) => note.toUpperCase(), minimumWidth: 5,
	},
];

const rows: readonly Row[] = [
	{id: 1, name: 'morninglights', note: 'wakes the house'},
	{id: 22, name: '夜番', note: 'x'},
];

test('a table is as wide as its texts where there is room', () => {
	assert.deepEqual(layTable(columns, rows, 80), [
		'ID  NAME           NOTE',
		'1   morninglights  WAKES THE HOUSE',
		'22  夜番           X',
	]);
});

test('the widest columns give way first, and wide characters keep the columns straight', () => {
	assert.deepEqual(layTable(columns, rows, 26), [
		'ID  NAME        NOTE',
		'1   morningli…  WAKES THE…',
		'22  夜番        X',
	]);
});

test('where nothing can shrink any more the line is cut', () => {
	assert.deepEqual(layTable(columns, rows, 10).map(line => line.length <= 10), [true, true, true]);
});

test('a pipe gets whole texts between tabs', () => {
	assert.deepEqual(tabTable(columns, rows), ['1\tmorninglights\twakes the house', '22\t夜番\tx']);
});

test('a table may have more rows than a function takes arguments', () => {
	const many = Array.from({length: 150_000}, (_, index) => index);
	assert.equal(layTable([{title: 'ID', text: String}], many, 80).length, 150_001);
});
