import {assert, existsSync, mkdirSync, path, readdirSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {isInstalledList, startHome, togglesOf} from '../helpers/homes.ts';
import {breakList, inList, night, openPresets, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {includes, isRecord, openApp, openHome, renderApp, says, temporaryFolders, wide} from '../helpers/kit.ts';

test('in a read-only run presets are listed and shown; to apply, save or delete one is refused before anything is asked', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	assert.equal((await openPresets(app)).at(-1), ' enter show  j/k move  esc back');
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
	await app.waitForFrame(says('this run is read-only.'));
	app.press('escape');
	for (const key of ['s', 'd']) {
		app.ui.store.dispatch({type: 'dismiss'});
		await app.waitForFrame(lines => inList(lines) && !says('read-only: nothing')(lines));
		app.press(key);
		await app.waitForFrame(lines => inList(lines) && says('this run is read-only.')(lines));
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
	app.press('b', 'enter', 'y');
	const lines = await app.waitForFrame(says('Nothing was changed: it is not known yet what the preset would change.'));
	assert.ok(includes('   Reading the installed abilities…')(lines), lines.join('\n'));
	app.press('escape');
	await app.waitForFrame(includes(' > night  reading…      1 on, 2 off'));
	app.press('enter');
	release();
	await app.waitForFrame(includes(' ~ lamps: on → off'));
	assert.deepEqual(togglesOf(service), []);
	app.press('y');
	await app.waitForFrame(says('Applied night: 3 switched.'));
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
	app.press('b', 'enter', 'y');
	await app.waitForFrame(says('Nothing was changed: it is not known yet what the preset would change.'));
	assert.ok(isRecord(service.installed[0]));
	service.installed[0]['enabled'] = false;
	release();
	await app.waitForFrame(lines => includes(' 2 to change, 1 unchanged')(lines) && includes('y apply')(lines));
	app.press('y');
	await app.waitForFrame(says('Applied night: 2 switched.'));
	assert.deepEqual(wanted(service), [
		[302, false],
		[303, true],
	]);
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
	const lines = await app.waitForFrame(
		says('! The installed abilities could not be read. The service does not allow this with your key: Not with this key.'),
	);
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	mend();
	app.press('r');
	await app.waitForFrame(includes(' ~ lamps: on → off'));
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
	app.press('P', 'k', 'enter');
	await app.waitForFrame(includes('printer'));
	app.press('b');
	const lines = await app.waitForFrame(includes('No presets yet.'));
	assert.match(lines[0]!, / office$/);
	app.press('escape', 'P', 'j', 'enter');
	await app.waitForFrame(includes('lamps'));
	app.write('Pcx\r');
	await app.waitForFrame(includes('homex'));
	app.press('escape', 'b');
	assert.match((await app.waitForFrame(includes(' > night')))[0]!, / homex$/);
});

test('a presets file that is not valid is set aside, which is said, and the list is empty', async (t: TestContext) => {
	const folders = temporaryFolders();
	const service = await startHome(t);
	const app = await openApp(t, {service, folders, size: wide});
	writeFileSync(path.join(folders.configFolder, 'presets.json'), '{');
	app.press('b');
	await app.waitForFrame(
		frame => says('! The presets file is not valid and was set aside as')(frame) && includes('No presets yet.')(frame),
	);
	assert.equal(readdirSync(folders.configFolder).filter(name => name.startsWith('presets.json.broken-')).length, 1);
});

test('without presets a read-only run does not offer to save one', async (t: TestContext) => {
	const {app} = await openHome(t, {isReadOnly: true});
	app.press('b');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('No presets yet.'))), [
		' Presets                                environment [read-only]',
		'   No presets yet.',
		' esc back',
	]);
});
