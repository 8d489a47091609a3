import {assert, once, test} from '../helpers/node.ts';
import fastify from 'fastify';
import {addChangeFeed} from '../../source/service/http/change-feed.ts';
import {limits} from '../../source/service/http/limits.ts';
import type {ListChange} from '../../source/service/store/changes.ts';
import type {Store} from '../../source/service/store/store.ts';
import {plainKey} from './app-parts.ts';
import {named, paths, shareTestService, startTestService, type TestAnswer, type TestService, withKeys} from './running-service.ts';
import {followChanges, openSocket, temporaryDataFolder, testOnEach, waitUntil} from './kit.ts';

/** Switches an installed ability over. */
async function toggle({ask, read, key: own}: TestService, key = own, name = 'pantry'): Promise<TestAnswer> {
	const {id, enabled} = named(await read(paths.installed, key), name);
	return ask('PUT', paths.editInstalled(id), {key, body: {enabled: enabled !== true}});
}

async function revoke(location: string, id: string): Promise<void> {
	await withKeys(location, async keys => keys.revoke([id]));
}

const shared = await shareTestService();

test('a stream has the version of each list, and then each new one', async () => {
	await using stream = await followChanges(shared.baseAddress, shared.key);
	assert.equal(stream.status, 200);
	assert.equal(stream.headers['content-type'], 'text/event-stream');
	assert.equal(stream.headers['cache-control'], 'no-store');
	const [agents, abilities, installed] = await stream.waitForChanges(3);
	assert.equal((await shared.ask('GET', paths.installed)).headers.get('list-versions'), installed!.replace(' ', '='));
	assert.equal((await shared.ask('GET', paths.agents)).headers.get('list-versions'), agents!.replace(' ', '='));
	assert.equal((await shared.ask('GET', paths.abilities)).headers.get('list-versions'), abilities!.replace(' ', '='));

	const {status, headers} = await toggle(shared);
	assert.equal(status, 200);
	const version = headers.get('list-versions')!;
	assert.match(version, /^installed=\S+$/);
	assert.equal(headers.get('list-versions-before'), installed!.replace(' ', '='));
	assert.deepEqual(await stream.waitForChanges(4), [agents, abilities, installed, version.replace('=', ' ')]);
	const changed = await shared.ask('GET', paths.installed);
	assert.equal(changed.headers.get('list-versions'), version);
	const unchanged = await shared.ask('GET', paths.installed, {headers: {'if-none-match': changed.headers.get('etag')!}});
	assert.deepEqual([unchanged.status, unchanged.headers.get('list-versions')], [304, version]);
});

test('a change that changes nothing is not in the stream', async () => {
	await using stream = await followChanges(shared.baseAddress, shared.key);
	await stream.waitForChanges(3);
	const {id, enabled} = named(await shared.read(paths.installed), 'pantry');
	const same = await shared.ask('PUT', paths.editInstalled(id), {body: {enabled}});
	assert.equal(same.status, 200);
	assert.equal(same.headers.get('list-versions'), null);
	const {headers} = await toggle(shared);
	assert.deepEqual((await stream.waitForChanges(4)).slice(3), [headers.get('list-versions')!.replace('=', ' ')]);
});

test('a stream has no changes of another account', async () => {
	const otherKey = await shared.createKey('other');
	await using stream = await followChanges(shared.baseAddress, otherKey);
	await using own = await followChanges(shared.baseAddress, shared.key);
	await own.waitForChanges(3);
	const atFirst = await stream.waitForChanges(3);
	await toggle(shared);
	await own.waitForChanges(4);
	const [agent] = await shared.read(paths.agents, otherKey);
	await shared.ask('PUT', paths.editAgent, {key: otherKey, body: {personality_id: agent!['id'], name: 'Lantern'}});
	const all = await stream.waitForChanges(4);
	assert.deepEqual(all.slice(0, 3), atFirst);
	assert.match(all[3]!, /^agents /);
	assert.equal(all.length, 4);
});

test('a read-only service tells of changes too', async () => {
	await using service = await startTestService({dataFolder: temporaryDataFolder(), isReadOnly: true});
	await using stream = await followChanges(service.baseAddress, service.key);
	assert.equal((await stream.waitForChanges(3)).length, 3);
});

testOnEach('the stream ends when its key is revoked, and those of other keys go on', async location => {
	await using service = await startTestService({location});
	const otherKey = await service.createKey('default');
	await using own = await followChanges(service.baseAddress, service.key);
	await using other = await followChanges(service.baseAddress, otherKey);
	await Promise.all([own.waitForChanges(3), other.waitForChanges(3)]);
	await revoke(location, '1');
	await own.ended;
	await toggle(service, otherKey);
	await other.waitForChanges(4);
	assert.equal((await service.ask('GET', '/events')).status, 401);
});

