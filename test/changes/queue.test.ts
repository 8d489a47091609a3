import {assert, test} from '../helpers/node.ts';
import {createHeldService, installedAbility} from '../tui/helpers/held-service.ts';

type HeldService = ReturnType<typeof createHeldService>;

const lamps = installedAbility(1, true, 'lamps');
const pantry = installedAbility(2, false, 'pantry');

/** Handles no answer until the test says so. */
const unhandled = () => (): void => undefined;

/** What happens to `lamps`, which is on: by keys, by the answer to the newest request, by a look-up after a lost answer, and by other lists. */
const steps: Readonly<Record<string, (service: HeldService) => Promise<void> | void>> = {
	press(service) {
		service.queue.toggle(1);
	},
	on(service) {
		service.queue.set(1, true);
	},
	off(service) {
		service.queue.set(1, false);
	},
	ok: async service => service.nextRequest().succeed(),
	'ok-on': async service => service.nextRequest().succeed(true),
	refuse: async service => service.nextRequest().refuse(),
	/** No answer comes, though the change was made. */
	lose: async service => service.nextRequest().lose('carried-out'),
	/** No answer comes, and the change was not made. */
	drop: async service => service.nextRequest().lose('not-carried-out'),
	read: async service => service.reads.at(-1)!.succeed(),
	'no-read': async service => service.reads.at(-1)!.fail(),
	list: async service => service.giveFreshList(),
	'no-list': async service => service.failFreshList(),
	uninstall(service) {
		service.stored.delete(1);
	},
	'off-elsewhere'(service) {
		service.stored.set(1, false);
	},
};

const may = 'lamps off, is on: may still arrive: No answer came in time.';
const unknown = 'lamps off, is on: unknown: No answer came in time.';
const refused = 'lamps off, is on: The service failed (HTTP 500).';
const gone = 'lamps off, is on: lamps is no longer installed.';
const unread = 'lamps off, is on: Nothing listens there.';

/** What happens, with what the row shows in between after `=`; then the requests, and what is reported as failed. */
type Case = readonly [title: string, happens: string, requests: string, ...failures: readonly string[]];

function check(record: typeof lamps, isFresh: boolean, cases: readonly Case[]): void {
	for (const [title, happens, requests, ...failures] of cases) {
		test(title, async () => {
			const service = createHeldService([record, pantry], {isFresh});
			for (const step of happens.split(' ')) {
				if (step.startsWith('=')) {
					assert.equal(service.shown(1), step.slice(1), `in ${happens}`);
				} else {
					await steps[step]!(service);
				}
			}

			assert.deepEqual(service.requests.map(({isEnabled}) => (isEnabled ? 'on' : 'off')).join(' '), requests);
			assert.deepEqual(service.failureTexts(), failures);
		});
	}
}

check(lamps, true, [
	['a change shows at once and settles with the answer', 'press =off~ ok =off', 'off'],
	[
		'a row settles at what the service says, also if that is not what was requested',
		'press ok-on =on',
		'off',
		'lamps off, is on: The service accepted the change, but it is still on.',
	],
	[
		'presses while a request is pending send nothing, and fold into one last intent',
		'press press press press =on~ ok =on~ ok =on',
		'off on',
	],
	['presses that end at the requested state send no second request', 'press press press ok =off', 'off'],
	['presses during a second request fold as well', 'press press ok press ok ok =off', 'off on off'],
	['setting the current state sends nothing', 'on =on', ''],
	['setting a state while a request is pending folds into its intent', 'off on on ok ok =on', 'off on'],
	[
		'a refused change is reverted and reported, sent again by nothing but the next press',
		'press refuse =on press ok =off',
		'off off',
		refused,
	],
	['a refused change that was reversed meanwhile is not reported', 'press press refuse =on', 'off'],
	['a refused change that was wanted again meanwhile is reported once', 'press press press refuse', 'off', refused],
	['an unanswered change that the list shows is done', 'press lose =off~ read =off', 'off'],
	['an unanswered change that the list does not show is reported, and not sent again', 'press drop read =on', 'off', may],
	['if the list cannot be read either, the outcome is reported as unknown', 'press lose no-read =on', 'off', unknown],
	[
		'an unknown outcome is reported also after the change was reversed',
		'press press lose no-read',
		'off',
		'lamps on, is on: unknown: No answer came in time.',
	],
	[
		'a refusal is looked up where an earlier outcome is unknown: a reversal is sent if the earlier change was made',
		'press lose no-read press press refuse =on~ read ok =on',
		'off off on',
		unknown,
	],
	[
		'a refusal is reported with an unknown outcome where that of an earlier change is, and cannot be looked up',
		'press lose no-read press press refuse no-read',
		'off off',
		unknown,
		'lamps on, is on: unknown: The service failed (HTTP 500).',
	],
	[
		'reversing a change while its outcome is checked sends the reversal if the change was made',
		'press lose press =on~ read ok =on',
		'off on',
	],
	['reversing a change while its outcome is checked sends nothing if the change was not made', 'press drop press read =on', 'off'],
	['a record that is gone when the outcome is checked is reported as gone', 'press drop uninstall read =gone', 'off', gone],
	['a refusal also ends a change whose record is no longer listed', 'press uninstall list refuse =gone', 'off', refused],
	['an unreadable list reverts no change that was sent', 'press no-list =off~ ok =off', 'off'],
	['further fresh lists do not send a change again', 'press list list =off~', 'off'],
]);

