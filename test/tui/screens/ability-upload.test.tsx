import {assert, path, test, type TestContext} from '../../helpers/node.ts';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {abilityFolder, writeFiles} from '../../bundle/ability-folder.ts';
import {asked, isUpload} from '../helpers/abilities.ts';
import {includes, openHome, type RenderAppOptions, type RenderedApp, says, small, startHome, wide} from '../helpers/kit.ts';

/** Wide enough for the path of any temporary folder. */
const broad = {columns: 160, rows: 24};

/** Opens the form on the Abilities screen. */
const openForm = async (t: TestContext, options: RenderAppOptions): Promise<RenderedApp> => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, ...options});
	app.press('U');
	await app.waitForFrame(lines => includes('> Path')(lines) && !includes('not read yet')(lines));
	return app;
};

/** The lines between the title and the hints, without empty ones, with `~` for the folder that the test made. */
const fieldsOf = (app: RenderedApp, folder = ''): readonly string[] =>
	app
		.lines()
		.slice(1, -1)
		.map(line => (folder === '' ? line : line.replaceAll(path.dirname(folder), 'DIR')))
		.filter(line => line !== '');

test('U opens a form that explains its fields', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	assert.deepEqual(app.lines(), [
		' Upload an ability                                               to environment',
		'',
		' > Path',
		'             a folder with main.py, or a .zip of one; Tab completes',
		'   Name',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases',
		'             a skill needs at least one; separate several with commas',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
		'   [ Upload ]',
		...Array.from({length: 11}, () => ''),
		' enter next  tab complete  ctrl+s upload  esc back  up/down move  ctrl+r clear',
	]);
});

test('Tab completes the path as far as possible, and shows the candidates', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder(undefined, 'lampsTwo');
	const parent = path.dirname(folder);
	await mkdir(path.join(parent, 'lampsOne'));
	await writeFile(path.join(parent, 'lampshade.txt'), '');
	await writeFile(path.join(parent, '.lamps'), '');
	const app = await openForm(t, {service, size: broad});
	app.paste(`${parent}/l`);
	app.press('tab');
	await app.waitForFrame(includes(`> Path      ${parent}/lamps`));
	app.press('tab');
	await app.waitForFrame(includes('             lampsOne/ lampsTwo/'));
	app.press('T', 'tab');
	await app.waitForFrame(includes(`> Path      ${folder}/`));
	await app.waitForFrame(includes('   Name      lamps'));
	app.press('tab');
	await app.waitForFrame(includes(' > Name      lamps'));
});

test('Tab stays at a path that does not exist', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({'notes.txt': ''});
	const app = await openForm(t, {service, size: broad});
	app.paste(`${folder}/none`);
	await app.waitForFrame(includes('             no such file or folder'));
	app.press('tab');
	// A letter after it is still for the path.
	app.press('s');
	await app.waitForFrame(includes(` > Path      ${folder}/nones`));
	app.press('ctrl+u');
	app.paste(`${folder}/notes.txt`);
	app.press('tab');
	await app.waitForFrame(includes(' > Name'));
});

test('the fields follow the files at the path, except those that the person edited', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder();
	const parent = path.dirname(folder);
	await writeFiles(path.join(parent, 'desk'), {'main.py': '', '__init__.py': '', '.git/config': ''});
	const app = await openForm(t, {service, size: broad});
	app.paste(folder);
	await app.waitForFrame(includes('Name      lamps'));
	assert.deepEqual(fieldsOf(app, folder), [
		' > Path      DIR/Ability1',
		'             4 files, 96 bytes',
		'   Name      lamps',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases   lamps please, it is dark',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
		'   [ Upload ]',
	]);
	app.press('enter', 'X', 'up', 'ctrl+u');
	app.paste(`${parent}/desk`);
	await app.waitForFrame(includes('2 files, 0 bytes; left out: .git/'));
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
	app.paste(folder);
	await app.waitForFrame(says('! __init__.py is missing'));
	await rm(path.join(folder, 'main.py'));
	await writeFile(path.join(folder, '__init__.py'), '');
	app.press('ctrl+s');
	await app.waitForFrame(lines => includes(' > Path')(lines) && says('! main.py is missing')(lines));
	await writeFile(path.join(folder, 'main.py'), 'print(2)\n');
	await writeFile(path.join(folder, 'config.json'), '{"unique_name": "lantern", "matching_hotwords": ["light it up"]}');
	app.press('ctrl+s');
	await app.waitForFrame(says('lantern is uploaded'));
	assert.equal(asked(service, isUpload).length, 1);
});

