import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, escapeKeys, includes, isFresh, says} from '../helpers/shown.ts';
import {isRead} from '../helpers/presets.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {startHome, toggledIds, togglesOf} from '../helpers/homes.ts';
import {night, openApp, openHome, openPresets, overlaysOf, type RenderedApp, small, wide} from '../helpers/kit.ts';

const isTitled =
	(name: string) =>
	(lines: readonly string[]): boolean =>
		lines[0]!.startsWith(` ${name} `);

async function walk(app: RenderedApp, steps: ReadonlyArray<readonly [key: string, name: string]>): Promise<void> {
	for (const [key, name] of steps) {
		await app.press(key).shows(isTitled(name));
	}
}

test('> and < go from an opened installed ability to the next and previous one, with the cursor, to the ends of the list', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows(isTitled('lamps'));
	await walk(app, [
		['>', 'pantry'],
		['>', 'nightwatch'],
	]);
	assert.ok(isTitled('nightwatch')(await app.press('>').says('This is the last record.')));
	assert.deepEqual(overlaysOf(app), ['ability']);
	await app.press('space').shows(' State        on');
	await app.until(() => togglesOf(service).length > 0);
	assert.deepEqual(toggledIds(service), [303]);
	await walk(app, [
		['<', 'pantry'],
		['<', 'lamps'],
	]);
	await app.press('<').says('This is the first record.');
	await walk(app, [['>', 'pantry']]);
	assert.match(cursorLine(await app.press(...escapeKeys(app)).shows('[3 Installed]'))!, /pantry/);
});

test('> and < follow the order of the list and skip what its filter hides', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.write('S');
	await app.write('/!daemon\r').shows('3 of 4', '> on   lamps');
	// In one chunk, from the first row to the last.
	app.write('g\r');
	await app.write('>>').shows(isTitled('lamps'));
	await walk(app, [
		['<', 'pantry'],
		['<', 'desk'],
	]);
	await app.press('<').says('This is the first record.');
});

test('> and < skip deleted records', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows(isTitled('lamps'));
	service.installed.splice(1, 1);
	await app.press('r').until(() => app.session().records.seen('installed')?.length === service.installed.length);
	await walk(app, [
		['>', 'nightwatch'],
		['<', 'lamps'],
	]);
});

test("> and < go from an opened agent to other agents, and from an ability opened there through the agent's abilities", async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {
			agents: [
				{id: 1, name: 'Hearth', description: '', matching_capabilities: [23, 99, 24]},
				{id: 2, name: 'Porch', description: '', matching_capabilities: [21]},
			],
		},
		screen: 'agents',
		size: wide,
	});
	await app.press('enter').shows('0 of 3 on');
	await walk(app, [
		['>', 'Porch'],
		['<', 'Hearth'],
	]);
	await app.press('<').says('This is the first record.');
	await app.press('enter').shows(isTitled('nightwatch'));
	// There is nothing to show of 99, which the service does not list.
	await walk(app, [['>', 'desk']]);
	await app.press('>').says('This is the last record.');
	await app.press(...escapeKeys(app)).shows(isTitled('Hearth'), ' > –    desk');
});

test('> and < move the cursor of a list, and say where it ends', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.write('>>').shows('> off  nightwatch');
	await app.press('>').says('This is the last record.');
	await app.write('<<<').says('This is the first record.');
	assert.match(cursorLine(app.lines())!, /lamps/);
	// So do the keys for matches: each row that a filter leaves is one.
	await app.press('ctrl+n').shows('> on   pantry');
	await app.press('ctrl+p').shows('> on   lamps');
});

const longPrompt = [
	'You look after a house.',
	'Say what came of it, in one sentence, and say which lamp does not answer.',
	...Array.from({length: 10}, (_, index) => `  - rule ${index + 1}`),
	'Never leave a Lamp on.',
].join('\n');

const startLongHome = async (t: TestContext) => startHome(t, {home: {agents: [{id: 1, name: 'Hearth', description: longPrompt}]}});

