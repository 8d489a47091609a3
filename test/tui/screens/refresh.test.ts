import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {startLiveLikeService} from '../../helpers/live-like-service.ts';
import {
	installedListCount,
	installedRecord,
	isInstalledList,
	storedState,
	togglesOf,
} from '../helpers/homes.ts';
import {
	cursorLine,
	failedRow,
	includes,
	isFresh,
	says,
	screen,
	shown,
} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const manyRecords = (count: number) => Array.from({length: count}, (_, index) => installedRecord(1000 + index, `ability${index}`, true));

test('the cursor stays on its record when rows are added above it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.press('j');
	await app.waitForFrame(includes(' > on   pantry'));
	service.installed.unshift(installedRecord(400, 'attic', true), installedRecord(401, 'balcony', false));
	app.press('r');
	assert.deepEqual(shown(await app.waitForFrame(includes('attic'))), screen({
		header: 'environment · 127.0.0.1:00000  every 15 s · 5 installed, 3 on',
		tabs,
		rows: [
			'^  on   attic                              skill      2 days',
			'^  off  balcony                            skill      2 days',
			'   on   lamps                              skill      2 days',
			' > on   pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
	}));
});

test('the cursor stays on its record when rows change order', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.installed.reverse();
	app.press('r');
	assert.deepEqual(shown(await app.waitForFrame(lines => lines[3]?.includes('nightwatch') ?? false)), screen({
		header: 'environment · 127.0.0.1:00000  every 15 s · 3 installed, 2 on',
		tabs,
		rows: [
			'   off  nightwatch                         daemon     2 days',
			'   on   pantry                             brain      2 days',
			' > on   lamps                              skill      2 days',
		],
	}));
});

test('when a record is deleted the cursor goes to its neighbour', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.press('j');
	await app.waitForFrame(includes(' > on   pantry'));
	service.installed.splice(1, 1);
	app.press('r');
	assert.match(cursorLine(await app.waitForFrame(lines => !includes('pantry')(lines)))!, /^ > off {2}nightwatch/);
	app.press('space');
	await app.waitForFrame(includes(' > on   nightwatch'));
	assert.deepEqual(togglesOf(service).map(({id}) => id), [303]);
});

test('the cursor goes to the neighbour even if rows were added above before', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: manyRecords(30)}});
	app.write('jjjjj');
	await app.waitForFrame(lines => cursorLine(lines)!.includes('ability5 '));
	service.installed.unshift(...Array.from({length: 10}, (_, index) => installedRecord(2000 + index, `new${index}`, true)));
	app.press('r');
	await app.waitForFrame(includes('40 installed'));
	service.installed.splice(15, 1);
	app.press('r');
	assert.match(cursorLine(await app.waitForFrame(includes('39 installed')))!, /ability6 /);
});

test('a refresh without changes draws the same screen', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = app.lines();
	const frameCount = app.frames().length;
	app.press('r');
	await app.waitUntil(() => installedListCount(service) === 2);
	service.installed.push(installedRecord(400, 'attic', true));
	await app.waitUntil(async () => {
		app.press('r');
		return includes('attic')(app.lines());
	});
	// On a busy machine a refresh may take long enough to be told.
	const between = app.frames().slice(frameCount).filter(lines => !includes('attic')(lines) && !includes(' Refreshing the list…')(lines));
	assert.deepEqual(between.filter(lines => lines.join('\n') !== before.join('\n')), []);
});

test('in a list of ten thousand rows only the visible ones are drawn', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: manyRecords(10_000)}, until: '10000 installed'});
	app.press('G');
	const lines = await app.waitForFrame(includes('ability9999'));
	assert.equal(lines.length, 14);
	assert.deepEqual(lines.slice(3, 12).map(line => /ability\d+/.exec(line)?.[0]), [...Array.from({length: 8}, (_, index) => `ability${9992 + index}`), undefined]);
	app.press('space');
	await app.waitForFrame(includes(' > off  ability9999'));
	assert.deepEqual(togglesOf(service).map(({id}) => id), [10_999]);
	app.write('gjjjjjjjjjj');
	assert.match(cursorLine(await app.waitForFrame(shownLines => cursorLine(shownLines)!.includes('ability10 ')))!, / ability10 /);
});

