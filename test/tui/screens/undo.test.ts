import {findRecord} from '../../helpers/live-like/home.ts';
import {named, paths, startTestService, withKeys} from '../../service/running-service.ts';
import {assert, existsSync, path, readdirSync, readFileSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {lamps} from '../../bundle/ability-folder.ts';
import {asked, isDeletion, isInstallation, isRemoval, isUpload, storedNames, typeDelete} from '../helpers/abilities.ts';
import {editsOf, openEditorBench, readSampleList, startSampleService, storedAgent} from '../helpers/agents.ts';
import {storedState, togglesOf} from '../helpers/homes.ts';
import {openTies} from '../helpers/ties.ts';
import type {Folders} from '../../helpers/temporary-folder.ts';
import {openApp, openHome, startForVisits} from '../helpers/open-home.ts';
import {abilityFolder, boxOf, includes, type LiveLikeService, type RenderedApp, says, wide} from '../helpers/kit.ts';

/** Switches lamps off on the Installed screen: what an undo must not reach for where something else was done after it. */
async function switchFirst(app: RenderedApp, service: LiveLikeService): Promise<void> {
	await app.shows('> on   lamps');
	await app.press('space').until(() => storedState(service, 301) === false);
	await app.shows('> off  lamps');
}

/** Presses `u`, which says why it cannot undo the newest change, and again, which undoes the switch before it. */
async function undoStepsOver(app: RenderedApp, service: LiveLikeService, sentence: string): Promise<void> {
	await app.press('u').says(`${sentence} Undo again for the change before it.`);
	assert.equal(storedState(service, 301), false, 'the switch before it stands');
	await app.press('u').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
}

/** Presses a key until this is said, twice: it is the same each time. */
async function pressTwiceInVain(app: RenderedApp, key: string, sentence: string): Promise<void> {
	for (let time = 0; time < 2; time++) {
		const before = app.state().messages.shown?.id;
		await app.press(key).until(() => app.state().messages.shown?.id !== before);
		await app.says(sentence);
	}
}

/** Renames the agent under the cursor. */
async function renameTo(app: RenderedApp, name: string): Promise<void> {
	await app.press('c').shows('> Name');
	await app.press('ctrl+u', ...name, 'enter').says(`Saved: the agent is called ${name}.`);
}

const prompt = 'You look after a house.';

test('u and Ctrl+R go back and forth through a switch and a name, in the order that they were done', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	await app.press('1').shows('> Hearth');
	await renameTo(app, 'Hob');
	const lines = await app.press('u').says('Undone: the agent is called Hearth again.');
	assert.ok(includes('> Hearth')(lines), lines.join('\n'));
	assert.equal(storedState(service, 301), false, 'the switch before it stands');
	await app.press('u').says('Undone: lamps is on again.');
	await app.press('u').says('Nothing to undo.');
	await app.press('ctrl+r').says('Redone: lamps is off again.');
	assert.equal(storedState(service, 301), false);
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
	assert.ok(includes('> Hob')(await app.press('ctrl+r').says('Redone: the agent is called Hob again.')));
	await app.press('ctrl+r').says('Nothing to redo.');
	await app.press('u').says('Undone: the agent is called Hearth again.');
	const edits = service.requests.filter(({path}) => path.includes('/edit-personality/'));
	assert.deepEqual(
		await editsOf({requests: edits}),
		['Hob', 'Hearth', 'Hob', 'Hearth'].map(name => ({personality_id: ['1'], name: [name], description: [prompt]})),
	);
});

test('u asks before it overwrites what somebody else changed since', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	await app.press('1').shows('> Hearth');
	await renameTo(app, 'Hob');
	storedAgent(service, 1)['name'] = 'Puck';
	await app.press('u').says('Give Puck its earlier name again: Hearth?');
	assert.ok(says('Puck was changed elsewhere since')(app.lines()), app.lines().join('\n'));
	await app.press('n').says('Not undone: Nothing was put back.');
	assert.equal(storedAgent(service, 1)['name'], 'Puck');
	await app.press('u').says('Give Puck its earlier name again: Hearth?');
	await app.press('y').says('Undone: the agent is called Hearth again.');
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
	assert.equal(storedState(service, 301), false, 'the switch before it stands');
});

