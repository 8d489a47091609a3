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

test('the only matching folder is completed, with a slash', async () => {
	const folder = await folderOf(['lamps/', 'desk/']);
	assert.deepEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps/`, candidates: []});
});

test('several matches are completed up to their common prefix', async () => {
	const folder = await folderOf(['lampsOne/', 'lampsTwo.zip', 'lamps.txt', 'desk/']);
	assert.deepEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps`, candidates: ['lampsOne/', 'lampsTwo.zip']});
});

test('only files with one of the extensions are offered, in upper or lower case', async () => {
	const folder = await folderOf(['face.PNG', 'face.txt']);
	assert.deepEqual(await completePath(`${folder}/f`, ['.png', '.jpg']), {text: `${folder}/face.PNG`, candidates: []});
});

test('hidden names are offered only after a dot', async () => {
	const folder = await folderOf(['.git/', 'lamps/']);
	assert.deepEqual(await completePath(`${folder}/`, []), {text: `${folder}/lamps/`, candidates: []});
	assert.deepEqual(await completePath(`${folder}/.`, []), {text: `${folder}/.git/`, candidates: []});
});

test('case is ignored when nothing matches otherwise', async () => {
	const folder = await folderOf(['Lamps/', 'LAMBDA/']);
	assert.deepEqual(await completePath(`${folder}/lam`, []), {text: `${folder}/lam`, candidates: ['LAMBDA/', 'Lamps/']});
	assert.deepEqual(await completePath(`${folder}/lamp`, []), {text: `${folder}/Lamps/`, candidates: []});
});

test('nothing inside the wanted folder is offered', async () => {
	const folder = await folderOf(['lamps/sounds/', 'lamps/main.py']);
	assert.deepEqual(await completePath(`${folder}/lamps/`, [], 'main.py'), {text: `${folder}/lamps/`, candidates: []});
});

test('a missing or unreadable folder offers nothing', async () => {
	assert.deepEqual(await completePath('/nowhere/at/all', []), {text: '/nowhere/at/all', candidates: []});
});

test('a name with control characters is not offered', async () => {
	const folder = await folderOf(['lamps\u{1B}[2J/', 'lantern/']);
	assert.deepEqual(await completePath(`${folder}/la`, []), {text: `${folder}/lantern/`, candidates: []});
});

test('a character of two code units is never split', async () => {
	const folder = await folderOf(['a😀/', 'a😁/']);
	assert.deepEqual(await completePath(`${folder}/a`, []), {text: `${folder}/a`, candidates: ['a😀/', 'a😁/']});
});

test('a tilde means the home folder, and shell quotes and backslashes are removed', () => {
	assert.equal(expandPath('~'), homedir());
	assert.equal(expandPath('~/abilities/lamps'), path.join(homedir(), 'abilities/lamps'));
	assert.equal(expandPath(' "/home/me/my lamps" '), '/home/me/my lamps');
	assert.equal(expandPath(String.raw`/home/me/my\ lamps\ \(old\)`), '/home/me/my lamps (old)');
	assert.equal(expandPath('lamps'), path.resolve('lamps'));
	assert.equal(expandPath(''), '');
});

test('a tilde is completed to the home folder\'s contents', async () => {
	assert.deepEqual(await completePath('~', []), {text: '~/', candidates: []});
});
