import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import type {RenderedApp} from '../../helpers/render-app.tsx';
import {installedRecord, startDocumentedHome, togglesOf} from '../helpers/homes.ts';
import {
	abilityHead,
	cursorLine,
	includes,
	says,
	screen,
	shown,
} from '../helpers/shown.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small} from '../helpers/sizes.ts';

const header = 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const underCursor = (row: string): string => ` > ${row.slice(3)}`;

const tabsEndWith = (end: string) => (lines: readonly string[]): boolean => lines[1]!.endsWith(end);

const waitForTabs = async (app: RenderedApp, end: string): Promise<readonly string[]> => app.waitForFrame(tabsEndWith(end));

test('the list is filtered as the filter is typed, with a count', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('/');
	assert.deepEqual(shown(await waitForTabs(app, '/_   3 of 3')), screen({
		header, tabs: '1 Agents  2 Abilities [3 Installed]  /_  3 of 3', rows: [underCursor(lamps), pantry, nightwatch],
	}));
	app.press('n');
	assert.deepEqual(shown(await waitForTabs(app, '/n_   2 of 3')), screen({
		header, tabs: '1 Agents  2 Abilities [3 Installed]  /n_  2 of 3', rows: [underCursor(nightwatch), pantry],
	}));
	app.press('i');
	assert.deepEqual(shown(await waitForTabs(app, '/ni_   1 of 3')), screen({
		header, tabs: '1 Agents  2 Abilities [3 Installed]  /ni_  1 of 3', rows: [underCursor(nightwatch)],
	}));
});

test('a filter and the keys after it can arrive in one chunk', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/night\r ');
	await app.waitForFrame(includes(' > on   nightwatch'));
	assert.deepEqual(shown(app.lines()), screen({
		header: 'environment · 127.0.0.1:00000  every 15 s · 3 of 3 on',
		tabs: '1 Agents  2 Abilities [3 Installed]  /night  1 of 3',
		rows: [underCursor('   on   nightwatch                         daemon     2 days')],
	}));
	assert.deepEqual(togglesOf(service).map(({id}) => id), [303]);
});

test('Enter keeps the filter, and the keys work on its rows', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/n\r');
	await waitForTabs(app, '/n   2 of 3');
	app.press('j');
	assert.deepEqual(shown(await app.waitForFrame(includes(' > on   pantry'))), screen({
		header, tabs: '1 Agents  2 Abilities [3 Installed]  /n  2 of 3', rows: [nightwatch, underCursor(pantry)],
	}));
	app.press('j');
	app.write('k');
	assert.ok(includes(' > off  nightwatch')(await app.waitForFrame(includes(' > off  nightwatch'))), 'it stayed at the end before');
});

test('clearing the filter keeps the cursor on the record that was found, among its neighbours', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/night\r');
	await waitForTabs(app, '/night   1 of 3');
	app.press('escape');
	assert.deepEqual((await waitForTabs(app, 'Installed]')).slice(3, 6), [lamps, pantry, underCursor(nightwatch)]);
	app.write('/pantry');
	await app.waitForFrame(includes(' > on   pantry'));
	app.press('escape');
	await waitForTabs(app, 'Installed]');
	app.press('k');
	await app.waitForFrame(includes(' > on   lamps'));
});

test('erasing the filter, or clearing one that matches nothing, takes the cursor back to its record', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('j');
	await app.waitForFrame(includes(' > on   pantry'));
	app.write('/night');
	await app.waitForFrame(includes(' > off  nightwatch'));
	app.press('ctrl+u');
	assert.match(cursorLine(await waitForTabs(app, '/_   3 of 3'))!, /pantry/);
	app.write('zebra');
	await waitForTabs(app, '/zebra_   0 of 3');
	app.press('escape');
	assert.match(cursorLine(await waitForTabs(app, 'Installed]'))!, /pantry/);
});

test('a filter without matches says so, and how to clear it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/zebra\r');
	assert.deepEqual(shown(await waitForTabs(app, '/zebra   0 of 3')), screen({
		header,
		tabs: '1 Agents  2 Abilities [3 Installed]  /zebra  0 of 3',
		head: abilityHead,
		rows: ['   No installed abilities match the filter “zebra”.', '   Esc clears the filter.'],
	}));
	app.press('space');
	await app.waitForFrame(includes('No row to switch.'));
	for (const key of ['x', 'v', 'a']) {
		app.press('y');
		await app.waitForFrame(includes('No row to copy the id of.'));
		app.press(key);
		await app.waitForFrame(includes('No row to mark.'));
	}

	assert.deepEqual(togglesOf(service), []);
});

test('a filter stays through a refresh, and applies to new records', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/night\r');
	await waitForTabs(app, '1 of 3');
	service.installed.push(installedRecord(400, 'nightlight', true), installedRecord(401, 'attic', true));
	app.press('r');
	assert.deepEqual(shown(await waitForTabs(app, '2 of 5')).slice(3), [underCursor(nightwatch), '^  on   nightlight                         skill      2 days']);
});