test('u asks before it switches back what somebody else switched off and on since, by name where the service tells it', async (t: TestContext) => {
	await using service = await startTestService();
	const app = await openApp(t, {service: {baseAddress: service.baseAddress, apiKey: service.key}, size: wide});
	const {key: anna} = await withKeys(service.dataFolder, async keys => keys.create({account: 'default', name: 'anna'}));
	const row = async () => named(await service.read(paths.installed), 'morninglights');
	const {id} = await row();
	await app.shows('> on   morninglights');
	await app.press('space').until(async () => (await row())['enabled'] === false);
	for (const enabled of [true, false]) {
		await service.ask('PUT', paths.editInstalled(id), {key: anna, body: {enabled}});
	}

	const changedAt = Date.parse(String((await row())['last_updated']));
	await app.until(
		() =>
			app
				.session()
				.records.seen('installed')
				?.find(record => record.id === id)?.changedAt === changedAt,
	);
	await app.press('u').says('Switch morninglights on again?');
	assert.ok(says('anna switched morninglights off after that')(app.lines()), app.lines().join('\n'));
	await app.press('n').says('Nothing was put back.');
	assert.equal((await row())['enabled'], false);
	await app.press('u').says('Switch morninglights on again?');
	await app.press('y').says('Undone: morninglights is on again.');
	assert.equal((await row())['enabled'], true);
});

test('u restores a prompt, and Ctrl+R the edited one', async (t: TestContext) => {
	const bench = openEditorBench(t);
	const {service, app} = await openHome(t, {screen: 'agents', size: wide, until: '> Hearth'});
	bench.use('write("Be brief.");');
	await app.press('e').says('Saved: the prompt of Hearth.');
	assert.equal(storedAgent(service, 1)['description'], 'Be brief.');
	await app.press('u').says('Undone: Hearth has its previous prompt again.');
	assert.equal(storedAgent(service, 1)['description'], prompt);
	await app.press('ctrl+r').says('Redone: Hearth has its previous prompt again.');
	assert.equal(storedAgent(service, 1)['description'], 'Be brief.');
	assert.deepEqual([...service.ties], [[1, [21, 22]]]);
});

test("u restores an agent's abilities, and Ctrl+R the chosen ones, where the service shows them; else u says why not", async (t: TestContext) => {
	const service = await startSampleService(t);
	const tiesOf = async (): Promise<readonly unknown[]> => {
		const [agent] = await readSampleList(service, 'agents');
		return agent!['matching_capabilities'] as readonly unknown[];
	};

	const before = await tiesOf();
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	await app.press('space', 'enter').says('Saved: Hearth has 5 abilities.');
	const chosen = await tiesOf();
	assert.notDeepEqual(chosen, before);
	await app.press('u').says(`Undone: Hearth has ${before.length} abilities again.`);
	assert.deepEqual(await tiesOf(), before);
	await app.press('ctrl+r').says('Redone: Hearth has 5 abilities again.');
	assert.deepEqual(await tiesOf(), chosen);
	const {service: silent, app: other} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(other);
	await other.press('space', 'enter', 'y').says('Saved: Hearth has 1 ability.');
	await other.press('u').says('Cannot undo: the service did not show the abilities of Hearth before.');
	assert.deepEqual([...silent.ties], [[1, [21]]]);
});

test('u undoes a change of trigger phrases, and Ctrl+R redoes it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	await app.press('t').shows('> Phrases');
	await app.press('ctrl+u', ...'light it up', 'enter').says('Saved: lamps listens for “light it up”.');
	await app.press('u').says('Undone: lamps listens for “lamps please” and “it is dark” again.');
	await app.press('ctrl+r').says('Redone: lamps listens for “light it up” again.');
	assert.deepEqual(
		togglesOf(service).map(({body}) => (body as {readonly trigger_words: unknown}).trigger_words),
		[['lamps please', 'it is dark'], ['light it up'], ['lamps please', 'it is dark'], ['light it up']],
	);
	assert.equal(storedState(service, 301), false);
});

