import {assert, test} from '../../helpers/node.ts';
import {cpuUsage} from 'node:process';
import stringWidth from 'string-width';
import {wrapText, wrapTextWithin} from '../../../source/tui/widgets/wrap.ts';

test('a text is broken between words, and no line begins or ends with a space', () => {
	assert.deepEqual(wrapText('pantry stays on: The service failed.', 18), ['pantry stays on:', 'The service', 'failed.']);
	assert.deepEqual(wrapText('exactly twenty wide. then more', 20), ['exactly twenty wide.', 'then more']);
	assert.deepEqual(wrapText('', 20), []);
});

test('a word that is wider than a line is broken, and nothing of it is lost', () => {
	assert.deepEqual(wrapText('see http://127.0.0.1:8787 now', 10), ['see http:/', '/127.0.0.1', ':8787 now']);
	assert.deepEqual(wrapText('夜の見張り番', 5), ['夜の', '見張', 'り番']);
	assert.deepEqual(wrapText('a👨‍👩‍👧b', 2), ['a', '👨‍👩‍👧', 'b']);
});

test('no line is wider than asked for, whatever it holds', () => {
	const texts = [
		'plain words of several lengths, unremarkable',
		'夜の見張り stays on: 見張 failed',
		'x\u{301}'.repeat(30),
		'👍🏽👍🏽👍🏽 and 🇩🇪🇫🇷',
	];
	const cases = texts.flatMap(text => [2, 3, 5, 8, 20, 40].map(width => ({text, width})));
	assert.deepEqual(
		cases.filter(({text, width}) => wrapText(text, width).some(line => stringWidth(line) > width)),
		[],
	);
	assert.deepEqual(
		cases.filter(({text, width}) => wrapText(text, width).join('').replaceAll(' ', '') !== text.replaceAll(' ', '')),
		[],
	);
});

test('a text that fits is not shortened', () => {
	assert.deepEqual(wrapTextWithin('pantry stays on. Space tries again.', 20, 2), ['pantry stays on.', 'Space tries again.']);
});

test('where there is too little room, the last sentence stays: it says what to do', () => {
	const text = 'pantry stays on: The service failed: the database is locked by another process that holds it. Space tries again.';
	assert.deepEqual(wrapTextWithin(text, 38, 3), [
		'pantry stays on: The service failed:',
		'the database is locked by another',
		'process that … Space tries again.',
	]);
	assert.deepEqual(wrapTextWithin(text, 38, 2), ['pantry stays on: The service failed:', 'the database is … Space tries again.']);
});

test('a text without sentences is cut at its end', () => {
	assert.deepEqual(wrapTextWithin('one two three four five six', 9, 2), ['one two', 'three …']);
});

test('where not even the last sentence fits, what fits is shown, with an ellipsis if that fits too', () => {
	assert.deepEqual(wrapTextWithin('Off. Press Space to try it again.', 6, 2), ['Off.', 'Press…']);
	assert.deepEqual(wrapTextWithin('Off. Press Space to try it again.', 5, 2), ['Off.', 'Press']);
	assert.deepEqual(wrapTextWithin('Off. Press Space to try it again.', 5, 0), []);
});

test('a prompt of 50,000 wide characters is broken into lines in linear time', () => {
	const millisecondsFor = (work: () => unknown): number => {
		const before = cpuUsage();
		work();
		return cpuUsage(before).user / 1000;
	};

	for (const text of ['中', 'İ', 'a中 ', '中\u{301}', ' ', 'a ']) {
		const textOf = (length: number): string => text.repeat(length / text.length);
		assert.equal(wrapText(textOf(5000), 40).join('').replaceAll(' ', ''), textOf(5000).replaceAll(' ', ''));
		const short = millisecondsFor(() => wrapText(textOf(5000), 40));
		const long = millisecondsFor(() => wrapText(textOf(50_000), 40));
		assert.ok(long < (short + 10) * 40, `${JSON.stringify(text)}: ${short} ms, then ${long} ms for ten times the text`);
	}
});
