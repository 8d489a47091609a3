import {assert, test, type TestContext} from '../helpers/node.ts';
import {callOf, connectAssistant, opening, startServer, type Message} from './assistant.ts';
import {ended, installedRecord, isWrite, openTerminal, parseJson, runCommand, startLiveLike} from './kit.ts';

/*
How the connection begins and ends, and what does not disturb it.
*/

const start = async (t: TestContext) =>
	startLiveLike(t, {home: {installed: [installedRecord(1, 'Lamp', true), installedRecord(2, 'Radio', true)]}});

const answerTo = (messages: readonly Message[], id: number): Message | undefined => messages.find(message => message.id === id);

const switchOff = (id: number, ...installed: readonly string[]): object => callOf(id, 'switch_installed', {installed, enabled: false});

/** What a result says, structured or not. */
const valueOf = (message: Message | undefined) =>
	parseJson(message?.result?.content?.[0]?.text ?? 'null') as {
		readonly outcomes?: ReadonlyArray<{
			readonly enabled: boolean | null;
			readonly changed: boolean | null;
			readonly error?: {readonly kind: string; readonly message: string};
		}>;
		readonly error?: {readonly kind: string};
	};

/** What a server answers whose input ends after these lines, and how it ends. */
async function converse(t: TestContext, ...lines: ReadonlyArray<object | string>) {
	const server = startServer(t, (await start(t)).env);
	server.write(...lines);
	server.stdin.end();
	return server.ended();
}

/** A server that waits for the answer to a write, with another write that waits for that one. */
async function startInWrite(t: TestContext, isProcess = false) {
	const place = await start(t);
	const server = startServer(t, place.env, {isProcess});
	const release = place.service.hold({when: isWrite});
	server.write(...opening, switchOff(1, 'lamp'), switchOff(2, 'radio'));
	await place.service.waitForRequests(1, isWrite);
	return {...place, server, release, writeCount: () => place.service.requests.filter(isWrite).length};
}

test('an empty input is the end, without a word', async (t: TestContext) => {
	const {env, service} = await start(t);
	assert.deepEqual(await runCommand(['mcp'], {env}), ended(0, ''));
	assert.deepEqual(service.requests, []);
});

test('in a terminal it says what it waits for, and Ctrl+D ends it', async (t: TestContext) => {
	const {env} = await start(t);
	await using terminal = openTerminal(['mcp'], {env});
	await terminal.waitFor('Waiting for a client of the Model Context Protocol. Press Ctrl+D to stop.');
	terminal.press('ctrl+d');
	assert.equal((await terminal.exited).exitCode, 0);
});

test('requests that came before the end of the input are answered', async (t: TestContext) => {
	const {env, service, states} = await start(t);
	const server = startServer(t, env);
	const release = service.hold({when: isWrite});
	server.write(...opening, callOf(1, 'list_installed'), switchOff(2, 'lamp'));
	server.stdin.end();
	await service.waitForRequests(1, isWrite);
	release();
	const {exitCode, stderr, messages} = await server.ended();
	assert.deepEqual([exitCode, stderr], [0, '']);
	assert.deepEqual(
		messages.map(({id}) => id).toSorted((a, b) => Number(a) - Number(b)),
		[0, 1, 2],
	);
	assert.deepEqual(
		valueOf(answerTo(messages, 2)).outcomes?.map(({enabled, changed}) => [enabled, changed]),
		[[false, true]],
	);
	assert.deepEqual(states(), [false, true]);
});

test('a signal ends an idle server with its exit code', async (t: TestContext) => {
	const {env} = await start(t);
	const server = startServer(t, env);
	server.write(...opening);
	await server.next();
	server.kill('SIGHUP');
	assert.deepEqual(await server.ended().then(outcome => [outcome.exitCode, outcome.stderr]), [129, 'The terminal hung up.\n']);
});

