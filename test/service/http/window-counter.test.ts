import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createWindowCounter} from '../../../source/service/http/window-counter.ts';

test('a count begins anew when its window has ended', () => {
	let time = 5000;
	const count = createWindowCounter({windowMilliseconds: 1000, now: () => time});
	assert.deepEqual(count('a'), {count: 1, millisecondsLeft: 1000});
	time += 400;
	assert.deepEqual(count('a'), {count: 2, millisecondsLeft: 600});
	assert.deepEqual(count('b'), {count: 1, millisecondsLeft: 1000});
	time += 600;
	assert.deepEqual(count('a'), {count: 1, millisecondsLeft: 1000});
	assert.deepEqual(count('b'), {count: 2, millisecondsLeft: 400});
});

test('no more keys are remembered than allowed; the oldest are forgotten', () => {
	const count = createWindowCounter({windowMilliseconds: 1000, maximumKeys: 3, now: () => 0});
	for (const key of ['a', 'b', 'c', 'a', 'd']) {
		count(key);
	}

	assert.deepEqual(['b', 'c', 'd'].map(key => count(key).count), [2, 2, 2]);
	assert.equal(count('a').count, 1);
});
