import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {loadWithForcedColor} from '../../../source/terminal/capabilities.ts';
import {installedListCount, installedRecord, isInstalledList, isToggle, startHome, toggledIds, togglesOf} from '../helpers/homes.ts';
import {abilityHead, lowScreen} from '../helpers/shown.ts';
import {entriesThatAreNoRecord} from '../../helpers/live-like/home.ts';
import {cursorLine, includes, isFresh, says, screen, shown, small, wide} from '../helpers/kit.ts';

// A test has no terminal, and Ink would leave looks out.
const {renderApp} = await loadWithForcedColor(async () => import('../../helpers/render-app.tsx'));
const {openApp, openHome} = await import('../helpers/open-home.ts');

const header = 'Switchboard  environment  reads every 15 s · 2 of 3 on';

const manyRecords = (count: number): unknown[] =>
	Array.from({length: count}, (_, index) => installedRecord(index + 1, `ability${index}`, true));

test('the third line names the columns, with an arrow at the sort column', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const lamps = 'on   lamps                              skill      2 days';
	const pantry = 'on   pantry                             brain      2 days';
	const nightwatch = 'off  nightwatch                         daemon     2 days';
	assert.deepEqual(
		shown(await app.press('s').shows('name↑')),
		screen({
			header,
			tabs: '1 Agents  2 Abilities [3 Installed]  by name',
			head: abilityHead.replace('name ', 'name↑'),
			rows: [` > ${lamps}`, `   ${nightwatch}`, `   ${pantry}`],
			message: [' Installed abilities sorted by name.'],
		}),
	);
	assert.deepEqual(
		shown(await app.press('s', 'S').shows('state↓')),
		screen({
			header,
			tabs: '1 Agents  2 Abilities [3 Installed]  by state, reversed',
			head: abilityHead.replace('state ', 'state↓'),
			rows: [`   ${nightwatch}`, ` > ${lamps}`, `   ${pantry}`],
			message: [' Order reversed.'],
		}),
	);
	assert.equal(installedListCount(service), 1);
});

test('a short screen has no column names, to save a line', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 40, rows: 13}});
	const lines = app.lines();
	assert.ok(!includes('category')(lines));
	assert.ok(includes('lamps')(lines.slice(2, 3)), lines.join('\n'));
});

test('an empty line separates a full list from the message', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: manyRecords(50)}, size: {columns: 64, rows: 16}});
	service.failNext({
		when: isToggle,
		status: 500,
		body: JSON.stringify({detail: 'something went wrong in there, and nobody knows yet what it was'}),
	});
	const lines = await app.press('space').says('Space retries.');
	assert.deepEqual(lines.slice(-5), [
		'   on   ability8                           skill      2 days',
		'',
		' ! ability0 stays on: the service answered “something went wrong',
		' in there, and nobody knows yet what it was”. Space retries.',
		lines.at(-1),
	]);
	assert.deepEqual(toggledIds(service), [1]);
});

test('an info is brighter than the hints; an error has the error colour and a sign', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('S').shows('Order reversed.');
	assert.match(app.rawFrame(), /^ Order reversed\.$/m);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').shows('! lamps stays on');
	assert.match(app.rawFrame(), /\u{1B}\[31m! lamps stays on/u);
});

for (const hasPane of [true, false]) {
	test(`on a very wide screen nothing of a list is further right than column 200, ${hasPane ? 'with' : 'without'} the details`, async (t: TestContext) => {
		const phrases = Array.from({length: 60}, (_, index) => `a rather long phrase ${index}`);
		const installed = [
			installedRecord(1, 'a name that goes on and on '.repeat(6).trim(), true, {trigger_words: phrases}),
			installedRecord(2, 'lamps', true),
		];
		const {app} = await openHome(t, {home: {installed}, size: {columns: 320, rows: 30}});
		if (!hasPane) {
			app.press('p', 'p');
		}

		const lines = await app.shows(frame => frame.some(line => line.includes('│')) === hasPane);
		assert.ok(
			lines.every(line => stringWidth(line) <= 200),
			lines.join('\n'),
		);
		assert.ok(
			lines.some(line => stringWidth(line) >= 195),
			'and what there is room for is used',
		);
		assert.equal(includes('2 days')(lines), true);
	});
}

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
		screen({
			header: 'Switchboard  environment  reads every 15 s · none installed',
			tabs,
			rows: ['   No installed abilities yet.', '   2 lists all abilities.'],
		}),
	);
	assert.ok(includes(' Nothing is selected.')(await app.press('space').shows('Nothing is')));
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
	assert.ok(says('The service refused the API key. Invalid API key.')(lines), lines.join('\n'));
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
		header: 'Switchboard  environment  ! key refused, as of 00:00',
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
		'Switchboard  environment  reads every 15 s · 2 of 3 on',
	);
});

