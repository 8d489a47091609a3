import {assert, mkdir, path, test, writeFile} from '../../helpers/node.ts';
import {homedir} from 'node:os';
import {completePath, expandPath} from '../../../source/tui/hooks/inspection.ts';
import {temporaryFolder} from '../../helpers/temporary-folder.ts';

/** A folder with these in it; a name that ends with a slash is a folder. */
async function folderOf(names: readonly string[]): Promise<string> {
	const folder = temporaryFolder();
	for (const name of names) {
		await (name.endsWith('/') ? mkdir(path.join(folder, name), {recursive: true}) : writeFile(path.join(folder, name), ''));
	}

	return folder;
}

for (const [title, names, typed, completed, candidates = []] of [
	['the only matching folder is completed, with a slash', ['lamps/', 'desk/'], 'l', 'lamps/'],
	[
		'several matches are completed up to their common prefix',
		['lampsOne/', 'lampsTwo.zip', 'lamps.txt', 'desk/'],
		'l',
		'lamps',
		['lampsOne/', 'lampsTwo.zip'],
	],
	['only files with one of the extensions are offered, in upper or lower case', ['face.ZIP', 'face.txt'], 'f', 'face.ZIP'],
	['hidden names are not offered', ['.git/', 'lamps/'], '', 'lamps/'],
	['hidden names are offered after a dot', ['.git/', 'lamps/'], '.', '.git/'],
	['case is ignored when nothing matches otherwise', ['Lamps/', 'LAMBDA/'], 'lam', 'lam', ['LAMBDA/', 'Lamps/']],
	['the case of the only match is completed', ['Lamps/', 'LAMBDA/'], 'lamp', 'Lamps/'],
	['a name with control characters is not offered', ['lamps\u{1B}[2J/', 'lantern/'], 'la', 'lantern/'],
	['a character of two code units is never split', ['a😀/', 'a😁/'], 'a', 'a', ['a😀/', 'a😁/']],
] satisfies ReadonlyArray<readonly [string, readonly string[], string, string, (readonly string[])?]>) {
	test(title, async () => {
		const folder = await folderOf(names);
		assert.deepEqual(await completePath(`${folder}/${typed}`, ['.zip']), {text: `${folder}/${completed}`, candidates});
	});
}

test('nothing inside the wanted folder is offered', async () => {
	const folder = await folderOf(['lamps/sounds/', 'lamps/main.py']);
	assert.deepEqual(await completePath(`${folder}/lamps/`, [], ['background.py', 'main.py']), {text: `${folder}/lamps/`, candidates: []});
});

test('a missing or unreadable folder offers nothing', async () => {
	assert.deepEqual(await completePath('/nowhere/at/all', []), {text: '/nowhere/at/all', candidates: []});
});

test('a tilde means the home folder, and shell quotes and backslashes are removed', () => {
	assert.equal(expandPath('~'), homedir());
	assert.equal(expandPath('~/abilities/lamps'), path.join(homedir(), 'abilities/lamps'));
	assert.equal(expandPath(' "/home/me/my lamps" '), '/home/me/my lamps');
	assert.equal(expandPath(String.raw`/home/me/my\ lamps\ \(old\)`), '/home/me/my lamps (old)');
	assert.equal(expandPath('lamps'), path.resolve('lamps'));
	assert.equal(expandPath(''), '');
});

test("a tilde is completed to the home folder's contents", async () => {
	assert.deepEqual(await completePath('~', []), {text: '~/', candidates: []});
});
