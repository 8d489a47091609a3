import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type StoreFailure, unreachable, unknownOutcome} from '../../source/service/store/store-errors.ts';
import {createWriteBatches} from '../../source/service/store/sql/write-batches.ts';

/** Writes of one account at once, into a database that is away in the way of the error. */
const outcomesWith = async (failure: StoreFailure) => {
	let attempts = 0;
	const write = createWriteBatches(async () => {
		attempts++;
		throw failure;
	});
	const writes = Array.from({length: 120}, async () => write(1, async () => undefined));
	const reasons = (await Promise.allSettled(writes)).map(outcome => outcome.status === 'rejected' ? outcome.reason as unknown : undefined);
	return {attempts, reasons};
};

test('writes that wait for a database that is away are answered with the first of them', async () => {
	const failure = unreachable('home', new Error('gone'));
	const {attempts, reasons} = await outcomesWith(failure);
	assert.equal(attempts, 1);
	assert.deepEqual(new Set(reasons), new Set([failure]));
});

test('a write of unknown outcome says nothing of those that wait behind it', async () => {
	const {attempts, reasons} = await outcomesWith(unknownOutcome('home', new Error('cut')));
	assert.equal(attempts, 1 + Math.ceil(119 / 50));
	assert.equal(reasons.length, 120);
});

test('where the database goes away while the writes of a batch are done one by one, the rest is answered with it', async () => {
	const failure = unreachable('home', new Error('gone'));
	const refusal = new Error('refused');
	let attempts = 0;
	const write = createWriteBatches(async () => {
		attempts++;
		if (attempts === 1) {
			return undefined as never;
		}

		throw attempts === 2 ? refusal : failure;
	});
	const writes = Array.from({length: 40}, async () => write(1, async () => undefined));
	const outcomes = await Promise.allSettled(writes);
	assert.equal(attempts, 3);
	assert.deepEqual(outcomes.map(({status}) => status), ['fulfilled', ...Array.from({length: 39}, () => 'rejected')]);
	assert.deepEqual(new Set(outcomes.flatMap(outcome => outcome.status === 'rejected' ? [outcome.reason as unknown] : [])), new Set([failure]));
});
