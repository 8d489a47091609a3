import {assert, test} from '../helpers/node.ts';
import {layTable, type Column} from '../../source/commands/output/lay-table.ts';

type Row = {readonly id: number; readonly name: string; readonly note: string};

const columns: ReadonlyArray<Column<Row>> = [
	{title: 'ID', text: ({id}) => String(id)},
	{title: 'NAME', text: ({name}) => name, minimumWidth: 6},
	{title: 'NOTE', text: ({note}) => note, shownText: ({note}) => note.toUpperCase(), minimumWidth: 5},
];

const rows: readonly Row[] = [
	{id: 1, name: 'morninglights', note: 'wakes the house'},
	{id: 22, name: '夜番', note: 'x'},
];

test('a table is as wide as its texts if there is room', () =>
	assert.deepEqual(layTable(columns, rows, 80), ['ID  NAME           NOTE', '1   morninglights  WAKES THE HOUSE', '22  夜番           X']));

test('the widest columns shrink first, and wide characters stay aligned', () =>
	assert.deepEqual(layTable(columns, rows, 26), ['ID  NAME        NOTE', '1   morningli…  WAKES THE…', '22  夜番        X']));

test('a line that cannot shrink is truncated', () =>
	assert.deepEqual(
		layTable(columns, rows, 10).map(line => line.length <= 10),
		[true, true, true],
	));

const ranked: ReadonlyArray<Column<Row>> = [
	{...columns[0]!, givesWay: 2},
	columns[1]!,
	{...columns[2]!, givesWay: 1},
	{title: 'KIND', text: () => 'skill', givesWay: 3, tone: ({id}) => (id === 1 ? 'on' : undefined)},
];

test('a narrow terminal shows fewer columns whole: those that matter least give way, and never the name', () => {
	const titlesAt = (width: number): string => layTable(ranked, rows, width, {isWhole: false})[0]!;
	assert.deepEqual(
		[40, 31, 30, 24, 23, 20, 19, 10].map(width => titlesAt(width).replaceAll(/ +/g, ' ')),
		['ID NAME NOTE KIND', 'ID NAME NOTE KIND', 'ID NAME KIND', 'ID NAME KIND', 'NAME KIND', 'NAME KIND', 'NAME', 'NAME'],
	);
	assert.deepEqual(layTable(ranked, rows, 24, {isWhole: false}).slice(1), ['1   morninglights  skill', '22  夜番           skill']);
	assert.equal(layTable(ranked, rows, 24)[1], '1   morni…  WAKE…  skill');
});

test('a cell is painted without the blanks around it', () => {
	const painted = layTable([ranked[3]!, columns[0]!], rows, 80, {paint: (tone, text) => `<${tone!}>${text}</>`});
	assert.deepEqual(painted, ['KIND   ID', '<on>skill</>  1', 'skill  22']);
});

test('a table may have 150,000 rows', () => {
	const many = Array.from({length: 150_000}, (_, index) => index);
	assert.equal(layTable([{title: 'ID', text: String}], many, 80).length, 150_001);
});

test('a column that is broken goes on below itself, between words at any width', () => {
	const texts: ReadonlyArray<Column<string>> = [
		{title: 'ID', text: () => '7'},
		{title: 'TO', text: value => value, minimumWidth: 6, isBroken: true},
	];
	const value = 'turn on the lamps at night';
	assert.deepEqual(layTable(texts, [value], 18), ['ID  TO', '7   turn on the', '    lamps at night']);
	for (let width = 10; width <= 30; width++) {
		assert.equal(
			layTable(texts, [value], width)
				.slice(1)
				.map(line => line.slice(4))
				.join(' '),
			value,
			String(width),
		);
	}
});
