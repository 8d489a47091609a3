import {assert, Buffer, fork, once, path, process, randomBytes, type Socket, test} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {newAbility, noAgent, openSocket, temporaryDataFolder} from './kit.ts';

/* Attacks that made the service take hundreds of megabytes. It runs in a process of its own, whose memory is measured. */

const mebibyte = 1024 * 1024;
const allowedBytes = 100 * mebibyte;
const key = 'sb_memory';
const keyHeader = `X-API-KEY: ${key}\r\n`;

/** All memory of the process, or what it would keep after a collection. */
type Measure = 'rss' | 'held';

async function readMemory({child}: Service, measure: Measure): Promise<number> {
	child.send(measure);
	const [bytes] = (await once(child, 'message')) as [number];
	return bytes;
}

async function prepareFolder(): Promise<{readonly dataFolder: string; readonly abilityId: number}> {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	await store.accounts.fill('default', {
		abilities: Array.from({length: 150}, (_, index) => newAbility({name: `long${index}`, description: 'x'.repeat(20_000), files: []})),
		agents: [],
	});
	const account = await store.accounts.ensure('default');
	const bytes = randomBytes(15 * mebibyte);
	const files = ['a.wav', 'b.wav'].map(name => ({path: name, bytes}));
	const {result: abilityId} = await store.abilities.add(account, newAbility({name: 'large', files}), noAgent);
	await store.close();
	return {dataFolder, abilityId};
}

const folder = prepareFolder();

async function start() {
	const {dataFolder, abilityId} = await folder;
	const child = fork(path.join(import.meta.dirname, 'serve-child.ts'), [dataFolder, key], {execArgv: [...process.execArgv, '--expose-gc']});
	const [baseAddress] = (await once(child, 'message')) as [string];
	return {child, baseAddress, abilityId};
}

type Service = Awaited<ReturnType<typeof start>>;

/** Not the address of those that are answered. Elsewhere only one of this network is there. */
const attacker = process.platform === 'linux' ? {localAddress: '127.0.0.2'} : {};

/** Sends as long as the service takes it: a write that it does not take is left behind. */
async function send(socket: Socket, chunks: Iterable<string | Buffer>): Promise<void> {
	for (const chunk of chunks) {
		if (socket.destroyed) {
			return;
		}

		if (socket.write(chunk)) {
			continue;
		}

		const first = new AbortController();
		await Promise.race(['drain', 'close', 'data'].map(async name => once(socket, name, {signal: first.signal}))).catch(() => undefined);
		first.abort();
	}
}

async function ask({baseAddress}: Service, route: string): Promise<void> {
	const response = await fetch(baseAddress + route, {headers: {'x-api-key': key}});
	await response.arrayBuffer();
	assert.equal(response.status, 200);
}

/** The most memory that the service gains while connections attack it without reading, and it answers others. */
async function attack(service: Service, count: number, chunks: Iterable<string | Buffer>, measure: Measure): Promise<number> {
	const routes = ['/openapi.json', sourceRoute(service)];
	// What the first requests load is no harm.
	for (const route of routes) {
		await ask(service, route);
	}

	const before = await readMemory(service, measure);
	const sockets = await Promise.all(Array.from({length: count}, async () => openSocket(service.baseAddress, attacker)));
	const all = [...chunks];
	for (const socket of sockets) {
		socket.pause();
		void send(socket, all);
	}

	const countTakenBytes = (): number => sockets.reduce((sum, {bytesWritten, writableLength}) => sum + bytesWritten - writableLength, 0);
	let most = 0;
	let takenBytes = -1;
	for (let quietRounds = 0; quietRounds < 5; quietRounds++) {
		await ask(service, `/api/capabilities/get-capability/${service.abilityId}/`);
		most = Math.max(most, await readMemory(service, measure));
		if (countTakenBytes() === takenBytes) {
			continue;
		}

		takenBytes = countTakenBytes();
		quietRounds = 0;
	}

	for (const socket of sockets) {
		socket.destroy();
	}

	return most - before;
}

const sourceRoute = ({abilityId}: Service): string => `/api/capabilities/get/template-file/${abilityId}/`;

const request = (method: string, route: string, headers: string): string => `${method} ${route} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

function* repeated(count: number, chunk: string | Buffer): Generator<string | Buffer> {
	for (let index = 0; index < count; index++) {
		yield chunk;
	}
}

const textField = `--b\r\nContent-Disposition: form-data; name="description"\r\n\r\n${'x'.repeat(mebibyte - 10)}\r\n`;

const halfBody = (method: string, route: string, headers: string, bytes: number) =>
	function* () {
		yield request(method, route, `${headers}Content-Length: ${bytes}\r\n`);
		yield* repeated(Math.floor((bytes - 1) / 65_536), Buffer.alloc(65_536, ' '));
	};

const formHeader = 'Content-Type: multipart/form-data; boundary=b\r\n';
const jsonHeader = 'Content-Type: application/json\r\n';

type Attack = readonly [title: string, connectionCount: number, chunks: (service: Service) => Iterable<string | Buffer>, measure?: Measure];

const attacks: readonly Attack[] = [
	[
		'a form of 150 fields of 1 MB',
		1,
		function* () {
			yield request('PUT', '/api/personalities/edit-personality/', `${keyHeader}${formHeader}Transfer-Encoding: chunked\r\n`);
			yield* repeated(150, `${textField.length.toString(16)}\r\n${textField}\r\n`);
		},
	],
	['requests whose answers are not read', 4, () => repeated(25, request('GET', '/openapi.json', '').repeat(400))],
	['downloads of 30 MB that are not read', 8, service => repeated(1, request('GET', sourceRoute(service), keyHeader))],
	// V8 keeps what so many lists needed for a while, though nothing holds it.
	['lists of 3 MB that are not read', 50, () => repeated(1, request('GET', '/api/capabilities/get-all-capability/', keyHeader)), 'held'],
	[
		'lists of 3 MB that are not read, each of another version',
		50,
		service =>
			repeated(
				1,
				[
					request('DELETE', `/api/capabilities/uninstall-capability/${service.abilityId}/`, keyHeader),
					request('GET', `/api/capabilities/install-capability/${service.abilityId}/`, keyHeader),
					request('GET', '/api/capabilities/get-all-capability/', keyHeader),
				].join(''),
			),
		'held',
	],
	['half-sent bodies without a key', 130, halfBody('POST', '/api/sdk/verify_apikey/', jsonHeader, mebibyte)],
	['half-sent bodies for an unknown path', 130, halfBody('POST', '/nonsense', jsonHeader, mebibyte)],
	['half-sent bodies with a key', 130, halfBody('PUT', '/api/personalities/edit-personality/', keyHeader + jsonHeader, mebibyte)],
	[
		'half-sent uploads',
		8,
		function* () {
			yield request('POST', '/api/capabilities/add-capability/', `${keyHeader}${formHeader}Content-Length: ${32 * mebibyte}\r\n`);
			yield '--b\r\nContent-Disposition: form-data; name="zip_file"; filename="a.zip"\r\n\r\n';
			yield* repeated(480, Buffer.alloc(65_536, 'x'));
		},
	],
];

for (const [title, count, chunks, measure = 'rss'] of attacks) {
	test(`${title} take less than 100 MB, and others are answered`, async t => {
		const service = await start();
		try {
			const bytes = await attack(service, count, chunks(service), measure);
			t.diagnostic(`${Math.round(bytes / mebibyte)} MB`);
			assert.ok(bytes < allowedBytes, `${Math.round(bytes / mebibyte)} MB`);
		} finally {
			service.child.kill('SIGKILL');
		}
	});
}
