import {assert, test, type TestContext} from '../../helpers/node.ts';
import {editedTexts, editsOf, isEdit, storedAgent} from '../helpers/agents.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {includes, jsonAnswer, openApp, openHome, says, small, startDocumentedHome, wide} from '../helpers/kit.ts';

/** The checklist of an agent whose abilities the service shows. */
async function openShownTies(t: TestContext, size = wide) {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size});
	await openTies(app);
	return {service, app};
}

test("the agent's abilities are chosen from all abilities, with a checkbox each", async (t: TestContext) => {
	const {service, app} = await openShownTies(t);
	assert.deepEqual(app.lines(), [
		' Abilities of Hearth                                                   3 chosen',
		'',
		' > [x]  lamps               skill      lamps please, it is dark',
		'   [ ]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [ ]  desk                local      open the desk',
		'   [x]  #99                 –          –',
		...Array.from({length: 16}, () => ''),
		' space choose  ctrl+s save  a all  / filter  j/k move  esc back',
	]);
	assert.deepEqual(boxes(await app.press('space', 'j', 'space').shows('> [x]  pantry')), [
		'   [ ]  lamps               skill      lamps please, it is dark',
		' > [x]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [ ]  desk                local      open the desk',
		'   [x]  #99                 –          –',
	]);
	await app.press('enter').shows('Saved: Hearth has 3 abilities.');
	assert.deepEqual(await editsOf(service), [
		{personality_id: ['1'], name: ['Hearth'], description: ['You look after a house.'], matching_capabilities: ['22', '23', '99']},
	]);
	assert.deepEqual(service.ties.get(1), [22, 23, 99]);
	await app.shows(/ you {2}Hearth +\+ pantry, - lamps/);
});

test('Escape saves nothing, and neither does Enter without changes', async (t: TestContext) => {
	const {service, app} = await openShownTies(t);
	await app.press('space', 'j', 'space').shows('> [x]  pantry');
	await app.press('escape').says('Leave without saving?');
	await app.press('y').shows('[1 Agents]');
	await openTies(app);
	// Begun anew: nothing of the choice before is left.
	assert.ok(includes(' > [x]  lamps')(app.lines()), app.lines().join('\n'));
	await app.press('space', 'space', 'enter').shows('No changes: Hearth keeps its abilities.');
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('a chooses all filtered abilities, and an agent can be left with none', async (t: TestContext) => {
	const {service, app} = await openShownTies(t, small);
	app.press('/');
	await app.write('category:local\r').shows('/category:local 1 of 5');
	await app.press('a').shows('> [x]  desk');
	await app.press('a').shows('> [ ]  desk');
	await app.press('escape').shows('3 chosen');
	await app.press('a').shows('5 chosen');
	await app.press('a').shows('0 chosen');
	await app.press('enter').shows('Saved: Hearth has no abilities.');
	assert.deepEqual(await editedTexts(service, 'matching_capabilities'), [['']]);
	assert.deepEqual(service.ties.get(1), []);
});

test('a save under way is shown, and a refusal keeps the choices', async (t: TestContext) => {
	const {service, app} = await openShownTies(t, small);
	const release = service.hold({when: isEdit});
	service.failNext({...jsonAnswer({detail: 'matching_capabilities: not today'}, 400), when: isEdit});
	assert.deepEqual(await app.press('space', 'enter').shows('saving…'), [
		' Hearth              saving… · 2 chosen',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [x]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'   [x]  #99                  –',
		'',
		'',
		' - lamps',
		' space choose  ctrl+s save  a all  esc',
	]);
	release();
	const lines = await app.says(
		'! Could not save the abilities of Hearth: The service refused the request: matching_capabilities: not today. Ctrl+S tries again.',
	);
	assert.equal(boxes(lines)[0], ' > [ ]  lamps                skill');
	assert.deepEqual(service.ties.get(1), [21, 22]);
	await app.press('enter').says('Saved: Hearth has 2 abilities.');
	assert.deepEqual(service.ties.get(1), [23, 99]);
});

test("when the service does not show the agent's abilities, replacing them asks first", async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: small});
	await openTies(app);
	assert.deepEqual(app.lines(), [
		' Hearth                        0 chosen',
		" ! This service doesn't show which",
		' abilities the agent has: saving',
		' replaces them all.',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [ ]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'',
		' space choose  ctrl+s save  a all  esc',
	]);
	const question = await app.press('G', 'space', 'enter').shows('Replace');
	assert.ok(says("Replace all abilities of Hearth? This service doesn't show which it has.")(question), question.join('\n'));
	assert.ok(says('It would have only: desk (#24)')(question), question.join('\n'));
	app.press('n');
	assert.ok(!includes(' + desk')(await app.shows(' > [x]  desk')));
	assert.ok(service.requests.every(({method}) => method === 'GET'));
	assert.deepEqual(service.ties.get(1), [21, 22]);
	await app.press('enter').shows('Replace');
	await app.press('y').shows('Saved: Hearth has 1 ability.');
	assert.deepEqual(service.ties.get(1), [24]);
	assert.deepEqual(await editedTexts(service, 'matching_capabilities'), [['24']]);
	// What was sent is not taken for what is there.
	await openTies(app);
	assert.ok(includes('0 chosen')(app.lines()), app.lines().join('\n'));
	await app.press('enter').says('It would have none.');
});

test('nothing can be chosen or saved until the abilities are read', async (t: TestContext) => {
	const service = await startShownHome(t);
	const isAbilityList = ({path}: {readonly path: string}): boolean => path.includes('get-all-capabilit');
	service.failNext({...jsonAnswer({detail: 'out of order'}, 500), when: isAbilityList, times: 10});
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await app.press('t').says('The abilities could not be read.');
	await app.press('enter').says('Could not read the abilities. r tries again.');
	assert.ok(service.requests.every(({method}) => method === 'GET'));
});

