import {assert, Buffer, execFileSync, test, type TestContext} from '../helpers/node.ts';
import {mkdir, rename, symlink, truncate, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {type AbilityOverrides, type CheckedDraft, packAbility, readDraft} from '../../source/bundle/pack-ability.ts';
import {checkAbilityFiles} from '../../source/interface/ability-package/check-files.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {writeZip} from '../../source/interface/ability-package/write-zip.ts';
import {fieldsOf} from '../helpers/fields-of.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {abilityFolder, lamps, refusalOf, writeFiles} from './ability-folder.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const pathsIn = async (zip: Buffer): Promise<readonly string[]> => (await readZip(zip)).files.map(({path}) => path);

const pathsOf = (files: ReadonlyArray<{readonly path: string}>): readonly string[] => files.map(({path}) => path);

test('a folder becomes a zip that the service accepts', async () => {
	const packed = await packAbility(await abilityFolder());
	const {files} = await readZip(packed.zip);
	assert.deepEqual(checkAbilityFiles(files, {category: packed.category, layout: 'folder'}), []);
	assert.deepEqual(pathsOf(files), ['lamps/__init__.py', 'lamps/config.json', 'lamps/main.py', 'lamps/sounds/bell.txt']);
	assert.equal(Buffer.from(files[2]!.bytes).toString(), lamps['main.py']);
});

test('name and trigger phrases come from config.json, the category is skill', async () => {
	const {name, description, category, triggerPhrases, image} = await packAbility(await abilityFolder({...lamps, 'background.py': ''}));
	assert.deepEqual(
		{name, description, category, triggerPhrases, image},
		{name: 'lamps', description: '', category: 'skill', triggerPhrases: ['lamps please', 'it is dark'], image: undefined},
	);
});

test('options take precedence over config.json', async () => {
	const folder = await abilityFolder({...lamps, 'background.py': ''});
	const image = join(dirname(folder), 'lamp.png');
	await writeFile(image, png);
	const packed = await packAbility(folder, {
		name: 'nightlight',
		description: 'Glows',
		category: 'background_daemon',
		triggerPhrases: [' good night ', 'good night', ''],
		imagePath: image,
	});
	assert.deepEqual(
		[packed.name, packed.description, packed.category, packed.triggerPhrases],
		['nightlight', 'Glows', 'background_daemon', ['good night']],
	);
	assert.deepEqual(packed.image, {name: 'lamp.png', type: 'image/png', bytes: png});
	assert.deepEqual([...new Set((await pathsIn(packed.zip)).map(path => path.split('/', 1)[0]))], ['nightlight']);
});

test('without config.json the name is that of the folder', async () => {
	const packed = await packAbility(await abilityFolder({'main.py': '', '__init__.py': ''}, 'Pantry2'));
	assert.equal(packed.name, 'Pantry2');
	assert.deepEqual(packed.triggerPhrases, []);
	// With a byte order mark, it is read all the same.
	assert.equal((await packAbility(await abilityFolder({...lamps, 'config.json': '\u{FEFF}{"unique_name": "marked"}'}))).name, 'marked');
});

test('junk is left out and reported', async () => {
	const packed = await packAbility(
		await abilityFolder({
			...lamps,
			'.env': 'SECRET=1',
			'.git/HEAD': 'ref',
			'__pycache__/main.pyc': 'x',
			'sounds/.DS_Store': 'x',
			'my-python/pyvenv.cfg': 'home = /usr',
			'my-python/bin/activate': 'x',
		}),
	);
	assert.deepEqual(packed.leftOut, ['.env', '.git/', '__pycache__/', 'my-python/', 'sounds/.DS_Store']);
	assert.deepEqual(pathsOf(packed.files), ['__init__.py', 'config.json', 'main.py', 'sounds/bell.txt']);
});

test('the same files give the same bytes in another folder, at another time and in another time zone', async (t: TestContext) => {
	const first = await packAbility(await abilityFolder());
	const elsewhere = await abilityFolder({}, 'another-checkout');
	await writeFiles(elsewhere, Object.fromEntries(Object.entries(lamps).toReversed()));
	await utimes(join(elsewhere, 'main.py'), 1e9, 1e9);
	setVariables(t, {TZ: 'Asia/Kathmandu'});
	assert.equal(new Date(0).getHours(), 5);
	assert.deepEqual((await packAbility(elsewhere)).zip, first.zip);
});

test('a folder and a zip of it give the same bytes, wherever the files are in the zip', async () => {
	const folder = await abilityFolder();
	const fromFolder = await packAbility(folder);
	const zipOf = async (prefix: string, name: string): Promise<string> => {
		const path = join(dirname(folder), name);
		const files = Object.entries({...lamps, '.DS_Store': 'x'}).map(([inner, content]) => ({
			path: prefix + inner,
			bytes: Buffer.from(content),
		}));
		await writeFile(path, await writeZip(files));
		return path;
	};

	const fromFolderZip = await packAbility(await zipOf('whatever-main/', 'folder.zip'));
	const fromRootZip = await packAbility(await zipOf('', 'root.zip'));
	assert.deepEqual(fromFolderZip.zip, fromFolder.zip);
	assert.deepEqual(fromRootZip.zip, fromFolder.zip);
	assert.deepEqual(fromFolderZip.leftOut, ['whatever-main/.DS_Store']);
});

test('a name that another machine decomposes gives the same bytes', async () => {
	const composed = await packAbility(await abilityFolder({...lamps, 'caf\u{E9}.txt': 'x'}));
	assert.deepEqual((await packAbility(await abilityFolder({...lamps, 'cafe\u{301}.txt': 'x'}))).zip, composed.zip);
});

test('without config.json the name is that of the zip', async () => {
	const folder = await abilityFolder({});
	const path = join(folder, 'Porch.ZIP');
	await writeFile(
		path,
		await writeZip([
			{path: 'main.py', bytes: Buffer.alloc(0)},
			{path: '__init__.py', bytes: Buffer.alloc(0)},
		]),
	);
	assert.equal((await packAbility(path)).name, 'Porch');
});

test('a folder reached through a symbolic link is packed like any other', async () => {
	const folder = await abilityFolder();
	const moved = join(dirname(folder), 'moved');
	const direct = await packAbility(folder);
	await rename(folder, moved);
	await symlink(moved, folder);
	assert.deepEqual((await packAbility(folder)).zip, direct.zip);
});

test('empty folders do not matter', async () => {
	const folder = await abilityFolder();
	const before = await packAbility(folder);
	await mkdir(join(folder, 'empty/inside'), {recursive: true});
	assert.deepEqual((await packAbility(folder)).zip, before.zip);
});

async function draftOf(path: string, overrides?: AbilityOverrides): Promise<CheckedDraft> {
	const {draft} = await readDraft(path, overrides);
	return draft;
}

test('all problems are found at once, each with its field', async () => {
	const folder = await abilityFolder({
		'__init__.py': '',
		'config.json': '{"unique_name": " the lamps ", "matching_hotwords": ["on", "lights on", 7]}',
	});
	const {problems, name, triggerPhrases} = await draftOf(folder, {category: 'wizard', imagePath: join(folder, '__init__.py')});
	assert.deepEqual(fieldsOf(problems, 'field'), ['zip_file', 'category', 'trigger_words', 'image_file']);
	assert.ok(problems.every(({nextStep}) => nextStep !== undefined && nextStep !== ''));
	assert.equal(name, 'the lamps');
	assert.deepEqual(triggerPhrases, ['on', 'lights on']);
});

test('for the folder above an ability the inner folder is suggested', async () => {
	const folder = await abilityFolder({'porch/main.py': '', 'porch/__init__.py': '', 'README.md': ''});
	const {problems} = await draftOf(folder);
	assert.deepEqual(fieldsOf(problems, 'nextStep'), [`There is one in “${join(folder, 'porch')}”: use that folder.`]);
});

const spoiled: ReadonlyArray<readonly [title: string, spoil: (folder: string) => unknown, refusal: RegExp]> = [
	['a symbolic link', async folder => symlink('main.py', join(folder, 'alias.py')), /^refused zip_file: “alias\.py” is a symbolic link\.$/],
	[
		'a linked folder',
		async folder => symlink(dirname(folder), join(folder, 'sounds/up')),
		/^refused zip_file: “sounds\/up” is a symbolic link\.$/,
	],
	['a pipe', folder => execFileSync('mkfifo', [join(folder, 'pipe')]), /^refused zip_file: “pipe” is not a regular file\.$/],
	[
		'far too many files',
		async folder => writeFiles(folder, Object.fromEntries(Array.from({length: 2001}, (_value, index) => [`data/${index}`, '']))),
		/^too-large zip_file: It contains more than 2000 files\.$/,
	],
	[
		'far too many bytes',
		async folder => {
			await writeFile(join(folder, 'huge.bin'), '');
			// A hole: it takes no room here, but would take a terabyte of memory.
			await truncate(join(folder, 'huge.bin'), 2 ** 40);
		},
		/^too-large zip_file: The files are more than 32 MB in all\.$/,
	],
	[
		'a file over the limit',
		async folder => writeFile(join(folder, 'song.wav'), Buffer.alloc(17 * 1024 * 1024)),
		/^too-large zip_file: “song\.wav” is 17 MB; one file may be at most 16 MB\.$/,
	],
	[
		'a file that is just over the limit',
		async folder => writeFile(join(folder, 'song.wav'), Buffer.alloc(17_000_000)),
		/^too-large zip_file: “song\.wav” is 17,000,000 bytes; one file may be at most 16 MB\.$/,
	],
	[
		'too many folders in folders',
		async folder => mkdir(join(folder, 'a/'.repeat(200)), {recursive: true}),
		/^refused zip_file: .*more than 12 folders deep\.$/,
	],
	[
		'a name made to mislead a terminal',
		async folder => writeFile(join(folder, '\u{1B}[31mred.py'), ''),
		/^refused zip_file: “red\.py” has a name with control, invisible or undecodable characters\.$/,
	],
];

for (const [title, spoil, refusal] of spoiled) {
	test(`a folder with ${title} is refused`, async () => {
		const folder = await abilityFolder();
		await spoil(folder);
		assert.match(await refusalOf(folder), refusal);
	});
}

test('a symbolic link among junk does not matter', async () => {
	const folder = await abilityFolder();
	await mkdir(join(folder, '.venv/bin'), {recursive: true});
	await symlink('/usr/bin/python3', join(folder, '.venv/bin/python'));
	assert.equal(await refusalOf(folder), 'taken');
});

test('a path that does not exist, and a file that is not a zip, are refused', async () => {
	const folder = await abilityFolder();
	for (const name of ['nowhere', 'main.py/inner']) {
		assert.match(await refusalOf(join(folder, name)), /^refused zip_file: “.*” does not exist\.$/);
	}

	assert.match(await refusalOf(join(folder, 'main.py')), /^refused zip_file: “.*main\.py” is neither a folder nor a zip\.$/);
	for (const name of ['lamps.zip', 'lamps']) {
		await writeFile(join(folder, name), 'PK');
		assert.equal(await refusalOf(join(folder, name)), 'refused zip_file: This is not a zip, or it is damaged.');
	}
});

const rules: ReadonlyArray<
	readonly [title: string, files: Readonly<Record<string, string>>, overrides: AbilityOverrides, refusal: string]
> = [
	['a folder without main.py', {'__init__.py': ''}, {}, 'refused zip_file: main.py is missing.'],
	['a folder without __init__.py', {'main.py': ''}, {}, 'refused zip_file: __init__.py is missing.'],
	['the folder above the ability', {'lamps/main.py': '', 'lamps/__init__.py': ''}, {}, 'refused zip_file: main.py is missing.'],
	['an empty folder', {}, {}, 'refused zip_file: It contains no files.'],
	['a daemon without background.py', lamps, {category: 'background_daemon'}, 'refused zip_file: background.py is missing.'],
	['an unknown category', lamps, {category: 'wizard'}, 'refused category: There is no category “wizard”.'],
	['an empty name', lamps, {name: ''}, 'refused name: The name is needed.'],
	[
		'a short trigger phrase',
		lamps,
		{triggerPhrases: ['on']},
		'refused trigger_words: The trigger phrase “on” must have at least four letters.',
	],
	[
		'a name from config.json that no service can take',
		{...lamps, 'config.json': String.raw`{"unique_name": "lamps\u0000"}`},
		{},
		'refused name: The name contains the character U+0000.',
	],
	['a config.json that is no JSON', {...lamps, 'config.json': '{'}, {}, 'refused zip_file: “config.json” is not a JSON object.'],
	['a config.json that is a list', {...lamps, 'config.json': '[]'}, {}, 'refused zip_file: “config.json” is not a JSON object.'],
];

for (const [title, files, overrides, refusal] of rules) {
	test(`${title} is refused`, async () => {
		assert.equal(await refusalOf(await abilityFolder(files), overrides), refusal);
	});
}

test('a broken config.json is ignored if nothing is needed from it', async () => {
	const folder = await abilityFolder({...lamps, 'config.json': '{'});
	assert.equal(await refusalOf(folder, {name: 'lamps', triggerPhrases: []}), 'taken');
});

test('an image is checked by its content, not by its name', async () => {
	const folder = await abilityFolder();
	const image = join(dirname(folder), 'picture.png');
	await writeFile(image, 'GIF89a');
	assert.match(await refusalOf(folder, {imagePath: image}), /^refused image_file: “.*picture\.png” is neither a PNG nor a JPEG\.$/);
	await writeFile(image, Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]));
	assert.equal(await refusalOf(folder, {imagePath: image}), 'too-large image_file: The image is 6 MB; it may be at most 5 MB.');
	assert.match(await refusalOf(folder, {imagePath: folder}), /^refused image_file: “.*” is not a file\.$/);
	assert.match(await refusalOf(folder, {imagePath: `${image}x`}), /^refused image_file: “.*” does not exist\.$/);
});
