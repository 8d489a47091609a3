import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {jsonAnswer} from '../../helpers/answers.ts';
import {type RenderedApp} from '../../helpers/render-app.tsx';
import {
	editsOf,
	isEdit,
	readSampleList,
	startSampleService,
	storedAgent,
} from '../helpers/agents.ts';
import {startDocumentedHome} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

test('the agent\'s abilities are chosen from all abilities, with a checkbox each', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	assert.deepEqual(app.lines(), [
		' Abilities of Hearth                                                   3 chosen',
		'',
		' > [x]  lamps               skill      lamps please, it is dark',
		'   [ ]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [ ]  desk                local      open the desk',
		'   [x]  #99                 –          –',
		...Array.from({length: 16}, () => ''),
		' space choose  enter save  esc cancel  / filter  a all',
	]);
	app.press('space', 'j', 'space');
	assert.deepEqual(boxes(await app.waitForFrame(includes('> [x]  pantry'))), [
		'   [ ]  lamps               skill      lamps please, it is dark',
		' > [x]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [ ]  desk                local      open the desk',
		'   [x]  #99                 –          –',
	]);
	app.press('enter');
	await app.waitForFrame(includes('Saved: Hearth has 3 abilities.'));
	assert.deepEqual(await editsOf(service), [{
		personality_id: ['1'], name: ['Hearth'], description: ['You look after a house.'], matching_capabilities: ['22', '23', '99'],
	}]);
	assert.deepEqual(service.ties.get(1), [22, 23, 99]);
});

test('on the bundled service the chosen abilities are stored and shown by name', async (t: TestContext) => {
	const service = await startSampleService(t);
	const abilities = await readSampleList(service, 'abilities');
	const [before] = await readSampleList(service, 'agents');
	const desk = abilities.find(({name}) => name === 'deskmusic')!;
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	app.press('enter');
	await app.waitForFrame(includes('morninglights'));
	app.press('t');
	await app.waitForFrame(includes('6 chosen'));
	app.press('/');
	app.write('deskm');
	assert.deepEqual(boxes(await app.waitForFrame(includes(`/deskm_ 1 of ${abilities.length}`))).map(line => line.slice(0, 18)), [' > [ ]  deskmusic ']);
	app.press('enter', 'space');
	await app.waitForFrame(includes('7 chosen'));
	app.press('enter');
	await app.waitForFrame(includes('Saved: Hearth has 7 abilities.'));
	await app.waitForFrame(says('deskmusic'));
	assert.equal(app.state().overlays.at(-1)?.kind, 'agent');
	const [after] = await readSampleList(service, 'agents');
	const tied = [...before!['matching_capabilities'] as readonly number[], desk.id].toSorted((first, second) => first - second);
	assert.deepEqual(after, {...before, matching_capabilities: tied});
});

test('Escape saves nothing, and neither does Enter without changes', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.press('space', 'j', 'space');
	await app.waitForFrame(includes('> [x]  pantry'));
	app.press('escape');
	assert.ok(includes('[1 Agents]')(await app.waitForFrame(says('Cancelled: Hearth keeps its abilities.'))));
	await openTies(app);
	// Begun anew: nothing of the choice before is left.
	assert.ok(includes(' > [x]  lamps')(app.lines()), app.lines().join('\n'));
	app.press('space', 'space', 'enter');
	await app.waitForFrame(includes('No changes: Hearth keeps its abilities.'));
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('a chooses all filtered abilities, and an agent can be left with none', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await openTies(app);
	app.press('/');
	app.write('category:local\r');
	await app.waitForFrame(includes('/category:local 1 of 5'));
	app.press('a');
	await app.waitForFrame(includes('> [x]  desk'));
	app.press('a');
	await app.waitForFrame(includes('> [ ]  desk'));
	app.press('escape');
	await app.waitForFrame(includes('3 chosen'));
	app.press('a');
	await app.waitForFrame(includes('5 chosen'));
	app.press('a');
	await app.waitForFrame(includes('0 chosen'));
	app.press('enter');
	await app.waitForFrame(includes('Saved: Hearth has no abilities.'));
	assert.deepEqual((await editsOf(service)).map(fields => fields['matching_capabilities']), [['']]);
	assert.deepEqual(service.ties.get(1), []);
});

