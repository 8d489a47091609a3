import {assert, test, type TestContext} from '../../helpers/node.ts';
import {typedName} from '../../../source/tui/screens/ability/edit-record-screen.tsx';
import {formTexts, readForm} from '../../helpers/request-bodies.ts';
import {editsOf, isAgentList, isEdit, storedAgent} from '../helpers/agents.ts';
import {cursorLine, isFresh} from '../helpers/shown.ts';
import {jsonAnswer, openApp, openHome, type RenderedApp, small, startDocumentedHome, wide} from '../helpers/kit.ts';

/** Opens the name of the agent under the cursor as a field. */
async function openName(app: RenderedApp): Promise<void> {
	await app.shows(isFresh);
	await app.press('c').shows('> Name');
}

async function openNameField(t: TestContext, size = small) {
	const home = await openHome(t, {screen: 'agents', size});
	await openName(home.app);
	return home;
}

test('Enter saves an edited name and leaves the prompt unchanged', async (t: TestContext) => {
	const {service, app} = await openNameField(t);
	assert.deepEqual(app.lines(), [
		' Name of Hearth             environment',
		' > Name  Hearth',
		...Array.from({length: 7}, () => ''),
		' enter save  esc back  ctrl+u clear',
	]);
	const release = service.hold({when: isEdit});
	assert.deepEqual(await app.press('ctrl+u', ...'Hob', 'enter').shows('saving…'), [
		' Name of Hearth             environment',
		'   Name  Hob',
		' saving…',
		...Array.from({length: 6}, () => ''),
		' esc back',
	]);
	release();
	const lines = await app.shows('Saved');
	assert.deepEqual([cursorLine(lines), lines.at(-1)], [' > Hob             ?           #1', ' Saved: the agent is called Hob.']);
	assert.deepEqual(await editsOf(service), [{personality_id: ['1'], name: ['Hob'], description: ['You look after a house.']}]);
	assert.deepEqual(storedAgent(service, 1), {id: 1, name: 'Hob', description: 'You look after a house.', image: null});
	assert.deepEqual([...service.ties], [[1, [21, 22]]]);
});

test('the list shows a name being saved with a mark, and reverts a refused one with the reason', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: {columns: 64, rows: 14}});
	await openName(app);
	const release = service.hold({when: isEdit});
	// A refusal that names no field may be one of the form alone: it is asked once more, as JSON.
	service.failNext({...jsonAnswer({detail: 'This name is taken'}, 400), when: isEdit, times: 2});
	await app.press('ctrl+u', ...'Hob', 'enter').shows('saving…');
	await app.until(() => service.heldCount() === 1);
	assert.equal(
		cursorLine(await app.press('escape').shows('[1 Agents]')),
		' > Hob~             ?           #1       You look after a hous…',
	);
	release();
	const lines = await app.says('This name is taken. c edits it again.');
	assert.equal(cursorLine(lines), ' > Hearth           ?           #1       You look after a hous…');
	await app.says('! Could not save the name of Hearth: The service refused the request: This name is taken. c edits it again.');
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
});

test('a name that another agent has is refused, and stays in the field', async (t: TestContext) => {
	const {service, app} = await openNameField(t);
	const lines = await app.press('ctrl+u', ...'porch', 'enter').says('is taken');
	assert.deepEqual(lines.slice(1, 4), [' > Name  porch', '         ! The name “Porch” is taken by', '         agent 2.']);
	assert.deepEqual(await editsOf(service), []);
	await app.press('ctrl+u', ...'HEARTH', 'enter').shows('Saved: the agent is called HEARTH.');
	storedAgent(service, 2)['name'] = 'hearth';
	await app.press('u').says('Undone: the agent is called Hearth again.');
});

test('a name is not changed back to one that another agent has by then', async (t: TestContext) => {
	const {service, app} = await openNameField(t, wide);
	await app.press('ctrl+u', ...'Hob', 'enter').shows('Saved: the agent is called Hob.');
	storedAgent(service, 2)['name'] = 'hearth';
	await app.press('u').says('Not undone: The name “hearth” is taken by agent 2.');
	assert.equal((await editsOf(service)).length, 1);
});

test('line breaks in a pasted name are removed', async (t: TestContext) => {
	const {service, app} = await openNameField(t);
	app.press('ctrl+u');
	app.paste('Hob\nof the\u{1B}[31m kitchen\n');
	await app.press('enter').shows('Saved');
	const name = storedAgent(service, 1)['name'] as string;
	assert.doesNotMatch(name, /\p{Control}/u, JSON.stringify(name));
	assert.ok(name.startsWith('Hob of the'), name);
});

test('a prompt that somebody else changed is not overwritten with the name', async (t: TestContext) => {
	const {service, app} = await openNameField(t);
	storedAgent(service, 1)['description'] = 'You look after two houses.';
	await app.press('ctrl+u', ...'Hob', 'enter').shows('Saved');
	assert.deepEqual(storedAgent(service, 1), {id: 1, name: 'Hob', description: 'You look after two houses.', image: null});
});

test('when the list cannot be read either, the outcome is reported as unknown', async (t: TestContext) => {
	const {service, app} = await openNameField(t, wide);
	app.press('ctrl+u', ...'Hob');
	service.failNext({cut: 'connection', when: isEdit});
	const release = service.hold({when: isEdit});
	await app.press('enter').until(() => service.heldCount() === 1);
	await app.press('escape').shows('Hob~');
	service.failNext({...jsonAnswer({}, 500), when: isAgentList, times: 10});
	release();
	await app.says('! It is not known whether the service saved the name of Hearth:');
	await app.shows(lines => cursorLine(lines)?.startsWith(' > Hearth ') ?? false);
});

test('on a service that shows no names the field starts empty, and only the name is sent', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await openName(app);
	assert.equal(app.lines()[1], ' > Name');
	await app.press('H', 'o', 'b', 'enter').shows('Saved: the agent is called Hob.');
	const [edit] = service.agentEdits;
	assert.equal(service.agentEdits.length, 1);
	assert.deepEqual(formTexts((await readForm(edit!))!), {personality_id: ['1'], name: ['Hob']});
});

test('unedited characters of a name are sent as the service returned them', () => {
	const cook = 'Chef \u{1F469}\u{200D}\u{1F373}';
	const shownCook = 'Chef \u{1F469}\u{1F373}';
	assert.deepEqual(
		[
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
		],
		[cook, cook.replace('Chef', 'Cook'), `${cook}!`, 'Chef', 'a\u{2764}\u{FE0F}b c', 'Hob', 'a', 'red one', 'two lines!'],
	);
});