test('fields are checked as they are typed, and an invalid form is not sent', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({'main.py': 'print(1)\n'});
	const app = await openForm(t, {service, size: broad});
	app.paste(folder);
	await app.waitForFrame(says('! __init__.py is missing'));
	app.press('down', '-', 'down', 'down', 'right', 'right', 'down', ...'hi, ab!', 'down');
	app.paste('/nowhere/at/all.png');
	await app.waitForFrame(says('“/nowhere/at/all.png” does not exist.'));
	await app.waitForFrame(lines => includes('(1 more)')(lines) && includes('does not exist')(lines));
	assert.deepEqual(fieldsOf(app, folder), [
		'   Path      DIR/Ability1',
		'             ! __init__.py is missing in the folder “Ability1”. Add it; it may be empty. (1 more)',
		'   Name      Ability1-',
		'             ! The name may contain only letters and digits, not “-”.',
		'   About     (what it does)',
		'   Category  daemon  runs all session',
		'   Phrases   hi, ab!',
		'             ! “hi” must have at least four letters.',
		' > Image     /nowhere/at/all.png',
		'             ! “/nowhere/at/all.png” does not exist. Check the path.',
		'   Agent     none',
		'   [ Upload ]',
	]);
	app.press('ctrl+s');
	await app.waitForFrame(includes(' > Path'));
	assert.deepEqual(asked(service, isUpload), []);
});

test('missing fields are reported once the person tries to upload', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('ctrl+s');
	const lines = await app.waitForFrame(includes('! Enter the path of a folder or a .zip file.'));
	assert.ok(includes('! The name is needed.')(lines));
	assert.deepEqual(asked(service, isUpload), []);
});

test('a path without an ability is noted while it is typed, and a problem afterwards', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({'notes.txt': ''});
	const app = await openForm(t, {service, size: broad});
	app.paste(`${folder}/none`);
	await app.waitForFrame(includes('             no such file or folder'));
	app.press(...Array.from({length: 5}, () => 'backspace'));
	await app.waitForFrame(includes('             no main.py in this folder'));
	app.press('enter');
	await app.waitForFrame(includes('             ! No main.py in this folder.'));
});

test('on a small terminal the focused field and its note are visible', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder();
	const app = await openForm(t, {service, size: small});
	app.paste(folder);
	await app.waitForFrame(includes('4 files, 96 bytes'));
	app.press('down', '!');
	assert.deepEqual((await app.waitForFrame(includes('“!”.'))).slice(2), [
		' > Name      lamps!',
		'             ! The name may contain',
		'             only letters and digits,',
		'             not “!”.',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger p…',
		'   Phrases   lamps please, it is dark',
		' enter next  ctrl+s upload  esc back',
	]);
	app.press('up', 'up');
	assert.deepEqual((await app.waitForFrame(includes('> [ Upload ]'))).slice(2), [
		'   Name!     lamps!',
		'   About     (what it does)',
		'   Category  skill  runs on a trigger p…',
		'   Phrases   lamps please, it is dark',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
		' > [ Upload ]',
		' enter upload  ctrl+s upload  esc back',
	]);
	app.press('down');
	await app.waitForFrame(includes(' > Path'));
});

test('Escape leaves the form, which keeps the typed text; Ctrl+R clears it', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('down', ...'desk', 'escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.press('U');
	await app.waitForFrame(includes(' > Name      desk'));
	app.press('\u{12}');
	await app.waitForFrame(lines => includes(' > Path')(lines) && !includes('desk')(lines));
});

test('Left and Right choose among the agents', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('up', 'up');
	await app.waitForFrame(includes(' > Agent     ‹ none ›'));
	app.press('right');
	await app.waitForFrame(includes(' > Agent     ‹ Hearth ›  gets the ability'));
	app.press('left', 'left');
	await app.waitForFrame(includes(' > Agent     ‹ Porch ›  gets the ability'));
});
