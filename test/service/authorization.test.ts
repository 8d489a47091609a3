import {assert, test} from '../helpers/node.ts';
import {paths, startTestService} from './running-service.ts';

const headerRoutes = [
	['GET', '/api/personalities/get-all-personalities/'],
	['GET', '/api/capabilities/get-all-capability/'],
	['GET', '/api/capabilities/get-all-capabilities/'],
	['GET', '/api/capabilities/get-installed-capabilities/'],
	['GET', '/api/capabilities/get-capability/99999/'],
	['GET', '/api/capabilities/get-capability/nonsense/'],
	['PUT', '/api/capabilities/edit-installed-capability/99999/'],
] as const;

test('an operation answers 401 to a wrong, empty or missing key, whatever else is wrong', async () => {
	await using service = await startTestService();
	for (const [method, path] of headerRoutes) {
		const bodies = method === 'PUT' ? ['{"enabled": null}', '{broken', 'x'.repeat(2_000_000)] : [undefined];
		const answers = await Promise.all(
			['sb_wrong', '', null].flatMap(key => bodies.map(async body => service.ask(method, path, {key, body}))),
		);
		for (const {status, json} of answers) {
			assert.deepEqual([status, Object.keys(json as object)], [401, ['detail']], path);
		}
	}
});

test('the detail of a 401 says where to send the key and does not repeat it', async () => {
	await using service = await startTestService();
	const wrong = await service.ask('GET', paths.agents, {key: 'sb_secret'});
	assert.deepEqual(wrong.json, {detail: 'It is not a key of this service. Make a new one with: switchboard keys create'});
	const none = await service.ask('GET', paths.agents, {key: null});
	assert.deepEqual(none.json, {detail: 'An API key is required in the header X-API-KEY.'});
});

test('a key may be sent as a bearer token, and X-API-KEY overrides it', async () => {
	await using service = await startTestService();
	const authorization = `Bearer ${service.key}`;
	assert.equal((await service.ask('GET', paths.agents, {key: null, headers: {authorization}})).status, 200);
	assert.equal((await service.ask('GET', paths.agents, {key: null, headers: {authorization: 'Bearer undefined'}})).status, 401);
	assert.equal((await service.ask('GET', paths.agents, {key: 'sb_wrong', headers: {authorization}})).status, 401);
	assert.equal((await service.ask('GET', paths.agents, {headers: {authorization: 'Bearer undefined'}})).status, 200);
});

test('a body-style operation answers 401 to any body without a valid key', async () => {
	await using service = await startTestService();
	const bodies = [
		{},
		{api_key: 'sb_wrong'},
		{api_key: 5},
		{api_key: null},
		{api_key: [service.key]},
		{api_key: 'sb_wrong', with_image: 'yes'},
		[service.key],
		'{broken',
		'null',
		'',
	];
	const askAll = async (path: string) =>
		Promise.all([
			...bodies.map(async body => service.ask('POST', path, {key: null, body})),
			// A valid key in the header does not count here.
			service.ask('POST', path, {body: {}}),
			service.ask('POST', path),
		]);
	const answers = [...(await askAll('/api/sdk/get_personalities')), ...(await askAll('/api/sdk/get_personalities/'))];
	assert.equal(answers.length, 2 * (bodies.length + 2));
	assert.deepEqual(
		answers.filter(({status}) => status !== 401),
		[],
	);
	assert.deepEqual(new Set(answers.map(({json}) => Object.keys(json as object).join(' '))), new Set(['detail']));
});

const unknownRoutes = [
	['GET', '/'],
	['GET', '/api/'],
	['GET', '/api/capabilities/'],
	['GET', '/nonsense'],
	['DELETE', paths.agents],
	['POST', paths.installed],
	['GET', '/api/capabilities/get-capability/'],
	['GET', '/api/capabilities/get-capability/1/2/'],
] as const;

test('an unknown path, or one that is no text, is refused with or without a key', async () => {
	await using service = await startTestService();
	for (const [method, path] of unknownRoutes) {
		const answers = [await service.ask(method, path), await service.ask(method, path, {key: 'sb_wrong'})];
		for (const {status, json} of answers) {
			assert.deepEqual([status, json], [404, {detail: 'This endpoint does not exist.'}], path);
		}
	}

	const broken = await service.ask('GET', '/%E0%A4%A');
	assert.deepEqual([broken.status, broken.json], [400, {detail: 'The path is not valid.'}]);
});
