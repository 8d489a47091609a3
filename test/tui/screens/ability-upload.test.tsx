import {assert, path, test, type TestContext} from '../../helpers/node.ts';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {abilityFolder, writeFiles} from '../../bundle/ability-folder.ts';
import {asked, isUpload} from '../helpers/abilities.ts';
import {includes, openHome, type RenderedApp, says, wide} from '../helpers/kit.ts';

/** Wide enough for the path of any temporary folder. */
const broad = {columns: 160, rows: 24};

/** Opens the form on the Abilities screen. */
async function openForm(t: TestContext, size = wide) {
	const {service, app} = await openHome(t, {screen: 'abilities', size});
	await app.press('U').shows(lines => includes('> Path')(lines) && !includes('not read yet')(lines));
	return {service, app};
}

/** The lines between the title and the hints, without empty ones, with `~` for the folder that the test made. */
const fieldsOf = (app: RenderedApp, folder = ''): readonly string[] =>
	app
		.lines()
		.slice(1, -1)
		.map(line => (folder === '' ? line : line.replaceAll(path.dirname(folder), 'DIR')))
		.filter(line => line !== '');

test('U opens a form that explains its fields', async (t: TestContext) => {
	const {app} = await openForm(t);
	assert.deepEqual(app.lines(), [
		' Upload an ability                                               to environment',
		'',
		' > Path',
		'             a folder with main.py or background.py, or its zip; Tab completes',
		'   Name',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases',
		'             a skill needs at least one; separate several with commas',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
		...Array.from({length: 12}, () => ''),
		' enter next  tab complete  ctrl+s upload  esc back  up/down move  ctrl+u clear',
	]);
});

test('Tab completes the path as far as possible, and shows the candidates', async (t: TestContext) => {
	const folder = await abilityFolder(undefined, 'lampsTwo');
	const parent = path.dirname(folder);
	await mkdir(path.join(parent, 'lampsOne'));
	await writeFile(path.join(parent, 'lampshade.txt'), '');
	await writeFile(path.join(parent, '.lamps'), '');
	const {app} = await openForm(t, broad);
	// A slow line brings many keys in one chunk: Tab meets the path before it.
	await app.write(`${parent}/l\t`).shows(`> Path      ${parent}/lamps`);
	await app.press('tab').shows('             lampsOne/ lampsTwo/');
	await app.press('T', 'tab').shows(`> Path      ${folder}/`);
	await app.shows('   Name      lamps');
	await app.press('tab').shows(' > Name      lamps');
});

test('a path without an ability is noted while it is typed, Tab stays there, and the problem is shown afterwards', async (t: TestContext) => {
	const folder = await abilityFolder({'notes.txt': ''});
	const {app} = await openForm(t, broad);
	await app.paste(`${folder}/none`).shows('             no such file or folder');
	app.press('tab');
	// A letter after it is still for the path.
	await app.press('s').shows(` > Path      ${folder}/nones`);
	await app.press(...Array.from({length: 6}, () => 'backspace')).shows('             no main.py or background.py in this folder');
	await app.press('enter').shows('             ! No main.py or background.py in this folder.');
	app.press('up', 'ctrl+u');
	app.paste(`${folder}/notes.txt`);
	await app.press('tab').shows(' > Name');
});

test('the fields follow the files at the path, except those that the person edited', async (t: TestContext) => {
	const folder = await abilityFolder();
	const parent = path.dirname(folder);
	await writeFiles(path.join(parent, 'desk'), {'main.py': '', '__init__.py': '', '.git/config': ''});
	const {app} = await openForm(t, broad);
	await app.paste(folder).shows('Name      lamps');
	assert.deepEqual(fieldsOf(app, folder), [
		' > Path      DIR/Ability1',
		'             4 files, 96 bytes',
		'   Name      lamps',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases   lamps please, it is dark',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
	]);
	app.press('enter', 'X', 'up', 'ctrl+u');
	await app.paste(`${parent}/desk`).shows('2 files, 0 bytes; left out: .git/');
	assert.deepEqual(fieldsOf(app, folder).slice(2, 6), [
		'   Name      lampsX',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases',
	]);
});

