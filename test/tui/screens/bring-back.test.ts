import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {asked, isDeletion, isInstallation, isUpload, storedNames, typeDelete} from '../helpers/abilities.ts';
import {readSampleList, startSampleService, storedAgent} from '../helpers/agents.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {startForVisits} from '../helpers/open-home.ts';
import {installedRecord, isAnswered, isRecord, type LiveLikeService, openApp, openHome, says, wide} from '../helpers/kit.ts';

const isSource = ({path}: RecordedRequest): boolean => path.includes('/template-file/');

const storedInstalled = ({installed}: LiveLikeService, name: string): Record<string, unknown> | undefined =>
	installed.filter(entry => isRecord(entry)).find(entry => entry['name'] === name);

const agentsWith = (...ties: ReadonlyArray<readonly number[]>): unknown[] =>
	ties.map((ids, index) => ({id: index + 1, name: ['Hearth', 'Porch'][index], description: 'You help.', matching_capabilities: ids}));

test('u of an uninstallation installs again, with state, phrases, flags and agents', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {
			agents: agentsWith([21, 22], [22]),
			installed: [
				installedRecord(301, 'lamps', false, {capability_id: 21, trigger_words: ['only this phrase'], system_capability: true}),
				installedRecord(302, 'pantry', true, {capability_id: 22, category: 'brain_skill'}),
			],
		},
		size: wide,
		until: '> off  lamps',
	});
	await app.press('d').says('Uninstall lamps?');
	await app.press('y').says('lamps is uninstalled.');
	// Some services untie what is uninstalled.
	storedAgent(service, 1)['matching_capabilities'] = [22];
	await app.press('u').says('Undone: lamps is installed again and off.');
	const {enabled, trigger_words: phrases, system_capability: isSystem} = storedInstalled(service, 'lamps')!;
	assert.deepEqual({enabled, phrases, isSystem}, {enabled: false, phrases: ['only this phrase'], isSystem: true});
	assert.deepEqual([...service.ties], [[1, [22, 21]]], 'only the agent that had it gets it');
	await app.shows('off  lamps');
	await app.press('ctrl+r').says('Nothing to redo: d uninstalls lamps again, and asks first.');
	await app.press('u').says('Nothing to undo.');
});

test('u of several says what it cannot know; one that was installed again elsewhere is left alone', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('x', 'j', 'x', 'd').says('Uninstall 2 abilities?');
	await app.press('y').says('2 abilities uninstalled.');
	service.installed.push(installedRecord(400, 'nightwatch', true));
	await app
		.press('u')
		.says(
			'Undone: lamps is installed again and on. nightwatch is installed again already, and stays as it is. ' +
				'Check which agents use lamps: this service does not show that.',
		);
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/21/']);
	assert.equal(storedInstalled(service, 'nightwatch')!['id'], 400);
});

test('u goes on where it failed: a lost installation is looked up, and what was done is not done again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('j', 'd').says('Uninstall pantry?');
	await app.press('y').says('pantry is uninstalled.');
	service.failNext({when: isInstallation, cut: 'connection', isCarriedOut: true});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	storedInstalled(service, 'lamps')!['enabled'] = true;
	await app.press('u').says('! Not undone: The service does not allow this with your key');
	assert.equal(storedInstalled(service, 'pantry')!['agent_capability'], false);
	await app.press('u').says('Undone: pantry is installed again and on.');
	assert.equal(storedInstalled(service, 'pantry')!['agent_capability'], true);
	assert.equal(asked(service, isInstallation).length, 1);
});

