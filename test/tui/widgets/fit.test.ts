import assert from 'node:assert/strict';
import {test} from 'node:test';
import stringWidth from 'string-width';
import {
	fit,
	spread,
	truncate,
	truncateStart,
} from '../../../source/tui/widgets/fit.ts';

test('a text that fits stays as it is', () => {
	assert.equal(truncate('pantry', 6), 'pantry');
	assert.equal(truncate('', 0), '');
	assert.equal(fit('pantry', 6), 'pantry');
});

test('a text that does not fit ends in an ellipsis', () => {
	assert.equal(truncate('nightwatch', 6), 'night…');
	assert.equal(truncate('nightwatch', 1), '…');
	assert.equal(truncate('nightwatch', 0), '');
	assert.equal(truncate('nightwatch', -3), '');
});

test('a wide character is never cut in two', () => {
	assert.equal(truncate('夜の見張り', 10), '夜の見張り');
	assert.equal(truncate('夜の見張り', 9), '夜の見張…');
	assert.equal(truncate('夜の見張り', 8), '夜の見…');
	assert.equal(fit('夜の見張り', 8), '夜の見… ');
});

test('an emoji of several parts is kept whole or left out', () => {
	const family = '👨‍👩‍👧';
	assert.equal(truncate(`${family}abc`, 4), `${family}a…`);
	assert.equal(truncate(`${family}abc`, 2), '…');
	assert.equal(truncate('👍🏽👍🏽👍🏽', 5), '👍🏽👍🏽…');
	assert.equal(truncate('🇩🇪🇫🇷🇮🇹', 5), '🇩🇪🇫🇷…');
});

test('a combining mark stays with its letter', () => {
	assert.equal(truncate('e\u{301}e\u{301}e\u{301}e\u{301}', 3), 'e\u{301}e\u{301}…');
	assert.equal(fit('e\u{301}', 3), 'e\u{301}  ');
});

test('a text may be cut from its beginning, so that its end is seen', () => {
	assert.equal(truncateStart('pantry', 6), 'pantry');
	assert.equal(truncateStart('nightwatch', 6), '…watch');
	assert.equal(truncateStart('夜の見張り', 8), '…見張り');
	assert.equal(truncateStart('夜の見張り', 7), '…見張り');
	assert.equal(truncateStart('a👨‍👩‍👧b', 3), '…b');
	assert.equal(truncateStart('nightwatch', 1), '…');
	assert.equal(truncateStart('nightwatch', 0), '');
});

test('a column is exactly as wide as it was asked to be, whatever it holds', () => {
	const texts = ['', 'a', 'plain text', '夜の見張り', '한국어 능력', '👍🏽👨‍👩‍👧🇩🇪', 'e\u{301}'.repeat(8), 'ﬁligree', 'हिन्दी', 'ไทย', 'a夜b夜c夜'];
	const widths = Array.from({length: 21}, (_, width) => width);
	const cases = texts.flatMap(text => widths.map(width => ({text, width})));
	assert.deepEqual(cases.filter(({text, width}) => stringWidth(fit(text, width)) !== width), []);
	assert.deepEqual(cases.filter(({text, width}) => stringWidth(truncate(text, width)) > width), []);
});

const spreadLine = (left: string, right: string, width: number): string => {
	const line = spread(left, right, width);
	return line.left + line.gap + line.right;
};

test('two texts stand at the two ends of a line', () => {
	assert.equal(spreadLine('local', 'live', 14), 'local     live');
	assert.equal(spreadLine('夜', 'live', 14), '夜        live');
});

test('where both do not fit, the right one gives way first', () => {
	assert.equal(spreadLine('local', 'live, 3 left out', 20), 'local  live, 3 left…');
	assert.equal(spreadLine('local', 'live, 3 left out', 14), 'local         ', 'an ellipsis alone would say nothing');
	assert.equal(spreadLine('a long left side', 'live', 8), 'a long …');
});
