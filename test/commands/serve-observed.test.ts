import {assert, createInterface, once, process, spawn, test} from '../helpers/node.ts';
import {closeSync, openSync} from 'node:fs';
import {type AddressInfo, connect, createServer} from 'node:net';
import {exchange} from '../helpers/raw-http.ts';
import {paths} from '../service/running-service.ts';
import {createIsolatedHome, type IsolatedHome, lastError, parseJson, programFile, runCommand, serveInProcess, waitUntil} from './kit.ts';

const createKey = async ({env}: IsolatedHome, ...words: readonly string[]): Promise<string> =>
	(await runCommand(['keys', 'create', ...words], {env})).stdout.trim();

async function ask(baseAddress: string, key: string, path = paths.installed): Promise<number> {
	const response = await fetch(baseAddress + path, {headers: {'x-api-key': key}});
	await response.arrayBuffer();
	return response.status;
}

test('serve --log json writes an object for each request, with nothing of what the request holds', async () => {
	const home = createIsolatedHome();
	const key = await createKey(home, '--account', 'Guests of “2”');
	await using serving = await serveInProcess(home, '--log', 'json');
	await ask(serving.baseAddress, key);
	await ask(serving.baseAddress, 'sb_wrong', '/api/private/17?secret=1');
	await waitUntil(() => serving.errors().length === 2);
	const entries = serving.errors().map(line => parseJson(line) as {readonly time: string; readonly ms: number; readonly request: string});
	assert.deepEqual(
		entries.map(({time: _time, ms: _ms, request: _request, ...entry}) => entry),
		[
			{method: 'GET', path: paths.installed, status: 200, account: 'Guests of “2”', key: '1', address: '127.0.0.1', record: null},
			{method: 'GET', path: 'unknown', status: 404, account: null, key: null, address: '127.0.0.1', record: null},
		],
	);
	assert.ok(entries.every(({time, ms, request}) => new Date(time).toISOString() === time && ms >= 0 && /^[\da-f]{16}$/.test(request)));
	assert.deepEqual(Object.keys(entries[0]!), ['time', 'method', 'path', 'status', 'ms', 'account', 'key', 'address', 'request', 'record']);
});

test('serve --log text writes a line for each request', async () => {
	const home = createIsolatedHome();
	const key = await createKey(home, '--account', 'a "b"');
	await using serving = await serveInProcess(home, '--log', 'text');
	await ask(serving.baseAddress, key);
	await ask(serving.baseAddress, 'sb_wrong');
	await serving.stop();
	const [first, second, ...others] = serving.errors();
	assert.match(
		first!,
		/^\d{4}-\d\d-\d\dT[\d.:]+Z GET \/api\/capabilities\/get-installed-capabilities\/ 200 [\d.]+ms account="a \\"b\\"" key=1 address=127\.0\.0\.1 request=[\da-f]{16} record=-$/,
	);
	assert.match(
		second!,
		/^\S+ GET \/api\/capabilities\/get-installed-capabilities\/ 401 [\d.]+ms account=- key=- address=127\.0\.0\.1 request=[\da-f]{16} record=-$/,
	);
	assert.deepEqual(others, []);
});

test('with a log, messages of the service are entries of it', async () => {
	const home = createIsolatedHome();
	await createKey(home);
	await (await serveInProcess(home, '--sample')).stop();
	await using serving = await serveInProcess(home, '--sample', '--log', 'json');
	await waitUntil(() => serving.errors().length === 1);
	const {time: _time, ...entry} = parseJson(serving.errors()[0]!) as {readonly time: string};
	assert.deepEqual(entry, {message: 'The account “default” is not empty, so the sample data was not added.'});
});

test('with a log, it has each key that another process creates or revokes, without the key itself', async () => {
	const home = createIsolatedHome();
	await createKey(home);
	await using text = await serveInProcess(home, '--log', 'text');
	await using json = await serveInProcess(home, '--log', 'json');
	const key = await createKey(home, '--account', 'a "b"', '--name', 'ci');
	await Promise.all([text.told('was created'), json.told('was created')]);
	assert.equal((await runCommand(['keys', 'revoke', 'ci', '--yes'], {env: home.env})).exitCode, 0);
	await Promise.all([text.told('was revoked'), json.told('was revoked')]);
	for (const [lines, messageOf] of [
		[text.errors(), (line: string) => line.slice(line.indexOf(' ') + 1)],
		[json.errors(), (line: string) => (parseJson(line) as {readonly message: string}).message],
	] as const) {
		assert.ok(!lines.join('\n').includes(key));
		assert.deepEqual(
			lines
				.map(line => messageOf(line))
				.filter(message => message.startsWith('Key '))
				.map(line => line.replace(/\d+/, 'ID')),
			['created', 'revoked'].map(verb => String.raw`Key ID was ${verb}: "ci" of the account "a \"b\"".`),
		);
	}
});

for (const [name, file] of [
	['a full disk', '/dev/full'],
	['nothing', undefined],
] as const) {
	test(`a log that goes to ${name} does not end the service`, {skip: process.platform !== 'linux'}, async () => {
		const home = createIsolatedHome();
		const key = await createKey(home);
		const target = file === undefined ? undefined : openSync(file, 'w');
		const child = spawn(process.execPath, [programFile, 'serve', '--port', '0', '--log', 'text'], {
			env: home.env,
			stdio: ['ignore', 'pipe', target ?? 'pipe'],
		});
		const exited = once(child, 'exit');
		const [firstLine] = (await once(createInterface({input: child.stdout!}), 'line')) as [string];
		if (target === undefined) {
			child.stderr!.destroy();
		} else {
			closeSync(target);
		}

		for (let count = 0; count < 20; count++) {
			assert.equal(await ask(firstLine.replace('listening on ', ''), key), 200);
		}

		child.kill('SIGTERM');
		assert.deepEqual(await exited, [0, null]);
	});
}

