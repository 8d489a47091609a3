import {assert, createServer, type IncomingMessage, type ServerResponse, test, type TestContext} from '../helpers/node.ts';
import type {RequestLogEntry} from '../../source/client/client.ts';
import {boundRetryAfter, readRetryAfter} from '../../source/client/answer-errors.ts';
import {followChanges} from '../../source/client/changes.ts';
import {addTo, assertMapped} from '../helpers/lists.ts';
import {listen} from '../helpers/listen.ts';
import {clientOf, failureOf, fieldsOf, waitUntil} from './clients.ts';

const apiKey = 'key-of-the-changes-0123456789';

/** A server of which the test gives every answer. */
async function startServer(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		response.on('error', () => undefined);
		answer(request, response);
	});
	const port = await listen(t, server);
	return {baseAddress: `http://127.0.0.1:${port}`, apiKey, requests};
}

const stream = {'content-type': 'text/event-stream; charset=utf-8'};

const firstChange = 'event: change\ndata: {"resource":"installed","version":"v1"}\n\n';

/** What a client is told by a server that answers so, and whether it is to ask again. */
async function toldBy(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const server = await startServer(t, answer);
	const told: string[] = [];
	const {isUseful} = await clientOf(server).readChanges({
		onOpen() {
			told.push('open');
		},
		onChange({resource, version}) {
			told.push(`${resource} ${version}`);
		},
	});
	return {told, isUseful, server};
}

test('an event that does not end is not kept, and the stream not asked for again', async t => {
	for (const piece of ['x'.repeat(1000), `data: ${'x'.repeat(1000)}\n`]) {
		const {told, isUseful} = await toldBy(t, (_request, response) => {
			response.writeHead(200, stream);
			response.write(firstChange);
			for (let count = 0; count < 100; count++) {
				response.write(piece);
			}
		});
		assert.deepEqual([told, isUseful], [['open', 'installed v1'], false]);
	}
});

test('changes are asked for with the key, and events that are not changes are ignored', async t => {
	const {told, isUseful, server} = await toldBy(t, (_request, response) => {
		response.writeHead(200, stream);
		response.write(': \n\nevent: change\ndata: {"resource":"installed","version":"a1"}\n\n');
		response.write(
			'event: change\ndata: {"resource":"keys","version":"a2"}\n\nevent: change\ndata: {"resource":"agents"}\n\nevent: change\ndata: no JSON\n\n',
		);
		response.write(
			'event: change\ndata: {"resource":"agents","version":"two words"}\n\nevent: change\ndata: {"resource":"agents","version":5}\n\n',
		);
		response.write('event: other\ndata: {"resource":"agents","version":"a3"}\n\ndata: {"resource":"agents","version":"a4"}\n\n');
		response.end('event: change\ndata: {"resource":"abilities","version":"a5"}\n\n');
	});
	assert.deepEqual(told, ['open', 'installed a1', 'abilities a5']);
	assert.equal(isUseful, true);
	const {method, url, headers} = server.requests[0]!;
	assert.deepEqual([method, url, headers['x-api-key'], headers.accept], ['GET', '/events', apiKey, 'text/event-stream']);
});

test('a service that answers with anything but a stream is not asked again', async t => {
	for (const status of [200, 204, 301, 400, 401, 403, 404, 405, 410, 501]) {
		const {told, isUseful} = await toldBy(t, (_request, response) => {
			response.writeHead(status, {
				location: 'https://example.com/events',
				'content-type': status === 200 ? 'text/html' : 'text/event-stream',
			});
			response.end(status === 204 ? undefined : 'event: change\ndata: {"resource":"installed","version":"a1"}\n\n');
		});
		assert.deepEqual([status, told, isUseful], [status, [], false]);
	}
});

test('a service that is busy or fails is asked again', async t => {
	for (const status of [429, 500, 502, 503, 504]) {
		const {told, isUseful, server} = await toldBy(t, (_request, response) => {
			response.writeHead(status);
			response.end();
		});
		assert.deepEqual([status, told, isUseful, server.requests.length], [status, [], true, 1]);
	}
});

test('a service that asks to be left alone is asked again no sooner', async t => {
	const times: number[] = [];
	const server = await startServer(t, (_request, response) => {
		times.push(performance.now());
		response.writeHead(times.length === 1 ? 429 : 404, {'retry-after': '1'});
		response.end();
	});
	await followChanges(
		clientOf(server),
		{onOpen: () => undefined, onChange: () => undefined, onClosed: () => undefined},
		new AbortController().signal,
	);
	assert.equal(times.length, 2);
	// Added to it is a wait that differs from client to client, so that not all that were refused come back at once.
	assert.ok(times[1]! - times[0]! > 1400, times.join(' '));
});

