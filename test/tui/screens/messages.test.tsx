import {assert, test, type TestContext} from '../../helpers/node.ts';
import {everShown, filterLine, includes, isToggle, openHome, type RenderedApp, says, small, togglesOf, wide} from '../helpers/kit.ts';

const timeless = (lines: readonly string[]): readonly string[] => lines.map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00'));

async function openMessages(app: RenderedApp): Promise<readonly string[]> {
	app.press('M');
	return timeless(await app.shows(' Messages'));
}

test('past problems are listed with their times, newest first, in full, and nothing that changed nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows('lamps stays on');
	await app.press('u').shows('Nothing to undo');
	assert.deepEqual(await openMessages(app), [
		' Messages',
		' 00:00:00 ! lamps stays on: the service does not allow this',
		'            with your key (HTTP 403). Space retries.',
		...Array.from({length: 10}, () => ''),
		' esc back  / search',
	]);
});

test("the person's own switches are listed once, each with its time", async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('u', 'j', 'space').shows(lines => includes('> off  pantry')(lines) && !includes('~')(lines));
	await app.write('kxxxE').says('2 switched on.');
	await app.press('u').says('Undone: pantry and nightwatch are off again.');
	await app.press('u').says('Undone: pantry is on again.');
	await app.press('u').says('Nothing to undo.');
	assert.deepEqual(
		(await openMessages(app)).slice(1, -1).filter(line => line !== ''),
		[
			' 00:00:00   pantry: off → on',
			' 00:00:00   pantry, nightwatch: on → off',
			' 00:00:00   pantry, nightwatch: off → on',
			' 00:00:00   pantry: on → off',
		],
	);
});

test('a message shows the time when it appeared', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.ui.store.dispatch({type: 'note', text: 'long ago', at: new Date(2026, 0, 2, 3, 4, 5).getTime()});
	app.ui.store.dispatch({type: 'say', level: 'error', text: 'now', at: new Date(2026, 0, 3, 13, 14, 15).getTime()});
	assert.deepEqual((await app.press('M').shows(' Messages')).slice(1, 4), [' 13:14:15 ! now', ' 2026-01-02 03:04:05   long ago', '']);
});

test('many messages scroll with the keys of the lists', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	for (let number = 1; number <= 30; number++) {
		app.ui.store.dispatch({type: 'note', text: `message ${number}`, at: 0});
	}

	app.press('M');
	const texts = (lines: readonly string[]): readonly string[] =>
		lines.map(line => line.replace(/(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d {3}/, ''));
	const first = texts(await app.shows(' Messages'));
	assert.deepEqual(first, [
		' Messages                     1–8 of 30',
		...Array.from({length: 8}, (_, index) => ` message ${30 - index}`),
		' esc back  j/k scroll  / search',
	]);
	app.press('j', 'ctrl+d');
	assert.deepEqual(texts(await app.shows('6–13 of 30')).slice(1, 3), [' message 25', ' message 24']);
	app.press('G');
	assert.deepEqual(texts(await app.shows('23–30 of 30')).slice(-3, -1), [' message 2', ' message 1']);
	app.press('g');
	assert.deepEqual(texts(await app.shows('1–8 of 30')), first);
});

test('without messages the screen says so, and the same key goes back', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	assert.deepEqual((await openMessages(app)).slice(0, 3), [' Messages', '   No messages yet.', '']);
	assert.deepEqual(await app.press('M').shows('lamps'), before);
});

const isCalm = (lines: readonly string[]): boolean => lines.at(filterLine(lines) === '' ? -2 : -3) === '';

test('Escape clears the marks, then the filter, and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/a\r');
	await app.write('xu').shows('1 marked', says('Nothing to undo.'));
	await app.press('escape').shows(lines => !includes('marked')(lines) && filterLine(lines) === '/a   3 of 3' && isCalm(lines));
	await app.press('u').says('Nothing to undo.');
	await app.press('escape').shows(lines => filterLine(lines) === '' && isCalm(lines));
	await app.press('u').says('Nothing to undo.');
	await app.press('escape').shows(isCalm);
});

test('Escape dismisses an error first, then clears the marks', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').says('lamps stays on:');
	await app.press('x', 'escape').shows('1 marked', isCalm);
	await app.press('escape').shows(lines => !includes('marked')(lines));
});

test('Escape closes the sort prompt and the filter line, with an info that stands there', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('o').says('0 as listed.');
	app.ui.say('info', 'said meanwhile');
	await app.press('escape').shows(lines => isCalm(lines) && !says('0 as listed.')(lines));
	await app.press('/').shows('/_');
	app.ui.say('info', 'said meanwhile');
	await app.says('said meanwhile');
	await app.press('escape').shows(lines => isCalm(lines) && !includes('/_')(lines));
});

test('in an opened record one Escape goes back and takes an info with it', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('enter').shows('esc back');
	await app.press('y').says('Copied ');
	await app.press('escape').shows('[3 Installed]', isCalm);
});

test('an info ends with the next switch, and one that there is no room once there is', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.write('xxE').says('All 2 marked are already on.');
	await app.press('D').says('2 switched off.');
	await app.press('escape', 'S', 'S').says('Order reversed.');
	await app.press('G', 'space').shows(lines => includes('> on   nightwatch')(lines) && !says('Order reversed.')(lines));
	await app.press('p').says('No room for details');
	await app.resize({columns: 120, rows: 24}).shows(lines => lines.length === 24 && !says('No room')(lines));
});

