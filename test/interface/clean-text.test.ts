import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {cpuUsage} from 'node:process';
import {cleanLines, cleanText, hasHiddenCharacters, normalizeText, revealLine, revealText} from '../../source/interface/clean-text.ts';
import {createRandom, randomText} from './random-text.ts';

const removed: ReadonlyArray<readonly [title: string, text: string, clean: string]> = [
	['a colour', '\u{1B}[31mred\u{1B}[0m', 'red'],
	['a hidden text', 'a\u{1B}[8mb', 'ab'],
	['a title', '\u{1B}]0;owned\u{7}lamps', 'lamps'],
	['a clipboard write', '\u{1B}]52;c;cm0gLXJm\u{1B}\\lamps', 'lamps'],
	['a link', '\u{1B}]8;;https://evil.example\u{7}lamps\u{1B}]8;;\u{7}', 'lamps'],
	['a device string', '\u{1B}P+q544e\u{1B}\\lamps', 'lamps'],
	['a string that never ends', 'lamps\u{1B}]0;everything after it', 'lamps'],
	['eight-bit controls', '\u{9B}31mred\u{9D}0;x\u{9C}', 'red'],
	['a cursor move', 'a\u{1B}[10;10Hb', 'ab'],
	['an escape at the end', 'lamps\u{1B}', 'lamps'],
	['half a sequence', 'lamps\u{1B}[', 'lamps'],
	['escapes in a row', '\u{1B}\u{1B}\u{1B}[2Jlamps', 'lamps'],
	['a sequence in a sequence', '\u{1B}[\u{1B}[31m31mlamps', '31mlamps'],
	['backspaces', 'lamps\b\b\bx', 'lampsx'],
	['a carriage return', 'lamps\rPANIC', 'lamps PANIC'],
	['line breaks of all kinds', 'a\nb\r\nc\u{2028}d\u{85}e\vf', 'a b c d e f'],
	['a direction override', 'lamps\u{202E}gnp.exe', 'lampsgnp.exe'],
	['isolates', '\u{2066}lamps\u{2069}', 'lamps'],
	['zero-width spaces', 'la\u{200B}m\u{2060}p\u{FEFF}s', 'lamps'],
	['a joiner in a Latin word', 'la\u{200D}m\u{200C}ps', 'lamps'],
	['soft hyphens', 'lam\u{AD}ps', 'lamps'],
	['tag characters', 'lamps\u{E0067}\u{E007F}', 'lamps'],
	['musical and shorthand format characters', 'la\u{1D173}mp\u{1BCA0}s', 'lamps'],
	['blank letters', '\u{3164}lamps\u{115F}', 'lamps'],
	['half a surrogate pair', 'lamps\u{D83D}', 'lamps\u{FFFD}'],
	['a mark with nothing to sit on', '\u{301}\u{336}lamps', 'lamps'],
	['a mark behind spaces', '  \u{301}lamps', 'lamps'],
	['a tower of marks', `a${'\u{336}'.repeat(50)}b`, `a${'\u{336}'.repeat(4)}b`],
	['spaces at both ends', ' \u{A0} lamps \u{3000}', 'lamps'],
];

for (const [title, text, clean] of removed) {
	test(`${title} does not reach the screen`, () => assert.equal(cleanText(text), clean));
}

const kept: readonly string[] = [
	'lamps',
	'ночник',
	'夜間',
	'غرفة',
	'क्षत्रिय',
	'می‌خواهم',
	'한국어',
	'é',
	'👍🏽',
	'ﬁ',
	'a b',
	'x²',
	'…',
	'1 < 2 & "3"',
];

for (const text of kept) {
	test(`${text} is left as it is`, () => {
		assert.equal(cleanText(text), text);
		assert.equal(cleanLines(text), text);
	});
}

test('decomposed letters are composed', () => assert.equal(cleanText('e\u{301}'), '\u{E9}'));

test('joined emoji are shown separately', () => assert.equal(cleanText('👨\u{200D}👩\u{200D}👧'), '👨👩👧'));

test('a long text is cut with an ellipsis, and never in the middle of a character', () => {
	assert.equal(cleanText('a'.repeat(600)), `${'a'.repeat(499)}…`);
	assert.equal(cleanText('lamps and more', 6), 'lamps…');
	assert.equal(cleanText('abc👍👍', 6), 'abc👍…');
	assert.equal(cleanText('abcd👍👍', 6), 'abcd…');
	assert.equal(cleanText('lamps', 5), 'lamps');
});

test('the line breaks of a prompt are kept', () => {
	assert.equal(cleanLines('one\r\n\ttwo\u{1B}[31m\n\n three '), 'one\n  two\n\n three ');
	assert.equal(cleanLines('one\n\u{301}two'), 'one\ntwo');
	assert.equal(cleanLines('a\nb'.repeat(10), 8), 'a\nba\nba…');
});

/** Scripts whose words are spelled with joiners, according to the Unicode Standard, chapters 9, 12, 13 and 16. */
const joiningScripts = new RegExp(
	`[${['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu', 'Tibt']
		.map(script => String.raw`\p{Script=${script}}`)
		.join('')}]`,
	'u',
);

/** What no cleaned text may hold; an empty text where all is well. */
function complaintAbout(clean: string): string {
	const withoutWords = clean.replaceAll(/(?<=(?<before>.))[\u{200C}\u{200D}]+(?=[\p{Letter}\p{Mark}])/gu, (joiners, before: string) =>
		joiningScripts.test(before) ? '' : joiners,
	);
	const rules: ReadonlyArray<readonly [complaint: string, pattern: RegExp]> = [
		['a control character', /(?!\n)\p{Control}/u],
		['a line separator', /[\u{2028}\u{2029}]/u],
		['a direction mark', /\p{Bidi_Control}/u],
		['an invisible character', /\p{Default_Ignorable_Code_Point}/u],
		['half a surrogate pair', /\p{Surrogate}/u],
		['a mark at the start of a line', /^\p{Mark}/mu],
		['a tower of marks', /\p{Mark}{5}/u],
	];
	return rules
		.filter(([, pattern]) => pattern.test(withoutWords))
		.map(([complaint]) => complaint)
		.join(', ');
}