test('u says that a deletion cannot be undone without the source, and again undoes the switch before it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 64, rows: 14}, until: '> on   lamps'});
	await switchFirst(app, service);
	await app.press('2').shows('> off  lamps');
	service.sources.clear();
	await app.press('G', 'd').says('This cannot be undone: The service does not send the source of desk (HTTP 404).');
	await typeDelete(app);
	await app.says('desk is deleted.');
	await app
		.press('u')
		.says('Cannot undo: desk was deleted. The service does not send the source of desk (HTTP 404). Undo again for the change before it.');
	assert.deepEqual(storedNames(service, 'abilities'), ['lamps', 'pantry', 'nightwatch']);
	await app.press('u').says('Undone: lamps is on again.');
});

test('u after an installation asks as d does, and Ctrl+R does not install it again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('G', 'i').says('desk is installed.');
	const box = boxOf(await app.press('u').says('Uninstall desk?'));
	assert.match(box.join(' '), /It is on\. The ability itself stays; its state and its trigger phrases are lost\./);
	await app.press('n').says('Not undone: Nothing was uninstalled.');
	assert.equal(asked(service, isRemoval).length, 0);
	await app.press('u').says('Uninstall desk?');
	await app.press('y').says('Undone: desk is uninstalled.');
	assert.equal(asked(service, isRemoval).length, 1);
	await app.press('ctrl+r').says('Nothing to redo: i on the Abilities screen installs desk again.');
	assert.equal(asked(service, isInstallation).length, 1);
});

test('u after an upload names the key that deletes it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	await app.press('2', 'U').shows('> Path');
	await app
		.paste(await abilityFolder({...lamps, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'}))
		.shows('   Name      beacon');
	await app.press('\u{13}').says('beacon is uploaded (id 25)');
	await undoStepsOver(app, service, 'Cannot undo: beacon was uploaded. d on the Abilities screen deletes it.');
	assert.equal(asked(service, isUpload).length, 1);
	assert.equal(asked(service, isDeletion).length, 0);
});

test('Ctrl+R does not overwrite what somebody else changed since the undo, and says so each time', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide, until: '> Hearth'});
	await renameTo(app, 'Hob');
	await app.press('u').says('Undone: the agent is called Hearth again.');
	storedAgent(service, 1)['name'] = 'Puck';
	await pressTwiceInVain(app, 'ctrl+r', '! Not redone: Somebody else changed the name of Puck in the meantime.');
	assert.equal(storedAgent(service, 1)['name'], 'Puck');
});

/** Switches lamps off, then leaves. */
async function switchAndLeave(app: RenderedApp, service: LiveLikeService): Promise<void> {
	await app.press('space').shows('> off  lamps');
	await app.until(() => storedState(service, 301) === false);
	await app.close();
}

function logFiles({stateFolder}: Folders): readonly string[] {
	const folder = path.join(stateFolder, 'journal');
	return existsSync(folder)
		? readdirSync(folder)
				.filter(name => name.endsWith('.jsonl'))
				.map(name => path.join(folder, name))
		: [];
}

test('u after a restart asks first, tells what was changed since, and puts the states back one key at a time', async (t: TestContext) => {
	const {service, visit} = await startForVisits(t, {size: wide});
	const first = await visit();
	await first.press('space').shows('> off  lamps');
	await first.press('a', 'E').says('2 switched on.');
	await first.until(() => storedState(service, 301) === true && storedState(service, 303) === true);
	await first.close();
	findRecord(service.installed, 303)!['enabled'] = false;
	const count = togglesOf(service).length;
	const next = await visit();
	const box = boxOf(await next.press('u').says('Switch lamps off again?'));
	assert.ok(box.join(' ').includes('Changed elsewhere since: nightwatch is off already.'), box.join('\n'));
	assert.match(box.join(' '), /You switched it on at \d\d:\d\d, in your last session\./);
	assert.equal(togglesOf(service).length, count, 'nothing is sent before the answer');
	await next.press('n').says('Nothing was put back.');
	await next.press('u').says('Switch lamps off again?');
	await next.press('y').says('Undone: lamps is off again.');
	await next.press('u').says('Switch lamps on again?');
	await next.press('y').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
	await next.press('u').says('Nothing to undo.');
});

