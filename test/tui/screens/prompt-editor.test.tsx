import {assert, chmodSync, process, test, type TestContext} from '../../helpers/node.ts';
import {keptFileIn, keptTextIn} from '../../helpers/kept-text.ts';
import {modeOf} from '../../helpers/temporary-folder.ts';
import type {RenderAppOptions, RenderedApp} from '../../helpers/render-app.tsx';
import {type EditorBench, editsOf, isEdit, openEditorBench, storedAgent} from '../helpers/agents.ts';
import {boxOf} from '../helpers/shown.ts';
import {includes, isAnswered, jsonAnswer, type LiveLikeService, openApp, says, small, startHome, wide} from '../helpers/kit.ts';

const original = 'You look after a house.';

type Opened = {readonly bench: EditorBench; readonly service: LiveLikeService; readonly app: RenderedApp};

const isEditor = includes(' Prompt of Hearth');

/** The list of agents of a service, with no editor set. */
async function openAgents(t: TestContext, description = original, options: Omit<RenderAppOptions, 'service'> = {}): Promise<Opened> {
	const bench = openEditorBench(t);
	const service = await startHome(t, {home: {agents: [{id: 1, name: 'Hearth', description}]}});
	const app = await openApp(t, {service, screen: 'agents', size: wide, ...options});
	return {bench, service, app};
}

/** The same with the editor open. */
async function openPrompt(t: TestContext, description = original, options: Omit<RenderAppOptions, 'service'> = {}): Promise<Opened> {
	const opened = await openAgents(t, description, options);
	await opened.app.press('e').shows(isEditor);
	return opened;
}

const descriptionsSent = async (service: LiveLikeService): Promise<readonly unknown[]> =>
	(await editsOf(service)).map(fields => fields['description']?.[0]);

test('where no editor is set the prompt is edited on the screen, and saved', async (t: TestContext) => {
	const {bench, service, app} = await openPrompt(t);
	assert.deepEqual(app.lines(), [
		' Prompt of Hearth                                     line 1 of 1 · environment',
		'',
		' You look after a house.',
		...Array.from({length: 20}, () => ''),
		' ctrl+s save  esc back  ctrl+_ undo  ctrl+r redo  ctrl+k cut  f1 keys',
	]);
	const lines = await app.press('end', 'enter', 'B', 'e', 'space', 'b', 'r', 'i', 'e', 'f', '.').shows('Be brief.');
	assert.equal(lines[0], ' Prompt of Hearth                           changed · line 2 of 2 · environment');
	await app.press('ctrl+s').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await editsOf(service), [{personality_id: ['1'], name: ['Hearth'], description: [`${original}\nBe brief.`]}]);
	assert.equal(storedAgent(service, 1)['description'], `${original}\nBe brief.`);
	assert.equal(keptTextIn(bench.promptFolder), undefined);
	assert.ok(includes('> Hearth')(app.lines()));
});

test('at 40×10 rows are wrapped between words, and scroll with the cursor', async (t: TestContext) => {
	const {app} = await openPrompt(
		t,
		`${original} You speak briefly and kindly, as to people who have their hands full.\n\n${'A line. '.repeat(40)}`,
		{size: small},
	);
	assert.deepEqual(app.lines(), [
		' Prompt of Hearth                   1/3',
		' You look after a house. You speak',
		' briefly and kindly, as to people who',
		' have their hands full.',
		'',
		' A line. A line. A line. A line. A',
		' line. A line. A line. A line. A line.',
		' A line. A line. A line. A line. A',
		' line. A line. A line. A line. A line.',
		' ctrl+s save  esc back  ctrl+_ undo  f1',
	]);
	const end = await app.write('\u{1B}[1;5F.').shows('3/3');
	assert.equal(end.at(-2), ' A line. A line. A line. A line. .');
	const start = await app.write('\u{1B}[1;5H').shows('1/3');
	assert.equal(start[1], ' You look after a house. You speak');
});

