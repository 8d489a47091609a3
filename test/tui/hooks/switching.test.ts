import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createSwitching} from '../../../source/tui/hooks/switching.ts';
import {switchedLines} from '../../../source/tui/hooks/switching-texts.ts';
import {createUndoHistory} from '../../../source/tui/hooks/undo-history.ts';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

/** Switching on a service whose answers the test gives by hand; abilities 1 to 3 are on, 4 to 6 off. */
const open = () => {
	const told: string[] = [];
	const progress: Array<string | undefined> = [];
	const switched: string[] = [];
	const service = createHeldService([1, 2, 3, 4, 5, 6].map(id => installedAbility(id, id < 4, `ability${id}`)));
	const history = createUndoHistory({
		say(level, text) {
			told.push(`${level}: ${text}`);
		},
	});
	const switching = createSwitching({
		toggles: service.queue,
		history,
		shownRecord: service.shownOf,
		isListFresh: () => true,
		onFailed({installed}, kind) {
			told.push(`${installed.name} failed${kind === 'toggle' ? '' : ` (${kind})`}`);
		},
		onStart() {
			switched.push('start');
		},
		onSwitched(changes) {
			switched.push(...switchedLines(changes));
		},
		onProgress(text) {
			progress.push(text);
		},
		onSummary(level, text) {
			told.push(`${level}: ${text}`);
		},
	});
	service.listen(switching.handleOutcomes);
	const shown = (): string => [1, 2, 3, 4, 5, 6].map(id => service.shown(id)).join(' ');
	const answerAll = async (): Promise<void> => {
		for (const request of service.requests) {
			await request.succeed();
		}
	};

	return {
		service, history, switching, told, progress, switched, shown, answerAll,
	};
};

test('many are set to one state, and none is flipped', async () => {
	const {service, switching, told, progress, switched, shown, answerAll} = open();
	assert.equal(switching.setMany([2, 3, 4], false), 2, 'one was off already');
	assert.equal(shown(), 'on off~ off~ off off off');
	assert.deepEqual(service.asked(), ['2 off', '3 off']);
	await answerAll();
	assert.equal(shown(), 'on off off off off off');
	assert.deepEqual(progress, ['Switching off: 0 of 2…', 'Switching off: 1 of 2…', undefined]);
	assert.deepEqual(told, ['info: 2 switched off.']);
	assert.deepEqual(switched, ['start', 'ability2, ability3: on → off']);
});

test('a preset sets each to its own state, none is flipped, and one undo takes back all of it', async () => {
	const {service, history, switching, told, progress, switched, shown, answerAll} = open();
	const targets = [{id: 1, isEnabled: true}, {id: 2, isEnabled: false}, {id: 4, isEnabled: true}, {id: 9, isEnabled: true}];
	assert.equal(switching.applyPreset(targets, ' One is not installed.'), 2);
	assert.deepEqual(service.asked(), ['2 off', '4 on']);
	await answerAll();
	assert.equal(shown(), 'on off on on off off');
	assert.deepEqual(progress, ['Applying the preset: 0 of 2…', 'Applying the preset: 1 of 2…', undefined]);
	assert.deepEqual(switched, ['start', 'ability2: on → off', 'ability4: off → on']);
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on off off off');
	assert.deepEqual(told, ['info: Preset: 2 switched. One is not installed.', 'info: Undone: 2 switched back.']);
});

test('the failures among many changes are reported, kept and retried alone', async () => {
	const {service, switching, told, switched, shown} = open();
	switching.setMany([4, 5, 6], true);
	await service.requests[0]!.succeed();
	await service.requests[1]!.refuse();
	await service.requests[2]!.refuse();
	assert.equal(shown(), 'on on on on off off');
	assert.deepEqual(told, ['ability5 failed (many)', 'ability6 failed (many)', 'error: 1 switched on, 2 failed.']);
	assert.deepEqual([...switching.getFailures().keys()], [5, 6]);
	assert.deepEqual(switched, ['start', 'ability4: off → on']);
	assert.equal(switching.retry(), true);
	assert.equal(switching.getFailures().size, 0, 'they are under way again');
	assert.deepEqual(service.asked().slice(3), ['5 on', '6 on']);
	await service.requests[3]!.succeed();
	await service.requests[4]!.succeed();
	assert.equal(shown(), 'on on on on on on');
	assert.equal(switching.retry(), false);
});

test('a single change has neither progress nor summary', async () => {
	const {switching, told, progress, switched, answerAll} = open();
	assert.equal(switching.toggle(1), true);
	await answerAll();
	assert.deepEqual(told, []);
	assert.deepEqual(switched, ['start', 'ability1: on → off']);
	assert.deepEqual(progress, []);
	assert.equal(switching.toggle(99), false);
});

