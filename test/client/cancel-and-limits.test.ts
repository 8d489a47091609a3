import {assert, test, type TestContext} from '../helpers/node.ts';
import {gzipSync} from 'node:zlib';
import {decodeRecord} from '../../source/interface/records.ts';
import {createTransport, type Transport} from '../../source/client/transport.ts';
import {endlessAnswer, hugeAnswer, stalledAnswer} from '../helpers/odd-answers.ts';
import {clientOf, failureOf, fieldsOf, jsonAnswer, paths, startOdd, told, waitUntil} from './clients.ts';
import {startRawServer} from './raw-server.ts';

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

const switchOn = async ({send}: Transport, signal: AbortSignal) =>
	send({operation: 'editInstalled', method: 'PUT', path: paths.editInstalled(1), json: {enabled: true}, signal});

test('a read can be cancelled while the service works', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {isHanging: true}});
	const controller = new AbortController();
	const reading = failureOf(clientOf(service).list('installed', controller.signal));
	await service.waitForRequests(1);
	controller.abort();
	const error = await reading;
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['interrupted', false]);
	assert.match(error.message, /cancelled/);
});

test('every read can be cancelled, whichever request it is at', async (t: TestContext) => {
	const service = await startOdd(t, {
		'*': {isHanging: true},
		[paths.abilities]: {status: 404},
		[paths.ability(1)]: {status: 404},
		[paths.agents]: {status: 404},
	});
	const client = clientOf(service);
	const controller = new AbortController();
	const {signal} = controller;
	const reads = [
		client.list('agents', signal),
		client.list('abilities', signal),
		client.list('installed', signal),
		client.getAbility(1, signal),
		client.verifyKey(signal),
		client.checkKey(signal),
	].map(async read => failureOf(read));
	// Three of them go on to another path after a 404.
	await service.waitForRequests(reads.length + 4);
	controller.abort();
	assert.deepEqual(
		fieldsOf(await Promise.all(reads), 'kind'),
		reads.map(() => 'interrupted'),
	);
});

test('a read that is cancelled between two attempts ends there', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {status: 429, headers: {'retry-after': '9'}}});
	const controller = new AbortController();
	const reading = failureOf(clientOf(service, {retries: {reads: 2, writes: 1}}).list('installed', controller.signal));
	await service.waitForRequests(1);
	setImmediate(() => controller.abort());
	assert.equal((await reading).kind, 'interrupted');
	assert.equal(service.requests.length, 1);
});

test('an operation that is cancelled before it begins sends nothing', async (t: TestContext) => {
	const service = await startOdd(t, {'*': jsonAnswer([])});
	assert.equal((await failureOf(clientOf(service).list('installed', AbortSignal.abort()))).kind, 'interrupted');
	assert.deepEqual(service.requests, []);
});

test('a write that is cancelled before it left this machine was not made, after that it may have been', async (t: TestContext) => {
	const silent = await startRawServer(t, socket => {
		socket.resume();
	});
	const service = await startOdd(t, {'*': {isHanging: true}});
	const cancelled = async (baseAddress: string, ready: () => Promise<unknown>): Promise<boolean> => {
		const controller = new AbortController();
		const transport = createTransport({baseAddress, apiKey: 'cancelled-key-0123456789'});
		const writing = failureOf(switchOn(transport, controller.signal));
		await ready();
		controller.abort();
		return (await writing).isOutcomeUnknown;
	};

	assert.equal(
		await cancelled(silent.baseAddress.replace('http:', 'https:'), async () => waitUntil(() => silent.connectionCount() > 0)),
		false,
	);
	assert.equal(await cancelled(service.baseAddress, async () => service.waitForRequests(1)), true);
});

for (const [status, isOutcomeUnknown] of [
	[429, false],
	[503, true],
] as const) {
	test(`a write that is cancelled before it is repeated after ${status} is not repeated, and ${isOutcomeUnknown ? 'may have been' : 'was not'} made`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': {status, headers: {'retry-after': '9'}}});
		const controller = new AbortController();
		const transport = createTransport({
			baseAddress: service.baseAddress,
			apiKey: 'cancelled-key-0123456789',
			retries: {reads: 2, writes: 1},
			onRequest() {
				// The try has ended, and the next one is waited for.
				setImmediate(() => controller.abort());
			},
		});
		const error = await failureOf(switchOn(transport, controller.signal));
		assert.deepEqual([error.kind, error.isOutcomeUnknown], ['interrupted', isOutcomeUnknown]);
		assert.equal(service.requests.length, 1);
	});
}

test('an endless answer is cut off', async (t: TestContext) => {
	const client = clientOf(await startOdd(t, {'*': endlessAnswer()}), {timeoutMilliseconds: 60_000});
	const error = await failureOf(client.editInstalled(record, {enabled: true}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['unintelligible', true]);
	assert.match(told(error), /more than 64 MB.*Check the address/);
});

test('a large list is read whole', async (t: TestContext) => {
	const client = clientOf(await startOdd(t, {'*': hugeAnswer(20 * 1024 * 1024)}), {timeoutMilliseconds: 60_000});
	assert.deepEqual(fieldsOf((await client.list('installed')).records, 'id'), [1]);
});

test('a compressed list is read', async (t: TestContext) => {
	const body = gzipSync(JSON.stringify([{id: 1, name: 'lamps'}]));
	const client = clientOf(await startOdd(t, {'*': {headers: {'content-encoding': 'gzip'}, body}}));
	assert.equal((await client.list('installed')).records[0]?.name, 'lamps');
});

for (const encoding of ['deflate', 'br', 'zstd']) {
	test(`an answer that claims to be compressed as ${encoding} and is not is reported`, async (t: TestContext) => {
		const client = clientOf(await startOdd(t, {'*': {headers: {'content-encoding': encoding}, body: 'not packed at all'}}));
		const [read, write] = [await failureOf(client.list('installed')), await failureOf(client.editInstalled(record, {enabled: true}))];
		assert.deepEqual([read.kind, write.kind, write.isOutcomeUnknown], ['unintelligible', 'unintelligible', true]);
		assert.match(told(read), /cannot be decompressed.*proxy/);
	});
}

test('https to a service that speaks plain http is reported; nothing was written', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {body: '[]'}});
	const client = clientOf({...service, baseAddress: service.baseAddress.replace('http:', 'https:')});
	const errors = [await failureOf(client.list('installed')), await failureOf(client.editInstalled(record, {enabled: true}))];
	assert.deepEqual(fieldsOf(errors, 'kind', 'isOutcomeUnknown'), [
		['unintelligible', false],
		['unintelligible', false],
	]);
	assert.deepEqual(service.requests, []);
});

test('an aborted read does not affect the next one', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, stalledAnswer('[{"id"'), {cut: 'body', body: '[{"id": 1}]'}, {body: '[{"id": 1}]'});
	const client = clientOf(service);
	const kinds = [
		(await failureOf(clientOf(service, {timeoutMilliseconds: 400}).list('installed'))).kind,
		(await failureOf(client.list('installed'))).kind,
	];
	assert.deepEqual(kinds, ['timeout', 'unreachable']);
	assert.equal((await client.list('installed')).records.length, 1);
});
