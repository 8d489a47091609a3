import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {abilityFolder, writeFiles} from '../../bundle/ability-folder.ts';
import {type RenderedApp, type RenderAppOptions} from '../../helpers/render-app.tsx';
import {asked, isUpload} from '../helpers/abilities.ts';
import {startHome} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

/** Wide enough for the path of any temporary folder. */
const broad = {columns: 160, rows: 24};

/** Opens the form on the Abilities screen. */
const openForm = async (t: TestContext, options: RenderAppOptions): Promise<RenderedApp> => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, ...options});
	app.press('U');
	await app.waitForFrame(lines => includes('> Path')(lines) && !includes('not known yet')(lines));
	return app;
};

/** The lines between the title and the hints, without empty ones, with `~` for the folder that the test made. */
const fieldsOf = (app: RenderedApp, folder = ''): readonly string[] =>
	app.lines().slice(1, -1).map(line => folder === '' ? line : line.replaceAll(path.dirname(folder), 'DIR')).filter(line => line !== '');

test('U opens a form that says what it takes', async (t: TestContext) => {
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
		'             a skill runs on one; commas between several',
		'   Image     (none; a PNG or JPEG file)',
		'   Agent     none',
		'   [ Upload ]',
		...Array.from({length: 11}, () => ''),
		' enter next  tab complete  ctrl+s upload  esc back  up/down move',
	]);
});

test('Tab completes the path as far as it is certain, and shows what it may be', async (t: TestContext) => {
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

test('Tab stays at a path that names nothing', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({'notes.txt': ''});
	const app = await openForm(t, {service, size: broad});
	app.paste(`${folder}/none`);
	await app.waitForFrame(includes('             this is not there'));
	app.press('tab');
	// A letter after it is still for the path.
	app.press('s');
	await app.waitForFrame(includes(` > Path      ${folder}/nones`));
	app.press('ctrl+u');
	app.paste(`${folder}/notes.txt`);
	app.press('tab');
	await app.waitForFrame(includes(' > Name'));
});

test('the fields follow what the path names, but not over what the person has filled in', async (t: TestContext) => {
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

test('every rule is said at its field as it is typed, and nothing that breaks one is sent', async (t: TestContext) => {
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

test('what is missing is said once it was to be uploaded', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('ctrl+s');
	const lines = await app.waitForFrame(includes('! A folder or a zip is needed.'));
	assert.ok(includes('! The name is needed.')(lines));
	assert.deepEqual(asked(service, isUpload), []);
});

test('a path that holds no ability says so, and while it is typed that is no complaint', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({'notes.txt': ''});
	const app = await openForm(t, {service, size: broad});
	app.paste(`${folder}/none`);
	await app.waitForFrame(includes('             this is not there'));
	app.press(...Array.from({length: 5}, () => 'backspace'));
	await app.waitForFrame(includes('             this holds no main.py'));
	app.press('enter');
	await app.waitForFrame(includes('             ! This holds no main.py.'));
});

test('on a narrow and low terminal the field with the focus and its rule are on the screen', async (t: TestContext) => {
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
});

test('Escape leaves the form, and what was typed is there again; Ctrl+R begins anew', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('down', ...'desk', 'escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.press('U');
	await app.waitForFrame(includes(' > Name      desk'));
	app.press('\u{12}');
	await app.waitForFrame(lines => includes(' > Path')(lines) && !includes('desk')(lines));
});

test('an agent is chosen from those that there are', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openForm(t, {service});
	app.press('up', 'up');
	await app.waitForFrame(includes(' > Agent     ‹ none ›'));
	app.press('right');
	await app.waitForFrame(includes(' > Agent     ‹ Hearth ›  has it from the start'));
	app.press('left', 'left');
	await app.waitForFrame(includes(' > Agent     ‹ Porch ›  has it from the start'));
});

test('a read-only run does not open the form', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, isReadOnly: true});
	app.press('U');
	assert.ok(includes('[2 Abilities]')(await app.waitForFrame(says('This run is read-only'))));
});
