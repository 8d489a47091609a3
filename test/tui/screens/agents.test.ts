import {assert, test, type TestContext} from '../../helpers/node.ts';
import {assertScreen, filterLine, includes, isFresh, openHome, renderApp, startDocumentedHome, startHome} from '../helpers/kit.ts';

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
