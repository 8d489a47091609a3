import assert from 'node:assert/strict';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import stringWidth from 'string-width';
import {isRecord} from '../../helpers/live-like/home.ts';
import {type LiveLikeService} from '../../helpers/live-like-service.ts';
import {renderApp, type RenderedApp} from '../../helpers/render-app.tsx';
import {temporaryFolders} from '../../helpers/temporary-folder.ts';
import {
	installedRecord,
	isInstalledList,
	isToggle,
	startDocumentedHome,
	startHome,
	togglesOf,
} from '../helpers/homes.ts';
import {
	boxOf,
	cursorLine,
	includes,
	isAnswered,
	says,
} from '../helpers/shown.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

/** What lamps, pantry and nightwatch are at first. */
const now = {name: 'now', on: ['lamps', 'pantry'], off: ['nightwatch']};

/** All three the other way round. */
const night = {name: 'night', on: ['nightwatch'], off: ['lamps', 'pantry']};

const savePreset = async (app: RenderedApp, preset: typeof night): Promise<void> => app.ui.presets().save(preset, {isReplacing: false});

const withoutBlanks = (lines: readonly string[]): readonly string[] => lines.filter(line => line !== '');

const inList = includes('s save');

/** True where the list shows presets, and what each would change. */
const isRead = (lines: readonly string[]): boolean => inList(lines) && cursorLine(lines) !== undefined && !includes('reading…')(lines);

/** Opens the list of the presets, with one more than are stored. */
const openPresets = async (app: RenderedApp, preset = night): Promise<readonly string[]> => {
	await savePreset(app, preset);
	app.press('b');
	return app.waitForFrame(isRead);
};

const wanted = (service: LiveLikeService): ReadonlyArray<readonly [id: number, isEnabled: unknown]> =>
	togglesOf(service).map(({id, body}) => [id, (body as {readonly enabled: unknown}).enabled] as const).toSorted(([first], [second]) => first - second);

/** Makes the service refuse its list of installed abilities until the returned function is called. */
const breakList = (service: LiveLikeService): (() => void) => {
	let isBroken = true;
	service.failNext({
		when: request => isBroken && isInstalledList(request), status: 403, body: '{"detail": "Not with this key"}', times: 1000,
	});
	return () => {
		isBroken = false;
	};
};

test('without presets the list says how to save one, and no key does harm', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = app.lines();
	app.press('b');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('No presets yet.'))), [
		' Presets                                            environment',
		'   No presets yet.',
		'   s saves which abilities are on and off now, or only the',
		'   marked ones.',
		' s save  esc back',
	]);
	app.press('enter', 'd', 'j', 'y');
	app.press('b');
	assert.deepEqual(await app.waitForFrame(includes('live')), before);
	assert.deepEqual(togglesOf(service), []);
});

test('s saves the present state under a name that is typed, and the list tells what it would change later', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('b');
	await app.waitForFrame(inList);
	app.press('s');
	await app.waitForFrame(includes('> Name'));
	app.write('now');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('> Name now'))), [
		' Save the present state as a preset                 environment',
		' > Name now',
		'        2 on, 1 off',
		' enter save  esc cancel  ctrl+u clear',
	]);
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(lines => says('Saved')(lines) && isRead(lines))), [
		' Presets                                            environment',
		' > now  no change     2 on, 1 off',
		' Saved the preset now: 2 on, 1 off.',
		' enter apply  s save  d delete  j/k move  esc back',
	]);
	assert.deepEqual(await app.ui.presets().list(), [now]);
	app.press('escape', 'space');
	await app.waitForFrame(includes(' > off  lamps'));
	app.press('b');
	await app.waitForFrame(includes(' > now  1 to change   2 on, 1 off'));
});

test('Enter shows what would change and asks, and every key but y means no', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const list = await openPresets(app);
	for (const key of ['n', 'enter', 'escape', 'q', 'x']) {
		app.press('enter');
		assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('y apply'))), [
			' Apply night?                                       environment',
			' 3 to change, 0 unchanged',
			' ~ lamps: on → off',
			' ~ nightwatch: off → on',
			' ~ pantry: on → off',
			' y apply  n no',
		]);
		app.paste('y');
		app.press(key);
		assert.deepEqual(await app.waitForFrame(isRead), list, key);
	}

	assert.deepEqual(togglesOf(service), []);
});

