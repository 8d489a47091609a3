import {assert, test, type TestContext} from '../../helpers/node.ts';
import {installedRecord, isInstalledList, isToggle, startHome, storedState, storedStates, toggledIds, togglesOf} from '../helpers/homes.ts';
import {pressOnRows} from '../helpers/open-home.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {includes, isFresh, openApp, openHome, renderApp, type RenderAppOptions, says, shown, small} from '../helpers/kit.ts';

/** The screens, left by a key while lamps is being switched off. */
async function openLeaving(t: TestContext, {key = 'q', ...options}: RenderAppOptions & {readonly key?: string} = {}) {
	const {service, app} = await openHome(t, options);
	const release = service.hold({when: isToggle});
	await app.press('space').until(() => service.heldCount() === 1);
	const lines = await app.press(key).says('Quitting once 1 change finishes.');
	return {service, app, release, lines};
}

/** What can be open above a list: how it is opened, a text on it, and the size that it needs. */
const views: ReadonlyArray<readonly [what: string, keys: readonly string[], shown: string]> = [
	['an opened agent', ['1', 'enter'], 'Prompt'],
	['an opened ability', ['2', 'enter'], 'Category '],
	['an opened installed ability', ['enter'], 'Category '],
	['a searched record', ['enter', '/', 'l', 'enter'], '/l '],
	['the help', ['?'], 'Keys'],
	['the messages', ['M'], 'Messages'],
	['the requests', ['!'], 'Requests'],
	['the profiles', ['P'], 'Profiles'],
	['the presets', ['b'], 'Presets'],
	['a checklist of abilities', ['1', 't'], '[ ] '],
	['a question', ['d'], 'Uninstall lamps?'],
];

for (const [what, keys, text] of views) {
	test(`q goes back from ${what}, and Ctrl+C leaves from it`, async (t: TestContext) => {
		const {app} = await openHome(t);
		await app.press(...keys).says(text);
		await app.press('q').shows(lines => !says(text)(lines));
		assert.deepEqual([app.state().overlays.length, app.exitCode()], [0, undefined]);
		await app.press(...keys).says(text);
		await app.press('ctrl+c').until(() => app.exitCode() === 0);
	});
}

test('q goes back one step at a time, past a message too, and then leaves from the list', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('!', 'enter').shows(lines => lines[0] === ' Request');
	await app.press('q').shows(lines => lines[0] === ' Requests');
	await app.press('q', 'enter').shows('esc back');
	await app.press('<').says('This is the first record.');
	await app.press('q').shows('[3 Installed]');
	app.press('q');
	assert.equal(app.exitCode(), 0, 'at once');
	assert.deepEqual(app.afterwords(), []);
});

test('a field takes q as text, and Ctrl+C leaves from it', async (t: TestContext) => {
	for (const [keys, text] of [
		[[':', 'q'], ':q_'],
		[['enter', '/', 'q'], '/q_'],
		[['1', 'c', 'q'], 'Name  Hearthq'],
		[['t', 'q'], 'it is darkq'],
		[['b', 's', 'q'], 'Name  q'],
	] as const) {
		const {app} = await openHome(t);
		await pressOnRows(app, keys);
		await app.shows(text);
		await app.press('ctrl+c').until(() => app.exitCode() === 0);
		await app.close();
	}
});

test('on a terminal that is too small for what is open, q does nothing and Ctrl+C leaves', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('enter').shows('esc back');
	await app.resize({columns: 10, rows: 2}).shows('Need at');
	app.press('q');
	assert.deepEqual([app.exitCode(), app.state().overlays.length], [undefined, 1]);
	await app.press('ctrl+c').until(() => app.exitCode() === 0);
});

test('q with a pending change says that it waits, and leaves once it is answered', async (t: TestContext) => {
	const {service, app, release, lines} = await openLeaving(t);
	assert.deepEqual(shown(lines).slice(3), [
		' > off~ lamps                              skill      2 days',
		'   on   pantry                             brain      2 days',
		'   off  nightwatch                         daemon     2 days',
		'',
		' Quitting once 1 change finishes.',
	]);
	assert.equal(lines.at(-1), ' q quit now  esc stay');
	assert.equal(app.exitCode(), undefined);
	release();
	await app.until(() => app.exitCode() !== undefined);
	assert.equal(app.exitCode(), 0);
	assert.deepEqual(app.afterwords(), []);
	assert.equal(storedState(service, 301), false);
});

test('of many changes that were not confirmed the first twenty are listed, and the rest are counted', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {installed: Array.from({length: 1500}, (_, index) => installedRecord(index + 1, `ability${index + 1}`, true))},
		until: 'of 1500 on',
	});
	service.hold({when: isToggle});
	await app.write('aDqq').until(() => app.exitCode() === 0);
	const afterwords = app.afterwords();
	assert.equal(afterwords.length, 21);
	assert.equal(afterwords[19], 'ability20 was not switched off: the request was not sent.');
	assert.equal(afterwords[20], '1,480 more like these are not listed.');
});

test('q and Ctrl+C in one chunk with the change wait for it too', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write(' q');
	assert.equal(app.exitCode(), undefined);
	await app.until(() => app.exitCode() === 0);
	assert.deepEqual(toggledIds(service), [301]);
	assert.equal(storedState(service, 301), false);
});

