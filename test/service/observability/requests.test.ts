import {addTo, assert, assertMapped, test} from '../../helpers/node.ts';
import {createApp} from '../../../source/service/app.ts';
import type {EndedRequest} from '../../../source/service/observability/observe-requests.ts';
import type {ServiceOptions} from '../../../source/service/service.ts';
import {openStore} from '../../../source/service/store/open-store.ts';
import {fieldsOf, appParts, exchange, named, openSocket, paths, startTestService, temporaryDataFolder, waitUntil} from '../kit.ts';

/** A service, and what it tells of its requests. */
async function startObserved(options: Partial<ServiceOptions> = {}) {
	const ended: EndedRequest[] = [];
	const service = await startTestService({...options, onRequest: addTo(ended)});
	return {
		service,
		/** All requests so far, once there are so many. */
		async told(count: number) {
			await waitUntil(() => ended.length >= count);
			return ended.map(({method, path, operation, status, caller}) => [method, path, operation, status, caller?.account, caller?.keyName]);
		},
		ended,
	};
}

test('of a request only the shape of its path, its status, the account and the ids of its key and record are told', async () => {
	const {service, told, ended} = await startObserved();
	await using running = service;
	const {id} = named(await running.read(paths.installed), 'pantry');
	await running.ask('PUT', `${paths.editInstalled(id)}?secret=value`, {body: {enabled: false}});
	const guest = await running.createKey('guests');
	await running.ask('GET', paths.agents, {key: guest});
	await running.ask('GET', paths.agents, {key: 'sb_wrong'});
	await running.ask('GET', '/private/path/17');
	await running.ask('GET', '/healthz', {key: null});
	assert.deepEqual(await told(6), [
		['GET', paths.installed, 'listInstalled', 200, 'default', '1'],
		['PUT', '/api/capabilities/edit-installed-capability/:installed_cap_id/', 'editInstalled', 200, 'default', '1'],
		['GET', paths.agents, 'listAgents', 200, 'guests', '2'],
		['GET', paths.agents, 'listAgents', 401, undefined, undefined],
		['GET', 'unknown', 'unknown', 404, undefined, undefined],
		['GET', '/healthz', 'healthz', 200, undefined, undefined],
	]);
	assert.ok(ended.every(({milliseconds}) => milliseconds >= 0 && milliseconds < 60_000));
});

const asIdIs = /^[\da-f]{16}$/;

test('each request has a name of its own, which its answer has, too, and the record that its path names', async () => {
	const {service, ended} = await startObserved();
	await using running = service;
	const {id} = named(await running.read(paths.installed), 'pantry');
	const answers = [
		await running.ask('GET', paths.installed),
		await running.ask('PUT', paths.editInstalled(id), {body: {enabled: false}}),
		// Refused before anything of it is looked at, and by what looks at it.
		await running.ask('GET', '/private/17', {key: null}),
		await running.ask('GET', paths.ability(17), {key: 'sb_wrong'}),
		await running.ask('GET', paths.ability('17%22%20401')),
		// Who is no proxy names nothing.
		await running.ask('GET', '/healthz', {key: null, headers: {'x-request-id': 'of-somebody-else'}}),
	];
	await waitUntil(() => ended.length === 7);
	const told = ended.slice(1);
	const names = answers.map(({headers}) => headers.get('x-request-id'));
	assert.deepEqual(fieldsOf(told, 'requestId'), names);
	assert.ok(
		names.every(name => asIdIs.test(name!)),
		names.join(', '),
	);
	assert.equal(new Set(names).size, names.length);
	assert.deepEqual(fieldsOf(told, 'status', 'record'), [
		[200, undefined],
		[200, String(id)],
		[404, undefined],
		[401, '17'],
		[404, undefined],
		[200, undefined],
	]);
	const unchanged = await running.ask('GET', paths.installed, {
		headers: {'if-none-match': (await running.ask('GET', paths.installed)).headers.get('etag')!},
	});
	assert.equal(unchanged.status, 304);
	assert.match(unchanged.headers.get('x-request-id')!, asIdIs);
});

type Forwarded = readonly [headers: Readonly<Record<string, string>>, address: string | undefined, requestName?: string];

