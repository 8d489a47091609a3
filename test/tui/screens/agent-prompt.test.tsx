import {assert, existsSync, process, readdirSync, readFileSync, statSync, test, type TestContext} from '../../helpers/node.ts';
import {keptFileIn, keptTextIn} from '../../helpers/kept-text.ts';
import type {RenderAppOptions, RenderedApp} from '../../helpers/render-app.tsx';
import {type EditorBench, editedTexts, editsOf, isEdit, openEditorBench, storedAgent, isAgentList} from '../helpers/agents.ts';
import {startDocumentedHome, startHome} from '../helpers/homes.ts';
import {openLog} from '../../../source/changes/log.ts';
import {includes, jsonAnswer, type LiveLikeService, openApp, openHome, says, small, temporaryFolders} from '../helpers/kit.ts';

const wide = {columns: 100, rows: 24};

const original = 'You look after a house.';

async function openAgents(t: TestContext, service: RenderAppOptions['service'], options: RenderAppOptions = {}): Promise<RenderedApp> {
	const app = await openApp(t, {service: service!, screen: 'agents', size: wide, ...options});
	return app;
}

/** The agents on the screens, and a place for the person's editors. */
async function openBench(t: TestContext, options: Parameters<typeof openHome>[1] = {}) {
	const bench = openEditorBench(t);
	return {bench, ...(await openHome(t, {screen: 'agents', size: wide, ...options}))};
}

/** A message that is said again is another one. */
const newestMessage = (app: RenderedApp): number => app.state().messages.lastId;

/** The file in which the text of the one agent that was edited is kept. */
const keptFiles = ({promptFolder}: EditorBench): readonly string[] => (existsSync(promptFolder) ? readdirSync(promptFolder) : []);

function refuseNext(service: LiveLikeService, detail: string): void {
	// One that names no field may be a refusal of the form alone: it is asked once more, as JSON.
	service.failNext({...jsonAnswer({detail}, 400), when: isEdit, times: 2});
}

/** Has the service refuse an edit, so that its text is kept. */
async function keepText(app: RenderedApp, service: LiveLikeService, bench: EditorBench, text: string): Promise<void> {
	bench.use(`write(${JSON.stringify(text)});`);
	refuseNext(service, 'too long for us');
	await app.press('e').says('e edits it again.');
	await app.press('escape').shows(lines => !says('e edits it again.')(lines));
}

test("the prompt is edited in the person's editor, in a private file, and is saved", async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use(String.raw`
		report(process.argv.slice(2, -1).join(' '));
		report(read());
		report((fs.statSync(file).mode & 0o777).toString(8) + ' in ' + (fs.statSync(path.dirname(file)).mode & 0o777).toString(8));
		write(read() + 'Be brief.\n');
	`);
	const lines = await app.press('e').shows('Saved');
	assert.deepEqual(bench.reports(), ['--wait', `${original}\n`, '600 in 700']);
	assert.deepEqual(await editsOf(service), [{personality_id: ['1'], name: ['Hearth'], description: [`${original}\nBe brief.`]}]);
	assert.equal(storedAgent(service, 1)['description'], `${original}\nBe brief.`);
	assert.equal(lines.at(-2), ' Saved: the prompt of Hearth.');
	assert.deepEqual(keptFiles(bench), []);
	await app.press('enter').shows(' Be brief.');
});

test('the editor gets the prompt as the service returned it, not as the screen shows it', async (t: TestContext) => {
	const bench = openEditorBench(t);
	const description = '\tA\u{200D}B\u{1B}[31m red \u{202E}x\r\nend  \n\n';
	const service = await startHome(t, {home: {agents: [{id: 1, name: 'Hearth', description}]}});
	const app = await openAgents(t, service);
	bench.use(String.raw`report(read()); write("first\n" + read());`);
	await app.press('e').shows('Saved');
	assert.deepEqual(bench.reports(), [`${description}\n`]);
	assert.equal((await editsOf(service))[0]!['description']![0], `first\n${description}`);
});

test('an unchanged file changes nothing', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	// Editors that add a line break at the end, or take it away, have changed nothing.
	for (const code of ['', 'write(read());', 'write(read().trimEnd());']) {
		const before = newestMessage(app);
		bench.use(code);
		await app.press('e').until(() => newestMessage(app) !== before);
		assert.ok(includes('No changes to the prompt of Hearth.')(app.lines()), app.lines().join('\n'));
	}

	assert.deepEqual(await editsOf(service), []);
	assert.deepEqual(keptFiles(bench), []);
});

test('a byte order mark and Windows line breaks added by an editor are not sent', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t, {home: {agents: [{id: 1, name: 'Hearth', description: 'One.\nTwo.'}]}});
	bench.use(String.raw`write("\u{FEFF}" + read().replaceAll("\n", "\r\n"));`);
	await app.press('e').shows('No changes to the prompt of Hearth.');
	assert.deepEqual(await editsOf(service), []);
	bench.use(String.raw`write("\u{FEFF}" + read().replaceAll("\n", "\r\n") + "Three.\r\n");`);
	await app.press('e').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(await editedTexts(service, 'description'), [['One.\nTwo.\nThree.']]);
	// Of a text that was kept it is no change either.
	bench.use(String.raw`write("One.\r\n");`);
	refuseNext(service, 'too long for us');
	await app.press('e').says('e edits it again.');
	bench.use('');
	await app.press('escape', 'e').says('Save the kept text unchanged');
});