test('Ctrl+S reads the folder again: what was missing may be there by now, and what was there may be gone', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: broad});
	const folder = await abilityFolder({
		'main.py': 'print(1)\n',
		'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}',
	});
	app.press('U');
	await app.paste(folder).says('! __init__.py is missing');
	await rm(path.join(folder, 'main.py'));
	await writeFile(path.join(folder, '__init__.py'), '');
	await app.press('ctrl+s').shows(' > Path', says('! main.py is missing'));
	await writeFile(path.join(folder, 'main.py'), 'print(2)\n');
	await writeFile(path.join(folder, 'config.json'), '{"unique_name": "lantern", "matching_hotwords": ["light it up"]}');
	await app.press('ctrl+s').says('lantern is uploaded');
	assert.equal(asked(service, isUpload).length, 1);
});

test('fields are checked as they are typed, and an invalid form is not sent', async (t: TestContext) => {
	const folder = await abilityFolder({'main.py': 'print(1)\n'});
	const {service, app} = await openForm(t, broad);
	await app.paste(folder).says('! __init__.py is missing');
	app.press('down', '-', 'down', 'down', 'right', 'right', 'down', ...'hi, ab!', 'down');
	await app.paste('/nowhere/at/all.png').says('“/nowhere/at/all.png” does not exist.');
	await app.shows('(1 more)', 'does not exist');
	assert.deepEqual(fieldsOf(app, folder), [
		'   Path      DIR/Ability1',
		'             ! __init__.py is missing. Add it; it may be empty. (1 more)',
		'   Name      Ability1-',
		'             not only letters and digits; the service decides',
		'   About     (what it does)',
		'   Category  daemon  runs all session',
		'   Phrases   hi, ab!',
		'             ! “hi” must have at least four letters.',
		' > Image     /nowhere/at/all.png',
		'             ! “/nowhere/at/all.png” does not exist. Check the path.',
		'   Agent     none',
	]);
	await app.press('ctrl+s').shows(' > Path');
	assert.deepEqual(asked(service, isUpload), []);
});

test('missing fields are reported once the person tries to upload', async (t: TestContext) => {
	const {service, app} = await openForm(t);
	const lines = await app.press('ctrl+s').shows('! Enter the path of a folder or a .zip file.');
	assert.ok(includes('! The name is needed.')(lines));
	assert.deepEqual(asked(service, isUpload), []);
});

test('a folder of background.py alone is a daemon, and is uploaded without phrases', async (t: TestContext) => {
	const folder = await abilityFolder({'__init__.py': '', 'background.py': ''}, 'owlwatch');
	const {service, app} = await openForm(t, broad);
	await app.paste(folder).shows('Category  daemon  runs all session');
	await app.press('ctrl+s').shows('[2 Abilities]');
	assert.equal(service.requests.filter(isUpload).length, 1);
});

test('Escape asks before typed text is lost, and Ctrl+R clears nothing', async (t: TestContext) => {
	const {app} = await openForm(t);
	await app.press('down', ...'desk', 'ctrl+r', 'escape').says('Leave without uploading?');
	await app.press('n', 's').shows(' > Name      desks');
	await app.press('escape').says('Leave without uploading?');
	await app.press('y').shows('[2 Abilities]');
	await app.press('U').shows(lines => includes(' > Path')(lines) && !includes('desk')(lines));
	await app.press('escape').shows('[2 Abilities]');
});

test('Left and Right choose among the agents', async (t: TestContext) => {
	const {app} = await openForm(t);
	await app.press('up').shows(' > Agent     ‹ none ›');
	await app.press('right').shows(' > Agent     ‹ Hearth ›  gets the ability');
	await app.press('left', 'left').shows(' > Agent     ‹ Porch ›  gets the ability');
});
