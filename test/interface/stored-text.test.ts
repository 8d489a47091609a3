import assert from 'node:assert/strict';
import test from 'node:test';
import {storedTextProblem} from '../../source/interface/stored-text.ts';

test('text with U+0000 or half of a surrogate pair cannot be stored', () => {
	assert.equal(storedTextProblem('a\0'), 'contains the character U+0000');
	for (const text of ['\u{D800}', 'a\u{DFFF}b', '\u{DC00}\u{D800}']) {
		assert.equal(storedTextProblem(text), 'contains half of a surrogate pair, which is not a character');
	}
});

test('any other text can be stored', () => {
	for (const text of ['', 'plain', '\u{1}\u{7F}\u{FFFD}\u{FFFE}', '\u{1F469}\u{200D}\u{1F467}', '\u{10FFFF}']) {
		assert.equal(storedTextProblem(text), undefined);
	}
});
