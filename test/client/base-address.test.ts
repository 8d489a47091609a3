import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {createClient} from '../../source/client/client.ts';
import {createTransport} from '../../source/client/transport.ts';
import {failureOf, fieldsOf, jsonAnswer, lines, paths, startOdd, told} from './clients.ts';

const apiKey = 'base-address-key-0123456789';

const bases = [
	['a last slash', '/', ''],
	['a path and last slashes', '/Voice/Api-Root//', '/Voice/Api-Root'],
] as const;

for (const [title, ending, prefix] of bases) {
	test(`a base address with ${title} leads to the documented paths`, async (t: TestContext) => {
		const service = await startOdd(t, {
			'*': jsonAnswer([{id: 1, enabled: false}]),
			[prefix + paths.ability(7)]: jsonAnswer({id: 7}),
			[prefix + paths.verifyKey]: jsonAnswer({valid: true}),
		});
		const client = createClient({baseAddress: service.baseAddress + ending, apiKey});
		const {records} = await client.list('installed');
		await client.editInstalled(records[0]!, {enabled: true});
		await client.getAbility(7);
		await client.list('abilities');
		await client.list('agents');
		await client.verifyKey();
		assert.deepEqual(lines(service.requests), [
			`GET ${prefix}${paths.installed}`,
			`PUT ${prefix}${paths.editInstalled(1)}`,
			`GET ${prefix}${paths.ability(7)}`,
			`GET ${prefix}${paths.abilities}`,
			`GET ${prefix}${paths.agents}`,
			`POST ${prefix}${paths.verifyKey}`,
		]);
		assert.equal(client.baseAddress, service.baseAddress + prefix);
	});
}

test('the key travels in the header, and under /api/sdk/ in the body alone; never as a bearer token', async (t: TestContext) => {
	const service = await startOdd(t, {
		'*': jsonAnswer([{id: 1}]),
		[paths.verifyKey]: jsonAnswer({valid: true}),
		[paths.agents]: {status: 404},
	});
	const client = createClient({baseAddress: service.baseAddress, apiKey});
	const {records} = await client.list('installed');
	await client.editInstalled(records[0]!, {enabled: true});
	await client.verifyKey();
	await client.list('agents');
	const [list, toggle, verification, , agents] = service.requests;
	assertMapped(service.requests, ({headers}) => headers['x-api-key'], [apiKey, apiKey, undefined, apiKey, undefined]);
	assert.doesNotMatch(list!.body + toggle!.body, /base-address-key/);
	assert.equal(verification!.headers['content-type'], 'application/json');
	assert.deepEqual(JSON.parse(verification!.body), {api_key: apiKey});
	assert.deepEqual(JSON.parse(agents!.body), {with_image: true, api_key: apiKey});
	assert.equal(list!.body, '');
	assert.ok(service.requests.every(({headers, query}) => headers.authorization === undefined && query === ''));
});

/** Apart from its host, so that nobody mends it. */
const plainHttp = 'http://';

test('plain http to another machine is refused before any request, and the message says how to allow it', async () => {
	const error = await failureOf(() => createClient({baseAddress: `${plainHttp}10.0.0.5:8787`, apiKey}));
	assert.equal(error.kind, 'insecure');
	assert.match(told(error), /https:\/\/.*--insecure-http/);
});

test('plain http is accepted to this machine, and elsewhere if allowed', () => {
	const thisMachine = ['127.0.0.1:1', '127.8.9.1:1', 'localhost:1', '[::1]:1'].map(host => plainHttp + host);
	assertMapped(thisMachine, baseAddress => createClient({baseAddress, apiKey}).baseAddress, thisMachine);
	assert.ok(createClient({baseAddress: `${plainHttp}10.0.0.5`, apiKey, isInsecureHttpAllowed: true}));
	assert.ok(createClient({baseAddress: 'https://voice.example.com', apiKey}));
});

const impossibleKeys = [
	['a line break', 'good-key\r\nx-injected: 1'],
	['a line break at its end', 'good-key\n'],
	['a space', 'good key'],
	['a NUL', 'good\0key'],
	['a letter outside ASCII', 'gööd-key'],
	['nothing in it', ''],
] as const;

for (const [title, key] of impossibleKeys) {
	test(`a key with ${title} is refused before any request, and not repeated`, async () => {
		const error = await failureOf(() => createClient({baseAddress: 'https://voice.example.com', apiKey: key}));
		assert.equal(error.kind, 'key-refused');
		assert.match(error.nextStep!, /switchboard login/);
		assert.doesNotMatch(told(error), /good|gööd/);
	});
}

test('no request goes to another origin, whatever its address comes from', async (t: TestContext) => {
	const [service, other] = [await startOdd(t, {'*': jsonAnswer([])}), await startOdd(t, {'*': jsonAnswer([])})];
	const transport = createTransport({baseAddress: service.baseAddress, apiKey});
	const addresses = [
		`${other.baseAddress}${paths.installed}`,
		service.baseAddress.replace('127.0.0.1', 'localhost') + paths.installed,
		'https://voice.example.com/',
	];
	const errors = await Promise.all(
		addresses.map(async path => failureOf(transport.send({operation: 'listInstalled', method: 'GET', path}))),
	);
	assert.deepEqual(
		fieldsOf(errors, 'kind'),
		addresses.map(() => 'unintelligible'),
	);
	assert.ok(errors.every(error => told(error).includes('the key is not sent there')));

	await transport.send({operation: 'listInstalled', method: 'GET', path: `//${new URL(other.baseAddress).host}/x`});
	assert.equal(other.requests.length, 0);
	assert.equal(service.requests.length, 1);
});
