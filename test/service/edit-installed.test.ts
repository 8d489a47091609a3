import {assert, test} from '../helpers/node.ts';
import {type JsonRecord, named, paths, shareTestService} from './running-service.ts';
import {fieldsOf} from './kit.ts';

const service = await shareTestService();

const readRecord = async (): Promise<JsonRecord> => named(await service.read(paths.installed), 'morninglights');

const edit = async (record: JsonRecord, body: unknown) => service.ask('PUT', paths.editInstalled(record['id']), {body});

test('the documented body disables and enables an ability, and the answer is the new record', async () => {
	const before = await readRecord();
	const off = await edit(before, {enabled: false});
	assert.equal(off.status, 200);
	assert.deepEqual(off.json, await readRecord());
	const changed = off.json;
	assert.deepEqual({...changed, last_updated: ''}, {...before, enabled: false, last_updated: ''});
	assert.ok(Date.parse(changed['last_updated'] as string) > Date.parse(before['last_updated'] as string));

	const on = await edit(before, {enabled: true});
	assert.equal((on.json as JsonRecord)['enabled'], true);
});

test('the whole record may be sent back, and only what differs changes', async () => {
	const before = await readRecord();
	const same = await edit(before, before);
	assert.deepEqual(same.json, before);

	const {json} = await edit(before, {
		enabled: true,
		name: before['name'],
		category: before['category'],
		trigger_words: before['trigger_words'],
		system_capability: null,
		agent_capability: true,
	});
	assert.deepEqual({...(json as JsonRecord), last_updated: ''}, {...before, agent_capability: true, last_updated: ''});
});

test('new trigger phrases are stored if they are valid', async () => {
	const before = await readRecord();
	const {json} = await edit(before, {enabled: true, trigger_words: ['  rise and shine ', 'good morning', 'rise and shine']});
	assert.deepEqual((json as JsonRecord)['trigger_words'], ['rise and shine', 'good morning']);
	assert.deepEqual((await readRecord())['trigger_words'], ['rise and shine', 'good morning']);

	const cleared = await edit(before, {enabled: true, trigger_words: []});
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

test('an invalid body is refused with the name of the field and changes nothing', async () => {
	const before = await readRecord();
	for (const [body, words] of refusedBodies) {
		const {status, text, json} = await edit(before, body);
		assert.equal(status, 400, `${JSON.stringify(body)} was answered with ${text}`);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await readRecord(), before);
});

test('a body that is missing, of another type or too large is refused', async () => {
	const record = await readRecord();
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
	assert.deepEqual(await readRecord(), record);
});

test('unknown fields are ignored', async () => {
	const record = await readRecord();
	const {status, json} = await edit(record, {enabled: false, colour: 'red', id: 1, __proto__: {enabled: true}});
	assert.equal(status, 200);
	assert.deepEqual({...(json as JsonRecord), last_updated: ''}, {...record, enabled: false, last_updated: ''});
});

test('the id of an ability is accepted for its installed record, as openhome-cli sends it', async () => {
	const record = await readRecord();
	const {status, json} = await service.ask('PUT', paths.editInstalled(record['capability_id']), {body: {enabled: false}});
	assert.equal(status, 200);
	assert.equal((json as JsonRecord)['installed_cap_id'], record['installed_cap_id']);
	const story = named(await service.read(paths.abilities), 'bedtimestory');
	assert.equal((await service.ask('PUT', paths.editInstalled(story['id']), {body: {enabled: true}})).status, 404);
});

test('no concurrent change is lost', async () => {
	const records = await service.read(paths.installed);
	await Promise.all(records.map(async record => edit(record, {enabled: record['enabled'] !== true})));
	const after = await service.read(paths.installed);
	assert.deepEqual(
		fieldsOf(after, 'enabled'),
		records.map(record => record['enabled'] !== true),
	);
});

test('installing an ability enables it with its own trigger phrases', async () => {
	const story = named(await service.read(paths.abilities), 'bedtimestory');
	const {status, json} = await service.ask('GET', paths.install(story['id']));
	assert.equal(status, 200);
	const record = json as JsonRecord;
	assert.deepEqual([record['name'], record['enabled'], record['trigger_words']], ['bedtimestory', true, story['trigger_words']]);
	assert.deepEqual(named(await service.read(paths.installed), 'bedtimestory'), record);
	assert.equal(named(await service.read(paths.abilities), 'bedtimestory')['is_installed'], true);
});

test('installing an installed ability changes nothing', async () => {
	const before = named(await service.read(paths.installed), 'nightwatch');
	const {json} = await service.ask('GET', paths.install(before['capability_id']));
	assert.deepEqual(json, before);
});

test('an installed ability is uninstalled by its own id or that of its ability; the ability and its ties stay', async () => {
	const agents = await service.read(paths.agents);
	const installed = await service.read(paths.installed);
	const pantry = named(installed, 'pantry');
	const goodnight = named(installed, 'goodnight');
	const first = await service.ask('DELETE', paths.uninstall(pantry['id']));
	assert.deepEqual(first.json, {detail: 'pantry was uninstalled.'});
	const second = await service.ask('DELETE', paths.uninstall(goodnight['capability_id']));
	assert.equal(second.status, 200);
	assert.equal((await service.ask('DELETE', paths.uninstall(pantry['id']))).status, 404);

	const left = await service.read(paths.installed);
	assert.deepEqual(
		left,
		installed.filter(record => record !== pantry && record !== goodnight),
	);
	assert.equal(named(await service.read(paths.abilities), 'pantry')['is_installed'], false);
	assert.deepEqual(await service.read(paths.agents), agents);
});