test('on a narrow screen the end of the filter is shown beside the marks, whatever the sort order', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	app.write('xsS');
	await waitForTabs(app, '1 marked');
	app.write('/night !lamps is:off');
	assert.equal((await waitForTabs(app, '1* 1/3'))[1], ' 1  2 [3 Installed]  … is:off_   1* 1/3');
	app.press('enter');
	assert.equal((await waitForTabs(app, 'off   1* 1/3'))[1], ' 1  2 [3 Installed]  …s is:off   1* 1/3');
	app.press('escape');
	assert.equal((await waitForTabs(app, '1 of 3'))[1], ' 1  2 [3 Installed]  …s is:off   1 of 3');
});

test('a row switched so that the filter no longer matches stays after opening its details or help', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/is:on\r ');
	await app.waitUntil(() => togglesOf(service).length === 1);
	const rows = [underCursor(lamps.replace('on ', 'off')), pantry];
	for (const [key, title] of [['?', ' Keys'], ['enter', ' lamps']] as const) {
		app.press(key);
		await app.waitForFrame(lines => lines[0]!.startsWith(title));
		app.press('escape');
		assert.deepEqual(shown(await waitForTabs(app, '/is:on   2 of 3')).slice(3).map(row => row.slice(0, 30)), rows.map(row => row.slice(0, 30)));
	}

	app.press('2');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.press('3');
	assert.match(cursorLine(await waitForTabs(app, '/is:on   1 of 3'))!, /^ > on {3}pantry /);
});

for (const name of ['installed', 'abilities'] as const) {
	test(`agent: leaves what an agent has, on the screen ${name}; the agents are read once`, async (t: TestContext) => {
		const agents = [{id: 1, name: 'Hearth', matching_capabilities: [21, 23]}, {id: 2, name: 'Porch', matching_capabilities: ['22']}];
		const {service, app} = await openHome(t, {home: {agents}, screen: name});
		const askedForAgents = (): number => service.requests.filter(({path}) => path.endsWith('/get-all-personalities/')).length;
		assert.equal(askedForAgents(), 1);
		app.write('/agent:porch\r');
		const lines = await app.waitForFrame(frame => / 1 of [34]$/.test(frame[1]!));
		assert.match(cursorLine(lines)!, / pantry /);
		assert.equal(askedForAgents(), 1);
		app.press('escape');
		app.write('/!agent:Porch is:on\r');
		assert.match(cursorLine(await app.waitForFrame(frame => frame[1]!.includes('/!agent:Porch is:on')))!, /^ > on {3}lamps /);
	});
}

test('where the agents\' abilities are unknown, agent: matches nothing and says so', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service});
	app.write('/agent:1\r');
	await app.waitForFrame(says('No installed abilities match the filter “agent:1”.'));
	app.press('escape');
	await app.waitForFrame(includes('#101'));
});

test('Tab completes terms and values and never leaves the filter line', async (t: TestContext) => {
	const agents = [{id: 1, name: 'Front Porch', matching_capabilities: [21]}, {id: 2, name: 'Hearth', matching_capabilities: [22]}];
	const {service, app} = await openHome(t, {home: {agents}, size: {columns: 80, rows: 14}});
	app.write('/categ\t');
	await waitForTabs(app, '/category:_   3 of 3');
	app.write('sk\t');
	await waitForTabs(app, '/category:skill_   1 of 3');
	// Nothing fits: what is typed next is still text.
	app.write('x\tory:skill q');
	await waitForTabs(app, '/category:skillxory:skill q_   0 of 3');
	app.press('ctrl+u', ...'is:o', 'tab', 'tab');
	await waitForTabs(app, '/is:off_   1 of 3');
	app.press('shift+tab');
	await waitForTabs(app, '/is:on_   2 of 3');
	app.press('ctrl+u', ...'agent:');
	await waitForTabs(app, '/agent:_   3 of 3');
	await app.waitUntil(() => service.requests.some(({path}) => path.endsWith('/get-all-personalities/')));
	await app.waitUntil(() => app.session().queryClient.isFetching() === 0);
	app.write('f\t');
	assert.match(cursorLine(await waitForTabs(app, '/agent:"Front Porch"_   1 of 3'))!, / lamps /);
	app.press('enter');
	await waitForTabs(app, '/agent:"Front Porch"   1 of 3');
	assert.deepEqual(app.state().overlays, []);
	assert.deepEqual(togglesOf(service), []);
});

test('keys that move go to the rows below an open filter line, and no other key does', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/n');
	await waitForTabs(app, '/n_   2 of 3');
	app.press('down');
	await app.waitForFrame(includes(' > on   pantry'));
	app.press('ctrl+p');
	await app.waitForFrame(includes(' > off  nightwatch'));
	app.press('f1', 'ctrl+r', 'ctrl+d', 'insert', 'down');
	await app.waitForFrame(includes(' > on   pantry'));
	assert.deepEqual([app.state().overlays, app.state().messages.shown, togglesOf(service)], [[], undefined, []]);
});

test('on the Agents screen agent: filters by name', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	app.write('/agent:porch\r');
	assert.match(cursorLine(await waitForTabs(app, '1 of 2'))!, / Porch /);
});
