import {assert, test} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {fit, spread} from '../../../source/tui/widgets/wrap.ts';

test('a text that is as wide as its column stays as it is', () => {
	assert.equal(fit('pantry', 6), 'pantry');
	assert.equal(fit('', 0), '');
	assert.equal(fit('夜の見張り', 10), '夜の見張り');
});

test('a text that is too wide ends in an ellipsis', () => {
	assert.equal(fit('nightwatch', 6), 'night…');
	assert.equal(fit('nightwatch', 1), '…');
	assert.equal(fit('nightwatch', 0), '');
	assert.equal(fit('nightwatch', -3), '');
});

test('a wide character is never cut in two', () => {
	assert.equal(fit('夜の見張り', 9), '夜の見張…');
	assert.equal(fit('夜の見張り', 8), '夜の見… ');
});

test('an emoji of several parts is kept whole or left out', () => {
	const family = '👨‍👩‍👧';
	assert.equal(fit(`${family}abc`, 4), `${family}a…`);
	assert.equal(fit(`${family}abc`, 2), '… ');
	assert.equal(fit('👍🏽👍🏽👍🏽', 5), '👍🏽👍🏽…');
	assert.equal(fit('🇩🇪🇫🇷🇮🇹', 5), '🇩🇪🇫🇷…');
});

test('a combining mark stays with its letter', () => {
	assert.equal(fit('e\u{301}e\u{301}e\u{301}e\u{301}', 3), 'e\u{301}e\u{301}…');
	assert.equal(fit('e\u{301}', 3), 'e\u{301}  ');
});

test('a column is exactly as wide as asked for, whatever it holds', () => {
	const texts = [
		'',
		'a',
		'plain text',
		'夜の見張り',
		'한국어 능력',
		'👍🏽👨‍👩‍👧🇩🇪',
		'e\u{301}'.repeat(8),
		'ﬁligree',
		'हिन्दी',
		'ไทย',
		'a夜b夜c夜',
	];
	const widths = Array.from({length: 21}, (_, width) => width);
	const cases = texts.flatMap(text => widths.map(width => ({text, width})));
	assert.deepEqual(
		cases.filter(({text, width}) => stringWidth(fit(text, width)) !== width),
		[],
	);
});

const spreadLine = (left: string, right: string, width: number): string => {
	const line = spread(left, right, width);
	return line.left + line.gap + line.right;
};

test('two texts are at the two ends of a line', () => {
	assert.equal(spreadLine('local', 'live', 14), 'local     live');
	assert.equal(spreadLine('夜', 'live', 14), '夜        live');
});

test('where both do not fit, the right one is cut first', () => {
	assert.equal(spreadLine('local', 'live, 3 left out', 20), 'local  live, 3 left…');
	assert.equal(spreadLine('local', 'live, 3 left out', 14), 'local         ', 'an ellipsis alone would say nothing');
	assert.equal(spreadLine('a long left side', 'live', 8), 'a long …');
});
