import assert from 'node:assert/strict';
import test from 'node:test';
import {nearestNames, nearestWord} from '../../source/interface/name-index.ts';

const words: ReadonlyArray<readonly [typed: string, word: string, isNear: boolean]> = [
	['pantri', 'pantry', true],
	['PANTYR', 'pantry', true],
	['pntri', 'pantry', true],
	['pntrii', 'pantry', false],
	['agens', 'agents', true],
	['us', 'use', true],
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
	test(`“${typed}” may ${isNear ? '' : 'not '}mean “${word}”`, () => {
		assert.equal(nearestWord(typed, ['something else', word]), isNear ? word : undefined);
	});
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

test('a word of any length is compared in no time', () => {
	const long = 'x'.repeat(100_000);
	assert.deepEqual(nearestNames(`${long}y`, Array.from({length: 1000}, () => long)), []);
});
