import {addTo, assert, process, test, type TestContext} from '../helpers/node.ts';
import {startRecordingServer} from '../helpers/recorded-requests.ts';
import {clientOf, failureOf, fieldsOf, jsonAnswer, startLiveLike} from './clients.ts';

const token = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl';

const tokenOptions = (notes: string[] = []) => ({sessionToken: {token, variable: 'OPENHOME_JWT', onFirstUse: addTo(notes)}});

test('a list that was read with a session token is not read beyond its first page', async (t: TestContext) => {
	const service = await startLiveLike(t, {keys: {isHalf: true, sessionToken: token}, pageSize: 1, listShape: 'results'});
	const {records, isComplete} = await clientOf(service, tokenOptions()).list('abilities');
	assert.deepEqual([records.length, isComplete], [1, false]);
	const withToken = service.requests.filter(({headers}) => headers.authorization !== undefined);
	assert.deepEqual(fieldsOf(withToken, 'path', 'query'), [['/api/capabilities/get-all-capabilities/', '']]);
});

test('a service that repeats the session token has it shown nowhere', async (t: TestContext) => {
	const apiKey = 'a-key-0123456789';
	const service = await startRecordingServer(({headers, path}) =>
		headers['x-api-key'] === undefined && headers.authorization !== undefined
			? path.includes('installed')
				? jsonAnswer({detail: `Not with ${token}`}, 400)
				: jsonAnswer([{id: 1, name: `Lamp ${token}`}])
			: jsonAnswer({detail: `${token} and ${apiKey} are wanted`}, 401),
	);
	t.after(async () => service.close());
	const notes: string[] = [];
	const log: unknown[] = [];
	const client = clientOf({...service, apiKey}, {...tokenOptions(notes), onRequest: addTo(log)});
	const {records} = await client.list('abilities');
	const refusal = await failureOf(client.list('installed'));
	assert.equal(refusal.message, 'The service refused the request: Not with [API key removed].');
	assert.deepEqual(fieldsOf(records, 'name'), ['Lamp [API key removed]']);
	assert.equal(notes.length, 1);
	assert.ok(!JSON.stringify([records, refusal.message, refusal.nextStep, notes, log]).includes(token));
});

test('nothing is changed with a session token where the agents cannot be read with the key', async (t: TestContext) => {
	const service = await startLiveLike(t, {keys: {sessionToken: token}});
	const client = clientOf({...service, apiKey: 'a-wrong-key-0123456789'}, tokenOptions());
	const error = await failureOf(client.installAbility({id: 1, name: 'desk'}));
	assert.deepEqual([error.kind, error.exitCode], ['forbidden', 3]);
	assert.match(error.message, /^Nothing was changed with the session token in OPENHOME_JWT: no agents could be read with both/);
	assert.ok(service.requests.every(({path, headers}) => headers.authorization === undefined || path.includes('personalities')));
});

test('a session token goes neither over plain http to another machine nor to paths that take the key in the body', async (t: TestContext) => {
	const service = await startLiveLike(t, {keys: {sessionToken: token}});
	const wrong = {...service, apiKey: 'a-wrong-key-0123456789'};
	const client = clientOf(wrong, tokenOptions());
	await client.verifyKey();
	await client.sendRequest({
		method: 'GET',
		path: '/api/capabilities/get-all-capabilities/',
		summary: undefined,
		isWrite: false,
		auth: 'header',
	});
	// Reached over a proxy, which is this service.
	process.env['HTTP_PROXY'] = service.baseAddress;
	t.after(() => {
		delete process.env['HTTP_PROXY'];
	});
	const far = clientOf({...wrong, baseAddress: 'http://voice.example.com'}, {...tokenOptions(), isInsecureHttpAllowed: true});
	await failureOf(far.list('abilities'));
	assert.ok(service.requests.length >= 3);
	assert.ok(service.requests.every(({headers}) => headers.authorization === undefined));
});
