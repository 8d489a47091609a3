import {join} from 'node:path';
import test, {type TestContext} from 'node:test';
import {inspectAbility} from '../../source/bundle/inspect-ability.ts';
import {abilityFolder, lamps} from './ability-folder.ts';

test('a good folder fills the form and has no problem', async (t: TestContext) => {
	const {files, ...form} = await inspectAbility(await abilityFolder(t, {...lamps, '.env': 'x'}));
	t.assert.deepStrictEqual(form, {
		name: 'lamps',
		description: '',
		category: 'skill',
		triggerPhrases: ['lamps please', 'it is dark'],
		leftOut: ['.env'],
		sizeBytes: Object.values(lamps).join('').length,
		problems: [],
	});
	t.assert.strictEqual(files.length, 4);
});

test('all problems are found at once, each with its field', async (t: TestContext) => {
	const folder = await abilityFolder(t, {
		'__init__.py': '',
		'config.json': '{"unique_name": "the lamps", "matching_hotwords": ["on", "lights on", 7]}',
	});
	const {problems, name, triggerPhrases} = await inspectAbility(folder, {category: 'wizard', imagePath: join(folder, '__init__.py')});
	t.assert.deepStrictEqual(problems.map(({field}) => field), ['zip_file', 'name', 'category', 'trigger_words', 'image_file']);
	t.assert.ok(problems.every(({nextStep}) => nextStep !== undefined && nextStep !== ''));
	t.assert.strictEqual(name, 'the lamps');
	t.assert.deepStrictEqual(triggerPhrases, ['on', 'lights on']);
	t.assert.strictEqual(problems[1]!.nextStep, 'Name it thelamps, for example.');
});

test('the folder above is answered with the folder that is meant', async (t: TestContext) => {
	const {problems} = await inspectAbility(await abilityFolder(t, {'porch/main.py': '', 'porch/__init__.py': '', 'README.md': ''}));
	t.assert.deepStrictEqual(problems.map(({nextStep}) => nextStep), ['There is one in “porch”: name that folder.']);
});

test('nothing to read is a problem, not a failure', async (t: TestContext) => {
	const {problems, files, name} = await inspectAbility(join(await abilityFolder(t), 'nowhere'));
	t.assert.deepStrictEqual(problems.map(({kind, field}) => [kind, field]), [['refused', 'zip_file']]);
	t.assert.deepStrictEqual(files, []);
	t.assert.strictEqual(name, '');
});
