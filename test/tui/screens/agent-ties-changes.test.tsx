import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {
	editsOf,
	isEdit,
	readSampleList,
	startSampleService,
	storedAgent,
} from '../helpers/agents.ts';
import {escapeKeys, includes, says} from '../helpers/shown.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

test('added and removed abilities are shown before they are saved', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.write(' j jj j ');
	assert.deepEqual(await app.waitForFrame(includes(' + pantry, desk  - lamps, #99')), [
		' Abilities of Hearth                                                   3 chosen',
		'',
		'   [ ]  lamps               skill      lamps please, it is dark',
		'   [x]  pantry              brain      –',
		'   [x]  nightwatch          daemon     –',
		'   [x]  desk                local      open the desk',
		' > [ ]  #99                 –          –',
		...Array.from({length: 14}, () => ''),
		' + pantry, desk  - lamps, #99',
		'',
		' space choose  enter save  esc cancel  / filter  a all',
	]);
	// What is chosen back is no change.
	app.write(' k ');
	await app.waitForFrame(includes(' + pantry  - lamps'));
	app.press('enter');
	await app.waitForFrame(says('Saved: Hearth has 3 abilities.'));
	assert.deepEqual((await editsOf(service)).map(fields => fields['matching_capabilities']), [['22', '23', '99']]);
});

test('on a low screen the changes take one line, with as many names as fit', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {
			agents: [{
				id: 1, name: 'Hearth', description: '', matching_capabilities: Array.from({length: 12}, (_, index) => 80 + index),
			}],
		}, screen: 'agents', size: small,
	});
	await openTies(app);
	assert.equal(boxes(app.lines()).length, 8);
	app.write('aa');
	const lines = await app.waitForFrame(includes('0 chosen'));
	assert.equal(lines.at(-2), ' - #80, #81, #82, #83, #84, #85, 6 more');
	assert.equal(boxes(lines).length, 7);
	app.press('a');
	assert.equal((await app.waitForFrame(includes('16 chosen'))).at(-2), ' + lamps, pantry, nightwatch, desk');
});

test('after a conflict the changes are shown against the agent\'s new abilities', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	storedAgent(service, 1)['matching_capabilities'] = [24];
	app.press('space');
	await app.waitForFrame(includes(' - lamps'));
	app.press('enter');
	await app.waitForFrame(says('in the meantime.'));
	await app.waitForFrame(includes(' + nightwatch  - desk'));
	assert.deepEqual(service.requests.filter(request => isEdit(request)), []);
});

test('no changes are shown when the service does not show the agent\'s abilities', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(app);
	app.press('space');
	const lines = await app.waitForFrame(includes('1 chosen'));
	assert.ok(!includes(' + lamps')(lines), lines.join('\n'));
});

test('u restores the agent\'s abilities, in the list and in an opened agent, before it undoes an earlier switch', async (t: TestContext) => {
	const service = await startSampleService(t);
	const tied = async (): Promise<readonly unknown[]> => {
		const [hearth] = await readSampleList(service, 'agents');
		return hearth!['matching_capabilities'] as readonly unknown[];
	};

	const before = await tied();
	const app = await openApp(t, {
		service, screen: 'agents', size: wide, until: '5 of 6 on',
	});
	app.press('enter');
	await app.waitForFrame(includes(' > on   morninglights'));
	app.press('space');
	await app.waitForFrame(includes(' > off  morninglights'));
	app.press('t');
	await app.waitForFrame(includes('6 chosen'));
	app.write(' \r');
	await app.waitForFrame(says('Saved: Hearth has 5 abilities. u undoes this.'));
	assert.equal((await tied()).length, 5);
	// In the opened agent.
	app.press('u');
	await app.waitForFrame(says('Undone: Hearth has 6 abilities again.'));
	assert.deepEqual(await tied(), before);
	await app.waitForFrame(lines => includes(' Abilities  4 of 6 on')(lines) && includes('off  morninglights')(lines));
	app.press('u');
	await app.waitForFrame(includes('on   morninglights'));
	// On the list.
	app.press(...escapeKeys(app));
	await app.waitForFrame(includes('[1 Agents]'));
	await openTies(app);
	app.write(' \r');
	await app.waitForFrame(says('Saved: Hearth has 5 abilities.'));
	app.press('u');
	await app.waitForFrame(says('Undone: Hearth has 6 abilities again.'));
	assert.deepEqual(await tied(), before);
});

test('u does not overwrite abilities that somebody else changed since', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.write(' \r');
	await app.waitForFrame(says('Saved: Hearth has 2 abilities.'));
	storedAgent(service, 1)['matching_capabilities'] = [24];
	const editCount = service.requests.filter(request => isEdit(request)).length;
	app.press('u');
	await app.waitForFrame(says('Somebody else changed the abilities of Hearth in the meantime.'));
	assert.equal(service.requests.filter(request => isEdit(request)).length, editCount);
});

test('u says why it cannot undo when the service did not show the previous abilities', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(app);
	app.press('space', 'enter');
	await app.waitForFrame(includes('Replace'));
	app.press('y');
	const saved = await app.waitForFrame(says('Saved: Hearth has 1 ability.'));
	assert.ok(!says('undoes this')(saved), saved.join('\n'));
	app.press('u');
	await app.waitForFrame(says('Cannot undo: the service did not show the abilities of Hearth before.'));
	assert.equal(service.requests.filter(request => isEdit(request)).length, 1);
});
