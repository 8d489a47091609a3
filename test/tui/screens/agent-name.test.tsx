import {test, type TestContext} from 'node:test';
import {typedName} from '../../../source/tui/screens/agent/typed-name.ts';
import {jsonAnswer} from '../../helpers/answers.ts';
import {renderApp, type RenderedApp} from '../../helpers/render-app.tsx';
import {formTexts, readForm} from '../../helpers/request-bodies.ts';
import {
	editsOf,
	isAgentList,
	isEdit,
	readSampleList,
	startSampleService,
	storedAgent,
} from '../helpers/agents.ts';
import {startDocumentedHome, startHome} from '../helpers/homes.ts';
import {cursorLine, includes, says} from '../helpers/shown.ts';

const small = {columns: 40, rows: 10};

/** Opens the name of the agent under the cursor as a field. */
const openName = async (app: RenderedApp): Promise<void> => {
	await app.waitForFrame(includes('live'));
	app.press('n');
	await app.waitForFrame(includes('> Name'));
};

test('the name is edited in place: Enter saves it, with the prompt as it was', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	t.assert.deepStrictEqual(app.lines(), [
		'> Name Hearth',
		' Abilities  not shown by this service',
		' Prompt',
		' You look after a house.',
		...Array.from({length: 5}, () => ''),
		' enter save  esc keep the old name',
	]);
	const release = service.hold({when: isEdit});
	app.press('ctrl+u', 'Hob', 'enter');
	t.assert.deepStrictEqual(await app.waitForFrame(includes('saving…')), [
		' Hob~  #1         saving… · environment',
		' Abilities  not shown by this service',
		' Prompt',
		' You look after a house.',
		...Array.from({length: 5}, () => ''),
		' esc back',
	]);
	release();
	const lines = await app.waitForFrame(includes('Saved'));
	t.assert.deepStrictEqual([cursorLine(lines), lines.at(-1)], [' > Hob             ?           #1', ' Saved: the agent is called Hob.']);
	t.assert.deepStrictEqual(await editsOf(service), [{personality_id: ['1'], name: ['Hob'], description: ['You look after a house.']}]);
	t.assert.deepStrictEqual(storedAgent(service, 1), {
		id: 1, name: 'Hob', description: 'You look after a house.', image: null,
	});
	t.assert.deepStrictEqual([...service.ties], [[1, [21, 22]]]);
});

test('in the list a name that is being saved stands there with a mark, and is taken back with the reason where it is refused', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 64, rows: 14}});
	await openName(app);
	const release = service.hold({when: isEdit});
	// A refusal that names no field may be one of the form alone: it is asked once more, as JSON.
	service.failNext({...jsonAnswer({detail: 'This name is taken'}, 400), when: isEdit, times: 2});
	app.press('ctrl+u', 'Hob', 'enter');
	await app.waitForFrame(includes('saving…'));
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('escape');
	t.assert.strictEqual(cursorLine(await app.waitForFrame(includes('[1 Agents]'))), ' > Hob~             ?           #1       You look after a hous…');
	release();
	const lines = await app.waitForFrame(says('This name is taken. n edits it again.'));
	t.assert.strictEqual(cursorLine(lines), ' > Hearth           ?           #1       You look after a hous…');
	await app.waitForFrame(says('! The name of Hearth stays as it was: The service refused the request: This name is taken. n edits it again.'));
	t.assert.strictEqual(storedAgent(service, 1)['name'], 'Hearth');
});

test('Escape keeps the old name, and an unchanged one is not sent', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	app.press('x', 'y', 'escape');
	t.assert.strictEqual(cursorLine(await app.waitForFrame(includes('[1 Agents]'))), ' > Hearth          ?           #1');
	await openName(app);
	app.press('x', 'backspace', 'enter');
	t.assert.strictEqual(cursorLine(await app.waitForFrame(includes('[1 Agents]'))), ' > Hearth          ?           #1');
	t.assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('a refused name stays in the field with the service\'s words, and is sent again as it is corrected', async (t: TestContext) => {
	const service = await startSampleService(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 80, rows: 24}});
	await app.waitForFrame(includes('live'));
	app.press('enter');
	await app.waitForFrame(includes('Abilities  '));
	app.press('n');
	await app.waitForFrame(includes('> Name Hearth'));
	app.paste(' of Ida and Jonas'.repeat(12));
	app.press('enter');
	const lines = await app.waitForFrame(says('at most 200 characters'));
	t.assert.match(lines[0]!, /^> Name .*of Ida and Jonas$/);
	t.assert.strictEqual(lines[1], '       ! The service refused the request: The field name may be at most 200');
	t.assert.strictEqual(lines[2], '       characters long.');
	t.assert.strictEqual((await readSampleList(service, 'agents'))[0]!.name, 'Hearth');
	app.press('ctrl+u', 'Hob');
	app.press('enter');
	await app.waitForFrame(includes(' Hob  #'));
	await app.waitForFrame(includes('You are Hearth, the voice of a house'));
	const [agent] = await readSampleList(service, 'agents');
	t.assert.strictEqual(agent!.name, 'Hob');
	t.assert.strictEqual((agent!['matching_capabilities'] as readonly number[]).length, 6);
});

