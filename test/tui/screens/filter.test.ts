import {assert, test, type TestContext} from '../../helpers/node.ts';
import {abilityHead, cursorLine, filterLine, includes, assertScreen, shown} from '../helpers/shown.ts';
import {wanted} from '../helpers/presets.ts';
import {installedRecord, openApp, openHome, type RenderedApp, small, startDocumentedHome, togglesOf} from '../helpers/kit.ts';

const header = 'Switchboard  environment  reads every 15 s · 2 of 3 on';
const tabs = '1 Agents  2 Abilities [3 Installed]';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const underCursor = (row: string): string => ` > ${row.slice(3)}`;

const waitForFilter = async (app: RenderedApp, end: string): Promise<readonly string[]> =>
	app.shows(lines => filterLine(lines).endsWith(end));

const waitForNoFilter = async (app: RenderedApp): Promise<readonly string[]> => app.shows(lines => filterLine(lines) === '');

test('the list is filtered as the filter is typed, with a count', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('/');
	assertScreen(await waitForFilter(app, '/_   3 of 3'), {
		header,
		tabs,
		filter: '/_   3 of 3',
		rows: [underCursor(lamps), pantry, nightwatch],
	});
	app.press('n');
	assertScreen(await waitForFilter(app, '/n_   2 of 3'), {header, tabs, filter: '/n_   2 of 3', rows: [underCursor(nightwatch), pantry]});
	app.press('i');
	assertScreen(await waitForFilter(app, '/ni_   1 of 3'), {header, tabs, filter: '/ni_   1 of 3', rows: [underCursor(nightwatch)]});
});

test('Enter keeps the filter, and the keys work on its rows', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/n\r');
	await waitForFilter(app, '/n   2 of 3');
	assertScreen(await app.press('j').shows(' > on   pantry'), {
		header,
		tabs,
		filter: '/n   2 of 3',
		rows: [nightwatch, underCursor(pantry)],
	});
	app.press('j');
	assert.ok(includes(' > off  nightwatch')(await app.write('k').shows(' > off  nightwatch')), 'it stayed at the end before');
});

test('clearing the filter keeps the cursor on the record that was found, among its neighbours', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('/night\r');
	await waitForFilter(app, '/night   1 of 3');
	app.press('escape');
	assert.deepEqual((await waitForNoFilter(app)).slice(3, 6), [lamps, pantry, underCursor(nightwatch)]);
	await app.write('/pantry').shows(' > on   pantry');
	app.press('escape');
	await waitForNoFilter(app);
	await app.press('k').shows(' > on   lamps');
});

test('erasing the filter, or clearing one that matches nothing, takes the cursor back to its record', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('j').shows(' > on   pantry');
	await app.write('/night').shows(' > off  nightwatch');
	app.press('ctrl+u');
	assert.match(cursorLine(await waitForFilter(app, '/_   3 of 3'))!, /pantry/);
	app.write('zebra');
	await waitForFilter(app, '/zebra_   0 of 3');
	app.press('escape');
	assert.match(cursorLine(await waitForNoFilter(app))!, /pantry/);
});

test('a filter without matches says so, and how to clear it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/zebra\r');
	assertScreen(await waitForFilter(app, '/zebra   0 of 3'), {
		header,
		tabs,
		filter: '/zebra   0 of 3',
		head: abilityHead,
		rows: ['   No installed abilities match the filter “zebra”.', '   Esc clears the filter.'],
	});
	await app.press('space').shows('Nothing is selected.');
	for (const key of ['x', 'v', 'a']) {
		await app.press('y').shows('Nothing is selected.');
		await app.press(key).shows('Nothing is selected.');
	}

	assert.deepEqual(togglesOf(service), []);
});

test('Ctrl+T switches the row under the cursor while a name is typed, whatever is marked', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('x', 'x').shows('2 marked');
	await app.write('/an').shows('*> on   pantry');
	await app.press('ctrl+t').shows('*> off  pantry');
	assert.deepEqual(wanted(service), [[302, false]]);
	assert.equal(filterLine(app.lines()), '/an_   1 of 3');
	await app.press('escape').shows('2 marked');
	await app.press('u').says('pantry is on again.');
});

