import {assert, test, type TestContext} from '../helpers/node.ts';
import type {Failure} from '../helpers/trouble.ts';
import {installedRecord, isRead, isWrite, lastError, parseJson, startLiveLike} from './kit.ts';

const threeAbilities = [installedRecord(100, 'Lamp', true), installedRecord(101, 'Radio', false), installedRecord(102, 'Desk', true)];

const start = async (t: TestContext) => startLiveLike(t, {home: {installed: structuredClone(threeAbilities)}, deletion: 'documented'});

/** A write is sent once more after its line was cut. */
const cutTwice: Failure = {cut: 'connection', times: 2, when: isWrite};

const carriedOut: Failure = {...cutTwice, isCarriedOut: true};

const lookInstead = 'Check with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.';

/** The parts of an item that scripts look at. */
type Item = {
	readonly installed_cap_id?: number;
	readonly capability_id?: number;
	readonly enabled?: boolean;
	readonly changed?: boolean;
	readonly deleted?: boolean;
	readonly error?: {readonly kind: string; readonly message: string};
};

const itemsOf = (stdout: string): readonly Item[] => parseJson(stdout) as readonly Item[];

test('after an unknown outcome, toggle advises to check instead of retrying', async (t: TestContext) => {
	const {run, service, states} = await start(t);
	service.failNext({...cutTwice, when: ({path: requested}) => requested.endsWith('/102/')});
	const result = await run(['toggle', '--all']);
	assert.equal(result.stdout, '100\toff\tLamp\tchanged\n101\ton\tRadio\tchanged\n102\ton\tDesk\tnot known\n');
	assert.equal(
		result.stderr,
		[
			`Desk: ${service.baseAddress} could not be reached: connection lost. Desk is not off yet: the change was sent and may still arrive.`,
			'2 switched, 1 not known.',
			lookInstead,
			'',
		].join('\n'),
	);
	assert.equal(result.exitCode, 6);
	assert.deepEqual(states(), [false, true, true]);
});

test('after a failure, toggle does not advise to retry', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext({status: 500, when: isWrite});
	const result = await run(['toggle', 'lamp']);
	assert.deepEqual([result.exitCode, result.stdout], [5, '100\ton\tLamp\tfailed\n']);
	assert.equal(result.stderr, `The service failed (HTTP 500).\n${lookInstead}\n`);
});

test('the summary counts switched, unchanged, failed and unknown', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.installed.push(installedRecord(103, 'Porch', false));
	service.failNext({status: 500, when: ({path: requested}) => requested.endsWith('/101/')});
	service.failNext({...cutTwice, when: ({path: requested}) => requested.endsWith('/103/')});
	const result = await run(['enable', '--all', '--json']);
	assert.deepEqual(lastError(result), {
		kind: 'some-failed',
		message: '0 switched, 2 unchanged, 1 failed, 1 not known. Run the command again for the ones that failed.',
	});
	assert.deepEqual(
		itemsOf(result.stdout).map(({enabled, changed}) => [enabled, changed]),
		[
			[true, false],
			[false, false],
			[true, false],
			[false, null],
		],
	);
});

for (const [title, limit] of [
	['obeys --timeout', '3'],
	['takes 5 s at most', '86400'],
] as const) {
	test(`the final check of the list ${title}`, async (t: TestContext) => {
		const {run, service, asked} = await start(t);
		service.failNext(carriedOut);
		service.hold({when: request => isRead(request) && service.requests.length > 1});
		const result = await run(['disable', 'lamp', '--timeout', limit]);
		assert.deepEqual([result.exitCode, result.stdout], [5, '100\t?\tLamp\tnot known\n']);
		assert.deepEqual(asked(), ['GET', 'PUT 100 off', 'PUT 100 off', 'GET']);
	});
}

test('an ability removed meanwhile is reported as gone', async (t: TestContext) => {
	const {run, service} = await start(t);
	const release = service.hold({when: isWrite});
	const running = run(['disable', 'lamp', 'desk', '--json', '--timeout', '3']);
	await service.waitForRequests(2, isWrite);
	service.installed.shift();
	const result = await running;
	release();
	assert.deepEqual(
		itemsOf(result.stdout).map(({enabled, changed}) => [enabled, changed]),
		[
			[null, null],
			[true, null],
		],
	);
	assert.match(itemsOf(result.stdout)[0]!.error!.message, /did not answer in time\. Lamp is no longer in the list\./);
});

test('an agents edit of abilities that the service does not show stays unknown without an answer', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext(carriedOut);
	const result = await run(['agents', 'edit', 'hearth', '--no-abilities', '--yes', '--json']);
	assert.deepEqual([result.exitCode, result.stdout], [5, '']);
	assert.match(lastError(result).message, /It is not known whether Hearth was changed: the change was sent and may still arrive\./);
	assert.deepEqual(service.ties.get(1), []);
});
