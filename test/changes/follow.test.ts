import {assert, test} from '../helpers/node.ts';
import {waitBeforeRetry} from '../../source/changes/follow.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

function waitsFor(intervalSeconds: number, retryAfterSeconds?: number): readonly number[] {
	const failure = new SwitchboardError('rate-limited', 'Too many requests.', {
		retryAfterMilliseconds: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
	});
	return [1, 2, 3, 4, 100].map(count => waitBeforeRetry(count, intervalSeconds * 1000, failure) / 1000);
}

test('the longer a service fails, the longer it is left alone, up to a minute', () => {
	assert.deepEqual(waitsFor(1), [2, 4, 8, 16, 60]);
	assert.deepEqual(waitsFor(15), [30, 60, 60, 60, 60]);
});

test('an interval of more than a minute stays as it is', () => assert.deepEqual(waitsFor(600), [600, 600, 600, 600, 600]));

test('a service is left alone for as long as it asks, within an hour', () => {
	assert.deepEqual(waitsFor(1, 30), [30, 30, 30, 30, 60]);
	assert.deepEqual(waitsFor(1, 900), [900, 900, 900, 900, 900]);
	assert.deepEqual(waitsFor(1, 10 ** 9), [3600, 3600, 3600, 3600, 3600]);
});
