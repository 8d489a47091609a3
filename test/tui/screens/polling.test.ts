import {assert, test, type TestContext} from '../../helpers/node.ts';
import {pollMilliseconds, resourceKeys} from '../../../source/tui/hooks/list-cache.ts';
import {includes, installedListCount, isInstalledList, isToggle, openHome, type RenderedApp} from '../helpers/kit.ts';

/** How often the screens have the list of installed abilities read again by themselves; `false` while they do not. */
const pollingOf = (app: RenderedApp): unknown => {
	const query = app
		.session()
		.queryClient.getQueryCache()
		.find({queryKey: resourceKeys.list('installed')});
	return query?.observers[0]?.options.refetchInterval;
};

test('the list is polled every 15 seconds while nothing is in progress', async (t: TestContext) => {
	const {app} = await openHome(t);
	assert.equal(pollMilliseconds, 15_000);
	assert.equal(pollingOf(app), pollMilliseconds);
});

test('nothing is polled while a filter is typed or a change is pending, or where no list is shown', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('/').shows('/_');
	assert.equal(pollingOf(app), false);
	await app.press('enter').shows(lines => !includes('/_')(lines));
	assert.equal(pollingOf(app), pollMilliseconds);

	const release = service.hold({when: isToggle});
	await app.press('space').shows('~');
	assert.equal(pollingOf(app), false);
	release();
	await app.shows(lines => !includes('~')(lines));
	assert.equal(pollingOf(app), pollMilliseconds);

	await app.press('enter').shows('esc back');
	assert.equal(pollingOf(app), pollMilliseconds, 'an opened record follows its list');
	await app.press('d').says('Uninstall lamps?');
	assert.equal(pollingOf(app), pollMilliseconds, 'a question about it, too');
	await app.press('n', 'q', '?').shows(lines => lines[0]!.startsWith(' Keys'));
	assert.notEqual(pollingOf(app), pollMilliseconds);
});

test('after a long time without a key the list is paused and says so, until one is pressed: then it is read at once', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	const lines = await app.shows('paused, as of ');
	assert.match(lines[0]!, / paused, as of \d\d:\d\d, press a key · 2 of 3 on$/);
	assert.equal(pollingOf(app), false);
	const readCount = installedListCount(service);
	service.installed = service.installed.slice(0, 2);
	app.ui.store.dispatch({type: 'set-idle', isIdle: false});
	await app.shows('every 15 s · 2 of 2 on');
	assert.equal(installedListCount(service), readCount + 1);
	assert.equal(pollingOf(app), pollMilliseconds);
});

test('after an unanswered change the list is read at once, before the next poll', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection'});
	await app.press('space').says('R retries.');
	assert.deepEqual(
		service.requests.filter(request => isToggle(request) || isInstalledList(request)).map(({method}) => method),
		['GET', 'PUT', 'GET'],
	);
});
