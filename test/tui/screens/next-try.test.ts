import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {pollMilliseconds} from '../../../source/tui/hooks/list-cache.ts';
import {includes, installedListCount, openApp, type RenderAppOptions, startHome} from '../helpers/kit.ts';

/** The Installed screen of a service whose lists fail, and a function that moves the time on. */
const openFailing = async (t: TestContext, options: RenderAppOptions) => {
	t.mock.timers.enable({apis: ['setInterval', 'Date'], now: new Date(2026, 5, 15, 12).getTime()});
	const service = await startHome(t);
	const app = await openApp(t, {service, until: 'every 15 s', ...options});
	service.failNext({status: 503, when: ({method}) => method === 'GET', times: 100});
	const passSeconds = async (count: number): Promise<void> => {
		for (let second = 0; second < count; second++) {
			t.mock.timers.tick(1000);
			await nextTurn();
		}
	};

	await passSeconds(pollMilliseconds / 1000);
	return {service, app, passSeconds};
};

test('while the service fails, the seconds until the list is read again are counted down, and the list stays', async (t: TestContext) => {
	const {service, app, passSeconds} = await openFailing(t, {size: {columns: 64, rows: 16}});
	const lines = await app.shows(' Server error. Next try in 15 s; r tries now.');
	assert.ok(includes('! server error, as of')(lines), lines.join('\n'));
	assert.ok(includes(' > on   lamps')(lines), lines.join('\n'));
	await passSeconds(3);
	const later = await app.shows(' Server error. Next try in 12 s; r tries now.');
	assert.deepEqual(
		later.filter(line => !line.includes('Next try')),
		lines.filter(line => !line.includes('Next try')),
	);
	const count = installedListCount(service);
	await passSeconds(11);
	await app.shows('Next try in 1 s');
	assert.equal(installedListCount(service), count);
	await passSeconds(1);
	await app.until(() => installedListCount(service) > count);
	await app.shows('Next try in 15 s');
	// Nothing is tried for somebody who is away.
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	await app.shows(frame => includes('! server error, as of')(frame) && !includes('Next try')(frame));
});

test('on a low screen the countdown stands in place of the hints, and not while a filter is typed', async (t: TestContext) => {
	const {app} = await openFailing(t, {size: {columns: 40, rows: 10}});
	const lines = await app.shows('Next try');
	assert.match(lines.at(-1)!, /^ Next try in \d+ s; r tries now\.$/);
	// A list that is being filtered is not read.
	await app.press('/').shows(frame => frame.at(-1) === '/_   3 of 3' && frame.at(-2)!.includes('esc') && !includes('Next try')(frame));
});
