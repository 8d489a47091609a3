import {assert, assertNone, test} from '../helpers/node.ts';
import {endpoints, fillPath, hasIdentifier, type Operation, routesOf} from '../../source/interface/endpoints.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {fieldsOf, formOf, paths, readLists, shareTestService, startTestService} from './kit.ts';

const service = await shareTestService();

const headerRoutes = [
	['GET', '/api/personalities/get-all-personalities/'],
	['GET', '/api/capabilities/get-all-capability/'],
	['GET', '/api/capabilities/get-all-capabilities/'],
	['GET', '/api/capabilities/get-installed-capabilities/'],
	['GET', '/api/capabilities/get-capability/99999/'],
	['GET', '/api/capabilities/get-capability/nonsense/'],
	['PUT', '/api/capabilities/edit-installed-capability/99999/'],
	['GET', '/events'],
] as const;

test('an operation answers 401 to a wrong, empty or missing key, whatever else is wrong', async () => {
	// Wrong keys are counted, and refused after a while.
	await using guessed = await startTestService();
	for (const [method, path] of headerRoutes) {
		const bodies = method === 'PUT' ? ['{"enabled": null}', '{broken', 'x'.repeat(2_000_000)] : [undefined];
		const answers = await Promise.all(
			['sb_wrong', '', null].flatMap(key => bodies.map(async body => guessed.ask(method, path, {key, body}))),
		);
		for (const {status, json} of answers) {
			assert.deepEqual([status, Object.keys(json as object)], [401, ['detail']], path);
		}
	}
});

test('the detail of a 401 says where to send the key and does not repeat it', async () => {
	const wrong = await service.ask('GET', paths.agents, {key: 'sb_secret'});
	assert.deepEqual(wrong.json, {detail: 'It is not a key of this service. Make a new one with: switchboard keys create'});
	assert.deepEqual((await service.ask('GET', paths.agents, {key: null})).json, {detail: 'An API key is required in the header X-API-KEY.'});
});

test('a key may be sent as a bearer token, and X-API-KEY overrides it', async () => {
	const authorization = `Bearer ${service.key}`;
	assert.equal((await service.ask('GET', paths.agents, {key: null, headers: {authorization}})).status, 200);
	assert.equal((await service.ask('GET', paths.agents, {key: null, headers: {authorization: 'Bearer undefined'}})).status, 401);
	assert.equal((await service.ask('GET', paths.agents, {key: 'sb_wrong', headers: {authorization}})).status, 401);
	assert.equal((await service.ask('GET', paths.agents, {headers: {authorization: 'Bearer undefined'}})).status, 200);
});

test('a body-style operation answers 401 to any body without a valid key', async () => {
	await using guessed = await startTestService();
	const bodies = [
		{},
		{api_key: 'sb_wrong'},
		{api_key: 5},
		{api_key: null},
		{api_key: [guessed.key]},
		{api_key: 'sb_wrong', with_image: 'yes'},
		[guessed.key],
		'{broken',
		'null',
		'',
	];
	const askAll = async (path: string) =>
		Promise.all([
			...bodies.map(async body => guessed.ask('POST', path, {key: null, body})),
			// A valid key in the header does not count here.
			guessed.ask('POST', path, {body: {}}),
			guessed.ask('POST', path),
		]);
	const answers = [...(await askAll('/api/sdk/get_personalities')), ...(await askAll('/api/sdk/get_personalities/'))];
	assert.equal(answers.length, 2 * (bodies.length + 2));
	assertNone(answers, ({status}) => status !== 401);
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
	for (const [method, path] of unknownRoutes) {
		for (const {status, json} of [await service.ask(method, path), await service.ask(method, path, {key: 'sb_wrong'})]) {
			assert.deepEqual(
				[status, json],
				[404, {detail: 'The service has no such path, or does not accept this method there.', code: 'no-such-path'}],
				path,
			);
		}
	}

	const broken = await service.ask('GET', '/%E0%A4%A');
	assert.deepEqual([broken.status, broken.json], [400, {detail: 'The path is not valid.'}]);
});

const verifyPaths = ['/api/sdk/verify_apikey/', '/api/sdk/verify_apikey'];
const agentPaths = ['/api/sdk/get_personalities', '/api/sdk/get_personalities/'];

