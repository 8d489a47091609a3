import {assert, assertMapped, assertNone, Buffer, path, test} from '../helpers/node.ts';
import {readdir, readFile} from 'node:fs/promises';
import {packAbility} from '../../source/bundle/pack-ability.ts';
import {isCategory} from '../../source/interface/categories.ts';
import {isPlainAbilityName, triggerPhraseProblem} from '../../source/interface/names.ts';
import {readSampleHome, sampleHomeFolder} from '../../source/service/sample/read-sample-home.ts';
import {startService} from '../../source/service/service.ts';
import {fieldsOf, formOf, type JsonRecord, named, paths, shareTestService, startTestService, temporaryDataFolder} from './kit.ts';

const home = await readSampleHome();
const shared = await shareTestService();

test('the sample home has three agents and abilities of every category, most installed, some off', async () => {
	assert.deepEqual(shared.notes, []);
	const agents = await shared.read(paths.agents);
	assert.deepEqual(fieldsOf(agents, 'name'), ['Hearth', 'Pepper', 'Desk']);
	assertNone(agents, agent => (agent['description'] as string).split('\n\n').length < 3);
	assertNone(agents, agent => (agent['matching_capabilities'] as readonly number[]).length === 0);

	const abilities = await shared.read(paths.abilities);
	const installed = await shared.read(paths.installed);
	assert.deepEqual(new Set(abilities.map(ability => ability['category'])), new Set(['background_daemon', 'brain_skill', 'local', 'skill']));
	assert.equal(abilities.length, 14);
	assert.equal(installed.length, 12);
	assert.equal(installed.filter(record => record['enabled']).length, 9);
	assert.equal(named(installed, 'pantry')['category'], 'brain_skill');
	assert.equal(named(installed, 'nightwatch')['enabled'], false);
});

test('the sample abilities changed on different days, none of them later than now', async () => {
	const installed = await shared.read(paths.installed);
	const days = installed.map(record => Math.floor((Date.now() - Date.parse(record['last_updated'] as string)) / 86_400_000));
	assert.ok(Math.min(...days) >= 0);
	assert.ok(new Set(days).size >= 10, `They changed ${days.join(', ')} days ago`);
});

test('the sample abilities follow the rules for uploads', () => {
	for (const {name, category, triggerPhrases, files} of home.abilities) {
		const sources = Object.fromEntries(files.map(({path: file, bytes}) => [file, Buffer.from(bytes).toString('utf8')]));
		assert.ok(isPlainAbilityName(name));
		assert.ok(isCategory(category), name);
		assertNone(triggerPhrases, phrase => triggerPhraseProblem(phrase) !== undefined, name);
		const pythonFiles = category === 'background_daemon' ? ['main.py', 'background.py'] : ['main.py'];
		assert.deepEqual(new Set(Object.keys(sources)), new Set([...pythonFiles, '__init__.py', 'config.json', 'README.md']), name);
		assert.match(sources['main.py'] ?? '', /resume_normal_flow\(\)/, name);
		for (const file of pythonFiles) {
			assert.match(sources[file]!, /^class \w+\(MatchingCapability\):$[\s\S]+^ {4}def call\(self, worker: AgentWorker/m, name);
		}
	}
});

test('the agents of the sample home are tied to its own abilities, and ability names are unique', () => {
	const names = new Set(home.abilities.map(({name}) => name));
	assert.equal(names.size, home.abilities.length);
	assert.deepEqual(
		home.agents.flatMap(({abilities}) => abilities).filter(name => !names.has(name)),
		[],
	);
});

test('every folder of a sample ability has the name of its ability and can be uploaded', async () => {
	await using service = await startTestService({isSampleWanted: false});
	assert.deepEqual(new Set(await readdir(path.join(sampleHomeFolder, 'abilities'))), new Set(home.abilities.map(({name}) => name)));
	for (const {name, category, description, triggerPhrases} of home.abilities) {
		const {zip} = await packAbility(path.join(sampleHomeFolder, 'abilities', name), {category});
		const body = formOf({zip_file: zip, name, category, description, trigger_words: triggerPhrases.join(',')});
		const {status, text} = await service.ask('POST', paths.upload, {body});
		assert.equal(status, 200, text);
	}

	const uploaded = await service.read(paths.abilities);
	const facts = ({name, category, description, trigger_words}: JsonRecord): unknown => [name, category, description, trigger_words];
	assertMapped(
		uploaded,
		ability => facts(ability),
		(await shared.read(paths.abilities)).map(ability => facts(ability)),
	);
});

test('the prompt of an agent is its text file without the final line break', async () => {
	for (const {name, description} of await shared.read(paths.agents)) {
		assert.equal(
			`${String(description)}\n`,
			await readFile(path.join(sampleHomeFolder, `agents/${String(name).toLowerCase()}.md`), 'utf8'),
		);
	}
});

test('an account that is not empty is not changed, with a note', async () => {
	const options = {location: temporaryDataFolder(), isSampleWanted: true, ephemeralKey: 'sb_test'};
	const first = await startService(options);
	const headers = {'x-api-key': 'sb_test'};
	const before = await (await fetch(first.baseAddress + paths.installed, {headers})).text();
	await first.close();

	const second = await startService(options);
	assert.deepEqual(second.notes, ['The account “default” is not empty, so the sample data was not added.']);
	assert.equal(await (await fetch(second.baseAddress + paths.installed, {headers})).text(), before);
	await second.close();
});
