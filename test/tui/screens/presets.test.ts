import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {setVariables} from '../../helpers/set-variables.ts';
import {inList, isRead, night, now, openPresets, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {cursorLine, includes, installedRecord, isToggle, openHome, small, togglesOf, wide} from '../helpers/kit.ts';

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
			' y apply  n no',
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
	await app.press('u').says('Undone: 3 switched back.');
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
		home: {installed: [installedRecord(301, 'lamps', true), installedRecord(305, 'radio', true), installedRecord(306, 'Radio', false)]},
	});
	await openPresets(app, {name: 'night', on: ['desk'], off: ['lamps', 'radio']});
	assert.equal(cursorLine(app.lines()), ' > night  1 to change   1 on, 2 off  1 not installed, 1 unclear');
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

test('of a preset that fails in part each failure is told, R retries those, and u still takes back the rest', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide});
	await openPresets(app);
	service.failNext({when: request => isToggle(request) && request.path.includes('/302/'), status: 500});
	service.failNext({when: request => isToggle(request) && request.path.includes('/303/'), status: 500});
	await app.press('enter').shows('y apply');
	await app.press('y').says('! Applied night: 1 switched, 2 failed. u undoes this. R retries them, is:failed shows them.');
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
	await app.press('u').says('Undone: 2 switched back.');
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
	assert.deepEqual(withoutBlanks(await app.press('enter').shows('y apply')), [
		' Apply a-very-long-name-f…  environment',
		' 1 to change, 0 unchanged',
		' ~ the lamps at the end of the long',
		' corridor: on → off',
		' y apply  n no',
	]);
});

test('a preset of thousands shows all of its changes, and scrolls to the last one', async (t: TestContext) => {
	const count = 10_000;
	const names = Array.from({length: count}, (_, index) => `ability${String(index).padStart(5, '0')}`);
	const {app} = await openHome(t, {home: {installed: names.map((name, index) => installedRecord(index, name, true))}});
	await openPresets(app, {name: 'all', on: [], off: names});
	assert.equal(cursorLine(app.lines()), ' > all  10,000 to change  0 on, 10,000 off');
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
	await app.press('space', 'b').shows('> day, 1 to change, ');
	const lines = await app.press('enter').shows('Keys: y apply, n no');
	assert.ok(
		['Apply day?', '1 to change, 2 unchanged', '~ lamps: '].every(text => includes(text)(lines)),
		lines.join('\n'),
	);
});