test('undo reverts the last change, and redo repeats it', async () => {
	const {switching, shown, answerAll, history} = open();
	switching.toggle(1);
	await answerAll();
	switching.setMany([4, 5], true);
	await answerAll();
	assert.equal(shown(), 'off on on on on off');
	history.undo();
	await answerAll();
	assert.equal(shown(), 'off on on off off off');
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on off off off');
	assert.equal(history.undo(), false);
	history.redo();
	history.redo();
	await answerAll();
	assert.equal(shown(), 'off on on on on off');
	assert.equal(history.redo(), false);
});

test('undo reverts a change that is still pending', async () => {
	const {service, switching, shown, history} = open();
	switching.toggle(1);
	history.undo();
	assert.equal(shown(), 'on~ on on off off off');
	await service.requests[0]!.succeed();
	await service.requests[1]!.succeed();
	assert.equal(shown(), 'on on on off off off');
	assert.deepEqual(service.asked(), ['1 off', '1 on']);
});

test('an undo of one record names it, or says that there is nothing to undo', async () => {
	const {service, switching, told, answerAll, history} = open();
	switching.toggle(1);
	await answerAll();
	history.undo();
	await answerAll();
	assert.deepEqual(told, ['info: Undone: ability1 is on again.']);
	history.redo();
	await answerAll();
	assert.deepEqual(told.slice(1), ['info: Redone: ability1 is off again.']);
	service.queue.set(1, true);
	await answerAll();
	history.undo();
	assert.deepEqual(told.slice(2), ['info: Nothing to undo: ability1 is already on.']);
});

test('an undo and a redo of many count them, or say that there is nothing to do', async () => {
	const {service, switching, told, progress, answerAll, history} = open();
	switching.setMany([1, 2, 3], false);
	await answerAll();
	history.undo();
	await answerAll();
	history.redo();
	await answerAll();
	assert.deepEqual(told, ['info: 3 switched off.', 'info: Undone: 3 switched back.', 'info: Redone: 3 switched again.']);
	assert.deepEqual(progress.filter(text => text?.includes('1 of 3')), ['Switching off: 1 of 3…', 'Undoing: 1 of 3…', 'Redoing: 1 of 3…']);
	for (const isEnabled of [true, false]) {
		for (const id of [1, 2, 3]) {
			service.queue.set(id, isEnabled);
		}

		await answerAll();
		if (isEnabled) {
			history.undo();
		} else {
			history.redo();
		}
	}

	assert.deepEqual(told.slice(3), ['info: Nothing to undo.', 'info: Nothing to redo.']);
});

test('an undo of many that failed for all does not say that it was done', async () => {
	const {service, switching, told, answerAll, history} = open();
	switching.setMany([1, 2], false);
	await answerAll();
	history.undo();
	await service.requests[2]!.refuse();
	await service.requests[3]!.refuse();
	assert.equal(told.at(-1), 'error: 0 switched back, 2 failed.');
});

test('a failed undo can be undone again, and so can what was done before it', async () => {
	const {service, switching, told, shown, answerAll, history} = open();
	switching.toggle(4);
	await answerAll();
	switching.setMany([4, 1, 2], false);
	await answerAll();
	assert.equal(shown(), 'off off on off off off');
	const before = service.requests.length;
	history.undo();
	await service.requests[before]!.refuse();
	await service.requests[before + 1]!.succeed();
	await service.requests[before + 2]!.refuse();
	assert.equal(shown(), 'on off on off off off');
	assert.equal(told.at(-1), 'error: Undone: 1 switched back, 2 failed.');
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on on off off');
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on off off off');
	assert.equal(history.undo(), false);
});

test('a failed redo can be redone', async () => {
	const {service, switching, shown, answerAll, history} = open();
	switching.toggle(1);
	await answerAll();
	history.undo();
	await answerAll();
	history.redo();
	await service.requests[2]!.refuse();
	assert.equal(shown(), 'on on on off off off');
	assert.equal(history.undo(), false);
	history.redo();
	await answerAll();
	assert.equal(shown(), 'off on on off off off');
});

test('a new change clears what could be redone', async () => {
	const {switching, answerAll, history} = open();
	switching.toggle(1);
	history.undo();
	await answerAll();
	switching.toggle(2);
	assert.equal(history.redo(), false);
});

test('what failed cannot be undone', async () => {
	const {service, switching, history} = open();
	switching.toggle(1);
	await service.requests[0]!.refuse();
	assert.equal(history.undo(), false);
	assert.equal(service.requests.length, 1);
});

