import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {includes, isToggle, openHome, type RenderAppOptions, says, shown, small, storedState, togglesOf} from '../helpers/kit.ts';

const isToggleOf =
	(id: number) =>
	(request: RecordedRequest): boolean =>
		isToggle(request) && request.path.includes(`/${id}/`);

/** The screens, left by a key while lamps is being switched off. */
const openLeaving = async (t: TestContext, {key = 'q', ...options}: RenderAppOptions & {readonly key?: string} = {}) => {
	const {service, app} = await openHome(t, options);
	const release = service.hold({when: isToggle});
	await app.press('space').until(() => service.heldCount() === 1);
	await app.press(key).says('Quitting once 1 change finishes.');
	return {service, app, release};
};

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
	assert.deepEqual(
		[301, 302, 303].map(id => storedState(service, id)),
		[false, false, true],
	);
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
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[301],
		'nothing that was typed was kept for later',
	);
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
	assert.match(app.afterwords()[0]!, /^lamps stays on: /);
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
	assert.deepEqual(app.session().toggles.getIntents(), new Map());
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