test('Ctrl+T works after a move in an open filter, not on the agents, and not in a read-only run', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('/', 'n', 'down', 'ctrl+t').shows(' > off  pantry');
	await app.press('escape', ...'1/', 'ctrl+t').says('Ctrl+T works on Abilities and Installed, not here.');
	const {app: other} = await openHome(t, {isReadOnly: true});
	await other.press('/', 'ctrl+t').says('Not switched: this run is read-only.');
	assert.deepEqual(wanted(service), [[302, false]]);
});

test('Tab makes a term of a word that names a state, a category or an agent, and the list says so where nothing has it', async (t: TestContext) => {
	const {app} = await openHome(t);
	const lines = await app.write('/off').says('No name has “off”. Tab: is:off');
	assert.equal(lines.at(-1), ' enter keep  esc clear  ctrl+t switch  tab is:off');
	await app.press('tab').shows(' > off  nightwatch', '/is:off_   1 of 3');
	app.press('ctrl+u');
	app.write('pantry Brain');
	await app.press('tab').shows('/pantry category:brain_   1 of 3');
	app.press('ctrl+u');
	await app.write('hearth').says('No name has “hearth”. Tab: agent:Hearth');
	await app.press('enter').says('No installed abilities match the filter “hearth”.');
	app.press('escape', '1');
	await app.write('/off').says('No agents match the filter “off”.');
});

test('a filter stays through a refresh, and applies to new records', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/night\r');
	await waitForFilter(app, '1 of 3');
	service.installed.push(installedRecord(400, 'nightlight', true), installedRecord(401, 'attic', true));
	app.press('r');
	assert.deepEqual(shown(await waitForFilter(app, '2 of 5')).slice(3, 5), [
		underCursor(nightwatch),
		'^  on   nightlight                         skill      2 days',
	]);
});

for (const size of [small, {columns: 64, rows: 14}]) {
	test(`the filter stays at the bottom left of ${size.columns} columns while it is typed, under messages of any length`, async (t: TestContext) => {
		const {app} = await openHome(t, {size});
		const [, tabsLine] = app.lines();
		const placeOf = (lines: readonly string[]) => ({fromBottom: lines.length - lines.indexOf(filterLine(lines)), tabsLine: lines[1]});
		const place = {fromBottom: size === small ? 1 : 2, tabsLine};
		app.press('/');
		assert.deepEqual(placeOf(await waitForFilter(app, '/_   3 of 3')), place);
		app.press('n');
		assert.deepEqual(placeOf(await waitForFilter(app, '/n_   2 of 3')), place);
		app.press('enter');
		const kept = await waitForFilter(app, '/n   2 of 3');
		assert.deepEqual(placeOf(kept), place);
		assert.ok(includes(' space switch')(kept), kept.join('\n'));
		for (const text of ['short', `long ${'enough for a second line '.repeat(3)}`.trim()]) {
			app.ui.say('info', text);
			const lines = await app.says(text);
			assert.deepEqual(placeOf(lines), place);
			assert.ok(includes(' > off  nightwatch')(lines), lines.join('\n'));
		}
	});
}

test('on a narrow screen the end of a long filter is shown, beside the count and below marks and sort order', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	await app.write('xsS').shows('1 marked');
	app.write('/night !lamps !pantry category:daemon is:off');
	const typed = await waitForFilter(app, 'off_   1 of 3');
	assert.deepEqual([typed[1], typed.at(-1)], [' 1 A  2 Ab [3 Installed]       1 marked', '…antry category:daemon is:off_   1 of 3']);
	app.press('enter');
	assert.equal((await waitForFilter(app, 'off   1 of 3')).at(-1), '…pantry category:daemon is:off   1 of 3');
});

