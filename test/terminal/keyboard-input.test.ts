import {assert, assertMapped, assertNone, Buffer, nextTurn} from '../helpers/node.ts';
import {Readable} from 'node:stream';
import {before, describe, mock, test} from 'node:test';
import {createKeyboardInput, createKeyReader} from '../../source/terminal/keyboard-input.ts';
import {fieldsOf} from '../helpers/fields-of.ts';
import {createKeyRecorder, read} from '../helpers/terminal/key-recorder.ts';
import {createRandom} from '../helpers/terminal/random.ts';

before(() => mock.timers.enable({apis: ['setTimeout']}));

const escape = '\u{1B}';

describe('keys that arrive together', () => {
	test('in one chunk are all read', () => {
		assert.deepEqual(read('jjj'), ['j', 'j', 'j']);
		assert.deepEqual(read('j\r'), ['j', 'enter']);
		assert.deepEqual(read('  '), ['space', 'space']);
		assert.deepEqual(read(`j${escape}[Bk${escape}OA\t`), ['j', 'down', 'k', 'up', 'tab']);
	});

	test('carriage return and line feed are Enter, and both Backspace codes are Backspace', () =>
		assert.deepEqual(read('\r\n\u{7F}\b'), ['enter', 'enter', 'backspace', 'backspace']));

	test('control characters are read as Ctrl with a letter', () =>
		assert.deepEqual(read('\u{1}\u{3}\u{4}\f\0\u{1C}\u{1F}'), ['ctrl+a', 'ctrl+c', 'ctrl+d', 'ctrl+l', 'ctrl+space', 'ctrl+\\', 'ctrl+_']));

	test('a closed reader sends no more keys, not even of the same chunk', () => {
		const pressed: string[] = [];
		const reader = createKeyReader({
			key({name}) {
				pressed.push(name);
				reader.close();
			},
			paste() {
				pressed.push('paste');
			},
		});
		reader.write(`q${escape}[B`);
		reader.write('j');
		reader.write(`kk${escape}`);
		assert.deepEqual(pressed, ['q']);
	});
});

describe('typed text', () => {
	test('a character with split bytes is one key', () => {
		const bytes = Buffer.from('漢é👍');
		const {reader, keys, passTime} = createKeyRecorder();
		for (const byte of bytes) {
			reader.write(Uint8Array.of(byte));
		}

		passTime();
		assert.deepEqual(fieldsOf(keys, 'name', 'text'), [
			['漢', '漢'],
			['é', 'é'],
			['👍', '👍'],
		]);
	});

	test('a letter followed by a combining accent is one composed key', () => assert.deepEqual(read('e\u{301}x'), ['é', 'x']));

	test('a lone vowel sign is a key', () => assert.deepEqual(read('क', 'ि'), ['क', 'ि']));

	test('an emoji that may continue waits for the rest, a letter does not', () => {
		const {reader, events, passTime} = createKeyRecorder();
		reader.write('j');
		assert.deepEqual(events, ['j']);
		reader.write('👍');
		assert.deepEqual(events, ['j']);
		reader.write('🏽');
		reader.write('k');
		assert.deepEqual(events, ['j', '👍🏽', 'k']);
		reader.write('👍');
		passTime();
		assert.equal(events.at(-1), '👍');
	});

	test('invalid UTF-8 is dropped without affecting other keys', () => {
		assert.deepEqual(read(Uint8Array.of(0xff, 0x6a, 0xc3, 0x6b, 0xe6, 0xbc, 0x6c, 0x80)), ['j', 'k', 'l']);
		assert.deepEqual(read(Uint8Array.of(0xd8, 0x81, 0xff, 0x6a)), ['\u{601}', 'j']);
	});

	test('invisible characters and direction overrides are dropped', () =>
		assert.deepEqual(read('a\u{202E}b\u{200B}\u{FEFF}c'), ['a', 'b', 'c']));

	test('Space after a prepended mark is a separate key', () => assert.deepEqual(read('\u{601} a'), ['\u{601}', 'space', 'a']));

	test('Space is named space and types a space', () => {
		const {reader, keys} = createKeyRecorder();
		reader.write(' ');
		assert.deepEqual(keys, [{name: 'space', text: ' '}]);
	});
});

