import {assert, test, type TestContext} from '../../helpers/node.ts';
import {isInstalledList, isToggle, startDocumentedHome, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {includes, hasAgents, isFresh, says, assertScreen, shown} from '../helpers/shown.ts';
import {openApp, openHome, renderApp} from '../helpers/kit.ts';

const tabs = '1 Agents [2 Abilities] 3 Installed';

const header = 'Switchboard  environment  reads every 15 s';

const rows = [
	' > on   lamps                              skill      2 days',
	'   on   pantry                             brain      2 days',
	'   off  nightwatch                         daemon     2 days',
	'   –    desk                               local      2 days',
];

const isReady = (lines: readonly string[]): boolean =>
	includes('reads every 15 s')(lines) && hasAgents(lines) && includes(' on   pantry')(lines);

test('abilities show whether they are installed, and their state', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	assertScreen(await app.press('2').shows(isReady), {header, tabs, rows});
});

test('Space switches the installed record of an ability', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', until: isReady});
	const release = service.hold({when: isToggle});
	const pending = await app.press('j', 'j', 'space').shows('~');
	assertScreen(pending, {
		header: 'Switchboard  environment  reads every 15 s',
		tabs,
		rows: [rows[0]!.replace('>', ' '), rows[1]!, ' > on~  nightwatch                         daemon     2 days', rows[3]!],
	});
	release();
	await app.shows(' > on   nightwatch');
	assert.deepEqual(togglesOf(service), [
		{
			id: 303,
			body: {
				enabled: true,
				name: 'nightwatch',
				category: 'background_daemon',
				trigger_words: [],
				system_capability: false,
				agent_capability: true,
			},
		},
	]);
	assert.equal(storedState(service, 303), true);
	assert.ok(includes('on   nightwatch')(await app.press('3').shows('[3 Installed]')), 'both screens tell the same');
});

test('where the installed abilities cannot be read, states are unknown', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({when: isInstalledList, status: 403});
	const app = await openApp(t, {service, screen: 'abilities', until: 'lamps'});
	await app.until(() => service.requests.some(request => isInstalledList(request)));
	const told = await app.press('space').shows(isFresh, says('the installed abilities could not be read.'));
	assertScreen(told, {
		header: 'Switchboard  environment  reads every 15 s · 4 abilities',
		tabs,
		rows: rows.map(row => row.slice(0, 3) + '?'.padEnd(5) + row.slice(8)),
		message: [' ! It is not known yet whether lamps is installed: the installed', ' abilities could not be read.'],
	});
	assert.deepEqual(togglesOf(service), []);
	assert.deepEqual(shown(await app.press('r').shows(isReady)).slice(3, 7), rows);
});

test('while the installed abilities are being read, states are unknown', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await openApp(t, {service, screen: 'abilities', until: ' > ?    lamps'});
	await app.press('space').says('the installed abilities are still being read.');
	release();
	assert.ok(includes(' > on   lamps')(await app.shows(isReady)));
	assert.deepEqual(togglesOf(service), []);
});

test('r also refreshes the states', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', until: isReady});
	service.installed.shift();
	assertScreen(await app.press('r').shows(' > –    lamps'), {
		header: 'Switchboard  environment  reads every 15 s',
		tabs,
		rows: [rows[0]!.replace('on ', '–  '), ...rows.slice(1)],
	});
});

test('abilities and installed records without a link stay apart, and states are unknown', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, until: 'of 3 on'});
	assertScreen(await app.press('2').shows(isFresh, ' ?    #11'), {
		header: 'Switchboard  environment  reads every 15 s · 3 abilities',
		tabs,
		rows: [
			' > ?    #11                                –',
			'   ?    #12                                –',
			'   ?    #13                                –',
		],
	});
	await app.press('space').says("This service doesn't show which installed ability #11 is. 3 lists the installed abilities.");
	assert.deepEqual(togglesOf(service), []);
	assert.ok(service.requests.some(({path}) => path === '/api/capabilities/get-all-capability/'));
});

test('a filter for is:on is right even if the states arrive after the abilities', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await openApp(t, {service, screen: 'abilities', until: ' ?    desk'});
	await app.write('/is:on\r').says('No abilities match');
	release();
	assertScreen(await app.shows(isReady), {header, tabs, rows: rows.slice(0, 2), filter: '/is:on   2 of 4'});
});

test('abilities and installed records are linked by names, by ability ids, or by nothing being installed', async (t: TestContext) => {
	const ready =
		(row: string) =>
		(lines: readonly string[]): boolean =>
			isFresh(lines) && includes(row)(lines);
	const named = await startDocumentedHome(t, {
		abilities: [{capability_id: 11, name: 'lamps'}, {capability_id: 12, name: 'desk'}, {capability_id: 13}],
		installed: [{installed_cap_id: 101, enabled: true, name: 'lamps'}],
	});
	const first = await openApp(t, {service: named, screen: 'abilities', until: ready(' > on   lamps')});
	assert.deepEqual(
		first
			.lines()
			.slice(4, 6)
			.map(line => line.slice(3, 12).trimEnd()),
		['–    desk', '?    #13'],
	);
	const identified = await startDocumentedHome(t, {installed: [{installed_cap_id: 101, enabled: true, capability_id: 11}]});
	const second = await openApp(t, {service: identified, screen: 'abilities', until: ready(' > on   #11')});
	assert.deepEqual(
		second
			.lines()
			.slice(4, 6)
			.map(line => line.slice(3, 12).trimEnd()),
		['–    #12', '–    #13'],
	);
	const empty = await startDocumentedHome(t, {installed: []});
	await openApp(t, {service: empty, screen: 'abilities', until: ready(' > –    #11')});
});
