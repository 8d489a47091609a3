import {test, type TestContext} from 'node:test';
import {renderApp} from '../../helpers/render-app.tsx';
import {startHome} from '../helpers/homes.ts';
import {includes} from '../helpers/shown.ts';

const comparable = (lines: readonly string[]): readonly string[] =>
	lines.map(line => line.replace(/\d\d:\d\d:\d\d/, '00:00:00').replace(/ +\d+ ms/, ' 5 ms'));

test('the last requests are there with their times, methods, answers, durations and paths, the newest first', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 100, rows: 14}});
	await app.waitForFrame(includes('live'));
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	app.press('space');
	await app.waitForFrame(includes('lamps stays on'));
	service.failNext({when: ({method}) => method === 'PUT', cut: 'connection'});
	app.press('space');
	// What became of it is not known, so the list is read again.
	await app.waitUntil(() => app.program.requests.getEntries().length === 4);
	app.press('!');
	t.assert.deepStrictEqual(comparable(await app.waitForFrame(includes(' Requests'))), [
		' Requests',
		' 00:00:00 GET    200 5 ms /api/capabilities/get-installed-capabilities/',
		' 00:00:00 PUT    none 5 ms /api/capabilities/edit-installed-capability/301/',
		' 00:00:00 PUT    403 5 ms /api/capabilities/edit-installed-capability/301/',
		' 00:00:00 GET    200 5 ms /api/capabilities/get-installed-capabilities/',
		...Array.from({length: 8}, () => ''),
		' esc back  / search',
	]);
	t.assert.deepStrictEqual(service.requests.map(({method}) => method), ['GET', 'PUT', 'PUT', 'GET']);
});

test('of a long path the end is shown, and neither the key nor a body stands anywhere', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 50, rows: 10}});
	await app.waitForFrame(includes('live'));
	app.press('space');
	await app.waitForFrame(includes(' > off  lamps'));
	app.press('!');
	const lines = await app.waitForFrame(includes('PUT'));
	t.assert.deepStrictEqual(comparable(lines).slice(1, 3), [
		' 00:00:00 PUT    200 5 ms …d-capability/301/',
		' 00:00:00 GET    200 5 ms …led-capabilities/',
	]);
	t.assert.ok(lines.every(line => line.length <= 50));
	const kept = JSON.stringify(app.program.requests.getEntries());
	t.assert.ok(!kept.includes(service.apiKey), kept);
	t.assert.ok(!kept.includes('enabled'), kept);
});

test('on the narrowest screen the end of the path counts for more than the time', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 40, rows: 10}});
	await app.waitForFrame(includes('live'));
	app.press('space');
	await app.waitForFrame(includes(' > off  lamps'));
	app.press('!');
	t.assert.deepStrictEqual(comparable(await app.waitForFrame(includes('PUT'))).slice(1, 3), [
		' PUT    200 5 ms …-capability/301/',
		' GET    200 5 ms …ed-capabilities/',
	]);
});

test('no more than the last fifty requests are kept', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 80, rows: 24}});
	await app.waitForFrame(includes('live'));
	for (let number = 1; number <= 60; number++) {
		app.program.requests.add({
			method: 'GET', path: `/number/${number}/`, status: 200, startedAt: 0, durationMilliseconds: number,
		});
	}

	app.press('!');
	const lines = await app.waitForFrame(includes(' Requests 1–22 of 50'));
	t.assert.match(lines[1]!, /GET {4}200 {5}60 ms \/number\/60\/$/);
	app.press('G');
	t.assert.match((await app.waitForFrame(includes('29–50 of 50'))).at(-2)!, /GET {4}200 {5}11 ms \/number\/11\/$/);
	app.press('escape');
	await app.waitForFrame(includes(' > on   lamps'));
});