const sequences: ReadonlyArray<readonly [name: string, ...forms: readonly string[]]> = [
	['up', '[A', 'OA', '[1A', '[1;1A', '[1;1:1A', '[1;1:2A', '[1;129A', '[57419u'],
	['down', '[B', 'OB', '[57420;1:2u'],
	['right', '[C', 'OC'],
	['left', '[D', 'OD'],
	['home', '[H', 'OH', '[1~', '[7~'],
	['end', '[F', 'OF', '[4~', '[8~'],
	['insert', '[2~'],
	['delete', '[3~', '[3;1:2~', '[57426u'],
	['pageup', '[5~', '[57421u'],
	['enter', 'OM', '[13u', '[13;1u', '[13;2u', '[13;5:2u', '[57414u', '[27;2;13~', '[109;5u'],
	['escape', '[27u', '[27;1:1u', '[27;5;27~', '[91;5u'],
	['backspace', '[127u', '[8u', '[127;2u', '[104;5u'],
	['tab', '[9u', '[27;5;9~'],
	['space', '[32;2u', '[27;2;32~'],
	['ctrl+c', '[99;5u', '[99;6u', '[67;6u', '[99;69u', '[27;5;99~', '[1089::99;5u', '[99;5:2u'],
	['ctrl+space', '[32;5u', '[27;5;32~', '[27;5;64~'],
	['ctrl+_', '[47;5u', '[27;5;95~'],
	['y', '[121u', '[121;1:2u', '[121;66u', '[27;1;121~', '[121;;121u'],
	['Y', '[121;2u', '[121:89;2u', '[89;2u', '[121;65u'],
	['1', '[49;2u', '[57400u', '[57400;129u', 'Oq'],
	['!', '[33;2u', '[49:33;2u', '[27;2;33~'],
	['/', '[57410u', 'Oo'],
	['9', 'Oy', '[57408u'],
	['*', 'Oj', '[57411u'],
	['é', '[233u'],
	['É', '[233;2u'],
	['漢', '[28450u'],
	['👍', '[128077u'],
	['pagedown', '[6~'],
	['f1', 'OP', '[P', '[11~', '[[A'],
	['f2', 'OQ', '[12~', '[[B'],
	['f3', 'OR', '[13~', '[[C'],
	['f4', 'OS', '[14~', '[[D'],
	['f5', '[15~', '[[E'],
	['f6', '[17~'],
	['f12', '[24~'],
	['f20', '[34~'],
	['shift+up', '[1;2A', '[a'],
	['alt+up', '[1;3A', `${escape}[A`, `${escape}OA`],
	['ctrl+up', '[1;5A', '[57419;5u', '[1;5:2A', 'Oa', 'O5A'],
	['ctrl+alt+shift+up', '[1;8A'],
	['ctrl+alt+up', `${escape}[1;5A`],
	['super+left', '[1;9D'],
	['ctrl+delete', '[3;5~', '[3^'],
	['shift+delete', '[3;2~', '[3$'],
	['ctrl+shift+delete', '[3;6~', '[3@'],
	['shift+f11', '[23;2~', '[23$'],
	['shift+f3', '[1;2R'],
	['shift+tab', '[Z', '[9;2u', '[27;2;9~'],
	['alt+x', 'x', '[120;3u', '[27;3;120~'],
	['alt+backspace', '\u{7F}', '\b'],
	['alt+enter', '\r'],
	['alt+tab', '\t'],
	['alt+é', 'é'],
];

