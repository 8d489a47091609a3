import {assert, test} from '../helpers/node.ts';
import {defaultAccount} from '../../source/service/callers.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {fieldsOf, type JsonRecord, named, newAbility, paths, shareTestService, startTestService, temporaryDataFolder} from './kit.ts';

const service = await shareTestService();

const typesOf = (record: JsonRecord): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Object.entries(record).map(([field, value]) => [field, value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value]),
	);

test("an agent has the fields that clients know, and the interface's identifier", async () => {
	const [agent] = await service.read(paths.agents);
	assert.deepEqual(typesOf(agent!), {
		id: 'number',
		personality_id: 'number',
		name: 'string',
		description: 'string',
		image: 'string',
		matching_capabilities: 'array',
	});
	assert.equal(agent!['id'], agent!['personality_id']);
	const abilities = await service.read(paths.abilities);
	const names = (agent!['matching_capabilities'] as readonly number[]).map(id => abilities.find(ability => ability['id'] === id)?.['name']);
	assert.ok(names.includes('morninglights'));
});

test("an ability has the fields that clients know, and the interface's identifier", async () => {
	const abilities = await service.read(paths.abilities);
	const pantry = named(abilities, 'pantry');
	assert.deepEqual(typesOf(pantry), {
		id: 'number',
		capability_id: 'number',
		name: 'string',
		category: 'string',
		description: 'string',
		trigger_words: 'array',
		is_installed: 'boolean',
		is_approved: 'boolean',
		is_published: 'boolean',
		image_file: 'null',
		last_updated: 'string',
		selected_keys: 'array',
		capability_versions: 'array',
	});
	assert.equal(pantry['id'], pantry['capability_id']);
	assert.equal(pantry['category'], 'brain_skill');
	const [version] = pantry['capability_versions'] as readonly JsonRecord[];
	assert.deepEqual({...version, id: 'number'}, {id: 'number', version: '1', is_committed: true, is_user_enabled: true});
	assert.equal(new Date(pantry['last_updated'] as string).toISOString(), pantry['last_updated']);
	assert.equal(named(abilities, 'bedtimestory')['is_installed'], false);

	assert.deepEqual(await service.read(paths.ability(pantry['id'])), pantry);
	assert.deepEqual(await service.read('/api/capabilities/get-all-capabilities/'), abilities);
});

test('an installed ability has the fields that clients know, and is tied to its ability by name and id', async () => {
	const installed = named(await service.read(paths.installed), 'morninglights');
	assert.deepEqual(typesOf(installed), {
		id: 'number',
		installed_cap_id: 'number',
		capability_id: 'number',
		name: 'string',
		category: 'string',
		enabled: 'boolean',
		trigger_words: 'array',
		last_updated: 'string',
		image_file: 'null',
		default: 'boolean',
		system_capability: 'boolean',
		agent_capability: 'boolean',
		shortcut: 'boolean',
	});
	assert.equal(installed['id'], installed['installed_cap_id']);
	assert.deepEqual(installed['trigger_words'], ['good morning', 'wake the house']);
	const ability = named(await service.read(paths.abilities), 'morninglights');
	assert.equal(installed['capability_id'], ability['id']);
	assert.notEqual(installed['id'], ability['id']);
});

const lists = [paths.agents, paths.abilities, paths.installed, '/api/capabilities/get-all-capabilities/'];

test('a list of thousands has the same records as a short one, in their order', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	await store.accounts.fill(defaultAccount, {
		abilities: Array.from({length: 1200}, (_, index) =>
			newAbility({
				name: `ability${index}`,
				description: 'One of many: “näive” \u{1F600}\n',
				triggerPhrases: [`number ${index}`],
				installedAs: index % 2 === 0,
			}),
		),
		agents: [],
	});
	await store.close();
	await using long = await startTestService({dataFolder, isSampleWanted: false});
	const abilities = await long.read(paths.abilities);
	const installed = await long.read(paths.installed);
	assert.deepEqual(
		fieldsOf(abilities, 'name'),
		Array.from({length: 1200}, (_, index) => `ability${index}`),
	);
	assert.deepEqual(
		fieldsOf(installed, 'name', 'enabled'),
		abilities.map(({name}, index) => [name, index % 2 === 0]),
	);
	assert.deepEqual(await long.read(paths.ability(abilities[1199]!['id'])), abilities[1199]);
	assert.deepEqual(typesOf(installed[0]!), typesOf(named(await service.read(paths.installed), 'pantry')));
});

test('a list works without its trailing slash, and is answered with 304 and no body if it is unchanged', async () => {
	for (const path of lists) {
		const first = await service.ask('GET', path);
		assert.deepEqual(await service.read(path.slice(0, -1)), first.json);
		const etag = first.headers.get('etag') ?? '';
		assert.match(etag, /^"[^"]+"$/);
		const {status, text, headers} = await service.ask('GET', path, {headers: {'if-none-match': etag}});
		assert.deepEqual([status, text, headers.get('etag')], [304, '', etag], path);
	}
});

test('an id that is no positive whole number, or of no record, is answered with 404 and a detail', async () => {
	for (const id of ['999999', '0', '-1', '1.5', 'abc', '1e3', '99999999999999999999', '%31%2F']) {
		const answers = [
			await service.ask('GET', paths.ability(id)),
			await service.ask('PUT', paths.editInstalled(id), {body: {enabled: true}}),
		];
		assert.deepEqual(
			answers.map(({status, json}) => [status, typeof (json as JsonRecord)['detail']]),
			[
				[404, 'string'],
				[404, 'string'],
			],
			id,
		);
	}
});

test('a change is never answered with 304', async () => {
	const record = named(await service.read(paths.installed), 'pantry');
	const path = paths.editInstalled(record['id']);
	const first = await service.ask('PUT', path, {body: {enabled: true}});
	const second = await service.ask('PUT', path, {body: {enabled: true}, headers: {'if-none-match': first.headers.get('etag') ?? '*'}});
	assert.equal(second.status, 200);
});
