import {assert, test} from '../helpers/node.ts';
import {endpoints, fillPath, hasIdentifier, routesOf, type Operation} from '../../source/interface/endpoints.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {formOf, lampFiles, paths, startTestService, type TestService, zipOf} from './kit.ts';

const detail = 'It was started with --read-only, so nothing can be changed here.';

/** Fits several operations. */
const body = {enabled: false, personality_id: 1, name: 'Hob', capability_ids: [1]};

const everything = async (service: TestService): Promise<unknown> =>
	Promise.all([paths.agents, paths.abilities, paths.installed].map(async path => service.read(path)));

test('a read-only service refuses every operation that changes something, whatever its method, and allows the others', async () => {
	await using service = await startTestService({isReadOnly: true});
	const before = await everything(service);
	const refused: Record<string, boolean> = {};
	for (const operation of Object.keys(endpoints) as Operation[]) {
		for (const {method, path} of routesOf(operation)) {
			const {status, json} = await service.ask(method, hasIdentifier(path) ? fillPath(path, 1) : path, {
				...(method !== 'GET' && {body: {...body, api_key: service.key}}),
			});
			const {code} = json as {readonly code?: string};
			assert.ok(status === 403 ? code === 'read-only' : status === 200 || status === 404, `${method} ${path} answered ${status}`);
			refused[operation] = status === 403;
		}
	}

	assert.deepEqual(refused, Object.fromEntries(Object.entries(endpoints).map(([operation, {isWrite}]) => [operation, isWrite])));
	assert.deepEqual(await everything(service), before);
});

test('a key that may do less is refused every operation that it may not do, on every route, and the account stays as it is', async () => {
	await using service = await startTestService();
	const before = await everything(service);
	const keys = await openApiKeys(service.dataFolder);
	for (const rights of ['read-only', 'switch'] as const) {
		const {key} = await keys.create({name: rights, rights});
		const refused: Record<string, boolean> = {};
		for (const operation of Object.keys(endpoints) as Operation[]) {
			for (const {method, path} of routesOf(operation)) {
				const {status, json} = await service.ask(method, hasIdentifier(path) ? fillPath(path, 999_999) : path, {
					key,
					...(method !== 'GET' && {body: {...body, api_key: key}}),
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
	assert.deepEqual(await everything(service), before);
});

test('an upload to a read-only service is refused before it is read, and without a key with 401', async () => {
	await using service = await startTestService({isReadOnly: true});
	const form = formOf({name: 'lamps', category: 'skill', zip_file: await zipOf(lampFiles)});
	const upload = await service.ask('POST', paths.upload, {body: form});
	assert.deepEqual([upload.status, upload.json], [403, {detail, code: 'read-only'}]);
	const install = await service.ask('GET', paths.install(1));
	assert.deepEqual([install.status, install.json], [403, {detail, code: 'read-only'}]);
	assert.equal((await service.ask('GET', paths.install(1), {key: null})).status, 401);
});

test('without --read-only an install works, and errors have no code', async () => {
	await using service = await startTestService();
	const {status, json} = await service.ask('GET', paths.install(9_999_999));
	assert.deepEqual([status, Object.keys(json as object)], [404, ['detail']]);
});