test('a preset is applied with its progress, and u takes back all of it at once', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await openPresets(app);
	app.press('enter');
	await app.waitForFrame(includes('y apply'));
	const release = service.hold({when: request => isToggle(request) && request.path.includes('/303/')});
	app.press('y');
	const pending = await app.waitForFrame(includes(' Applying the preset: 2 of 3…'));
	assert.ok(includes(' on~  nightwatch')(pending), pending.join('\n'));
	release();
	const lines = await app.waitForFrame(says('Preset: 3 switched.'));
	assert.match(lines[0]!, /3 installed, 1 on$/);
	assert.deepEqual(wanted(service), [[301, false], [302, false], [303, true]]);
	app.press('u');
	await app.waitForFrame(says('Undone: 3 switched back.'));
	assert.deepEqual(wanted(service), [[301, false], [301, true], [302, false], [302, true], [303, true], [303, false]]);
	app.press('u');
	await app.waitForFrame(says('Nothing to undo.'));
});

test('a preset that has come true is nothing to ask about', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await openPresets(app, now);
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('Preset now'))), [
		' Preset now                                         environment',
		' Nothing to change, 3 unchanged',
		' esc back',
	]);
	app.press('y');
	await app.waitForFrame(inList);
	assert.deepEqual(togglesOf(service), []);
});

test('what is no longer installed, and a name that several have, are told, and the rest goes on', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		size: wide, home: {installed: [installedRecord(301, 'lamps', true), installedRecord(305, 'radio', true), installedRecord(306, 'Radio', false)]},
	});
	await openPresets(app, {name: 'night', on: ['desk'], off: ['lamps', 'radio']});
	assert.equal(cursorLine(app.lines()), ' > night  1 to change   1 on, 2 off  1 not installed, 1 unclear');
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('y apply'))).slice(1, -1), [
		' 1 to change, 0 unchanged',
		' ~ lamps: on → off',
		' ! desk: not installed',
		' ! radio: the name of several (305, 306)',
	]);
	app.press('y');
	await app.waitForFrame(says('Preset: lamps is off. desk is not installed. radio is the name of several, which were left alone.'));
	assert.deepEqual(wanted(service), [[301, false]]);
});

test('of a preset that fails in part each failure is told, R retries those, and u still takes back the rest', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide});
	await openPresets(app);
	service.failNext({when: request => isToggle(request) && request.path.includes('/302/'), status: 500});
	service.failNext({when: request => isToggle(request) && request.path.includes('/303/'), status: 500});
	app.press('enter');
	await app.waitForFrame(includes('y apply'));
	app.press('y');
	await app.waitForFrame(says('! Preset: 1 switched, 2 failed. R tries those again, M shows why.'));
	const told = app.state().messages.history.map(({text}) => text);
	assert.ok(told.some(text => text.startsWith('pantry stays on: The service failed (HTTP 500).')), told.join('\n'));
	assert.ok(told.some(text => text.startsWith('nightwatch stays off: The service failed (HTTP 500).')), told.join('\n'));
	app.press('R');
	await app.waitForFrame(lines => lines[0]!.includes('3 installed, 1 on') && includes(' on   nightwatch')(lines));
	app.press('u');
	await app.waitForFrame(says('Undone: 2 switched back.'));
	app.press('u');
	await app.waitForFrame(says('Undone: lamps is on again.'));
});

test('only the marked rows are saved, on the Installed and on the Abilities screen', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('jxxbs');
	await app.waitForFrame(includes(' Save 2 marked as a preset'));
	app.write('some\r');
	await app.waitForFrame(says('Saved the preset some: 1 on, 1 off.'));
	assert.deepEqual(await app.ui.presets().find('some'), {name: 'some', on: ['pantry'], off: ['nightwatch']});
	app.press('escape', '2');
	await app.waitForFrame(includes(' > on   lamps'));
	app.write('xbs');
	await app.waitForFrame(includes(' Save 1 marked as a preset'));
	app.write('one\r');
	await app.waitForFrame(says('Saved the preset one: 1 on, 0 off.'));
	assert.deepEqual(await app.ui.presets().find('one'), {name: 'one', on: ['lamps'], off: []});
});