test('a pending change of the previous profile is waited for too', async (t: TestContext) => {
	const [home, office] = await Promise.all([startHome(t), startHome(t, {apiKey: 'the-office-key-0123456789'})]);
	const app = await openApp(t, {service: home, profiles: {office}});
	const release = home.hold({when: isToggle});
	await app.press('space').until(() => home.heldCount() === 1);
	await app.press('P', 'j', 'enter').shows(lines => lines[0]!.includes('office') && isFresh(lines));
	await app.press('q').says('Quitting once 1 change finishes');
	assert.equal(app.exitCode(), undefined);
	assert.deepEqual(app.afterwords(), ['It is not known whether lamps is off now: the service had not answered yet.']);
	release();
	await app.until(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), []);
	assert.equal(storedState(home, 301), false);
});

test('a list that is being read does not delay leaving', async (t: TestContext) => {
	const service = await startHome(t);
	service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await app.until(() => service.heldCount() === 1);
	app.press('q');
	assert.equal(app.exitCode(), 0);
});

const isToggleOf =
	(id: number) =>
	(request: RecordedRequest): boolean =>
		isToggle(request) && request.path.includes(`/${id}/`);

test('the number of pending changes counts down as answers come', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const releases = [301, 302, 303].map(id => service.hold({when: isToggleOf(id)}));
	await app.write(' j j ').until(() => service.heldCount() === 3);
	app.press('q');
	for (const [index, text] of ['3 changes finish', '2 changes finish', '1 change finishes'].entries()) {
		await app.says(`Quitting once ${text}.`);
		assert.equal(app.exitCode(), undefined);
		releases[index]!();
	}

	await app.until(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), []);
	assert.deepEqual(storedStates(service, [301, 302, 303]), [false, false, true]);
	assert.deepEqual(
		app.state().messages.history.map(({text}) => text),
		['lamps: on → off', 'pantry: on → off', 'nightwatch: off → on'],
		'a count is no message of its own',
	);
});

test('while leaving waits, typing and pasting do nothing, and Escape cancels leaving', async (t: TestContext) => {
	const {service, app, release} = await openLeaving(t);
	const before = app.lines();
	app.write('j xaDEuPM!?:/light\r23\t');
	app.press('ctrl+l', 'ctrl+z', 'down', 'enter');
	app.paste('jj x');
	const lines = await app.press('escape').says('Quitting was cancelled.');
	assert.deepEqual(shown(lines).slice(0, 6), shown(before).slice(0, 6));
	assert.deepEqual([app.repaintCount(), app.stopCount()], [0, 0]);
	assert.equal(app.state().overlays.length, 0);
	release();
	await app.shows(' > off  lamps');
	assert.equal(app.exitCode(), undefined);
	assert.deepEqual(toggledIds(service), [301], 'nothing that was typed was kept for later');
	await app.press('j', 'space').shows(' > off  pantry');
	app.press('q');
	assert.equal(app.exitCode(), 0);
});

test('a failure seen after leaving was cancelled is not reported again at the end', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const releases = [301, 302].map(id => service.hold({when: isToggleOf(id)}));
	service.failNext({when: isToggleOf(301), status: 500});
	await app.write(' j ').until(() => service.heldCount() === 2);
	await app.press('q').says('Quitting once 2 changes finish.');
	releases[0]!();
	await app.says('Quitting once 1 change finishes.');
	assert.equal(app.afterwords()[0], 'lamps stays on: the service failed (HTTP 500). R retries.');
	await app.press('escape').says('Quitting was cancelled.');
	releases[1]!();
	await app.shows(' > off  pantry');
	await app.press('q').until(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), []);
});

test('a custom quit key leaves at once on a second press, as Ctrl+C does, and q does nothing', async (t: TestContext) => {
	for (const second of ['x', 'ctrl+c']) {
		const {app} = await openLeaving(t, {keys: {quit: ['x', 'ctrl+c'], mark: []}, key: 'x'});
		assert.equal(app.lines().at(-1), ' x quit now  esc stay');
		app.press('q', 'j');
		assert.equal(app.exitCode(), undefined);
		await app.press(second).until(() => app.exitCode() === 0);
		assert.deepEqual(app.afterwords(), ['It is not known whether lamps is off now: the service had not answered yet.']);
		await app.close();
	}
});

test('keys after q in one chunk are ignored, also if nothing is pending', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('q  jD');
	assert.equal(app.exitCode(), 0);
	assert.deepEqual(app.session().changes.queue.intents('installed', 'enabled'), new Map());
	assert.deepEqual(togglesOf(service), []);
});

test('a form keeps its text while leaving waits', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small});
	const release = service.hold({when: isToggle});
	await app.press('space').until(() => service.heldCount() === 1);
	await app.press('P', 'j', 'enter').shows(' Connect to a service');
	await app.write('https://voice.example').shows('voice.example');
	const lines = await app.press('ctrl+c').says('Quitting once 1 change finishes.');
	assert.equal(lines.length, 10);
	assert.deepEqual(lines.slice(-2), [' Quitting once 1 change finishes.', ' q quit now  esc stay']);
	assert.ok(includes('voice.example')(lines), lines.join('\n'));
	app.write('q-typed-by-mistake'.slice(1));
	const stayed = await app.press('escape').shows(frame => !says('Quitting once')(frame));
	assert.ok(
		stayed.some(line => line.endsWith('https://voice.example')),
		stayed.join('\n'),
	);
	await app.write('.com').shows(frame => frame.some(line => line.endsWith('https://voice.example.com')));
	release();
});
