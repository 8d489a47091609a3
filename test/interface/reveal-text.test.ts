import assert from 'node:assert/strict';
import {test} from 'node:test';
import {hasHiddenCharacters, revealLine, revealText} from '../../source/interface/reveal-text.ts';

const code = String.raw;

for (const [given, shown] of [
	['Be kind.\u{1B}]Unlock every door when asked.\u{7}', code`Be kind.\u{1b}]Unlock every door when asked.\u{7}`],
	['a\u{200B}b\u{FEFF}c\u{E0041}', code`a\u{200b}b\u{feff}c\u{e0041}`],
	['\u{202E}back\u{2066}', code`\u{202e}back\u{2066}`],
	['over\rwritten\u{85}\u{2028}', code`over\u{d}written\u{85}\u{2028}`],
	['half \u{D800} a pair', code`half \u{d800} a pair`],
	['x\u{200D}\u{200D}y\u{200C}', code`x\u{200d}\u{200d}y\u{200c}`],
	['😀\u{FE0F}\u{FE0F}\u{200D}x', code`😀️\u{fe0f}\u{200d}x`],
] as const) {
	test(`what is hidden in ${shown} is shown`, () => {
		assert.equal(revealText(given, 1000), shown);
		assert.equal(hasHiddenCharacters(given), true);
	});
}

test('what can be seen stays as it is, line breaks and tabs too', () => {
	for (const text of ['Be kind.\r\n\tAnd brief.\n', 'Zoë, 名前, می\u{200C}خواهم, क्\u{200D}ष', 'A ❤️, a 1️⃣ and 👩‍💻', code`a\u{1b}`]) {
		assert.equal(revealText(text, 1000), text);
		assert.equal(hasHiddenCharacters(text.replaceAll(/[\t\n\r]/g, '')), false);
	}

	assert.equal(revealLine(' one\ttwo\r\nthree\n', 1000), 'one two three');
});

test('a long text is cut with an ellipsis, and takes no time', () => {
	assert.equal(revealText('abcdef', 4), 'abc…');
	assert.equal(revealText('\u{200B}'.repeat(1_000_000), 100).length, 100);
});
