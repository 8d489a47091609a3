import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, openHome, renderApp, type RenderAppOptions, says, startHome} from '../helpers/kit.ts';

const prompt = [
	'You look after a house with four people, one dog and a front door that sticks in the rain.',
	'',
	'  - Say numbers and times as people say them, and never more than two sentences at once.',
].join('\n');

/** The lines beside the list, which has 60 of 100 columns. */
const pane = (lines: readonly string[]): readonly string[] => lines.slice(3, -3).map(line => line.slice(60));

const openAgent = async (t: TestContext, rows: number, options: Pick<RenderAppOptions, 'keys' | 'isReadOnly'> = {}) => {
	const agents = [
		{id: 7, name: 'Hearth', description: prompt},
		{id: 8, name: 'Porch', description: `${prompt}\n\n${prompt}`},
	];
	const service = await startHome(t, {home: {agents}});
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 100, rows}, ...options});
	return {service, app, lines: await app.shows('every 15 s · 2 agents')};
};

test('the text beside the list breaks between words, and keeps its indentation', async (t: TestContext) => {
	const {lines} = await openAgent(t, 24);
	assert.deepEqual(pane(lines), [
		'│ Hearth',
		'│ Id         7',
		'│ Abilities  not shown by this service',
		'│',
		'│ You look after a house with four',
		'│ people, one dog and a front door that',
		'│ sticks in the rain.',
		'│',
		'│   - Say numbers and times as people',
		'│   say them, and never more than two',
		'│   sentences at once.',
		...Array.from({length: 7}, () => '│'),
	]);
});

test('where the text does not fit, the last line says what is shown and which key scrolls', async (t: TestContext) => {
	const {lines} = await openAgent(t, 15);
	assert.deepEqual(pane(lines).slice(-3), ['│ sticks in the rain.', '│', '│ … 1–7 of 10, J scrolls']);
});

test('J and K scroll the details by half pages, to their end and back, without a request', async (t: TestContext) => {
	const {service, app, lines} = await openAgent(t, 15);
	const requestCount = service.requests.length;
	const end = await app.press('J').shows('4–10 of 10');
	assert.deepEqual(pane(end), [
		'│ Hearth',
		'│ You look after a house with four',
		'│ people, one dog and a front door that',
		'│ sticks in the rain.',
		'│',
		'│   - Say numbers and times as people',
		'│   say them, and never more than two',
		'│   sentences at once.',
		'│ … 4–10 of 10, K scrolls back',
	]);
	assert.match(cursorLine(end)!, /^ > Hearth /);
	// A step beyond the end is none.
	assert.deepEqual(await app.write('JJK').shows('1–7 of 10'), lines);
	assert.equal(service.requests.length, requestCount);
});

test('the details of another record start at their top, also where both keys come in one chunk', async (t: TestContext) => {
	const {app, lines} = await openAgent(t, 15);
	await app.press('J').shows('4–10 of 10');
	app.press('j');
	assert.equal(pane(await app.shows('of 18, '))[0], '│ Porch');
	assert.equal(pane(app.lines()).at(-1), '│ … 1–7 of 18, J scrolls');
	assert.deepEqual(await app.press('k').shows('of 10'), lines);
	app.write('jJ');
	assert.equal(pane(await app.shows('4–10 of 18')).at(-1), '│ … 4–10 of 18, J scrolls');
});

test('the details stay scrolled under another screen', async (t: TestContext) => {
	const {app} = await openAgent(t, 15);
	const scrolled = await app.press('J').shows('4–10 of 10');
	await app.press('?').shows(lines => lines[0]!.startsWith(' Keys'));
	assert.deepEqual(await app.press('escape').shows('[1 Agents]'), scrolled);
});

test('where no details are shown, their keys say how to show them', async (t: TestContext) => {
	const {app} = await openAgent(t, 15);
	await app.press('p', 'J').says('The details are hidden. p shows them.');
	app.resize({columns: 99, rows: 15});
	await app.press('K').says('Too narrow for details (100 columns). Enter opens them.');
	await app.press('escape').shows(lines => !says('Too narrow')(lines));
	await app.press('p').says('Too narrow for details (100 columns). Enter opens them.');
	app.resize({columns: 100, rows: 15});
	app.write('p');
	app.write('/nothing\r');
	await app.write('J').says('No row to scroll the details of.');
});

test('beside the list of abilities the details say why the last change failed', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: {columns: 120, rows: 24}, until: '> on   lamps'});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	await app.press('space').shows(/Failed {4}\S/);
	assert.equal(service.requests.filter(({method}) => method === 'PUT').length, 1);
});

test('on the lowest screen the single line of details scrolls', async (t: TestContext) => {
	const {app, lines} = await openAgent(t, 5);
	assert.deepEqual(pane([...lines, '', '']).slice(0, 1), ['│ Id         7']);
	await app.press('J').shows('Abilities  not shown');
});
