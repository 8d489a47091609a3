import {assert, test, type TestContext} from '../../helpers/node.ts';
import {installedRecord, isInstalledList, startHome, togglesOf, startDocumentedHome} from '../helpers/homes.ts';
import {breakList, inList, isRead, night, now, openPresets, savePreset, wanted, withoutBlanks} from '../helpers/presets.ts';
import {boxOf, cursorLine, includes, isAnswered, isFresh, openApp, openHome, renderApp, says} from '../helpers/kit.ts';

test('without presets the list says how to save one, and no key does harm', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = app.lines();
	app.press('b');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('No presets yet.'))), [
		' Presets                                            environment',
		'   No presets yet.',
		'   s saves which abilities are on and off now, or only the',
		'   marked ones.',
		' s save  esc back',
	]);
	app.press('enter', 'd', 'j', 'y');
	app.press('b');
	assert.deepEqual(await app.waitForFrame(isFresh), before);
	assert.deepEqual(togglesOf(service), []);
});

test('s saves the present state under a name that is typed, and the list tells what it would change later', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('b');
	await app.waitForFrame(inList);
	app.press('s');
	await app.waitForFrame(includes('> Name'));
	app.write('now');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(includes('> Name now'))), [
		' Save the present state as a preset                 environment',
		' > Name now',
		'        2 on, 1 off',
		' enter save  esc cancel  ctrl+u clear',
	]);
	app.press('enter');
	assert.deepEqual(withoutBlanks(await app.waitForFrame(lines => says('Saved')(lines) && isRead(lines))), [
		' Presets                                            environment',
		' > now  no change     2 on, 1 off',
		' Saved the preset now: 2 on, 1 off.',
		' enter apply  s save  d delete  j/k move  esc back',
	]);
	assert.deepEqual(await app.ui.presets().list(), [now]);
	app.press('escape', 'space');
	await app.waitForFrame(includes(' > off  lamps'));
	app.press('b');
	await app.waitForFrame(includes(' > now  1 to change   2 on, 1 off'));
});

test('only the marked rows are saved, on the Installed and on the Abilities screen', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('jxxbs');
	await app.waitForFrame(includes(' Save 2 marked as a preset'));
	app.write('some\r');
	await app.waitForFrame(says('Saved the preset some: 1 on, 1 off.'));
	assert.deepEqual(await app.ui.presets().find('some'), {name: 'some', on: ['pantry'], off: ['nightwatch']});
	app.press('escape', '2');
	await app.waitForFrame(includes(' > on   lamps'));
	app.write('xbs');
	await app.waitForFrame(includes(' Save 1 marked as a preset'));
	app.write('one\r');
	await app.waitForFrame(says('Saved the preset one: 1 on, 0 off.'));
	assert.deepEqual(await app.ui.presets().find('one'), {name: 'one', on: ['lamps'], off: []});
});

test('marks of agents count for nothing, and marked abilities that are not installed are no preset', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	app.write('xbs');
	await app.waitForFrame(includes(' Save the present state as a preset'));
	app.press('escape', 'escape', '2', 'escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.write('/desk\r');
	await app.waitForFrame(lines => cursorLine(lines)?.includes('desk') ?? false);
	app.write('xbs');
	await app.waitForFrame(includes(' Save 1 marked as a preset'));
	app.write('none\r');
	await app.waitForFrame(says('! None of the marked abilities is installed: there is nothing to save.'));
	assert.deepEqual(await app.ui.presets().list(), []);
});

test('a name that is taken is replaced only after a question, and one that is not valid stays in the field', async (t: TestContext) => {
	const {app} = await openHome(t);
	await openPresets(app);
	app.press('s', 'enter');
	await app.waitForFrame(says('! Enter a name.'));
	app.write('a/b\r');
	await app.waitForFrame(
		says('! The name of a preset must be 1 to 64 letters, digits, “_”, “-” and spaces, with no “-” first. Choose another name.'),
	);
	app.press('ctrl+u');
	app.write('Night\r');
	assert.deepEqual(
		boxOf(await app.waitForFrame(says('Replace'))).filter(line => line !== ''),
		['Replace the preset night?', 'It holds 1 on, 2 off. u brings it back.', 'y replace  n no'],
	);
	app.press('n');
	await app.waitForFrame(lines => isAnswered(lines) && includes('> Name Night')(lines));
	assert.deepEqual(await app.ui.presets().list(), [night]);
	app.press('enter');
	await app.waitForFrame(says('Replace'));
	app.press('y');
	await app.waitForFrame(says('Saved the preset Night: 2 on, 1 off. u brings the one before back.'));
	assert.deepEqual(await app.ui.presets().list(), [{...now, name: 'Night'}]);
	app.press('u');
	await app.waitForFrame(
		lines => says('Undone: the preset night holds 1 on, 2 off again.')(lines) && inList(lines) && includes(' > night  3 to change')(lines),
	);
	assert.deepEqual(await app.ui.presets().list(), [night]);
	app.press('ctrl+r');
	await app.waitForFrame(says('Redone: the preset Night holds 2 on, 1 off again.'));
	// Somebody else has another one by now: theirs stays.
	const other = {name: 'NIGHT', on: ['lamps'], off: []};
	await app.ui.presets().save(other, {isReplacing: true});
	app.press('u');
	await app.waitForFrame(says('! Not undone: The preset “night” was changed since.'));
	assert.deepEqual(await app.ui.presets().list(), [other]);
});

