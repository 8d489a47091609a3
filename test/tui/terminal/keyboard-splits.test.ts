import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createKeyRecorder} from '../../helpers/terminal/key-recorder.ts';
import {createRandom} from '../../helpers/terminal/random.ts';

const escape = '\u{1B}';

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
	'\u{9B}A',
	'[',
	'~',
	'200~',
	Uint8Array.of(0xFF),
	Uint8Array.of(0xE6, 0xBC),
	Uint8Array.of(0x80),
	Uint8Array.of(0xC2),
];

const readChunks = (chunks: readonly Uint8Array[]): readonly string[] => {
	const {reader, events, passTime} = createKeyRecorder();
	for (const chunk of chunks) {
		reader.write(chunk);
	}

	passTime();
	return events;
};

const randomBytes = (random: (limit: number) => number): Buffer =>
	Buffer.concat(Array.from({length: 1 + random(8)}, () => Buffer.from(pieces[random(pieces.length)] as string)));

const split = (bytes: Uint8Array, nextLength: () => number): readonly Uint8Array[] => {
	const chunks: Uint8Array[] = [];
	for (let start = 0; start < bytes.length;) {
		const chunk = bytes.subarray(start, start + nextLength());
		chunks.push(chunk);
		start += chunk.length;
	}

	return chunks;
};

const seeds = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index + 1);

test('the same bytes give the same keys however they are split', () => {
	const differences = seeds(3000).map(seed => {
		const random = createRandom(seed);
		const bytes = randomBytes(random);
		const chunks = split(bytes, () => 1 + random(seed % 3 === 0 ? 1 : 6));
		return {
			seed,
			chunks: chunks.map(chunk => Buffer.from(chunk).toString('latin1')),
			keys: readChunks(chunks),
			unsplitKeys: readChunks([bytes]),
		};
	}).filter(({keys, unsplitKeys}) => JSON.stringify(keys) !== JSON.stringify(unsplitKeys));
	assert.deepEqual(differences, []);
});

test('random bytes never throw, and press no key with a control character in its text', () => {
	const texts = seeds(300).flatMap(seed => {
		const random = createRandom(seed);
		const {reader, keys, events, passTime} = createKeyRecorder();
		reader.write(Uint8Array.from({length: 200}, () => random(3) === 0 ? random(256) : random(128)));
		passTime();
		return [...keys.map(({text}) => text), ...events];
	});
	assert.ok(texts.length > 10_000);
	assert.deepEqual(texts.filter(text => /(?!\n)\p{Control}/u.test(text)), []);
});
