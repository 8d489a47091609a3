import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

const lamps = installedAbility(1, true, 'lamps');
const pantry = installedAbility(2, false, 'pantry');

const openService = (options?: {isFresh: boolean}) => createHeldService([lamps, pantry], options);

test('a refused change is taken back and told, and the next press tries again', async () => {
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

test('a refused change that was folded back meanwhile is nobody\'s loss, and nothing is told', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().refuse();
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failures, []);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('a refused change that was wanted again meanwhile is told once', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().refuse();
	assert.equal(service.failures.length, 1);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('the failure of one record leaves the others alone', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(2);
	await service.nextRequest(0).refuse();
	assert.equal(service.shown(1), 'on');
	assert.equal(service.shown(2), 'on~');
	await service.nextRequest(1).succeed();
	assert.equal(service.shown(2), 'on');
});

test('a change without an answer is looked for in the list: it was made', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	assert.equal(service.shown(1), 'off~', 'not known yet');
	await service.reads[0]!.succeed();
	assert.equal(service.shown(1), 'off');
	assert.deepEqual(service.failures, []);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('a change without an answer that was not made is told, and not sent again by itself', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	await service.reads[0]!.succeed();
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: may still arrive: No answer came in time.']);
	assert.deepEqual(service.asked(), ['1 off']);
});

test('where not even the list can be read, the outcome is told as unknown', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	await service.reads[0]!.fail();
	assert.equal(service.shown(1), 'on', 'what the service said last');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: unknown: No answer came in time.']);
});

test('an unknown outcome is told also to who has gone back meanwhile: the first change may have been made', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().lose('carried-out');
	await service.reads[0]!.fail();
	assert.equal(service.failures.length, 1);
	assert.equal(service.failures[0]!.isOutcomeUnknown, true);
});

test('going back while the outcome is looked for sends that, where the change was made', async () => {
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

test('going back while the outcome is looked for is enough, where the change was not made', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	service.queue.toggle(1);
	await service.reads[0]!.succeed();
	assert.deepEqual(service.asked(), ['1 off']);
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.failures, []);
});

test('a record that is gone when the outcome is looked for is told as gone', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().lose('not-carried-out');
	service.stored.delete(1);
	await service.reads[0]!.succeed();
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: lamps is not installed any more.']);
	assert.equal(service.shown(1), 'gone');
});

test('a refusal that arrives when the record is gone from the list ends the change as well', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.stored.delete(1);
	await service.giveFreshList();
	await service.nextRequest().refuse('lamps is not installed any more.');
	assert.equal(service.queue.getIntents().size, 0);
	assert.equal(service.failures.length, 1);
});

test('idle is when the last intent has ended, be it settled, refused or unknown', async () => {
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
