import {addTo, assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import type {RequestLogEntry, TransportOptions} from '../../source/client/call.ts';
import {createTransport} from '../../source/client/transport.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import type {HttpMethod, Operation} from '../../source/interface/endpoints.ts';
import {clientOf, failureOf, fieldsOf, jsonAnswer, paths, startLiveLike, startOdd, told} from './clients.ts';

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

/** Every way to change something, by whatever method (`docs/interface.md`, Paths). */
const writes: ReadonlyArray<readonly [operation: Operation, method: HttpMethod, path: string]> = [
	['editAgent', 'PUT', '/api/personalities/edit-personality/'],
	['uploadAbility', 'POST', '/api/capabilities/add-capability/'],
	['editInstalled', 'PUT', paths.editInstalled(1)],
	['deleteAbility', 'POST', '/api/capabilities/delete-capability/1/'],
	['deleteAbility', 'DELETE', '/api/capabilities/delete-capability/1'],
	['releaseCode', 'POST', '/api/capabilities/validate/release-code/1/'],
	['editAbility', 'PUT', '/api/capabilities/edit-capability/1/'],
	['enableRelease', 'POST', '/api/capabilities/enable/release/1/'],
	['uninstallAbility', 'DELETE', '/api/capabilities/uninstall-capability/1/'],
	['installAbility', 'GET', '/api/capabilities/install-capability/1/'],
];

test('read-only refuses every way to change something before any request', async (t: TestContext) => {
	const service = await startOdd(t, {'*': jsonAnswer({})});
	const log: RequestLogEntry[] = [];
	const transport = createTransport({...service, isReadOnly: true, onRequest: addTo(log)});
	for (const [operation, method, path] of writes) {
		const error = await failureOf(transport.send({operation, method, path}));
		assert.deepEqual([error.kind, error.isOutcomeUnknown], ['read-only', false], path);
		assert.match(told(error), /--read-only/);
	}

	assert.equal(service.connectionCount(), 0);
	assert.deepEqual(log, []);
});

test('a read-only client reads and checks keys', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const client = clientOf(service, {isReadOnly: true});
	await client.checkKey();
	const lists = [await client.list('agents'), await client.list('abilities'), await client.list('installed')];
	assertMapped(lists, ({records}) => records.length, [2, 4, 3]);
	assert.equal((await failureOf(client.editInstalled(record, {enabled: true}))).kind, 'read-only');
});

/** A client that logs, and its log without the times. */
function logging(service: {readonly baseAddress: string; readonly apiKey: string}, options: Partial<TransportOptions> = {}) {
	const entries: RequestLogEntry[] = [];
	const client = clientOf(service, {...options, onRequest: addTo(entries)});
	return {client, entries, lines: () => entries.map(({method, path, status}) => `${method} ${path} ${status}`)};
}

test('the log has a line for each request, with its path and status', async (t: TestContext) => {
	const startedAt = Date.now();
	const {client, entries, lines} = logging(await startLiveLike(t));
	await client.list('abilities');
	await client.editInstalled((await client.list('installed')).records[0]!, {enabled: false});
	await client.verifyKey();
	assert.deepEqual(lines(), [
		`GET ${paths.abilities} 404`,
		`GET ${paths.abilitiesAlsoSeen} 200`,
		`GET ${paths.installed} 200`,
		`PUT ${paths.editInstalled(301)} 200`,
		`POST ${paths.verifyKey} 200`,
	]);
	assert.ok(entries.every(({origin}) => /^http:\/\/127\.0\.0\.1:\d+$/.test(origin)));
	assert.ok(entries.every(entry => entry.startedAt >= startedAt && entry.durationMilliseconds >= 0));
	assert.deepEqual(
		new Set(entries.flatMap(entry => Object.keys(entry))),
		new Set(['method', 'origin', 'path', 'status', 'reason', 'attemptNumber', 'startedAt', 'durationMilliseconds']),
	);
	assert.doesNotMatch(JSON.stringify(entries), /live-like-key|lamps/);
});

test('the log has a line for each attempt', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, {status: 503, headers: {'retry-after': '0'}}, {cut: 'connection'}, jsonAnswer([]));
	const {client, entries, lines} = logging(service, {retries: {reads: 2, writes: 0}});
	await client.list('installed');
	assert.deepEqual(fieldsOf(entries, 'attemptNumber', 'reason'), [
		[1, undefined],
		[2, 'connection lost (ECONNRESET)'],
		[3, undefined],
	]);
	assert.deepEqual(lines(), [`GET ${paths.installed} 503`, `GET ${paths.installed} undefined`, `GET ${paths.installed} 200`]);
});

test('the wait between two attempts counts for neither of them', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, {status: 503, headers: {'retry-after': '1'}}, jsonAnswer([]));
	const {client, entries} = logging(service, {retries: {reads: 1, writes: 0}});
	await client.list('installed');
	const [first, second] = entries;
	assert.ok(first!.startedAt + first!.durationMilliseconds <= second!.startedAt - 900, JSON.stringify(entries));
});

test('cancelled, failed and timed-out requests are logged, requests that were not made are not', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {isHanging: true}, [paths.abilities]: {cut: 'connection'}});
	const {client, entries, lines} = logging(service);
	const impatient = clientOf(service, {timeoutMilliseconds: 300, onRequest: addTo(entries)});
	await failureOf(client.list('abilities'));
	await failureOf(impatient.list('installed'));
	const controller = new AbortController();
	const reading = failureOf(client.list('agents', controller.signal));
	await service.waitForRequests(3);
	controller.abort();
	await reading;
	await failureOf(client.list('agents', controller.signal));
	assert.deepEqual(fieldsOf(entries, 'reason'), ['connection lost (ECONNRESET)', 'no answer in time', 'cancelled']);
	assert.deepEqual(lines(), [`GET ${paths.abilities} undefined`, `GET ${paths.installed} undefined`, `GET ${paths.agents} undefined`]);
});

test('a log that cannot be written does not make requests fail', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const client = clientOf(service, {
		onRequest() {
			throw new Error('ENOSPC: no space left on device');
		},
	});
	const {records} = await client.list('installed');
	assert.equal((await client.editInstalled(records[0]!, {enabled: false})).isEnabled, false);
});
