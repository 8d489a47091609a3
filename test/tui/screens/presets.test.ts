import {assert, existsSync, mkdirSync, path, readdirSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {setVariables} from '../../helpers/set-variables.ts';
import {breakList, inList, isRead, now, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {installedRecord, isInstalledList, isToggle, startHome, togglesOf} from '../helpers/homes.ts';
import {openApp, openHome, overlaysOf, startForVisits} from '../helpers/open-home.ts';
import {cursorLine, includes, isRecord, night, openPresets, renderApp, says, small, wide} from '../helpers/kit.ts';

test('Enter shows what would change and asks; Enter again says how to answer, and every other key but y means no', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const list = await openPresets(app);
	for (const key of ['n', 'escape', 'q', 'x']) {
		assert.deepEqual(withoutBlanks(await app.press('enter').shows('y apply')), [
			' Apply night?                                       environment',
			' 3 to change, 0 unchanged',
			' ~ lamps: on → off',
			' ~ nightwatch: off → on',
			' ~ pantry: on → off',
			' y apply  n no  + until',
		]);
		app.paste('y');
		assert.ok(includes('y apply')(await app.press('enter').says('y applies night, n leaves all as it is.')));
		app.press(key);
		// How to answer is said for a while.
		assert.deepEqual((await app.shows(isRead)).slice(0, 5), list.slice(0, 5), key);
	}

	assert.deepEqual(togglesOf(service), []);
});

test('a preset is applied with its progress, and u takes back all of it at once', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await openPresets(app);
	await app.press('enter').shows('y apply');
	const release = service.hold({when: request => isToggle(request) && request.path.includes('/303/')});
	const pending = await app.press('y').shows(' Applying the preset: 2 of 3…');
	assert.ok(includes(' on~  nightwatch')(pending), pending.join('\n'));
	release();
	const lines = await app.says('Applied night: 3 switched.');
	assert.match(lines[0]!, /1 of 3 on$/);
	assert.deepEqual(wanted(service), [
		[301, false],
		[302, false],
		[303, true],
	]);
	await app.press('u').says('again.');
	assert.deepEqual(wanted(service), [
		[301, false],
		[301, true],
		[302, false],
		[302, true],
		[303, true],
		[303, false],
	]);
	await app.press('u').says('Nothing to undo.');
});

test('a preset that has come true is nothing to ask about', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await openPresets(app, now);
	assert.deepEqual(withoutBlanks(await app.press('enter').shows('Preset now')), [
		' Preset now                                         environment',
		' Nothing to change, 3 unchanged',
		' esc back',
	]);
	await app.press('y').shows(inList);
	assert.deepEqual(togglesOf(service), []);
});

test('what is no longer installed, and a name that several have, are told, and the rest goes on', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		size: wide,
		home: {installed: [installedRecord(301, 'lamps', true), installedRecord(305, 'radio', true), installedRecord(306, 'radio', false)]},
	});
	await openPresets(app, {name: 'night', on: ['desk'], off: ['lamps', 'radio']});
	assert.equal(cursorLine(app.lines()), ' > 1 night  1 to change   1 on, 2 off  1 not installed, 1 unclear');
	assert.deepEqual(withoutBlanks(await app.press('enter').shows('y apply')).slice(1, -1), [
		' 1 to change, 0 unchanged',
		' ~ lamps: on → off',
		' ! desk: not installed',
		' ! radio: the name of several (305, 306)',
	]);
	await app
		.press('y')
		.says('Applied night: lamps is off. u undoes this. desk is not installed. radio is the name of several, which were left alone.');
	assert.deepEqual(wanted(service), [[301, false]]);
});

test('a digit opens the preset of its row, with its question; other digits do nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await savePreset(app, now);
	await openPresets(app);
	await app.press('3', '9', '0').shows(/ > 1 night /, / 2 now /);
	await app.press('2').shows(' Preset now');
	await app.press('escape').shows(' > 1 night ');
	await app.press('1').shows('Apply night?');
	await app.press('y').says('Applied night: 3 switched.');
	assert.deepEqual(wanted(service), [
		[301, false],
		[302, false],
		[303, true],
	]);
});

