import type {Settings} from '../../../source/settings/settings.ts';
import {named, paths, shareTestService} from '../../service/running-service.ts';
import {after, assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {renderApp, type RenderAppOptions, type RenderedApp} from '../../helpers/render-app.tsx';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {everShown, openApp, openHome, profileNames} from '../helpers/open-home.ts';
import {cursorLine, includes, isFresh, isInstalledList, says, small, startHome, wide} from '../helpers/kit.ts';

const rightKey = 'the-right-key-0123456789';

/** The screens on one service, with the sign-in to another one open. */
async function openSignIn(t: TestContext, options: RenderAppOptions = {}) {
	const [service, other] = await Promise.all([
		startHome(t),
		startHome(t, {apiKey: rightKey, home: {installed: [{id: 7, name: 'attic', enabled: true}]}}),
	]);
	const app = await openApp(t, {service, size: {columns: 80, rows: 14}, ...options});
	await app.press('P', 'j', 'enter').shows(lines => lines[0] === ' Connect to a service');
	return {service, other, app};
}

/** The address and the key as they are drawn. */
const fields = (lines: readonly string[]): readonly string[] =>
	lines.filter(line => /^ [ >] (?:Address|API key)/.test(line)).map(line => line.trim());

async function typeAddress(app: RenderedApp, address: string): Promise<void> {
	await app.write(`\u{15}${address}\r`).shows(lines => fields(lines)[1]?.startsWith('>') ?? false);
}

test('the sign-in proposes the public address, and masks the key', async (t: TestContext) => {
	const {app} = await openSignIn(t);
	assert.deepEqual(
		app
			.lines()
			.slice(0, -1)
			.map(line => line.trim())
			.filter(line => line !== ''),
		[
			'Connect to a service',
			'> Address  https://app.openhome.com',
			'API key',
			'Name     app.openhome.com',
			'Once the service accepts the key, it is stored in a file that only',
			'you can read.',
		],
	);
	app.press('tab');
	app.write('secret');
	assert.deepEqual(fields(await app.shows('******')), ['Address  https://app.openhome.com', '> API key  ******']);
	assert.ok(!everShown(app).includes('secret'));
});

test('a wrong key is refused and stays in the field; the right one connects and is stored', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	const refused = await app.write('the-wrong-key\r').says('! The service refused the API key. Invalid API key.');
	assert.deepEqual(fields(refused), ['Address  http://127.0.0.1:00000', '> API key  *************']);
	assert.deepEqual(app.settings.profiles(), []);

	const connected = await app.write(`\u{15}${rightKey}\r`).shows(isFresh);
	assert.match(connected[0]!, /127\.0\.0\.1-\d+ · 127\.0\.0\.1:00000 .*reads every 15 s · 1 of 1 on$/);
	assert.match(cursorLine(connected)!, /attic/);
	assert.ok(app.frames().some(says('Connected to http://127.0.0.1:00000 as profile 127.0.0.1-')), 'said for a while');
	const [profile] = app.settings.profiles();
	assert.deepEqual({address: profile?.baseAddress, key: profile?.apiKey}, {address: other.baseAddress, key: rightKey});
	assert.equal(app.settings.currentProfileName(), profile!.name);
	assert.equal(other.requests.findLast(request => isInstalledList(request))!.headers['x-api-key'], rightKey);
	assert.ok(!everShown(app).includes(rightKey));
	assert.ok(!everShown(app).includes('the-wrong-key'));
});

test('a pasted key loses the blanks, the quotes and the name around it, and only Enter sends it; one with a break within is refused', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	app.paste(`${rightKey.slice(0, 9)}\r${rightKey.slice(9)}`);
	const lines = await app.press('enter').says('there is a space or a line break within it');
	assert.ok(fields(lines)[1]!.startsWith('> API key'));
	app.press('ctrl+u');
	await app.paste(`  OPENHOME_API_KEY="${rightKey}"\r\n`).shows(`> API key  ${'*'.repeat(rightKey.length)}`);
	await nextTurn();
	assert.deepEqual(other.requests, []);
	await app.press('enter').shows(isFresh);
	assert.equal(app.settings.profiles()[0]?.apiKey, rightKey);
	assert.deepEqual(new Set(other.requests.map(({headers}) => headers['x-api-key']).filter(key => key !== undefined)), new Set([rightKey]));
});

test('a session token in place of a key is asked about before it is sent', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	app.paste('eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl');
	const asked = 'This looks like a session token of the dashboard, which is valid for a few minutes.';
	await app.press('enter').says(asked);
	await app.press('n').shows(lines => !says(asked)(lines));
	assert.deepEqual(other.requests, []);
	await app.press('enter').says(asked);
	await app.press('y').says('The service refused the API key');
	assert.ok(other.requests.length > 0);
});

test('an address where nothing listens is reported as unreachable, and the fields keep their text', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await other.close();
	await typeAddress(app, other.baseAddress);
	const lines = await app.write(`${rightKey}\r`).says('could not be reached: connection refused.');
	assert.deepEqual(
		fields(lines),
		['> Address  http://127.0.0.1:00000', `API key  ${'*'.repeat(rightKey.length)}`],
		'the cursor is at what is wrong',
	);
	assert.deepEqual(app.settings.profiles(), []);
});

