import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isCategory} from '../../source/interface/categories.ts';
import {complainAboutAbilityName, complainAboutTriggerPhrase} from '../../source/interface/names.ts';
import {openApiKeys} from '../../source/service/api-keys.ts';
import {sampleAbilities} from '../../source/service/sample/sample-abilities.ts';
import {sampleAgents} from '../../source/service/sample/sample-agents.ts';
import {startService} from '../../source/service/service.ts';
import {createDataFolder} from './temporary-data-folder.ts';
import {named, paths, startTestService} from './running-service.ts';

test('the sample home has three agents and abilities of every category, most installed, some off', async () => {
	await using service = await startTestService();
	assert.deepEqual(service.notes, []);
	const agents = await service.read(paths.agents);
	assert.equal(agents.length, 3);
	assert.deepEqual(agents.filter(agent => (agent['description'] as string).split('\n\n').length < 3), []);
	assert.deepEqual(agents.filter(agent => (agent['matching_capabilities'] as readonly number[]).length === 0), []);

	const abilities = await service.read(paths.abilities);
	const installed = await service.read(paths.installed);
	assert.deepEqual(new Set(abilities.map(ability => ability['category'])), new Set(['background_daemon', 'brain_skill', 'local', 'skill']));
	assert.equal(abilities.length, 14);
	assert.equal(installed.length, 12);
	assert.equal(installed.filter(record => record['enabled']).length, 9);
	assert.equal(named(installed, 'pantry')['category'], 'brain_skill');
	assert.equal(named(installed, 'nightwatch')['enabled'], false);
});

test('the sample abilities changed on different days, none of them later than now', async () => {
	await using service = await startTestService();
	const installed = await service.read(paths.installed);
	const days = installed.map(record => Math.floor((Date.now() - Date.parse(record['last_updated'] as string)) / 86_400_000));
	assert.ok(Math.min(...days) >= 0);
	assert.ok(new Set(days).size >= 10, `They changed ${days.join(', ')} days ago`);
});

for (const {name, category, triggerPhrases, sources} of sampleAbilities) {
	test(`the sample ability ${name} follows the rules that uploads have to follow`, () => {
		assert.equal(complainAboutAbilityName(name), undefined);
		assert.ok(isCategory(category));
		assert.deepEqual(triggerPhrases.filter(phrase => complainAboutTriggerPhrase(phrase) !== undefined), []);
		assert.deepEqual(Object.keys(sources), category === 'background_daemon' ? ['main.py', 'background.py'] : ['main.py']);
		assert.match(sources['main.py'] ?? '', /resume_normal_flow\(\)/);
		assert.deepEqual(Object.values(sources).filter(source => !/^class \w+\(MatchingCapability\):$[\s\S]+^ {4}def call\(self, worker: AgentWorker/m.test(source)), []);
	});
}

test('the agents of the sample home are tied to abilities that it has, and no two abilities share a name', () => {
	const names = new Set(sampleAbilities.map(({name}) => name));
	assert.equal(names.size, sampleAbilities.length);
	assert.deepEqual(sampleAgents.flatMap(({abilities}) => abilities).filter(name => !names.has(name)), []);
});

test('an account that already got a key is still empty, and its one agent becomes one of the three', async () => {
	await using temporary = await createDataFolder();
	const keys = await openApiKeys(temporary.folder);
	await keys.create();
	await keys.close();
	await using service = await startTestService({dataFolder: temporary.folder});
	const agents = await service.read(paths.agents);
	assert.deepEqual(agents.map(agent => agent['name']), ['Hearth', 'Pepper', 'Desk']);
});

test('an account that is not empty is left as it is, and that is said', async () => {
	await using temporary = await createDataFolder();
	const options = {dataFolder: temporary.folder, isSampleWanted: true, ephemeralKey: 'sb_test'};
	const first = await startService(options);
	const headers = {'x-api-key': 'sb_test'};
	const before = await (await fetch(first.baseAddress + paths.installed, {headers})).text();
	await first.close();

	const second = await startService(options);
	assert.deepEqual(second.notes, ['The account “default” is not empty, so the sample home was not added.']);
	assert.equal(await (await fetch(second.baseAddress + paths.installed, {headers})).text(), before);
	await second.close();
});

test('without being asked for, the sample home is not added', async () => {
	await using service = await startTestService({isSampleWanted: false});
	assert.deepEqual(service.notes, []);
	assert.deepEqual(await service.read(paths.abilities), []);
});