testOnEach('what changes through one service is told by another on the same database', async location => {
	await using service = await startTestService({location});
	await using other = await startTestService({location});
	await using stream = await followChanges(other.baseAddress, other.key);
	await stream.waitForChanges(3);
	for (let count = 4; count < 7; count++) {
		const {headers} = await toggle(service);
		assert.equal((await stream.waitForChanges(count)).at(-1), headers.get('list-versions')!.replace('=', ' '));
	}

	const {capability_id: id} = named(await service.read(paths.abilities), 'pantry');
	const {headers} = await service.ask('POST', paths.deleteAbility(id));
	const told = headers
		.get('list-versions')!
		.split(', ')
		.map(part => part.replace('=', ' '));
	assert.ok(told.some(change => change.startsWith('abilities ')) && told.some(change => change.startsWith('installed ')));
	assert.deepEqual((await stream.waitForChanges(6 + told.length)).slice(6).toSorted(), told.toSorted());
});

test('a service that stops ends the streams at once', async () => {
	const service = await startTestService();
	const stream = await followChanges(service.baseAddress, service.key);
	await stream.waitForChanges(3);
	const closed = service.close();
	await stream.ended;
	await closed;
	assert.ok(!stream.text().includes('unexpected'));
});

test('a key follows changes a limited number of times at once, and again when one has ended', async () => {
	await using service = await startTestService({limits: {streamsPerKey: 2}});
	const otherKey = await service.createKey('default');
	const first = await followChanges(service.baseAddress, service.key);
	await using second = await followChanges(service.baseAddress, service.key);
	const {status, headers, json} = await service.ask('GET', '/events');
	assert.equal(status, 429);
	assert.equal(headers.get('retry-after'), '30');
	assert.deepEqual(json, {detail: 'This key may follow changes 2 times at once.'});
	await using other = await followChanges(service.baseAddress, otherKey);
	assert.deepEqual([second.status, other.status], [200, 200]);
	first.close();
	await waitUntil(async () => {
		await using third = await followChanges(service.baseAddress, service.key);
		return third.status === 200;
	});
});

test('all who follow changes leave room for requests', async () => {
	await using service = await startTestService({limits: {streams: 2}});
	const otherKey = await service.createKey('other');
	await using first = await followChanges(service.baseAddress, service.key);
	await using second = await followChanges(service.baseAddress, otherKey);
	assert.deepEqual([first.status, second.status], [200, 200]);
	assert.equal((await service.ask('GET', '/events')).status, 429);
	assert.equal((await service.ask('GET', paths.installed)).status, 200);
});

test('opening a stream counts as one request', async () => {
	await using service = await startTestService({requestsPerMinute: 3});
	await using stream = await followChanges(service.baseAddress, service.key);
	assert.equal(stream.status, 200);
	const statuses: number[] = [];
	for (let count = 0; count < 3; count++) {
		const {status} = await service.ask('GET', paths.agents);
		statuses.push(status);
	}

	assert.deepEqual(statuses, [200, 200, 429]);
});

test('a stream on which nothing is told stays open longer than an idle connection', async () => {
	await using service = await startTestService({limits: {idleMilliseconds: 400, silentMilliseconds: 400, requestMilliseconds: 400}});
	await using stream = await followChanges(service.baseAddress, service.key);
	await stream.waitForChanges(3);
	// Both limits have passed when a connection that was opened later is closed for the second time.
	for (let round = 0; round < 2; round++) {
		const idle = await openSocket(service.baseAddress);
		await once(idle.resume(), 'close');
	}

	await waitUntil(() => stream.text().includes('\n\n: \n\n: \n\n'));
	await toggle(service);
	await stream.waitForChanges(4);
});

test('the stream of a client that does not read is closed', async t => {
	const app = fastify();
	t.after(async () => app.close());
	let tell: (change: ListChange) => void = () => undefined;
	const versions = {agents: 'a', abilities: 'b', installed: 'c'};
	const caller = {
		...plainKey,
		accountId: 1,
		account: 'default',
		keyName: 'ephemeral',
		keyId: undefined,
		author: {name: 'local', person: '', via: 'any'},
		versions,
	};
	app.decorateRequest('caller', undefined);
	app.addHook('onRequest', async request => {
		request.caller = caller;
	});
	let watcherCount = 0;
	addChangeFeed(app, {
		store: {
			accounts: {find: async () => ({id: 1, name: 'default', versions, historyNumber: 0})},
			checkVersion: async () => undefined,
			watch(listener: typeof tell) {
				tell = listener;
				watcherCount++;
				return () => {
					watcherCount--;
				};
			},
		} as unknown as Store,
		keyWatch: {watch: () => () => undefined, cutAnswer: () => undefined},
		limits,
	});
	const socket = await openSocket(await app.listen({host: '127.0.0.1', port: 0}));
	socket.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
	await waitUntil(() => watcherCount === 1);
	socket.pause();
	await waitUntil(() => {
		for (let count = 0; count < 1000; count++) {
			tell({accountId: 1, list: 'installed', version: `${count}`.padStart(100, 'x'), historyNumber: count});
		}

		return watcherCount === 0;
	});
});
