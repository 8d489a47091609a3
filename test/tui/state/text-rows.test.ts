import {assert, test} from '../../helpers/node.ts';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {
	charactersOf,
	columnOf,
	lineCountOf,
	offsetAt,
	rowAbove,
	rowAt,
	rowBelow,
	showCharacter,
	viewOf,
	type TextRow,
} from '../../../source/tui/state/text-rows.ts';

function rowsOf(text: string, width: number): readonly TextRow[] {
	const rows: TextRow[] = [];
	for (let row: TextRow | undefined = rowAt(text, width, 0); row !== undefined; row = rowBelow(text, width, row)) {
		rows.push(row);
	}

	return rows;
}

const textsOf = (text: string, width: number): readonly string[] => rowsOf(text, width).map(({start, end}) => text.slice(start, end));

test('a line is wrapped between words; one space may stand in the column of the cursor', () => {
	assert.deepEqual(textsOf('You look after a house.\n\nBe kind.', 10), ['You look ', 'after a ', 'house.', '', 'Be kind.']);
	assert.deepEqual(textsOf('exactly 10 wide', 10), ['exactly 10 ', 'wide']);
	assert.deepEqual(textsOf('exactly 10  wide', 10), ['exactly 10 ', ' wide']);
	assert.deepEqual(textsOf('exactly 10 ', 10), ['exactly 10 ', '']);
});

test('a word that is wider than a row is broken, between characters', () => {
	assert.deepEqual(textsOf('a unbreakable', 5), ['a ', 'unbre', 'akabl', 'e']);
	assert.deepEqual(textsOf('漢字かな漢', 5), ['漢字', 'かな', '漢']);
	assert.deepEqual(textsOf('👩‍👩‍👧👩‍👩‍👧', 3), ['👩‍👩‍👧', '👩‍👩‍👧']);
});

test('lines end before their line break, of either kind', () => {
	assert.deepEqual(textsOf('one\r\ntwo\nthree\r\n', 10), ['one', 'two', 'three', '']);
	assert.deepEqual(textsOf('', 10), ['']);
});

test('tabs reach to stops; what has no look gets a sign', () => {
	const text = 'a\tb\u{202E}c\u{7}d';
	const row = rowAt(text, 20, 0);
	assert.equal(columnOf(text, row, 2), 4);
	assert.equal([...charactersOf('b\u{202E}c\u{7}d❤️')].map(each => showCharacter(each, 0).text).join(''), 'b·c·d❤️');
});

test('a very long line is wrapped from where it is looked at, and ends where it does', () => {
	for (const part of ['x', 'words and more ', '漢字']) {
		const text = `start\n${part.repeat(50_000)}\nend`;
		const last = rowAt(text, 40, text.length);
		assert.equal(text.slice(last.start, last.end), 'end');
		const above = rowAbove(text, 40, last)!;
		assert.ok(above.isLineEnd);
		assert.equal(above.end, text.length - 4);
		assert.equal(lineCountOf(text, above.start), 2);
		const before = rowAbove(text, 40, above)!;
		assert.equal(before.end, above.start);
		assert.deepEqual(rowBelow(text, 40, before), above);
	}
});

/** Some are longer than the blocks that a line is wrapped in. */
const parts = [
	'a',
	'word',
	' ',
	'  ',
	'\n',
	'\r\n',
	'\t',
	'e\u{301}',
	'漢',
	'👩‍👩‍👧',
	'\u{202E}',
	'x'.repeat(30),
	'long words '.repeat(700),
	'y'.repeat(9000),
];
const anyText = fc.array(fc.constantFrom(...parts), {maxLength: 30}).map(pieces => pieces.join(''));

test('the rows of any text are all of it, in order, none too wide, and the same from both ends', () =>
	fc.assert(
		fc.property(anyText, fc.integer({min: 3, max: 60}), (text, width) => {
			const rows = rowsOf(text, width);
			let end = 0;
			for (const [index, row] of rows.entries()) {
				assert.match(text.slice(end, row.start), rows[index - 1]?.isLineEnd ? /^\r?\n$/ : /^$/);
				assert.deepEqual(rowAt(text, width, row.start), row);
				assert.deepEqual(rowAbove(text, width, row), rows[index - 1]);
				const columns = columnOf(text, row, row.end);
				// Beyond it there may be a space, or the rest of a tab.
				assert.ok(columns <= width || (/[\t ]$/.test(text.slice(row.start, row.end)) && columns <= width + 4), `${columns} of ${width}`);
				assert.equal(offsetAt(text, row, columnOf(text, row, row.start)), row.start);
				end = row.end;
			}

			assert.equal(end, text.length);
		}),
		{numRuns: 30},
	));

test('the cursor is always on the screen, with no empty rows below the text while there are rows above', () =>
	fc.assert(
		fc.property(anyText, fc.nat(), fc.nat(), fc.integer({min: 1, max: 30}), (text, cursorAt, topAt, height) => {
			const boundaries = [0, ...rowsOf(text, 30).flatMap(({start, end}) => [start, end])];
			const cursor = boundaries[cursorAt % boundaries.length]!;
			const {rows, cursorRow, cursorColumn} = viewOf({text, cursor, top: topAt % (text.length + 1)}, {width: 30, height});
			assert.ok(rows.length > cursorRow);
			assert.ok(cursorColumn <= 34);
			assert.ok(rows.length <= height);
			assert.ok(rows.length === height || rows[0]!.start === 0);
			assert.deepEqual(rows[cursorRow], rowAt(text, 30, cursor));
		}),
		{numRuns: 30},
	));

test('a character is as wide as the terminal draws it', () => {
	for (const character of ['a', '漢', '👩‍👩‍👧', 'é', 'e\u{301}']) {
		assert.equal(showCharacter(character, 0).columns, stringWidth(character));
	}
});
