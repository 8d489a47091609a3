import {addTo, assert, connect, once, type Socket, test, text} from '../helpers/node.ts';
import {setTimeout} from 'node:timers/promises';
import {connect as connectTls} from 'node:tls';
import {createFindCaller, generateKey, hashKey} from '../../source/service/callers.ts';
import {createApp} from '../../source/service/app.ts';
import {limits, type Limits} from '../../source/service/http/limits.ts';
import {listen} from '../../source/service/http/listen.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {appParts, createCertificate, openSocket, paths, startTestService, temporaryDataFolder, type TestService, waitUntil} from './kit.ts';

/** So long that nothing ends by them here. */
const long = {
	idleMilliseconds: 100_000,
	silentMilliseconds: 100_000,
	restMilliseconds: 100_000,
	requestMilliseconds: 100_000,
	handshakeMilliseconds: 100_000,
};

/** Enough for a busy machine, and half of a hundred times the limits below. */
const deadlineMilliseconds = 20_000;

async function isClosed(socket: Socket): Promise<void> {
	try {
		await waitUntil(() => socket.closed, deadlineMilliseconds);
	} finally {
		socket.destroy();
	}
}

const put = (service: TestService, length: number, key = service.key): string =>
	`PUT /api/personalities/edit-personality/ HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

for (const [title, limit, starts] of [
	['without a request', 'idleMilliseconds', () => ['', 'GET / HTTP/1.1\r\nHost:', `GET ${paths.agents} HTTP/1.1\r\nHost: x\r\n\r\n`]],
	['on which no byte moves', 'silentMilliseconds', (service: TestService) => [put(service, 100)]],
] as const) {
	test(`a connection ${title} is closed`, async () => {
		await using service = await startTestService({limits: {...long, [limit]: 400}});
		await Promise.all(
			starts(service).map(async start => {
				const socket = await openSocket(service.baseAddress);
				socket.write(start);
				await isClosed(socket.resume());
			}),
		);
	});
}

test('a handshake that never speaks is closed', async () => {
	await using service = await startTestService({tls: createCertificate(), limits: {...long, handshakeMilliseconds: 400}});
	const socket = await openSocket(service.baseAddress);
	await isClosed(socket.resume());
});

/** Sends a request whose body comes byte by byte for as long as the connection lasts, which must be closed. */
async function trickle({baseAddress}: TestService, start: string): Promise<void> {
	const socket = await openSocket(baseAddress);
	socket.resume().write(start);
	const send = async (): Promise<void> => {
		while (!socket.closed) {
			socket.write(' ');
			await setTimeout(20);
		}
	};

	await Promise.all([isClosed(socket), send()]);
}

test('a request that takes too long to arrive is closed, although it moves', async () => {
	await using service = await startTestService({limits: {...long, requestMilliseconds: 400}});
	await trickle(service, put(service, 100_000));
});

test('a body without a right key has little time, although it moves', async () => {
	await using service = await startTestService({limits: {...long, restMilliseconds: 400}});
	await Promise.all(
		[
			put(service, 50_000, 'sb_wrong'),
			'POST /api/sdk/verify_apikey/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n',
			'POST /nonsense HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n',
		].map(async start => trickle(service, start)),
	);
});

/** Opens a connection, and closes it when the limit for idle ones has passed. */
const waitForIdleLimit = async ({baseAddress}: TestService): Promise<void> => isClosed((await openSocket(baseAddress)).resume());

/** Sends the head of a request, anew where the machine was too busy for it to come in time. */
async function startRequest(service: TestService, head: string): Promise<Socket> {
	const socket = await openSocket(service.baseAddress);
	socket.write(head.replace('Host: x', 'Host: x\r\nConnection: close\r\nExpect: 100-continue'));
	const [answer = ''] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
	return String(answer).startsWith('HTTP/1.1 100 ') ? socket : startRequest(service, head);
}

test('a slow line is served, however long it takes', async () => {
	await using service = await startTestService({limits: {...long, idleMilliseconds: 400}});
	const body = JSON.stringify({personality_id: 999_999, description: 'x'});
	const socket = await startRequest(service, put(service, body.length));
	for (const part of [body.slice(0, 5), body.slice(5)]) {
		await waitForIdleLimit(service);
		socket.write(part);
	}

	assert.match(await text(socket), /^HTTP\/1.1 404 /);
});

test('requests on one connection are answered in turn, and too many at once close it', async () => {
	await using service = await startTestService();
	const request = `GET ${paths.agents} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\n\r\n`;
	const patient = await openSocket(service.baseAddress);
	patient.write(request.repeat(20) + request.replace('Host: x', 'Host: x\r\nConnection: close'));
	assert.equal((await text(patient)).match(/HTTP\/1.1 200 /g)?.length, 21);

	const greedy = await openSocket(service.baseAddress);
	greedy.write(request.repeat(200));
	await isClosed(greedy.resume());
});

for (const tls of [undefined, createCertificate()]) {
	test(`a process takes so many connections, and ends idle ones when it stops, with${tls === undefined ? 'out' : ''} TLS`, async () => {
		await using service = await startTestService({limits: {connections: 2}, ...(tls !== undefined && {tls})});
		const {hostname, port} = new URL(service.baseAddress);
		const openAny = async (): Promise<Socket> => {
			const socket =
				tls === undefined ? connect(Number(port), hostname) : connectTls({port: Number(port), host: hostname, rejectUnauthorized: false});
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

const upload = (key: string, length: number): string =>
	put({key} as TestService, length, key).replace('application/json', 'multipart/form-data; boundary=b');

/** One more than a key may have at once. */
const budgets: ReadonlyArray<readonly [title: string, lengths: readonly number[]]> = [
	['announced bodies', [150_000, 100_000, 70_000]],
	['requests under way', [1, 1, 1, 1, 1]],
];

for (const [title, lengths] of budgets) {
	test(`a key that sends nothing takes half of the room for ${title}, and others are answered`, async () => {
		await using service = await startTestService({limits: {connections: 8, bodyPatienceMilliseconds: 50}});
		const other = await service.createKey('default');
		const answers: string[] = [];
		const sockets = await Promise.all(
			lengths.map(async length => {
				const socket = await openSocket(service.baseAddress);
				socket.setEncoding('utf8').on('data', addTo(answers));
				socket.write(upload(service.key, length));
				return socket;
			}),
		);
		const edit = async (key: string) =>
			service.ask('PUT', paths.editAgent, {key, body: {personality_id: 999_999, description: 'x'.repeat(280_000)}});
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

test('others of the same address are answered beside hundreds of idle connections, pipelined requests and wrong keys', async () => {
	await using service = await startTestService();
	const request = (route: string, headers: string): string => `GET ${route} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
	const sockets: Socket[] = [];
	for (const [count, sent] of [
		[300, 'GET'],
		[30, request('/openapi.json', '').repeat(200)],
		[100, request(paths.agents, 'X-API-KEY: sb_wrong\r\n')],
	] as const) {
		for (let index = 0; index < count; index++) {
			const socket = await openSocket(service.baseAddress);
			// Nobody reads what it is answered.
			socket.pause().write(sent);
			sockets.push(socket);
		}

		assert.equal((await service.ask('GET', paths.agents)).status, 200);
	}

	for (const socket of sockets) {
		socket.destroy();
	}
});

