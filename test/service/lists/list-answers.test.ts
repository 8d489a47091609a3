import {assert, assertMapped, Buffer, once, test} from '../../helpers/node.ts';
import {brotliDecompressSync, gunzipSync} from 'node:zlib';
import {createFindCaller} from '../../../source/service/callers.ts';
import {createApp} from '../../../source/service/app.ts';
import {listen} from '../../../source/service/http/listen.ts';
import {readSampleHome} from '../../../source/service/sample/read-sample-home.ts';
import {openStore} from '../../../source/service/store/open-store.ts';
import {fieldsOf, appParts, exchange, named, openSocket, paths, startTestService, temporaryDataFolder, type TestService} from '../kit.ts';

const key = 'sb_lists';

/** A service with the sample home, and the lists that are read from its store. */
async function startCountedService() {
	const store = await openStore(temporaryDataFolder());
	await store.accounts.fill('default', await readSampleHome());
	const reads: string[] = [];
	const counted = <Verbs extends {list(accountId: number): Promise<unknown>}>(name: string, verbs: Verbs): Verbs => ({
		...verbs,
		async list(accountId: number) {
			reads.push(name);
			return verbs.list(accountId);
		},
	});
	const app = await createApp({
		...appParts,
		store: {
			...store,
			agents: counted('agents', store.agents),
			abilities: counted('abilities', store.abilities),
			installed: counted('installed', store.installed),
		},
		findCaller: createFindCaller(store.accounts, key),
	});
	const {baseAddress} = await listen(app, {host: '127.0.0.1', port: 0}, 'http');
	return {
		reads,
		async ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
			const response = await fetch(baseAddress + path, {
				method,
				headers: {'x-api-key': key, 'accept-encoding': 'identity', 'content-type': 'application/json', ...headers},
				...(body !== undefined && {body}),
			});
			return {
				status: response.status,
				etag: response.headers.get('etag') ?? '',
				cacheControl: response.headers.get('cache-control'),
				text: await response.text(),
			};
		},
		async [Symbol.asyncDispose]() {
			await app.close();
			await store.close();
		},
	};
}

const names = ['agents', 'abilities', 'installed'] as const;

for (const name of names) {
	test(`unchanged ${name} are not read from the store`, async () => {
		await using service = await startCountedService();
		const list = await service.ask('GET', paths[name]);
		assert.deepEqual([list.status, list.cacheControl], [200, 'private, no-cache']);
		assert.deepEqual(service.reads, [name]);
		assert.deepEqual(await service.ask('GET', paths[name]), list);
		for (const tag of [list.etag, `W/${list.etag}`, `"other", ${list.etag}`, '*']) {
			assert.deepEqual(await service.ask('GET', paths[name], {'if-none-match': tag}), {...list, status: 304, text: ''});
		}

		assert.deepEqual(service.reads, [name]);
	});
}

test('a change is in the list that is asked for after it, and costs one read', async () => {
	await using service = await startCountedService();
	const before = await service.ask('GET', paths.installed);
	const firstOf = (text: string) => (JSON.parse(text) as ReadonlyArray<{readonly id: number; readonly enabled: boolean}>)[0]!;
	const record = firstOf(before.text);
	for (const enabled of [!record.enabled, record.enabled]) {
		assert.equal((await service.ask('PUT', paths.editInstalled(record.id), {}, JSON.stringify({enabled}))).status, 200);
		const after = await Promise.all([1, 2, 3].map(async () => service.ask('GET', paths.installed, {'if-none-match': before.etag})));
		assert.deepEqual(fieldsOf(after, 'status'), [200, 200, 200]);
		assertMapped(after, ({text}) => firstOf(text).enabled, [enabled, enabled, enabled]);
	}

	assert.equal(service.reads.length, 3);
});

test('a list has its records byte for byte as they are answered one by one', async () => {
	await using service = await startTestService();
	const abilities = await service.ask('GET', paths.abilities);
	const eachAbility = await Promise.all((await service.read(paths.abilities)).map(async ({id}) => service.ask('GET', paths.ability(id))));
	assert.equal(abilities.text, `[${eachAbility.map(({text}) => text).join(',')}]`);
	const installed = await service.ask('GET', paths.installed);
	const eachInstalled = await Promise.all(
		(await service.read(paths.installed)).map(async ({id, enabled}) => service.ask('PUT', paths.editInstalled(id), {body: {enabled}})),
	);
	assert.equal(installed.text, `[${eachInstalled.map(({text}) => text).join(',')}]`);
	const agents = await service.ask('GET', paths.agents);
	const eachAgent = await Promise.all(
		(await service.read(paths.agents)).map(async ({id, name}) => service.ask('PUT', paths.editAgent, {body: {personality_id: id, name}})),
	);
	assert.equal(agents.text, `[${eachAgent.map(({text}) => text).join(',')}]`);
});

