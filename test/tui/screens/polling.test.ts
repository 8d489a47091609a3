import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {pollMilliseconds} from '../../../source/tui/hooks/query-client.ts';
import {resourceKeys} from '../../../source/tui/hooks/list-cache.ts';
import {type RenderedApp} from '../../helpers/render-app.tsx';
import {isToggle} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';

/** How often the screens have the list of installed abilities read again by themselves; `false` while they do not. */
const pollingOf = (app: RenderedApp): unknown => {
	const query = app.session().queryClient.getQueryCache().find({queryKey: resourceKeys.list('installed')});
	return query?.observers[0]?.options.refetchInterval;
};

test('the list is read again every quarter of a minute while nobody is in the middle of something', async (t: TestContext) => {
	const {app} = await openHome(t);
	assert.equal(pollMilliseconds, 15_000);
	assert.equal(pollingOf(app), pollMilliseconds);
});

test('nothing is polled while a filter is typed, a question is open or a change is under way', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.press('/');
	await app.waitForFrame(includes('/_'));
	assert.equal(pollingOf(app), false);
	app.press('enter');
	await app.waitForFrame(lines => !includes('/_')(lines));
	assert.equal(pollingOf(app), pollMilliseconds);

	const release = service.hold({when: isToggle});
	app.press('space');
	await app.waitForFrame(includes('~'));
	assert.equal(pollingOf(app), false);
	release();
	await app.waitForFrame(lines => !includes('~')(lines));
	assert.equal(pollingOf(app), pollMilliseconds);

	app.press('?');
	await app.waitForFrame(lines => lines[0]!.startsWith(' Keys'));
	assert.notEqual(pollingOf(app), pollMilliseconds);
});

test('nothing is polled while nobody has pressed a key for long, until one is pressed', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	await app.waitUntil(() => pollingOf(app) === false);
	assert.equal(app.state().isIdle, true);
	app.ui.store.dispatch({type: 'set-idle', isIdle: false});
	await app.waitUntil(() => pollingOf(app) === pollMilliseconds);
});

test('after a change without an answer the list is read at once, and not with the next poll', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection'});
	app.press('space');
	await app.waitForFrame(says('R tries again.'));
	assert.deepEqual(service.requests.map(({method}) => method), ['GET', 'PUT', 'GET']);
});