check(lamps, false, [
	['a record of an earlier run shows its change at once, and sends it after the first fresh list', 'press =off~ list ok =off', 'off'],
	['presses before the first fresh list become one request for the last state', 'press press press list', 'off'],
	['nothing is sent if the first fresh list already shows the wanted state', 'off-elsewhere press list =off', ''],
	['the state that an earlier run shows is set if the first fresh list shows the other', 'off-elsewhere on =on~ list ok =on', 'on'],
	['if no fresh list can be read, what waited for it is reverted and reported', 'press no-list =on', '', unread],
	['a record missing from the first fresh list is reported as gone', 'press uninstall list =gone', '', gone],
]);

check(installedAbility(1, undefined, 'lamps'), true, [
	['an unknown state cannot be flipped', 'press =?', ''],
	[
		'an unknown state is set with one request, and again after a list: it may have been changed since',
		'off off =off~ ok =off list =? off',
		'off off',
	],
	['a press right after an unknown state was set reverses it', 'on press =off~ ok ok =off', 'on off'],
	[
		'a lost answer leaves a state unknown that the service does not show',
		'on lose read',
		'on',
		'lamps on, is ?: unknown: No answer came in time.',
	],
]);

test('records of an earlier run make the queue request a list', () => {
	const service = createHeldService([lamps], {isFresh: false});
	service.queue.toggle(1);
	assert.deepEqual([service.freshListsWanted(), service.asked()], [1, []]);
});

test('an unknown record cannot be switched', () => {
	const service = createHeldService([lamps]);
	service.queue.set(99, true);
	assert.deepEqual([service.queue.intents().size, service.asked()], [0, []]);
});

test('two records are switched at the same time, and the failure of one does not affect the other', async () => {
	const service = createHeldService([lamps, pantry]);
	service.queue.toggle(1);
	service.queue.toggle(2);
	assert.deepEqual(service.asked(), ['1 off', '2 on']);
	await service.nextRequest(0).refuse();
	assert.deepEqual([service.shown(1), service.shown(2)], ['on', 'on~']);
	await service.nextRequest(1).succeed();
	assert.equal(service.shown(2), 'on');
});

test('subscribers hear of every change of what is shown, until they unsubscribe', async () => {
	const service = createHeldService([lamps]);
	const shown: string[] = [];
	const leave = service.queue.subscribe(() => {
		shown.push(service.shown(1));
	});
	service.queue.toggle(1);
	await service.nextRequest().succeed();
	assert.deepEqual([shown[0], shown.at(-1)], ['off~', 'off']);
	leave();
	const heardCount = shown.length;
	service.queue.toggle(1);
	assert.equal(shown.length, heardCount);
});

test('the queue is idle when the last intent has settled, failed or become unknown', async () => {
	const service = createHeldService([lamps, pantry]);
	await service.queue.whenIdle();
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
	await service.nextRequest(2).lose('carried-out');
	assert.equal(isIdle, false);
	await service.reads[0]!.succeed();
	assert.equal(isIdle, true);
});

test('handling an answer costs the same with thousands waiting as with a few', async () => {
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

test('of many changes four are sent at a time, the next as slots become free, whether or not a list can be read', async () => {
	const service = createHeldService(Array.from({length: 7}, (_, index) => installedAbility(index, false)));
	for (let id = 0; id < 7; id++) {
		service.queue.set(id, true);
	}

	assert.deepEqual(service.asked(), ['0 on', '1 on', '2 on', '3 on']);
	assert.equal(service.shown(6), 'on~', 'what waits shows at once as well');
	await service.failFreshList();
	assert.deepEqual(service.failures, []);
	await service.nextRequest(2).succeed();
	assert.deepEqual(service.asked().slice(4), ['4 on']);
	await service.nextRequest(0).refuse();
	assert.deepEqual(service.asked().slice(5), ['5 on']);
	service.queue.set(6, false);
	await service.nextRequest(1).succeed();
	assert.equal(service.asked().length, 6, 'what was folded back while it waited is not sent');
	assert.equal(service.shown(6), 'off');
});

test('answers that come close together are shown at once, and hold up no further request', async () => {
	const service = createHeldService(
		[1, 2, 3, 4, 5].map(id => installedAbility(id, true)),
		{throttle: unhandled},
	);
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
	assert.deepEqual(
		[1, 2, 3].map(id => service.shown(id)),
		['off', 'on', 'off~'],
	);
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
