import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {completePath, expandPath} from '../../../source/tui/hooks/complete-path.ts';
import {temporaryFolder} from '../../helpers/temporary-folder.ts';

/** A folder with these in it; a name that ends with a slash is a folder. */
const folderOf = async (names: readonly string[]): Promise<string> => {
	const folder = temporaryFolder();
	for (const name of names) {
		await (name.endsWith('/') ? mkdir(path.join(folder, name), {recursive: true}) : writeFile(path.join(folder, name), ''));
	}

	return folder;
};

test('the only folder that fits is completed, with a slash', async () => {
	const folder = await folderOf(['lamps/', 'desk/']);
	assert.deepEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps/`, candidates: []});
});

test('of several as much is completed as they have in common', async () => {
	const folder = await folderOf(['lampsOne/', 'lampsTwo.zip', 'lamps.txt', 'desk/']);
	assert.deepEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps`, candidates: ['lampsOne/', 'lampsTwo.zip']});
});

test('only files with one of the endings are offered, in any case', async () => {
	const folder = await folderOf(['face.PNG', 'face.txt']);
	assert.deepEqual(await completePath(`${folder}/f`, ['.png', '.jpg']), {text: `${folder}/face.PNG`, candidates: []});
});

test('hidden names are offered only where a dot was typed', async () => {
	const folder = await folderOf(['.git/', 'lamps/']);
	assert.deepEqual(await completePath(`${folder}/`, []), {text: `${folder}/lamps/`, candidates: []});
	assert.deepEqual(await completePath(`${folder}/.`, []), {text: `${folder}/.git/`, candidates: []});
});

test('where none fits as it was typed, letters of the other case do', async () => {
	const folder = await folderOf(['Lamps/', 'LAMBDA/']);
	assert.deepEqual(await completePath(`${folder}/lam`, []), {text: `${folder}/lam`, candidates: ['LAMBDA/', 'Lamps/']});
	assert.deepEqual(await completePath(`${folder}/lamp`, []), {text: `${folder}/Lamps/`, candidates: []});
});

test('nothing within the folder that is looked for is offered', async () => {
	const folder = await folderOf(['lamps/sounds/', 'lamps/main.py']);
	assert.deepEqual(await completePath(`${folder}/lamps/`, [], 'main.py'), {text: `${folder}/lamps/`, candidates: []});
});

test('a folder that is not there, and one that cannot be listed, give nothing', async () => {
	assert.deepEqual(await completePath('/nowhere/at/all', []), {text: '/nowhere/at/all', candidates: []});
});

test('a name with characters that a terminal would obey is not offered', async () => {
	const folder = await folderOf(['lamps\u{1B}[2J/', 'lantern/']);
	assert.deepEqual(await completePath(`${folder}/la`, []), {text: `${folder}/lantern/`, candidates: []});
});

test('a character of two units is never completed by half', async () => {
	const folder = await folderOf(['a😀/', 'a😁/']);
	assert.deepEqual(await completePath(`${folder}/a`, []), {text: `${folder}/a`, candidates: ['a😀/', 'a😁/']});
});

test('a tilde is the home folder, and the quotes and backslashes of a shell are no part of a path', () => {
	assert.equal(expandPath('~'), homedir());
	assert.equal(expandPath('~/abilities/lamps'), path.join(homedir(), 'abilities/lamps'));
	assert.equal(expandPath(' "/home/me/my lamps" '), '/home/me/my lamps');
	assert.equal(expandPath(String.raw`/home/me/my\ lamps\ \(old\)`), '/home/me/my lamps (old)');
	assert.equal(expandPath('lamps'), path.resolve('lamps'));
	assert.equal(expandPath(''), '');
});

test('a tilde is completed to what lies in it', async () => {
	assert.deepEqual(await completePath('~', []), {text: '~/', candidates: []});
});
