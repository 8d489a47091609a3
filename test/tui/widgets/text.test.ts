import {assert, test} from '../../helpers/node.ts';
import {cpuUsage} from 'node:process';
import stringWidth from 'string-width';
import {fit, spread, wrapText, wrapTextWithin} from '../../../source/terminal/wrap.ts';
import {findText} from '../../../source/tui/widgets/text-search.ts';
import {type DetailField, detailLines, labelColumnsOf} from '../../../source/tui/widgets/scroll-text.tsx';
import {age, clock} from '../../../source/words/age.ts';
import {progressLine} from '../../../source/tui/screens/ability/upload-screen.tsx';

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

test('a text that fits is not shortened', () =>
	assert.deepEqual(wrapTextWithin('pantry stays on. Space tries again.', 20, 2), ['pantry stays on.', 'Space tries again.']));

test('where there is too little room, the last sentence stays: it says what to do', () => {
	const text = 'pantry stays on: The service failed: the database is locked by another process that holds it. Space tries again.';
	assert.deepEqual(wrapTextWithin(text, 38, 3), [
		'pantry stays on: The service failed:',
		'the database is locked by another',
		'process that … Space tries again.',
	]);
	assert.deepEqual(wrapTextWithin(text, 38, 2), ['pantry stays on: The service failed:', 'the database is … Space tries again.']);
});

test('a text without sentences is cut at its end', () =>
	assert.deepEqual(wrapTextWithin('one two three four five six', 9, 2), ['one two', 'three …']));

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

function spreadLine(left: string, right: string, width: number): string {
	const line = spread(left, right, width);
	return line.left + line.gap + line.right;
}

test('two texts are at the two ends of a line', () => {
	assert.equal(spreadLine('local', 'live', 14), 'local     live');
	assert.equal(spreadLine('夜', 'live', 14), '夜        live');
});

test('where both do not fit, the right one is cut first', () => {
	assert.equal(spreadLine('local', 'live, 3 left out', 20), 'local  live, 3 left…');
	assert.equal(spreadLine('local', 'live, 3 left out', 14), 'local         ', 'an ellipsis alone would say nothing');
	assert.equal(spreadLine('a long left side', 'live', 8), 'a long …');
});

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

function shown(fields: readonly DetailField[], width: number): readonly string[] {
	const columns = labelColumnsOf(fields, width);
	return detailLines(fields, width).map(({label, text, tone}) =>
		tone === 'title' ? `[${text}]` : `${(label ?? '').padEnd(columns)}${text}`.trimEnd(),
	);
}

test('long values continue below themselves, and line breaks stay', () =>
	assert.deepEqual(
		shown(
			[
				{label: 'Name', text: 'lamps'},
				{label: 'About', text: 'lights up the whole house\n\nand the porch'},
				{heading: 'Other fields'},
				{label: 'is_new', text: 'true'},
			],
			24,
		),
		['Name    lamps', 'About   lights up the', '        whole house', '', '        and the porch', '', '[Other fields]', 'is_new  true'],
	));

test('a long label takes no more than two fifths of a narrow screen', () => {
	assert.equal(labelColumnsOf([{label: 'a_label_that_is_much_too_long', text: ''}], 40), 18);
	assert.equal(labelColumnsOf([{label: 'a_label_that_is_much_too_long', text: ''}], 200), 26);
});

test('values of any script fit their column', () => {
	const fields = [
		{label: 'name', text: '音楽を流す'.repeat(20)},
		{label: 'long', text: 'x'.repeat(500)},
	];
	for (const width of [12, 40, 80, 200]) {
		const columns = labelColumnsOf(fields, width);
		assert.ok(detailLines(fields, width).every(({text}) => stringWidth(text) + columns <= Math.max(width, columns + 2)));
	}
});

test('a record of more fields than a call can have arguments is laid out', () => {
	const fields = Array.from({length: 300_000}, (_value, index) => ({label: `f${index}`, text: 'x'}));
	assert.equal(labelColumnsOf(fields, 80), 'f299999'.length + 2);
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 5, 15, 12);

test('an age is shown in its largest unit', () => {
	assert.equal(age(now, now), 'now');
	assert.equal(age(now - 59_000, now), 'now');
	assert.equal(age(now - minute, now), '1 min');
	assert.equal(age(now - 59 * minute, now), '59 min');
	assert.equal(age(now - hour, now), '1 hour');
	assert.equal(age(now - 23 * hour, now), '23 hours');
	assert.equal(age(now - day, now), '1 day');
	assert.equal(age(now - 6 * day, now), '6 days');
	assert.equal(age(now - 7 * day, now), '1 week');
	assert.equal(age(now - 29 * day, now), '4 weeks');
	assert.equal(age(now - 30 * day, now), '1 month');
	assert.equal(age(now - 364 * day, now), '12 months');
	assert.equal(age(now - 365 * day, now), '1 year');
	assert.equal(age(0, now), '56 years');
});

test('an unknown time has no age, and a time in the future is now', () => {
	assert.equal(age(undefined, now), '');
	assert.equal(age(now + 3 * day, now), 'now');
});

test('a time of today is shown without its date', () => {
	const noon = new Date(2026, 5, 15, 12, 3).getTime();
	assert.equal(clock(new Date(2026, 5, 15, 9, 7).getTime(), noon), '09:07');
	assert.equal(clock(new Date(2026, 5, 15, 0, 0).getTime(), noon), '00:00');
});

test('a time of another day is shown with its date', () => {
	const justAfterMidnight = new Date(2026, 5, 15, 0, 5).getTime();
	assert.equal(clock(new Date(2026, 5, 14, 23, 58).getTime(), justAfterMidnight), '2026-06-14 23:58');
	assert.equal(clock(new Date(2025, 5, 15, 0, 5).getTime(), justAfterMidnight), '2025-06-15 00:05');
});

test('a bar is as full as its percentage says; where there is no room the size is dropped first, then the bar', () => {
	assert.equal(progressLine(30, 0.5, '15 MB'), 'Sending [███████·······]  50 %');
	assert.equal(progressLine(30, 0, '15 MB'), 'Sending [··············]   0 %');
	assert.equal(progressLine(40, 0.456, '15 MB'), 'Sending [██████········]  45 %, of 15 MB');
	assert.equal(progressLine(26, 0.456, '15 MB'), 'Sending [████······]  45 %');
	assert.equal(progressLine(18, 0.456, '15 MB'), 'Sending  45 %');
});
