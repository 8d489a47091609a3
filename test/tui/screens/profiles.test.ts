import {assert, test, type TestContext} from '../../helpers/node.ts';
import {isToggle, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {boxOf, cursorLine, filterLine, includes, isFresh, says} from '../helpers/shown.ts';
import {openLog} from '../../../source/changes/log.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {isEdit, openEditorBench} from '../helpers/agents.ts';
import {everShown, openApp, profileNames} from '../helpers/open-home.ts';
import {jsonAnswer, keyBytes, type LiveLikeService, type RenderAppOptions, small, temporaryFolders} from '../helpers/kit.ts';

const homeKey = 'the-home-key-0123456789';
const officeKey = 'the-office-key-0123456789';

const startOffice = async (t: TestContext): Promise<LiveLikeService> =>
	startHome(t, {
		apiKey: officeKey,
		home: {
			installed: [
				{id: 301, name: 'printer', enabled: false},
				{id: 302, name: 'coffee', enabled: true},
			],
		},
	});

/** The screens on the profile “home”, with “office” stored as well. */
async function openTwo(t: TestContext, options: RenderAppOptions = {}) {
	const [home, office] = await Promise.all([startHome(t, {apiKey: homeKey}), startOffice(t)]);
	const app = await openApp(t, {service: home, profileName: 'home', size: {columns: 90, rows: 14}, profiles: {office, home}, ...options});
	return {home, office, app};
}

const items = (lines: readonly string[]): readonly string[] =>
	lines
		.slice(1, -1)
		.map(line => line.trim())
		.filter(line => line !== '');

test('profiles are listed with address and last characters of the key, with the cursor on the current one', async (t: TestContext) => {
	const {app} = await openTwo(t);
	const lines = await app.press('P').shows(lines => lines[0] === ' Profiles');
	assert.deepEqual(items(lines), [
		'1 local · the bundled service on this machine',
		'2 & office · http://127.0.0.1:00000 · key …6789',
		'> 3 @ home · http://127.0.0.1:00000 · key …6789 (current)',
		'Connect to a service…',
		'Sign out of office (deletes the stored key)',
		'Sign out of home (deletes the stored key)',
	]);
	assert.ok(!everShown(app).includes(homeKey));
	assert.ok(!everShown(app).includes(officeKey));
});

test('switching profiles shows the other service, with its own key', async (t: TestContext) => {
	const {home, office, app} = await openTwo(t);
	const lines = await app.press('P', 'k', 'enter').shows('printer', isFresh);
	assert.match(lines[0]!, / & office · 127\.0\.0\.1:00000 +reads every 15 s · 1 of 2 on$/);
	assert.equal(app.settings.currentProfileName(), 'office');
	await app.press('space').shows(' > on   printer');
	assert.equal(storedState(office, 301), true);
	assert.deepEqual(togglesOf(home), []);
	assert.ok(office.requests.every(({headers}) => headers['x-api-key'] === officeKey));
	assert.ok(home.requests.every(({headers}) => headers['x-api-key'] === homeKey));
});

test('a digit switches to the profile of its row, and never signs out', async (t: TestContext) => {
	const {app} = await openTwo(t);
	await app.press('P').shows(' > 3 @ home');
	await app.press('4', '5', '6', '9').shows(' > 3 @ home');
	await app.press('2').shows('printer', isFresh);
	assert.equal(app.settings.currentProfileName(), 'office');
	assert.deepEqual(profileNames(app), ['office', 'home']);
	await app.write('P1').shows('local · this machine', isFresh);
});

for (const [size, keys] of [
	[{columns: 90, rows: 14}, ['G', 'g', 'end', 'home', 'pagedown', 'pageup']],
	[small, ['G', 'g', 'pagedown', 'home']],
] as const) {
	test(`at ${size.columns}×${size.rows} the keys of a list move the cursor of the profile menu, and h leaves it`, async (t: TestContext) => {
		const {app} = await openTwo(t, {size});
		const before = app.lines();
		await app.press('P').shows(lines => lines[0] === ' Profiles');
		for (const [index, key] of keys.entries()) {
			await app.press(key).shows(index % 2 === 0 ? '> Sign out of home' : '> 1 local');
		}

		assert.deepEqual(await app.press('h').shows(lines => lines[0] === before[0]), before);
	});
}

test('the profile menu does not wrap around, and keeps its cursor when the terminal gets shorter', async (t: TestContext) => {
	const {app} = await openTwo(t);
	await app.write('Pkkk\r').shows(lines => lines[0]!.includes(' local · ') && isFresh(lines));
	await app.write('Pjjjjjjjjj').shows(' > Sign out of home');
	const lines = await app.resize({columns: 64, rows: 7}).shows(frame => frame.length === 7);
	assert.ok(includes(' > Sign out of home')(lines), lines.join('\n'));
	await app.press('k').shows(' > Sign out of office');
});

test('a change that fails on the previous profile is reported with its name, and without keys that would work on the current one', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	const release = home.hold({when: isToggle});
	home.failNext({when: isToggle, status: 500});
	await app.press('space').until(() => home.heldCount() === 1);
	await app.press('P', 'k', 'enter').shows('printer');
	release();
	const lines = await app.says('! home: lamps stays on: the service failed (HTTP 500).');
	assert.ok(!says('tries again')(lines), lines.join('\n'));
	assert.equal(togglesOf(home).length, 1);
});