test('added and removed abilities are shown before they are saved', async (t: TestContext) => {
	const {service, app} = await openShownTies(t);
	assert.equal((await app.write(' j jj j ').shows(' + pantry, desk  - lamps, #99')).at(-3), ' + pantry, desk  - lamps, #99');
	// What is chosen back is no change.
	await app.write(' k ').shows(' + pantry  - lamps');
	await app.press('enter').says('Saved: Hearth has 3 abilities.');
	assert.deepEqual(await editedTexts(service, 'matching_capabilities'), [['22', '23', '99']]);
});

test('on a low screen the changes take one line, with as many names as fit', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'Hearth', description: '', matching_capabilities: Array.from({length: 12}, (_, index) => 80 + index)}]},
		screen: 'agents',
		size: small,
	});
	await openTies(app);
	assert.equal(boxes(app.lines()).length, 8);
	const lines = await app.write('aa').shows('0 chosen');
	assert.equal(lines.at(-2), ' - #80, #81, #82, #83, #84, #85, 6 more');
	assert.equal(boxes(lines).length, 7);
	assert.equal((await app.press('a').shows('16 chosen')).at(-2), ' + lamps, pantry, nightwatch, desk');
});

test("after a conflict the changes are shown against the agent's new abilities", async (t: TestContext) => {
	const {service, app} = await openShownTies(t);
	storedAgent(service, 1)['matching_capabilities'] = [24];
	await app.press('space').shows(' - lamps');
	await app.press('enter').says('in the meantime.');
	await app.shows(' + nightwatch  - desk');
	assert.deepEqual(await editsOf(service), []);
});

test('an ability deleted in the meantime is no longer chosen', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(app);
	await app.press('space', 'j', 'space').shows('2 chosen');
	service.abilities.shift();
	const lines = await app.press('r').shows('1 chosen');
	assert.deepEqual(
		boxes(lines).map(line => line.slice(0, 13)),
		[' > [x]  pantr', '   [ ]  night', '   [ ]  desk '],
	);
	await app.press('enter').shows('pantry (#22)');
	await app.press('y').shows('Saved: Hearth has 1 ability.');
	assert.deepEqual(await editedTexts(service, 'matching_capabilities'), [['22']]);
});

test('a long name leaves room for the filter and the count', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {agents: [{id: 1, name: 'The voice of the whole house and garden', description: '', matching_capabilities: [21]}]},
		screen: 'agents',
		size: small,
	});
	await openTies(app);
	assert.equal(app.lines()[0], ' The voice of the whole hous…  1 chosen');
	await app.press('/', 'd').shows(lines => lines[0] === ' The voice of t…  /d_ 3 of 4 · 1 chosen');
});

test('a list key that does not work here says so, and keeps the choices', async (t: TestContext) => {
	const {app} = await openShownTies(t, small);
	assert.deepEqual(await app.press('space', 's').says('Ctrl+S saves.'), [
		' Hearth                        2 chosen',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [x]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'   [x]  #99                  –',
		' - lamps',
		' s (sort) works on the list, not here.',
		' Ctrl+S saves.',
		' space choose  ctrl+s save  a all  esc',
	]);
	for (const [key, label] of [
		['1', 'agents'],
		['y', 'copy id'],
		[':', 'find'],
	] as const) {
		await app.press(key).says(`${key} (${label}) works on the list, not here.`);
	}

	assert.equal(app.exitCode(), undefined);
});

test('in the filter of the checklist Tab completes, and keeps the choices', async (t: TestContext) => {
	const {service, app} = await openShownTies(t);
	await app.write('/cat\tdae\t').shows('/category:daemon_ 1 of 5');
	await app.write('\tx').shows('/category:daemonx_ 0 of 5');
	assert.deepEqual(await editsOf(service), []);
	assert.equal(app.state().overlays.at(-1)?.kind, 'edit-ties');
});

test('n and N go from match to match in the filtered checklist', async (t: TestContext) => {
	const {app} = await openShownTies(t);
	await app.write('/d\r').shows('/d 3 of 5');
	const names = app
		.lines()
		.filter(line => /^ [ >] \[[ x]\] /.test(line))
		.map(line => line.slice(7).trim().split(' ', 1)[0]!);
	assert.equal(names.length, 3);
	for (const [key, row] of [
		['n', 1],
		['n', 2],
		['N', 1],
	] as const) {
		await app.press(key).shows(new RegExp(String.raw`^ > \[[ x]\] +${names[row]!} `));
	}
});

test('an opened agent shows the abilities being saved, and reverts them when that fails', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await app.press('enter').shows('1 of 3 on');
	await app.press('t').shows('3 chosen');
	const release = service.hold({when: isEdit});
	service.failNext({...jsonAnswer({detail: 'matching_capabilities: not today'}, 400), when: isEdit});
	await app.press('space', 'enter').shows('saving…');
	await app.until(() => service.heldCount() === 1);
	const lines = await app.press('escape').shows('Abilities  0 of 2 on');
	assert.equal(lines[0], ' Hearth  #1                                               saving… · environment');
	release();
	await app.says('not today. t edits them again.');
	await app.shows('Abilities  1 of 3 on');
});

test('on a service that lists only ids, only the id and the abilities are sent', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	await app.press('space', 'j', 'space', 'enter').says('Replace all abilities of #1?');
	await app.press('y').shows('Saved: #1 has 2 abilities.');
	assert.deepEqual(await editsOf({requests: service.agentEdits}), [{personality_id: ['1'], matching_capabilities: ['11', '12']}]);
});
