import {assert, test} from '../helpers/node.ts';
import {type JsonRecord, named, paths, startTestService, type TestService, uploadForm} from './kit.ts';

const idOf = async (service: TestService, name: string): Promise<number> =>
	named(await service.read(paths.abilities), name)['id'] as number;

const namesIn = async (service: TestService, path: string): Promise<readonly unknown[]> =>
	(await service.read(path)).map(record => record['name']);

test('an ability is deleted with its installed record and its ties, by either method and with or without the trailing slash', async () => {
	await using service = await startTestService();
	for (const [method, name, withoutSlash] of [
		['POST', 'pantry', false],
		['POST', 'goodnight', true],
		['DELETE', 'nightwatch', false],
		['DELETE', 'morninglights', true],
	] as const) {
		const id = await idOf(service, name);
		const path = paths.deleteAbility(id);
		const {status, json} = await service.ask(method, withoutSlash ? path.slice(0, -1) : path);
		assert.deepEqual([status, json], [200, {detail: 'The ability was deleted.'}]);
		assert.ok(!(await namesIn(service, paths.abilities)).includes(name));
		assert.ok(!(await namesIn(service, paths.installed)).includes(name));
		const ties = (await service.read(paths.agents)).flatMap(agent => agent['matching_capabilities'] as readonly number[]);
		assert.ok(!ties.includes(id));
		assert.equal((await service.ask('GET', paths.source(id))).status, 404);
		assert.equal((await service.ask(method, path)).status, 404);
	}
});

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
	assert.deepEqual(
		await namesIn(service, paths.abilities),
		before.filter(name => name !== 'pantry' && name !== 'goodnight'),
	);
});

const refusedBatches = [
	{},
	{capability_ids: []},
	{capability_ids: 5},
	{capability_ids: [null]},
	{capability_ids: ['pantry']},
	[],
	'null',
	undefined,
];

test('an invalid batch is refused with the name of the field', async () => {
	await using service = await startTestService();
	for (const body of refusedBatches) {
		const {status, json} = await service.ask('POST', paths.deleteAbilities, {body});
		assert.equal(status, 400, JSON.stringify(body));
		assert.match((json as {detail: string}).detail, /capability_ids/);
	}
});

test('the id of a deleted ability is never used again', async () => {
	await using service = await startTestService();
	const first = await service.ask('POST', paths.upload, {body: await uploadForm()});
	const id = (first.json as JsonRecord)['capability_id'];
	await service.ask('POST', paths.deleteAbility(id));
	const second = await service.ask('POST', paths.upload, {body: await uploadForm()});
	assert.ok(((second.json as JsonRecord)['capability_id'] as number) > (id as number));
});
