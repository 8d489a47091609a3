import assert from 'node:assert/strict';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {test} from 'node:test';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

const lamps = installedAbility(1, true, 'lamps');
const pantry = installedAbility(2, false, 'pantry');

/** Handles no answer until the test says so. */
const unhandled = () => (): void => undefined;

const openService = (options?: {isFresh: boolean}) => createHeldService([lamps, pantry], options);

test('a toggle shows at once and settles with the answer', async () => {
	const service = openService();
	service.queue.toggle(1);
	assert.equal(service.shown(1), 'off~');
	assert.deepEqual(service.asked(), ['1 off']);
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'off');
	assert.deepEqual(service.settledRecords.map(({id, isEnabled}) => [id, isEnabled]), [[1, false]]);
	assert.deepEqual(service.failures, []);
});

test('a row settles at what the service says, also where that is not what was asked for', async () => {
	const service = openService();
	service.queue.toggle(1);
	await service.nextRequest().succeed(true);
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.asked(), ['1 off']);
});

test('two records are switched beside one another', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(2);
	assert.deepEqual(service.asked(), ['1 off', '2 on']);
	await service.nextRequest(1).succeed();
	assert.equal(service.shown(1), 'off~');
	assert.equal(service.shown(2), 'on');
	await service.nextRequest(0).succeed();
	assert.equal(service.shown(1), 'off');
});

test('presses while a request is under way send nothing, and fold into one last intent', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	assert.equal(service.shown(1), 'on~');
	assert.deepEqual(service.asked(), ['1 off']);
	await service.nextRequest().succeed();
	assert.deepEqual(service.asked(), ['1 off', '1 on'], 'one more request, for the last choice');
	assert.equal(service.shown(1), 'on~');
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'on');
	assert.equal(service.stored.get(1), true);
	assert.equal(service.mostAtOnce(), 1);
});

test('presses that end where the request leads ask for no second one', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest().succeed();
	assert.deepEqual(service.asked(), ['1 off']);
	assert.equal(service.shown(1), 'off');
});

test('a double toggle ends at the last choice, however slow the first answer is', async () => {
	const service = openService();
	service.queue.toggle(1);
	await nextTurn();
	service.queue.toggle(1);
	await nextTurn();
	assert.equal(service.requests.length, 1);
	await service.nextRequest(0).succeed();
	await service.nextRequest(1).succeed();
	assert.equal(service.stored.get(1), true);
	assert.equal(service.shown(1), 'on');
	assert.equal(service.mostAtOnce(), 1);
});

test('presses during a second request fold as well', async () => {
	const service = openService();
	service.queue.toggle(1);
	service.queue.toggle(1);
	await service.nextRequest(0).succeed();
	service.queue.toggle(1);
	await service.nextRequest(1).succeed();
	assert.deepEqual(service.asked(), ['1 off', '1 on', '1 off']);
	await service.nextRequest(2).succeed();
	assert.equal(service.shown(1), 'off');
	assert.equal(service.mostAtOnce(), 1);
});

test('what nobody has cannot be toggled', () => {
	const service = openService();
	service.queue.toggle(99);
	service.queue.set(99, true);
	assert.equal(service.queue.getIntents().size, 0);
	assert.deepEqual(service.asked(), []);
});

test('setting a state that is there already sends nothing', () => {
	const service = openService();
	service.queue.set(1, true);
	assert.equal(service.shown(1), 'on');
	assert.deepEqual(service.asked(), []);
});

test('setting a state while a request is under way is one intent with it', async () => {
	const service = openService();
	service.queue.set(1, false);
	service.queue.set(1, true);
	service.queue.set(1, true);
	assert.deepEqual(service.asked(), ['1 off']);
	await service.nextRequest().succeed();
	assert.deepEqual(service.asked(), ['1 off', '1 on']);
	await service.nextRequest().succeed();
	assert.equal(service.shown(1), 'on');
});