test('/ searches the prompt of an opened agent as one types, and n and N go from match to match', async (t: TestContext) => {
	const service = await startLongHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await app.press('enter').shows('Prompt');
	assert.deepEqual(await app.write('/lam').shows('/lam_'), [
		' Hearth  #1                 environment',
		' Abilities  not shown by this service',
		' Prompt  /lam_ 1 of 2',
		' You look after a house.',
		' Say what came of it, in one sentence,',
		' and say which lamp does not answer.',
		'   - rule 1',
		'   - rule 2',
		'   - rule 3',
		' enter keep  esc end the search',
	]);
	const second = await app.press('ctrl+n').shows('/lam_ 2 of 2');
	assert.deepEqual(second.slice(2, -1), [
		' Prompt  /lam_ 2 of 2',
		'   - rule 6',
		'   - rule 7',
		'   - rule 8',
		'   - rule 9',
		'   - rule 10',
		' Never leave a Lamp on.',
	]);
	await app.press('ctrl+n').shows('/lam_ 1 of 2');
	await app.press('enter', 'N').shows('/lam 2 of 2');
	await app.press('n').shows('/lam 1 of 2');
	await app.press('n').shows('/lam 2 of 2');
	// What is typed now is a key again; Escape ends the search before it closes the agent.
	const ended = await app.press('escape').shows(lines => !includes('/lam')(lines));
	assert.equal(ended[2], ' Prompt  9–14 of 14');
	await app.press('escape').shows('[1 Agents]');
});

test('a text that is broken between two lines is found, and no match is reported as such', async (t: TestContext) => {
	const service = await startLongHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await app.press('enter').shows('Prompt');
	await app.write('/sentence, and say').shows(' 1 of 1');
	app.press('ctrl+u');
	await app.paste('no such\nthing').shows('/no such thing_ no match');
	app.press('ctrl+n', 'ctrl+p');
	await app.press('ctrl+u', 'backspace').shows(lines => lines[2] === ' Prompt  1–6 of 14');
	assert.deepEqual(overlaysOf(app), ['agent']);
});

test('a search outlasts another screen, and typing it switches nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'Hearth', description: longPrompt, matching_capabilities: [21]}]},
		screen: 'agents',
		size: wide,
	});
	await app.press('enter').shows('1 of 1 on');
	await app.write('/E D q u\r').shows('/E D q u no match');
	await app.write('?').shows(' Keys');
	await app.press('escape').shows('/E D q u no match');
	assert.ok(service.requests.every(({method}) => method === 'GET'));
	assert.equal(app.exitCode(), undefined);
});

test('messages are searched too', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	for (let number = 1; number <= 30; number++) {
		app.ui.say('warning', `message ${number}`);
	}

	await app.press('M').shows('1–8 of 30');
	await app.write('/message 1\r').shows('/message 1 1 of 11');
	assert.ok((await app.press('ctrl+p').shows('11 of 11')).some(line => line.endsWith(' message 1')));
});

test('the fields of an opened ability are searched too', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows('Other fields');
	await app.write('/phrase').shows(lines => lines[0]!.includes('/phrase_ 1 of 2'));
});

test('n on an agent without a search says once which key renames', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents', size: wide});
	app.press('n');
	const told = says('n goes to the next match of a search. c renames the agent.');
	assert.match(cursorLine(await app.shows(told))!, /> Hearth /, 'the cursor stays');
	await app.press('n').shows('> Porch');
	await app.press('enter').shows(' Porch  #2');
	app.press('n');
	assert.ok(!told(await app.says('Nothing is searched for. / searches the text.')));
	await app.press('f2').shows('> Name  Porch');
	const {app: other} = await openHome(t, {screen: 'agents', size: wide});
	await other.press('enter', 'n').shows(told);
});

for (const [back, forth] of [
	['h', 'l'],
	['left', 'right'],
] as const) {
	test(`${back} and ${forth} go from screen to screen`, async (t: TestContext) => {
		const {app} = await openHome(t);
		await app.press(back).shows('[2 Abilities]');
		await app.press(back).shows('[1 Agents]');
		await app.press(forth, forth).shows('[3 Installed]');
	});

	test(`where something is open, ${forth} opens the row under the cursor and ${back} goes back`, async (t: TestContext) => {
		const {app} = await openHome(t);
		const list = await openPresets(app);
		await app.press(forth).shows(`Apply ${night.name}?`);
		assert.deepEqual(await app.press(back).shows(isRead), list);
		await app.press(back, 'enter').shows('esc back');
		assert.match(cursorLine(await app.press(back).shows(isFresh))!, /lamps/);
		await app.press('!').shows('enter details');
		await app
			.press(forth)
			.shows(lines => lines[0]!.startsWith(' Request') && includes('esc back')(lines) && !includes('enter details')(lines));
		await app.press(back).shows('enter details');
	});
}

test('h loses no choice of abilities', async (t: TestContext) => {
	const app = await openApp(t, {service: await startShownHome(t), screen: 'agents'});
	await openTies(app);
	const chosen = boxes(await app.press('space').shows('- lamps'));
	for (const key of ['h', 'left']) {
		await app.press(key).says('Leave without saving?');
		assert.deepEqual(boxes(await app.press('n').shows('- lamps', lines => lines.every(line => !line.includes('│')))), chosen);
	}
});
