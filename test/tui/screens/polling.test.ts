import {test, type TestContext} from 'node:test';
import {pollMilliseconds} from '../../../source/tui/hooks/query-client.ts';
import {resourceKeys} from '../../../source/tui/hooks/service-session.ts';
import {renderApp, type RenderedApp} from '../../helpers/render-app.tsx';
import {isToggle, startHome} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';

/** How often the screens have the list of installed abilities read again by themselves; `false` while they do not. */
const pollingOf = (app: RenderedApp): unknown => {
	const query = app.session().queryClient.getQueryCache().find({queryKey: resourceKeys.list('installed')});
	return query?.observers[0]?.options.refetchInterval;
};

test('the list is read again every quarter of a minute while nobody is in the middle of something', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	t.assert.strictEqual(pollMilliseconds, 15_000);
	t.assert.strictEqual(pollingOf(app), pollMilliseconds);
});

test('nothing is polled while a filter is typed, a question is open or a change is under way', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	app.press('/');
	await app.waitForFrame(includes('/_'));
	t.assert.strictEqual(pollingOf(app), false);
	app.press('enter');
	await app.waitForFrame(lines => !includes('/_')(lines));
	t.assert.strictEqual(pollingOf(app), pollMilliseconds);

	const release = service.hold({when: isToggle});
	app.press('space');
	await app.waitForFrame(includes('~'));
	t.assert.strictEqual(pollingOf(app), false);
	release();
	await app.waitForFrame(lines => !includes('~')(lines));
	t.assert.strictEqual(pollingOf(app), pollMilliseconds);

	app.press('?');
	await app.waitForFrame(lines => lines[0]!.startsWith(' Keys'));
	t.assert.notStrictEqual(pollingOf(app), pollMilliseconds);
});

test('nothing is polled while nobody has pressed a key for long, until one is pressed', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	await app.waitUntil(() => pollingOf(app) === false);
	t.assert.strictEqual(app.state().isIdle, true);
	app.ui.store.dispatch({type: 'set-idle', isIdle: false});
	await app.waitUntil(() => pollingOf(app) === pollMilliseconds);
});

test('after a change without an answer the list is read at once, and not with the next poll', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	service.failNext({when: isToggle, cut: 'connection'});
	app.press('space');
	await app.waitForFrame(says('R tries again.'));
	t.assert.deepStrictEqual(service.requests.map(({method}) => method), ['GET', 'PUT', 'GET']);
});