test('text is shown as it is, wide and hidden characters too, and stays the same to the byte where it is not edited', async (t: TestContext) => {
	const description = '\t漢字 👩‍👩‍👧 e\u{301}\u{202E}x\u{1B}[31m\r\nend  \r\n\r\n';
	const {service, app} = await openPrompt(t, description);
	assert.equal(app.lines()[2], '     漢字 👩‍👩‍👧 e\u{301}·x·[31m');
	await app.press('!', 'ctrl+s').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await descriptionsSent(service), [`!${description}`]);
});

test('keys of one chunk all count, also after the key that opens the editor and the one that saves', async (t: TestContext) => {
	const {service, app} = await openAgents(t);
	app.write('e');
	await app.write('0123456789\u{1B}bX\u{7}\u{5}\r.\u{13}').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await descriptionsSent(service), [`X0123456789${original}\n.`]);
});

test('a paste comes in whole, with its lines, and is undone at once', async (t: TestContext) => {
	const {service, app} = await openPrompt(t);
	const pasted = await app.paste('One.\r\nq\nTwo.\n').shows('line 4 of 4');
	assert.deepEqual(pasted.slice(2, 6), [' One.', ' q', ' Two.', ` ${original}`]);
	await app.write('\u{1F}').shows('line 1 of 1');
	// The other keys for both, which elsewhere are Escape and a letter.
	await app.write('\u{12}\u{1B}u\u{1B}e\u{13}').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await descriptionsSent(service), [`One.\nq\nTwo.\n${original}`]);
});

test('a paste is taken as it is, tabs and hidden characters too; only control characters stay out, and that is said', async (t: TestContext) => {
	const {service, app} = await openPrompt(t, '.');
	const text = '- a\n\t- b 👩\u{200D}👩\u{200D}👧 ক\u{9CD}\u{200D}ষ x\u{200B}y e\u{301} \u{2028}\u{202E}z\u{FE0F}';
	await app.paste(text).shows('line 2 of 2');
	assert.ok(!says('left out')(app.lines()));
	await app.paste('<\u{1B}[31m\u{0}\u{9B}\u{7F}>').says('Control characters in the pasted text were left out.');
	await app.press('ctrl+s').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await descriptionsSent(service), [`${text}<[31m>.`]);
});

test('a paste that is cut is said to be', async (t: TestContext) => {
	const {app} = await openPrompt(t);
	await app.paste('x'.repeat(1_100_000)).says('Only the first megabyte was pasted.');
	await app.press('escape').shows(lines => !says('megabyte')(lines));
	assert.ok(isEditor(app.lines()), 'Escape dismisses the message first');
});

test('Escape leaves a text that is unchanged, and asks before it discards a change', async (t: TestContext) => {
	const {bench, service, app} = await openPrompt(t);
	app.press('x', 'backspace');
	await app.press('escape').shows('> Hearth');
	assert.equal(keptTextIn(bench.promptFolder), undefined);
	await app.press('e').shows(isEditor);
	assert.deepEqual(boxOf(await app.press('x', 'escape').says('Discard your changes to the prompt of Hearth?')), [
		'Discard your changes to the prompt of Hearth?',
		'',
		'y discard  n no',
	]);
	await app.press('n').shows(lines => !says('Discard')(lines) && includes(` x${original}`)(lines));
	await app.press('escape').says('Discard your changes');
	await app.press('y').shows('> Hearth');
	await app.until(() => keptTextIn(bench.promptFolder) === undefined);
	assert.deepEqual(
		service.requests.filter(request => isEdit(request)),
		[],
	);
});

test('a moment after typing the text is in a private file', async (t: TestContext) => {
	const {bench, app} = await openPrompt(t);
	await app.press('x').until(() => keptTextIn(bench.promptFolder) === `x${original}\n`);
	assert.equal(modeOf(keptFileIn(bench.promptFolder)!), '600');
	assert.equal(modeOf(bench.promptFolder), '700');
});

