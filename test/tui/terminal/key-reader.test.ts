import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {describe, test} from 'node:test';
import {createKeyReader} from '../../../source/tui/terminal/key-reader.ts';
import {type Key} from '../../../source/tui/terminal/key.ts';
import {createKeyRecorder, read} from '../../helpers/terminal/key-recorder.ts';

const escape = '\u{1B}';

describe('keys that arrive together', () => {
	test('in one chunk are all read', () => {
		assert.deepEqual(read('jjj'), ['j', 'j', 'j']);
		assert.deepEqual(read('j\r'), ['j', 'enter']);
		assert.deepEqual(read('  '), ['space', 'space']);
		assert.deepEqual(read(`j${escape}[Bk${escape}OA\t`), ['j', 'down', 'k', 'up', 'tab']);
	});

	test('carriage return and line feed are Enter, and both Backspace codes are Backspace', () => {
		assert.deepEqual(read('\r\n\u{7F}\b'), ['enter', 'enter', 'backspace', 'backspace']);
	});

	test('control characters are read as Ctrl with a letter', () => {
		assert.deepEqual(read('\u{1}\u{3}\u{4}\f\0\u{1C}\u{1F}'), ['ctrl+a', 'ctrl+c', 'ctrl+d', 'ctrl+l', 'ctrl+space', 'ctrl+\\', 'ctrl+_']);
	});

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
		assert.deepEqual(keys.map(({name, text, sequence}) => [name, text, sequence]), [['漢', '漢', '漢'], ['é', 'é', 'é'], ['👍', '👍', '👍']]);
	});

	test('a letter followed by a combining accent is one composed key', () => {
		assert.deepEqual(read('e\u{301}x'), ['é', 'x']);
	});

	test('a lone vowel sign is a key', () => {
		assert.deepEqual(read('क', 'ि'), ['क', 'ि']);
	});

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
		assert.deepEqual(read(Uint8Array.of(0xFF, 0x6A, 0xC3, 0x6B, 0xE6, 0xBC, 0x6C, 0x80)), ['j', 'k', 'l']);
		assert.deepEqual(read(Uint8Array.of(0xD8, 0x81, 0xFF, 0x6A)), ['\u{601}', 'j']);
	});

	test('invisible characters and direction overrides are dropped', () => {
		assert.deepEqual(read('a\u{202E}b\u{200B}\u{FEFF}c'), ['a', 'b', 'c']);
	});

	test('Space after a prepended mark is a separate key', () => {
		assert.deepEqual(read('\u{601} a'), ['\u{601}', 'space', 'a']);
	});

	test('Space is named space and types a space', () => {
		const {reader, keys} = createKeyRecorder();
		reader.write(' ');
		assert.deepEqual(keys, [{name: 'space', text: ' ', sequence: ' '}]);
	});
});

const sequences: ReadonlyArray<readonly [name: string, ...forms: readonly string[]]> = [
	['up', '[A', 'OA', '[1A', '[1;1A', '[57419u'],
	['down', '[B', 'OB'],
	['right', '[C', 'OC'],
	['left', '[D', 'OD'],
	['home', '[H', 'OH', '[1~', '[7~'],
	['end', '[F', 'OF', '[4~', '[8~'],
	['insert', '[2~'],
	['delete', '[3~'],
	['pageup', '[5~'],
	['pagedown', '[6~'],
	['f1', 'OP', '[P', '[11~', '[[A'],
	['f2', 'OQ', '[12~', '[[B'],
	['f3', 'OR', '[13~', '[[C'],
	['f4', 'OS', '[14~', '[[D'],
	['f5', '[15~', '[[E'],
	['f6', '[17~'],
	['f12', '[24~'],
	['shift+up', '[1;2A', '[a'],
	['alt+up', '[1;3A', `${escape}[A`, `${escape}OA`],
	['ctrl+up', '[1;5A', 'Oa', 'O5A'],
	['ctrl+alt+shift+up', '[1;8A'],
	['ctrl+alt+up', `${escape}[1;5A`],
	['super+left', '[1;9D'],
	['ctrl+delete', '[3;5~', '[3^'],
	['shift+delete', '[3;2~', '[3$'],
	['ctrl+shift+delete', '[3;6~', '[3@'],
	['shift+f11', '[23;2~', '[23$'],
	['shift+f3', '[1;2R'],
	['shift+tab', '[Z', '[9;2u', '[27;2;9~'],
	['enter', 'OM', '[13u', '[57414u'],
	['shift+enter', '[13;2u'],
	['escape', '[27u', '[91;5u'],
	['backspace', '[127u'],
	['ctrl+c', '[99;5u', '[27;5;99~', '[99;69u'],
	['alt+x', 'x', '[120;3u'],
	['alt+backspace', '\u{7F}', '\b'],
	['alt+enter', '\r'],
	['alt+tab', '\t'],
	['alt+[', '[91;3u'],
	['alt+é', 'é'],
	['j', '[106u', '[106;1:1u', '[106;1:2u'],
	['A', '[97;2u', '[97:65;2u'],
	['7', 'Ow', '[57406u'],
	['+', 'Ok'],
];

