import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
	type JsonRecord,
	named,
	paths,
	startTestService,
	type TestService,
} from './running-service.ts';

const readRecord = async (service: TestService, name = 'morninglights'): Promise<JsonRecord> => named(await service.read(paths.installed), name);

const edit = async (service: TestService, record: JsonRecord, body: unknown) => service.ask('PUT', paths.editInstalled(record['id']), {body});

test('the documented body disables and enables an ability, and the answer is the new record', async () => {
	await using service = await startTestService();
	const before = await readRecord(service);
	const off = await edit(service, before, {enabled: false});
	assert.equal(off.status, 200);
	assert.deepEqual(off.json, await readRecord(service));
	const changed = off.json;
	assert.deepEqual({...changed, last_updated: ''}, {...before, enabled: false, last_updated: ''});
	assert.ok(Date.parse(changed['last_updated'] as string) > Date.parse(before['last_updated'] as string));

	const on = await edit(service, before, {enabled: true});
	assert.equal((on.json as JsonRecord)['enabled'], true);
});

test('the whole record may be sent back, and only what differs changes', async () => {
	await using service = await startTestService();
	const before = await readRecord(service);
	const same = await edit(service, before, before);
	assert.deepEqual(same.json, before);

	const {json} = await edit(service, before, {
		enabled: true,
		name: before['name'],
		category: before['category'],
		trigger_words: before['trigger_words'],
		system_capability: null,
		agent_capability: true,
	});
	assert.deepEqual({...json as JsonRecord, last_updated: ''}, {...before, agent_capability: true, last_updated: ''});
});

test('new trigger phrases are stored if they are valid', async () => {
	await using service = await startTestService();
	const before = await readRecord(service);
	const {json} = await edit(service, before, {enabled: true, trigger_words: ['  rise and shine ', 'good morning', 'rise and shine']});
	assert.deepEqual((json as JsonRecord)['trigger_words'], ['rise and shine', 'good morning']);
	assert.deepEqual((await readRecord(service))['trigger_words'], ['rise and shine', 'good morning']);

	const cleared = await edit(service, before, {enabled: true, trigger_words: []});
	assert.deepEqual((cleared.json as JsonRecord)['trigger_words'], []);
});

const refusedBodies: ReadonlyArray<readonly [body: unknown, words: RegExp]> = [
	[{}, /enabled/],
	[{enabled: null}, /enabled/],
	[{enabled: 'true'}, /enabled/],
	[{enabled: 1}, /enabled/],
	[{enabled: []}, /enabled/],
	[{enabled: false, name: 5}, /\bname\b/],
	[{enabled: false, name: 'another'}, /\bname\b/],
	[{enabled: false, category: true}, /category/],
	[{enabled: false, category: 'local'}, /category/],
	[{enabled: false, trigger_words: 'good morning'}, /trigger_words/],
	[{enabled: false, trigger_words: ['good morning', 7]}, /trigger_words\[1\]/],
	[{enabled: false, trigger_words: ['abc']}, /trigger_words.*“abc”/],
	[{enabled: false, trigger_words: ['hello\u{1B}']}, /trigger_words/],
	[{enabled: false, trigger_words: Array.from({length: 101}, (_, index) => `phrase ${index}`)}, /trigger_words/],
	[{enabled: false, system_capability: 'yes'}, /system_capability/],
	[{enabled: false, agent_capability: 0}, /agent_capability/],
	[[], /JSON object.*enabled/],
	['null', /JSON object.*enabled/],
	['"enabled"', /JSON object.*enabled/],
	['{"enabled": fal', /JSON/],
];

for (const [body, words] of refusedBodies) {
	const shown = typeof body === 'string' ? body : JSON.stringify(body).slice(0, 70);
	test(`the body ${shown} is refused with the name of the field and changes nothing`, async () => {
		await using service = await startTestService();
		const before = await readRecord(service);
		const {status, json} = await edit(service, before, body);
		assert.equal(status, 400);
		assert.match((json as {detail: string}).detail, words);
		assert.deepEqual(await readRecord(service), before);
	});
}

test('a body that is missing, of another type or too large is refused', async () => {
	await using service = await startTestService();
	const record = await readRecord(service);
	const path = paths.editInstalled(record['id']);
	const missing = await service.ask('PUT', path);
	assert.equal(missing.status, 400);
	assert.match((missing.json as {detail: string}).detail, /enabled/);
	const text = await service.ask('PUT', path, {body: 'enabled=false', headers: {'content-type': 'application/x-www-form-urlencoded'}});
	assert.equal(text.status, 415);
	assert.deepEqual(text.json, {detail: 'This endpoint does not accept a body of that content type.'});
	const large = await service.ask('PUT', path, {body: {enabled: false, filler: 'x'.repeat(1024 * 1024)}});
	assert.equal(large.status, 413);
	assert.match((large.json as {detail: string}).detail, /too large/);
	assert.deepEqual(await readRecord(service), record);
});

test('unknown fields are ignored', async () => {
	await using service = await startTestService();
	const record = await readRecord(service);
	const {status, json} = await edit(service, record, {
		enabled: false, colour: 'red', id: 1, __proto__: {enabled: true},
	});
	assert.equal(status, 200);
	assert.deepEqual({...json as JsonRecord, last_updated: ''}, {...record, enabled: false, last_updated: ''});
});

test('the id of an ability is accepted for its installed record, as openhome-cli sends it', async () => {
	await using service = await startTestService();
	const record = await readRecord(service);
	const {status, json} = await service.ask('PUT', paths.editInstalled(record['capability_id']), {body: {enabled: false}});
	assert.equal(status, 200);
	assert.equal((json as JsonRecord)['installed_cap_id'], record['installed_cap_id']);
	const story = named(await service.read(paths.abilities), 'bedtimestory');
	assert.equal((await service.ask('PUT', paths.editInstalled(story['id']), {body: {enabled: true}})).status, 404);
});

test('no concurrent change is lost', async () => {
	await using service = await startTestService();
	const records = await service.read(paths.installed);
	await Promise.all(records.map(async record => edit(service, record, {enabled: record['enabled'] !== true})));
	const after = await service.read(paths.installed);
	assert.deepEqual(after.map(record => record['enabled']), records.map(record => record['enabled'] !== true));
});