describe('escape sequences', () => {
	for (const [name, ...forms] of sequences) {
		test(`${name} is recognized in every encoding`, () =>
			assertMapped(
				forms,
				form => [form, ...read(`${escape}${form}q`)],
				forms.map(form => [form, name, 'q']),
			));
	}

	const silent = {
		'mouse reports but those that are asked for': [
			'[<0;12;3m',
			'[<1;12;3M',
			'[<4;12;3M',
			'[<32;12;3M',
			'[<66;12;3M',
			'[<0;0;3M',
			'[<0;12M',
			'[<0;123456;3M',
			'[M !!',
			'[32;12;3M',
		],
		'focus reports': ['[I', '[O'],
		'device attributes': ['[?62;4;22c', '[>0;276;0c', `P!|00000000${escape}\\`],
		'position and status reports': ['[24;80R', '[1;1R', '[3n', '[8;24;80t'],
		'mode reports': ['[?2026;2$y', '[?1u', '[?0u'],
		'responses with colours, versions and clipboards': [
			']11;rgb:0000/0000/0000\u{7}',
			`]52;c;aGk=${escape}\\`,
			`P>|xterm(388)${escape}\\`,
			`_Gi=1;OK${escape}\\`,
		],
		'keys that are let go': ['[97;1:3u', '[13;1:3u', '[99;5:3u', '[57414;1:3u', '[1;1:3A', '[3;1:3~'],
		'encoded keys without a character': [
			'[0u',
			'[3u',
			'[155u',
			'[55296u',
			'[1114112u',
			'[9999999u',
			'[57358u',
			'[57427u',
			'[63743u',
			'[99;9u',
			'[49;5u',
			'[1089;5u',
			'[27;5;49~',
		],
		'unknown keys': ['[16~', '[99~', '[1;5X', '[E', 'Oz', 'O5M', 'O5p', '[12;34;56;78q', '[27;5~', '[u', '[99999999u', '[97;1;2;3u'],
		'the end of a paste without a start': ['[201~'],
	};
	for (const [what, forms] of Object.entries(silent)) {
		test(`${what} press nothing`, () =>
			assertMapped(
				forms,
				form => [form, ...read(`j${escape}${form}k`)],
				forms.map(form => [form, 'j', 'k']),
			));
	}

	test('the answer to a status request presses nothing, also between keys and after Escape', () => {
		assert.deepEqual(read(`j${escape}[0nk${escape}${escape}[0n`), ['j', 'status', 'k', 'escape', 'status']);
		assert.deepEqual(read(`j${escape}`, '[0', 'nk'), ['j', 'status', 'k']);
	});

	test('a press of the left button and the wheel are read, counted from 0', () => {
		assert.deepEqual(read(`j${escape}[<0;12;3Mk${escape}[<0;12;3m`), ['j', 'press 11,2', 'k']);
		assert.deepEqual(read(`${escape}[<64;1;1M${escape}${escape}[<65;300;200M`), ['wheel-up 0,0', 'escape', 'wheel-down 299,199']);
	});

	test('Ctrl+C is read even within another sequence', () => {
		const begun = ['', '[', '[1;', 'O', ']11;rgb', 'P1$r', escape, '[M '];
		assertMapped(
			begun,
			form => [form, read(`${escape}${form}\u{3}`).at(-1)],
			begun.map(form => [form, 'ctrl+c']),
		);
	});
});

describe('a slow connection', () => {
	test('a sequence split at any byte is one key', () => {
		const splits = sequences
			.flatMap(([name, ...forms]) => forms.map(form => ({name, bytes: Buffer.from(escape + form)})))
			.flatMap(({name, bytes}) => Array.from({length: bytes.length - 1}, (_, index) => ({name, bytes, place: index + 1})));
		const cases = splits.map(({name, bytes, place}) => ({name, place, keys: read(bytes.subarray(0, place), bytes.subarray(place), 'q')}));
		assert.ok(cases.length > 180);
		assertNone(cases, ({name, keys}) => keys.join(' ') !== `${name} q`);
	});

	test('a lone ESC is read as Escape after 100 ms', () => {
		const recorder = createKeyRecorder();
		recorder.reader.write(escape);
		recorder.passTime(99);
		assert.deepEqual(recorder.events, []);
		recorder.passTime(1);
		assert.deepEqual(recorder.events, ['escape']);
		recorder.reader.write('j');
		assert.deepEqual(recorder.events, ['escape', 'j']);
	});

	test('two presses of Escape in one chunk are read as two', () => {
		const recorder = createKeyRecorder();
		recorder.reader.write(escape + escape);
		recorder.passTime();
		assert.deepEqual(recorder.events, ['escape', 'escape']);
	});

	test('an introducer followed by nothing is read as a key with Alt', () => {
		const outcomes = [...'[O]P_'].map(introducer => {
			const recorder = createKeyRecorder();
			recorder.reader.write(escape + introducer);
			recorder.passTime(100);
			recorder.reader.write('j');
			return [introducer, ...recorder.events];
		});
		assert.deepEqual(
			outcomes,
			[...'[O]P_'].map(introducer => [introducer, `alt+${introducer}`, 'j']),
		);
	});

	test('a sequence that stays incomplete is dropped, and later keys work', () => {
		const begun = ['[1;', '[<0;1', ']11;rgb', '[M ', 'P1$'];
		const outcomes = begun.map(form => {
			const recorder = createKeyRecorder();
			recorder.reader.write(escape + form);
			recorder.passTime();
			recorder.reader.write('j');
			return [form, ...recorder.events];
		});
		assert.deepEqual(
			outcomes,
			begun.map(form => [form, 'j']),
		);
	});
});

