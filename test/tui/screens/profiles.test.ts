import {assert, test, type TestContext} from '../../helpers/node.ts';
import {isToggle, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {boxOf, includes, isFresh, says, filterLine} from '../helpers/shown.ts';
import {openJournal} from '../../../source/settings/journal.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {type LiveLikeService, openApp, type RenderAppOptions, small, temporaryFolders} from '../helpers/kit.ts';

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
const openTwo = async (t: TestContext, options: RenderAppOptions = {}) => {
	const [home, office] = await Promise.all([startHome(t, {apiKey: homeKey}), startOffice(t)]);
	const app = await openApp(t, {
		service: home,
		profileName: 'home',
		size: {columns: 90, rows: 14},
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'office', baseAddress: office.baseAddress, apiKey: officeKey});
			await settings.saveProfile({name: 'home', baseAddress: home.baseAddress, apiKey: homeKey});
		},
		...options,
	});
	return {home, office, app};
};

const items = (lines: readonly string[]): readonly string[] =>
	lines
		.slice(1, -1)
		.map(line => line.trim())
		.filter(line => line !== '');

test('profiles are listed with address and last characters of the key, with the cursor on the current one', async (t: TestContext) => {
	const {app} = await openTwo(t);
	app.press('P');
	const lines = await app.waitForFrame(lines => lines[0] === ' Profiles');
	assert.deepEqual(items(lines), [
		'local · the bundled service on this machine',
		'& office · http://127.0.0.1:00000 · key …6789',
		'> @ home · http://127.0.0.1:00000 · key …6789 (current)',
		'Connect to a service…',
		'Sign out of office (deletes the stored key)',
		'Sign out of home (deletes the stored key)',
	]);
	assert.ok(
		app
			.frames()
			.flat()
			.every(line => !(line.includes(homeKey) || line.includes(officeKey))),
	);
});

test('switching profiles shows the other service, with its own key', async (t: TestContext) => {
	const {home, office, app} = await openTwo(t);
	app.press('P', 'k', 'enter');
	const lines = await app.waitForFrame(frame => includes('printer')(frame) && isFresh(frame));
	assert.match(lines[0]!, / & office · 127\.0\.0\.1:00000 +every 15 s · 1 of 2 on$/);
	assert.equal(app.settings.currentProfileName(), 'office');
	app.press('space');
	await app.waitForFrame(includes(' > on   printer'));
	assert.equal(storedState(office, 301), true);
	assert.deepEqual(togglesOf(home), []);
	assert.ok(office.requests.every(({headers}) => headers['x-api-key'] === officeKey));
	assert.ok(home.requests.every(({headers}) => headers['x-api-key'] === homeKey));
});

test('the keys of the profile menu can come in one chunk', async (t: TestContext) => {
	const {app} = await openTwo(t);
	app.write('Pk\r');
	assert.match((await app.waitForFrame(includes('printer')))[0]!, /office/);
});

for (const [size, keys] of [
	[{columns: 90, rows: 14}, ['G', 'g', 'end', 'home', 'pagedown', 'pageup']],
	[small, ['G', 'g', 'pagedown', 'home']],
] as const) {
	test(`at ${size.columns}×${size.rows} the keys of a list move the cursor of the profile menu, and h leaves it`, async (t: TestContext) => {
		const {app} = await openTwo(t, {size});
		const before = app.lines();
		app.press('P');
		await app.waitForFrame(lines => lines[0] === ' Profiles');
		for (const [index, key] of keys.entries()) {
			app.press(key);
			await app.waitForFrame(includes(index % 2 === 0 ? '> Sign out of home' : '> local'));
		}

		app.press('h');
		assert.deepEqual(await app.waitForFrame(lines => lines[0] === before[0]), before);
	});
}

test('the profile menu does not wrap around, and a digit chooses nothing', async (t: TestContext) => {
	const {app} = await openTwo(t);
	app.write('Pkkk6\r');
	await app.waitForFrame(lines => lines[0]!.includes(' local · ') && isFresh(lines));
	assert.ok(app.settings.profiles().every(({apiKey}) => apiKey !== undefined));
	app.write('Pjjjjjjjjj');
	await app.waitForFrame(includes(' > Sign out of home'));
	app.press('k');
	await app.waitForFrame(includes(' > Sign out of office'));
});

test('the profile menu keeps its cursor when the terminal gets shorter', async (t: TestContext) => {
	const {app} = await openTwo(t);
	app.write('Pjjj');
	await app.waitForFrame(includes(' > Sign out of home'));
	app.resize({columns: 64, rows: 7});
	const lines = await app.waitForFrame(frame => frame.length === 7);
	assert.ok(includes(' > Sign out of home')(lines), lines.join('\n'));
	app.press('k');
	await app.waitForFrame(includes(' > Sign out of office'));
});

