import {assert, test, type TestContext} from '../helpers/node.ts';
import {ended, isWrite, json, jsonAnswer, lastError, openTerminal, parseJson, startLiveLike} from './kit.ts';

const record = (id: number, name: string, enabled: boolean) => ({
	id,
	name,
	enabled,
	category: 'skill',
	trigger_words: ['open sesame'],
	system_capability: false,
	agent_capability: false,
});

const start = async (t: TestContext, ...more: ReadonlyArray<ReturnType<typeof record>>) =>
	startLiveLike(t, {
		home: {
			installed: [
				record(1, 'Lamp', false),
				record(2, 'Radio', true),
				record(3, 'Twin', false),
				record(4, 'twin', true),
				record(5, '2', false),
				...more,
			],
		},
	});

test('enable takes a name in any case and leaves the rest of the record', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['enable', 'LAMP']), ended(0, '1\ton\tLamp\tchanged\n'));
	assert.deepEqual(service.installed[0], record(1, 'Lamp', true));
});

test('disable switches off, toggle flips', async (t: TestContext) => {
	const {run, states} = await start(t);
	assert.equal((await run(['disable', 'radio'])).stdout, '2\toff\tRadio\tchanged\n');
	assert.equal((await run(['toggle', 'radio', 'lamp'])).stdout, '2\ton\tRadio\tchanged\n1\ton\tLamp\tchanged\n');
	assert.deepEqual(states(), [true, true, false, true, false]);
});

test('an ability that is already on is not sent and not reported as changed', async (t: TestContext) => {
	const {run, asked} = await start(t);
	assert.deepEqual(
		await run(['enable', 'radio', '--json']),
		ended(0, json([{installed_cap_id: 2, name: 'Radio', enabled: true, changed: false}])),
	);
	assert.deepEqual(asked(), ['GET']);
});

test('an id beats a name, and each ability is switched once', async (t: TestContext) => {
	const {run, asked} = await start(t);
	await run(['toggle', '2', 'radio', 'RADIO']);
	assert.deepEqual(asked(), ['GET', 'PUT 2 off']);
});

test('a name of digits is not an id of the same number', async (t: TestContext) => {
	const {run, states} = await start(t, record(6, '002', true));
	assert.equal((await run(['disable', '002'])).stdout, '6\toff\t002\tchanged\n');
	assert.equal((await run(['disable', '0002'])).exitCode, 4);
	assert.deepEqual(states(), [false, true, false, true, false, false]);
});

test('a name too long to be shown is found by its full text', async (t: TestContext) => {
	const name = 'Lamp'.repeat(100);
	const {run, states} = await start(t, record(6, name, false));
	assert.equal((await run(['enable', name])).exitCode, 0);
	assert.equal(states().at(-1), true);
});

test('--all switches every ability, and failures carry their error', async (t: TestContext) => {
	const {run, service, states} = await start(t);
	service.failNext({status: 500, when: request => isWrite(request) && request.path.endsWith('/3/')});
	const result = await run(['enable', '--all', '--json']);
	assert.equal(result.exitCode, 6);
	assert.equal(lastError(result).kind, 'some-failed');
	const items = parseJson(result.stdout) as ReadonlyArray<{
		readonly installed_cap_id: number;
		readonly enabled: boolean;
		readonly changed: boolean;
		readonly error?: {readonly kind: string};
	}>;
	assert.deepEqual(
		items.map(item => [item.installed_cap_id, item.enabled, item.changed, item.error?.kind]),
		[
			[1, true, true, undefined],
			[2, true, false, undefined],
			[3, false, false, 'server-error'],
			[4, true, false, undefined],
			[5, true, true, undefined],
		],
	);
	assert.deepEqual(states(), [true, true, false, true, true]);
});

test('on a terminal --all counts on standard error and prints a sentence for each', async (t: TestContext) => {
	const {env, service} = await start(t);
	service.installed = service.installed.slice(0, 3);
	const release = service.hold({when: request => isWrite(request) && request.path.endsWith('/3/')});
	await using terminal = openTerminal(['enable', '--all'], {env});
	// The second one was on before.
	await terminal.waitFor('Switching: 2 of 3 …');
	release();
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(terminal.lines(), ['Lamp is on.', 'Radio was already on.', 'Twin is on.']);
});

test('a service that says twice that nothing was changed is believed, and the list is not read again', async (t: TestContext) => {
	const {run, service, asked} = await start(t);
	service.failNext({
		...jsonAnswer({detail: 'Its database cannot be reached, so nothing was changed. Try again in a moment.', code: 'nothing-changed'}, 503),
		when: isWrite,
		times: 2,
	});
	const error = {
		kind: 'server-error',
		message: 'The service answered “Its database cannot be reached, so nothing was changed. Try again in a moment”.',
	};
	const result = await run(['enable', 'lamp', '--json']);
	assert.deepEqual(
		[result.exitCode, parseJson(result.stdout), lastError(result)],
		[5, [{installed_cap_id: 1, name: 'Lamp', enabled: false, changed: false, error}], error],
	);
	assert.deepEqual(asked(), ['GET', 'PUT 1 on', 'PUT 1 on']);
});

test('names with --all, or neither, are refused', async (t: TestContext) => {
	const {run} = await start(t);
	assert.equal((await run(['enable'])).exitCode, 2);
	assert.equal((await run(['enable', '--all', 'lamp'])).exitCode, 2);
});

test('a service that answers with the other state is not believed', async (t: TestContext) => {
	const {run, service} = await start(t);
	for (const [command, id, name, word] of [
		['disable', 2, 'Radio', 'on'],
		['enable', 1, 'Lamp', 'off'],
		['toggle', 2, 'Radio', 'on'],
	] as const) {
		service.failNext({...jsonAnswer({enabled: word === 'on'}), when: isWrite});
		const result = await run([command, name, '--json']);
		const error = {kind: 'refused', message: `The service answered that ${name} is still ${word}.`};
		assert.deepEqual(
			[result.exitCode, parseJson(result.stdout), lastError(result)],
			[2, [{installed_cap_id: id, name, enabled: word === 'on', changed: false, error}], error],
		);
	}
});