test('of a preset that fails in part each failure is told, R retries those, and u still takes back the rest', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide});
	await openPresets(app);
	service.failNext({when: request => isToggle(request) && request.path.includes('/302/'), status: 500});
	service.failNext({when: request => isToggle(request) && request.path.includes('/303/'), status: 500});
	await app.press('enter').shows('y apply');
	await app
		.press('y')
		.says('! Applied night: 1 switched, 2 failed. u undoes this. The service failed (HTTP 500). R retries them, is:failed shows them.');
	const told = app.state().messages.history.map(({text}) => text);
	assert.ok(
		told.some(text => text.startsWith('pantry stays on: the service failed (HTTP 500).')),
		told.join('\n'),
	);
	assert.ok(
		told.some(text => text.startsWith('nightwatch stays off: the service failed (HTTP 500).')),
		told.join('\n'),
	);
	await app.press('R').shows(lines => lines[0]!.includes('1 of 3 on') && includes(' on   nightwatch')(lines));
	await app.press('u').says('again.');
	await app.press('u').says('Undone: lamps is on again.');
});

test('in 40 columns names and counts are cut, and long lines are broken', async (t: TestContext) => {
	const {app} = await openHome(t, {
		size: small,
		home: {installed: [installedRecord(301, 'the lamps at the end of the long corridor', true)]},
	});
	const preset = {name: 'a-very-long-name-for-a-preset', on: [], off: ['the lamps at the end of the long corridor']};
	assert.deepEqual(await openPresets(app, preset), [
		' Presets                    environment',
		' > 1 a-very-…  1 to change   0 on, 1 off',
		'',
		'',
		'',
		'',
		'',
		'',
		'',
		' enter apply  s save  d delete  esc back',
	]);
	assert.deepEqual(withoutBlanks(await app.press('enter').shows('y apply')), [
		' Apply a-very-long-name-f…  environment',
		' 1 to change, 0 unchanged',
		' ~ the lamps at the end of the long',
		' corridor: on → off',
		' y apply  n no  + until',
	]);
});

test('a preset of thousands shows all of its changes, and scrolls to the last one', async (t: TestContext) => {
	const count = 10_000;
	const names = Array.from({length: count}, (_, index) => `ability${String(index).padStart(5, '0')}`);
	const {app} = await openHome(t, {home: {installed: names.map((name, index) => installedRecord(index, name, true))}});
	await openPresets(app, {name: 'all', on: [], off: names});
	assert.equal(cursorLine(app.lines()), ' > 1 all  10,000 to change  0 on, 10,000 off');
	const lines = await app.press('enter').shows('y apply');
	assert.equal(lines[1], ' 10,000 to change, 0 unchanged');
	await app.press('G').shows(' ~ ability09999: on → off');
	await app.press('escape').shows(inList);
});

for (const isSpoken of [false, true]) {
	test(`a list of presets longer than the screen has its position in the title${isSpoken ? ', for a screen reader too' : ''}`, async (t: TestContext) => {
		setVariables(t, {INK_SCREEN_READER: String(isSpoken)});
		const {app} = await openHome(t, {size: {columns: 20, rows: 5}, until: 'lamps'});
		for (const name of ['a', 'b', 'c', 'd']) {
			await savePreset(app, {...night, name});
		}

		await app.press('b', 'j').shows('2 of 4');
		await app.press('enter').shows('y apply', '~ lamps: on → off');
		assert.ok(isSpoken || app.frames().every(frame => frame.length === 5 && frame.every(line => stringWidth(line) <= 20)));
	});
}

test('a preset applied from the Agents screen shows on the Installed screen', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	await openPresets(app);
	// A Yes that came with the key that asks is too early.
	app.press('enter');
	assert.ok(includes('Apply night?')(await app.write('y').says('Press y again.')));
	assert.ok(includes('[3 Installed]')(await app.press('y').says('Applied night: 3 switched.')));
});