test('an agent needs a name', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	app.press('ctrl+u', ' ', 'enter');
	const lines = await app.waitForFrame(includes('A name is needed.'));
	t.assert.deepStrictEqual(lines.slice(0, 3), ['> Name', '       ! A name is needed.', ' Abilities  not shown by this service']);
	app.press('H');
	t.assert.deepStrictEqual((await app.waitForFrame(includes('> Name  H'))).slice(0, 2), ['> Name  H', ' Abilities  not shown by this service']);
	t.assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('a name has no line break, whatever is pasted', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	app.press('ctrl+u');
	app.paste('Hob\nof the\u{1B}[31m kitchen\n');
	app.press('enter');
	await app.waitForFrame(includes('Saved'));
	const name = storedAgent(service, 1)['name'] as string;
	t.assert.doesNotMatch(name, /\p{Control}/u, JSON.stringify(name));
	t.assert.ok(name.startsWith('Hob of the'), name);
});

test('a name that somebody else has changed meanwhile is replaced only when that was said', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 80, rows: 24}});
	await openName(app);
	storedAgent(service, 1)['name'] = 'Stove';
	app.press('ctrl+u', 'Hob', 'enter');
	const lines = await app.waitForFrame(includes('meanwhile'));
	t.assert.deepStrictEqual(lines.slice(0, 3), [
		'> Name Hob',
		'       ! The name of Stove was changed on the service meanwhile. Enter replaces',
		'       it all the same.',
	]);
	t.assert.deepStrictEqual(service.requests.filter(request => isEdit(request)), []);
	app.press('enter');
	await app.waitForFrame(includes('Saved'));
	t.assert.strictEqual(storedAgent(service, 1)['name'], 'Hob');
});

test('what somebody else has changed beside the name is not written over', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	storedAgent(service, 1)['description'] = 'You look after two houses.';
	app.press('ctrl+u', 'Hob', 'enter');
	await app.waitForFrame(includes('Saved'));
	t.assert.deepStrictEqual(storedAgent(service, 1), {
		id: 1, name: 'Hob', description: 'You look after two houses.', image: null,
	});
});

test('where the answer is lost, the list tells whether the name was saved', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 80, rows: 24}});
	await openName(app);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isEdit});
	app.press('ctrl+u', 'Hob', 'enter');
	await app.waitForFrame(includes('Saved: the agent is called Hob.'));
	await openName(app);
	service.failNext({cut: 'connection', when: isEdit});
	app.press('ctrl+u', 'Hub', 'enter');
	const lines = await app.waitForFrame(includes('       ! '));
	t.assert.strictEqual(lines[0], '> Name Hub');
	t.assert.ok(!says('not known')(lines), lines.join('\n'));
	t.assert.strictEqual(storedAgent(service, 1)['name'], 'Hob');
	app.press('enter');
	await app.waitForFrame(includes('Saved: the agent is called Hub.'));
	t.assert.strictEqual((await editsOf(service)).length, 3);
});

test('where not even the list answers, the outcome is said to be unknown', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 80, rows: 24}});
	await openName(app);
	app.press('ctrl+u', 'Hob');
	service.failNext({cut: 'connection', when: isEdit});
	const release = service.hold({when: isEdit});
	app.press('enter');
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('escape');
	await app.waitForFrame(includes('Hob~'));
	service.failNext({...jsonAnswer({}, 500), when: isAgentList, times: 10});
	release();
	await app.waitForFrame(says('! It is not known whether the name of Hearth was saved:'));
	await app.waitForFrame(lines => cursorLine(lines)?.startsWith(' > Hearth ') ?? false);
});

test('a name of a service that shows none begins empty, and is sent alone', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	t.assert.strictEqual(app.lines()[0], '> Name');
	app.press('H', 'o', 'b', 'enter');
	await app.waitForFrame(includes('Saved: the agent is called Hob.'));
	const [edit] = service.agentEdits;
	t.assert.strictEqual(service.agentEdits.length, 1);
	t.assert.deepStrictEqual(formTexts((await readForm(edit!))!), {personality_id: ['1'], name: ['Hob']});
});

test('a read-only run opens no field', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {
		service, screen: 'agents', size: small, isReadOnly: true,
	});
	await app.waitForFrame(includes('live'));
	app.press('n');
	await app.waitForFrame(says('read-only: nothing is changed'));
	t.assert.deepStrictEqual(app.state().overlays, []);
});

test('what was left alone in a name stays as the service returned it', (t: TestContext) => {
	const cook = 'Chef \u{1F469}\u{200D}\u{1F373}';
	const shownCook = 'Chef \u{1F469}\u{1F373}';
	t.assert.deepStrictEqual([
		typedName(cook, shownCook),
		typedName(cook, shownCook.replace('Chef', 'Cook')),
		typedName(cook, `${shownCook}!`),
		typedName(cook, 'Chef'),
		typedName('a\u{2764}\u{FE0F}b', 'a\u{2764}b c'),
		typedName('Hearth', '  Hob '),
		typedName('aa', 'a'),
		// Here the two cannot be laid side by side: what is seen is what is meant.
		typedName('\u{1B}[31mred\u{202E}', 'red one'),
		typedName('two\nlines', 'two lines!'),
	], [
		cook,
		cook.replace('Chef', 'Cook'),
		`${cook}!`,
		'Chef',
		'a\u{2764}\u{FE0F}b c',
		'Hob',
		'a',
		'red one',
		'two lines!',
	]);
});

test('a name whose answer is lost and that the list does not show may still arrive, and u does not reach past it', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents', size: {columns: 80, rows: 24}});
	await openName(app);
	app.press('ctrl+u', 'Hob');
	service.failNext({cut: 'connection', when: isEdit});
	app.press('enter');
	await app.waitForFrame(says('the connection was cut. The list does not show it, but the change may still arrive.'));
	app.press('escape', 'u');
	await app.waitForFrame(says('It is not known whether the name of Hearth was saved, so that cannot be undone.'));
	t.assert.strictEqual((await editsOf(service)).length, 1);
});