test('a row switched so that the filter no longer matches stays after opening its details or help', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('/is:on\r ').until(() => togglesOf(service).length === 1);
	const rows = [underCursor(lamps.replace('on ', 'off')), pantry];
	for (const [key, title] of [
		['?', ' Keys'],
		['enter', ' lamps'],
	] as const) {
		await app.press(key).shows(lines => lines[0]!.startsWith(title));
		app.press('escape');
		assert.deepEqual(
			shown(await waitForFilter(app, '/is:on   2 of 3'))
				.slice(3, -2)
				.map(row => row.slice(0, 30)),
			rows.map(row => row.slice(0, 30)),
		);
	}

	await app.press('2').shows('[2 Abilities]');
	app.press('3');
	assert.match(cursorLine(await waitForFilter(app, '/is:on   1 of 3'))!, /^ > on {3}pantry /);
});

for (const name of ['installed', 'abilities'] as const) {
	test(`agent: leaves what an agent has, on the screen ${name}; the agents are read once`, async (t: TestContext) => {
		const agents = [
			{id: 1, name: 'Hearth', matching_capabilities: [21, 23]},
			{id: 2, name: 'Porch', matching_capabilities: ['22']},
		];
		const {service, app} = await openHome(t, {home: {agents}, screen: name});
		const askedForAgents = (): number => service.requests.filter(({path}) => path.endsWith('/get-all-personalities/')).length;
		assert.equal(askedForAgents(), 1);
		const lines = await app.write('/agent:porch\r').shows(frame => / 1 of [34]$/.test(filterLine(frame)));
		assert.match(cursorLine(lines)!, / pantry /);
		assert.equal(askedForAgents(), 1);
		app.press('escape');
		assert.match(
			cursorLine(await app.write('/!agent:Porch is:on\r').shows(frame => filterLine(frame).startsWith('/!agent:Porch is:on ')))!,
			/^ > on {3}lamps /,
		);
	});
}

test("where the agents' abilities are unknown, agent: matches nothing and says so", async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service});
	await app.write('/agent:1\r').says('No installed abilities match the filter “agent:1”.');
	await app.press('escape').shows('#101');
});

test('Tab completes terms and values and never leaves the filter line', async (t: TestContext) => {
	const agents = [
		{id: 1, name: 'Front Porch', matching_capabilities: [21]},
		{id: 2, name: 'Hearth', matching_capabilities: [22]},
	];
	const {service, app} = await openHome(t, {home: {agents}, size: {columns: 80, rows: 14}});
	app.write('/categ\t');
	await waitForFilter(app, '/category:_   3 of 3');
	app.write('sk\t');
	await waitForFilter(app, '/category:skill_   1 of 3');
	// Nothing fits: what is typed next is still text.
	app.write('x\tory:skill q');
	await waitForFilter(app, '/category:skillxory:skill q_   0 of 3');
	app.press('ctrl+u', ...'is:o', 'tab', 'tab');
	await waitForFilter(app, '/is:off_   1 of 3');
	app.press('shift+tab');
	await waitForFilter(app, '/is:on_   2 of 3');
	app.press('ctrl+u', ...'agent:');
	await waitForFilter(app, '/agent:_   3 of 3');
	await app.until(() => service.requests.some(({path}) => path.endsWith('/get-all-personalities/')));
	await app.until(() => app.session().records.queryClient.isFetching() === 0);
	app.write('f\t');
	assert.match(cursorLine(await waitForFilter(app, '/agent:"Front Porch"_   1 of 3'))!, / lamps /);
	app.press('enter');
	await waitForFilter(app, '/agent:"Front Porch"   1 of 3');
	assert.deepEqual(app.state().overlays, []);
	assert.deepEqual(togglesOf(service), []);
});

test('keys that move go to the rows below an open filter line, and no other key does', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('/n');
	await waitForFilter(app, '/n_   2 of 3');
	await app.press('down').shows(' > on   pantry');
	await app.press('ctrl+p').shows(' > off  nightwatch');
	await app.press('f1', 'ctrl+r', 'ctrl+d', 'insert', 'down').shows(' > on   pantry');
	assert.deepEqual([app.state().overlays, app.state().messages.shown, togglesOf(service)], [[], undefined, []]);
});

test('on the Agents screen agent: filters by name', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	app.write('/agent:porch\r');
	assert.match(cursorLine(await waitForFilter(app, '1 of 2'))!, / Porch /);
});