test('a name may hold spaces: one between two words, however it is typed', async (t: TestContext) => {
	const {app} = await openHome(t);
	await openPresets(app);
	app.press('s');
	await app.waitForFrame(includes(' Save the present state as a preset'));
	app.write(' good   day \r');
	await app.waitForFrame(lines => says('Saved the preset good day: 2 on, 1 off.')(lines) && includes('good day  no change')(lines));
	assert.deepEqual(await app.ui.presets().find('Good  DAY'), {...now, name: 'good day'});
});

test('a preset is deleted only after a question, and undo brings it back', async (t: TestContext) => {
	const {app} = await openHome(t);
	await savePreset(app, now);
	await openPresets(app);
	app.press('j', 'd');
	await app.waitForFrame(says('Delete the preset now?'));
	app.press('n');
	await app.waitForFrame(isAnswered);
	assert.equal((await app.ui.presets().list()).length, 2);
	app.press('d');
	await app.waitForFrame(says('Delete the preset now?'));
	app.press('y');
	await app.waitForFrame(
		lines => says('Deleted the preset now. u brings it back.')(lines) && cursorLine(lines)?.includes('night') === true,
	);
	assert.deepEqual(await app.ui.presets().list(), [night]);
	app.press('u');
	await app.waitForFrame(says('Undone: the preset now holds 2 on, 1 off again.'));
	assert.deepEqual(await app.ui.presets().find('now'), now);
});

test('a state that cannot be read is not saved, and Enter tries again', async (t: TestContext) => {
	const service = await startHome(t);
	const mend = breakList(service);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('! not allowed'));
	app.write('bs');
	await app.waitForFrame(says('The installed abilities could not be read. Enter tries again.'));
	app.write('now\r');
	await app.waitForFrame(says('! The service does not allow this with your key'));
	assert.deepEqual(await app.ui.presets().list(), []);
	mend();
	app.press('enter');
	await app.waitForFrame(says('Saved the preset now: 2 on, 1 off.'));
});

test('Escape cancels a save that waits for the list', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(includes('Reading the installed abilities…'));
	app.press('escape');
	await app.waitForFrame(includes('No presets yet.'));
	release();
	app.press('escape');
	await app.waitForFrame(isFresh);
	assert.deepEqual(await app.ui.presets().list(), []);
	assert.equal(app.state().messages.shown, undefined);
});

test('what the service does not show is left out and told, and is on after a preset that says so', async (t: TestContext) => {
	const hidden = installedRecord(303, 'porch', false);
	Object.defineProperty(hidden, 'enabled', {enumerable: true, get: () => null, set: () => undefined});
	const {service, app} = await openHome(t, {home: {installed: [installedRecord(301, 'lamps', true), hidden]}});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(says("Saved the preset now: 1 on, 0 off. porch is left out: this service doesn't show whether it is on."));
	app.press('escape');
	await app.waitForFrame(lines => !inList(lines));
	await openPresets(app, {name: 'a', on: ['porch'], off: []});
	app.press('enter');
	await app.waitForFrame(includes(' ~ porch: ? → on'));
	app.press('y');
	await app.waitForFrame(says('Applied a: porch is on.'));
	assert.deepEqual(wanted(service), [[303, true]]);
});

test('a service that shows nothing but ids has presets of ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service});
	app.write('bs');
	await app.waitForFrame(includes('> Name'));
	app.write('now\r');
	await app.waitForFrame(says('Saved the preset now: 2 on, 1 off.'));
	assert.deepEqual(await app.ui.presets().list(), [{name: 'now', on: ['#101', '#103'], off: ['#102']}]);
	app.press('escape', 'space');
	await app.waitForFrame(includes(' > off  #101'));
	app.press('b', 'enter', 'y');
	await app.waitForFrame(says('Applied now: #101 is on. u undoes this.'));
});