/** Serves metrics too. */
async function serveMetrics(home: IsolatedHome) {
	const serving = await serveInProcess(home, '--metrics', '127.0.0.1:0');
	await serving.told(/^metrics on .*\n/m);
	const metricsLine = serving.errors().find(line => line.startsWith('metrics on '))!;
	return {...serving, metricsAddress: metricsLine.replace('metrics on ', '')};
}

/** The value of a sample; `undefined` if there is none. */
function valueOf(metrics: string, sample: string): number | undefined {
	const line = metrics.split('\n').find(candidate => candidate.startsWith(`${sample} `));
	return line === undefined ? undefined : Number(line.slice(sample.length));
}

test('serve --metrics counts requests, failed keys, connections and the time of the database, by no more than operation and status', async () => {
	const home = createIsolatedHome();
	const key = await createKey(home, '--account', 'secretive', '--name', 'hush');
	await using serving = await serveMetrics(home);
	const {baseAddress, metricsAddress} = serving;
	const open = connect(Number(new URL(baseAddress).port), '127.0.0.1');
	await once(open, 'connect');
	for (const path of [paths.installed, paths.installed, '/api/capabilities/get-capability/424242/', '/api/hidden/path/', '/healthz']) {
		await ask(baseAddress, key, path);
	}

	await ask(baseAddress, 'sb_wrongkey');
	const read = async (): Promise<string> => (await fetch(metricsAddress)).text();
	const response = await fetch(metricsAddress);
	assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
	await response.arrayBuffer();
	// A request is counted when its connection has sent the answer, which may be after it was read.
	await waitUntil(async () => valueOf(await read(), 'switchboard_http_requests_total{operation="listInstalled",status="401"}') === 1);
	const metrics = await read();
	const value = (sample: string) => valueOf(metrics, sample);
	assert.equal(value('switchboard_http_requests_total{operation="listInstalled",status="200"}'), 2);
	assert.equal(value('switchboard_http_requests_total{operation="getAbility",status="404"}'), 1);
	assert.equal(value('switchboard_http_requests_total{operation="unknown",status="404"}'), 1);
	assert.equal(value('switchboard_http_requests_total{operation="healthz",status="200"}'), 1);
	assert.equal(value('switchboard_http_request_duration_seconds_count{operation="listInstalled"}'), 3);
	assert.equal(value('switchboard_failed_keys_total'), 1);
	assert.ok(value('switchboard_open_connections')! >= 1);
	assert.ok(value('switchboard_database_query_duration_seconds_count')! > 0);
	assert.ok(value('process_resident_memory_bytes')! > 0);
	for (const secret of [key, 'sb_wrongkey', 'secretive', 'hush', '424242', '/api', 'hidden', home.folder]) {
		assert.ok(!metrics.includes(secret), secret);
	}

	open.destroy();
	await serving.stop();
	await assert.rejects(fetch(metricsAddress), TypeError);
});

test('the address of the metrics serves nothing else', async () => {
	const home = createIsolatedHome();
	await using serving = await serveMetrics(home);
	const {baseAddress, metricsAddress} = serving;
	const {origin} = new URL(metricsAddress);
	const send = async (bytes: string) => (await exchange(origin, bytes)).map(({status}) => status);
	const host = 'Host: a\r\nConnection: close\r\n';
	assert.deepEqual(await send(`GET ${paths.installed} HTTP/1.1\r\n${host}\r\n`), [404]);
	assert.deepEqual(await send(`HEAD /metrics HTTP/1.1\r\n${host}\r\n`), [200]);
	assert.deepEqual(await send(`POST /metrics HTTP/1.1\r\n${host}\r\n`), [404]);
	assert.deepEqual(await send(`GET /metrics HTTP/1.1\r\n${host}Long: ${'x'.repeat(10_000)}\r\n\r\n`), [431]);
	assert.equal((await fetch(`${baseAddress}/metrics`)).status, 404);
});

test('an address for the metrics that is invalid or taken is explained', async () => {
	const {env} = createIsolatedHome();
	const run = async (address: string) => runCommand(['serve', '--port', '0', '--metrics', address, '--json'], {env});
	for (const address of [
		'',
		'9090',
		':9090',
		'127.0.0.1',
		'::1:9090',
		'[::1]',
		'[127.0.0.1]:1',
		'127.0.0.1:65536',
		'http://127.0.0.1:9090',
		'a b:1',
	]) {
		const result = await run(address);
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'usage'], address);
		assert.match(lastError(result).message, /Use HOST:PORT, as in 127\.0\.0\.1:9090 or \[::1\]:9090; port 0 means any free one\.$/);
	}

	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const {port} = other.address() as AddressInfo;
	const taken = await run(`127.0.0.1:${port}`);
	assert.deepEqual(
		[taken.exitCode, lastError(taken).message],
		[2, `Another program already listens on port ${port} of 127.0.0.1. Choose another port with --metrics, or 0 for any free one.`],
	);
	other.close();
});
