import {assert, nextTurn, once, process, spawn, test, type TestContext, text} from '../helpers/node.ts';
import {installedRecord, isRead, isWrite, json, jsonError, openPseudoTerminal, parseJson, programFile, startLiveLike} from './kit.ts';

const names = ['Lamp', 'Radio', 'Desk', 'Porch', 'Attic', 'Cellar', 'Stove'];

const homeOf = (count: number) => ({
	installed: Array.from({length: count}, (_, index) => installedRecord(index + 1, names[index] ?? `Lamp${index + 1}`, true)),
});

const notSent = {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'};

const unknownOf = (name: string, state = 'off') => ({
	kind: 'interrupted',
	message: `It is not known whether ${name} is ${state} now: the change was sent and may still arrive. Check with: switchboard installed`,
});

/** Seven abilities, of which two are answered, four are sent and wait for their answers, and one is not sent. */
const startInTheMiddle = async (t: TestContext, words: readonly string[], signal: NodeJS.Signals) => {
	const {service, run, asked, states} = await startLiveLike(t, {home: homeOf(7)});
	const release = service.hold({when: request => isWrite(request) && !/\/[12]\/$/.test(request.path)});
	const interruption = new AbortController();
	const running = run(words, interruption.signal);
	await service.waitForRequests(6, isWrite);
	interruption.abort(signal);
	const result = await running;
	release();
	await nextTurn();
	return {result, asked: asked(), states: states()};
};

test('Ctrl+C in a bulk command reports every record: done, not known or not sent', async (t: TestContext) => {
	const {result, asked, states} = await startInTheMiddle(t, ['disable', '--all', '--json'], 'SIGINT');
	assert.equal(
		result.stdout,
		json(
			names.map((name, index) => ({
				installed_cap_id: index + 1,
				name,
				...(index < 2 && {enabled: false, changed: true}),
				...(index >= 2 && index < 6 && {enabled: null, changed: null, error: unknownOf(name)}),
				...(index === 6 && {enabled: true, changed: false, error: notSent}),
			})),
		),
	);
	assert.deepEqual([result.exitCode, result.signal, result.stderr], [130, null, jsonError('interrupted', 'Interrupted.')]);
	assert.deepEqual(asked.toSorted(), ['GET', 'PUT 1 off', 'PUT 2 off', 'PUT 3 off', 'PUT 4 off', 'PUT 5 off', 'PUT 6 off']);
	// What was sent did arrive, late.
	assert.deepEqual(states, [false, false, false, false, false, false, true]);
});

for (const [signal, exitCode, last] of [
	['SIGTERM', 143, 'Terminated.'],
	['SIGHUP', 129, 'The terminal hung up.'],
	['SIGINT', 130, 'Interrupted.'],
] as const) {
	test(`a bulk command ended by ${signal} prints a line for every record`, async (t: TestContext) => {
		const {result, asked} = await startInTheMiddle(t, ['toggle', '--all'], signal);
		assert.equal(
			result.stdout,
			[
				'1\toff\tLamp\tchanged',
				'2\toff\tRadio\tchanged',
				'3\t?\tDesk\tnot known',
				'4\t?\tPorch\tnot known',
				'5\t?\tAttic\tnot known',
				'6\t?\tCellar\tnot known',
				'7\ton\tStove\tnot sent',
				'',
			].join('\n'),
		);
		assert.deepEqual(result.stderr.split('\n').slice(3), [
			'Cellar: It is not known whether Cellar is off now: the change was sent and may still arrive.',
			'Stove: Not sent: the command was interrupted first.',
			last,
			'',
		]);
		assert.equal(result.exitCode, exitCode);
		assert.equal(asked.length, 7);
	});
}

test('an interrupted command prints its only record in an array too', async (t: TestContext) => {
	const {service, run, asked} = await startLiveLike(t, {home: homeOf(1)});
	const release = service.hold({when: isWrite});
	const interruption = new AbortController();
	const running = run(['disable', 'lamp', '--json'], interruption.signal);
	await service.waitForRequests(1, isWrite);
	interruption.abort('SIGINT');
	const result = await running;
	release();
	assert.equal(result.stdout, json([{installed_cap_id: 1, name: 'Lamp', enabled: null, changed: null, error: unknownOf('Lamp')}]));
	assert.deepEqual([result.exitCode, result.stderr], [130, jsonError('interrupted', 'Interrupted.')]);
	assert.deepEqual(asked(), ['GET', 'PUT 1 off']);
});

test('a signal also ends the final check of the list', async (t: TestContext) => {
	const {service, run, asked} = await startLiveLike(t, {home: homeOf(2)});
	service.failNext({cut: 'connection', times: 2, when: ({path}) => path.endsWith('/1/')});
	const release = service.hold({when: request => isRead(request) && service.requests.some(other => isWrite(other))});
	const interruption = new AbortController();
	const running = run(['disable', '--all', '--json'], interruption.signal);
	await service.waitForRequests(2, isRead);
	interruption.abort('SIGINT');
	const result = await running;
	release();
	const items = parseJson(result.stdout) as ReadonlyArray<{
		readonly enabled: unknown;
		readonly changed: unknown;
		readonly error?: {readonly kind: string};
	}>;
	assert.deepEqual(
		items.map(({enabled, changed, error}) => [enabled, changed, error?.kind]),
		[
			[null, null, 'unreachable'],
			[false, true, undefined],
		],
	);
	assert.equal(result.exitCode, 130);
	assert.deepEqual(asked().toSorted(), ['GET', 'GET', 'PUT 1 off', 'PUT 1 off', 'PUT 2 off']);
});

test('an interrupted command prints all its output, however slowly it is read', async (t: TestContext) => {
	const {service, env} = await startLiveLike(t, {home: homeOf(2000)});
	const release = service.hold({when: isWrite});
	const child = spawn(process.execPath, [programFile, 'disable', '--all', '--json'], {env, stdio: ['ignore', 'pipe', 'pipe']});
	const closed = once(child, 'close');
	const told = text(child.stderr);
	await service.waitForRequests(4, isWrite);
	child.kill('SIGINT');
	// Standard output is read only when the command has nothing left to say: by then the pipe has been full for long.
	await once(child.stderr, 'data');
	const items = parseJson(await text(child.stdout)) as readonly unknown[];
	assert.deepEqual(await closed, [130, null]);
	release();
	assert.equal(items.length, 2000);
	assert.equal(await told, jsonError('interrupted', 'Interrupted.'));
	assert.equal(service.requests.filter(isWrite).length, 4);
});

test('SIGINT at a question sends nothing and tells it in one line', async (t: TestContext) => {
	const {service, env} = await startLiveLike(t);
	await using terminal = openPseudoTerminal({
		command: process.execPath,
		args: [programFile, 'abilities', 'delete', 'lamps', 'pantry'],
		env,
		columns: 120,
	});
	await terminal.waitFor('[y/N]');
	terminal.kill('SIGINT');
	assert.equal((await terminal.exited).exitCode, 130);
	assert.deepEqual(
		terminal.screen().filter(line => line !== ''),
		['Delete lamps (21), pantry (22)? This cannot be undone. [y/N]', 'Interrupted.'],
	);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('an interrupted agents edit says that it may have arrived, without another request', async (t: TestContext) => {
	const {service, run} = await startLiveLike(t);
	const release = service.hold({when: isWrite});
	const interruption = new AbortController();
	const running = run(['agents', 'edit', 'hearth', '--name', 'Hob'], interruption.signal);
	await service.waitForRequests(1, isWrite);
	interruption.abort('SIGINT');
	const result = await running;
	release();
	assert.deepEqual([result.exitCode, result.stdout], [130, '']);
	assert.equal(result.stderr, 'It is not known whether Hearth was changed: the change was sent and may still arrive.\nInterrupted.\n');
	assert.deepEqual(
		service.requests.map(({method}) => method),
		['GET', 'PUT'],
	);
});
