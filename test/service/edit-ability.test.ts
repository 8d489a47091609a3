import {assert, test} from '../helpers/node.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {
	fieldsOf,
	followChanges,
	formOf,
	type JsonRecord,
	lineOf,
	named,
	paths,
	readEntries,
	shareTestService,
	startTestService,
	temporaryDataFolder,
	uploadForm,
	withKeys,
	zipOf,
} from './kit.ts';

const service = await shareTestService();

const edit = async (id: unknown, fields: Parameters<typeof formOf>[0], key?: string) =>
	service.ask('PUT', paths.editAbility(id), {body: formOf(fields), ...(key !== undefined && {key})});

const read = async (name: string): Promise<JsonRecord> => named(await service.read(paths.abilities), name);

test('an edit changes the fields that are sent, in every list, in the stream of changes and in the history', async () => {
	await using stream = await followChanges(service.baseAddress, service.key);
	await stream.waitForChanges(3);
	const before = await read('pantry');
	const installed = named(await service.read(paths.installed), 'pantry');
	const {status, json, headers} = await edit(before['id'], {
		name: 'larder',
		category: 'skill',
		description: 'What is\nleft.',
		trigger_words: 'what is left, look into the larder',
		selected_keys: '[]',
	});
	assert.equal(status, 200);
	assert.match(headers.get('list-versions') ?? '', /^abilities=\S+, installed=\S+$/);
	assert.equal((await stream.waitForChanges(5)).length, 5);
	const {last_updated: changedAt, ...after} = json as JsonRecord;
	assert.ok(Date.parse(String(changedAt)) > Date.parse(String(before['last_updated'])));
	const {last_updated: _, ...unchanged} = before;
	assert.deepEqual(after, {
		...unchanged,
		name: 'larder',
		category: 'skill',
		description: 'What is\nleft.',
		trigger_words: ['what is left', 'look into the larder'],
	});
	assert.deepEqual(await read('larder'), json);
	const {name, category, trigger_words: phrases} = named(await service.read(paths.installed), 'larder');
	// The installed ability keeps its own phrases.
	assert.deepEqual([name, category, phrases], ['larder', 'skill', installed['trigger_words']]);
	const entries = await readEntries(service, {limit: 4});
	assert.deepEqual(entries.map(entry => lineOf(entry).replace(/^.*: ability /, '')).toSorted(), [
		'larder category "brain_skill" > "skill"',
		`larder description ${JSON.stringify(before['description'])} > "What is\\nleft."`,
		'larder triggers [] > ["what is left","look into the larder"]',
		'pantry name "pantry" > "larder"',
	]);

	const again = await edit(before['id'], {name: 'larder'});
	assert.deepEqual([again.status, again.headers.get('list-versions')], [200, null]);
	assert.deepEqual(again.json, json);
	await edit(before['id'], {name: 'pantry', category: 'brain_skill', trigger_words: ''});
});

test('a name that another ability has, in any case, and other fields that break a rule change nothing', async () => {
	const before = await service.read(paths.abilities);
	const {id} = await read('pantry');
	const refused: ReadonlyArray<readonly [fields: Parameters<typeof formOf>[0], status: number, word: RegExp]> = [
		[{name: 'NightWatch'}, 409, /same name/],
		[{name: '', description: 'x'}, 400, /name/],
		[{category: 'other'}, 400, /category/],
		[{category: 'background_daemon'}, 400, /background\.py/],
		[{trigger_words: 'x'}, 400, /trigger_words/],
		[{selected_keys: '["weather"]'}, 400, /selected_keys/],
		[{description: 'x'.repeat(1_000_001)}, 400, /description/],
	];
	for (const [fields, status, word] of refused) {
		const answer = await edit(id, fields);
		assert.deepEqual([answer.status, word.test(answer.text)], [status, true], answer.text);
	}

	assert.equal((await edit(999_999, {name: 'lost'})).status, 404);
	const other = await service.createKey('others');
	assert.equal((await edit(id, {name: 'taken'}, other)).status, 404);
	assert.deepEqual(await service.read(paths.abilities), before);
	// In another case, the name stays its own.
	assert.equal((await edit(id, {name: 'Pantry'})).status, 200);
	assert.equal((await edit(id, {name: 'pantry'})).status, 200);
});

test('a zip in an edit becomes the next version', async () => {
	const {json} = await service.ask('POST', paths.upload, {body: await uploadForm({name: 'porch'})});
	const {capability_id: id} = json as JsonRecord;
	const zip_file = await zipOf({'porch/main.py': 'second', 'porch/__init__.py': '', 'porch/background.py': ''});
	const {status, text} = await edit(id, {zip_file, category: 'background_daemon', description: 'Now a daemon'});
	assert.equal(status, 200, text);
	assert.deepEqual(
		((await read('porch'))['capability_versions'] as readonly JsonRecord[]).map(each => [each['version'], each['is_user_enabled']]),
		[
			['2', true],
			['1', false],
		],
	);
	const {bytes} = await service.ask('GET', paths.source(id));
	assert.deepEqual(fieldsOf((await readZip(bytes)).files, 'path').toSorted(), ['__init__.py', 'background.py', 'main.py']);
	assert.equal((await edit(id, {zip_file: await zipOf({'main.py': ''})})).status, 400);
});

test('keys that may do less edit no ability and use no other release, and a full account edits none to be larger', async () => {
	const dataFolder = temporaryDataFolder();
	await using small = await startTestService({dataFolder, quotaBytes: 10_000});
	const [{id, capability_versions: versions}] = (await small.read(paths.abilities)) as unknown as readonly [
		{readonly id: number; readonly capability_versions: ReadonlyArray<{readonly id: number}>},
	];
	const before = await small.read(paths.abilities);
	for (const rights of ['read-only', 'switch'] as const) {
		const {key} = await withKeys(dataFolder, async keys => keys.create({name: rights, rights}));
		const answers = [
			await small.ask('PUT', paths.editAbility(id), {key, body: formOf({name: 'other'})}),
			await small.ask('POST', paths.enableRelease(versions[0]!.id), {key}),
			await small.ask('GET', paths.releases(id), {key}),
		];
		assert.deepEqual(fieldsOf(answers, 'status'), [403, 403, 200]);
	}

	const {status, json} = await small.ask('PUT', paths.editAbility(id), {body: formOf({description: 'x'.repeat(2000)})});
	assert.deepEqual([status, (json as JsonRecord)['code']], [507, 'quota']);
	assert.deepEqual(await small.read(paths.abilities), before);
	assert.equal((await small.ask('PUT', paths.editAbility(id), {body: formOf({description: ''})})).status, 200);
});
