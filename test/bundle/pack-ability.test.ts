import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {
	mkdir,
	rename,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import process from 'node:process';
import test from 'node:test';
import {packAbility} from '../../source/bundle/pack-ability.ts';
import {checkAbilityFiles} from '../../source/interface/ability-package/check-ability-files.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {writeZip} from '../../source/interface/ability-package/write-zip.ts';
import {abilityFolder, lamps, writeFiles} from './ability-folder.ts';

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
	assert.deepEqual({
		name, description, category, triggerPhrases, image,
	}, {
		name: 'lamps',
		description: '',
		category: 'skill',
		triggerPhrases: ['lamps please', 'it is dark'],
		image: undefined,
	});
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
});

test('a config.json with a byte order mark is read', async () => {
	const packed = await packAbility(await abilityFolder({...lamps, 'config.json': '\u{FEFF}{"unique_name": "marked"}'}));
	assert.equal(packed.name, 'marked');
});

test('the size is that of the zip', async () => {
	const packed = await packAbility(await abilityFolder());
	assert.equal(packed.sizeBytes, packed.zip.length);
	assert.deepEqual(packed.files, [
		{path: '__init__.py', size: 0},
		{path: 'config.json', size: lamps['config.json']!.length},
		{path: 'main.py', size: lamps['main.py']!.length},
		{path: 'sounds/bell.txt', size: 4},
	]);
});

test('junk is left out and reported', async () => {
	const packed = await packAbility(await abilityFolder({
		...lamps,
		'.env': 'SECRET=1',
		'.git/HEAD': 'ref',
		'__pycache__/main.pyc': 'x',
		'sounds/.DS_Store': 'x',
		'my-python/pyvenv.cfg': 'home = /usr',
		'my-python/bin/activate': 'x',
	}));
	assert.deepEqual(packed.leftOut, ['.env', '.git/', '__pycache__/', 'my-python/', 'sounds/.DS_Store']);
	assert.deepEqual(pathsOf(packed.files), ['__init__.py', 'config.json', 'main.py', 'sounds/bell.txt']);
});

test('the same files give the same bytes in another folder, at another time and in another time zone', async () => {
	const first = await packAbility(await abilityFolder());
	const elsewhere = await abilityFolder({}, 'another-checkout');
	await writeFiles(elsewhere, Object.fromEntries(Object.entries(lamps).toReversed()));
	await utimes(join(elsewhere, 'main.py'), 1e9, 1e9);
	const script = `
		import {packAbility} from ${JSON.stringify(new URL('../../source/bundle/pack-ability.ts', import.meta.url).href)};
		process.stdout.write((await packAbility(${JSON.stringify(elsewhere)})).zip.toString('base64'));
	`;
	const second = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {env: {...process.env, TZ: 'Asia/Kathmandu'}, encoding: 'utf8'});
	assert.equal(second, first.zip.toString('base64'));
});

test('a folder and a zip of it give the same bytes, wherever the files are in the zip', async () => {
	const folder = await abilityFolder();
	const fromFolder = await packAbility(folder);
	const zipOf = async (prefix: string, name: string): Promise<string> => {
		const path = join(dirname(folder), name);
		const files = Object.entries({...lamps, '.DS_Store': 'x'}).map(([inner, content]) => ({path: prefix + inner, bytes: Buffer.from(content)}));
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
	const decomposed = await packAbility(await abilityFolder({...lamps, 'cafe\u{301}.txt': 'x'}));
	assert.deepEqual(decomposed.zip, composed.zip);
});

test('without config.json the name is that of the zip', async () => {
	const folder = await abilityFolder({});
	const path = join(folder, 'Porch.ZIP');
	await writeFile(path, await writeZip([{path: 'main.py', bytes: Buffer.alloc(0)}, {path: '__init__.py', bytes: Buffer.alloc(0)}]));
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
