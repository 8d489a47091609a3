import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {
	mkdir,
	symlink,
	truncate,
	writeFile,
} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import test from 'node:test';
import {type AbilityOverrides} from '../../source/bundle/ability-draft.ts';
import {refusalOf} from './refusal-of.ts';
import {abilityFolder, lamps, writeFiles} from './ability-folder.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('a symbolic link in the folder is refused, wherever it leads', async () => {
	const folder = await abilityFolder();
	await symlink('main.py', join(folder, 'alias.py'));
	assert.equal(await refusalOf(folder), 'refused zip_file: “alias.py” is a symbolic link.');
});

test('a linked folder is refused, not entered', async () => {
	const folder = await abilityFolder();
	await symlink(dirname(folder), join(folder, 'sounds/up'));
	assert.equal(await refusalOf(folder), 'refused zip_file: “sounds/up” is a symbolic link.');
});

test('a symbolic link among junk does not matter', async () => {
	const folder = await abilityFolder();
	await mkdir(join(folder, '.venv/bin'), {recursive: true});
	await symlink('/usr/bin/python3', join(folder, '.venv/bin/python'));
	assert.equal(await refusalOf(folder), 'taken');
});

test('a pipe is refused without waiting for it', async () => {
	const folder = await abilityFolder();
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	assert.equal(await refusalOf(folder), 'refused zip_file: “pipe” is not a regular file.');
});

test('a path that does not exist is refused', async () => {
	const folder = await abilityFolder();
	assert.match(await refusalOf(join(folder, 'nowhere')), /^refused zip_file: “.*” does not exist\.$/);
	assert.match(await refusalOf(join(folder, 'main.py/inner')), /^refused zip_file: “.*” does not exist\.$/);
});

test('a file that is not a zip is refused', async () => {
	const folder = await abilityFolder();
	assert.match(await refusalOf(join(folder, 'main.py')), /^refused zip_file: “.*main\.py” is neither a folder nor a zip\.$/);
	await writeFile(join(folder, 'lamps.zip'), 'PK');
	await writeFile(join(folder, 'lamps'), 'PK');
	for (const name of ['lamps.zip', 'lamps']) {
		assert.equal(await refusalOf(join(folder, name)), 'refused zip_file: This is not a zip, or it is damaged.');
	}
});

test('a folder of far too many files is refused before any is read', async () => {
	const folder = await abilityFolder();
	await writeFiles(folder, Object.fromEntries(Array.from({length: 2001}, (_value, index) => [`data/${index}`, ''])));
	assert.equal(await refusalOf(folder), 'too-large zip_file: It contains more than 2000 files.');
});

test('a folder of far too many bytes is refused before any is read', async () => {
	const folder = await abilityFolder();
	await writeFile(join(folder, 'huge.bin'), '');
	// A hole: it takes no room here, but would take a terabyte of memory.
	await truncate(join(folder, 'huge.bin'), 2 ** 40);
	assert.equal(await refusalOf(folder), 'too-large zip_file: The files are more than 32 MB in all.');
});

test('a single file over the limit is named', async () => {
	const folder = await abilityFolder();
	await writeFile(join(folder, 'song.wav'), Buffer.alloc(17 * 1024 * 1024));
	assert.equal(await refusalOf(folder), 'too-large zip_file: “lamps/song.wav” is 17 MB; one file may be at most 16 MB.');
	await writeFile(join(folder, 'song.wav'), Buffer.alloc(17_000_000));
	assert.equal(await refusalOf(folder), 'too-large zip_file: “lamps/song.wav” is 17,000,000 bytes; one file may be at most 16 MB.');
});

test('a folder that is nested too deep is refused', async () => {
	const folder = await abilityFolder();
	await mkdir(join(folder, 'a/'.repeat(200)), {recursive: true});
	assert.match(await refusalOf(folder), /^refused zip_file: .*more than 12 folders deep\.$/);
});

test('a name made to mislead a terminal is refused and not printed', async () => {
	const folder = await abilityFolder({...lamps, '\u{1B}[31mred.py': ''});
	assert.equal(await refusalOf(folder), 'refused zip_file: “red.py” has a name with control, invisible or undecodable characters.');
});

const rules: ReadonlyArray<readonly [title: string, files: Readonly<Record<string, string>>, overrides: AbilityOverrides, refusal: string]> = [
	['a folder without main.py', {'__init__.py': ''}, {}, 'refused zip_file: main.py is missing in the folder “Ability1”.'],
	['a folder without __init__.py', {'main.py': ''}, {}, 'refused zip_file: __init__.py is missing in the folder “Ability1”.'],
	['the folder above the ability', {'lamps/main.py': '', 'lamps/__init__.py': ''}, {}, 'refused zip_file: main.py is missing.'],
	['an empty folder', {}, {}, 'refused zip_file: It contains no files.'],
	['a daemon without background.py', lamps, {category: 'background_daemon'}, 'refused zip_file: background.py is missing in the folder “lamps”.'],
	['an unknown category', lamps, {category: 'wizard'}, 'refused category: There is no category “wizard”.'],
	['a name with a space', lamps, {name: 'the lamps'}, 'refused name: The name “the lamps” may contain only letters and digits, not a space.'],
	['a name that begins with a digit', lamps, {name: '2lamps'}, 'refused name: The name “2lamps” must begin with a letter (A to Z).'],
	['an empty name', lamps, {name: ''}, 'refused name: The name is needed.'],
	['a name with an escape sequence', lamps, {name: 'x\u{1B}[2J'}, 'refused name: The name “x” may contain only letters and digits, not an invisible character.'],
	['a short trigger phrase', lamps, {triggerPhrases: ['on']}, 'refused trigger_words: The trigger phrase “on” must have at least four letters.'],
	['a trigger phrase with a comma', lamps, {triggerPhrases: ['lamps, please']}, 'refused trigger_words: The trigger phrase “lamps, please” may contain only letters, digits, spaces, \' and -, not “,”.'],
	['a name from config.json that is none', {...lamps, 'config.json': '{"unique_name": "my_lamps"}'}, {}, 'refused name: The name “my_lamps” may contain only letters and digits, not “_”.'],
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
