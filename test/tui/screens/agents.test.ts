import {assert, test, type TestContext} from '../../helpers/node.ts';
import {
	assertScreen,
	cursorLine,
	filterLine,
	includes,
	isFresh,
	openHome,
	renderApp,
	small,
	startDocumentedHome,
	startHome,
	toggledIds,
	togglesOf,
	wide,
} from '../helpers/kit.ts';

const head = '   name             abilities   id       prompt';

const tabs = '[1 Agents] 2 Abilities  3 Installed';

const header = 'Switchboard  environment  reads every 15 s · 3 agents';

const agents = [
	{id: 1, name: 'Hearth', description: 'You look after a house.\nNever raise your voice.'},
	{id: 22, name: 'Porch', description: '\n\n  You greet guests.  '},
	{id: 333, name: 'Cellar', description: null},
];

const isReady = (lines: readonly string[]): boolean => includes('reads every 15 s · 3 agents')(lines) && includes('Hearth')(lines);

test('agents show name, id and the first line of the prompt', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service});
	assertScreen(await app.press('1').shows(isReady), {
		header,
		tabs,
		head,
		rows: [
			' > Hearth           ?           #1       You look after a hous…',
			'   Porch            ?           #22      You greet guests.',
			'   Cellar           ?           #333     –',
		],
	});
});

test('agents without names show their ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await renderApp(t, {service, screen: 'agents'});
	assertScreen(await app.shows(isFresh, '#1'), {
		header: 'Switchboard  environment  reads every 15 s · 2 agents',
		tabs,
		head,
		rows: [' > #1               ?           #1       –', '   #2               ?           #2       –'],
	});
});

test('the filter finds text in any line of a prompt', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {agents}, screen: 'agents', until: isReady});
	const lines = await app.write('/raise voice').shows(frame => !includes('Porch')(frame));
	assert.equal(filterLine(lines), '/raise voice_   1 of 3');
	assert.ok(includes(' > Hearth')(lines));
});

const tiedAgents = [
	{id: 1, name: 'Hearth', description: 'You look after a house.', matching_capabilities: [21, 22, 23, 24]},
	{id: 2, name: 'Front Porch', description: 'You greet guests.', matching_capabilities: [23]},
	{id: 3, name: 'Porch', description: '', matching_capabilities: []},
	{id: 4, name: 'Cellar', description: ''},
];

test('the row of an agent shows how many of its abilities are on', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents: tiedAgents}});
	const app = await renderApp(t, {service, screen: 'agents', size: wide});
	assertScreen(await app.shows('●●○–'), {
		header: 'Switchboard  environment · 127.0.0.1:00000  reads every 15 s · 4 agents',
		tabs,
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
	const narrow = await app.resize(small).shows('[1 Agents]', lines => lines.length === small.rows);
	assert.equal(cursorLine(narrow), ' > Hearth          ●●●–        #1');
});

test('beside the list an agent has its abilities by name, each with its state', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents: tiedAgents}});
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
	const {service, app} = await openHome(t, {home: {agents: tiedAgents}, screen: 'agents', size: wide, until: '●●○–'});
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
	const {app} = await openHome(t, {
		home: {agents: [tiedAgents[3], tiedAgents[1], tiedAgents[0]]},
		screen: 'agents',
		size: wide,
		until: '●●○–',
	});
	await app.write('ss').says('Agents sorted by abilities that are on.');
	assert.deepEqual(
		app
			.lines()
			.filter(line => /#\d/.test(line))
			.map(line => line.slice(3, 22).trim()),
		['Hearth', 'Front Porch', 'Cellar'],
	);
});
