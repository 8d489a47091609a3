import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, includes, openApp, openHome, says, small, startHome, wide} from '../helpers/kit.ts';

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
	app.press('enter');
	await app.waitForFrame(includes('Prompt'));
	app.write('/lam');
	assert.deepEqual(await app.waitForFrame(includes('/lam_')), [
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
	app.press('ctrl+n');
	const second = await app.waitForFrame(includes('/lam_ 2 of 2'));
	assert.deepEqual(second.slice(2, -1), [
		' Prompt  /lam_ 2 of 2',
		'   - rule 6',
		'   - rule 7',
		'   - rule 8',
		'   - rule 9',
		'   - rule 10',
		' Never leave a Lamp on.',
	]);
	app.press('ctrl+n');
	await app.waitForFrame(includes('/lam_ 1 of 2'));
	app.press('enter', 'N');
	await app.waitForFrame(includes('/lam 2 of 2'));
	app.press('n');
	await app.waitForFrame(includes('/lam 1 of 2'));
	app.press('n');
	await app.waitForFrame(includes('/lam 2 of 2'));
	// What is typed now is a key again; Escape ends the search before it closes the agent.
	app.press('escape');
	const ended = await app.waitForFrame(lines => !includes('/lam')(lines));
	assert.equal(ended[2], ' Prompt  9–14 of 14');
	app.press('escape');
	await app.waitForFrame(includes('[1 Agents]'));
});

test('a text that is broken between two lines is found, and no match is reported as such', async (t: TestContext) => {
	const service = await startLongHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	app.press('enter');
	await app.waitForFrame(includes('Prompt'));
	app.write('/sentence, and say');
	await app.waitForFrame(includes(' 1 of 1'));
	app.press('ctrl+u');
	app.paste('no such\nthing');
	await app.waitForFrame(includes('/no such thing_ no match'));
	app.press('ctrl+n', 'ctrl+p');
	app.press('ctrl+u', 'backspace');
	await app.waitForFrame(lines => lines[2] === ' Prompt  1–6 of 14');
	assert.deepEqual(
		app.state().overlays.map(({kind}) => kind),
		['agent'],
	);
});

test('a search outlasts another screen, and typing it switches nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'Hearth', description: longPrompt, matching_capabilities: [21]}]},
		screen: 'agents',
		size: wide,
	});
	app.press('enter');
	await app.waitForFrame(includes('1 of 1 on'));
	app.write('/E D q u\r');
	await app.waitForFrame(includes('/E D q u no match'));
	app.write('?');
	await app.waitForFrame(includes(' Keys'));
	app.press('escape');
	await app.waitForFrame(includes('/E D q u no match'));
	assert.ok(service.requests.every(({method}) => method === 'GET'));
	assert.equal(app.exitCode(), undefined);
});

test('messages are searched too', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	for (let number = 1; number <= 30; number++) {
		app.ui.say('info', `message ${number}`);
	}

	app.press('M');
	await app.waitForFrame(includes('1–8 of 30'));
	app.write('/message 1\r');
	await app.waitForFrame(includes('/message 1 1 of 11'));
	app.press('ctrl+p');
	assert.ok((await app.waitForFrame(includes('11 of 11'))).some(line => line.endsWith(' message 1')));
});

test('the fields of an opened ability are searched too', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('enter');
	await app.waitForFrame(includes('Other fields'));
	app.write('/phrase');
	await app.waitForFrame(lines => lines[0]!.includes('/phrase_ 1 of 2'));
});

test('n on an agent without a search says once which key renames', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents', size: wide});
	app.press('n');
	const told = says('n goes to the next match of a search. c renames the agent.');
	assert.match(cursorLine(await app.waitForFrame(told))!, /> Hearth /, 'the cursor stays');
	app.press('n');
	await app.waitForFrame(includes('> Porch'));
	app.press('enter');
	await app.waitForFrame(includes(' Porch  #2'));
	app.press('n');
	assert.ok(!told(await app.waitForFrame(says('Nothing is searched for. / searches the text.'))));
	app.press('f2');
	await app.waitForFrame(includes('> Name Porch'));
	const {app: other} = await openHome(t, {screen: 'agents', size: wide});
	other.press('enter', 'n');
	await other.waitForFrame(told);
});