async function readCoded({baseAddress, key: ownKey}: TestService, path: string, headers: string) {
	const [answer] = await exchange(
		baseAddress,
		`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: ${ownKey}\r\n${headers}\r\n`,
	);
	return answer!;
}

test('a list is compressed for clients that ask for it, with a tag of its own, and is the same', async () => {
	await using service = await startTestService();
	const plain = await readCoded(service, paths.abilities, '');
	const zipped = await readCoded(service, paths.abilities, 'Accept-Encoding: gzip\r\n');
	const brotli = await readCoded(service, paths.abilities, 'Accept-Encoding: gzip, br\r\n');
	assertMapped([plain, zipped, brotli], ({headers}) => headers['content-encoding'], [undefined, 'gzip', 'br']);
	assertMapped([plain, zipped, brotli], ({headers}) => headers['vary'], ['accept-encoding', 'accept-encoding', 'accept-encoding']);
	assert.deepEqual(gunzipSync(zipped.body), plain.body);
	assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
	assert.ok(zipped.body.length < plain.body.length / 2);
	const tags = [plain, zipped, brotli].map(({headers}) => headers['etag']!);
	assert.equal(new Set(tags).size, 3);
	for (const tag of tags) {
		const {status, headers} = await readCoded(service, paths.abilities, `Accept-Encoding: gzip\r\nIf-None-Match: ${tag}\r\n`);
		assert.deepEqual([status, headers['etag']], [304, tag]);
	}
});

test('a short list is not compressed', async () => {
	await using service = await startTestService({isSampleWanted: false});
	const {headers, body} = await readCoded(service, paths.installed, 'Accept-Encoding: gzip, br\r\n');
	assert.deepEqual([headers['content-encoding'], body.toString()], [undefined, '[]']);
});

test('a list is not compressed by a service that the client itself runs', async () => {
	await using service = await startTestService({ephemeralKey: 'sb_own'});
	assert.equal((await readCoded(service, paths.abilities, 'Accept-Encoding: gzip, br\r\n')).headers['content-encoding'], undefined);
});

test('agents in an object are compressed too, and follow each change', async () => {
	await using service = await startTestService();
	const ask = async () => service.ask('POST', '/api/sdk/get_personalities', {key: null, body: {api_key: service.key}});
	const before = await ask();
	assert.equal(before.headers.get('content-encoding'), 'gzip');
	const agent = named(await service.read(paths.agents), 'Hearth');
	await service.ask('PUT', paths.editAgent, {body: {personality_id: agent['id'], name: 'Ember'}});
	assert.equal((await ask()).text, before.text.replace('"Hearth"', '"Ember"'));
});

test('a hundred slow readers get a long list, and changes are answered meanwhile', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	await store.accounts.fill('default', {
		abilities: Array.from({length: 100}, (_, index) => ({
			name: `long${index}`,
			category: 'skill',
			description: 'x'.repeat(20_000),
			triggerPhrases: [],
			files: [],
			installedAs: true,
			changedAt: new Date(0),
		})),
		agents: [],
	});
	await store.close();
	await using service = await startTestService({dataFolder, isSampleWanted: false});
	const sockets = await Promise.all(
		Array.from({length: 100}, async () => {
			const socket = await openSocket(service.baseAddress);
			socket.write(`GET ${paths.abilities} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: ${service.key}\r\n\r\n`);
			// What has come lies in the kernel, until it is read.
			await once(socket, 'readable');
			return socket;
		}),
	);
	const [record] = await service.read(paths.installed);
	assert.equal((await service.ask('PUT', paths.editInstalled(record!['id']), {body: {enabled: false}})).status, 200);
	const answers = await Promise.all(
		sockets.map(async socket => {
			const chunks: Buffer[] = [];
			for await (const chunk of socket) {
				chunks.push(chunk as Buffer);
			}

			const bytes = Buffer.concat(chunks);
			return [bytes.toString('latin1', 9, 12), bytes.length > 2_000_000];
		}),
	);
	assert.deepEqual(
		answers,
		sockets.map(() => ['200', true]),
	);
});