test('whoever listens is told of every change of what is shown, until they leave', async () => {
	const service = openService();
	const shown: string[] = [];
	const leave = service.queue.subscribe(() => {
		shown.push(service.shown(1));
	});
	service.queue.toggle(1);
	await service.nextRequest().succeed();
	assert.equal(shown[0], 'off~');
	assert.equal(shown.at(-1), 'off');
	leave();
	const heardCount = shown.length;
	service.queue.toggle(1);
	assert.equal(shown.length, heardCount);
});

test('nothing under way means idle at once', async () => {
	const service = openService();
	await service.queue.whenIdle();
	assert.equal(service.queue.getIntents().size, 0);
});

test('an answer costs the same where thousands wait as where a few do', async () => {
	const lookUpsPerAnswer: number[] = [];
	for (const count of [20, 2000]) {
		const service = createHeldService(Array.from({length: count}, (_, index) => installedAbility(index + 1, true)));
		for (let id = 1; id <= count; id++) {
			service.queue.set(id, false);
		}

		const before = service.lookUpCount();
		await service.nextRequest(0).succeed();
		lookUpsPerAnswer.push(service.lookUpCount() - before);
		assert.equal(service.asked().length, 5);
	}

	assert.equal(lookUpsPerAnswer[0], lookUpsPerAnswer[1]);
});

test('answers that come close together are shown at once, and hold up no further request', async () => {
	const service = createHeldService([1, 2, 3, 4, 5].map(id => installedAbility(id, true)), {throttle: unhandled});
	for (const id of [1, 2, 3, 4, 5]) {
		service.queue.set(id, false);
	}

	let changeCount = 0;
	service.queue.subscribe(() => {
		changeCount++;
	});
	await service.nextRequest(0).succeed();
	await service.nextRequest(1).refuse();
	assert.equal(service.shown(1), 'off~');
	assert.deepEqual(service.asked(), ['1 off', '2 off', '3 off', '4 off', '5 off']);
	service.queue.catchUp();
	assert.equal(changeCount, 1);
	assert.deepEqual([1, 2, 3].map(id => service.shown(id)), ['off', 'on', 'off~']);
	assert.equal(service.failures.length, 1);
});

test('a press after an answer that is not shown yet is sent as well', async () => {
	const service = createHeldService([lamps], {throttle: unhandled});
	service.queue.toggle(1);
	await service.nextRequest().succeed();
	service.queue.toggle(1);
	assert.equal(service.shown(1), 'on~');
	service.queue.catchUp();
	assert.deepEqual(service.asked(), ['1 off', '1 on']);
	await service.nextRequest().succeed();
	service.queue.catchUp();
	assert.equal(service.shown(1), 'on');
});

test('a state that is not known is set with one request, and cannot be flipped', async () => {
	const service = createHeldService([installedAbility(1, undefined, 'lamps')]);
	service.queue.toggle(1);
	assert.deepEqual(service.asked(), []);
	service.queue.set(1, false);
	service.queue.set(1, false);
	assert.equal(service.shown(1), 'off~');
	await service.nextRequest().succeed();
	assert.deepEqual(service.asked(), ['1 off']);
	assert.equal(service.shown(1), 'off');
	await service.giveFreshList();
	assert.equal(service.shown(1), '?');
	service.queue.set(1, false);
	assert.deepEqual(service.asked(), ['1 off', '1 off'], 'it may have been switched on since');
});

test('a lost answer about a state that is not shown leaves it unknown', async () => {
	const service = createHeldService([installedAbility(1, undefined, 'lamps')]);
	service.queue.set(1, true);
	await service.nextRequest().lose('carried-out');
	await service.reads[0]!.succeed();
	assert.deepEqual(service.failureTexts(), ['lamps on, is ?: unknown: No answer came in time.']);
	assert.deepEqual(service.asked(), ['1 on']);
});
