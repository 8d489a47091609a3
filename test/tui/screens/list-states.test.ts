import {assert, test, type TestContext} from '../../helpers/node.ts';
import {entriesThatAreNoRecord} from '../../helpers/live-like/home.ts';
import {installedRecord, isInstalledList, startHome, togglesOf} from '../helpers/homes.ts';
import {cursorLine, includes, isFresh, openHome, renderApp, says, screen, shown, small} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const place = 'environment · 127.0.0.1:00000';

test('while a list is first read the screen says so', async (t: TestContext) => {
	const service = await startHome(t);
	service.hold();
	const app = await renderApp(t, {service});
	assert.deepEqual(
		shown(app.lines()),
		screen({header: `Switchboard  ${place}  reading…`, tabs, rows: ['   Reading the installed abilities…']}),
	);
});

test('an account without installed abilities says so, and where to find abilities', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: []}});
	assert.deepEqual(
		shown(app.lines()),
		screen({header: `${place}  every 15 s · none installed`, tabs, rows: ['   No installed abilities yet.', '   2 lists all abilities.']}),
	);
	assert.ok(includes(' No row to switch.')(await app.press('space').shows('No row')));
	assert.deepEqual(togglesOf(service), []);
});

test('a list that cannot be read says why, and r retries', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({when: isInstalledList, status: 403, body: '{"detail": "Not with this key"}'});
	const app = await renderApp(t, {service});
	assert.deepEqual(
		shown(await app.shows('! not allowed')),
		screen({
			header: `Switchboard  ${place}  ! not allowed`,
			tabs,
			rows: [
				'   ! The installed abilities could not be read. The service',
				'   does not allow this with your key: Not with this key.',
				'   r tries again. Use the key of an account that may do this.',
			],
		}),
	);
	assert.match(cursorLine(await app.press('r').shows(isFresh))!, /^ > on {3}lamps/);
});

test('an API key that the service refuses leads to the sign-in', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service: {...service, apiKey: 'a-wrong-key-0123456789'}});
	const lines = await app.shows('! key refused');
	assert.ok(says('The service refused the API key: Invalid API key.')(lines), lines.join('\n'));
	assert.ok(says('r tries again. C signs in again.')(lines), lines.join('\n'));
	assert.ok(!lines.join('').includes('a-wrong-key'));
	await app.press('P', 'j').shows(' > Connect to a service…');
});

test('in little room the reason is cut, but not the next step', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({when: isInstalledList, status: 302, headers: {location: 'https://login.kitchen.example.net/login'}});
	const app = await renderApp(t, {service, size: small});
	assert.deepEqual((await app.shows('! unexpected answer')).slice(2, 9), [
		'   ! The installed abilities could',
		'   not be read.',
		'   http://127.0.0.1:00000 redirects',
		'   to …',
		'   r tries again. If the service is',
		'   there, use that address as its',
		'   base address.',
	]);
});

test('a list that cannot be refreshed stays, with its time', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const refusals = {when: isInstalledList, status: 401};
	// The screen reads it again when it comes back from under the help, and from under the messages.
	service.failNext({...refusals, times: 3});
	app.press('j', 'r');
	const refused = screen({
		header: 'environment  ! key refused, as of 00:00 · 2 of 3 on',
		tabs,
		rows: [
			'   on   lamps                              skill      2 days',
			' > on   pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
		message: [
			' ! Could not refresh the installed abilities. The service',
			' refused the API key (HTTP 401). r tries again. C signs in',
			' again.',
		],
	});
	assert.deepEqual(shown(await app.says('C signs in again.')), refused);
	// It is told once, also where the screen was away in between.
	await app.press('?').shows(' Keys');
	assert.deepEqual(shown(await app.press('escape').shows('! key refused', says('C signs in again.'))), refused);
	const messages = await app.press('M').shows(' Messages');
	assert.equal(messages.filter(line => line.includes('Could not refresh')).length, 1);
	await app.press('escape').shows('! key refused');
	assert.equal(
		shown(await app.press('r').shows(lines => isFresh(lines) && !says('C signs in again.')(lines)))[0],
		`${place}  every 15 s · 2 of 3 on`,
	);
});

test('invalid records are ignored and counted', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {installed: [...entriesThatAreNoRecord, installedRecord(1, 'lamps', true)]}});
	assert.deepEqual(
		shown(app.lines()),
		screen({
			header: `environment  every 15 s · 1 of 1 on · ${entriesThatAreNoRecord.length} records skipped`,
			tabs,
			rows: [' > on   lamps                              skill      2 days'],
		}),
	);
});

test('a list of several pages is complete; one whose next page is on another host is reported as incomplete', async (t: TestContext) => {
	const {app: whole} = await openHome(t, {listShape: 'results', pageSize: 2});
	assert.ok(includes('of 3 on')(whole.lines()));
	const {app} = await openHome(t, {listShape: 'results', pageSize: 2, nextAddress: () => 'http://192.0.2.1/next'});
	assert.deepEqual(
		shown(app.lines()),
		screen({
			header: 'environment  every 15 s · 2 of 2 on · incomplete list',
			tabs,
			rows: [
				' > on   lamps                              skill      2 days',
				'   on   pantry                             brain      2 days',
			],
		}),
	);
});

test('keys pressed while the list loads take effect once it has loaded', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await app.until(() => service.heldCount() === 1);
	app.write('jj ');
	release();
	await app.shows(' > on   nightwatch');
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[303],
	);
});
