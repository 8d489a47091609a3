import {assert, test, type TestContext} from '../helpers/node.ts';
import type {RequestFilter} from '../helpers/recorded-requests.ts';
import type {Failure} from '../helpers/trouble.ts';
import {installedRecord, isRead, isWrite, json, jsonError, lastError, parseJson, runCommand, startLiveLike, waitUntil} from './kit.ts';

const threeAbilities = [installedRecord(100, 'Lamp', true), installedRecord(101, 'Radio', false), installedRecord(102, 'Desk', true)];

const start = async (t: TestContext) => startLiveLike(t, {home: {installed: structuredClone(threeAbilities)}, deletion: 'documented'});

/** The service knows this path, and not the documented one that is tried first. */
const isListOfAbilities: RequestFilter = ({path: requested}) => requested.endsWith('/get-all-capabilities/');

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

test('changes that may still arrive are not reported as unchanged', async (t: TestContext) => {
	const {run, service, asked, states} = await start(t);
	const release = service.hold({when: isWrite});
	const result = await run(['disable', '100', '102', '--json', '--timeout', '3']);
	const late = (name: string) => ({
		kind: 'timeout',
		message: `${service.baseAddress} did not answer in time. ${name} is not off yet: the change was sent and may still arrive. Check with: switchboard installed`,
	});
	assert.equal(
		result.stdout,
		json([
			{installed_cap_id: 100, name: 'Lamp', enabled: true, changed: null, error: late('Lamp')},
			{installed_cap_id: 102, name: 'Desk', enabled: true, changed: null, error: late('Desk')},
		]),
	);
	assert.equal(result.stderr, jsonError('some-failed', '0 switched, 2 not known. Check with: switchboard installed'));
	assert.equal(result.exitCode, 6);
	assert.deepEqual(asked(), ['GET', 'PUT 100 off', 'PUT 102 off', 'GET']);
	release();
	await waitUntil(() => states().every(state => state === false));
});

test('a change whose answer is late but which the list shows is reported as done', async (t: TestContext) => {
	const {run, service, asked, states} = await start(t);
	service.hold({when: isWrite, isCarriedOutFirst: true});
	const result = await run(['disable', '100', '102', '--json', '--timeout', '3']);
	assert.deepEqual([result.exitCode, result.stderr], [0, '']);
	assert.equal(
		result.stdout,
		json([
			{installed_cap_id: 100, name: 'Lamp', enabled: false, changed: true},
			{installed_cap_id: 102, name: 'Desk', enabled: false, changed: true},
		]),
	);
	assert.deepEqual(asked(), ['GET', 'PUT 100 off', 'PUT 102 off', 'GET']);
	assert.deepEqual(states(), [false, false, false]);
});

test('a toggle whose answer is lost is done where the list shows the new state', async (t: TestContext) => {
	const {run, service, states} = await start(t);
	service.failNext({...carriedOut, times: 6});
	const result = await run(['toggle', '--all']);
	assert.deepEqual([result.exitCode, result.stderr], [0, '']);
	assert.equal(result.stdout, '100\toff\tLamp\tchanged\n101\ton\tRadio\tchanged\n102\toff\tDesk\tchanged\n');
	assert.deepEqual(states(), [false, true, false]);
	assert.equal(service.requests.filter(isRead).length, 2);
});

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

test('the final check of the list obeys --timeout', async (t: TestContext) => {
	const {run, service, asked} = await start(t);
	service.failNext(carriedOut);
	service.hold({when: request => isRead(request) && service.requests.length > 1});
	const result = await run(['disable', 'lamp', '--timeout', '3']);
	assert.deepEqual([result.exitCode, result.stdout], [5, '100\t?\tLamp\tnot known\n']);
	assert.deepEqual(asked(), ['GET', 'PUT 100 off', 'PUT 100 off', 'GET']);
});

test('the final check of the list takes 5 s at most', async (t: TestContext) => {
	const {env, service} = await start(t);
	service.failNext(carriedOut);
	service.hold({when: request => isRead(request) && service.requests.length > 1});
	const result = await runCommand(['disable', 'lamp', '--timeout', '86400'], {env});
	assert.deepEqual([result.exitCode, result.stdout], [5, '100\t?\tLamp\tnot known\n']);
});

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

test('an ability whose deletion got no answer is deleted if the list lacks it', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext({
		body: '{"detail": "Deleted"}',
		cut: 'body',
		isCarriedOut: true,
		when: ({path: requested}) => requested.endsWith('/delete-capability/21/'),
	});
	service.failNext({...cutTwice, when: ({path: requested}) => requested.endsWith('/delete-capability/22/')});
	const result = await run(['abilities', 'delete', 'lamps', 'pantry', 'desk', '--yes', '--json']);
	const cut = `${service.baseAddress} could not be reached: connection lost.`;
	assert.equal(
		result.stdout,
		json([
			{capability_id: 21, name: 'lamps', deleted: true},
			{
				capability_id: 22,
				name: 'pantry',
				deleted: null,
				error: {
					kind: 'unreachable',
					message: `${cut} pantry is not deleted yet: the change was sent and may still arrive. Check with: switchboard abilities`,
				},
			},
			{capability_id: 24, name: 'desk', deleted: true},
		]),
	);
	assert.deepEqual(
		[result.exitCode, lastError(result)],
		[6, {kind: 'some-failed', message: '2 deleted, 1 not known. Check with: switchboard abilities'}],
	);
	assert.equal(service.requests.filter(request => isListOfAbilities(request)).length, 2);
});

test('an agents edit of abilities that the service does not show stays unknown without an answer', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext(carriedOut);
	const result = await run(['agents', 'edit', 'hearth', '--no-abilities', '--yes', '--json']);
	assert.deepEqual([result.exitCode, result.stdout], [5, '']);
	assert.match(lastError(result).message, /It is not known whether Hearth was changed: the change was sent and may still arrive\./);
	assert.deepEqual(service.ties.get(1), []);
});
