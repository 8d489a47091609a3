import {
	mkdir,
	mkdtemp,
	rm,
	writeFile,
} from 'node:fs/promises';
import {homedir, tmpdir} from 'node:os';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {completePath, expandPath} from '../../../source/tui/hooks/complete-path.ts';

/** A folder with these in it; a name that ends with a slash is a folder. */
const folderOf = async (t: TestContext, names: readonly string[]): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'complete-'));
	t.after(async () => rm(folder, {recursive: true}));
	for (const name of names) {
		await (name.endsWith('/') ? mkdir(path.join(folder, name), {recursive: true}) : writeFile(path.join(folder, name), ''));
	}

	return folder;
};

test('the only folder that fits is completed, with a slash', async (t: TestContext) => {
	const folder = await folderOf(t, ['lamps/', 'desk/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps/`, candidates: []});
});

test('of several as much is completed as they have in common', async (t: TestContext) => {
	const folder = await folderOf(t, ['lampsOne/', 'lampsTwo.zip', 'lamps.txt', 'desk/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/l`, ['.zip']), {text: `${folder}/lamps`, candidates: ['lampsOne/', 'lampsTwo.zip']});
});

test('only files with one of the endings are offered, in any case', async (t: TestContext) => {
	const folder = await folderOf(t, ['face.PNG', 'face.txt']);
	t.assert.deepStrictEqual(await completePath(`${folder}/f`, ['.png', '.jpg']), {text: `${folder}/face.PNG`, candidates: []});
});

test('hidden names are offered only where a dot was typed', async (t: TestContext) => {
	const folder = await folderOf(t, ['.git/', 'lamps/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/`, []), {text: `${folder}/lamps/`, candidates: []});
	t.assert.deepStrictEqual(await completePath(`${folder}/.`, []), {text: `${folder}/.git/`, candidates: []});
});

test('where none fits as it was typed, letters of the other case do', async (t: TestContext) => {
	const folder = await folderOf(t, ['Lamps/', 'LAMBDA/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/lam`, []), {text: `${folder}/lam`, candidates: ['LAMBDA/', 'Lamps/']});
	t.assert.deepStrictEqual(await completePath(`${folder}/lamp`, []), {text: `${folder}/Lamps/`, candidates: []});
});

test('nothing within the folder that is looked for is offered', async (t: TestContext) => {
	const folder = await folderOf(t, ['lamps/sounds/', 'lamps/main.py']);
	t.assert.deepStrictEqual(await completePath(`${folder}/lamps/`, [], 'main.py'), {text: `${folder}/lamps/`, candidates: []});
});

test('a folder that is not there, and one that cannot be listed, give nothing', async (t: TestContext) => {
	t.assert.deepStrictEqual(await completePath('/nowhere/at/all', []), {text: '/nowhere/at/all', candidates: []});
});

test('a name with characters that a terminal would obey is not offered', async (t: TestContext) => {
	const folder = await folderOf(t, ['lamps\u{1B}[2J/', 'lantern/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/la`, []), {text: `${folder}/lantern/`, candidates: []});
});

test('a character of two units is never completed by half', async (t: TestContext) => {
	const folder = await folderOf(t, ['a😀/', 'a😁/']);
	t.assert.deepStrictEqual(await completePath(`${folder}/a`, []), {text: `${folder}/a`, candidates: ['a😀/', 'a😁/']});
});

test('a tilde is the home folder, and the quotes and backslashes of a shell are no part of a path', (t: TestContext) => {
	t.assert.strictEqual(expandPath('~'), homedir());
	t.assert.strictEqual(expandPath('~/abilities/lamps'), path.join(homedir(), 'abilities/lamps'));
	t.assert.strictEqual(expandPath(' "/home/me/my lamps" '), '/home/me/my lamps');
	t.assert.strictEqual(expandPath(String.raw`/home/me/my\ lamps\ \(old\)`), '/home/me/my lamps (old)');
	t.assert.strictEqual(expandPath('lamps'), path.resolve('lamps'));
	t.assert.strictEqual(expandPath(''), '');
});

test('a tilde is completed to what lies in it', async (t: TestContext) => {
	t.assert.deepStrictEqual(await completePath('~', []), {text: '~/', candidates: []});
});