test('plain http to another machine is refused before anything is sent', async (t: TestContext) => {
	const {app} = await openSignIn(t);
	await typeAddress(app, 'http://192.0.2.1:8787');
	const lines = await app.write(`${rightKey}\r`).says('is plain http to another machine');
	assert.equal(fields(lines)[0], '> Address  http://192.0.2.1:8787');
	assert.deepEqual(app.settings.profiles(), []);
});

test('an address without a scheme gets one, shown in the field before it is used', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, 'voice.example.com');
	assert.deepEqual(fields(await app.shows('https://voice')), ['Address  https://voice.example.com', '> API key']);
	await app.press('up').shows(lines => fields(lines)[0]!.startsWith('>'));
	app.write(`\u{15}${other.baseAddress.replace('http://', '')}`);
	await app.press('tab').shows(lines => fields(lines)[0] === 'Address  http://127.0.0.1:00000');
	await app.write(`${rightKey}\r`).shows(isFresh);
	assert.equal(app.settings.profiles()[0]?.baseAddress, other.baseAddress);
});

test('a key that was pasted into the field of the address is not taken for a host', async (t: TestContext) => {
	const {app} = await openSignIn(t);
	await typeAddress(app, 'oh_1234567890abcdef');
	const lines = await app.write('k\r').says('“oh_1234567890abcdef” is not the address of a service.');
	assert.deepEqual(fields(lines), ['> Address  oh_1234567890abcdef', 'API key  *']);
});

test('without a key nothing is sent, and the form asks for one until it is typed', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	await app.press('enter').says('Enter a key.');
	assert.deepEqual(other.requests, []);
	await app.press('k').shows(lines => !says('Enter a key.')(lines));
});

test('Escape goes back and changes nothing', async (t: TestContext) => {
	const {service, app} = await openSignIn(t);
	app.press('tab');
	await app.write(rightKey).shows('****');
	await app.press('escape').says('Leave without connecting?');
	const lines = await app.press('y').shows('of 3 on');
	assert.match(lines[0]!, /environment · 127\.0\.0\.1:00000/);
	assert.deepEqual(app.settings.profiles(), []);
	await app.press('space').shows(' > off  lamps');
	assert.ok(service.requests.every(({headers}) => headers['x-api-key'] === service.apiKey));
});

test('Escape during the check keeps the fields, and a late answer does not connect', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	const release = other.hold();
	await app.write(`${rightKey}\r`).shows('Checking the key…');
	await app.until(() => other.heldCount() === 1);
	app.press('escape');
	assert.deepEqual(fields(await app.shows(lines => !includes('Checking')(lines))), [
		'Address  http://127.0.0.1:00000',
		`> API key  ${'*'.repeat(rightKey.length)}`,
	]);
	release();
	await app.press('escape').says('Leave without connecting?');
	await app.press('y').shows('of 3 on');
	assert.deepEqual(app.settings.profiles(), []);
});

test('for a service that cannot verify keys the list is read instead', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	other.failNext({when: ({path}) => path.includes('verify'), status: 404, times: 2});
	await typeAddress(app, other.baseAddress);
	assert.match(cursorLine(await app.write(`${rightKey}\r`).shows(isFresh))!, /attic/);
});

const served = await shareTestService();
const keys = await openApiKeys(served.dataFolder);
after(async () => keys.close());
let keyCount = 0;

/** The screens on a service of our own, with a key of this test that can be taken back; it is that of the profile “home”, or of the environment. */
async function openServed(t: TestContext, {isStored = true, ...options}: RenderAppOptions & {readonly isStored?: boolean} = {}) {
	const name = `test ${++keyCount}`;
	const {key} = await keys.create({name});
	const service = {baseAddress: served.baseAddress, apiKey: key};
	const app = await openApp(t, {
		service,
		size: wide,
		...(isStored && {
			profileName: 'home',
			async prepareSettings(settings: Settings) {
				await settings.saveProfile({name: 'home', ...service});
			},
		}),
		...options,
	});
	return {app, revoke: async () => keys.revoke([name])};
}

const storedState = async (name: string, key: string): Promise<unknown> => named(await served.read(paths.installed, key), name)['enabled'];

test('when a key is revoked, one key opens the sign-in on the key field, and the view is kept', async (t: TestContext) => {
	const {app, revoke} = await openServed(t);
	await app.write('2').shows('[2 Abilities]', isFresh);
	const before = cursorLine(
		await app.write('/ing\rj').shows(lines => includes('/ing')(lines) && cursorLine(lines)?.includes('shoppinglist') === true),
	)!;
	await revoke();
	const refused = await app
		.press('r')
		.says(
			'The service refused the API key of the profile “home”. It is not a key of this service. Make a new one with: switchboard keys create.',
		);
	assert.ok(says('C signs in again.')(refused), refused.join('\n'));
	assert.ok(!says('dashboard')(refused), refused.join('\n'));

	const form = await app.press('C').shows(lines => lines[0] === ' Connect to a service');
	assert.deepEqual(form.slice(2, 5), ['   Address  http://127.0.0.1:00000', ' > API key', '   Name     home']);
	const {key} = await keys.create();
	app.paste(key);
	const after = await app.press('enter').shows(lines => isFresh(lines) && includes('[2 Abilities]')(lines) && cursorLine(lines) === before);
	assert.match(after[0]!, / home · 127\.0\.0\.1:00000 /);
	assert.ok(includes('/ing')(after), after.join('\n'));
	assert.deepEqual(
		app.settings.profiles().map(({name, apiKey}) => [name, apiKey]),
		[['home', key]],
	);
	assert.ok(before.startsWith(' > on   shoppinglist '), before);
	await app.press('space').until(async () => (await storedState('shoppinglist', key)) === false);
});

