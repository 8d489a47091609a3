import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {Size} from '../../../source/tui/state/app-state.ts';
import {cursorLine, includes, isEdit, isFresh, jsonAnswer, keyBytes, openApp, openEditorBench, startHome} from '../helpers/kit.ts';

const officeKey = 'the-office-key-0123456789';

const wide: Size = {columns: 90, rows: 14};

/** The screens on the profile “home”, with “office” stored as well. */
const openTwo = async (t: TestContext, size: Size = wide) => {
	const [home, office] = await Promise.all([
		startHome(t),
		startHome(t, {apiKey: officeKey, home: {installed: [{id: 7, name: 'printer', enabled: true}]}}),
	]);
	const app = await openApp(t, {
		service: home,
		profileName: 'home',
		size,
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'office', baseAddress: office.baseAddress, apiKey: officeKey});
			await settings.saveProfile({name: 'home', baseAddress: home.baseAddress, apiKey: home.apiKey});
		},
	});
	return {home, office, app};
};

test('a profile is renamed from the profile menu, and the header shows the new name', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	assert.deepEqual(
		(await app.write('Pc').shows(' Rename the profile home')).filter(line => line !== ''),
		[' Rename the profile home', ' > Name home', ' enter save  esc cancel  ctrl+u clear'],
	);
	const lines = await app.write(keyBytes('ctrl+u', ...'kitchen', 'enter')).shows(' Profiles');
	assert.match(lines.find(line => line.startsWith(' > '))!, /kitchen · http:\/\/127\.0\.0\.1:00000 · key …\d+ \(current\)$/);
	assert.ok(includes('enter choose  j/k move  c rename  esc back')(lines), lines.join('\n'));
	assert.deepEqual(
		app.settings.profiles().map(({name, apiKey}) => [name, apiKey]),
		[
			['office', officeKey],
			['kitchen', home.apiKey],
		],
	);
	assert.equal(app.settings.currentProfileName(), 'kitchen');
	const requestCount = home.requests.length;
	const shown = await app.press('escape').says('Renamed the profile home to kitchen.');
	assert.match(shown[0]!, /kitchen · 127\.0\.0\.1:00000 +every 15 s · \d+ of 3 on/);
	assert.equal(home.requests.length, requestCount, 'nothing is read again for a name');
	await app.press('j', 'space').shows(' > off  pantry');
});

test('an invalid or taken name is refused and stays in the field', async (t: TestContext) => {
	const {app} = await openTwo(t);
	for (const [name, complaint] of [
		['office', 'A profile “office” already exists'],
		['local', 'stands for the bundled service on this machine. Choose another name.'],
		['a b', 'must begin with a letter or digit'],
		['', 'Enter a name.'],
	] as const) {
		await app.write('Pc').shows(' Rename the profile home');
		const lines = await app.write(`\u{15}${name}\r`).says(complaint);
		assert.ok(includes(` > Name ${name}`.trimEnd())(lines), lines.join('\n'));
		await app.press('escape').shows(' Profiles');
		await app.press('escape').shows(isFresh);
	}

	assert.deepEqual(
		app.settings.profiles().map(({name}) => name),
		['office', 'home'],
	);
});

test('Escape keeps the old name, and the bundled service cannot be renamed', async (t: TestContext) => {
	const {app} = await openTwo(t);
	await app.write('Pcx').shows('homex');
	await app.press('escape').shows(' Profiles');
	await app.press('k', 'k', 'c').shows(' > local');
	assert.equal(app.state().overlays.length, 1);
	assert.deepEqual(
		app.settings.profiles().map(({name}) => name),
		['office', 'home'],
	);
});

test('the saved view and a saved prompt follow a renamed profile', async (t: TestContext) => {
	const bench = openEditorBench(t);
	const {home, app} = await openTwo(t);
	bench.use('write("You are half edited.");');
	home.failNext({...jsonAnswer({detail: 'too long for us'}, 400), when: isEdit, times: 2});
	await app.press('1', 'e').says('e edits it again.');
	app.press('escape', '3');
	await app.write('/pan\r').shows('/pan');
	app.write('Pc');
	await app.write(keyBytes('ctrl+u', ...'kitchen', 'enter')).shows('kitchen');
	await app.press('escape', 'P', 'k', 'enter').shows('printer');
	const lines = await app.press('P', 'j', 'enter').says('Your unsaved text for the prompt of Hearth is kept.');
	assert.match(lines[0]!, / kitchen · /);
	await app.shows('/pan');
	bench.use('report(read()); write("");');
	await app.press('1', 'e').says('The text is empty');
	assert.deepEqual(bench.reports(), ['You are half edited.']);
});

test('a sign-in is stored under the typed name, and a name is proposed for the typed address', async (t: TestContext) => {
	const {app} = await openTwo(t);
	const attic = await startHome(t, {apiKey: 'the-attic-key-0123456789', home: {installed: [{id: 9, name: 'trunk', enabled: true}]}});
	await app.press('P', 'j', 'enter').shows('   Name     app.openhome.com');
	app.paste(attic.baseAddress);
	const {port} = new URL(attic.baseAddress);
	await app.shows(`   Name     127.0.0.1-${port}`);
	app.press('enter');
	app.paste(attic.apiKey);
	await app.press('tab').shows(' > Name');
	assert.match(cursorLine(await app.write('attic\r').shows('of 1 on'))!, /trunk/);
	assert.deepEqual(
		app.settings.profiles().map(({name}) => name),
		['office', 'home', 'attic'],
	);
	assert.equal(app.settings.currentProfileName(), 'attic');
});

test('a sign-in refuses the name of a profile with another address, without asking the service', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	const attic = await startHome(t, {apiKey: 'the-attic-key-0123456789'});
	app.press('P', 'j', 'enter');
	app.paste(attic.baseAddress);
	app.press('enter');
	app.paste(attic.apiKey);
	await app.press('tab').shows(' > Name');
	const lines = await app.write('home\r').says('! A profile “home” already exists, for http://127.0.0.1:00000. Choose another name.');
	assert.ok(includes(' > Name     home')(lines), lines.join('\n'));
	assert.deepEqual(attic.requests, []);
	assert.equal(app.settings.profiles().find(({name}) => name === 'home')?.apiKey, home.apiKey);
});

test('a profile other than the current one can be renamed too', async (t: TestContext) => {
	const {app} = await openTwo(t, {columns: 40, rows: 10});
	await app.write('Pkc-2\r').shows(lines => includes(' Profiles')(lines) && lines.some(line => line.includes('office-2')));
	assert.deepEqual(
		app.settings.profiles().map(({name}) => name),
		['office-2', 'home'],
	);
	assert.equal(app.settings.currentProfileName(), 'home');
	await app.press('k', 'enter').shows(lines => lines[0]!.includes('office-2') && includes('printer')(lines));
});
