import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {editsOf} from '../helpers/agents.ts';
import {includes, says} from '../helpers/shown.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

test('an ability deleted in the meantime is no longer chosen', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide});
	await openTies(app);
	app.press('space', 'j', 'space');
	await app.waitForFrame(includes('2 chosen'));
	service.abilities.shift();
	app.press('r');
	const lines = await app.waitForFrame(includes('1 chosen'));
	assert.deepEqual(boxes(lines).map(line => line.slice(0, 13)), [' > [x]  pantr', '   [ ]  night', '   [ ]  desk ']);
	app.press('enter');
	await app.waitForFrame(includes('pantry (#22)'));
	app.press('y');
	await app.waitForFrame(includes('Saved: Hearth has 1 ability.'));
	assert.deepEqual((await editsOf(service)).map(fields => fields['matching_capabilities']), [['22']]);
});

test('a long name leaves room for the filter and the count', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {
			agents: [{
				id: 1, name: 'The voice of the whole house and garden', description: '', matching_capabilities: [21],
			}],
		}, screen: 'agents', size: small,
	});
	await openTies(app);
	assert.equal(app.lines()[0], ' The voice of the whole hous…  1 chosen');
	app.press('/', 'd');
	await app.waitForFrame(lines => lines[0] === ' The voice of t…  /d_ 3 of 4 · 1 chosen');
});

test('a list key that does not work here says so, and keeps the choices', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: small});
	await openTies(app);
	app.press('space', 's');
	assert.deepEqual(await app.waitForFrame(says('Enter saves.')), [
		' Hearth                        2 chosen',
		' > [ ]  lamps                skill',
		'   [ ]  pantry               brain',
		'   [x]  nightwatch           daemon',
		'   [ ]  desk                 local',
		'   [x]  #99                  –',
		' - lamps',
		' s (sort) works on the list, not here.',
		' Enter saves.',
		' space choose  enter save  esc cancel',
	]);
	for (const [key, label] of [['1', 'agents'], ['y', 'copy id'], [':', 'commands']] as const) {
		app.press(key);
		await app.waitForFrame(says(`${key} (${label}) works on the list, not here.`));
	}

	assert.equal(app.exitCode(), undefined);
});

test('in the filter of the checklist Tab completes, and keeps the choices', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.write('/cat\tdae\t');
	await app.waitForFrame(includes('/category:daemon_ 1 of 5'));
	app.write('\tx');
	await app.waitForFrame(includes('/category:daemonx_ 0 of 5'));
	assert.deepEqual(await editsOf(service), []);
	assert.equal(app.state().overlays.at(-1)?.kind, 'agent-ties');
});

test('n and N go from match to match in the filtered checklist', async (t: TestContext) => {
	const service = await startShownHome(t);
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	await openTies(app);
	app.write('/d\r');
	await app.waitForFrame(includes('/d 3 of 5'));
	const names = app.lines().filter(line => /^ [ >] \[[ x]\] /.test(line)).map(line => line.slice(7).trim().split(' ', 1)[0]!);
	assert.equal(names.length, 3);
	for (const [key, row] of [['n', 1], ['n', 2], ['N', 1]] as const) {
		app.press(key);
		await app.waitForFrame(lines => lines.some(line => new RegExp(String.raw`^ > \[[ x]\] +${names[row]!} `).test(line)));
	}
});