test('marks of agents count for nothing, and marked abilities that are not installed are no preset', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	app.write('xbs');
	await app.waitForFrame(includes(' Save the present state as a preset'));
	app.press('escape', 'escape', '2', 'escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.write('/desk\r');
	await app.waitForFrame(lines => cursorLine(lines)?.includes('desk') ?? false);
	app.write('xbs');
	await app.waitForFrame(includes(' Save 1 marked as a preset'));
	app.write('none\r');
	await app.waitForFrame(says('! None of the marked abilities is installed: there is nothing to save.'));
	assert.deepEqual(await app.ui.presets().list(), []);
});

test('a name that is taken is replaced only after a question, and one that is not valid stays in the field', async (t: TestContext) => {
	const {app} = await openHome(t);
	await openPresets(app);
	app.press('s', 'enter');
	await app.waitForFrame(says('! Enter a name.'));
	app.write('a b\r');
	await app.waitForFrame(says('! The name of a preset must be letters, digits, “-” and “_”, 1 to 64 characters in all. Choose another name.'));
	app.press('ctrl+u');
	app.write('Night\r');
	assert.deepEqual(boxOf(await app.waitForFrame(says('Replace'))).filter(line => line !== ''), [
		'! Replace the preset night? This cannot be undone.',
		'It holds 1 on, 2 off.',
		'y replace  n no',
	]);
	app.press('enter');
	await app.waitForFrame(lines => isAnswered(lines) && includes('> Name Night')(lines));
	assert.deepEqual(await app.ui.presets().list(), [night]);
	app.press('enter');
	await app.waitForFrame(says('Replace'));
	app.press('y');
	await app.waitForFrame(says('Saved the preset Night: 2 on, 1 off.'));
	assert.deepEqual(await app.ui.presets().list(), [{...now, name: 'Night'}]);
});

test('a preset is deleted only after a question', async (t: TestContext) => {
	const {app} = await openHome(t);
	await savePreset(app, now);
	await openPresets(app);
	app.press('j', 'd');
	await app.waitForFrame(says('! Delete the preset now? This cannot be undone.'));
	app.press('enter');
	await app.waitForFrame(isAnswered);
	assert.equal((await app.ui.presets().list()).length, 2);
	app.press('d');
	await app.waitForFrame(says('Delete the preset now?'));
	app.press('y');
	await app.waitForFrame(lines => says('Deleted the preset now.')(lines) && cursorLine(lines)?.includes('night') === true);
	assert.deepEqual(await app.ui.presets().list(), [night]);
});

test('in a read-only run presets are listed, shown and saved, and none is applied', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	assert.equal((await openPresets(app)).at(-1), ' enter show  s save  d delete  j/k move  esc back');
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('~ lamps'))), [
		' Preset night                           environment [read-only]',
		' 3 to change, 0 unchanged',
		' ~ lamps: on → off',
		' ~ nightwatch: off → on',
		' ~ pantry: on → off',
		' esc back',
	]);
	app.press('y');
	await app.waitForFrame(says('! This run is read-only: nothing was changed.'));
	app.press('escape', 's');
	app.write('now\r');
	await app.waitForFrame(says('Saved the preset now: 2 on, 1 off.'));
	assert.deepEqual(togglesOf(service), []);
});

test('while the installed abilities are read no preset is applied, and what it would change appears by itself', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await savePreset(app, night);
	app.write('b\ry');
	const lines = await app.waitForFrame(says('Nothing was changed: it is not known yet what the preset would change.'));
	assert.ok(includes('   Reading the installed abilities…')(lines), lines.join('\n'));
	app.press('escape');
	await app.waitForFrame(includes(' > night  reading…      1 on, 2 off'));
	app.press('enter');
	release();
	await app.waitForFrame(includes(' ~ lamps: on → off'));
	assert.deepEqual(togglesOf(service), []);
	app.press('y');
	await app.waitForFrame(says('Preset: 3 switched.'));
});