const longKey = 'sb_long';

/** Together more than the kernels of both ends keep. */
const longAbilities = Array.from({length: 12}, (_, index) => ({
	name: `long ${index}`,
	category: 'skill',
	description: 'x'.repeat(1_000_000),
	triggerPhrases: [],
	files: [],
	installedAs: undefined,
	changedAt: new Date(),
}));

async function openLongHome(ownLimits: Partial<Limits>) {
	const store = await openStore(temporaryDataFolder());
	const accountId = await store.accounts.ensure('default');
	for (const ability of longAbilities) {
		await store.abilities.add(accountId, ability, () => undefined);
	}

	const app = await createApp({
		...appParts,
		store,
		findCaller: createFindCaller(store.accounts, longKey),
		limits: {...limits, ...ownLimits},
	});
	const {baseAddress} = await listen(app, {host: '127.0.0.1', port: 0}, 'http');
	/** A client that asks for the long list, and reads none of it yet. */
	const startReader = async () => {
		const reader = await openSocket(baseAddress);
		reader.write(`GET ${paths.abilities} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${longKey}\r\n\r\n`);
		await once(reader, 'readable');
		return reader;
	};

	return {store, accountId, app, baseAddress, startReader};
}

test('where there is no room for more answers, lists are refused, and a change is said to be done', async () => {
	const {store, accountId, app, baseAddress, startReader} = await openLongHome({answerBytes: 100_000});
	const ask = async (method: string, path: string, body?: object, asKey = longKey) =>
		fetch(baseAddress + path, {
			method,
			headers: {'x-api-key': asKey, 'accept-encoding': 'identity', 'content-type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
	const otherKey = generateKey();
	await store.accounts.addKey('default', hashKey(otherKey), () => 'other');
	const reader = await startReader();
	try {
		const [agent] = (await store.agents.list(accountId)).records;
		assert.ok(agent);
		const description = 'You are patient. '.repeat(10_000).trim();
		const changed = await ask('PUT', paths.editAgent, {personality_id: agent.id, name: agent.name, description});
		assert.deepEqual(
			[changed.status, await changed.json()],
			[503, {detail: 'This was done, but there is no room for the answer now. Look at it in a moment.'}],
		);
		assert.equal((await store.agents.list(accountId)).records[0]!.description, description);

		const refused = await ask('GET', paths.agents);
		assert.equal(refused.status, 429, await refused.text());
		// Another key has the other half of the room.
		const others = await ask('GET', paths.agents, undefined, otherKey);
		assert.equal(others.status, 200);
		await others.arrayBuffer();

		reader.destroy();
		await waitUntil(async () => {
			const answer = await ask('GET', paths.agents);
			return (await answer.text()).includes(description) && answer.ok;
		});
	} finally {
		reader.destroy();
		await app.close();
		await store.close();
	}
});

test('a service that stops sends the rest of an answer, and then ends its connection', {timeout: 15_000}, async () => {
	const {store, app, startReader} = await openLongHome({});
	const reader = await startReader();
	const closed = app.close();
	const [head, body] = (await text(reader)).split('\r\n\r\n', 2);
	assert.equal(Number(/content-length: (?<bytes>\d+)/i.exec(head!)!.groups!['bytes']), body!.length);
	await closed;
	await store.close();
});
