import {assert, existsSync, mkdirSync, path, readdirSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {isInstalledList, startHome, togglesOf} from '../helpers/homes.ts';
import {breakList, inList, night, openPresets, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {includes, isRecord, openApp, openHome, renderApp, says, temporaryFolders, wide} from '../helpers/kit.ts';

test('in a read-only run presets are listed and shown; to apply, save or delete one is refused before anything is asked', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	assert.equal((await openPresets(app)).at(-1), ' enter show  j/k move  esc back');
	assert.deepEqual(withoutBlanks(await app.press('enter').shows('~ lamps')), [
		' Preset night                           environment [read-only]',
		' 3 to change, 0 unchanged',
		' ~ lamps: on → off',
		' ~ nightwatch: off → on',
		' ~ pantry: on → off',
		' esc back',
	]);
	await app.press('y').says('this run is read-only.');
	app.press('escape');
	for (const key of ['s', 'd']) {
		app.ui.store.dispatch({type: 'dismiss'});
		await app.shows(lines => inList(lines) && !says('read-only: nothing')(lines));
		await app.press(key).shows(inList, says('this run is read-only.'));
		assert.deepEqual(
			app.state().overlays.map(({kind}) => kind),
			['presets'],
		);
	}

	assert.deepEqual(await app.ui.presets().list(), [night]);
	assert.deepEqual(togglesOf(service), []);
});

test('while the installed abilities are read no preset is applied, and what it would change appears by itself', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await savePreset(app, night);
	const lines = await app.press('b', 'enter', 'y').says('Nothing was changed: it is not known yet what the preset would change.');
	assert.ok(includes('   Reading the installed abilities…')(lines), lines.join('\n'));
	await app.press('escape').shows(' > night  reading…      1 on, 2 off');
	app.press('enter');
	release();
	await app.shows(' ~ lamps: on → off');
	assert.deepEqual(togglesOf(service), []);
	await app.press('y').says('Applied night: 3 switched.');
});

test('the list of an earlier run is not asked about: what it shows may have changed since', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const before = await openApp(t, {service, folders});
	await savePreset(before, night);
	const lists = path.join(folders.cacheFolder, 'last-seen');
	await before.until(() => existsSync(lists) && readdirSync(lists).some(name => name.endsWith('-installed.json')));
	await before.close();
	const release = service.hold({when: isInstalledList});
	const app = await openApp(t, {service, folders, until: 'as of'});
	await app.press('b', 'enter', 'y').says('Nothing was changed: it is not known yet what the preset would change.');
	assert.ok(isRecord(service.installed[0]));
	service.installed[0]['enabled'] = false;
	release();
	await app.shows(' 2 to change, 1 unchanged', 'y apply');
	await app.press('y').says('Applied night: 2 switched.');
	assert.deepEqual(wanted(service), [
		[302, false],
		[303, true],
	]);
});

test('if the installed abilities cannot be read the preset says why, and r reads them again', async (t: TestContext) => {
	const service = await startHome(t);
	const mend = breakList(service);
	const app = await renderApp(t, {service});
	await app.shows('! not allowed');
	await savePreset(app, night);
	await app.press('b').shows(' > night  unknown       1 on, 2 off');
	const lines = await app
		.press('enter')
		.says('! The installed abilities could not be read. The service does not allow this with your key: Not with this key.');
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	mend();
	await app.press('r').shows(' ~ lamps: on → off');
});

test('presets that cannot be read say why, nothing is stored over them, and r reads them again', async (t: TestContext) => {
	const folders = temporaryFolders();
	const service = await startHome(t);
	const app = await openApp(t, {service, folders, size: wide});
	mkdirSync(path.join(folders.configFolder, 'presets.json'));
	const lines = await app.press('b').says('presets.json cannot be read: it is not a regular file');
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	await app.write('snow\r').shows('> Name now', says('cannot be read: it is not a regular file'));
});

test('each profile has presets of its own', async (t: TestContext) => {
	const officeKey = 'the-office-key-0123456789';
	const [home, office] = await Promise.all([
		startHome(t),
		startHome(t, {apiKey: officeKey, home: {installed: [{id: 7, name: 'printer', enabled: true}]}}),
	]);
	const app = await openApp(t, {
		service: home,
		profileName: 'home',
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'office', baseAddress: office.baseAddress, apiKey: officeKey});
			await settings.saveProfile({name: 'home', baseAddress: home.baseAddress, apiKey: home.apiKey});
		},
	});
	await savePreset(app, night);
	await app.press('P', 'k', 'enter').shows('printer');
	const lines = await app.press('b').shows('No presets yet.');
	assert.match(lines[0]!, / office$/);
	await app.press('escape', 'P', 'j', 'enter').shows('lamps');
	await app.write('Pcx\r').shows('homex');
	assert.match((await app.press('escape', 'b').shows(' > night'))[0]!, / homex$/);
});

test('a presets file that is not valid is set aside, which is said, and the list is empty', async (t: TestContext) => {
	const folders = temporaryFolders();
	const service = await startHome(t);
	const app = await openApp(t, {service, folders, size: wide});
	writeFileSync(path.join(folders.configFolder, 'presets.json'), '{');
	await app.press('b').shows(says('! The presets file is not valid and was set aside as'), 'No presets yet.');
	assert.equal(readdirSync(folders.configFolder).filter(name => name.startsWith('presets.json.broken-')).length, 1);
});

test('without presets a read-only run does not offer to save one', async (t: TestContext) => {
	const {app} = await openHome(t, {isReadOnly: true});
	assert.deepEqual(withoutBlanks(await app.press('b').shows('No presets yet.')), [
		' Presets                                environment [read-only]',
		'   No presets yet.',
		' esc back',
	]);
});