test('a service cannot ask to be left alone for longer than an hour', () =>
	assertMapped(['3', '99999999', 'soon', undefined], header => boundRetryAfter(readRetryAfter(header)), [3000, 3_600_000, 0, 0]));

test('an endless stream without events is given up, and was never taken for open', async t => {
	const {told, isUseful} = await toldBy(t, (_request, response) => {
		response.writeHead(200, stream);
		const send = (): void => {
			if (!response.destroyed) {
				response.write('x'.repeat(10_000), () => {
					setImmediate(send);
				});
			}
		};

		send();
	});
	assert.deepEqual([told, isUseful], [[], false]);
});

test('a stream that breaks off, or that cannot be opened, is an error', async t => {
	const cut = await startServer(t, (_request, response) => {
		response.writeHead(200, stream);
		response.write(': \n\n', () => {
			response.destroy();
		});
	});
	const ignore = {onOpen: () => undefined, onChange: () => undefined};
	assert.equal((await failureOf(clientOf(cut).readChanges(ignore))).kind, 'unreachable');
	const silent = await startServer(t, () => undefined);
	assert.equal((await failureOf(clientOf(silent, {timeoutMilliseconds: 50}).readChanges(ignore))).kind, 'timeout');
});

test('a stream on which nothing comes is taken for dead', async t => {
	const server = await startServer(t, (_request, response) => {
		response.writeHead(200, stream);
		response.flushHeaders();
	});
	t.mock.timers.enable({apis: ['setTimeout']});
	const answered = Promise.withResolvers<unknown>();
	const reading = failureOf(
		clientOf(server, {onRequest: answered.resolve}).readChanges({onOpen: () => undefined, onChange: () => undefined}),
	);
	await answered.promise;
	t.mock.timers.tick(40_000);
	assert.equal((await reading).kind, 'timeout');
});

test('each attempt to follow changes is logged when it is answered, without the key', async t => {
	const entries: RequestLogEntry[] = [];
	const server = await startServer(t, (_request, response) => {
		response.writeHead(200, stream);
		response.write(firstChange);
	});
	const ending = new AbortController();
	const reading = failureOf(
		clientOf(server, {onRequest: addTo(entries)}).readChanges(
			{
				onOpen() {
					assert.deepEqual(fieldsOf(entries, 'method', 'path', 'status'), [['GET', '/events', 200]]);
					ending.abort();
				},
				onChange: () => undefined,
			},
			ending.signal,
		),
	);
	assert.equal((await reading).kind, 'interrupted');
	assert.equal(entries.length, 1);
	assert.ok(!JSON.stringify(entries).includes(apiKey));
});

test('changes are followed again after each break, until the service does not tell them', async t => {
	const server = await startServer(t, (_request, response) => {
		if (server.requests.length === 3) {
			response.writeHead(404);
			response.end();
			return;
		}

		response.writeHead(200, stream);
		response.end(`event: change\ndata: {"resource":"installed","version":"v${server.requests.length}"}\n\n`);
	});
	const told: string[] = [];
	await followChanges(
		clientOf(server),
		{
			onOpen() {
				told.push('open');
			},
			onChange({version}) {
				told.push(version);
			},
			onClosed(isLost) {
				told.push(isLost ? 'lost' : 'closed');
			},
		},
		new AbortController().signal,
	);
	assert.deepEqual(told, ['open', 'v1', 'closed', 'open', 'v2', 'closed', 'lost']);
	assert.equal(server.requests.length, 3);
});

test('nothing more is told after changes are no longer wanted', async t => {
	const responses: ServerResponse[] = [];
	const server = await startServer(t, (_request, response) => {
		responses.push(response);
		response.writeHead(200, stream);
		response.write(firstChange);
	});
	const ending = new AbortController();
	let isOpen = false;
	const following = followChanges(
		clientOf(server),
		{
			onOpen: () => undefined,
			onChange() {
				assert.ok(!ending.signal.aborted, 'It was told of a change');
				isOpen = true;
			},
			onClosed() {
				assert.fail('It was told of the end');
			},
		},
		ending.signal,
	);
	await waitUntil(() => isOpen);
	ending.abort();
	responses[0]!.write(firstChange);
	await following;
	await waitUntil(() => responses[0]!.destroyed);
	assert.equal(server.requests.length, 1);
});
