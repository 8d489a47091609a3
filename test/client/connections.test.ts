import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {type Answer, clientOf, failureOf, jsonAnswer, lines, paths, startOdd} from './clients.ts';
import {startRawServer} from './raw-server.ts';

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

/** The connection stays open after this answer, and is dead when it is used again. */
const lastOfItsConnection: Answer = {...jsonAnswer([{id: 1}]), isConnectionStaleAfterwards: true};

test('one connection is reused for all requests', async (t: TestContext) => {
	const service = await startOdd(t, {'*': jsonAnswer([])});
	const client = clientOf(service);
	await client.list('installed');
	await client.list('agents');
	await client.editInstalled(record, {enabled: true});
	await client.list('abilities');
	assert.equal(service.connectionCount(), 1);
});

test('a kept connection that the service closed meanwhile fails no read', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, lastOfItsConnection, lastOfItsConnection, jsonAnswer([{id: 1}, {id: 2}]));
	const client = clientOf(service);
	const lists = [await client.list('installed'), await client.list('installed'), await client.list('installed')];
	assertMapped(lists, ({records}) => records.length, [1, 1, 2]);
	assert.equal(service.connectionCount(), 3);
	assert.equal(service.requests.length, 3);
});

test('several kept connections that are all dead fail no read, nor a key check, which is a POST', async (t: TestContext) => {
	const service = await startOdd(t, {'*': lastOfItsConnection});
	const release = service.hold();
	const client = clientOf(service);
	const reads = [client.list('installed'), client.list('agents'), client.list('abilities')];
	await service.waitForRequests(3);
	release();
	await Promise.all(reads);
	service.program(paths.installed, jsonAnswer([{id: 7}]));
	service.program(paths.verifyKey, jsonAnswer({valid: true}));
	assert.equal((await client.verifyKey()).isValid, true);
	assert.equal((await client.list('installed')).records[0]?.id, 7);
});

test('a toggle over a dead kept connection is not retried unasked, and its outcome is unknown', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: lastOfItsConnection, [paths.editInstalled(1)]: {status: 204}});
	const client = clientOf(service);
	await client.list('installed');
	const error = await failureOf(client.editInstalled(record, {enabled: true}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['unreachable', true]);
	assert.deepEqual(lines(service.requests), [`GET ${paths.installed}`]);
});

test('a service that closes each connection after its answer can be used', async (t: TestContext) => {
	const server = await startRawServer(t, socket => {
		socket.once('data', () => {
			socket.end('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n[]');
		});
	});
	const client = clientOf({baseAddress: server.baseAddress, apiKey: 'connection-key-0123456789'});
	for (let count = 0; count < 20; count++) {
		await client.list('installed');
	}

	assert.equal(server.connectionCount(), 20);
});
