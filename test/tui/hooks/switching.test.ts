import {assert, test} from '../../helpers/node.ts';
import {switchedLines} from '../../../source/tui/hooks/switch-words.ts';
import {createSwitching} from '../../../source/tui/hooks/switching.ts';
import {ownTimeZone} from '../../../source/words/time-zone.ts';
import {createUndoHistory} from '../../../source/tui/hooks/undo-history.ts';
import {createHeldService, installedAbility} from '../helpers/held-service.ts';

/** Switching on a service whose answers the test gives by hand; abilities 1 to 3 are on, 4 to 6 off. */
function open() {
	const told: string[] = [];
	const progress: Array<string | undefined> = [];
	const stoppable: Array<boolean | undefined> = [];
	const switched: string[] = [];
	const service = createHeldService([1, 2, 3, 4, 5, 6].map(id => installedAbility(id, id < 4, `ability${id}`)));
	const history = createUndoHistory({
		say(level, text) {
			told.push(`${level}: ${text}`);
		},
	});
	const switching = createSwitching({
		set: service.queue.setAll,
		mayBeOvertaken: () => false,
		agreeToUndo: async () => true,
		newGroup: (...undoes) => ({group: 'group', undoes}),
		history,
		shownRecord(id) {
			const shown = service.shownOf(id);
			return shown && {...shown, timer: undefined};
		},
		isListFresh: () => true,
		timeZone: ownTimeZone,
		cursorKey: () => '',
		onFailed({installed}, kind) {
			told.push(`${installed.name} failed${kind === 'toggle' ? '' : ` (${kind})`}`);
		},
		onStart() {
			switched.push('start');
		},
		onSwitched(changes) {
			switched.push(...switchedLines(changes));
		},
		onProgress(text, _count, isStoppable) {
			progress.push(text);
			stoppable.push(isStoppable);
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

	return {service, history, switching, told, progress, stoppable, switched, shown, answerAll};
}

type Opened = ReturnType<typeof open>;

/** By ids, or by the numbers of requests and reads. */
const steps: Readonly<Record<string, (opened: Opened, numbers: readonly number[]) => Promise<void> | void>> = {
	toggle({switching}, [id]) {
		switching.toggle(id!);
	},
	off({switching}, ids) {
		switching.setMany(ids, false);
	},
	on({switching}, ids) {
		switching.setMany(ids, true);
	},
	/** Switched by somebody else on this screen, past the history. */
	besides({service}, ids) {
		for (const id of ids) {
			service.queue.set(id, service.shown(id) === 'off');
		}
	},
	undo({history, told}) {
		if (!history.undo()) {
			told.push('nothing left');
		}
	},
	redo({history, told}) {
		if (!history.redo()) {
			told.push('nothing left');
		}
	},
	all: async ({answerAll}) => answerAll(),
	async ok({service: {requests}}, numbers) {
		for (const number of numbers) {
			await requests[number]!.succeed();
		}
	},
	async refuse({service: {requests}}, numbers) {
		for (const number of numbers) {
			await requests[number]!.refuse();
		}
	},
	drop: async ({service}, [number]) => service.requests[number!]!.lose('not-carried-out'),
	read: async ({service}, [number]) => service.reads[number!]!.succeed(),
};

/** What happens, with the states that are shown in between after `=`, 1 for on and 0 for off; what is said; and what was requested. */
type Case = readonly [title: string, happens: string, told: readonly string[], asked?: string];

const cases: readonly Case[] = [
	[
		'undo reverts the last change, and redo repeats it',
		'toggle1 all on4,5 all =011110 undo all =011000 undo all =111000 undo redo redo all =011110 redo',
		[
			'info: 2 switched on.',
			'info: Undone: ability4 and ability5 are off again.',
			'info: Undone: ability1 is on again.',
			'nothing left',
			'info: Redone: ability1 is off again.',
			'info: Redone: ability4 and ability5 are on again.',
			'nothing left',
		],
	],
	[
		'undo reverts a change that is still pending',
		'toggle1 undo =1~11000 ok0 ok1 =111000',
		['info: Undone: ability1 is on again.'],
		'1 off, 1 on',
	],
	[
		'an undo of one record says that there is nothing to undo',
		'toggle1 all besides1 all undo',
		['info: Nothing to undo there: ability1 is on already.'],
	],
	[
		'an undo and a redo of many say that there is nothing to do',
		'off1,2,3 all besides1,2,3 all undo besides1,2,3 all redo',
		['info: 3 switched off.', 'info: Nothing to undo.', 'info: Nothing to redo.'],
	],
	[
		'an undo of many that failed for all does not say that it was done',
		'off1,2 all undo refuse2,3',
		['info: 2 switched off.', 'ability1 failed (undo)', 'ability2 failed (undo)', 'error: 2 failed.'],
	],
	[
		'a failed undo can be undone again, and so can what was done before it',
		'toggle4 all off4,1,2 all =001000 undo refuse4 ok5 refuse6 =101000 undo all =111100 undo all =111000 undo',
		[
			'info: 3 switched off.',
			'ability4 failed (undo)',
			'ability2 failed (undo)',
			'error: Undone: 1 switched back, 2 failed.',
			'info: Undone: ability4 and ability2 are on again.',
			'info: Undone: ability4 is off again.',
			'nothing left',
		],
	],
	[
		'a failed redo can be redone',
		'toggle1 all undo all redo refuse2 =111000 undo redo all =011000',
		['info: Undone: ability1 is on again.', 'ability1 failed (redo)', 'nothing left', 'info: Redone: ability1 is off again.'],
	],
	['a new change clears what could be redone', 'toggle1 undo all toggle2 redo', ['info: Undone: ability1 is on again.', 'nothing left']],
	['what failed cannot be undone', 'toggle1 refuse0 undo', ['ability1 failed', 'nothing left'], '1 off'],
	[
		'a change of many that is undone before all have answered is reported by the undo alone',
		'off1,2,3 ok0 undo all =111000',
		['info: Undone: ability1, ability2 and ability3 are on again.'],
	],
	[
		'a change of unknown outcome stays in the history, and an undo does not skip it',
		'toggle1 ok0 toggle2 drop1 read0 undo =011000 undo',
		['ability2 failed', 'info: Nothing to undo there: ability2 is on already.'],
		'1 off, 2 off, 1 on',
	],
	[
		'an undo that fails while something else was done is undone after that',
		'toggle1 ok0 undo toggle2 ok2 refuse1 undo undo',
		['ability1 failed (undo)'],
		'1 off, 1 on, 2 off, 2 on, 1 on',
	],
	[
		'a change that was reversed before it was refused leaves nothing to undo',
		'toggle1 undo toggle1 refuse0 undo all',
		['ability1 failed', 'nothing left'],
		'1 off',
	],
];

for (const [title, happens, told, asked] of cases) {
	test(title, async () => {
		const opened = open();
		for (const step of happens.split(' ')) {
			const {verb = '', numbers = ''} = /^(?<verb>[a-z]+)(?<numbers>[\d,]*)$/.exec(step)?.groups ?? {};
			if (step.startsWith('=')) {
				assert.equal(opened.shown().replaceAll('on', '1').replaceAll('off', '0').replaceAll(' ', ''), step.slice(1));
			} else {
				await steps[verb]!(opened, numbers === '' ? [] : numbers.split(',').map(Number));
			}
		}

		assert.deepEqual(opened.told, told);
		if (asked !== undefined) {
			assert.equal(opened.service.asked().join(', '), asked);
		}
	});
}

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

test('one key for many switches all on, or all off if all are on', async () => {
	const {service, switching, told, answerAll} = open();
	assert.equal(switching.toggleMany([2, 3, 4]), 1, 'those that are on stay on');
	await answerAll();
	assert.equal(switching.toggleMany([2, 3, 4]), 3);
	await answerAll();
	assert.deepEqual(service.asked(), ['4 on', '2 off', '3 off', '4 off']);
	assert.deepEqual(told, ['info: ability4 is on.', 'info: 3 switched off.']);
	assert.equal(switching.toggleMany([99]), 0);
});

test('undo stops a large change: what waits is not sent, and what was sent is taken back', async () => {
	const {service, history, switching, told, progress, stoppable, switched, shown, answerAll} = open();
	switching.setMany([1, 2, 3], false);
	assert.equal(stoppable.at(-1), false, 'nothing of it waits');
	await answerAll();
	switching.setMany([1, 2, 3, 4, 5, 6], true);
	await answerAll();
	assert.equal(shown(), 'on on on on on on');
	switching.setMany([1, 2, 3, 4, 5, 6], false);
	assert.equal(stoppable.at(-1), true);
	const askedBefore = service.asked().length;
	assert.deepEqual(service.asked().slice(-4), ['1 off', '2 off', '3 off', '4 off']);
	history.undo();
	assert.equal(stoppable.at(-1), false, 'another undo would not stop the first one');
	await answerAll();
	assert.equal(shown(), 'on on on on on on');
	assert.deepEqual(service.asked().slice(askedBefore), ['1 on', '2 on', '3 on', '4 on']);
	assert.deepEqual(told.slice(2), ['info: Undone: 4 switched back. The rest had not been sent.']);
	assert.ok(progress.includes('Undoing: 3 of 4…'));
	assert.deepEqual(switched.slice(-2), [
		'ability1, ability2, ability3, ability4: on → off',
		'ability1, ability2, ability3, ability4: off → on',
	]);
	history.redo();
	await answerAll();
	assert.equal(shown(), 'off off off off on on', 'what was never sent is not done again');
});

test('an undo before anything is sent says so, and leaves nothing to redo', async () => {
	const {service, history, switching, told, switched, shown, answerAll} = open();
	switching.setMany([1, 2, 3], false);
	switching.toggle(4);
	switching.setMany([5, 6], true);
	history.undo();
	assert.deepEqual(told, ['info: Undone: nothing had been sent.']);
	assert.equal(history.redo(), false);
	await answerAll();
	assert.equal(shown(), 'off off off on off off');
	assert.deepEqual(service.asked(), ['1 off', '2 off', '3 off', '4 on']);
	assert.deepEqual(
		switched.filter(line => line !== 'start'),
		['ability1, ability2, ability3: on → off', 'ability4: off → on'],
	);
});

test('a large change is not said to be stopped by undo once something newer would be undone', async () => {
	const {service, switching, stoppable, progress} = open();
	switching.applyPreset(
		'night',
		[1, 2, 3, 4, 5, 6].map(id => ({id, isEnabled: id > 3})),
	);
	assert.equal(stoppable.at(-1), true);
	switching.toggle(6);
	await service.requests[0]!.succeed();
	assert.deepEqual([progress.at(-1), stoppable.at(-1)], ['Applying the preset: 1 of 5…', false]);
});

test('a preset sets each to its own state, none is flipped, and one undo takes back all of it', async () => {
	const {service, history, switching, told, progress, switched, shown, answerAll} = open();
	const targets = [
		{id: 1, isEnabled: true},
		{id: 2, isEnabled: false},
		{id: 4, isEnabled: true},
		{id: 9, isEnabled: true},
	];
	assert.equal(switching.applyPreset('night', targets, {note: ' One is not installed.', undoText: ' u undoes this.'}), 2);
	assert.deepEqual(service.asked(), ['2 off', '4 on']);
	await answerAll();
	assert.equal(shown(), 'on off on on off off');
	assert.deepEqual(progress, ['Applying the preset: 0 of 2…', 'Applying the preset: 1 of 2…', undefined]);
	assert.deepEqual(switched, ['start', 'ability2: on → off', 'ability4: off → on']);
	history.undo();
	await answerAll();
	assert.equal(shown(), 'on on on off off off');
	assert.deepEqual(progress.slice(3), ['Undoing: 0 of 2…', 'Undoing: 1 of 2…', undefined]);
	assert.deepEqual(told, [
		'info: Applied night: 2 switched. u undoes this. One is not installed.',
		'info: Undone: ability2 is on again; ability4 is off again.',
	]);
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

test('a change of many also ends if one of them was reversed before it failed', async () => {
	const {service, switching, told, progress} = open();
	switching.setMany([1, 2], false);
	switching.toggle(1);
	await service.requests[0]!.refuse();
	await service.requests[1]!.succeed();
	assert.equal(progress.at(-1), undefined, 'nothing is left to wait for');
	assert.deepEqual(told, ['info: 1 switched off.'], 'the reversed one stayed on');
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

test('of many changes, a few are named', () => {
	const changes = Array.from({length: 5000}, (_, index) => ({
		name: `ability${index}`,
		wasEnabled: index === 0 ? undefined : false,
		isEnabled: true,
	}));
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
