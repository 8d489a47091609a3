import assert from 'node:assert/strict';
import {cpuUsage} from 'node:process';
import {test} from 'node:test';
import {normalizeText} from '../../source/interface/normalize-text.ts';

/** Two marks of different classes: normalizing has to sort them. */
const marks = (count: number): string => '\u{301}\u{323}'.repeat(count / 2);

/** Processor time, which other programs on the machine do not lengthen. */
const millisecondsFor = (work: () => unknown): number => {
	const before = cpuUsage();
	work();
	return cpuUsage(before).user / 1000;
};

test('names in real scripts have the normal form that Unicode gives them', () => {
	const names = ['e\u{301}te\u{301}', 'u\u{323}\u{302}', 'שָּׁלוֹם', 'हिन्दी', 'ཧྐྵྨླྺྼྻྂ', '각', '👩‍👩‍👧', `a${marks(30)}`];
	for (const form of ['NFC', 'NFD', 'NFKD'] as const) {
		assert.deepEqual(names.map(name => normalizeText(name, form)), names.map(name => name.normalize(form)));
	}
});

test('of more than thirty marks on one letter the first thirty are kept', () => {
	assert.equal(normalizeText(`a${marks(40)}b${marks(4)}`), `a${marks(30)}b${marks(4)}`.normalize('NFC'));
});

test('a text of marks alone takes no more than linear time', () => {
	normalizeText(marks(100_000));
	const short = millisecondsFor(() => normalizeText(marks(100_000)));
	// `normalize` alone takes more than ten seconds for this.
	const long = millisecondsFor(() => normalizeText(marks(1_000_000)));
	assert.ok(long < (short + 20) * 40, `${short} ms, then ${long} ms for ten times the text`);
});
