import {assert, Buffer, existsSync, mkdirSync, path, readdirSync, symlinkSync, test, writeFileSync} from '../helpers/node.ts';
import {surveyFolder, writeFiles} from '../../source/commands/write-folder.ts';
import {readFolderTexts, temporaryFolder, writeFolder} from './kit.ts';

/*
What happens if a folder changes after `abilities pull` has looked at it.
*/

const files = [
	{path: 'main.py', bytes: Buffer.from('new')},
	{path: 'sounds/bell.txt', bytes: Buffer.from('ding')},
];

const isConflict = (where: string, consequence: string) => ({
	kind: 'conflict',
	message: `“${where}” changed while the files were written. ${consequence}`,
});

test('a file that appears or changes after the look at the folder is not overwritten', async () => {
	const root = path.join(temporaryFolder(), 'lamps');
	const missing = await surveyFolder(root, files);
	writeFolder(root, {'main.py': "somebody else's"});
	await assert.rejects(async () => writeFiles(root, missing.toWrite), isConflict('main.py', 'Nothing was written.'));
	const present = await surveyFolder(root, files);
	writeFolder(root, {'main.py': 'changed again'});
	await assert.rejects(async () => writeFiles(root, present.toWrite), isConflict('main.py', 'Nothing was written.'));
	assert.deepEqual(readFolderTexts(root), {'main.py': 'changed again'});
	assert.deepEqual(readdirSync(root), ['main.py']);
});

test('a link that takes the place of the folder, or of one in it, after the look at it is not followed', async () => {
	for (const inner of ['', 'sounds']) {
		const home = temporaryFolder();
		const [root, outside] = [path.join(home, 'lamps'), path.join(home, 'outside')];
		mkdirSync(outside);
		if (inner !== '') {
			mkdirSync(root);
		}

		const {toWrite} = await surveyFolder(root, files);
		symlinkSync(outside, path.join(root, inner));
		await assert.rejects(async () => writeFiles(root, toWrite), isConflict(inner || root, 'Nothing was written.'));
		assert.deepEqual([readdirSync(outside), readdirSync(root)], [[], inner === '' ? [] : [inner]]);
	}
});

test('a failure in the middle says how many files are the new ones', async () => {
	const root = path.join(temporaryFolder(), 'lamps');
	mkdirSync(path.join(root, 'sounds'), {recursive: true});
	const {toWrite} = await surveyFolder(root, files);
	writeFileSync(path.join(root, 'sounds', 'bell.txt'), 'dong');
	await assert.rejects(async () => writeFiles(root, toWrite), isConflict('sounds/bell.txt', '1 of 2 files were written.'));
	assert.deepEqual(readFolderTexts(root), {'main.py': 'new', 'sounds/bell.txt': 'dong'});
});

test('a folder that cannot be made is refused, and what was made for it is removed', async () => {
	const home = temporaryFolder();
	const root = path.join(home, 'abilities', 'lamps');
	const long = `${'x'.repeat(300)}/a.txt`;
	await assert.rejects(async () => writeFiles(root, [{path: long, bytes: Buffer.from('x'), before: undefined}]), {
		kind: 'refused',
		message: /has a name that is too long\. Nothing was written\.$/,
	});
	assert.equal(existsSync(path.join(home, 'abilities')), false);
});

test('folders are written at once beneath one that is missing', async () => {
	const root = path.join(temporaryFolder(), 'abilities');
	await Promise.all(
		['lamps', 'pantry', 'desk'].map(async name =>
			writeFiles(path.join(root, name), [{path: 'main.py', bytes: Buffer.from(name), before: undefined}]),
		),
	);
	assert.deepEqual(readFolderTexts(root), {'desk/main.py': 'desk', 'lamps/main.py': 'lamps', 'pantry/main.py': 'pantry'});
});
