import assert from 'node:assert/strict';
import {join} from 'node:path';
import test from 'node:test';
import {type AbilityOverrides} from '../../source/bundle/ability-draft.ts';
import {readDraft, type CheckedDraft} from '../../source/bundle/read-draft.ts';
import {abilityFolder, lamps} from './ability-folder.ts';

const draftOf = async (path: string, overrides?: AbilityOverrides): Promise<CheckedDraft> => {
	const {draft} = await readDraft(path, overrides);
	return draft;
};

test('the draft of a valid folder has its fields and no problems', async () => {
	const {files, ...form} = await draftOf(await abilityFolder({...lamps, '.env': 'x'}));
	assert.deepEqual(form, {
		name: 'lamps',
		description: '',
		category: 'skill',
		triggerPhrases: ['lamps please', 'it is dark'],
		leftOut: ['.env'],
		sizeBytes: Object.values(lamps).join('').length,
		problems: [],
	});
	assert.equal(files.length, 4);
});

test('all problems are found at once, each with its field', async () => {
	const folder = await abilityFolder({
		'__init__.py': '',
		'config.json': '{"unique_name": "the lamps", "matching_hotwords": ["on", "lights on", 7]}',
	});
	const {problems, name, triggerPhrases} = await draftOf(folder, {category: 'wizard', imagePath: join(folder, '__init__.py')});
	assert.deepEqual(problems.map(({field}) => field), ['zip_file', 'name', 'category', 'trigger_words', 'image_file']);
	assert.ok(problems.every(({nextStep}) => nextStep !== undefined && nextStep !== ''));
	assert.equal(name, 'the lamps');
	assert.deepEqual(triggerPhrases, ['on', 'lights on']);
	assert.equal(problems[1]!.nextStep, 'Try thelamps.');
});

test('for the folder above an ability the inner folder is suggested', async () => {
	const {problems} = await draftOf(await abilityFolder({'porch/main.py': '', 'porch/__init__.py': '', 'README.md': ''}));
	assert.deepEqual(problems.map(({nextStep}) => nextStep), ['There is one in “porch”: use that folder.']);
});

test('a missing folder is reported as a problem', async () => {
	const {problems, files, name} = await draftOf(join(await abilityFolder(), 'nowhere'));
	assert.deepEqual(problems.map(({kind, field}) => [kind, field]), [['refused', 'zip_file']]);
	assert.deepEqual(files, []);
	assert.equal(name, '');
});
