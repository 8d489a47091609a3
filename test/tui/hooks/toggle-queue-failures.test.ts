import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

const lamps = installedAbility(1, true, 'lamps');
const pantry = installedAbility(2, false, 'pantry');

const openService = (options?: {isFresh: boolean}) => createHeldService([lamps, pantry], options);

test('a refused change is reverted and reported, and the next press retries', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().refuse('The service failed (HTTP 500).');
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: The service failed (HTTP 500).']);
	assert.deepEqual(service.asked(), ['1 off'], 'nothing is sent twice by itself');
	service.queue.toggle(1);
	assert.deepEqual(service.asked(), ['1 off', '1 off']);
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'off');
});

test('a refused change that was reversed meanwhile is not reported', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().refuse();
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failures, []);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('a refused change that was wanted again meanwhile is reported once', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().refuse();
	assert.equal(service.failures.length, 1);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('the failure of one record does not affect the others', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(2);
	await service.nextRequest(0).refuse();
	assert.equal(service.shown(1), 'on');
	assert.equal(service.shown(2), 'on~');
	await service.nextRequest(1).succeed();
	assert.equal(service.shown(2), 'on');
});

test('an unanswered change that the list shows is done', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	assert.equal(service.shown(1), 'off~', 'not known yet');
	await service.reads[0]!.succeed();
	assert.equal(service.shown(1), 'off');
	assert.deepEqual(service.failures, []);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('an unanswered change that the list does not show is reported, and not sent again', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	await service.reads[0]!.succeed();
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: may still arrive: No answer came in time.']);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('if the list cannot be read either, the outcome is reported as unknown', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	await service.reads[0]!.fail();
	assert.equal(service.shown(1), 'on', 'what the service said last');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: unknown: No answer came in time.']);
});

test('an unknown outcome is reported also after the change was reversed', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	await service.reads[0]!.fail();
	assert.equal(service.failures.length, 1);
	assert.equal(service.failures[0]!.isOutcomeUnknown, true);
});

test('reversing a change while its outcome is checked sends the reversal if the change was made', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	service.queue.toggle(1);
	assert.equal(service.shown(1), 'on~');
	await service.reads[0]!.succeed();
	assert.deepEqual(service.asked(), ['1 off', '1 on']);
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'on');
	assert.equal(service.stored.get(1), true);
});

test('reversing a change while its outcome is checked sends nothing if the change was not made', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	service.queue.toggle(1);
	await service.reads[0]!.succeed();
	assert.deepEqual(service.asked(), ['1 off']);
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failures, []);
});

test('a record that is gone when the outcome is checked is reported as gone', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	service.stored.delete(1);
	await service.reads[0]!.succeed();
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: lamps is no longer installed.']);
	assert.equal(service.shown(1), 'gone');
});

test('a refusal also ends a change whose record is no longer listed', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.stored.delete(1);
	await service.giveFreshList();
	await service.nextRequest().refuse('lamps is no longer installed.');
	assert.equal(service.queue.getIntents().size, 0);
	assert.equal(service.failures.length, 1);
});

test('the queue is idle when the last intent has settled, failed or become unknown', async () => {
	const service = openService();
	let isIdle = false;
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(2);
	void (async () => {
		await service.queue.whenIdle();
		isIdle = true;
	})();

	await service.nextRequest(0).succeed();
	assert.equal(isIdle, false, 'the second intent of the first record is under way');
	await service.nextRequest(1).refuse();
	assert.equal(isIdle, false);
	await service.nextRequest(2).lose('carried-out');
	assert.equal(isIdle, false);
	await service.reads[0]!.succeed();
	assert.equal(isIdle, true);
});
