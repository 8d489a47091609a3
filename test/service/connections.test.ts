import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {test} from 'node:test';
import {setTimeout} from 'node:timers/promises';
import {connect as connectTls} from 'node:tls';
import {createCertificate} from '../helpers/certificates.ts';
import {temporaryDataFolder} from '../helpers/temporary-folder.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {paths, startTestService, type TestService} from './running-service.ts';

/** Long enough for a busy machine to answer; a test ends when the connection does. */
const quick = {
	idleMilliseconds: 400, silentMilliseconds: 400, restMilliseconds: 400, requestMilliseconds: 600, handshakeMilliseconds: 400,
};

const open = async (baseAddress: string): Promise<Socket> => {
	const {hostname, port} = new URL(baseAddress);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
};

const isClosed = async (socket: Socket): Promise<void> => {
	if (!socket.closed) {
		await once(socket, 'close');
	}
};

const put = (service: TestService, length: number, key = service.key): string =>
	`PUT /api/personalities/edit-personality/ HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('a connection on which no byte moves is closed', async () => {
	await using service = await startTestService({limits: quick});
	const starts = ['', 'GET / HTTP/1.1\r\nHost:', put(service, 100), `GET ${paths.agents} HTTP/1.1\r\nHost: x\r\n\r\n`];
	const sockets = await Promise.all(starts.map(async start => {
		const socket = await open(service.baseAddress);
		socket.write(start);
		socket.resume();
		return socket;
	}));
	await Promise.all(sockets.map(async socket => isClosed(socket)));
});

test('a handshake that never speaks is closed', async () => {
	await using service = await startTestService({tls: createCertificate(), limits: {...quick, idleMilliseconds: 60_000, silentMilliseconds: 60_000}});
	const socket = await open(service.baseAddress);
	await isClosed(socket.resume());
});

/** Sends a body byte by byte until the connection is closed or the body is sent. */
const trickle = async (socket: Socket, bytes: number): Promise<void> => {
	for (let sent = 0; sent < bytes && !socket.closed; sent++) {
		socket.write(' ');
		await setTimeout(20);
	}
};

test('a request that takes too long to arrive is closed, although it moves', async () => {
	await using service = await startTestService({limits: quick});
	const socket = await open(service.baseAddress);
	socket.resume();
	socket.write(put(service, 100_000));
	await trickle(socket, 100_000);
});

test('a body without a right key has little time, although it moves', {timeout: 30_000}, async () => {
	await using service = await startTestService({limits: {...quick, requestMilliseconds: 60_000}});
	for (const start of [
		put(service, 50_000, 'sb_wrong'),
		'POST /api/sdk/verify_apikey/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n',
		'POST /nonsense HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n',
	]) {
		const socket = await open(service.baseAddress);
		socket.resume();
		socket.write(start);
		await trickle(socket, 50_000);
	}
});

test('a slow line is served, however long it takes', async () => {
	await using service = await startTestService({limits: {...quick, silentMilliseconds: 5000, requestMilliseconds: 60_000}});
	const socket = await open(service.baseAddress);
	const body = JSON.stringify({personality_id: 999_999, description: 'x'.repeat(300)});
	socket.write(put(service, body.length).replace('Host: x', 'Host: x\r\nConnection: close'));
	for (const character of body) {
		socket.write(character);
		await setTimeout(4);
	}

	assert.match(await text(socket), /^HTTP\/1.1 404 /);
});

test('requests on one connection are answered in turn, and too many at once close it', async () => {
	await using service = await startTestService();
	const request = `GET ${paths.agents} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\n\r\n`;
	const patient = await open(service.baseAddress);
	patient.write(request.repeat(20) + request.replace('Host: x', 'Host: x\r\nConnection: close'));
	assert.equal((await text(patient)).match(/HTTP\/1.1 200 /g)?.length, 21);

	const greedy = await open(service.baseAddress);
	greedy.write(request.repeat(200));
	await isClosed(greedy.resume());
});

for (const tls of [undefined, createCertificate()]) {
	test(`a process takes so many connections, and ends idle ones when it stops, with${tls === undefined ? 'out' : ''} TLS`, async () => {
		await using service = await startTestService({limits: {connections: 2}, ...tls !== undefined && {tls}});
		const {hostname, port} = new URL(service.baseAddress);
		const openAny = async (): Promise<Socket> => {
			const socket = tls === undefined ? connect(Number(port), hostname) : connectTls({port: Number(port), host: hostname, rejectUnauthorized: false});
			socket.on('error', () => undefined).resume();
			await once(socket, tls === undefined ? 'connect' : 'secureConnect').catch(() => undefined);
			return socket;
		};

		const [first, second, third] = [await openAny(), await openAny(), await openAny()];
		await isClosed(third);
		assert.deepEqual([first.closed, second.closed], [false, false]);
		await service.close();
		await Promise.all([isClosed(first), isClosed(second)]);
	});
}

const upload = (key: string, length: number): string => put({key} as TestService, length, key).replace('application/json', 'multipart/form-data; boundary=b');

/** In whichever order they arrive, half of the room is too small for one of them. */
const budgets: ReadonlyArray<readonly [title: string, lengths: readonly number[]]> = [
	['announced bodies', [150_000, 100_000, 70_000]],
	['requests under way', [1, 1, 1, 1, 1]],
];

for (const [title, lengths] of budgets) {
	test(`a key that sends nothing takes half of the room for ${title}, and others are answered`, async () => {
		await using service = await startTestService({limits: {connections: 8, bodyBytes: 600_000, bodyPatienceMilliseconds: 50}});
		const other = await service.createKey('default');
		const answers: string[] = [];
		const sockets = await Promise.all(lengths.map(async length => {
			const socket = await open(service.baseAddress);
			socket.setEncoding('utf8').on('data', (answer: string) => {
				answers.push(answer);
			});
			socket.write(upload(service.key, length));
			return socket;
		}));
		const edit = async (key: string) => service.ask('PUT', paths.editAgent, {key, body: {personality_id: 999_999, description: 'x'.repeat(280_000)}});
		await waitUntil(() => answers.length > 0);
		assert.equal((await edit(other)).status, 404);
		assert.equal(answers.length, 1);
		assert.match(answers[0]!, /^HTTP\/1.1 429 .*Too much is being sent or received at once/s);
		for (const socket of sockets) {
			socket.destroy();
		}

		await waitUntil(async () => (await edit(service.key)).status === 404);
	});
}

test('others of the same address are answered within a second beside 1,000 idle connections, pipelined requests and wrong keys', async t => {
	// In a process of its own: the senders must not take its time.
	const child = fork(path.join(import.meta.dirname, 'serve-child.ts'), [temporaryDataFolder(), 'sb_own']);
	t.after(() => {
		child.kill('SIGKILL');
	});
	const [baseAddress] = await once(child, 'message') as [string];
	const request = (route: string, headers: string): string => `GET ${route} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
	const sockets: Socket[] = [];
	for (const [count, sent] of [
		[1000, 'GET'],
		[100, request('/openapi.json', '').repeat(200)],
		[300, request(paths.agents, 'X-API-KEY: sb_wrong\r\n')],
	] as const) {
		for (let index = 0; index < count; index++) {
			const socket = await open(baseAddress);
			socket.pause().write(sent);
			sockets.push(socket);
		}

		const times: number[] = [];
		for (let round = 0; round < 5; round++) {
			const startedAt = performance.now();
			const answer = await fetch(baseAddress + paths.agents, {headers: {'x-api-key': 'sb_own'}});
			await answer.arrayBuffer();
			assert.equal(answer.status, 200);
			times.push(performance.now() - startedAt);
		}

		// On a busy machine some take longer whatever the service does.
		assert.ok(times.toSorted((one, other) => one - other)[2]! < 1000, `${times.join(' ms, ')} ms`);
	}

	for (const socket of sockets) {
		socket.destroy();
	}
});