test('a screen reader is told the presets, what one would change, and how to answer', async (t: TestContext) => {
	setVariables(t, {INK_SCREEN_READER: 'true'});
	const {app} = await openHome(t, {until: 'lamps'});
	await savePreset(app, {...now, name: 'day'});
	await app.press('space', 'b').shows('> 1 day, 1 to change, ');
	const lines = await app.press('enter').shows('Keys: y apply, n no');
	assert.ok(
		['Apply day?', '1 to change, 2 unchanged', '~ lamps: '].every(text => includes(text)(lines)),
		lines.join('\n'),
	);
});

test('in a read-only run presets are listed and shown; to apply, save or delete one is refused before anything is asked', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	assert.equal((await app.press('b').shows('No presets yet.')).at(-1), ' esc back');
	app.press('escape');
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
		assert.deepEqual(overlaysOf(app), ['presets']);
	}

	assert.deepEqual(await app.ui.presets().list(), [night]);
	assert.deepEqual(togglesOf(service), []);
});

test('while the installed abilities are read no preset is applied, and what it would change appears by itself', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await savePreset(app, night);
	const lines = await app.press('b', 'enter', 'y').says('Nothing was changed: the changes of the preset are not known yet.');
	assert.ok(includes('   Reading the installed abilities…')(lines), lines.join('\n'));
	await app.press('escape').shows(' > 1 night  reading…      1 on, 2 off');
	app.press('enter');
	release();
	await app.shows(' ~ lamps: on → off');
	assert.deepEqual(togglesOf(service), []);
	await app.press('y').says('Applied night: 3 switched.');
});

test('the list of an earlier run is not asked about: what it shows may have changed since', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t);
	const before = await visit();
	await savePreset(before, night);
	const lists = path.join(folders.cacheFolder, 'last-seen');
	await before.until(() => existsSync(lists) && readdirSync(lists).some(name => name.endsWith('-installed.json')));
	await before.close();
	const release = service.hold({when: isInstalledList});
	const app = await visit({until: 'as of'});
	await app.press('b', 'enter', 'y').says('Nothing was changed: the changes of the preset are not known yet.');
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
	await app.press('b').shows(' > 1 night  unknown       1 on, 2 off');
	const lines = await app
		.press('enter')
		.says('! The installed abilities could not be read. The service does not allow this with your key: Not with this key.');
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	mend();
	await app.press('r').shows(' ~ lamps: on → off');
});

test('presets that cannot be read say why, nothing is stored over them, and r reads them again', async (t: TestContext) => {
	const {folders, visit} = await startForVisits(t);
	const app = await visit({size: wide});
	mkdirSync(path.join(folders.configFolder, 'presets.json'));
	const lines = await app.press('b').says('presets.json cannot be read: it is not a regular file');
	assert.ok(says('r tries again.')(lines), lines.join('\n'));
	await app.write('snow\r').shows('> Name  now', says('cannot be read: it is not a regular file'));
});

test('each profile has presets of its own', async (t: TestContext) => {
	const officeKey = 'the-office-key-0123456789';
	const [home, office] = await Promise.all([
		startHome(t),
		startHome(t, {apiKey: officeKey, home: {installed: [{id: 7, name: 'printer', enabled: true}]}}),
	]);
	const app = await openApp(t, {service: home, profileName: 'home', profiles: {office, home}});
	await savePreset(app, night);
	await app.press('P', 'k', 'enter').shows('printer');
	const lines = await app.press('b').shows('No presets yet.');
	assert.match(lines[0]!, / office$/);
	await app.press('escape', 'P', 'j', 'enter').shows('lamps');
	await app.write('Pcx\r').shows('homex');
	assert.match((await app.press('escape', 'b').shows(' > 1 night'))[0]!, / homex$/);
});

test('a presets file that is not valid is set aside, which is said, and the list is empty', async (t: TestContext) => {
	const {folders, visit} = await startForVisits(t);
	const app = await visit({size: wide});
	writeFileSync(path.join(folders.configFolder, 'presets.json'), '{');
	await app.press('b').shows(says('! The presets file is not valid and was set aside as'), 'No presets yet.');
	assert.equal(readdirSync(folders.configFolder).filter(name => name.startsWith('presets.json.broken-')).length, 1);
});