function failuresOf(clean: (text: string) => string, seed: number): readonly string[] {
	const random = createRandom(seed);
	const failures: string[] = [];
	for (let round = 0; round < 2000; round++) {
		const text = randomText(random, 1 + Math.floor(random() * 12));
		const complaint = complaintAbout(clean(text));
		if (complaint !== '') {
			failures.push(`${JSON.stringify(text)} leaves ${complaint}`);
		}
	}

	return failures.slice(0, 5);
}

test('2,000 hostile texts keep nothing that a terminal would obey or hide', () => {
	assert.deepEqual(
		failuresOf(text => cleanText(text), 1),
		[],
	);
	assert.deepEqual(
		failuresOf(text => cleanText(text, 7), 2),
		[],
	);
	assert.deepEqual(
		failuresOf(text => cleanLines(text), 3),
		[],
	);
	assert.deepEqual(
		failuresOf(text => cleanLines(text, 7), 4),
		[],
	);
});

test('a cleaned line is one line, no longer than asked for, with no space at its ends', () => {
	const random = createRandom(5);
	const texts = Array.from({length: 2000}, () => cleanText(randomText(random, 10), 12));
	assertNone(texts, text => text.length > 12 || text !== text.trim() || text.includes('\n'));
});

/** Each of these took seconds or minutes, or would with a pattern that starts over at every character. */
const bombs: readonly string[] = [
	['\u{1B}]', '\u{1B}[', '\u{1B}', '\u{1B}[1;', '\u{9B}', '\u{9B} ', '\u{90}', '\u{1B}X', '\u{1B} ', '\u{301}'],
	['\u{301}\u{323}', '\u{301}\u{323}\u{334}\u{5B0}', '\u{F71}\u{F72}\u{F74}', '\u{344}\u{323}', 'a\u{336}'],
	['a\u{323}\u{301}', '\u{200D}\u{301}', '\u{200D}', '\u{94D}\u{200D}', '\u{FE0F}', '\u{E0067}'],
	['\u{34F}\u{301}\u{323}', '\u{1100}', '\u{1161}', '\u{1100}\u{1161}\u{11A8}', '\u{FFFD}', '\u{D83D}', '\u{600}'],
	[' ', '\t', '\r\n', '\u{2028}', '👨\u{200D}'],
].flat();

/** Processor time, which other programs on the machine do not lengthen. */
function millisecondsFor(work: () => unknown): number {
	const before = cpuUsage();
	work();
	return cpuUsage(before).user / 1000;
}

for (const ending of ['', 'a', '\u{1B}\\']) {
	test(`cleaning takes linear time, whatever is repeated${ending === '' ? '' : ` before ${JSON.stringify(ending)}`}`, () => {
		const slow = bombs.flatMap(bomb => {
			const textOf = (length: number): string => `a${bomb.repeat(length / bomb.length)}${ending}`;
			const short = millisecondsFor(() => cleanLines(textOf(4000), Infinity));
			const long = millisecondsFor(() => [
				cleanLines(textOf(40_000), Infinity),
				cleanLines(textOf(80_000)),
				cleanText(textOf(40_000), 5000),
			]);
			// Ten times the text three times over; four hundred times where the time is quadratic.
			return long > (short + 10) * 120 ? [`${JSON.stringify(bomb)}: ${short} ms, then ${long} ms`] : [];
		});
		assert.deepEqual(slow, []);
	});
}

test('only the visible part of a very long text is cleaned', () =>
	assert.ok(bombs.every(bomb => cleanLines(bomb.repeat(300_000)).length <= 200_000)));

test('a long run of broken characters is cut off before the ellipsis, but not one inside the text', () => {
	assert.equal(cleanLines(`a${'\u{FFFD}'.repeat(300_000)}`), 'a…');
	assert.equal(cleanLines(`a${'\u{FFFD}'.repeat(199_000)}${'b'.repeat(2000)}`), `a${'\u{FFFD}'.repeat(199_000)}${'b'.repeat(998)}…`);
});

/** Two marks of different classes: normalizing has to sort them. */
const marks = (count: number): string => '\u{301}\u{323}'.repeat(count / 2);

test('names in real scripts have the normal form that Unicode gives them', () => {
	const names = ['e\u{301}te\u{301}', 'u\u{323}\u{302}', 'שָּׁלוֹם', 'हिन्दी', 'ཧྐྵྨླྺྼྻྂ', '각', '👩‍👩‍👧', `a${marks(30)}`];
	for (const form of ['NFC', 'NFD', 'NFKD'] as const) {
		assertMapped(
			names,
			name => normalizeText(name, form),
			names.map(name => name.normalize(form)),
		);
	}
});

test('of more than thirty marks on one letter the first thirty are kept', () =>
	assert.equal(normalizeText(`a${marks(40)}b${marks(4)}`), `a${marks(30)}b${marks(4)}`.normalize('NFC')));

test('a text of marks alone takes no more than linear time', () => {
	normalizeText(marks(100_000));
	const short = millisecondsFor(() => normalizeText(marks(100_000)));
	// `normalize` alone takes more than ten seconds for this.
	const long = millisecondsFor(() => normalizeText(marks(1_000_000)));
	assert.ok(long < (short + 20) * 40, `${short} ms, then ${long} ms for ten times the text`);
});

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
