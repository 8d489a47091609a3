import {test, type TestContext} from 'node:test';
import stringWidth from 'string-width';
import {toAscii, toAsciiText} from '../../../source/tui/terminal/ascii.ts';

test('a character becomes a lookalike, its letter without the accent, or a question mark', (t: TestContext) => {
	t.assert.deepStrictEqual(['–', '…', '“', '│', '█', 'é', 'ß', '漢', '👍🏽', '·'].map(character => toAscii(character, stringWidth(character))), ['-', '.', '"', '|', '#', 'e', '?', '??', '??', '.']);
});

test('a text is as wide in ASCII as before, and keeps its lines, tabs and styles', (t: TestContext) => {
	const text = '\u{1B}[1mID\u{1B}[22m\tcafé “漢字” – naïve…\nnext · line';
	const ascii = toAsciiText(text);
	t.assert.strictEqual(ascii, '\u{1B}[1mID\u{1B}[22m\tcafe "????" - naive.\nnext . line');
	t.assert.strictEqual(stringWidth(ascii), stringWidth(text));
	t.assert.strictEqual(toAsciiText('plain\n'), 'plain\n');
});