for (const path of verifyPaths) {
	test(`${path} accepts any body, and says whether its key is valid`, async () => {
		const bodies = [{api_key: service.key}, {api_key: `${service.key}x`}, {api_key: ''}, {api_key: null}, {}, '{broken', undefined];
		// The key in the header does not count.
		const answers = await Promise.all(bodies.map(async body => service.ask('POST', path, {body})));
		assert.deepEqual(
			fieldsOf(answers, 'status'),
			bodies.map(() => 200),
		);
		assert.deepEqual(
			fieldsOf(answers, 'json'),
			bodies.map((_body, index) => ({valid: index === 0})),
		);
	});
}

for (const path of agentPaths) {
	test(`${path} returns the agents in an object, with their images on request`, async () => {
		const agents = await service.read(paths.agents);
		const withImages = await service.ask('POST', path, {key: null, body: {api_key: service.key, with_image: true}});
		assert.deepEqual(withImages.json, {personalities: agents});

		const plain = agents.map(({image, ...agent}) => agent);
		assert.deepEqual((await service.ask('POST', path, {key: null, body: {api_key: service.key}})).json, {personalities: plain});
		const unwanted = await service.ask('POST', path, {key: null, body: {api_key: service.key, with_image: false}});
		assert.deepEqual(unwanted.json, {personalities: plain});
	});
}

test('a value of the wrong type is refused with the name of the field after the key is accepted', async () => {
	const {status, json} = await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key, with_image: 'true'}});
	assert.equal(status, 400);
	assert.match((json as {detail: string}).detail, /with_image/);
});

const readOnlyDetail = 'It was started with --read-only, so nothing can be changed here.';

/** Fits several operations. */
const fittingBody = {enabled: false, personality_id: 1, name: 'Hob', capability_ids: [1]};

test('a read-only service refuses every operation that changes something, whatever its method, and allows the others', async () => {
	await using readOnly = await startTestService({isReadOnly: true});
	const before = await readLists(readOnly);
	const refused: Record<string, boolean> = {};
	for (const operation of Object.keys(endpoints) as Operation[]) {
		for (const {method, path} of routesOf(operation)) {
			const {status, json} = await readOnly.ask(method, hasIdentifier(path) ? fillPath(path, 1) : path, {
				...(method !== 'GET' && {body: {...fittingBody, api_key: readOnly.key}}),
			});
			refused[operation] = status === 403;
			if (refused[operation]) {
				assert.deepEqual(json, {detail: readOnlyDetail, code: 'read-only'}, `${method} ${path}`);
			} else {
				assert.ok(status === 200 || status === 404, `${method} ${path} answered ${status}`);
			}
		}
	}

	// Before the form is read, but not before the key is.
	for (const [key, status] of [
		[readOnly.key, 403],
		['sb_wrong', 401],
	] as const) {
		assert.equal((await readOnly.ask('POST', paths.upload, {key, body: formOf({name: 'lamps'})})).status, status);
	}

	assert.deepEqual(refused, Object.fromEntries(Object.entries(endpoints).map(([operation, {isWrite}]) => [operation, isWrite])));
	assert.deepEqual(await readLists(readOnly), before);
});

test('a key that may do less is refused every operation that it may not do, on every route, and the account stays as it is', async () => {
	const before = await readLists(service);
	const keys = await openApiKeys(service.dataFolder);
	for (const rights of ['read-only', 'switch'] as const) {
		const {key} = await keys.create({name: rights, rights});
		const refused: Record<string, boolean> = {};
		for (const operation of Object.keys(endpoints) as Operation[]) {
			for (const {method, path} of routesOf(operation)) {
				const {status, json} = await service.ask(method, hasIdentifier(path) ? fillPath(path, 999_999) : path, {
					key,
					...(method !== 'GET' && {body: {...fittingBody, api_key: key}}),
				});
				const isRefused = status === 403;
				assert.ok(isRefused || status === 200 || status === 404, `${method} ${path} answered ${status}`);
				assert.equal(
					(json as {readonly detail?: string}).detail?.startsWith(
						`The key “${rights}” may only ${rights === 'switch' ? 'list and switch' : 'read'}.`,
					) ?? false,
					isRefused,
					`${method} ${path}`,
				);
				refused[operation] ??= isRefused;
				assert.equal(refused[operation], isRefused, `${method} ${path}`);
			}
		}

		assert.deepEqual(
			refused,
			Object.fromEntries(
				Object.entries(endpoints).map(([operation, {isWrite}]) => [
					operation,
					isWrite && !(rights === 'switch' && operation === 'editInstalled'),
				]),
			),
		);
	}

	await keys.close();
	assert.deepEqual(await readLists(service), before);
});