/** Headers of proxies, with the sender that they name, and the name that they give the request. */
const forwardedForms: readonly Forwarded[] = [
	[{'x-forwarded-for': '203.0.113.9', 'x-request-id': '0c5e-7.b_2'}, '203.0.113.9', '0c5e-7.b_2'],
	// What a client says before its proxy does not count.
	[{'x-forwarded-for': '198.51.100.1, 203.0.113.9'}, '203.0.113.9'],
	[{'x-forwarded-for': '::ffff:203.0.113.9'}, '203.0.113.9'],
	[{'x-forwarded-for': '2001:DB8::9'}, '2001:db8::9'],
	...['x address=198.51.100.1', '203.0.113.9"'].map(
		(forged): Forwarded => [{'x-forwarded-for': forged, 'x-request-id': forged}, undefined],
	),
	[{'x-forwarded-for': '', 'x-request-id': ''}, '127.0.0.1'],
	[{'x-request-id': 'a'.repeat(65)}, '127.0.0.1'],
	[{'x-forwarded-for': '203.0.113.9:51008'}, '203.0.113.9'],
	[{'x-forwarded-for': '[2001:DB8::1]:443'}, '2001:db8::1'],
	[{'x-forwarded-for': '[2001:db8::1]'}, '2001:db8::1'],
	[{'x-forwarded-for': '2001:db8::1:443'}, '2001:db8::1:443'],
	[{'x-forwarded-for': '198.51.100.1:1, 203.0.113.9:2,10.0.0.5:3'}, '203.0.113.9'],
	[{'x-forwarded-for': '203.0.113.9:51008:1'}, undefined],
	[{forwarded: 'for=198.51.100.1, proto=https;For="203.0.113.9:51008";by=10.0.0.1, for=10.0.0.5'}, '203.0.113.9'],
	[{forwarded: 'for="[2001:db8:cafe::17]:4711"'}, '2001:db8:cafe::17'],
	[{forwarded: 'for=203.0.113.9, for=unknown'}, undefined],
	[{forwarded: 'for=203.0.113.9, for=_hidden'}, undefined],
	// A client that leaves a quote open.
	[{forwarded: 'for=198.51.100.1;host="x, for="[2001:db8::2]:1"'}, '2001:db8::2'],
	[{forwarded: 'for=198.51.100.1', 'x-forwarded-for': '203.0.113.9'}, '203.0.113.9'],
	[{forwarded: 'for=198.51.100.1', 'x-forwarded-for': ''}, '127.0.0.1'],
];

for (const [title, trustedProxies] of [
	['the sender and the name of a request are read from all usual headers of a trusted proxy', ['127.0.0.1', '10.0.0.0/8']],
	['only a trusted proxy tells where a request comes from, and what it is called', ['10.0.0.0/8']],
	['without a trusted proxy no header tells where a request comes from, or what it is called', []],
] as const) {
	test(title, async () => {
		const {service, ended} = await startObserved({trustedProxies});
		await using running = service;
		for (const [headers, address, name = 'its own'] of forwardedForms) {
			const before = ended.length;
			const answer = await running.ask('GET', '/healthz', {key: null, headers});
			await waitUntil(() => ended.length > before);
			const {address: told, requestId} = ended.at(-1)!;
			assert.equal(answer.headers.get('x-request-id'), requestId);
			assert.deepEqual(
				[told, asIdIs.test(requestId!) ? 'its own' : requestId],
				trustedProxies.length > 1 ? [address, name] : ['127.0.0.1', 'its own'],
				JSON.stringify(headers),
			);
		}
	});
}

test('a request whose client leaves before it is answered is told with the status 499, and so are those that wait behind it', async () => {
	const store = await openStore(temporaryDataFolder());
	const [asked, answer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
	const ended: EndedRequest[] = [];
	const app = await createApp({
		...appParts,
		store: {
			...store,
			async ready() {
				asked.resolve(undefined);
				await answer.promise;
			},
		},
		findCaller: async () => undefined,
		onRequest: addTo(ended),
	});
	const socket = await openSocket(await app.listen({host: '127.0.0.1', port: 0}));
	socket.write(['/readyz', '/healthz', '/healthz'].map(url => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
	await asked.promise;
	socket.destroy();
	await waitUntil(() => ended.length === 3);
	assert.deepEqual(fieldsOf(ended, 'status'), [499, 499, 499]);
	// The one that was looked at has the shape of its path.
	assert.equal(ended[0]!.path, '/readyz');
	answer.resolve(undefined);
	await app.close();
	await store.close();
});

test('requests that cannot be read are observed, too', async () => {
	const {service, told} = await startObserved();
	await using running = service;
	const [noHttp] = await exchange(running.baseAddress, 'EHLO example.org\r\n\r\n');
	assert.equal(noHttp!.status, 400);
	const [badPath] = await exchange(running.baseAddress, 'GET /api/%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
	assert.equal(badPath!.status, 400);
	const head = `PUT ${paths.editInstalled(1)} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${running.key}\r\nContent-Type: application/json\r\n`;
	const [brokenBody] = await exchange(running.baseAddress, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
	assert.equal(brokenBody!.status, 400);
	assertMapped(await told(3), ([method, path, , status]) => [method, path, status], [
		['unknown', 'unknown', 400],
		['GET', 'unknown', 400],
		['PUT', '/api/capabilities/edit-installed-capability/:installed_cap_id/', 400],
	]);
});