test('a record whose id another one has by now is not switched, and that is said', async (t: TestContext) => {
	const {service, visit} = await startForVisits(t, {size: wide});
	await switchAndLeave(await visit(), service);
	findRecord(service.installed, 301)!['name'] = 'heater';
	const count = togglesOf(service).length;
	const next = await visit();
	await next.press('u').says('Nothing is left to put back of an earlier change. lamps is no longer installed.');
	assert.equal(togglesOf(service).length, count);
});

test('phrases and names are put back after a restart, with what somebody else changed', async (t: TestContext) => {
	const {service, visit} = await startForVisits(t, {size: wide});
	const first = await visit();
	await first.press('t').shows('> Phrases');
	await first.press('ctrl+u', ...'light it up', 'enter').says('Saved: lamps listens for “light it up”.');
	await first.press('1').shows('> Hearth');
	await first.press('c').shows('> Name');
	await first.press('ctrl+u', ...'Hob', 'enter').says('Saved: the agent is called Hob.');
	await first.close();
	const lamps = findRecord(service.installed, 301)!;
	lamps['trigger_words'] = ['somebody else'];
	const next = await visit();
	await next.press('u').says('Give Hob its earlier name again: Hearth?');
	await next.press('y').says('Undone: the agent is called Hearth again.');
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
	await next.press('u').says('Give lamps its earlier phrases again: lamps please, it is dark?');
	assert.ok(says('lamps was changed elsewhere since: it listens for “somebody else”.')(next.lines()), next.lines().join('\n'));
	await next.press('y').says('Undone: lamps listens for “lamps please” and “it is dark” again.');
	assert.deepEqual(lamps['trigger_words'], ['lamps please', 'it is dark']);
});

test('a session that runs beside does not undo what the other one did', async (t: TestContext) => {
	const {service, visit, folders} = await startForVisits(t, {size: wide});
	const first = await visit();
	await first.press('space').shows('> off  lamps');
	await first.until(() => logFiles(folders).length === 1);
	const second = await visit();
	await second.press('u').says('Nothing to undo.');
	await first.press('u').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
});

test('changes that cannot be taken back are said once and skipped, and lines that nobody understands do no harm', async (t: TestContext) => {
	const {service, visit, folders} = await startForVisits(t, {size: wide});
	await switchAndLeave(await visit(), service);
	const [file] = logFiles(folders);
	const line = JSON.parse(readFileSync(file!, 'utf8')) as object;
	const wrong: readonly object[] = [{name: 'lamps\u001B[2J'}, {from: 'x'}, {record: 999}];
	const others: readonly object[] = [{record_kind: '__proto__'}, {group: 7}, {kind: 'skip', keys: 'x'}, {undoes: [7], group: 9}];
	const lines = [...wrong, ...others].map((fields, index) => JSON.stringify({...line, id: index + 2, group: `g${index}`, ...fields}));
	writeFileSync(file!, [...lines, '{"kind":'].join('\n'));
	const count = service.requests.filter(({method}) => method === 'PUT').length;
	const next = await visit();
	for (const _ of wrong) {
		const before = next.state().messages.shown?.id;
		await next
			.press('u')
			.until(
				() =>
					next.state().messages.shown?.text.startsWith('Nothing is left to put back') === true &&
					next.state().messages.shown?.id !== before,
			);
	}

	await next.press('u').says('Nothing to undo.');
	await next.close();
	await (await visit()).press('u').says('Nothing to undo.');
	assert.equal(service.requests.filter(({method}) => method === 'PUT').length, count);
});

test('marks come back on records that still have their id and name', async (t: TestContext) => {
	const {service, visit} = await startForVisits(t, {size: wide});
	const first = await visit();
	await first.press('x', 'x', 'x').shows('3 marked');
	await first.close();
	findRecord(service.installed, 302)!['name'] = 'larder';
	const next = await visit();
	await next.shows('2 marked', says('2 rows are marked, as you left them. 1 other no longer exists.'));
	assert.deepEqual(
		[...next.state().views.installed.marks].toSorted((one, other) => one - other),
		[301, 303],
	);
});
