import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {abilityFolder, lamps} from '../../bundle/ability-folder.ts';
import {isRecord} from '../../helpers/live-like/home.ts';
import {type LiveLikeService} from '../../helpers/live-like-service.ts';
import {type RenderedApp} from '../../helpers/render-app.tsx';
import {
	asked,
	isDeletion,
	isInstallation,
	isRemoval,
	isUpload,
	storedNames,
} from '../helpers/abilities.ts';
import {
	editsOf,
	isEdit,
	openEditorBench,
	readSampleList,
	startSampleService,
	storedAgent,
} from '../helpers/agents.ts';
import {storedState, togglesOf} from '../helpers/homes.ts';
import {
	includes,
	says,
	screen,
	shown,
} from '../helpers/shown.ts';
import {openTies} from '../helpers/ties.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {wide} from '../helpers/sizes.ts';

/** Switches lamps off on the Installed screen: what an undo must not reach for where something else was done after it. */
const switchFirst = async (app: RenderedApp, service: LiveLikeService): Promise<void> => {
	await app.waitForFrame(includes('> on   lamps'));
	app.press('space');
	await app.waitUntil(() => storedState(service, 301) === false);
	await app.waitForFrame(includes('> off  lamps'));
};

/** Presses `u` until this is said, twice: it is the same each time. */
const undoTwiceInVain = async (app: RenderedApp, service: LiveLikeService, sentence: string): Promise<void> => {
	for (let time = 0; time < 2; time++) {
		const before = app.state().messages.shown?.id;
		app.press('u');
		await app.waitUntil(() => app.state().messages.shown?.id !== before);
		await app.waitForFrame(says(sentence));
	}

	assert.equal(storedState(service, 301), false, 'the switch before it stands');
};

const prompt = 'You look after a house.';

test('u restores a name before it undoes the switch before it; Ctrl+R redoes the switch', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('1');
	await app.waitForFrame(includes('> Hearth'));
	app.press('n');
	await app.waitForFrame(includes('> Name'));
	app.press('ctrl+u', ...'Hob', 'enter');
	await app.waitForFrame(says('Saved: the agent is called Hob.'));
	app.press('u');
	const lines = await app.waitForFrame(says('Undone: the agent is called Hearth again.'));
	assert.ok(includes('> Hearth')(lines), lines.join('\n'));
	const edits = service.requests.filter(({path}) => path.includes('/edit-personality/'));
	assert.deepEqual(await editsOf({requests: edits}), [
		{personality_id: ['1'], name: ['Hob'], description: [prompt]},
		{personality_id: ['1'], name: ['Hearth'], description: [prompt]},
	]);
	assert.equal(storedState(service, 301), false, 'the switch before it stands');
	app.press('u');
	await app.waitForFrame(says('Undone: lamps is on again.'));
	app.press('u');
	await app.waitForFrame(says('The last change is already undone.'));
	app.press('ctrl+r');
	await app.waitForFrame(says('Redone: lamps is off again.'));
	assert.equal(storedState(service, 301), false);
	app.press('ctrl+r');
	await app.waitForFrame(says('Nothing to redo.'));
});

test('u does not overwrite what somebody else changed since, and says so each time', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('1', 'n');
	await app.waitForFrame(includes('> Name'));
	app.press('ctrl+u', ...'Hob', 'enter');
	await app.waitForFrame(says('Saved: the agent is called Hob.'));
	storedAgent(service, 1)['name'] = 'Puck';
	await undoTwiceInVain(app, service, '! Not undone: Somebody else changed the name of Puck in the meantime.');
	assert.equal(storedAgent(service, 1)['name'], 'Puck');
});

test('u restores a prompt', async (t: TestContext) => {
	const bench = openEditorBench(t);
	const {service, app} = await openHome(t, {screen: 'agents', size: wide, until: '> Hearth'});
	bench.use('write("Be brief.");');
	app.press('e');
	await app.waitForFrame(says('Saved: the prompt of Hearth.'));
	assert.equal(storedAgent(service, 1)['description'], 'Be brief.');
	app.press('u');
	await app.waitForFrame(says('Undone: Hearth has its previous prompt again.'));
	assert.equal(storedAgent(service, 1)['description'], prompt);
	assert.deepEqual([...service.ties], [[1, [21, 22]]]);
});

test('u restores an agent\'s abilities where the service shows them, else says why not', async (t: TestContext) => {
	const service = await startSampleService(t);
	const tiesOf = async (): Promise<readonly unknown[]> => {
		const [agent] = await readSampleList(service, 'agents');
		return agent!['matching_capabilities'] as readonly unknown[];
	};

	const before = await tiesOf();
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.press('space', 'enter');
	await app.waitForFrame(says('Saved: Hearth has 5 abilities.'));
	assert.notDeepEqual(await tiesOf(), before);
	app.press('u');
	await app.waitForFrame(says(`Undone: Hearth has ${before.length} abilities again.`));
	assert.deepEqual(await tiesOf(), before);
	const {service: silent, app: other} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(other);
	other.press('space', 'enter', 'y');
	await other.waitForFrame(says('Saved: Hearth has 1 ability.'));
	other.press('u');
	await other.waitForFrame(says('Cannot undo: the service did not show the abilities of Hearth before.'));
	assert.deepEqual([...silent.ties], [[1, [21]]]);
});

