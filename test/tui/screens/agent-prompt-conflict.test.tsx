import {assert, test, type TestContext} from '../../helpers/node.ts';
import {keptFileIn, keptTextIn} from '../../helpers/kept-text.ts';
import {editedTexts, editsOf, isAgentList, isEdit, openEditorBench, storedAgent} from '../helpers/agents.ts';
import {includes, jsonAnswer, openApp, openHome, type RenderAppOptions, small, wide} from '../helpers/kit.ts';

const original = 'You look after a house.\nBe kind.';
const theirs = 'You look after two houses.\nBe kind.';
const mine = 'You look after a house and a garden.\nBe kind.';

/** The one agent on the screens, and a place for the person's editors. */
async function openKitchen(t: TestContext, options: RenderAppOptions = {}) {
	const bench = openEditorBench(t);
	const home = {agents: [{id: 1, name: 'Hearth', description: original}]};
	return {bench, ...(await openHome(t, {home, screen: 'agents', size: wide, ...options}))};
}

type Kitchen = Awaited<ReturnType<typeof openKitchen>>['service'];

const storedPrompt = (service: Kitchen): unknown => storedAgent(service, 1)['description'];

const isQuestion = includes('! Conflict: somebody else changed the prompt of Hearth.');

/** Edits the prompt here, while somebody else does. */
async function openConflict(t: TestContext, options: RenderAppOptions = {}) {
	const {bench, service, app} = await openKitchen(t, options);
	storedAgent(service, 1)['description'] = theirs;
	bench.use(`write(${JSON.stringify(`${mine}\n`)});`);
	await app.press('e').says('somebody else changed the prompt of Hearth.');
	return {bench, service, app};
}

test('a prompt that somebody else changed is not overwritten: a question shows both versions', async (t: TestContext) => {
	const {bench, service, app} = await openConflict(t);
	const lines = app.lines().filter(line => line !== '');
	const choices = lines.indexOf(' > Edit both versions together');
	// The path may be longer than a line.
	assert.equal(
		lines.slice(1, choices).join('').replaceAll(' ', ''),
		`Untilyoudecide,yourtextstaysin${keptFileIn(bench.promptFolder)};eeditsitagain.`,
	);
	assert.deepEqual(lines.toSpliced(1, choices - 1), [
		' ! Conflict: somebody else changed the prompt of Hearth.',
		' > Edit both versions together',
		'   Keep theirs and discard yours',
		'   Keep yours and overwrite theirs',
		' Theirs, from line 1:',
		'   You look after two houses.',
		' Yours, from line 1:',
		'   You look after a house and a garden.',
		' enter choose  esc decide later  j/k move',
	]);
	assert.deepEqual(await editsOf(service), []);
	assert.equal(keptTextIn(bench.promptFolder), `${mine}\n`);
});

test('Escape decides later: both versions stay, the list shows theirs, and e asks again', async (t: TestContext) => {
	const {bench, service, app} = await openConflict(t);
	await app.press('escape').shows('[1 Agents]', 'You look after two houses.');
	assert.deepEqual([keptTextIn(bench.promptFolder), storedPrompt(service)], [`${mine}\n`, theirs]);
	bench.use('report(read());');
	await app.press('e').shows(isQuestion);
	assert.deepEqual(bench.reports(), [`${mine}\n`]);
	assert.deepEqual(await editsOf(service), []);
});

test('keeping theirs sends nothing', async (t: TestContext) => {
	const {bench, service, app} = await openConflict(t);
	await app.write('j\r').says('The prompt of Hearth is unchanged; your text is discarded.');
	assert.deepEqual(await editsOf(service), []);
	assert.equal(storedPrompt(service), theirs);
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});

test('keeping yours overwrites theirs', async (t: TestContext) => {
	const {bench, service, app} = await openConflict(t);
	await app.press('k', 'G', 'enter').says('Saved: the prompt of Hearth.');
	assert.deepEqual(await editedTexts(service, 'description'), [[mine]]);
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});

test('keeping yours does not overwrite a later change of theirs', async (t: TestContext) => {
	const {service, app} = await openConflict(t);
	storedAgent(service, 1)['description'] = 'You look after three houses.';
	await app.press('j', 'j', 'enter').shows('You look after three houses.');
	assert.ok(isQuestion(app.lines()), app.lines().join('\n'));
	assert.deepEqual(await editsOf(service), []);
});