test('a change that fails on the previous profile is reported with its name, and without keys that would work on the current one', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	const release = home.hold({when: isToggle});
	home.failNext({when: isToggle, status: 500});
	app.press('space');
	await app.waitUntil(() => home.heldCount() === 1);
	app.press('P', 'k', 'enter');
	await app.waitForFrame(includes('printer'));
	release();
	const lines = await app.waitForFrame(says('! home: lamps stays on: the service failed (HTTP 500).'));
	assert.ok(!says('tries again')(lines), lines.join('\n'));
	assert.equal(togglesOf(home).length, 1);
});

test('filter, cursor and marks belong to their service', async (t: TestContext) => {
	const {office, app} = await openTwo(t);
	app.press('j', 'x');
	app.write('/pantry\r');
	await app.waitForFrame(shown => filterLine(shown).startsWith('/pantry'));
	app.press('P', 'k', 'enter');
	const lines = await app.waitForFrame(frame => frame[0]!.includes(' office · ') && isFresh(frame));
	assert.equal(filterLine(lines), '');
	assert.ok(!lines[1]!.includes('marked'), lines.join('\n'));
	assert.deepEqual(
		lines.slice(3, 5).map(line => line.slice(0, 16).trimEnd()),
		[' > off  printer', '   on   coffee'],
	);
	// What is marked there is not: the key acts on the row under the cursor, which is off already.
	app.press('D');
	await app.waitForFrame(says('printer is already off.'));
	assert.deepEqual(togglesOf(office), []);
});

test('signing out says how many earlier prompts go with the key', async (t: TestContext) => {
	const folders = temporaryFolders();
	const {office, app} = await openTwo(t, {folders});
	const journal = openJournal(presetAccountOfProfile({baseAddress: office.baseAddress, profileName: 'office'}), folders);
	for (const [agentId, text] of [
		[1, 'a'],
		[1, 'b'],
		[2, 'c'],
	] as const) {
		await journal.keep({agentId, name: 'Hearth', via: 'agents edit', text});
	}

	app.press('P', 'j', 'j');
	await app.waitForFrame(includes(' > Sign out of office'));
	app.press('enter');
	const box = boxOf(await app.waitForFrame(says('Sign out of office?')))
		.join(' ')
		.replaceAll(/ +/g, ' ');
	assert.match(
		box,
		/The stored key, unsaved texts and 3 earlier prompts of 2 agents are deleted; the address is kept\. To keep the prompts, leave and run: switchboard logout --profile office --keep-prompts/,
	);
	app.press('n');
	assert.equal(app.settings.earlierPrompts('office').count, 3);
});

test('signing out deletes the stored key and shows the bundled service', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	app.press('P', 'j', 'j', 'j');
	await app.waitForFrame(includes(' > Sign out of home'));
	app.press('enter');
	assert.deepEqual(
		boxOf(await app.waitForFrame(says('Sign out of home?'))).filter(line => line !== ''),
		[
			'Sign out of home?',
			'The stored key and unsaved texts are deleted; the address is kept.',
			'The bundled service is shown instead.',
			'y sign out  n no',
		],
	);
	assert.equal(app.settings.profiles().find(({name}) => name === 'home')?.apiKey, homeKey);
	app.press('y');
	await app.waitForFrame(says('Signed out of home: its key was removed.'));
	await app.waitForFrame(lines => includes('local · this machine')(lines) && isFresh(lines));
	assert.equal(app.settings.profiles().find(({name}) => name === 'home')?.apiKey, undefined);
	assert.equal(app.settings.currentProfileName(), 'local');
	const requestCount = home.requests.length;
	app.press('P');
	await app.waitForFrame(includes('@ home · http://127.0.0.1:00000 · signed out'));
	assert.equal(home.requests.length, requestCount);
});

test('choosing a signed-out profile asks for its key, at its own address', async (t: TestContext) => {
	const {office, app} = await openTwo(t, {});
	app.press('P', 'j', 'j');
	await app.waitForFrame(includes(' > Sign out of office'));
	app.press('enter');
	await app.waitForFrame(includes('Sign out of office?'));
	app.press('y');
	await app.waitForFrame(says('Signed out of office: its key was removed.'));
	assert.match(app.lines()[0]!, / home · /, 'what is shown stays');
	app.press('P', 'k', 'enter');
	const lines = await app.waitForFrame(frame => frame[0] === ' Connect to a service');
	assert.ok(includes('   Address  http://127.0.0.1:00000')(lines), lines.join('\n'));
	assert.ok(includes(' > API key')(lines), lines.join('\n'));
	app.write(`${officeKey}\r`);
	await app.waitForFrame(includes('printer'));
	assert.equal(app.settings.profiles().find(({name}) => name === 'office')?.baseAddress, office.baseAddress);
});

test('the progress of a bulk change on the previous profile is not shown on the current one', async (t: TestContext) => {
	const {home, app} = await openTwo(t);
	let answered = 0;
	const release = home.hold({when: request => isToggle(request) && ++answered > 1});
	app.press('a', 'D');
	await app.waitForFrame(includes('Switching off: 1 of 2…'));
	app.press('P', 'k', 'enter');
	assert.ok(!includes('Switching off')(await app.waitForFrame(includes('printer'))));
	release();
	await app.waitForFrame(says('home: 2 switched off.'));
});