test('u takes trigger phrases back', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('t');
	await app.waitForFrame(includes('> Phrases'));
	app.press('ctrl+u', ...'light it up', 'enter');
	await app.waitForFrame(says('Saved: lamps has the trigger phrases light it up.'));
	app.press('u');
	await app.waitForFrame(says('Undone: lamps has the trigger phrases lamps please, it is dark again.'));
	assert.deepEqual(togglesOf(service).map(({body}) => (body as {readonly trigger_words: unknown}).trigger_words), [
		['lamps please', 'it is dark'], ['light it up'], ['lamps please', 'it is dark'],
	]);
	assert.equal(storedState(service, 301), false);
});

test('u says of a deleted ability that it stays so, and does not reach for the switch before it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 64, rows: 14}, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('2');
	await app.waitForFrame(includes('> off  lamps'));
	app.press('G', 'd');
	await app.waitForFrame(includes('Delete desk (24)?'));
	app.press('y');
	await app.waitForFrame(says('desk is deleted.'));
	await undoTwiceInVain(app, service, 'Cannot undo: desk was deleted.');
	assert.deepEqual(storedNames(service, 'abilities'), ['lamps', 'pantry', 'nightwatch']);
	assert.deepEqual(shown(app.lines()), screen({
		header: 'environment · 127.0.0.1:00000  live · 3 abilities, 3 installed',
		tabs: '1 Agents [2 Abilities] 3 Installed',
		rows: [
			'   off  lamps                              skill      2 days',
			'   on   pantry                             brain      2 days',
			' > off  nightwatch                         daemon     2 days',
		],
		message: [' Cannot undo: desk was deleted.'],
	}));
});

test('u says why it does not undo an installation or uninstallation', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('j', 'x', 'j', 'x', 'd', 'y');
	await app.waitForFrame(says('All 2 abilities are uninstalled.'));
	await undoTwiceInVain(app, service, 'Cannot undo: 2 abilities were uninstalled. Installing again restores neither the state nor the agents.');
	app.press('2');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.press('G', 'i');
	await app.waitForFrame(says('desk is installed.'));
	await undoTwiceInVain(app, service, 'Cannot undo: desk was installed. d on the Installed screen uninstalls.');
	assert.equal(asked(service, isRemoval).length, 2);
	assert.equal(asked(service, isInstallation).length, 1);
	assert.deepEqual(storedNames(service, 'installed'), ['lamps', 'desk']);
});

test('u says of an upload what deletes it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	app.press('2', 'U');
	await app.waitForFrame(includes('> Path'));
	app.paste(await abilityFolder({...lamps, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'}));
	await app.waitForFrame(includes('   Name      beacon'));
	app.press('\u{13}');
	await app.waitForFrame(says('beacon is uploaded'));
	await undoTwiceInVain(app, service, 'Cannot undo: beacon was uploaded. d on the Abilities screen deletes it.');
	assert.equal(asked(service, isUpload).length, 1);
	assert.equal(asked(service, isDeletion).length, 0);
});

test('while what was asked for last is under way u says so, and once it was refused u goes on to the one before', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	service.failNext({when: isRemoval, status: 403});
	const release = service.hold({when: isRemoval});
	app.press('j', 'd', 'y');
	await app.waitUntil(() => service.heldCount() === 1);
	await undoTwiceInVain(app, service, 'Still uninstalling pantry.');
	release();
	await app.waitForFrame(says('Could not uninstall pantry:'));
	app.press('u');
	await app.waitForFrame(says('Undone: lamps is on again.'));
	assert.equal(storedState(service, 301), true);
});

test('u says why it cannot undo a change of unknown outcome', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await switchFirst(app, service);
	service.failNext({when: isRemoval, cut: 'connection'});
	app.press('j', 'd', 'y');
	await app.waitForFrame(says('It is not known whether pantry is uninstalled:'));
	assert.ok(says('It is still in the list, but the change may still arrive.')(app.lines()), app.lines().join('\n'));
	await undoTwiceInVain(app, service, 'Cannot undo: it is not known whether pantry was uninstalled.');
	assert.ok(service.installed.some(record => isRecord(record) && record['name'] === 'pantry'));
});

test('an undo under way is not begun twice, and can be tried again where it failed', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide, until: '> Hearth'});
	app.press('n');
	await app.waitForFrame(includes('> Name'));
	app.press('ctrl+u', ...'Hob', 'enter');
	await app.waitForFrame(says('Saved: the agent is called Hob.'));
	service.failNext({when: isEdit, status: 500});
	const release = service.hold({when: isEdit});
	app.press('u');
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('u');
	await app.waitForFrame(says('Still undoing: the name of Hearth.'));
	release();
	await app.waitForFrame(says('! Not undone: The service failed (HTTP 500).'));
	app.press('u');
	await app.waitForFrame(says('Undone: the agent is called Hearth again.'));
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
	assert.equal((await editsOf(service)).length, 3);
});

test('read-only, u and Ctrl+R are refused on Agents as elsewhere', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		screen: 'agents', size: wide, isReadOnly: true, until: '> Hearth',
	});
	for (const key of ['u', 'ctrl+r']) {
		app.press(key);
		await app.waitForFrame(lines => app.state().messages.shown !== undefined && says('read-only')(lines));
		app.press('escape');
	}

	assert.ok(service.requests.every(({method}) => method === 'GET'));
});