test('a change of many also ends if one of them was reversed before it failed', async () => {
	const {service, switching, told, progress} = open();
	switching.setMany([1, 2], false);
	switching.toggle(1);
	await service.requests[0]!.refuse();
	await service.requests[1]!.succeed();
	assert.equal(progress.at(-1), undefined, 'nothing is left to wait for');
	assert.deepEqual(told, ['info: 1 switched off.'], 'the reversed one stayed on');
});

test('a change of many that is undone before all have answered is reported by the undo alone', async () => {
	const {service, switching, told, shown, answerAll, history} = open();
	switching.setMany([1, 2, 3], false);
	await service.requests[0]!.succeed();
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on off off off');
	assert.deepEqual(told, ['info: Undone: 3 switched back.']);
});

test('a failure is forgotten when the change is retried, or the list shows it done', async () => {
	const {service, switching} = open();
	switching.toggle(1);
	await service.requests[0]!.refuse();
	switching.toggle(1);
	assert.equal(switching.getFailures().size, 0);
	await service.requests[1]!.refuse();
	assert.equal(switching.getFailures().size, 1);
	switching.handleList([installedAbility(1, true), installedAbility(2, true)]);
	assert.equal(switching.getFailures().size, 1, 'still on');
	switching.handleList([installedAbility(1, false), installedAbility(2, true)]);
	assert.equal(switching.getFailures().size, 0);
});

test('the last twenty changes can be undone', async () => {
	const {switching, answerAll, history} = open();
	for (let change = 0; change < 25; change++) {
		switching.toggle(1);
		await answerAll();
	}

	let count = 0;
	while (history.undo()) {
		count++;
		await answerAll();
	}

	assert.equal(count, 20);
});

test('subscribers hear of failures that come and go, until they unsubscribe', async () => {
	const {service, switching} = open();
	const sizes: number[] = [];
	const leave = switching.subscribe(() => {
		sizes.push(switching.getFailures().size);
	});
	switching.toggle(1);
	await service.requests[0]!.refuse();
	switching.toggle(1);
	leave();
	await service.requests[1]!.refuse();
	assert.deepEqual(sizes, [1, 0]);
});

test('a change of unknown outcome stays in the history, and an undo does not skip it', async () => {
	const {service, switching, history, told} = open();
	switching.toggle(1);
	await service.requests[0]!.succeed();
	switching.toggle(2);
	await service.requests[1]!.lose('not-carried-out');
	await service.reads[0]!.succeed();
	history.undo();
	assert.equal(told.at(-1), 'info: Nothing to undo: ability2 is already on.');
	assert.equal(service.stored.get(1), false, 'the switch before it stands');
	history.undo();
	assert.deepEqual(service.asked(), ['1 off', '2 off', '1 on']);
});

test('an undo that fails while something else was done is undone after that', async () => {
	const {service, switching, history} = open();
	switching.toggle(1);
	await service.requests[0]!.succeed();
	history.undo();
	switching.toggle(2);
	await service.requests[2]!.succeed();
	await service.requests[1]!.refuse();
	history.undo();
	history.undo();
	assert.deepEqual(service.asked(), ['1 off', '1 on', '2 off', '2 on', '1 on']);
});

test('a change that was reversed before it was refused leaves nothing to undo', async () => {
	const {service, switching, history, answerAll} = open();
	switching.toggle(1);
	history.undo();
	switching.toggle(1);
	await service.requests[0]!.refuse();
	assert.equal(history.undo(), false);
	await answerAll();
	assert.deepEqual(service.asked(), ['1 off']);
});

test('of many changes, a few are named', () => {
	const changes = Array.from({length: 5000}, (_, index) => ({name: `ability${index}`, wasEnabled: index === 0 ? undefined : false, isEnabled: true}));
	assert.deepEqual(switchedLines(changes), [
		'ability0: ? → on',
		'ability1, ability2, ability3, ability4, ability5 and 4,994 more: off → on',
	]);
});

test('the progress counts what is answered, and that of a bulk change goes on when a later one has ended', async () => {
	const {service, switching, progress} = open();
	switching.setMany([1, 2, 3], false);
	switching.setMany([4, 5], true);
	assert.equal(progress.at(-1), 'Switching on: 0 of 2…');
	await service.requests[0]!.succeed();
	await service.requests[3]!.succeed();
	await service.requests[4]!.succeed();
	assert.equal(progress.at(-1), 'Switching off: 1 of 3…');
	await service.requests[1]!.succeed();
	await service.requests[2]!.succeed();
	assert.equal(progress.at(-1), undefined);
});
