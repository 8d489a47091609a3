import {assert, test, type TestContext} from '../helpers/node.ts';
import {installedRecord, json, jsonError, lastError, parseJson, startLiveLike} from './kit.ts';

const start = async (t: TestContext) =>
	startLiveLike(t, {
		home: {
			installed: [
				installedRecord(100, 'Lamp', true),
				{...installedRecord(101, 'Radio', true), enabled: null},
				{id: 102, name: 'Desk', category: 'skill'},
			],
		},
	});

test('an unknown state is ? in the table and null in JSON', async (t: TestContext) => {
	const {run} = await start(t);
	const table = await run(['installed']);
	assert.deepEqual(
		table.stdout.split('\n').map(line => line.split('\t').slice(0, 3)),
		[['100', 'on', 'Lamp'], ['101', '?', 'Radio'], ['102', '?', 'Desk'], ['']],
	);
	const records = parseJson((await run(['installed', '--json'])).stdout) as ReadonlyArray<{readonly enabled: unknown}>;
	assert.deepEqual(
		records.map(({enabled}) => enabled),
		[true, null, null],
	);
});

test('toggle refuses an unknown state and names enable and disable', async (t: TestContext) => {
	const {run, asked} = await start(t);
	const result = await run(['toggle', 'radio', '--json']);
	const message =
		'The service does not show whether Radio is on, so it cannot be toggled. Use: switchboard enable 101, or switchboard disable 101';
	assert.equal(
		result.stdout,
		json([{installed_cap_id: 101, name: 'Radio', enabled: null, changed: false, error: {kind: 'refused', message}}]),
	);
	assert.deepEqual([result.exitCode, result.stderr], [2, jsonError('refused', message)]);
	assert.deepEqual(asked(), ['GET']);
});

test('toggle of several fails only for unknown states', async (t: TestContext) => {
	const {run, asked} = await start(t);
	const result = await run(['toggle', '--all']);
	assert.deepEqual([result.exitCode, result.stdout], [6, '100\toff\tLamp\tchanged\n101\t?\tRadio\tfailed\n102\t?\tDesk\tfailed\n']);
	assert.match(result.stderr, /^Radio: The service does not show whether Radio is on, [^\n]+\nDesk: [^\n]+\n2 of 3 failed\.\n/);
	assert.deepEqual(asked(), ['GET', 'PUT 100 off']);
	assert.equal(lastError(await run(['toggle', '101', '102', '--json'])).kind, 'some-failed');
});

test('enable and disable work with an unknown state', async (t: TestContext) => {
	const {run, asked} = await start(t);
	assert.equal((await run(['disable', 'radio'])).stdout, '101\toff\tRadio\tchanged\n');
	assert.equal((await run(['enable', 'desk'])).stdout, '102\ton\tDesk\tchanged\n');
	assert.deepEqual(asked(), ['GET', 'PUT 101 off', 'GET', 'PUT 102 on']);
});
