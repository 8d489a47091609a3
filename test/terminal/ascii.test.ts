import {assert, test} from '../helpers/node.ts';
import stringWidth from 'string-width';
import {toAsciiText} from '../../source/terminal/ascii.ts';
import {createRowParser} from '../../source/terminal/cells.ts';

test('a character becomes a lookalike, its letter without the accent, or a question mark', () =>
	assert.equal(
		['–', '“', '│', '█', 'é', 'ß', '漢', '👍🏽', '·'].map(character => toAsciiText(character)).join(' '),
		'- " | # e ? ?? ?? .',
	));

test('a text converted to ASCII keeps its columns, lines, tabs and styles', () => {
	const text = '\u{1B}[1mID\u{1B}[22m\tcafé “漢字” – naïve…\nof …  next · line  \u{1B}[2m…1234\u{1B}[22m   x';
	const ascii = toAsciiText(text);
	assert.equal(ascii, '\u{1B}[1mID\u{1B}[22m\tcafe "????" - nai...\no...  next . line  \u{1B}[2m...1234\u{1B}[22m x');
	assert.equal(stringWidth(ascii), stringWidth(text));
	assert.equal(toAsciiText('plain\n'), 'plain\n');
});

test('in a row an ellipsis is three dots, for which only blanks behind it give way', () => {
	const drawn = (row: string): string =>
		createRowParser({columns: 24, isAscii: true, isColorless: false, isDumb: false, colorBits: 4})(row)
			.map(({text}) => text)
			.join('');
	assert.deepEqual(
		[
			'we need to buy… 19 hours',
			'a long name that is cut…',
			'reading…',
			'saving…   home',
			'to the end of the row…  ',
			'/…ory:skill_   0 of 12',
			'one… and two…',
			'remind me of … 3 weeks',
			'\u{1B}[1ma long na\u{1B}[22m…  1 day',
			'…everything in the   12',
			'a… b',
			'…',
		].map(row => drawn(row)),
		[
			'we need to b... 19 hours',
			'a long name that is c...',
			'reading...',
			'saving... home',
			'to the end of the row...',
			'/...ory:skill_ 0 of 12',
			'o... and two...',
			'remind me o... 3 weeks',
			'a long ...  1 day',
			'...everything in the 12',
			'a... b',
			'...',
		],
	);
});
