import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

const lamps = installedAbility(1, true, 'lamps');
const pantry = installedAbility(2, false, 'pantry');

const openService = (options?: {isFresh: boolean}) => createHeldService([lamps, pantry], options);

test('a record of an earlier run shows its change at once, and sends it after the first fresh list', async () => {
	const service = openService({isFresh: false});
	service.queue.toggle(1);
	assert.equal(service.shown(1), 'off~');
	assert.deepEqual(service.asked(), []);
	assert.equal(service.freshListsWanted(), 1);
	await service.giveFreshList();
	assert.deepEqual(service.asked(), ['1 off']);
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'off');
});

test('presses before the first fresh list become one request for the last state', async () => {
	const service = openService({isFresh: false});
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.giveFreshList();
	assert.deepEqual(service.asked(), ['1 off']);
});

test('nothing is sent if the first fresh list already shows the wanted state', async () => {
	const service = openService({isFresh: false});
	service.stored.set(1, false);
	service.queue.toggle(1);
	await service.giveFreshList();
	assert.deepEqual(service.asked(), []);
	assert.equal(service.shown(1), 'off');
	assert.deepEqual(service.failures, []);
});

test('if no fresh list can be read, what waited for it is reverted and reported', async () => {
	const service = openService({isFresh: false});
	service.queue.toggle(1);
	service.queue.toggle(2);
	await service.failFreshList();
	assert.equal(service.shown(1), 'on');
	assert.equal(service.shown(2), 'off');
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: Nothing listens there.', 'pantry on, is off: Nothing listens there.']);
	assert.deepEqual(service.asked(), []);
});

test('an unreadable list reverts no change that was sent', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.failFreshList();
	assert.equal(service.shown(1), 'off~');
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'off');
	assert.deepEqual(service.failures, []);
});

test('of many changes four are sent at a time, and the next as slots become free', async () => {
	const service = createHeldService(Array.from({length: 7}, (_, index) => installedAbility(index, false)));
	for (let id = 0; id < 7; id++) {
		service.queue.set(id, true);
	}

	assert.deepEqual(service.asked(), ['0 on', '1 on', '2 on', '3 on']);
	assert.equal(service.shown(6), 'on~', 'what waits shows at once as well');
	await service.nextRequest(2).succeed();
	assert.deepEqual(service.asked().slice(4), ['4 on']);
	await service.nextRequest(0).refuse();
	assert.deepEqual(service.asked().slice(5), ['5 on']);
	service.queue.set(6, false);
	await service.nextRequest(1).succeed();
	assert.equal(service.asked().length, 6, 'what was folded back while it waited is not sent');
	assert.equal(service.shown(6), 'off');
});

test('an unreadable list reverts no change that waits for a request slot', async () => {
	const service = createHeldService(Array.from({length: 5}, (_, index) => installedAbility(index, false)));
	for (let id = 0; id < 5; id++) {
		service.queue.set(id, true);
	}

	await service.failFreshList();
	assert.deepEqual(service.failures, []);
	await service.nextRequest(0).succeed();
	await service.nextRequest(4).succeed();
	assert.equal(service.shown(4), 'on');
});

test('further fresh lists do not send a change again', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.giveFreshList();
	await service.giveFreshList();
	assert.deepEqual(service.asked(), ['1 off']);
	assert.equal(service.shown(1), 'off~');
});

test('a record missing from the first fresh list is reported as gone', async () => {
	const service = openService({isFresh: false});
	service.queue.toggle(1);
	service.stored.delete(1);
	await service.giveFreshList();
	assert.deepEqual(service.failureTexts(), ['lamps off, is on: lamps is no longer installed.']);
	assert.deepEqual(service.asked(), []);
	assert.equal(service.queue.getIntents().size, 0);
});