test('u of a deletion uploads it again, installs and ties it, and names its new id', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {agents: agentsWith([21, 22], [22])},
		screen: 'abilities',
		size: wide,
		until: '> on   lamps',
	});
	const files = service.sources.get(21)!;
	storedInstalled(service, 'lamps')!['enabled'] = false;
	await app.press('r').shows('> off  lamps');
	await app.press('d').says('u can bring it back, with a new id.');
	await typeDelete(app);
	await app.says('lamps is deleted.');
	storedAgent(service, 1)['matching_capabilities'] = [22];
	await app.press('u').says('Undone: lamps is uploaded again with a new id, 25, installed and off.');
	const back = service.abilities.findLast(entry => isRecord(entry)) as Readonly<Record<string, unknown>>;
	assert.deepEqual(
		[back['id'], back['name'], back['category'], back['description'], back['trigger_words']],
		[25, 'lamps', 'skill', 'What lamps does', ['lamps please', 'it is dark']],
	);
	const textsOf = (source: typeof files) => new Map(source.map(({path, bytes}) => [path, Buffer.from(bytes).toString()]));
	assert.deepEqual(textsOf(service.sources.get(25)!), textsOf(files));
	assert.equal(storedInstalled(service, 'lamps')!['enabled'], false);
	assert.deepEqual([...service.ties], [[1, [22, 25]]], 'only the agent that had it gets it');
	await app.press('u').says('Nothing to undo.');
	assert.equal(asked(service, isUpload).length, 1);
});

test('u of a deletion asks first where something does not come back, and uploads nothing after a no', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const lamps = service.abilities.find(entry => isRecord(entry) && entry['id'] === 21);
	Object.assign(lamps as object, {
		image_file: 'lamps.png',
		capability_versions: [
			{id: 9021, version: '1.0.0', is_user_enabled: true},
			{id: 9020, version: '0.9.0', is_user_enabled: false},
		],
	});
	await app.press('r').shows(isAnswered);
	await app
		.press('d')
		.shows(
			says('Delete lamps (2 versions)?'),
			says('u can bring back the present version, with a new id; its image and version 0.9.0 are lost.'),
		);
	await typeDelete(app);
	await app.says('lamps is deleted.');
	app.press('u');
	const asksAgain = says('Upload lamps again?');
	await app.shows(asksAgain, says('Lost for good: its image, version 0.9.0.'));
	await app.press('n').says('Not undone: Nothing was uploaded.');
	assert.deepEqual(asked(service, isUpload), []);
	await app.press('u').shows(asksAgain);
	await app.press('y').says('Undone: lamps is uploaded again with a new id, 25');
	assert.ok(says('Not restored: its image, version 0.9.0.')(app.lines()));
});

test('an ability that was not installed is not left on by a service that installs each upload', async (t: TestContext) => {
	const service = await startSampleService(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '–    bedtimestory'});
	await app.press('G', 'd').says('Delete bedtimestory');
	await app.says('u can bring it back, with a new id.');
	await typeDelete(app);
	await app.says('bedtimestory is deleted.');
	await app.press('u').says('Undone: bedtimestory is uploaded again with a new id');
	const back = (await readSampleList(service, 'abilities')).find(({name}) => name === 'bedtimestory');
	assert.equal(back?.['is_installed'], false);
});

test('a cut upload is looked up, and one that may still arrive is not sent again once it is there', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('G', 'd').says('u can bring it back');
	await typeDelete(app);
	await app.says('desk is deleted.');
	service.failNext({when: isUpload, cut: 'connection', isCarriedOut: true});
	await app.press('u').says('Undone: desk is uploaded again with a new id, 24.');
	assert.equal(asked(service, isUpload).length, 1);
	await app.press('G', 'd').says('u can bring it back');
	await typeDelete(app);
	await app.says('desk is deleted.');
	service.failNext({when: isUpload, cut: 'connection'});
	await app.press('u').says('! It is not known whether that was undone:');
	service.abilities.push({id: 31, name: 'desk', category: 'local'});
	await app.press('u').says('Undone: desk is uploaded again with a new id, 31.');
	assert.equal(asked(service, isUpload).length, 2);
});

test('u does not upload beside an ability that has the name meanwhile', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('G', 'd').says('u can bring it back');
	await typeDelete(app);
	await app.says('desk is deleted.');
	service.abilities.push({id: 31, name: 'desk', category: 'local'});
	await app.press('u').says('! Not undone: There is an ability named desk again (id 31).');
	assert.deepEqual(asked(service, isUpload), []);
});

