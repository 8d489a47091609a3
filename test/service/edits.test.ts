import {assert, assertNone, test} from '../helpers/node.ts';
import {fieldsOf, formOf, type JsonRecord, named, paths, shareTestService, startTestService, uploadForm} from './kit.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const service = await shareTestService();

const prompt = 'First line.\n\nThird line, with “quotes” and\ta tab.';

/** The same edit in each of its two formats. */
const send = {
	form: async (fields: Fields) => service.ask('PUT', paths.editAgent, {body: formOf(fields)}),
	json: async (fields: Fields) => service.ask('PUT', paths.editAgent, {body: fields}),
};

const readAgent = async (name: string): Promise<JsonRecord> => named(await service.read(paths.agents), name);

for (const style of ['form', 'json'] as const) {
	test(`as ${style}: only the fields that are sent change, and the answer is the new record`, async () => {
		const before = await readAgent('Pepper');
		const personality_id = String(before['id']);
		const renamed = await send[style]({personality_id, name: 'Salt & Pepper'});
		assert.equal(renamed.status, 200);
		assert.deepEqual(renamed.json, {...before, name: 'Salt & Pepper'});

		const prompted = await send[style]({personality_id, description: prompt});
		assert.deepEqual(prompted.json, {...before, name: 'Salt & Pepper', description: prompt});
		assert.deepEqual(await readAgent('Salt & Pepper'), prompted.json);
		await send[style]({personality_id, name: 'Pepper'});
	});

	test(`as ${style}: the abilities that are sent replace the tied ones`, async () => {
		const before = await readAgent('Pepper');
		const abilities = await service.read(paths.abilities);
		const ids = ['bedtimestory', 'pantry'].map(name => named(abilities, name)['id'] as number).toSorted((first, second) => first - second);
		const edited = await send[style]({personality_id: String(before['id']), matching_capabilities: ids.map(String)});
		assert.deepEqual(edited.json, {...before, matching_capabilities: ids});
		const others = (await service.read(paths.agents)).filter(agent => agent['name'] !== 'Pepper');
		assert.ok(others.every(agent => (agent['matching_capabilities'] as readonly unknown[]).length > 0));
	});

	test(`as ${style}: a name that is empty, too long or has invisible characters is refused`, async () => {
		const {id} = await readAgent('Pepper');
		const answers = await Promise.all(
			['', '  ', 'x'.repeat(201), 'a\u{1B}[2Jb'].map(async name => send[style]({personality_id: String(id), name})),
		);
		assert.deepEqual(fieldsOf(answers, 'status'), [400, 400, 400, 400]);
		assertNone(answers, ({json}) => !(json as {detail: string}).detail.includes('name'));
	});
}

test('one empty field in a form, or an empty list in JSON, unties all abilities', async () => {
	const pepper = await readAgent('Pepper');
	const byForm = await send.form({personality_id: String(pepper['id']), matching_capabilities: ''});
	assert.deepEqual(byForm.json, {...pepper, matching_capabilities: []});
	const hearth = await readAgent('Hearth');
	const byJson = await service.ask('PUT', paths.editAgent, {body: {personality_id: hearth['id'], matching_capabilities: []}});
	assert.deepEqual(byJson.json, {...hearth, matching_capabilities: []});
});

test('a prompt may be emptied', async () => {
	const pepper = await readAgent('Pepper');
	assert.deepEqual((await send.form({personality_id: String(pepper['id']), description: ''})).json, {...pepper, description: ''});
});

test('ids may be numbers in JSON', async () => {
	const pepper = await readAgent('Pepper');
	const first = named(await service.read(paths.abilities), 'pantry')['id'];
	const {json} = await service.ask('PUT', paths.editAgent, {body: {personality_id: pepper['id'], matching_capabilities: [first]}});
	assert.deepEqual(json, {...pepper, matching_capabilities: [first]});
});

const refusedEdits: ReadonlyArray<readonly [body: unknown, words: RegExp]> = [
	[{}, /personality_id/],
	[undefined, /personality_id/],
	[{name: 'New'}, /personality_id/],
	[{personality_id: null}, /personality_id/],
	[{personality_id: 'Pepper'}, /personality_id must be a positive whole number\.$/],
	[{personality_id: '1', name: 5}, /name/],
	[{personality_id: '1', description: ['x']}, /description/],
	[{personality_id: '1', matching_capabilities: '2'}, /matching_capabilities/],
	[{personality_id: '1', matching_capabilities: [2, null]}, /matching_capabilities\[1\]/],
	[formOf({name: 'New'}), /personality_id/],
	[formOf({personality_id: 'Pepper'}), /personality_id/],
	[formOf({personality_id: ['1', '2']}), /personality_id/],
];

test('an invalid edit is refused with the name of the field', async () => {
	const before = await service.read(paths.agents);
	for (const [body, words] of refusedEdits) {
		const {status, json} = await service.ask('PUT', paths.editAgent, {body});
		assert.equal(status, 400, String(words));
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await service.read(paths.agents), before);
});

test('an account whose agent was changed is no longer empty', async () => {
	await using changed = await startTestService({isSampleWanted: false});
	const [agent] = await changed.read(paths.agents);
	await changed.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], name: 'Mine'}});
	await changed.close();
	await using again = await startTestService({dataFolder: changed.dataFolder});
	assert.match(again.notes.join('\n'), /is not empty/);
});

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
	assert.deepEqual((await edit(before, before)).json, before);

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

