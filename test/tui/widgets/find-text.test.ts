import {assert, test} from '../../helpers/node.ts';
import {findText} from '../../../source/tui/widgets/text-search.ts';

/** Each match as the parts of the lines that it takes. */
const found = (lines: readonly string[], wanted: string): ReadonlyArray<readonly string[]> =>
	findText(lines, wanted).map(match => match.map(({line, start, end}) => `${line}:${lines[line]!.slice(start, end)}`));

test('a text is found anywhere, ignoring case and accents', () => {
	assert.deepEqual(found(['Café, cafe', 'decaf', 'CAFE\u{301}!'], 'cafe'), [['0:Café'], ['0:cafe'], ['2:CAFE\u{301}']]);
	assert.deepEqual(found(['Straße', 'cafe'], 'É'), [['0:e'], ['1:e']]);
});

test('a text that is broken into lines is found as it was written', () => {
	assert.deepEqual(found(['say which lamp', '   does not answer', 'lamp  does'], 'lamp does'), [['0:lamp', '1:does'], ['2:lamp  does']]);
	assert.deepEqual(found(['one', 'two', 'three'], 'one two three'), [['0:one', '1:two', '2:three']]);
});

test('characters of regular expressions match themselves', () => {
	assert.deepEqual(found(['a.b', 'axb', '$VISUAL (or [x])'], 'a.b'), [['0:a.b']]);
	assert.deepEqual(found(['$VISUAL (or [x])'], '(or ['), [['0:(or [']]);
});

test('an empty search and a text that is not there find nothing', () => {
	assert.deepEqual(found(['one'], ''), []);
	assert.deepEqual(found(['one'], '  '), []);
	assert.deepEqual(found(['one'], 'two'), []);
	assert.deepEqual(found([], 'two'), []);
});