describe('pasted text', () => {
	const paste = (text: string): string => `${escape}[200~${text}${escape}[201~`;

	test('arrives as one text and presses no keys', () => assert.deepEqual(read(`j${paste('ddd\ry')}k`), ['j', 'paste:ddd\ny', 'k']));

	test('loses escape sequences and control characters except line breaks', () =>
		assert.deepEqual(read(paste(`a${escape}[31mb\u{3}c\u{202E}d\r\ne\tf`)), ['paste:abcd\ne  f']));

	test('is complete wherever it and its markers are split', () => {
		const bytes = Buffer.from(`j${paste(`漢\r${escape}[20`)}k`);
		const outcomes = Array.from({length: bytes.length - 1}, (_, index) =>
			read(bytes.subarray(0, index + 1), bytes.subarray(index + 1)).join(' '),
		);
		assert.deepEqual(new Set(outcomes), new Set(['j paste:漢\n k']));
	});

	test('without an end marker ends two seconds after the last byte, and later keys work', () => {
		const recorder = createKeyRecorder();
		recorder.reader.write(`${escape}[200~some`);
		recorder.reader.write(' text\u{3}');
		recorder.passTime(1999);
		assert.deepEqual(recorder.events, []);
		recorder.passTime(1);
		assert.deepEqual(recorder.events, ['paste:some text']);
		recorder.reader.write('\u{3}');
		assert.deepEqual(recorder.events, ['paste:some text', 'ctrl+c']);
	});

	test('is not kept open by pressing Ctrl+C repeatedly', () => {
		const {reader, events, passTime} = createKeyRecorder();
		reader.write(`${escape}[200~text`);
		for (const interrupt of ['\u{3}', '\u{3}\u{3}', '\u{3}']) {
			passTime(500);
			reader.write(interrupt);
		}

		passTime(500);
		reader.write('\u{3}');
		assert.deepEqual(events, ['paste:text', 'ctrl+c']);
	});

	test('is truncated to one megabyte, and reported as truncated', () => {
		const {reader, events} = createKeyRecorder();
		reader.write(`${escape}[200~`);
		for (let part = 0; part < 40; part++) {
			reader.write('x'.repeat(64 * 1024));
		}

		reader.write(`${escape}[201~j`);
		assert.equal(events.length, 2);
		assert.match(events[0]!, /^paste cut:x+$/);
		assert.equal(events[0]!.length, 'paste cut:'.length + 1024 * 1024);
		assert.equal(events[1], 'j');
	});
});

/** Valid and invalid input. Combining marks are excluded: they join only letters of the same chunk. */
const pieces: ReadonlyArray<string | Uint8Array> = [
	'j',
	'  ',
	'abc',
	'\r',
	'\n',
	'\t',
	'\u{3}',
	'\u{7F}',
	'é漢',
	'👍🏽',
	'👨‍👩‍👧',
	'🇩🇪🇫🇷',
	escape,
	escape + escape,
	`${escape}[A`,
	`${escape}OB`,
	`${escape}[1;5C`,
	`${escape}[[A`,
	`${escape}[3$`,
	`${escape}[`,
	`${escape}O`,
	`${escape}[1;`,
	`${escape}x`,
	`${escape}é`,
	`${escape}[M !!`,
	`${escape}[<0;1;2M`,
	`${escape}[?62;4c`,
	`${escape}]11;rgb:0/0/0\u{7}`,
	`${escape}]52;c;YQ==${escape}\\`,
	`${escape}P1$r0m${escape}\\`,
	`${escape}]0;never ended`,
	`${escape}[200~pasted ${escape}[31m 漢\r${escape}[201~`,
	`${escape}[200~`,
	`${escape}[201~`,
	`${escape}[106;5u`,
	`${escape}[27u`,
	`${escape}[27;3;91~`,
	`${escape}[128077:;1:2u`,
	`${escape}OM`,
	`${escape}Oj`,
	'[',
	'~',
	'200~',
	Uint8Array.of(0xff),
	Uint8Array.of(0xe6, 0xbc),
	Uint8Array.of(0x80),
	Uint8Array.of(0xc2),
];

function readChunks(chunks: readonly Uint8Array[]): readonly string[] {
	const {reader, events, passTime} = createKeyRecorder();
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	passTime();
	return events;
}

const randomBytes = (random: (limit: number) => number): Buffer =>
	Buffer.concat(Array.from({length: 1 + random(8)}, () => Buffer.from(pieces[random(pieces.length)] as string)));

function split(bytes: Uint8Array, nextLength: () => number): readonly Uint8Array[] {
	const chunks: Uint8Array[] = [];
	for (let start = 0; start < bytes.length; ) {
		const chunk = bytes.subarray(start, start + nextLength());
		chunks.push(chunk);
		start += chunk.length;
	}

	return chunks;
}

const seeds = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index + 1);

