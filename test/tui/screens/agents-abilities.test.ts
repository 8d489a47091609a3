import {assert, test, type TestContext} from '../../helpers/node.ts';
import {filterLine, includes, openHome, renderApp, assertScreen, small, startHome, toggledIds, togglesOf, wide} from '../helpers/kit.ts';

const agents = [
	{id: 1, name: 'Hearth', description: 'You look after a house.', matching_capabilities: [21, 22, 23, 24]},
	{id: 2, name: 'Front Porch', description: 'You greet guests.', matching_capabilities: [23]},
	{id: 3, name: 'Porch', description: '', matching_capabilities: []},
	{id: 4, name: 'Cellar', description: ''},
];

test('the row of an agent shows how many of its abilities are on', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service, screen: 'agents', size: wide});
	assertScreen(await app.shows('●●○–'), {
		header: 'Switchboard  environment · 127.0.0.1:00000  reads every 15 s · 4 agents',
		tabs: '[1 Agents] 2 Abilities  3 Installed',
		head: '   name                abilities   id       prompt',
		rows: [
			' > Hearth              ●●○–        #1       You look after a house.',
			'   Front Porch         ○           #2       You greet guests.',
			'   Porch               none        #3       –',
			'   Cellar              ?           #4       –',
			' ── Hearth ──                                               2 of 4 on · id 1 ──',
			' You look after a house.',
		],
	});
	// What is switched elsewhere counts at once.
	await app.write('3jj ').shows(' > on   nightwatch');
	await app.press('1').shows('●●●–', 'Front Porch         ● ');
});

test('beside the list an agent has its abilities by name, each with its state', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 120, rows: 24}});
	const lines = await app.shows(frame => frame.some(line => line.endsWith(' –        desk')));
	const pane = lines.map(line => line.slice(74).trim()).filter(line => line !== '');
	const start = pane.findIndex(line => line.startsWith('Abilities  '));
	assert.deepEqual(pane.slice(start, start + 6), [
		'Abilities  2 of 4 on',
		'on       lamps',
		'on       pantry',
		'off      nightwatch',
		'–        desk',
		'You look after a house.',
	]);
});

test("f shows an agent's abilities on the Installed screen, from the list and from an opened agent, whatever its name", async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {agents}, screen: 'agents', size: wide, until: '●●○–'});
	const hearth = await app.press('f').shows('[3 Installed]');
	assert.equal(filterLine(hearth), '/agent:Hearth   3 of 3');
	app.write('1j\r');
	const front = await app.write('f').shows('/agent:"Front Porch"');
	assert.equal(filterLine(front), '/agent:"Front Porch"   1 of 3');
	assert.ok(includes(' > off  nightwatch')(front), front.join('\n'));
	assert.deepEqual(app.state().overlays, []);
	await app.press('space').until(() => togglesOf(service).length === 1);
	assert.deepEqual(toggledIds(service), [303]);
	await app.write('1jf').shows(lines => filterLine(lines) === '/agent:"Porch"   0 of 3');
	await app.write('1Gf').says("This service doesn't show which abilities Cellar has.");
	assert.equal(app.state().screen, 'agents');
});

test('the list sorts by how many are on, unknown counts last', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {agents: [agents[3], agents[1], agents[0]]}, screen: 'agents', size: wide, until: '●●○–'});
	await app.write('ss').says('Agents sorted by abilities that are on.');
	assert.deepEqual(
		app
			.lines()
			.filter(line => /#\d/.test(line))
			.map(line => line.slice(3, 22).trim()),
		['Hearth', 'Front Porch', 'Cellar'],
	);
});

test('a narrow screen shows the count too', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	const lines = await app.shows('●●○–');
	assert.equal(
		lines.find(line => line.includes('Hearth')),
		' > Hearth          ●●○–        #1',
	);
});
