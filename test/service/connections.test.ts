import assert from 'node:assert/strict';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {test} from 'node:test';
import {setTimeout} from 'node:timers/promises';
import {createCertificate} from '../helpers/certificates.ts';
import {paths, startTestService, type TestService} from './running-service.ts';

/** Long enough for a busy machine to answer; a test ends when the connection does. */
const quick = {
	idleMilliseconds: 400, unknownBodyMilliseconds: 400, slowMilliseconds: 600, handshakeMilliseconds: 400,
};

const open = async ({baseAddress}: TestService): Promise<Socket> => {
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
		const socket = await open(service);
		socket.write(start);
		socket.resume();
		return socket;
	}));
	await Promise.all(sockets.map(async socket => isClosed(socket)));
});

test('a handshake that never speaks is closed', async () => {
	await using service = await startTestService({tls: createCertificate(), limits: {...quick, idleMilliseconds: 60_000}});
	const socket = await open(service);
	await isClosed(socket.resume());
});

/** Sends a body byte by byte until the connection is closed or the body is sent. */
const trickle = async (socket: Socket, bytes: number): Promise<void> => {
	for (let sent = 0; sent < bytes && !socket.closed; sent++) {
		socket.write(' ');
		await setTimeout(20);
	}
};

test('a body that comes too slowly is closed, although it moves', async () => {
	await using service = await startTestService({limits: quick});
	const socket = await open(service);
	socket.resume();
	socket.write(put(service, 100_000));
	await trickle(socket, 100_000);
});

test('a body without a right key has little time, although it moves', async () => {
	await using service = await startTestService({limits: {...quick, slowMilliseconds: 60_000}});
	for (const start of [
		put(service, 50_000, 'sb_wrong'),
		'POST /api/sdk/verify_apikey/ HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n',
		'POST /nonsense HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n',
	]) {
		const socket = await open(service);
		socket.resume();
		socket.write(start);
		await trickle(socket, 50_000);
	}
});

test('a slow line is served, however long it takes', async () => {
	// Far below what comes even on a busy machine.
	await using service = await startTestService({limits: {...quick, idleMilliseconds: 5000, leastBytesPerSecond: 20}});
	const socket = await open(service);
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
	const patient = await open(service);
	patient.write(request.repeat(20) + request.replace('Host: x', 'Host: x\r\nConnection: close'));
	assert.equal((await text(patient)).match(/HTTP\/1.1 200 /g)?.length, 21);

	const greedy = await open(service);
	greedy.write(request.repeat(200));
	await isClosed(greedy.resume());
});

test('an address that sends a flood is not listened to for a while, but for connections that have shown a key', async () => {
	await using service = await startTestService({limits: {floodMilliseconds: 60_000}});
	const request = (headers: string): string => `GET ${paths.agents} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
	const known = await open(service);
	known.write(request(`X-API-KEY: ${service.key}\r\n`));
	await once(known, 'data');
	const unknown = await open(service);
	const greedy = await open(service);
	greedy.write(request('').repeat(200));
	await Promise.all([isClosed(greedy.resume()), isClosed(unknown.resume())]);
	await isClosed((await open(service)).resume());
	known.write(request(`X-API-KEY: ${service.key}\r\nConnection: close\r\n`));
	assert.match(await text(known), /HTTP\/1\.1 200 /);
});

test('an address has so many connections; idle ones make room for new ones, busy ones do not', async () => {
	await using service = await startTestService({limits: {connectionsPerAddress: 3}});
	const idle = await open(service);
	const busy = [await open(service), await open(service)];
	for (const socket of busy) {
		socket.write(put(service, 100));
	}

	// It is answered, so the ones before it have arrived.
	assert.equal((await service.ask('GET', paths.agents)).status, 200);
	await isClosed(idle.resume());
	assert.deepEqual(busy.map(socket => socket.closed), [false, false]);
	for (const socket of busy) {
		socket.destroy();
	}
});

test('behind a trusted proxy only the limit for all connections counts', async () => {
	await using service = await startTestService({limits: {connectionsPerAddress: 1, connections: 3}, trustedProxies: ['127.0.0.1']});
	const sockets = [await open(service), await open(service), await open(service)];
	const [first] = sockets;
	assert.equal((await service.ask('GET', paths.agents)).status, 200);
	await isClosed(first!.resume());
	assert.deepEqual(sockets.slice(1).map(socket => socket.closed), [false, false]);
	for (const socket of sockets) {
		socket.destroy();
	}
});