test('a message that a list is not known ends when it is', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.ui.say('error', 'It is not known yet whether lamps is installed.', 'installed');
	await app.says('not known yet');
	await app.press('r').shows(isCalm);
	assert.deepEqual(togglesOf(service), []);
});

test('an error stays visible in an opened record until it is dismissed', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').says('lamps stays on:');
	await app.press('enter').shows('esc back', says('lamps stays on:'));
	await app.press('escape').shows(lines => includes('esc back')(lines) && !says('lamps stays on:')(lines));
	assert.equal(togglesOf(service).length, 1);
});

/** Without the read of the agents: it may end before or after the others at the start. */
const comparable = (lines: readonly string[]): readonly string[] =>
	lines
		.filter(line => !line.includes('personalities/'))
		.map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00').replace(/ +\d+ ms/, ' 5 ms'));

const isOpened = (lines: readonly string[]): boolean => lines[0] === ' Request' || lines[0]!.startsWith(' Request ');

const details = (lines: readonly string[]): readonly string[] =>
	lines.filter(line => line !== '').map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00').replace(/\d+ ms$/, '5 ms'));

test('the last requests are listed, newest first, and Enter shows one with its host and error; Escape goes back to its row', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 100, rows: 14}});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows('lamps stays on');
	service.failNext({when: ({method}) => method === 'PUT', cut: 'connection'});
	app.press('space');
	// What became of it is not known, so the list is read again.
	await app.until(() => app.ui.requests.getEntries().length === 6);
	app.press('!');
	assert.deepEqual(comparable(await app.shows(' Requests')), [
		' Requests',
		' > 00:00:00 GET    200 5 ms /api/capabilities/get-installed-capabilities/',
		'   00:00:00 PUT    none 5 ms /api/capabilities/edit-installed-capability/301/',
		'   00:00:00 PUT    403 5 ms /api/capabilities/edit-installed-capability/301/',
		'   00:00:00 GET    404 5 ms /events',
		'   00:00:00 GET    200 5 ms /api/capabilities/get-installed-capabilities/',
		...Array.from({length: 6}, () => ''),
		' enter details  j/k move  esc back',
	]);
	app.write('j\r');
	assert.deepEqual(details(await app.shows(isOpened)), [
		' Request',
		' Method  PUT',
		' Host    http://127.0.0.1:00000',
		' Path    /api/capabilities/edit-installed-capability/301/',
		' Answer  none: connection lost (ECONNRESET)',
		' Sent    00:00:00',
		' Took    5 ms',
		' esc back  / search',
	]);
	await app.press('escape').shows(lines => lines.some(line => line.startsWith(' > ') && line.includes('PUT    none')));
	await app.press('j', 'enter').shows(' Answer  HTTP 403');
	assert.ok(!everShown(app).includes(service.apiKey));
	await app.press('enter').shows(' Requests');
	await app.press('!').shows('[3 Installed]');
	assert.deepEqual(
		service.requests.map(({method}) => method),
		['GET', 'GET', 'PUT', 'PUT', 'GET'],
	);
});

test('a long path shows its end, on the narrowest screen in place of the time, and no key or body is shown', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 50, rows: 10}});
	await app.press('space').shows(' > off  lamps');
	const lines = await app.press('!').shows('PUT');
	assert.deepEqual(comparable(lines).slice(1, 4), [
		' > 00:00:00 PUT    200 5 ms …capability/301/',
		'   00:00:00 GET    404 5 ms /events',
		'   00:00:00 GET    200 5 ms …d-capabilities/',
	]);
	assert.ok(lines.every(line => line.length <= 50));
	assert.deepEqual(comparable(await app.resize(small).shows(' > PUT ')).slice(1, 4), [
		' > PUT    200 5 ms …apability/301/',
		'   GET    404 5 ms /events',
		'   GET    200 5 ms …-capabilities/',
	]);
	const kept = JSON.stringify(app.ui.requests.getEntries());
	assert.ok(!kept.includes(service.apiKey), kept);
	assert.ok(!kept.includes('enabled'), kept);
});

test('only the last fifty requests are kept', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {...wide, rows: 17}});
	for (let number = 1; number <= 60; number++) {
		app.ui.requests.add({
			method: 'GET',
			origin: 'https://voice.example.com',
			path: `/number/${number}/`,
			status: 200,
			reason: undefined,
			attemptNumber: 1,
			startedAt: 0,
			durationMilliseconds: number,
		});
	}

	const lines = await app.press('!').shows(' 1 of 50');
	assert.match(lines[1]!, /GET {4}200 {5}60 ms \/number\/60\/$/);
	assert.match((await app.press('G').shows('50 of 50')).at(-2)!, /GET {4}200 {5}11 ms \/number\/11\/$/);
	await app.press('escape').shows(' > on   lamps');
});

test('a retried request shows which attempt it was, and the cursor stays on its row when others arrive', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 80, rows: 14}});
	service.failNext({when: ({path}) => path.includes('get-installed'), status: 503});
	await app.press('r').until(() => app.ui.requests.getEntries().length === 5);
	await app.press('!', 'j').shows(lines => lines[2]!.startsWith(' > '));
	await app.press('k').shows(lines => lines[1]!.startsWith(' > '));
	app.ui.requests.add({...app.ui.requests.getEntries()[0]!, path: '/later/'});
	await app.shows(lines => lines[1]!.includes('/later/') && lines[2]!.startsWith(' > '));
	await app.press('enter').shows(' Attempt  2, a retry');
});