test('an empty file is saved only after a question', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use(String.raw`write("\n  \n");`);
	const lines = await app.press('e').shows('Empty the prompt of Hearth?');
	assert.ok(includes('y empty it  n no')(lines), lines.join('\n'));
	await app.press('n').shows('The text is empty: the prompt of Hearth is unchanged.');
	assert.deepEqual(await editsOf(service), []);
	assert.deepEqual(keptFiles(bench), []);
	await app.press('e').shows('Empty the prompt of Hearth?');
	await app.press('y').shows('Saved: the prompt of Hearth.');
	assert.equal(storedAgent(service, 1)['description'], '');
	assert.deepEqual(keptFiles(bench), []);
	// Of an empty prompt nothing is lost.
	const before = newestMessage(app);
	await app.press('e').until(() => newestMessage(app) !== before);
	assert.ok(includes('The text is empty: the prompt of Hearth is unchanged.')(app.lines()), app.lines().join('\n'));
});

test('the prompt before is kept, also when it is undone', async (t: TestContext) => {
	const folders = temporaryFolders();
	const {bench, app} = await openBench(t, {folders});
	const kept = () =>
		openLog(app.session().account.presetAccount, folders)
			.list()
			.map(({version, name, via, text}) => [version, name, via, text]);
	bench.use('write("You do everything.");');
	await app.press('e').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(kept(), [[1, 'Hearth', 'screen', original]]);
	await app.press('u').shows('Undone: Hearth has its previous prompt again.');
	assert.deepEqual(kept(), [
		[2, 'Hearth', 'screen', 'You do everything.'],
		[1, 'Hearth', 'screen', original],
	]);
});

test('a prompt that cannot be kept is changed, and changed back, only after a question', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t, {
		size: {columns: 120, rows: 24},
		folders: {...temporaryFolders(), stateFolder: '/proc/nobody'},
	});
	bench.use('write("You do everything.");');
	await app.press('e').says('Change the prompt of Hearth anyway?');
	assert.ok(says('The present prompt of Hearth cannot be kept: no such file')(app.lines()), app.lines().join('\n'));
	await app.press('n').says('It was not changed. e edits it again.');
	assert.equal(keptTextIn(bench.promptFolder)?.trimEnd(), 'You do everything.');
	assert.deepEqual(await editsOf(service), []);
	bench.use('write("You do all.");');
	await app.press('escape', 'e').says('Change the prompt of Hearth anyway?');
	await app.press('y').shows('Saved: the prompt of Hearth.');
	await app.press('u').says('Change the prompt of Hearth anyway?');
	await app.press('n').says('Not undone: The present prompt of Hearth cannot be kept');
	await app.press('escape', 'u').says('Change the prompt of Hearth anyway?');
	await app.press('y').shows('Undone: Hearth has its previous prompt again.');
	assert.deepEqual(await editedTexts(service, 'description'), [['You do all.'], [original]]);
});

test('an editor that fails, or removes the file, changes nothing, and the text is kept', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use('process.exit(1);');
	await app.press('e').says(`! Could not save the prompt of Hearth: ${process.execPath} ended with exit code 1. e tries again.`);
	assert.deepEqual(keptFiles(bench), []);
	bench.use('fs.rmSync(file);');
	await app.press('e').says('! Could not save the prompt of Hearth: The editor left no file that can be read. e tries again.');
	bench.use('write("half a sentence"); process.exit(2);');
	await app.press('e').says('ended with exit code 2. e edits it again.');
	assert.equal(keptTextIn(bench.promptFolder), 'half a sentence');
	assert.deepEqual(await editsOf(service), []);
});

test('a missing editor is reported with the variable to set', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use('write("EDITOR must not be asked");');
	bench.name('/nowhere/editor --wait', 'VISUAL');
	await app.press('e').says('Editor not found: /nowhere/editor (set in VISUAL). Set VISUAL or EDITOR to your editor, with its arguments.');
	bench.name('"no end', 'VISUAL');
	await app.press('e').says('VISUAL is not a valid command: “"no end”. Set VISUAL');
	assert.deepEqual(await editsOf(service), []);
	assert.deepEqual(keptFiles(bench), []);
});

test('a refused save keeps the text in the named file, and the next e edits it again', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use(String.raw`write("You do everything.\n");`);
	refuseNext(service, 'too long for us');
	const lines = await app.press('e').says('e edits it again.');
	const file = keptFileIn(bench.promptFolder)!;
	const said = lines
		.map(line => line.trim())
		.join(' ')
		.replaceAll(/\s/g, '');
	assert.ok(said.includes(`!Yourtextiskeptin${file},notsaved:Theservicerefusedtherequest:toolongforus.eeditsitagain.`), lines.join('\n'));
	assert.equal(readFileSync(file, 'utf8'), 'You do everything.\n');
	assert.deepEqual([statSync(file).mode % 0o1000, statSync(bench.promptFolder).mode % 0o1000], [0o600, 0o700]);
	assert.equal(storedAgent(service, 1)['description'], original);

	bench.use(String.raw`report(read()); write("You do less.\n");`);
	await app.press('e').shows('Saved: the prompt of Hearth.');
	assert.deepEqual(bench.reports(), ['You do everything.\n']);
	assert.equal(storedAgent(service, 1)['description'], 'You do less.');
	assert.deepEqual(keptFiles(bench), []);
});

