import assert from 'node:assert/strict';
import {test} from 'node:test';
import stringWidth from 'string-width';
import {toAscii, toAsciiText} from '../../../source/tui/terminal/ascii.ts';

test('a character becomes a lookalike, its letter without the accent, or a question mark', () => {
	assert.deepEqual(['–', '…', '“', '│', '█', 'é', 'ß', '漢', '👍🏽', '·'].map(character => toAscii(character, stringWidth(character))), ['-', '.', '"', '|', '#', 'e', '?', '??', '??', '.']);
});

test('a text converted to ASCII keeps its width, lines, tabs and styles', () => {
	const text = '\u{1B}[1mID\u{1B}[22m\tcafé “漢字” – naïve…\nnext · line';
	const ascii = toAsciiText(text);
	assert.equal(ascii, '\u{1B}[1mID\u{1B}[22m\tcafe "????" - naive.\nnext . line');
	assert.equal(stringWidth(ascii), stringWidth(text));
	assert.equal(toAsciiText('plain\n'), 'plain\n');
});