test('a signal in the midst of a write ends the call, and tells what became of it', async (t: TestContext) => {
	const {server, release, writeCount} = await startInWrite(t, true);
	server.kill('SIGTERM');
	const {messages, exitCode} = await server.ended();
	release();
	assert.equal(exitCode, 143);
	const [outcome] = valueOf(answerTo(messages, 1)).outcomes ?? [];
	assert.deepEqual([outcome?.enabled, outcome?.changed], [null, null]);
	assert.match(outcome!.error!.message, /the change was sent and may still arrive/);
	// The second one was not sent.
	assert.equal(valueOf(answerTo(messages, 2)).error?.kind, 'terminated');
	assert.equal(writeCount(), 1);
});

test('a call that the client cancels is not answered, and what it has changed is told on standard error', async (t: TestContext) => {
	const {server, release, writeCount} = await startInWrite(t);
	server.write(
		{method: 'notifications/cancelled', params: {requestId: 2}},
		{method: 'notifications/cancelled', params: {requestId: 1}},
		callOf(3, 'get_status'),
	);
	server.stdin.end();
	const {exitCode, stderr, messages} = await server.ended();
	release();
	assert.equal(exitCode, 0);
	assert.deepEqual(
		messages.map(({id}) => id),
		[0, 3],
	);
	const [first = '', second = ''] = stderr.trimEnd().split('\n', 2);
	assert.match(
		first,
		/^switch_installed was cancelled: \{"outcomes":\[\{"installed_cap_id":1,"name":"Lamp","enabled":null,"changed":null,.*may still arrive/,
	);
	assert.match(second, /^switch_installed was cancelled: \{"error":\{"kind":"interrupted"/);
	assert.equal(writeCount(), 1);
});

for (const mode of ['legacy', 'auto'] as const) {
	test(`a call that a client of ${mode === 'legacy' ? '2025' : '2026'} cancels sends no further request`, async (t: TestContext) => {
		const {env, service} = await startLiveLike(t, {listShape: 'results', pageSize: 1});
		const {call} = await connectAssistant(t, env, {options: {versionNegotiation: {mode}}});
		const release = service.hold();
		const cancelling = new AbortController();
		const calling = call('list_installed', {}, {signal: cancelling.signal});
		await service.waitForRequests(1);
		cancelling.abort();
		await assert.rejects(calling, {name: 'SdkError'});
		// Messages are read in their order: now it has read the cancellation.
		await call('get_status');
		release();
		assert.equal((await call('list_agents')).isError, false);
		assert.equal(service.requests.filter(({path}) => path.endsWith('/get-installed-capabilities/')).length, 1);
	});
}

test('what is no message is an error of the protocol, with its id where that can be read, and said once', async (t: TestContext) => {
	const {exitCode, stderr, messages} = await converse(
		t,
		'garbage',
		'\u{0}\u{1B}[2J',
		'',
		'[]',
		'{"jsonrpc":"1.0"}',
		'{"id":1}',
		'42',
		'null',
		'{"id":"a","method":1}',
		...opening,
		callOf(1, 'get_status'),
	);
	assert.deepEqual([exitCode, stderr], [0, 'Ignored input that is not a Model Context Protocol message.\n']);
	const errors = messages.filter(({error}) => error !== undefined);
	const noJson = {code: -32_700, message: 'This line is not valid JSON.'};
	const noMessage = {code: -32_600, message: 'This is not a JSON-RPC 2.0 message.'};
	assert.deepEqual(
		errors.map(({id, error}) => [id, error]),
		[
			[null, noJson],
			[null, noJson],
			[null, noMessage],
			[null, noMessage],
			[1, noMessage],
			[null, noMessage],
			[null, noMessage],
			['a', noMessage],
		],
	);
	assert.deepEqual(
		messages.filter(({error}) => error === undefined).map(({id}) => id),
		[0, 1],
	);
});

test('the last message is answered, though no line break ends it', async (t: TestContext) => {
	const {env} = await start(t);
	const server = startServer(t, env);
	server.write(...opening);
	server.stdin.end(JSON.stringify({jsonrpc: '2.0', ...callOf(1, 'get_status')}));
	const {exitCode, messages} = await server.ended();
	assert.deepEqual([exitCode, messages.map(({id}) => id)], [0, [0, 1]]);
});

test('a client that goes away during a write is told of on standard error, with the outcome', async (t: TestContext) => {
	const {env, service, states} = await start(t);
	const server = startServer(t, env, {isProcess: true});
	server.write(...opening);
	await server.next();
	const release = service.hold({when: isWrite});
	server.write(switchOff(1, 'lamp'));
	await service.waitForRequests(1, isWrite);
	server.stdin.end();
	server.closeOutput();
	release();
	const {exitCode, stderr} = await server.ended();
	assert.equal(exitCode, 0);
	assert.match(
		stderr,
		/^switch_installed could not be answered: \{"outcomes":\[\{"installed_cap_id":1,"name":"Lamp","enabled":false,"changed":true\}\]\}\n$/,
	);
	assert.deepEqual(states(), [false, true]);
});

test('a request for something else than tools is an error of the protocol', async (t: TestContext) => {
	const {exitCode, messages} = await converse(
		t,
		...opening,
		{id: 1, method: 'resources/read', params: {uri: 'file:///etc/passwd'}},
		callOf(2, 'no_such_tool'),
		{id: 3, method: 'tools/call', params: {}},
	);
	assert.deepEqual([exitCode, ...[0, 1, 2, 3].map(id => answerTo(messages, id)?.error?.code)], [0, undefined, -32_601, -32_602, -32_602]);
});

test('parameters that do not fit are the mistake of the client, and what every object inherits is no tool', async (t: TestContext) => {
	const {exitCode, messages, stderr} = await converse(
		t,
		{id: 5, method: 'initialize', params: {protocolVersion: 20_250_618, capabilities: {}, clientInfo: {name: 'tests', version: '1'}}},
		{id: 6, method: 'initialize'},
		...opening,
		{id: 7, method: 'tools/list', params: {cursor: 5}},
		...['__proto__', 'constructor', 'toString', 'nosuch'].map((name, index) => callOf(8 + index, name)),
	);
	assert.deepEqual([exitCode, stderr], [0, '']);
	assert.deepEqual(
		messages.map(({id, error}) => [id, error]).toSorted(([first], [second]) => Number(first) - Number(second)),
		[
			[0, undefined],
			[5, {code: -32_602, message: 'params.protocolVersion: Invalid input: expected string, received number'}],
			[6, {code: -32_602, message: 'params: Invalid input: expected object, received undefined'}],
			[7, {code: -32_602, message: 'params.cursor: Invalid input: expected string, received number'}],
			...['__proto__', 'constructor', 'toString', 'nosuch'].map((name, index) => [
				8 + index,
				{code: -32_602, message: `Tool ${name} not found`},
			]),
		],
	);
});

test('a message of several megabytes is read, and a call with it is refused', async (t: TestContext) => {
	const {exitCode, messages} = await converse(
		t,
		...opening,
		callOf(1, 'plan_state', {state: 'x'.repeat(5_000_000)}),
		callOf(2, 'get_status'),
	);
	assert.deepEqual([exitCode, valueOf(answerTo(messages, 1)).error?.kind, answerTo(messages, 2)?.result?.isError], [0, 'usage', undefined]);
});

test('a message without an end is refused', async (t: TestContext) => {
	const {env} = await start(t);
	const server = startServer(t, env);
	server.write(...opening);
	server.stdin.write('{"x":"');
	const piece = 'x'.repeat(1024 * 1024);
	for (let count = 0; count < 12; count++) {
		server.stdin.write(piece);
	}

	assert.deepEqual(await server.ended().then(({exitCode, stderr}) => [exitCode, stderr]), [
		2,
		'A message on standard input is longer than 10 MB.\n',
	]);
});

test('a client that no longer reads is gone: nothing more is sent, and the outcome is told on standard error', async (t: TestContext) => {
	const {server, release, writeCount} = await startInWrite(t);
	server.closeOutput();
	server.write(callOf(3, 'get_status'));
	const {exitCode, stderr} = await server.ended();
	release();
	assert.equal(exitCode, 0);
	assert.match(stderr, /switch_installed was cancelled: .*may still arrive/);
	assert.equal(writeCount(), 1);
});