describe('escape sequences', () => {
	for (const [name, ...forms] of sequences) {
		test(`${name} is recognized in every encoding`, () => {
			assert.deepEqual(forms.map(form => [form, ...read(`${escape}${form}q`)]), forms.map(form => [form, name, 'q']));
		});
	}

	const silent = {
		'mouse reports': ['[<0;12;3M', '[<0;12;3m', '[M !!', '[32;12;3M'],
		'focus reports': ['[I', '[O'],
		'device attributes': ['[?62;4;22c', '[>0;276;0c', `P!|00000000${escape}\\`],
		'position and status reports': ['[24;80R', '[1;1R', '[3n', '[8;24;80t'],
		'mode reports': ['[?2026;2$y', '[?1u'],
		'responses with colours, versions and clipboards': [']11;rgb:0000/0000/0000\u{7}', `]52;c;aGk=${escape}\\`, `P>|xterm(388)${escape}\\`, `_Gi=1;OK${escape}\\`],
		'key releases': ['[106;1:3u', '[1;1:3A'],
		'unknown keys': ['[57358u', '[99~', '[1;5X', '[E', 'Oz', '[12;34;56;78q'],
		'the end of a paste without a start': ['[201~'],
	};
	for (const [what, forms] of Object.entries(silent)) {
		test(`${what} press nothing`, () => {
			assert.deepEqual(forms.map(form => [form, ...read(`j${escape}${form}k`)]), forms.map(form => [form, 'j', 'k']));
		});
	}

	test('the answer to a status request presses nothing, also between keys and after Escape', () => {
		assert.deepEqual(read(`j${escape}[0nk${escape}${escape}[0n`), ['j', 'status', 'k', 'escape', 'status']);
		assert.deepEqual(read(`j${escape}`, '[0', 'nk'), ['j', 'status', 'k']);
	});

	test('eight-bit introducers work like those with ESC', () => {
		assert.deepEqual(read('\u{9B}A\u{8F}B\u{9D}11;x\u{9C}j'), ['up', 'down', 'j']);
	});

	test('Ctrl+C is read even within another sequence', () => {
		const begun = ['', '[', '[1;', 'O', ']11;rgb', 'P1$r', escape, '[M '];
		assert.deepEqual(begun.map(form => [form, read(`${escape}${form}\u{3}`).at(-1)]), begun.map(form => [form, 'ctrl+c']));
	});
});