test('new trigger phrases without a state leave it as it is, and the history has the phrases alone', async () => {
	const before = await readRecord();
	const newest = async () => ((await service.ask('GET', '/history?limit=2')).json as {readonly entries: readonly JsonRecord[]}).entries;
	for (const enabled of [false, true]) {
		await edit(before, {enabled});
		const [{id: earlier}] = (await newest()) as readonly [JsonRecord];
		const phrases = [`wake the ${enabled ? 'house' : 'garden'}`];
		const {status, json} = await edit(before, {trigger_words: phrases});
		const {enabled: isOn, trigger_words: now} = json as JsonRecord;
		assert.deepEqual([status, isOn, now], [200, enabled, phrases]);
		const [{field, to}, {id}] = (await newest()) as readonly [JsonRecord, JsonRecord];
		assert.deepEqual([field, to, id], ['triggers', phrases, earlier]);
	}
});

const refusedSwitches: ReadonlyArray<readonly [body: unknown, words: RegExp]> = [
	[{}, /enabled/],
	[{name: 'morninglights'}, /enabled/],
	[{trigger_words: null}, /enabled/],
	[{enabled: null, trigger_words: ['good morning']}, /enabled/],
	[{trigger_words: ['abc']}, /trigger_words.*“abc”/],
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
	[undefined, /enabled/],
];

test('an invalid body is refused with the name of the field and changes nothing', async () => {
	const before = await readRecord();
	for (const [body, words] of refusedSwitches) {
		const {status, text, json} = await edit(before, body);
		assert.equal(status, 400, `${JSON.stringify(body)} was answered with ${text}`);
		assert.match((json as {detail: string}).detail, words);
	}

	assert.deepEqual(await readRecord(), before);
});

test('a body that is too large is refused', async () => {
	const record = await readRecord();
	const large = await edit(record, {enabled: false, filler: 'x'.repeat(1024 * 1024)});
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
	assert.deepEqual((await service.ask('GET', paths.install(before['capability_id']))).json, before);
});

test('an installed ability is uninstalled by its own id or that of its ability; the ability and its ties stay', async () => {
	const agents = await service.read(paths.agents);
	const installed = await service.read(paths.installed);
	const pantry = named(installed, 'pantry');
	const goodnight = named(installed, 'goodnight');
	assert.deepEqual((await service.ask('DELETE', paths.uninstall(pantry['id']))).json, {detail: 'pantry was uninstalled.'});
	assert.equal((await service.ask('DELETE', paths.uninstall(goodnight['capability_id']))).status, 200);
	assert.equal((await service.ask('DELETE', paths.uninstall(pantry['id']))).status, 404);

	const left = await service.read(paths.installed);
	assert.deepEqual(
		left,
		installed.filter(record => record !== pantry && record !== goodnight),
	);
	assert.equal(named(await service.read(paths.abilities), 'pantry')['is_installed'], false);
	assert.deepEqual(await service.read(paths.agents), agents);
});

const idOf = async (name: string): Promise<number> => named(await service.read(paths.abilities), name)['id'] as number;

const namesIn = async (path: string): Promise<readonly unknown[]> => fieldsOf(await service.read(path), 'name');

test('an ability is deleted with its installed record and its ties, by either method and with or without the trailing slash', async () => {
	for (const [method, name, withoutSlash] of [
		['POST', 'shoppinglist', false],
		['POST', 'kitchentimer', true],
		['DELETE', 'nightwatch', false],
		['DELETE', 'morninglights', true],
	] as const) {
		const id = await idOf(name);
		const path = paths.deleteAbility(id);
		const {status, json} = await service.ask(method, withoutSlash ? path.slice(0, -1) : path);
		assert.deepEqual([status, json], [200, {detail: 'The ability was deleted.'}]);
		assert.ok(!(await namesIn(paths.abilities)).includes(name));
		assert.ok(!(await namesIn(paths.installed)).includes(name));
		const ties = (await service.read(paths.agents)).flatMap(agent => agent['matching_capabilities'] as readonly number[]);
		assert.ok(!ties.includes(id));
		assert.equal((await service.ask('GET', paths.source(id))).status, 404);
		assert.equal((await service.ask(method, path)).status, 404);
	}
});

test('a deletion may announce JSON and send no body', async () => {
	const id = await idOf('pantry');
	assert.equal((await service.ask('POST', paths.deleteAbility(id), {headers: {'content-type': 'application/json'}})).status, 200);
});

test('several abilities are deleted at once, or none if one does not exist', async () => {
	const dinnerideas = await idOf('dinnerideas');
	const goodnight = await idOf('goodnight');
	const before = await namesIn(paths.abilities);
	const failed = await service.ask('POST', paths.deleteAbilities, {body: {capability_ids: [dinnerideas, 999_999, goodnight]}});
	assert.equal(failed.status, 404);
	assert.deepEqual(failed.json, {detail: 'There is no ability with the id 999999.'});
	assert.deepEqual(await namesIn(paths.abilities), before);

	const done = await service.ask('POST', paths.deleteAbilities, {body: {capability_ids: [dinnerideas, String(goodnight), dinnerideas]}});
	assert.deepEqual(done.json, {detail: '2 abilities were deleted.'});
	assert.deepEqual(
		await namesIn(paths.abilities),
		before.filter(name => name !== 'dinnerideas' && name !== 'goodnight'),
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
	for (const body of refusedBatches) {
		const {status, json} = await service.ask('POST', paths.deleteAbilities, {body});
		assert.equal(status, 400, JSON.stringify(body));
		assert.match((json as {detail: string}).detail, /capability_ids/);
	}
});

test('the id of a deleted ability is never used again', async () => {
	const first = await service.ask('POST', paths.upload, {body: await uploadForm()});
	const id = (first.json as JsonRecord)['capability_id'];
	await service.ask('POST', paths.deleteAbility(id));
	const second = await service.ask('POST', paths.upload, {body: await uploadForm()});
	assert.ok(((second.json as JsonRecord)['capability_id'] as number) > (id as number));
});