test('the same bytes give the same keys however they are split', () => {
	const differences = seeds(800)
		.map(seed => {
			const random = createRandom(seed);
			const bytes = randomBytes(random);
			const chunks = split(bytes, () => 1 + random(seed % 3 === 0 ? 1 : 6));
			return {
				seed,
				chunks: chunks.map(chunk => Buffer.from(chunk).toString('latin1')),
				keys: readChunks(chunks),
				unsplitKeys: readChunks([bytes]),
			};
		})
		.filter(({keys, unsplitKeys}) => JSON.stringify(keys) !== JSON.stringify(unsplitKeys));
	assert.deepEqual(differences, []);
});

test('reports of the mouse press no keys, wherever the line is cut and however long it stalls there', () => {
	const leaked = seeds(300).flatMap(seed => {
		const random = createRandom(seed);
		const reports = Array.from(
			{length: 1 + random(4)},
			() => `${escape}[<${[0, 1, 32, 64, 65][random(5)]};${1 + random(300)};${1 + random(100)}${'Mm'[random(2)]}`,
		);
		const {reader, keys, passTime} = createKeyRecorder();
		for (const report of reports) {
			const cut = random(report.length);
			reader.write(report.slice(0, cut));
			passTime(5000);
			// After the beginning of a report that nobody can type, the rest may be cut again.
			const next = cut > 2 ? cut + random(report.length - cut) : cut;
			reader.write(report.slice(cut, next));
			passTime(5000);
			reader.write(report.slice(next));
		}

		reader.write('q');
		passTime();
		// Escape and Alt+[ are what the beginning alone means.
		return keys
			.map(({name}) => name)
			.filter(name => !['escape', 'alt+['].includes(name))
			.join(' ') === 'q'
			? []
			: [{seed, reports, keys: keys.map(({name}) => name)}];
	});
	assert.deepEqual(leaked, []);
});

test('the rest of a sequence whose Escape was given up is no text', () => {
	const after = (start: string, ...chunks: readonly string[]): string => {
		const {reader, events, passTime} = createKeyRecorder();
		reader.write(start);
		passTime(300);
		for (const chunk of chunks) {
			reader.write(chunk);
			passTime();
		}

		return events.join(' ');
	};

	const cases: ReadonlyArray<readonly [string, ...(readonly string[])]> = [
		['escape down', escape, '[B'],
		['escape f5', escape, '[15~'],
		['escape up', escape, 'OA'],
		['escape ctrl+c', escape, '[99;5u'],
		['escape status', escape, '[0n'],
		['escape paste:dy', escape, `[200~dy${escape}[201~`],
		['alt+[ left', `${escape}[`, 'D'],
		['alt+[ status', `${escape}[`, '0n'],
		['alt+[ paste:dy', `${escape}[`, `200~dy${escape}[201~`],
		// Anything else is keys, and so is what comes later.
		['escape [ B j', escape, '[Bj'],
		['escape [ j', escape, '[', 'j'],
		['escape j [ B', escape, 'j', '[B'],
		['escape down [ B', escape, '[B', '[B'],
		['escape [ I', escape, '[I'],
		['escape [ 0 n j', escape, '[0nj'],
		['escape O z', escape, 'Oz'],
		['alt+O j', `${escape}O`, 'j'],
	];
	assertMapped(
		cases,
		([, start, ...chunks]) => after(start!, ...chunks),
		cases.map(([events]) => events),
	);
});

