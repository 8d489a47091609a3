import {assert, assertMapped, test} from '../helpers/node.ts';
import {isJsonObject, jsonExcess, stringifyJson, stringifyJsonInParts} from '../../source/interface/json.ts';
import {createRandom, randomText} from './random-text.ts';

test('printed JSON is the same value for any parser', () => {
	const value = {name: 'a\u{1B}[31m\u{9B}2J\u{202E}\u{E0041}\u{7F}b', 'k\u{200B}y': ['\u{2028}', null, 1.5, true], nested: {empty: {}}};
	assert.deepEqual(JSON.parse(stringifyJson(value)), value);
	assert.deepEqual(JSON.parse(stringifyJson(value, 0)), value);
});

test('a long list is printed in parts that are the same text together', () => {
	const deep = JSON.parse('['.repeat(20) + ']'.repeat(20)) as unknown;
	for (const [count, partCount] of [
		[0, 1],
		[1000, 1],
		[1001, 2],
		[2500, 3],
	] as const) {
		for (const last of [null, deep]) {
			const list = Array.from({length: count}, (_, index) => (index === count - 1 ? last : {id: index, name: '\u{9B}', tags: []}));
			const parts = [...stringifyJsonInParts(list)];
			assert.equal(parts.length, partCount);
			assert.equal(parts.join(''), `${stringifyJson(list)}\n`);
		}
	}

	assert.deepEqual([...stringifyJsonInParts({id: 1})], ['{\n  "id": 1\n}\n']);
});

test('JSON printed on one line has no line breaks', () => assert.equal(stringifyJson({a: ['b\nc']}, 0), String.raw`{"a":["b\nc"]}`));

test('characters that a terminal would obey or hide are printed as escapes', () => {
	assert.equal(stringifyJson('\u{9B}31m\u{202E}\u{E0041}', 0), String.raw`"\u009b31m\u202e\udb40\udc41"`);
	assert.equal(stringifyJson('\u{1D173}\u{FFF9}', 0), String.raw`"\ud834\udd73\ufff9"`);
});

test('joined words and emoji are printed unchanged', () => assert.equal(stringifyJson('می‌خواهم 👨‍👩‍👧 ✔️', 0), '"می‌خواهم 👨‍👩‍👧 ✔️"'));

test('no hostile text breaks out of printed JSON', () => {
	const random = createRandom(11);
	const texts = Array.from({length: 10_000}, () => randomText(random, 8));
	const broken = texts.filter(text => {
		const printed = stringifyJson({[text]: text}, 0);
		const value = JSON.parse(printed) as Readonly<Record<string, unknown>>;
		return value[text] !== text || /[\p{Bidi_Control}\p{Control}\u{2028}\u{2029}]/u.test(printed);
	});
	assert.deepEqual(broken, []);
});

test('arrays and null are not objects', () =>
	assertMapped([{}, {a: 1}, [], null, 'x', 7, undefined], value => isJsonObject(value), [true, true, false, false, false, false, false]));

/** A value this many levels deep. */
const nested = (levels: number): unknown => JSON.parse('{"a":['.repeat(levels / 2) + '1' + ']}'.repeat(levels / 2));

test('what is nested deep is printed on one line, what is not as always', () => {
	for (const levels of [2, 8]) {
		assert.equal(stringifyJson([nested(levels - 2), {}, []]), JSON.stringify([nested(levels - 2), {}, []], undefined, 2));
	}

	assert.equal(
		stringifyJson([{id: 1, deep: nested(90)}, {id: 2}]),
		`[\n  ${JSON.stringify({id: 1, deep: nested(90)})},\n  {\n    "id": 2\n  }\n]`,
	);
	const wide = {deep: [[[[[[[[[[Array.from({length: 10_000}, () => 1)]]]]]]]]]]};
	assert.ok(stringifyJson(wide).length < 2 * JSON.stringify(wide).length, 'the indentation does not multiply it');
});

test('JSON is measured before it is parsed', () => {
	assert.equal(jsonExcess('['.repeat(100) + ']'.repeat(100)), undefined);
	assert.equal(jsonExcess('['.repeat(101)), 'nested more than 100 levels deep');
	assert.equal(jsonExcess(JSON.stringify(nested(102))), 'nested more than 100 levels deep');
	assert.equal(jsonExcess(`[${'{},'.repeat(1_000_000)}{}]`), 'of more than 2,000,000 values');
	for (const text of ['['.repeat(200), String.raw`\"[[`, `\\${'['.repeat(200)}"`, '{"'.repeat(2000)]) {
		assert.equal(jsonExcess(JSON.stringify([text, {[text]: 1}])), undefined, 'brackets in a string count for nothing');
	}

	assert.equal(jsonExcess(`"${'\\'.repeat(100_001)}`), undefined, 'an unfinished string ends it');
});
