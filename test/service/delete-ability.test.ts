import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
	type JsonRecord,
	named,
	paths,
	startTestService,
	type TestService,
} from './running-service.ts';
import {uploadForm} from './sample-forms.ts';

const idOf = async (service: TestService, name: string): Promise<number> => named(await service.read(paths.abilities), name)['id'] as number;

const namesIn = async (service: TestService, path: string): Promise<readonly unknown[]> => (await service.read(path)).map(record => record['name']);

for (const [method, withoutSlash] of [['POST', false], ['POST', true], ['DELETE', false], ['DELETE', true]] as const) {
	test(`${method}${withoutSlash ? ', without the trailing slash,' : ''} deletes an ability with its installed record and its ties`, async () => {
		await using service = await startTestService();
		const id = await idOf(service, 'pantry');
		const path = paths.deleteAbility(id);
		const {status, json} = await service.ask(method, withoutSlash ? path.slice(0, -1) : path);
		assert.equal(status, 200);
		assert.deepEqual(json, {detail: 'The ability was deleted.'});
		assert.ok(!(await namesIn(service, paths.abilities)).includes('pantry'));
		assert.ok(!(await namesIn(service, paths.installed)).includes('pantry'));
		const ties = (await service.read(paths.agents)).flatMap(agent => agent['matching_capabilities'] as readonly number[]);
		assert.ok(!ties.includes(id));
		assert.equal((await service.ask('GET', paths.source(id))).status, 404);
		assert.equal((await service.ask(method, path)).status, 404);
	});
}

test('a deletion may announce JSON and send no body', async () => {
	await using service = await startTestService();
	const id = await idOf(service, 'pantry');
	const {status} = await service.ask('POST', paths.deleteAbility(id), {headers: {'content-type': 'application/json'}});
	assert.equal(status, 200);
});

test('several abilities are deleted at once, or none if one does not exist', async () => {
	await using service = await startTestService();
	const pantry = await idOf(service, 'pantry');
	const goodnight = await idOf(service, 'goodnight');
	const before = await namesIn(service, paths.abilities);
	const failed = await service.ask('POST', paths.deleteAbilities, {body: {capability_ids: [pantry, 999_999, goodnight]}});
	assert.equal(failed.status, 404);
	assert.deepEqual(failed.json, {detail: 'There is no ability with the id 999999.'});
	assert.deepEqual(await namesIn(service, paths.abilities), before);

	const done = await service.ask('POST', paths.deleteAbilities, {body: {capability_ids: [pantry, String(goodnight), pantry]}});
	assert.deepEqual(done.json, {detail: '2 abilities were deleted.'});
	assert.deepEqual(await namesIn(service, paths.abilities), before.filter(name => name !== 'pantry' && name !== 'goodnight'));
});

const refusedBatches = [{}, {capability_ids: []}, {capability_ids: 5}, {capability_ids: [null]}, {capability_ids: ['pantry']}, [], 'null', undefined];

for (const body of refusedBatches) {
	test(`the batch ${JSON.stringify(body) ?? 'without a body'} is refused with the name of the field`, async () => {
		await using service = await startTestService();
		const {status, json} = await service.ask('POST', paths.deleteAbilities, {body});
		assert.equal(status, 400);
		assert.match((json as {detail: string}).detail, /capability_ids/);
	});
}

test('another account\'s ability cannot be deleted, even in a batch with one\'s own', async () => {
	await using service = await startTestService();
	const key = await service.createKey('other');
	const uploaded = await service.ask('POST', paths.upload, {key, body: await uploadForm()});
	const own = (uploaded.json as JsonRecord)['capability_id'];
	const pantry = await idOf(service, 'pantry');
	const answers = [
		await service.ask('POST', paths.deleteAbility(pantry), {key}),
		await service.ask('DELETE', paths.deleteAbility(pantry), {key}),
		await service.ask('POST', paths.deleteAbilities, {key, body: {capability_ids: [own, pantry]}}),
		await service.ask('DELETE', paths.uninstall(pantry), {key}),
		await service.ask('GET', paths.install(pantry), {key}),
		await service.ask('GET', paths.installedOf(pantry), {key}),
	];
	assert.deepEqual(answers.map(({status}) => status), [404, 404, 404, 404, 404, 404]);
	assert.ok((await namesIn(service, paths.installed)).includes('pantry'));
	assert.equal((await service.read(paths.abilities, key)).length, 1);
});

test('the id of a deleted ability is never used again', async () => {
	await using service = await startTestService();
	const first = await service.ask('POST', paths.upload, {body: await uploadForm()});
	const id = (first.json as JsonRecord)['capability_id'];
	await service.ask('POST', paths.deleteAbility(id));
	const second = await service.ask('POST', paths.upload, {body: await uploadForm()});
	assert.ok(((second.json as JsonRecord)['capability_id'] as number) > (id as number));
});