test('a kept text is offered in the next run, and saving it unchanged needs a confirmation', async (t: TestContext) => {
	const bench = openEditorBench(t);
	const service = await startHome(t);
	const folders = temporaryFolders();
	const first = await openAgents(t, service, {folders});
	await keepText(first, service, bench, 'You do everything.\n');
	await first.close();

	const app = await openAgents(t, service, {folders, size: small});
	await app.says('Your unsaved text for the prompt of Hearth is kept. On Agents, e edits it again.');
	bench.use('report(read());');
	const lines = await app.press('e').shows('Save the kept text');
	assert.deepEqual(bench.reports(), ['You do everything.\n']);
	assert.ok(says('Save the kept text unchanged as the prompt of Hearth?')(lines), lines.join('\n'));
	assert.equal(lines.at(-1), ' y save it  n no');
	assert.ok(
		lines
			.map(line => line.trim())
			.join('')
			.includes(keptFileIn(bench.promptFolder)!),
		lines.join('\n'),
	);
	await app.press('n').shows('> Hearth');
	assert.equal(keptTextIn(bench.promptFolder), 'You do everything.\n');
	assert.equal(storedAgent(service, 1)['description'], original);

	await app.press('e').shows('Save the kept text');
	await app.press('y').shows('Saved');
	assert.equal(storedAgent(service, 1)['description'], 'You do everything.');
	assert.deepEqual(keptFiles(bench), []);
});

test('a kept text that is emptied, or made equal to the prompt, is removed', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	for (const [text, words] of [
		['', 'The text is empty'],
		[`${original}\n`, 'No changes'],
	] as const) {
		await keepText(app, service, bench, 'You do everything.\n');
		bench.use(`write(${JSON.stringify(text)});`);
		app.press('e');
		if (text === '') {
			await app.shows('Empty the prompt of Hearth?');
			app.press('n');
		}

		await app.shows(words);
		assert.deepEqual(keptFiles(bench), []);
	}

	assert.equal(storedAgent(service, 1)['description'], original);
});

test('a file that is not UTF-8 is not sent, and stays byte for byte', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	bench.use(String.raw`fs.writeFileSync(file, Buffer.from("caf\xE9\n", "latin1"));`);
	await app.press('e').says('is not UTF-8. e edits it again.');
	bench.use('report(fs.readFileSync(file).toString("latin1"));');
	await app.press('escape', 'e').until(() => bench.reports().length === 1);
	assert.deepEqual(bench.reports(), ['caf\u{E9}\n']);
	await app.says('is not UTF-8.');
	bench.use('fs.writeFileSync(file, Buffer.from("You do everything.", "utf16le")); report("UTF-16");');
	await app.press('escape', 'e').until(() => bench.reports().length === 2);
	await app.says('is not UTF-8. e edits it again.');
	assert.deepEqual(await editsOf(service), []);
});

test('a prompt that is being saved is marked in the list, and e waits', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	const release = service.hold({when: isEdit});
	bench.use(String.raw`report("once"); write("You do everything.\n");`);
	await app.press('e').shows(/> Hearth~ +\? +#1 +You do everything\./);
	await app.press('e').shows('Hearth is still being saved.');
	release();
	await app.shows(/> Hearth +\? +#1 +You do everything\./);
	assert.deepEqual(bench.reports(), ['once']);
});

test("a prompt that the service doesn't show is replaced only after a question", async (t: TestContext) => {
	const bench = openEditorBench(t);
	const service = await startDocumentedHome(t);
	const app = await openAgents(t, service);
	bench.use(String.raw`report(read()); write("You are new.\n");`);
	await app.press('e').says("Replace the prompt of #1? This service doesn't show it.");
	await app.press('n').shows('[1 Agents]');
	assert.deepEqual(service.agentEdits, []);
	assert.deepEqual(bench.reports(), ['\n']);
	bench.use(String.raw`write("You are newer.\n");`);
	await app.press('e').shows('Replace');
	await app.press('y').shows('Saved');
	assert.deepEqual(await editsOf({requests: service.agentEdits}), [{personality_id: ['1'], description: ['You are newer.']}]);
});

test('where the list cannot be read before saving, the text is kept', async (t: TestContext) => {
	const {bench, service, app} = await openBench(t);
	service.failNext({...jsonAnswer({detail: 'out of order'}, 500), when: isAgentList, times: 5});
	bench.use(String.raw`write("You do everything.\n");`);
	await app.press('e').says('The service answered “out of order”. e edits it again.');
	assert.deepEqual(await editsOf(service), []);
	assert.equal(keptTextIn(bench.promptFolder), 'You do everything.\n');
});
