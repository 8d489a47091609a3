import {assert, test} from '../helpers/node.ts';
import {
	findCaseVariants,
	findNamesake,
	globMatcher,
	indexNames,
	isGlob,
	nearestNames,
	nearestWord,
} from '../../source/interface/name-index.ts';

const words: ReadonlyArray<readonly [typed: string, word: string, isNear: boolean]> = [
	['pantri', 'pantry', true],
	['PANTYR', 'pantry', true],
	['pntri', 'pantry', true],
	['pntrii', 'pantry', false],
	['agens', 'agents', true],
	['us', 'use', true],
	['ＰＡＮＴＲＹ', 'pantry', true],
	['gte', 'get', true],
	['ls', 'list', false],
	['init', 'wait', false],
	['nope', 'copy', false],
	['format', 'force', false],
	['no', 'on', false],
	['x', 'y', false],
	['', 'on', false],
	['Cafe\u{301}s', 'caf\u{E9}', true],
];

for (const [typed, word, isNear] of words) {
	test(`“${typed}” may ${isNear ? '' : 'not '}mean “${word}”`, () =>
		assert.equal(nearestWord(typed, ['something else', word]), isNear ? word : undefined));
}

test('the nearest word wins, and a risky one stands for one wrong letter', () => {
	assert.equal(nearestWord('instaled', ['install', 'installed']), 'installed');
	const isRisky = (word: string): boolean => word === 'uninstall';
	assert.equal(nearestWord('unistall', ['uninstall'], isRisky), 'uninstall');
	assert.equal(nearestWord('unistal', ['uninstall'], isRisky), undefined);
	assert.equal(nearestWord('unistal', ['uninstall']), 'uninstall');
});

test('at most three names are near, those that are spelled alike first, then those that the word is a part of', () => {
	assert.deepEqual(nearestNames('lamp', ['deskLamp', 'Lamps', 'porchLamp', 'radio', 'damp', 'lamplighter']), ['Lamps', 'damp', 'deskLamp']);
	assert.deepEqual(nearestNames('lights', ['morninglights', 'radio']), ['morninglights']);
	assert.deepEqual(nearestNames('a', ['attic', 'cellar']), []);
	assert.deepEqual(nearestNames('pantri', ['Pantry', 'pantry']), ['pantry']);
});

const records = ['Lamp', 'lamp', 'lamp', 'Café', 'hue lights'].map((name, index) => ({id: index + 1, name}));

const lookups: ReadonlyArray<readonly [name: string, ids: readonly number[], exactIds: readonly number[]]> = [
	['Lamp', [1], [1]],
	[' Lamp\u{200B} ', [1], [1]],
	['lamp', [2, 3], [2, 3]],
	['LAMP', [1, 2, 3], []],
	['CAFE\u{301}', [4], []],
	['Cafe\u{301}', [4], [4]],
	['Hue Lights', [5], []],
	['hue', [], []],
];

for (const [name, ids, exactIds] of lookups) {
	test(`the name ${JSON.stringify(name)} finds what is spelled so, else what is in another case`, () => {
		const {find} = indexNames(records);
		assert.deepEqual([find(name).map(({id}) => id), find(name, true).map(({id}) => id)], [ids, exactIds]);
	});
}

test('a new name is taken by the record that is spelled so, or by one in another case unless it is the own name', () => {
	const taken = (id: number, newName: string): number | undefined => findNamesake(records, records[id - 1]!, newName)?.id;
	assert.deepEqual(
		[taken(1, 'Lamp'), taken(1, 'LAMP'), taken(1, 'lamp'), taken(2, 'Lamp'), taken(5, 'LAMP'), taken(5, 'Hue Lights'), taken(5, 'porch')],
		[undefined, undefined, 2, 1, 1, undefined, undefined],
	);
});

test('only names that differ in case are variants of each other', () =>
	assert.deepEqual([...findCaseVariants(['Lamp', 'pantry', 'lamp', 'pantry', 'lamps'])], ['Lamp', 'lamp']));

test('a word of any length is compared in no time', () => {
	const long = 'x'.repeat(100_000);
	assert.deepEqual(
		nearestNames(
			`${long}y`,
			Array.from({length: 1000}, () => long),
		),
		[],
	);
});

const globs: ReadonlyArray<readonly [glob: string, fitting: readonly string[], others: readonly string[]]> = [
	['lamp*', ['lamp', 'Lamp 2', 'LAMPS', 'lamp/porch', 'lamp.old'], ['porch lamp', 'lam']],
	['*lamp', ['porch lamp', 'lamp', '.lamp', 'lamplamp'], ['lamps']],
	['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a']],
	['*ab*abc', ['ababc', 'abxababc'], ['abc', 'ababcx']],
	['lamp?', ['lamp1', 'lampé', 'lamp🏮'], ['lamp', 'lamp12']],
	['caf?', ['Cafe\u{301}', 'CAFÉ'], ['caf']],
	['lamp[1-3x]', ['lamp1', 'lamp3', 'LAMPX'], ['lamp4', 'lamp', 'lamp-']],
	['lamp[A-C]', ['lampb'], ['lampd']],
	['lamp[!1-3]', ['lamp4', 'lamp-'], ['lamp2', 'lamp']],
	['lamp[^1]*', ['lamp2 x'], ['lamp1 x']],
	['[*]', ['*'], ['a', '']],
	['[!]?', ['!a'], ['a!']],
	['[', ['['], ['a']],
	['a{b,c}*', ['a{b,c}d'], ['ab']],
	['+(a)*', ['+(a)'], ['aa']],
	[String.raw`a\*`, [String.raw`a\b`], ['a*']],
];

for (const [glob, fitting, others] of globs) {
	test(`“${glob}” fits ${fitting.join(', ')}, and not ${others.join(', ')}`, () =>
		assert.deepEqual(
			[...fitting, ...others].filter(name => globMatcher(glob)(name)),
			fitting,
		));
}

test('a word is a glob if it has a star, a question mark or a pair of brackets', () =>
	assert.deepEqual(
		['a*', '?', '[ab]', '[]', 'a[', 'a]', '{a,b}', 'lamp', ''].filter(word => isGlob(word)),
		['a*', '?', '[ab]'],
	));

test('a glob of many stars is matched in the square of its length, not by all ways to split the name', () => {
	const name = 'a'.repeat(190);
	assert.equal(globMatcher(`${'*a'.repeat(90)}*b`)(name), false);
	assert.equal(globMatcher(`${'*a'.repeat(90)}*`)(name), true);
});