test('the list of an earlier run is not asked about: what it shows may have changed since', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const before = await openApp(t, {service, folders});
	await savePreset(before, night);
	const lists = path.join(folders.cacheFolder, 'last-seen');
	await before.waitUntil(() => existsSync(lists) && readdirSync(lists).some(name => name.endsWith('-installed.json')));
	await before.close();
	const release = service.hold({when: isInstalledList});
	const app = await openApp(t, {service, folders, until: 'as of'});
	app.write('b\ry');
	await app.waitForFrame(says('Nothing was changed: it is not known yet what the preset would change.'));
	assert.ok(isRecord(service.installed[0]));
	service.installed[0]['enabled'] = false;
	release();
	await app.waitForFrame(lines => includes(' 2 to change, 1 unchanged')(lines) && includes('y apply')(lines));
	app.press('y');
	await app.waitForFrame(says('Preset: 2 switched.'));
	assert.deepEqual(wanted(service), [[302, false], [303, true]]);
});

test('if the installed abilities cannot be read the preset says why, and r reads them again', async (t: TestContext) => {
	const service = await startHome(t);
	const mend = breakList(service);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('! not allowed'));
	await savePreset(app, night);
	app.press('b');
	await app.waitForFrame(includes(' > night  unknown       1 on, 2 off'));
	app.press('enter');
	const lines = await app.waitForFrame(says('! The installed abilities could not be read. The service does not allow this with your key: Not with this key.'));
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	mend();
	app.press('r');
	await app.waitForFrame(includes(' ~ lamps: on → off'));
});

test('a state that cannot be read is not saved, and Enter tries again', async (t: TestContext) => {
	const service = await startHome(t);
	const mend = breakList(service);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('! not allowed'));
	app.write('bs');
	await app.waitForFrame(says('The installed abilities could not be read. Enter tries again.'));
	app.write('now\r');
	await app.waitForFrame(says('! The service does not allow this with your key'));
	assert.deepEqual(await app.ui.presets().list(), []);
	mend();
	app.press('enter');
	await app.waitForFrame(says('Saved the preset now: 2 on, 1 off.'));
});

test('Escape cancels a save that waits for the list', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(includes('Reading the installed abilities…'));
	app.press('escape');
	await app.waitForFrame(includes('No presets yet.'));
	release();
	app.press('escape');
	await app.waitForFrame(includes('live'));
	assert.deepEqual(await app.ui.presets().list(), []);
	assert.equal(app.state().messages.shown, undefined);
});

test('a presets file that is not valid is set aside, which is said, and the list is empty', async (t: TestContext) => {
	const folders = temporaryFolders();
	const service = await startHome(t);
	const app = await openApp(t, {service, folders, size: wide});
	writeFileSync(path.join(folders.configFolder, 'presets.json'), '{');
	app.press('b');
	await app.waitForFrame(frame => says('! The presets file is not valid and was set aside as')(frame) && includes('No presets yet.')(frame));
	assert.equal(readdirSync(folders.configFolder).filter(name => name.startsWith('presets.json.broken-')).length, 1);
});

test('presets that cannot be read say why, nothing is stored over them, and r reads them again', async (t: TestContext) => {
	const folders = temporaryFolders();
	const service = await startHome(t);
	const app = await openApp(t, {service, folders, size: wide});
	mkdirSync(path.join(folders.configFolder, 'presets.json'));
	app.press('b');
	const lines = await app.waitForFrame(says('presets.json cannot be read: it is not a regular file'));
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	app.write('snow\r');
	await app.waitForFrame(frame => includes('> Name now')(frame) && says('cannot be read: it is not a regular file')(frame));
});

test('each profile has presets of its own', async (t: TestContext) => {
	const officeKey = 'the-office-key-0123456789';
	const [home, office] = await Promise.all([startHome(t), startHome(t, {apiKey: officeKey, home: {installed: [{id: 7, name: 'printer', enabled: true}]}})]);
	const app = await openApp(t, {
		service: home, profileName: 'home', async prepareSettings(settings) {
			await settings.saveProfile({name: 'office', baseAddress: office.baseAddress, apiKey: officeKey});
			await settings.saveProfile({name: 'home', baseAddress: home.baseAddress, apiKey: home.apiKey});
		},
	});
	await savePreset(app, night);
	app.press('P', 'k', 'enter');
	await app.waitForFrame(includes('printer'));
	app.press('b');
	const lines = await app.waitForFrame(includes('No presets yet.'));
	assert.match(lines[0]!, / office$/);
	app.press('escape', 'P', 'j', 'enter');
	await app.waitForFrame(includes('lamps'));
	app.write('Pnx\r');
	await app.waitForFrame(includes('homex'));
	app.press('escape', 'b');
	assert.match((await app.waitForFrame(includes(' > night')))[0]!, / homex$/);
});