test('filter, cursor and marks belong to their service', async (t: TestContext) => {
	const {office, app} = await openTwo(t);
	app.press('j', 'x');
	await app.write('/pantry\r').shows(shown => filterLine(shown).startsWith('/pantry'));
	const lines = await app.press('P', 'k', 'enter').shows(frame => frame[0]!.includes(' office · ') && isFresh(frame));
	assert.equal(filterLine(lines), '');
	assert.ok(!lines[1]!.includes('marked'), lines.join('\n'));
	assert.deepEqual(
		lines.slice(3, 5).map(line => line.slice(0, 16).trimEnd()),
		[' > off  printer', '   on   coffee'],
	);
	// What is marked there is not: the key acts on the row under the cursor, which is off already.
	await app.press('D').says('printer is already off.');
	assert.deepEqual(togglesOf(office), []);
});

test('signing out says how many earlier prompts go with the key', async (t: TestContext) => {
	const folders = temporaryFolders();
	const {office, app} = await openTwo(t, {folders});
	const journal = openLog(presetAccountOfProfile({baseAddress: office.baseAddress, profileName: 'office'}), folders);
	for (const [agentId, text] of [
		[1, 'a'],
		[1, 'b'],
		[2, 'c'],
	] as const) {
		await journal.keep({agentId, name: 'Hearth', via: 'agents edit', text});
	}

	await app.press('P', 'j', 'j').shows(' > Sign out of office');
	const question = (await app.press('enter').says('Sign out of office?'))
		.map(line => line.trim())
		.join(' ')
		.replaceAll(/ +/g, ' ');
	assert.match(
		question,
		/The stored key, unsaved texts and 3 earlier prompts of 2 agents are deleted; the address is kept\. To keep the prompts, leave and run: switchboard logout --profile office --keep-prompts/,
	);
	app.press('n');
	assert.equal(app.settings.earlierPrompts('office').count, 3);
});

test('signing out deletes the stored key and shows the bundled service', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	await app.press('P', 'j', 'j', 'j').shows(' > Sign out of home');
	assert.deepEqual(
		boxOf(await app.press('enter').says('Sign out of home?')).filter(line => line !== ''),
		[
			'Sign out of home?',
			'The stored key and unsaved texts are deleted; the address is kept.',
			'The bundled service is shown instead.',
			'y sign out  n no',
		],
	);
	assert.equal(app.settings.profiles().find(({name}) => name === 'home')?.apiKey, homeKey);
	await app.press('y').says('Signed out of home: its key was removed.');
	await app.shows('local · this machine', isFresh);
	assert.equal(app.settings.profiles().find(({name}) => name === 'home')?.apiKey, undefined);
	assert.equal(app.settings.currentProfileName(), 'local');
	const requestCount = home.requests.length;
	await app.press('P').shows('@ home · http://127.0.0.1:00000 · signed out');
	assert.equal(home.requests.length, requestCount);
});