test('a save under way is shown, and a refusal keeps the choices', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await openTies(app);
	const release = service.hold({when: isEdit});
	service.failNext({...jsonAnswer({detail: 'matching_capabilities: not today'}, 400), when: isEdit});
	app.press('space', 'enter');
	assert.deepEqual(await app.waitForFrame(includes('saving…')), [
		' Hearth              saving… · 2 chosen',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [x]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'   [x]  #99                  –',
		'',
		'',
		' - lamps',
		' space choose  enter save  esc cancel',
	]);
	release();
	const lines = await app.waitForFrame(says('! Could not save the abilities of Hearth: The service refused the request: matching_capabilities: not today. Enter tries again.'));
	assert.equal(boxes(lines)[0], ' > [ ]  lamps                skill');
	assert.deepEqual(service.ties.get(1), [21, 22]);
	app.press('enter');
	await app.waitForFrame(says('Saved: Hearth has 2 abilities.'));
	assert.deepEqual(service.ties.get(1), [23, 99]);
});

test('an opened agent shows the abilities being saved, and reverts them when that fails', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	app.press('enter');
	await app.waitForFrame(includes('1 of 3 on'));
	await openTiesOfOpen(app);
	const release = service.hold({when: isEdit});
	service.failNext({...jsonAnswer({detail: 'matching_capabilities: not today'}, 400), when: isEdit});
	app.press('space', 'enter');
	await app.waitForFrame(includes('saving…'));
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('escape');
	const lines = await app.waitForFrame(includes('Abilities  0 of 2 on'));
	assert.equal(lines[0], ' Hearth  #1                                               saving… · environment');
	release();
	await app.waitForFrame(says('not today. t edits them again.'));
	await app.waitForFrame(includes('Abilities  1 of 3 on'));
});

const openTiesOfOpen = async (app: RenderedApp): Promise<void> => {
	app.press('t');
	await app.waitForFrame(includes('3 chosen'));
};

test('abilities that somebody else changed are overwritten only after a warning', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	storedAgent(service, 1)['matching_capabilities'] = [24];
	app.press('space', 'enter');
	await app.waitForFrame(says('Somebody else changed the abilities of Hearth in the meantime. Press Enter to overwrite them.'));
	assert.deepEqual(service.requests.filter(request => isEdit(request)), []);
	app.press('enter');
	await app.waitForFrame(includes('Saved'));
	assert.deepEqual(service.ties.get(1), [23]);
});

test('when the service does not show the agent\'s abilities, replacing them asks first', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: small});
	await openTies(app);
	assert.deepEqual(app.lines(), [
		' Hearth                        0 chosen',
		' ! This service doesn\'t show which',
		' abilities the agent has: saving',
		' replaces them all.',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [ ]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'',
		' space choose  enter save  esc cancel',
	]);
	app.press('G', 'space', 'enter');
	const question = await app.waitForFrame(includes('Replace'));
	assert.ok(says('Replace all abilities of Hearth? This service doesn\'t show which it has.')(question), question.join('\n'));
	assert.ok(says('It would have only: desk (#24)')(question), question.join('\n'));
	// Enter is no Yes.
	app.press('enter');
	await app.waitForFrame(includes(' > [x]  desk'));
	assert.ok(service.requests.every(({method}) => method === 'GET'));
	assert.deepEqual(service.ties.get(1), [21, 22]);
	app.press('enter');
	await app.waitForFrame(includes('Replace'));
	app.press('y');
	await app.waitForFrame(includes('Saved: Hearth has 1 ability.'));
	assert.deepEqual(service.ties.get(1), [24]);
	assert.deepEqual((await editsOf(service)).map(fields => fields['matching_capabilities']), [['24']]);
	// What was sent is not taken for what is there.
	await openTies(app);
	assert.ok(includes('0 chosen')(app.lines()), app.lines().join('\n'));
	app.press('enter');
	await app.waitForFrame(says('It would have none.'));
});

test('on a service that lists only ids, only the id and the abilities are sent', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.press('space', 'j', 'space', 'enter');
	await app.waitForFrame(says('Replace all abilities of #1?'));
	app.press('y');
	await app.waitForFrame(includes('Saved: #1 has 2 abilities.'));
	assert.deepEqual(await editsOf({requests: service.agentEdits}), [{personality_id: ['1'], matching_capabilities: ['11', '12']}]);
});

test('nothing can be chosen or saved until the abilities are read', async (t: TestContext) => {
	const service = await startShownHome(t);
	const isAbilityList = ({path}: {readonly path: string}): boolean => path.includes('get-all-capabilit');
	service.failNext({...jsonAnswer({detail: 'out of order'}, 500), when: isAbilityList, times: 10});
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	app.press('t');
	await app.waitForFrame(says('The abilities could not be read.'));
	app.press('enter');
	await app.waitForFrame(says('Could not read the abilities. r tries again.'));
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('a read-only run refuses to edit an agent\'s abilities', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {
		service, screen: 'agents', size: wide, isReadOnly: true,
	});
	app.press('t');
	await app.waitForFrame(says('read-only: nothing was changed'));
	assert.deepEqual(app.state().overlays, []);
});