test('an opened record is still open after signing in again', async (t: TestContext) => {
	const {app, revoke} = await openServed(t);
	await app.press('1', 'enter').shows(/^ Abilities {2}\d of 6 on/);
	await revoke();
	await app.press('r').until(() => app.ui.requests.getEntries().at(-1)?.status === 401);
	await app.press('C').shows(' > API key');
	const {key} = await keys.create();
	app.paste(key);
	const lines = await app.press('enter').shows(/^ Abilities {2}\d of 6 on/);
	assert.match(lines[0]!, /^ Hearth {2}#\d+/);
});

test('P proposes the address whose key was refused; otherwise C and P propose the public one', async (t: TestContext) => {
	const {app, revoke} = await openServed(t);
	for (const open of [['C'], ['P', 'j', 'enter']]) {
		await app.press(...open).shows(' > Address  https://app.openhome.com');
		await app.press('escape').shows(isFresh);
	}

	await revoke();
	await app.press('r').shows('! key refused');
	const lines = await app.press('P', 'j', 'enter').shows(frame => frame[0] === ' Connect to a service');
	assert.deepEqual(lines.slice(2, 4), ['   Address  http://127.0.0.1:00000', ' > API key']);
});

test('without a key, a service on this machine points to keys create, any other to its dashboard', async (t: TestContext) => {
	const {app, revoke} = await openServed(t);
	await revoke();
	await app.press('r').shows('! key refused');
	await app.press('C').shows(' > API key');
	await app.press('enter').says('! Enter a key. Create one with: switchboard keys create');
	app.press('up');
	app.paste('https://voice.example.com');
	await app.press('enter', 'enter').says('! Enter a key. Get one in the dashboard under Settings, API Keys.');
});

const sources = [
	[
		{keyVariable: 'SWITCHBOARD_API_KEY'},
		'refused the API key in SWITCHBOARD_API_KEY. Invalid API key. r tries again. Change the variable and start again. C signs in with another key for now, but the variable overrides it at the next start.',
	],
	[
		{keyVariable: 'OPENHOME_API_KEY'},
		'refused the API key in OPENHOME_API_KEY. Invalid API key. r tries again. Change the variable and start again, or sign in with another key: C.',
	],
	[{profileName: 'home'}, 'refused the API key of the profile “home”. Invalid API key. r tries again. C signs in again.'],
] as const;

for (const [source, sentence] of sources) {
	test(`a refused key is named with the next step: ${sentence}`, async (t: TestContext) => {
		const service = await startHome(t);
		const app = await renderApp(t, {service: {...service, apiKey: 'a-wrong-key-0123456789'}, size: wide, ...source});
		const lines = await app.shows('! key refused');
		// The title and the hint of the notice, as one text.
		assert.ok(says(sentence)(lines), lines.join('\n'));
	});
}

test('a switch refused for its key says which key it was', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyVariable: 'SWITCHBOARD_API_KEY', size: wide});
	service.failNext({when: ({method}) => method === 'PUT', status: 401});
	await app
		.press('space')
		.says(
			'lamps stays on: the service refused the API key in SWITCHBOARD_API_KEY (HTTP 401). Change the variable and start again. C signs in with another key for now, but the variable overrides it at the next start.',
		);
});

test('a change refused for its key is told in the header at once, by a list that is read again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide});
	service.failNext({when: ({method}) => method === 'PUT', status: 401});
	service.failNext({when: isInstalledList, status: 401});
	await app.press('space').shows(lines => /! key refused, as of \d\d:\d\d/.test(lines[0]!) && includes('!> on   lamps')(lines));
	await app.press('r').shows(lines => lines[0]!.includes('reads every 15 s'));
});

test('replacing a key of the environment for this run keeps the view as well', async (t: TestContext) => {
	const {app, revoke} = await openServed(t, {isStored: false, keyVariable: 'SWITCHBOARD_API_KEY', size: small});
	await app.write('jj').shows(lines => cursorLine(lines)?.includes('pantry') === true);
	await revoke();
	await app.press('r').shows('! key refused');
	await app.press('C').shows(' > API key');
	const {key} = await keys.create();
	app.paste(key);
	await app.press('tab').shows(' > Name');
	await app.write('mine\r').shows(lines => isFresh(lines) && cursorLine(lines)?.includes('pantry') === true);
	assert.deepEqual(profileNames(app), ['mine']);
});