test('choosing a signed-out profile asks for its key, at its own address', async (t: TestContext) => {
	const {office, app} = await openTwo(t);
	await app.press('P', 'j', 'j').shows(' > Sign out of office');
	await app.press('enter').shows('Sign out of office?');
	await app.press('y').says('Signed out of office: its key was removed.');
	assert.match(app.lines()[0]!, / home · /, 'what is shown stays');
	const lines = await app.press('P', 'k', 'enter').shows(frame => frame[0] === ' Connect to a service');
	assert.ok(includes('   Address  http://127.0.0.1:00000')(lines), lines.join('\n'));
	assert.ok(includes(' > API key')(lines), lines.join('\n'));
	await app.write(`${officeKey}\r`).shows('printer');
	assert.equal(app.settings.profiles().find(({name}) => name === 'office')?.baseAddress, office.baseAddress);
});

test('the progress of a bulk change on the previous profile is not shown on the current one', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	let answered = 0;
	const release = home.hold({when: request => isToggle(request) && ++answered > 1});
	await app.press('a', 'D').shows('Switching off: 1 of 2…');
	app.press('P', 'k', 'enter');
	assert.ok(!includes('Switching off')(await app.shows('printer')));
	release();
	await app.says('home: 2 switched off.');
});

test('a profile is renamed from the profile menu, and the header shows the new name', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	assert.deepEqual(
		(await app.write('Pc').shows(' Rename the profile home')).filter(line => line !== ''),
		[' Rename the profile home', ' > Name  home', ' enter save  esc back  ctrl+u clear'],
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
	assert.match(shown[0]!, /kitchen · 127\.0\.0\.1:00000 +reads every 15 s · \d+ of 3 on/);
	assert.equal(home.requests.length, requestCount, 'nothing is read again for a name');
	await app.press('j', 'space').shows(' > off  pantry');
});

test('an invalid or taken name is refused and stays in the field', async (t: TestContext) => {
	const {app} = await openTwo(t);
	for (const [name, complaint] of [
		['office', 'A profile “office” already exists'],
		['local', 'means the bundled service on this machine. Choose another name.'],
		['a b', 'must begin with a letter or digit'],
		['', 'Enter a name.'],
	] as const) {
		await app.write('Pc').shows(' Rename the profile home');
		const lines = await app.write(`\u{15}${name}\r`).says(complaint);
		assert.ok(includes(` > Name  ${name}`.trimEnd())(lines), lines.join('\n'));
		await app.press('escape').says('Leave without saving?');
		await app.press('y').shows(' Profiles');
		await app.press('escape').shows(isFresh);
	}

	assert.deepEqual(profileNames(app), ['office', 'home']);
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
	assert.deepEqual(profileNames(app), ['office', 'home', 'attic']);
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

test('a profile other than the current one can be renamed too, and the bundled service cannot', async (t: TestContext) => {
	const {app} = await openTwo(t, {size: small});
	await app.write('Pkc-2\r').shows(lines => includes(' Profiles')(lines) && lines.some(line => line.includes('office-2')));
	assert.deepEqual(profileNames(app), ['office-2', 'home']);
	assert.equal(app.settings.currentProfileName(), 'home');
	await app.press('k', 'k', 'c').shows(' > 1 local');
	assert.equal(app.state().overlays.length, 1);
	await app.press('j', 'enter').shows(lines => lines[0]!.includes('office-2') && includes('printer')(lines));
});