test('what is typed after a report that was cut off, or after Escape, is typed', () => {
	const typedAfter = (start: string, text: string): readonly string[] => {
		const {reader, events, passTime} = createKeyRecorder();
		reader.write(start);
		passTime();
		for (const letter of text) {
			reader.write(letter);
		}

		passTime();
		return events;
	};

	assert.deepEqual(typedAfter(`${escape}[`, 'jB'), ['alt+[', 'j', 'B']);
	assert.deepEqual(typedAfter(escape, '[<0;1;1M'), ['escape', '[', '<', '0', ';', '1', ';', '1', 'M']);
	assert.deepEqual(typedAfter(`${escape}[<0;1`, '\u{3}jk'), ['ctrl+c', 'j', 'k']);
	assert.deepEqual(typedAfter(`${escape}[A`, 'jk'), ['up', 'j', 'k']);
});

for (const isMouseOn of [true, false]) {
	test(`reports of the mouse ${isMouseOn ? 'come between the keys where it was asked for' : 'are for nobody unless it was asked for'}`, async () => {
		const {stdin, keys, waitFor} = openKeyboard({isMouseOn});
		stdin.push(`j${escape}[<0;12;3Mk${escape}[<65;12;3Ml`);
		await waitFor(() => keys.includes('l'));
		assert.deepEqual(keys, isMouseOn ? ['j', 'press', 'k', 'wheel-down', 'l'] : ['j', 'k', 'l']);
	});
}

test('random bytes never throw, and press no key with a control character in its text', () => {
	const texts = seeds(100).flatMap(seed => {
		const random = createRandom(seed);
		const {reader, keys, events, passTime} = createKeyRecorder();
		reader.write(Uint8Array.from({length: 200}, () => (random(3) === 0 ? random(256) : random(128))));
		passTime();
		return [...keys.map(({text}) => text), ...events];
	});
	assert.ok(texts.length > 3000);
	assertNone(texts, text => /(?!\n)\p{Control}/u.test(text));
});

/** A keyboard whose listener is ready for the next key when the test says so. */
function openKeyboard({isMouseOn = false} = {}) {
	const stdin = new Readable({read: () => undefined});
	let time = 0;
	// Each reading is a millisecond later.
	mock.method(performance, 'now', () => time++);
	const keyboard = createKeyboardInput({stdin, isMouseOn, onStatus: () => undefined, contained: action => action});
	const keys: string[] = [];
	let waiting: PromiseWithResolvers<void> | undefined;
	keyboard.listen({
		key({name}) {
			keys.push(name);
		},
		paste(text) {
			keys.push(`paste ${text}`);
		},
		mouse({kind}) {
			keys.push(kind);
		},
		get whenReady() {
			return waiting?.promise;
		},
	});
	return {
		stdin,
		keys,
		stop() {
			waiting = Promise.withResolvers();
		},
		proceed() {
			waiting?.resolve();
			waiting = undefined;
		},
		async waitFor(isMet: () => boolean) {
			for (let turn = 0; !isMet(); turn++) {
				assert.ok(turn < 10_000, `${keys.length} keys`);
				await nextTurn();
			}
		},
	};
}

test('keys that come faster than they are taken make the stream wait, and all of them come in order', async () => {
	const {stdin, keys, stop, proceed, waitFor} = openKeyboard();
	stop();
	stdin.push('ab'.repeat(50_000) + 'c');
	await waitFor(() => stdin.isPaused());
	assert.deepEqual(keys, ['a']);
	stdin.push('d\u{1B}[200~p\u{1B}[201~e');
	proceed();
	await waitFor(() => keys.at(-1) === 'e');
	assert.equal(keys.join(''), 'ab'.repeat(50_000) + 'cdpaste pe');
	assert.equal(stdin.isPaused(), false);
});

test('many keys are taken in several turns', async () => {
	const {stdin, keys, waitFor} = openKeyboard();
	stdin.push('x'.repeat(500));
	const counts = new Set<number>();
	await waitFor(() => {
		counts.add(keys.length);
		return keys.length === 500;
	});
	assert.ok(counts.size > 5, [...counts].join(' '));
});

test('a sequence whose rest waits in the stream is not given up', async () => {
	const {stdin, keys, stop, proceed, waitFor} = openKeyboard();
	stop();
	stdin.push('x'.repeat(2047) + '\u{1B}');
	stdin.push('[A' + 'y'.repeat(2000));
	await waitFor(() => stdin.isPaused());
	mock.timers.tick(2000);
	proceed();
	await waitFor(() => keys.at(-1) === 'y');
	await waitFor(() => keys.length >= 4048);
	assert.equal(keys.join(''), 'x'.repeat(2047) + 'up' + 'y'.repeat(2000));
});
