import {assert, test, type TestContext} from '../../helpers/node.ts';
import {installedRecord, isInstalledList, startDocumentedHome, startHome, togglesOf} from '../helpers/homes.ts';
import {breakList, inList, isRead, now, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {boxOf, cursorLine, isAnswered, isFresh, night, openApp, openHome, openPresets, renderApp, says} from '../helpers/kit.ts';

test('without presets the list says how to save one, and no key does harm', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = app.lines();
	assert.deepEqual(withoutBlanks(await app.press('b').shows('No presets yet.')), [
		' Presets                                            environment',
		'   No presets yet.',
		'   s saves which abilities are on and off now, or only the',
		'   marked ones.',
		' s save  esc back',
	]);
	app.press('enter', 'd', 'j', 'y');
	assert.deepEqual(await app.press('b').shows(isFresh), before);
	assert.deepEqual(togglesOf(service), []);
});

test('s saves the present state under a name that is typed, and the list tells what it would change later', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('b').shows(inList);
	await app.press('s').shows('> Name');
	assert.deepEqual(withoutBlanks(await app.write('now').shows('> Name  now')), [
		' Save the present state as a preset                 environment',
		' > Name  now',
		'         2 on, 1 off',
		' enter save  esc back  ctrl+u clear',
	]);
	assert.deepEqual(withoutBlanks(await app.press('enter').shows(says('Saved'), isRead)), [
		' Presets                                            environment',
		' > 1 now  no change     2 on, 1 off',
		' Saved the preset now: 2 on, 1 off.',
		' enter apply  s save  d delete  j/k move  esc back',
	]);
	assert.deepEqual(await app.ui.presets().list(), [now]);
	await app.press('escape', 'space').shows(' > off  lamps');
	await app.press('b').shows(' > 1 now  1 to change   2 on, 1 off');
});

test('only the marked rows are saved, on the Installed and on the Abilities screen', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.write('jxxbs').shows(' Save 2 marked as a preset');
	await app.write('some\r').says('Saved the preset some: 1 on, 1 off.');
	assert.deepEqual(await app.ui.presets().find('some'), {name: 'some', on: ['pantry'], off: ['nightwatch']});
	await app.press('escape', '2').shows(' > on   lamps');
	await app.write('xbs').shows(' Save 1 marked as a preset');
	await app.write('one\r').says('Saved the preset one: 1 on, 0 off.');
	assert.deepEqual(await app.ui.presets().find('one'), {name: 'one', on: ['lamps'], off: []});
});

test('marks of agents count for nothing, and marked abilities that are not installed are no preset', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	await app.write('xbs').shows(' Save the present state as a preset');
	await app.press('escape', 'escape', '2', 'escape').shows('[2 Abilities]');
	await app.write('/desk\r').shows(lines => cursorLine(lines)?.includes('desk') ?? false);
	await app.write('xbs').shows(' Save 1 marked as a preset');
	await app.write('none\r').says('! None of the marked abilities is installed: there is nothing to save.');
	assert.deepEqual(await app.ui.presets().list(), []);
});

test('a name that is taken is replaced only after a question, and one that is not valid stays in the field', async (t: TestContext) => {
	const {app} = await openHome(t);
	await openPresets(app);
	await app.press('s', 'enter').says('! Enter a name.');
	await app
		.write('a/b\r')
		.says('! The name of a preset must be 1 to 64 letters, digits, “_”, “-” and spaces, with no “-” first. Choose another name.');
	app.press('ctrl+u');
	assert.deepEqual(
		boxOf(await app.write('Night\r').says('Replace')).filter(line => line !== ''),
		['Replace the preset night?', 'It holds 1 on, 2 off. u brings it back.', 'y replace  n no'],
	);
	await app.press('n').shows(isAnswered, '> Name  Night');
	assert.deepEqual(await app.ui.presets().list(), [night]);
	await app.press('enter').says('Replace');
	await app.press('y').says('Saved the preset Night: 2 on, 1 off. u brings the earlier one back.');
	assert.deepEqual(await app.ui.presets().list(), [{...now, name: 'Night'}]);
	await app.press('u').shows(says('Undone: the preset night holds 1 on, 2 off again.'), inList, ' > 1 night  3 to change');
	assert.deepEqual(await app.ui.presets().list(), [night]);
	await app.press('ctrl+r').says('Redone: the preset Night holds 2 on, 1 off again.');
	// Somebody else has another one by now: theirs stays.
	const other = {name: 'NIGHT', on: ['lamps'], off: []};
	await app.ui.presets().save(other, {isReplacing: true});
	await app.press('u').says('! Not undone: The preset “night” was changed since.');
	assert.deepEqual(await app.ui.presets().list(), [other]);
});

test('a preset is deleted only after a question, and undo brings it back', async (t: TestContext) => {
	const {app} = await openHome(t);
	await savePreset(app, now);
	await openPresets(app);
	await app.press('j', 'd').says('Delete the preset now?');
	await app.press('n').shows(isAnswered);
	assert.equal((await app.ui.presets().list()).length, 2);
	await app.press('d').says('Delete the preset now?');
	await app
		.press('y')
		.shows(lines => says('Deleted the preset now. u brings it back.')(lines) && cursorLine(lines)?.includes('night') === true);
	assert.deepEqual(await app.ui.presets().list(), [night]);
	await app.press('u').says('Undone: the preset now holds 2 on, 1 off again.');
	assert.deepEqual(await app.ui.presets().find('now'), now);
});

test('a state that cannot be read is not saved, and Enter tries again', async (t: TestContext) => {
	const service = await startHome(t);
	const mend = breakList(service);
	const app = await renderApp(t, {service});
	await app.shows('! not allowed');
	await app.write('bs').says('The installed abilities could not be read. Enter tries again.');
	await app.write('now\r').says('! The service does not allow this with your key');
	assert.deepEqual(await app.ui.presets().list(), []);
	mend();
	await app.press('enter').says('Saved the preset now: 2 on, 1 off.');
});

test('Escape cancels a save that waits for the list', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await app.write('bs').shows('> Name');
	await app.write('now\r').shows('Reading the installed abilities…');
	await app.press('escape').shows('No presets yet.');
	release();
	await app.press('escape').shows(isFresh);
	assert.deepEqual(await app.ui.presets().list(), []);
	assert.equal(app.state().messages.shown, undefined);
});

test('what the service does not show is left out and told, and is on after a preset that says so', async (t: TestContext) => {
	const hidden = installedRecord(303, 'porch', false);
	Object.defineProperty(hidden, 'enabled', {enumerable: true, get: () => null, set: () => undefined});
	const {service, app} = await openHome(t, {home: {installed: [installedRecord(301, 'lamps', true), hidden]}});
	await app.write('bs').shows('> Name');
	await app.write('now\r').says("Saved the preset now: 1 on, 0 off. porch is left out: this service doesn't show whether it is on.");
	await app.press('escape').shows(lines => !inList(lines));
	await openPresets(app, {name: 'a', on: ['porch'], off: []});
	await app.press('enter').shows(' ~ porch: ? → on');
	await app.press('y').says('Applied a: porch is on.');
	assert.deepEqual(wanted(service), [[303, true]]);
});

test('a service that shows nothing but ids has presets of ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service});
	await app.write('bs').shows('> Name');
	await app.write('now\r').says('Saved the preset now: 2 on, 1 off.');
	assert.deepEqual(await app.ui.presets().list(), [{name: 'now', on: ['#101', '#103'], off: ['#102']}]);
	await app.press('escape', 'space').shows(' > off  #101');
	await app.press('b', 'enter', 'y').says('Applied now: #101 is on. u undoes this.');
});