test('a file with both versions is saved only once its conflict markers are gone', async (t: TestContext) => {
	const {bench, service, app} = await openConflict(t);
	bench.use('report(read());');
	await app.press('enter').says('The text still has conflict markers. e edits it again.');
	const both =
		'<<<<<<< your text\nYou look after a house and a garden.\n=======\nYou look after two houses.\n>>>>>>> on the service\nBe kind.\n';
	assert.deepEqual(bench.reports(), [both]);
	assert.equal(keptTextIn(bench.promptFolder), both);
	assert.deepEqual(await editsOf(service), []);

	bench.use(String.raw`report(read()); write("You look after two houses and a garden.\nBe kind.\n");`);
	await app.press('e').says('Saved: the prompt of Hearth.');
	assert.equal(bench.reports()[1], both);
	assert.equal(storedPrompt(service), 'You look after two houses and a garden.\nBe kind.');
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});

test('a text kept from an earlier run does not overwrite later changes', async (t: TestContext) => {
	const {bench, service, app: first} = await openKitchen(t);
	bench.use(`write(${JSON.stringify(mine)});`);
	service.failNext({...jsonAnswer({detail: 'too long for us'}, 400), when: isEdit, times: 2});
	await first.press('e').says('e edits it again.');
	await first.close();
	const editCount = service.requests.filter(request => isEdit(request)).length;

	storedAgent(service, 1)['description'] = theirs;
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await app.says('Your unsaved text for the prompt of #1 is kept. On Agents, e edits it again.');
	bench.use('report(read());');
	const lines = await app.press('e').shows(' > Edit both versions together');
	assert.deepEqual(lines, [
		' ! Conflict: somebody else changed the',
		' prompt of Hearth.',
		' > Edit both versions together',
		'   Keep theirs and discard yours',
		'   Keep yours and overwrite theirs',
		' Theirs, from line 1:',
		'   You look after two houses.',
		' Yours, from line 1:',
		'   You look after a house and a garden.',
		' enter choose  esc decide later',
	]);
	assert.deepEqual(bench.reports(), [mine]);
	assert.equal(service.requests.filter(request => isEdit(request)).length, editCount);
	assert.equal(storedPrompt(service), theirs);
});

test('the differences scroll to their end', async (t: TestContext) => {
	const {bench, service, app} = await openKitchen(t, {size: {columns: 60, rows: 10}});
	storedAgent(service, 1)['description'] = Array.from({length: 20}, (_, index) => `Rule ${index + 1}.`).join('\n');
	bench.use(`write(${JSON.stringify(mine)});`);
	await app.press('e').shows('   Rule 1.');
	assert.ok(!includes('a garden.')(app.lines()));
	await app.press(...Array.from({length: 20}, () => 'J')).shows('   You look after a house and a garden.');
	await app.press(...Array.from({length: 20}, () => 'K')).shows('   Rule 1.');
	assert.deepEqual(await editsOf(service), []);
});

test('a person who has moved on gets a message about the text instead of a question', async (t: TestContext) => {
	const {bench, service, app} = await openKitchen(t);
	storedAgent(service, 1)['description'] = theirs;
	const release = service.hold({when: isAgentList});
	bench.use(`write(${JSON.stringify(mine)});`);
	await app.press('e').until(() => service.heldCount() === 1);
	app.write('/hea');
	release();
	await app.says('e edits it again.');
	assert.match(
		app.state().messages.history.at(-1)!.text,
		/^Your text is kept in .*: Somebody else changed the prompt of Hearth in the meantime\. e edits it again\.$/,
	);
	assert.equal(app.state().overlays.length, 0);
	assert.equal(app.state().views.agents.filter, 'hea');
	assert.deepEqual([keptTextIn(bench.promptFolder), storedPrompt(service)], [mine, theirs]);
});

test('a conflict while the program ends keeps the text, and is reported afterwards', async (t: TestContext) => {
	const {bench, service, app} = await openKitchen(t);
	storedAgent(service, 1)['description'] = theirs;
	const release = service.hold({when: isAgentList});
	bench.use(`write(${JSON.stringify(mine)});`);
	await app.press('e').until(() => service.heldCount() === 1);
	await app.press('q').says('Quitting once 1 change finishes.');
	release();
	await app.until(() => app.exitCode() === 0);
	assert.match(
		app.afterwords().join('\n'),
		/^Your text is kept in .*: Somebody else changed the prompt of Hearth in the meantime\. e edits it again\.$/,
	);
	assert.deepEqual([keptTextIn(bench.promptFolder), storedPrompt(service)], [mine, theirs]);
});
