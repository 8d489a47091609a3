import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {Size} from '../../../source/tui/state/app-state.ts';
import {openHome, small, wide} from '../helpers/kit.ts';

/** Without the read of the agents: it may end before or after the others at the start. */
const comparable = (lines: readonly string[]): readonly string[] =>
	lines
		.filter(line => !line.includes('personalities/'))
		.map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00').replace(/ +\d+ ms/, ' 5 ms'));

test('the last requests are listed with time, method, answer, duration and path, newest first', async (t: TestContext) => {
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
	assert.deepEqual(
		service.requests.map(({method}) => method),
		['GET', 'GET', 'PUT', 'PUT', 'GET'],
	);
});

test('a long path shows its end, and no key or body is shown', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 50, rows: 10}});
	await app.press('space').shows(' > off  lamps');
	const lines = await app.press('!').shows('PUT');
	assert.deepEqual(comparable(lines).slice(1, 4), [
		' > 00:00:00 PUT    200 5 ms …capability/301/',
		'   00:00:00 GET    404 5 ms /events',
		'   00:00:00 GET    200 5 ms …d-capabilities/',
	]);
	assert.ok(lines.every(line => line.length <= 50));
	const kept = JSON.stringify(app.ui.requests.getEntries());
	assert.ok(!kept.includes(service.apiKey), kept);
	assert.ok(!kept.includes('enabled'), kept);
});

test('on the narrowest screen the end of the path replaces the time', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	await app.press('space').shows(' > off  lamps');
	app.press('!');
	assert.deepEqual(comparable(await app.shows('PUT')).slice(1, 4), [
		' > PUT    200 5 ms …apability/301/',
		'   GET    404 5 ms /events',
		'   GET    200 5 ms …-capabilities/',
	]);
});

test('only the last fifty requests are kept', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {...wide, rows: 19}});
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

/** A service whose answers to a switch, as the test gives them, are in the log. */
const openLog = async (t: TestContext, size: Size) => {
	const {service, app} = await openHome(t, {size});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows('lamps stays on');
	service.failNext({when: ({method}) => method === 'PUT', cut: 'connection'});
	await app.press('space').until(() => app.ui.requests.getEntries().length === 6);
	await app.press('!').shows(' Requests');
	return {service, app};
};

const isOpened = (lines: readonly string[]): boolean => lines[0] === ' Request' || lines[0]!.startsWith(' Request ');

const details = (lines: readonly string[]): readonly string[] =>
	lines.filter(line => line !== '').map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00').replace(/\d+ ms$/, '5 ms'));

test('Enter on a request shows host, answer and error; Escape goes back to its row', async (t: TestContext) => {
	const {service, app} = await openLog(t, {columns: 80, rows: 14});
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
	assert.ok(
		app
			.frames()
			.flat()
			.every(line => !line.includes(service.apiKey)),
	);
	await app.press('enter').shows(' Requests');
	await app.press('!').shows('[3 Installed]');
	assert.equal(service.requests.length, 5);
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
