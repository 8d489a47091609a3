import {test, type TestContext} from 'node:test';
import {renderApp, type RenderAppOptions} from '../../helpers/render-app.tsx';
import {type RecordedRequest} from '../../helpers/recorded-requests.ts';
import {
	isToggle,
	startHome,
	storedState,
	togglesOf,
} from '../helpers/homes.ts';
import {includes, says, shown} from '../helpers/shown.ts';

const isToggleOf = (id: number) => (request: RecordedRequest): boolean => isToggle(request) && request.path.includes(`/${id}/`);

/** The screens, left by a key while lamps is being switched off. */
const openLeaving = async (t: TestContext, {key = 'q', ...options}: RenderAppOptions & {readonly key?: string} = {}) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, ...options});
	await app.waitForFrame(includes('live'));
	const release = service.hold({when: isToggle});
	app.press('space');
	await app.waitUntil(() => service.heldCount() === 1);
	app.press(key);
	await app.waitForFrame(says('Leaving once 1 change is answered.'));
	return {service, app, release};
};

test('what is waited for is counted down as answers come', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	const releases = [301, 302, 303].map(id => service.hold({when: isToggleOf(id)}));
	app.write(' j j ');
	await app.waitUntil(() => service.heldCount() === 3);
	app.press('q');
	for (const [index, text] of ['3 changes are', '2 changes are', '1 change is'].entries()) {
		await app.waitForFrame(says(`Leaving once ${text} answered.`));
		t.assert.strictEqual(app.exitCode(), undefined);
		releases[index]!();
	}

	await app.waitUntil(() => app.exitCode() === 0);
	t.assert.deepStrictEqual(app.afterwords(), []);
	t.assert.deepStrictEqual([301, 302, 303].map(id => storedState(service, id)), [false, false, true]);
	t.assert.deepStrictEqual(app.state().messages.history, [], 'a count is no message of its own');
});

test('while leaving waits nothing that is typed or pasted acts, and Escape calls leaving off', async (t: TestContext) => {
	const {service, app, release} = await openLeaving(t);
	const before = app.lines();
	app.write('j xaDEuPM!?:/light\r23\t');
	app.press('ctrl+l', 'ctrl+z', 'down', 'enter');
	app.paste('jj x');
	app.press('escape');
	const lines = await app.waitForFrame(says('Leaving is called off.'));
	t.assert.deepStrictEqual(shown(lines).slice(0, 6), shown(before).slice(0, 6));
	t.assert.deepStrictEqual([app.repaintCount(), app.stopCount()], [0, 0]);
	t.assert.strictEqual(app.state().overlays.length, 0);
	release();
	await app.waitForFrame(includes(' > off  lamps'));
	t.assert.strictEqual(app.exitCode(), undefined);
	t.assert.deepStrictEqual(togglesOf(service).map(({id}) => id), [301], 'nothing that was typed was kept for later');
	app.press('j', 'space');
	await app.waitForFrame(includes(' > off  pantry'));
	app.press('q');
	t.assert.strictEqual(app.exitCode(), 0);
});

test('leaving that was called off is asked for anew', async (t: TestContext) => {
	const {app, release} = await openLeaving(t);
	app.write('\u{1B}');
	await app.waitForFrame(says('Leaving is called off.'));
	app.press('q');
	await app.waitForFrame(says('Leaving once 1 change is answered.'));
	t.assert.strictEqual(app.exitCode(), undefined, 'it is the first press again');
	release();
	await app.waitUntil(() => app.exitCode() === 0);
});

test('a failure that was seen by who stays is not told once more after leaving', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	const releases = [301, 302].map(id => service.hold({when: isToggleOf(id)}));
	service.failNext({when: isToggleOf(301), status: 500});
	app.write(' j ');
	await app.waitUntil(() => service.heldCount() === 2);
	app.press('q');
	await app.waitForFrame(says('Leaving once 2 changes are answered.'));
	releases[0]!();
	await app.waitForFrame(says('Leaving once 1 change is answered.'));
	t.assert.match(app.afterwords()[0]!, /^lamps stays on: /);
	app.press('escape');
	await app.waitForFrame(says('Leaving is called off.'));
	releases[1]!();
	await app.waitForFrame(includes(' > off  pantry'));
	app.press('q');
	await app.waitUntil(() => app.exitCode() === 0);
	t.assert.deepStrictEqual(app.afterwords(), []);
});

test('the person\'s own key leaves at once by a second press, as Ctrl+C does; q does nothing there', async (t: TestContext) => {
	for (const second of ['x', 'ctrl+c']) {
		const {app} = await openLeaving(t, {keys: {quit: ['x', 'ctrl+c'], mark: []}, key: 'x'});
		t.assert.strictEqual(app.lines().at(-1), ' x leave now  esc stay');
		app.press('q', 'j');
		t.assert.strictEqual(app.exitCode(), undefined);
		app.press(second);
		await app.waitUntil(() => app.exitCode() === 0);
		t.assert.deepStrictEqual(app.afterwords(), ['It is not known whether lamps is off now: the service had not answered yet.']);
		await app.close();
	}
});

test('what follows q in one chunk is for nobody, also where nothing is under way', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	app.write('q  jD');
	t.assert.strictEqual(app.exitCode(), 0);
	t.assert.deepStrictEqual(app.session().toggles.getIntents(), new Map());
	t.assert.deepStrictEqual(togglesOf(service), []);
});

test('a form keeps what was typed into it while leaving was waited for', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 40, rows: 10}});
	await app.waitForFrame(includes('live'));
	const release = service.hold({when: isToggle});
	app.press('space');
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('P', 'j', 'enter');
	await app.waitForFrame(includes(' Connect to a service'));
	app.write('https://voice.example');
	await app.waitForFrame(includes('voice.example'));
	app.press('ctrl+c');
	const lines = await app.waitForFrame(says('Leaving once 1 change is answered.'));
	t.assert.strictEqual(lines.length, 10);
	t.assert.deepStrictEqual(lines.slice(-2), [' Leaving once 1 change is answered.', ' q leave now  esc stay']);
	t.assert.ok(includes('voice.example')(lines), lines.join('\n'));
	app.write('q-typed-by-mistake'.slice(1));
	app.press('escape');
	const stayed = await app.waitForFrame(frame => !says('Leaving once')(frame));
	t.assert.ok(stayed.some(line => line.endsWith('https://voice.example')), stayed.join('\n'));
	app.write('.com');
	await app.waitForFrame(frame => frame.some(line => line.endsWith('https://voice.example.com')));
	release();
});