test('a text that cannot be kept is said to be so, and can still be saved', {skip: process.getuid?.() === 0}, async (t: TestContext) => {
	const {bench, service, app} = await openPrompt(t);
	chmodSync(bench.promptFolder, 0o500);
	t.after(() => chmodSync(bench.promptFolder, 0o700));
	await app.press('x').says('Your text is not kept until you save it: Could not write');
	await app.press('ctrl+s').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await descriptionsSent(service), [`x${original}`]);
});

test('a kept text counts as a change: it is marked, Escape asks, and undo brings the prompt back', async (t: TestContext) => {
	const {bench, service, app} = await openPrompt(t);
	service.failNext({...jsonAnswer({detail: 'too long for us'}, 400), when: isEdit, times: 2});
	await app.press('x', 'ctrl+s').says('e edits it again.');
	const lines = await app.press('e').shows(` x${original}`);
	assert.match(lines[0]!, /^ Prompt of Hearth +changed · line 1 of 1/);
	await app.press('ctrl+_').shows(shown => shown.includes(` ${original}`) && !shown[0]!.includes('changed'));
	await app.press('ctrl+r').shows(` x${original}`);
	await app.press('escape').says('Discard your changes to the prompt of Hearth?');
	await app.press('n').shows(isAnswered);
	assert.equal(keptTextIn(bench.promptFolder), `x${original}\n`);
	await app.press('escape').says('Discard your changes to the prompt of Hearth?');
	await app.press('y').shows('> Hearth');
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});

test('after a change elsewhere both versions are edited on the screen', async (t: TestContext) => {
	const {bench, service, app} = await openPrompt(t);
	storedAgent(service, 1)['description'] = 'You look after two houses.';
	await app.press('x', 'ctrl+s').says('Conflict: somebody else changed the prompt of Hearth.');
	assert.equal(keptTextIn(bench.promptFolder), `x${original}\n`);
	const lines = await app.press('enter').shows(' <<<<<<< your text');
	assert.deepEqual(lines.slice(2, 7), [
		' <<<<<<< your text',
		` x${original}`,
		' =======',
		' You look after two houses.',
		' >>>>>>> on the service',
	]);
	await app.press('x', 'escape').says('Discard your changes');
	app.press('n', 'backspace');
	// Ctrl+K cuts a line, and pressed again the break after it.
	await app
		.press('ctrl+k', 'ctrl+k', 'down', 'ctrl+k', 'ctrl+k', 'down', 'ctrl+k', 'ctrl+u', 'ctrl+s')
		.shows('Saved: the prompt of Hearth.');
	assert.equal(storedAgent(service, 1)['description'], `x${original}\nYou look after two houses.`);
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});

test('Ctrl+C quits at once, and says where the text is kept', async (t: TestContext) => {
	const {bench, app} = await openPrompt(t);
	await app.press('q', 'ctrl+c').until(() => app.exitCode() === 0);
	assert.equal(keptTextIn(bench.promptFolder), `q${original}\n`);
	assert.match(
		app.afterwords().join('\n'),
		/^Your text is kept in \S+\.md, not saved: You quit before saving it\. Switchboard reminds you of it at the next start\.$/,
	);
});

test('Ctrl+C in an unchanged text leaves nothing behind', async (t: TestContext) => {
	const {bench, app} = await openPrompt(t);
	await app.press('ctrl+c').until(() => app.exitCode() === 0);
	assert.equal(keptTextIn(bench.promptFolder), undefined);
	assert.deepEqual(app.afterwords(), []);
});

test('F1 shows the keys of the editor, and comes back to the text as it was', async (t: TestContext) => {
	const {app} = await openPrompt(t);
	const help = await app.press('?', 'f1').shows(' Keys');
	assert.ok(includes('Ctrl+S, Ctrl+X')(help), help.join('\n'));
	assert.ok(!says('switch the ability')(help));
	await app.press('f1').shows(` ?${original}`);
});

test('a prompt of more than a megabyte is not opened on the screen', async (t: TestContext) => {
	const {bench, app} = await openAgents(t, 'x'.repeat(1_100_000));
	await app.press('e').says('It is longer than 1 MB, too long to be edited on the screen. Set EDITOR to edit it.');
	assert.equal(keptTextIn(bench.promptFolder), undefined);
});