describe('a slow connection', () => {
	test('a sequence split at any byte is one key', () => {
		const splits = sequences
			.flatMap(([name, ...forms]) => forms.map(form => ({name, bytes: Buffer.from(escape + form)})))
			.flatMap(({name, bytes}) => Array.from({length: bytes.length - 1}, (_, index) => ({name, bytes, place: index + 1})));
		const cases = splits.map(({name, bytes, place}) => ({name, place, keys: read(bytes.subarray(0, place), bytes.subarray(place), 'q')}));
		assert.ok(cases.length > 300);
		assert.deepEqual(cases.filter(({name, keys}) => keys.join(' ') !== `${name} q`), []);
	});

	test('a lone ESC is read as Escape after 100 ms', () => {
		const recorder = createKeyRecorder();
		recorder.reader.write(escape);
		assert.deepEqual(recorder.events, []);
		assert.equal(recorder.waitMilliseconds, 100);
		recorder.passTime();
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
			const {waitMilliseconds} = recorder;
			recorder.passTime();
			recorder.reader.write('j');
			return [introducer, waitMilliseconds, ...recorder.events];
		});
		assert.deepEqual(outcomes, [...'[O]P_'].map(introducer => [introducer, 100, `alt+${introducer}`, 'j']));
	});

	test('a sequence that stays incomplete is dropped, and later keys work', () => {
		const begun = ['[1;', '[<0;1', ']11;rgb', '[M ', 'P1$'];
		const outcomes = begun.map(form => {
			const recorder = createKeyRecorder();
			recorder.reader.write(escape + form);
			recorder.passTime();
			const {waitMilliseconds} = recorder;
			recorder.reader.write('j');
			return [form, waitMilliseconds, ...recorder.events];
		});
		assert.deepEqual(outcomes, begun.map(form => [form, undefined, 'j']));
	});
});

describe('pasted text', () => {
	const paste = (text: string): string => `${escape}[200~${text}${escape}[201~`;

	test('arrives as one text and presses no keys', () => {
		assert.deepEqual(read(`j${paste('ddd\ry')}k`), ['j', 'paste:ddd\ny', 'k']);
	});

	test('loses escape sequences and control characters except line breaks', () => {
		assert.deepEqual(read(paste(`a${escape}[31mb\u{3}c\u{202E}d\r\ne\tf`)), ['paste:abcd\ne  f']);
	});

	test('is complete wherever it and its markers are split', () => {
		const bytes = Buffer.from(`j${paste(`漢\r${escape}[20`)}k`);
		const outcomes = Array.from({length: bytes.length - 1}, (_, index) => read(bytes.subarray(0, index + 1), bytes.subarray(index + 1)).join(' '));
		assert.deepEqual(new Set(outcomes), new Set(['j paste:漢\n k']));
	});

	test('without an end marker ends two seconds after the last byte, and later keys work', () => {
		const recorder = createKeyRecorder();
		recorder.reader.write(`${escape}[200~some`);
		recorder.reader.write(' text\u{3}');
		assert.equal(recorder.waitMilliseconds, 2000);
		recorder.passTime();
		assert.deepEqual(recorder.events, ['paste:some text']);
		recorder.reader.write('\u{3}');
		assert.deepEqual(recorder.events, ['paste:some text', 'ctrl+c']);
	});

	test('is not kept open by pressing Ctrl+C repeatedly', () => {
		const pressed: string[] = [];
		const timers: Array<() => void> = [];
		const events = {
			key({name}: Key) {
				pressed.push(name);
			},
			paste(text: string) {
				pressed.push(`paste:${text}`);
			},
		};
		const reader = createKeyReader(events, {
			after(_milliseconds, callback) {
				timers.push(callback);
				return () => undefined;
			},
		});
		reader.write(`${escape}[200~text`);
		assert.equal(timers.length, 1);
		reader.write('\u{3}');
		reader.write('\u{3}\u{3}');
		assert.equal(timers.length, 1);
		timers[0]!();
		reader.write('\u{3}');
		assert.deepEqual(pressed, ['paste:text', 'ctrl+c']);
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
		assert.equal(events[0]!.length, 'paste cut:'.length + (1024 * 1024));
		assert.equal(events[1], 'j');
	});
});

describe('the sequence for Ink', () => {
	test('is the same for all encodings of a key, and never a bare ESC', () => {
		const {reader, keys, passTime} = createKeyRecorder();
		reader.write(`a \r\n\t\u{7F}\b${escape}OA${escape}[7~${escape}[3~${escape}[Z\u{1}${escape}x${escape}[1;5C`);
		reader.write(escape);
		passTime();
		assert.deepEqual(keys.map(({sequence}) => sequence), [
			'a',
			' ',
			'\r',
			'\r',
			'\t',
			'\u{7F}',
			'\u{7F}',
			`${escape}[A`,
			`${escape}[H`,
			`${escape}[3~`,
			`${escape}[Z`,
			'\u{1}',
			`${escape}x`,
			`${escape}[1;5C`,
			`${escape}[27u`,
		]);
	});
});