test('when the service dies the list stays and the screen says so; r reconnects', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const port = Number(new URL(service.baseAddress).port);
	await service.close();
	app.press('j', 'r');
	const rows = [
		'   on   lamps                              skill      2 days',
		' > on   pantry                             brain      2 days',
		'   off  nightwatch                         daemon     2 days',
	];
	assert.deepEqual(shown(await app.waitForFrame(lines => includes('! unreachable')(lines) && says('Check the address')(lines))), screen({
		header: 'environment  ! unreachable, as of 00:00 · 3 installed, 2 on',
		tabs,
		rows,
		message: [
			' ! Could not refresh the installed abilities.',
			' http://127.0.0.1:00000 could not be reached: connection',
			' refused. r tries again. Check the address and the network.',
		],
	}));

	app.press('space');
	assert.deepEqual(shown(await app.waitForFrame(says('Space tries again.'))), screen({
		header: 'environment  ! unreachable, as of 00:00 · 3 installed, 2 on',
		tabs,
		rows: [rows[0]!, failedRow(rows[1]!), rows[2]!],
		message: [' ! pantry stays on: http://127.0.0.1:00000 could not be reached:', ' connection refused. Space tries again.'],
	}));

	const revived = await startLiveLikeService({port, home: {installed: service.installed}});
	t.after(async () => revived.close());
	app.press('r');
	await app.waitForFrame(isFresh);
	app.press('space');
	await app.waitForFrame(includes(' > off  pantry'));
	assert.equal(storedState(revived, 302), false);
});

test('r says why the list could not be read again, each time, and the message goes once it can be; polling says nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const failure = 'Could not refresh the installed abilities. Rate limit exceeded (HTTP 429). Try again in 90 s with r.';
	const countSaid = (): number => app.state().messages.history.filter(({text}) => text === failure).length;
	const fail = (): void => {
		service.failNext({
			when: isInstalledList, status: 429, body: '', headers: {'retry-after': '90'},
		});
	};

	fail();
	await app.session().queryClient.refetchQueries({type: 'active'});
	await app.waitForFrame(includes('! rate-limited'));
	assert.equal(app.state().messages.history.length, 0);
	for (const count of [1, 2]) {
		fail();
		app.press('r');
		await app.waitUntil(() => countSaid() === count);
		await app.waitForFrame(lines => includes('! rate-limited')(lines) && says('Try again in 90 s')(lines));
		app.press('escape');
		await app.waitForFrame(lines => !says('Try again in 90 s')(lines));
	}

	fail();
	app.press('r');
	await app.waitUntil(() => countSaid() === 3);
	app.press('r');
	await app.waitForFrame(lines => isFresh(lines) && !says('Try again in 90 s')(lines));
});

test('a change that does not reach the service shows at once in the header that the list is old', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await service.close();
	app.press('space');
	const lines = await app.waitForFrame(includes('! unreachable'));
	assert.ok(says('lamps stays on:')(lines), lines.join('\n'));
});

test('a slow refresh shows a message until it is done', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList});
	app.press('r');
	assert.match((await app.waitForFrame(says('Refreshing the list…')))[0]!, /every 15 s · 3 installed/);
	service.installed.pop();
	release();
	await app.waitForFrame(lines => includes('2 installed')(lines) && !says('Reading')(lines));
});

test('the screen stays usable while the service is slow', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.hold({when: isInstalledList});
	app.press('r', 'j', 'j');
	assert.match(cursorLine(await app.waitForFrame(includes(' > off  nightwatch')))!, /nightwatch/);
	app.press('?');
	await app.waitForFrame(lines => lines[0]!.startsWith(' Keys'));
	assert.equal(app.exitCode(), undefined);
});
