import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import type {RenderAppOptions, RenderedApp} from '../../helpers/render-app.tsx';
import {cursorLine, includes, isFresh, isInstalledList, openApp, says, startHome} from '../helpers/kit.ts';

const rightKey = 'the-right-key-0123456789';

/** The screens on one service, with the sign-in to another one open. */
const openSignIn = async (t: TestContext, options: RenderAppOptions = {}) => {
	const [service, other] = await Promise.all([
		startHome(t),
		startHome(t, {apiKey: rightKey, home: {installed: [{id: 7, name: 'attic', enabled: true}]}}),
	]);
	const app = await openApp(t, {service, size: {columns: 80, rows: 14}, ...options});
	await app.press('P', 'j', 'enter').shows(lines => lines[0] === ' Connect to a service');
	return {service, other, app};
};

/** The address and the key as they are drawn. */
const fields = (lines: readonly string[]): readonly string[] =>
	lines.filter(line => /^ [ >] (?:Address|API key)/.test(line)).map(line => line.trim());

const typeAddress = async (app: RenderedApp, address: string): Promise<void> => {
	await app.write(`\u{15}${address}\r`).shows(lines => fields(lines)[1]?.startsWith('>') ?? false);
};

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
			'Once the service accepts the key, it is stored in a file that only you can',
			'read.',
		],
	);
	app.press('tab');
	app.write('secret');
	assert.deepEqual(fields(await app.shows('******')), ['Address  https://app.openhome.com', '> API key  ******']);
	assert.ok(
		app
			.frames()
			.flat()
			.every(line => !line.includes('secret')),
	);
});

test('a wrong key is refused and stays in the field; the right one connects and is stored', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	const refused = await app.write('the-wrong-key\r').says('! The service refused the API key: Invalid API key.');
	assert.deepEqual(fields(refused), ['Address  http://127.0.0.1:00000', '> API key  *************']);
	assert.deepEqual(app.settings.profiles(), []);

	const connected = await app.write(`\u{15}${rightKey}\r`).shows(isFresh);
	assert.match(connected[0]!, /127\.0\.0\.1-\d+ · 127\.0\.0\.1:00000 .*every 15 s · 1 of 1 on$/);
	assert.match(cursorLine(connected)!, /attic/);
	assert.ok(app.frames().some(says('Connected to http://127.0.0.1:00000 as profile 127.0.0.1-')), 'said for a while');
	const [profile] = app.settings.profiles();
	assert.deepEqual({address: profile?.baseAddress, key: profile?.apiKey}, {address: other.baseAddress, key: rightKey});
	assert.equal(app.settings.currentProfileName(), profile!.name);
	assert.equal(other.requests.findLast(request => isInstalledList(request))!.headers['x-api-key'], rightKey);
	assert.ok(
		app
			.frames()
			.flat()
			.every(line => !(line.includes(rightKey) || line.includes('the-wrong-key'))),
	);
});

test('a pasted key loses its line break, and only Enter sends it', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	await typeAddress(app, other.baseAddress);
	const requestCount = other.requests.length;
	app.paste(`  ${rightKey}\r\n`);
	assert.equal(fields(await app.shows('*'.repeat(rightKey.length)))[1], `> API key  ${'*'.repeat(rightKey.length)}`);
	await nextTurn();
	assert.equal(other.requests.length, requestCount);
	await app.press('enter').shows(isFresh);
	assert.equal(app.settings.profiles()[0]?.apiKey, rightKey);
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
	const lines = await app.press('escape').shows('of 3 on');
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
	await app.press('escape').shows('of 3 on');
	assert.deepEqual(app.settings.profiles(), []);
});

test('for a service that cannot verify keys the list is read instead', async (t: TestContext) => {
	const {other, app} = await openSignIn(t);
	other.failNext({when: ({path}) => path.includes('verify'), status: 404, times: 2});
	await typeAddress(app, other.baseAddress);
	assert.match(cursorLine(await app.write(`${rightKey}\r`).shows(isFresh))!, /attic/);
});