test('a slow source holds a deletion up only until the person says so, and then it cannot be undone', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: isSource});
	t.after(release);
	await app.press('G', 'd').says('Reading its source, so that u can undo this…');
	await typeDelete(app);
	await app.says('Go on without undo for desk?');
	assert.deepEqual(asked(service, isDeletion), []);
	await app.press('y').says('desk is deleted. This cannot be undone: Its source was not read in time.');
	await app.press('u').says('Cannot undo: desk was deleted. Its source was not read in time.');
});

test('the question about a slow source closes by itself once the source is there', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: isSource});
	await app.press('G', 'd').says('Delete desk?');
	await typeDelete(app);
	await app.says('Go on without undo');
	release();
	await app.shows(isAnswered, says('desk is deleted.'));
	await app.press('u').says('Undone: desk is uploaded again');
	assert.ok(storedNames(service, 'abilities').includes('desk'));
});

test('Escape deletes nothing and stops reading the source', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: isSource});
	t.after(release);
	await app.press('d').says('Reading its source');
	await app.until(() => service.heldCount() === 1);
	await app
		.press('escape')
		.until(() => app.ui.requests.getEntries().some(({path, status}) => path.includes('/template-file/') && status === undefined));
	assert.deepEqual(asked(service, isDeletion), []);
});

test('u brings back what was deleted and uninstalled before a restart, after a question', async (t: TestContext) => {
	const {service, visit} = await startForVisits(t, {home: {agents: agentsWith([21, 22], [22])}, size: wide});
	const app = await visit({screen: 'abilities', until: '> on   lamps'});
	await app.press('x', 'G', 'x', 'd').says('u can bring them back');
	await typeDelete(app);
	await app.says('2 abilities deleted.');
	await app.press('3').shows('> on   pantry');
	await app.press('d').says('Uninstall pantry?');
	await app.press('y').says('pantry is uninstalled.');
	await app.close();

	const again = await visit({until: '> off  nightwatch'});
	await again.press('u').shows(says('Bring back pantry?'), says('You uninstalled it at '));
	await again.press('y').says('Undone: pantry is installed again and on.');
	await again.press('u').shows(says('Bring back desk, lamps?'), says('You deleted them at '));
	await again.press('n').says('Nothing was put back.');
	assert.deepEqual(asked(service, isUpload), []);
	await again.press('u').shows(says('Bring back desk, lamps?'), says('You deleted them at '));
	await again.press('y').says('Undone: 2 abilities are uploaded again, with new ids.');
	assert.deepEqual(new Set(storedNames(service, 'abilities')), new Set(['desk', 'lamps', 'nightwatch', 'pantry']));
	await again.press('u').says('Nothing to undo.');
});

test('without a log a deletion cannot be undone, and the question says so; an uninstallation can', async (t: TestContext) => {
	setVariables(t, {SWITCHBOARD_JOURNAL: 'off'});
	const {app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('d').says('This cannot be undone: Changes are not noted with SWITCHBOARD_JOURNAL=off.');
	await app.press('escape', '3').shows('> on   lamps');
	await app.press('d').says('Uninstall lamps?');
	await app.press('y').says('lamps is uninstalled.');
	await app.press('u').says('Undone: lamps is installed again and on.');
});

test('of several, those whose source is not kept are named as lost for good before and after', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	service.sources.delete(21);
	await app
		.press('x', 'G', 'x', 'd')
		.says('Lost for good: lamps: The service does not send the source of lamps (HTTP 404). u can bring back the others, with new ids.');
	await typeDelete(app);
	await app.says('2 abilities deleted.');
	await app.press('u').says('Undone: desk is uploaded again with a new id, 24.');
	assert.ok(says('Lost for good: lamps.')(app.lines()));
	assert.deepEqual(storedNames(service, 'abilities'), ['pantry', 'nightwatch', 'desk']);
});