test('invalid records are ignored and counted', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {installed: [...entriesThatAreNoRecord, installedRecord(1, 'lamps', true)]}});
	assert.deepEqual(
		shown(app.lines()),
		screen({
			header: `environment  reads every 15 s · ${entriesThatAreNoRecord.length} records skipped`,
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
			header: 'Switchboard  environment  reads every 15 s · incomplete list',
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
	assert.deepEqual(toggledIds(service), [303]);
});

const fits = (lines: readonly string[], columns: number, rows: number): boolean =>
	lines.length === rows && lines.every(line => stringWidth(line) <= columns);

test('at 40×10 a row shows state, name and category', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	const lines = app.lines();
	assert.deepEqual(
		shown(lines),
		lowScreen({
			header: 'environment  reads every 15 s',
			tabs: '1 Agents  2 Abilities [3 Installed]',
			rows: [' > on   lamps                skill', '   on   pantry               brain', '   off  nightwatch           daemon'],
		}),
	);
	assert.ok(fits(lines, 40, 10));
	assert.ok(lines.at(-1)!.startsWith(' space switch'), 'the keys that act');
});

test('20×5 is the minimum, and still shows and switches the row under the cursor', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 20, rows: 5}});
	const lines = await app.shows('lamps');
	assert.ok(fits(lines, 20, 5), lines.join('\n'));
	assert.match(lines[0]!, /every|environ/);
	assert.match(lines[1]!, /\[3 Installed\]/);
	await app.press('j', 'space').shows(' > off  pantry');
	service.failNext({
		when: isToggle,
		status: 500,
		body: JSON.stringify({detail: 'a very long explanation of what has gone wrong in there'}),
	});
	const failed = await app.press('space').shows('pantry stays');
	assert.ok(fits(failed, 20, 5), failed.join('\n'));
	assert.match(failed[1]!, /\[3 Installed\]/);
	assert.match(cursorLine(failed)!, /off {2}pantry/);
});

test('below the minimum size the screen says so, and comes back with more room', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 19, rows: 5}});
	assert.deepEqual(app.lines(), ['Need at least 20×5.']);
	assert.match(cursorLine(await app.resize({columns: 64, rows: 14}).shows(isFresh))!, /lamps/);
	assert.deepEqual(await app.resize({columns: 40, rows: 4}).shows('at least'), ['Need at least 20×5.']);
});

test('the screen fits at every size, with the row under the cursor in view', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {installed: Array.from({length: 50}, (_, index) => installedRecord(index + 1, `ability${index}`, true))},
		size: wide,
	});
	await app.write('j'.repeat(25)).shows(lines => cursorLine(lines)?.includes('ability25') ?? false);
	for (const [columns, rows] of [
		[60, 24],
		[40, 24],
		[100, 24],
		[80, 10],
		[20, 5],
		[37, 13],
		[200, 60],
		[80, 24],
	] as const) {
		const size = {columns, rows};
		const lines = await app.resize(size).shows(frame => frame.length === size.rows && fits(frame, size.columns, size.rows));
		assert.match(cursorLine(lines) ?? '', /ability25/, `${size.columns}×${size.rows}:\n${lines.join('\n')}`);
	}
});

test('overlays fit at every size as well', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	for (const key of ['?', 'P', ':', '!']) {
		app.press(key);
		for (const size of [
			{columns: 40, rows: 10},
			{columns: 20, rows: 5},
			{columns: 200, rows: 60},
			{columns: 80, rows: 24},
		]) {
			const lines = await app.resize(size).shows(frame => fits(frame, size.columns, size.rows));
			assert.notEqual(lines[0], '', `${key} at ${size.columns}×${size.rows}`);
		}

		await app.press('escape').shows(isFresh);
	}
});

test('a long profile name is cut before the status', async (t: TestContext) => {
	const service = await startHome(t);
	for (const profileName of [
		'a-profile-with-a-name-that-is-longer-than-any-line-would-hold',
		'東京本社の音声エージェント環境東京本社の音声エージェント環境',
	]) {
		const app = await openApp(t, {service, profileName, size: {columns: 120, rows: 14}});
		for (const columns of [120, 80, 64, 40]) {
			const lines = await app.resize({columns, rows: 14}).shows(frame => fits(frame, columns, 14));
			assert.match(lines[0]!, /reads every 15 s(?: · 2 of 3 on)?$/, `${columns} columns:\n${lines[0]}`);
		}

		await app.close();
	}
});