test('what the service does not show is left out and told, and is on after a preset that says so', async (t: TestContext) => {
	const hidden = installedRecord(303, 'porch', false);
	Object.defineProperty(hidden, 'enabled', {enumerable: true, get: () => null, set: () => undefined});
	const {service, app} = await openHome(t, {home: {installed: [installedRecord(301, 'lamps', true), hidden]}});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(says('Saved the preset now: 1 on, 0 off. porch is left out: this service doesn\'t show whether it is on.'));
	app.press('escape');
	await openPresets(app, {name: 'a', on: ['porch'], off: []});
	app.press('enter');
	await app.waitForFrame(includes(' ~ porch: ? → on'));
	app.press('y');
	await app.waitForFrame(says('Preset: porch is on.'));
	assert.deepEqual(wanted(service), [[303, true]]);
});

test('a service that shows nothing but ids has presets of ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(says('Saved the preset now: 2 on, 1 off.'));
	assert.deepEqual(await app.ui.presets().list(), [{name: 'now', on: ['#101', '#103'], off: ['#102']}]);
	app.press('escape', 'space');
	await app.waitForFrame(includes(' > off  #101'));
	app.write('b\ry');
	await app.waitForFrame(says('Preset: #101 is on.'));
});

test('a preset applied from the Agents screen shows on the Installed screen', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	await openPresets(app);
	app.write('\ry');
	assert.ok(includes('[3 Installed]')(await app.waitForFrame(says('Preset: 3 switched.'))));
});

test('in 40 columns names and counts are cut, and long lines are broken', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small, home: {installed: [installedRecord(301, 'the lamps at the end of the long corridor', true)]}});
	const preset = {name: 'a-very-long-name-for-a-preset', on: [], off: ['the lamps at the end of the long corridor']};
	assert.deepEqual(await openPresets(app, preset), [
		' Presets                    environment',
		' > a-very-l…  1 to change   0 on, 1 off',
		'',
		'',
		'',
		'',
		'',
		'',
		'',
		' enter apply  s save  d delete  esc back',
	]);
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('y apply'))), [
		' Apply a-very-long-name-…  environment',
		' 1 to change, 0 unchanged',
		' ~ the lamps at the end of the long',
		' corridor: on → off',
		' y apply  n no',
	]);
});

test('at the smallest size a preset is still shown line by line, asked about and saved', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 20, rows: 5}, until: 'lamps'});
	await savePreset(app, night);
	app.press('b');
	assert.deepEqual(await app.waitForFrame(includes(' > night  3 to')), [
		' Pres…  environment',
		' > night  3 to chan…',
		'',
		'',
		' enter apply  esc',
	]);
	app.press('enter');
	assert.deepEqual(await app.waitForFrame(includes('y apply')), [
		' Appl…  1–2 of 4 ·…',
		' 3 to change, 0 unc…',
		' ~ lamps: on → off',
		' ~ nightwatch: off',
		' y apply  n no',
	]);
	app.press('G');
	await app.waitForFrame(includes(' ~ pantry: on → off'));
	app.press('y');
	await app.waitUntil(() => togglesOf(service).length === 3);
	app.write('bs');
	await app.waitForFrame(includes(' > Name'));
	app.write('x\r');
	await app.waitUntil(async () => await app.ui.presets().find('x') !== undefined);
	assert.ok(app.frames().every(frame => frame.length === 5 && frame.every(line => stringWidth(line) <= 20)));
});

test('a preset of thousands shows all of its changes, and scrolls to the last one', async (t: TestContext) => {
	const count = 10_000;
	const names = Array.from({length: count}, (_, index) => `ability${String(index).padStart(5, '0')}`);
	const {app} = await openHome(t, {home: {installed: names.map((name, index) => installedRecord(index, name, true))}});
	await openPresets(app, {name: 'all', on: [], off: names});
	assert.equal(cursorLine(app.lines()), ' > all  10,000 to change  0 on, 10,000 off');
	app.press('enter');
	const lines = await app.waitForFrame(includes('y apply'));
	assert.equal(lines[1], ' 10,000 to change, 0 unchanged');
	app.press('G');
	await app.waitForFrame(includes(' ~ ability09999: on → off'));
	app.press('escape');
	await app.waitForFrame(inList);
});
