import {setVariables} from '../../helpers/set-variables.ts';
import {assert, nextTurn, process, test, type TestContext} from '../../helpers/node.ts';
import {startLiveLikeService} from '../../helpers/live-like-service.ts';
import {failedRow} from '../helpers/shown.ts';
import {pollMilliseconds, resourceKeys} from '../../../source/tui/hooks/list-cache.ts';
import type {Worker} from 'node:worker_threads';
import {installedListCount, installedRecord, isInstalledList, isToggle, startHome, storedState} from '../helpers/homes.ts';
import {includes, isFresh, openApp, openHome, type RenderAppOptions, type RenderedApp, says, screen, shown, wide} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

test('the cursor stays on its record when rows are added above it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('j').shows(' > on   pantry');
	service.installed.unshift(installedRecord(400, 'attic', true), installedRecord(401, 'balcony', false));
	assert.deepEqual(
		shown(await app.press('r').shows('attic')),
		screen({
			header: 'Switchboard  environment  reads every 15 s · 3 of 5 on',
			tabs,
			rows: [
				'^  on   attic                              skill      2 days',
				'^  off  balcony                            skill      2 days',
				'   on   lamps                              skill      2 days',
				' > on   pantry                             brain      2 days',
				'   off  nightwatch                         daemon     2 days',
			],
		}),
	);
});

test('when the service dies the list stays and the screen says so; r reconnects', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const port = Number(new URL(service.baseAddress).port);
	await service.close();
	app.press('j', 'r');
	const rows = [
		'   on   lamps                              skill      2 days',
		' > on   pantry                             brain      2 days',
		'   off  nightwatch                         daemon     2 days',
	];
	assert.deepEqual(
		shown(await app.shows('! unreachable', says('Check the address'))),
		screen({
			header: 'Switchboard  environment  ! unreachable, as of 00:00',
			tabs,
			rows,
			message: [
				' ! Could not refresh the installed abilities.',
				' http://127.0.0.1:00000 could not be reached: connection',
				' refused. r tries again. Check the address and the network.',
			],
		}),
	);

	assert.deepEqual(
		shown(await app.press('space').says('Space retries.')),
		screen({
			header: 'Switchboard  environment  ! unreachable, as of 00:00',
			tabs,
			rows: [rows[0]!, failedRow(rows[1]!), rows[2]!],
			message: [' ! pantry stays on: http://127.0.0.1:00000 could not be reached:', ' connection refused. Space retries.'],
		}),
	);

	const revived = await startLiveLikeService({port, home: {installed: service.installed}});
	t.after(async () => revived.close());
	await app.press('r').shows(isFresh);
	await app.press('space').shows(' > off  pantry');
	assert.equal(storedState(revived, 302), false);
});

test('r says why the list could not be read again, each time, and the message goes once it can be; polling says nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const failure = 'Could not refresh the installed abilities. Rate limit exceeded (HTTP 429). Try again in 90 s with r.';
	const countSaid = (): number => app.state().messages.history.filter(({text}) => text === failure).length;
	const fail = (): void => service.failNext({when: isInstalledList, status: 429, body: '', headers: {'retry-after': '90'}});

	fail();
	await app.session().records.queryClient.refetchQueries({type: 'active'});
	await app.shows('! rate-limited');
	assert.equal(app.state().messages.history.length, 0);
	for (const count of [1, 2]) {
		fail();
		await app.press('r').until(() => countSaid() === count);
		await app.shows('! rate-limited', says('Try again in 90 s'));
		await app.press('escape').shows(lines => !says('Try again in 90 s')(lines));
	}

	fail();
	await app.press('r').until(() => countSaid() === 3);
	await app.press('r').shows(lines => isFresh(lines) && !says('Try again in 90 s')(lines));
});

test('a slow refresh shows a message until it is done', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList});
	assert.match((await app.press('r').says('Refreshing the list…'))[0]!, /reads every 15 s · \d+ of 3 on/);
	service.installed.pop();
	release();
	await app.shows(lines => includes('of 2 on')(lines) && !says('Reading')(lines));
});

test('a change that does not reach the service shows at once in the header that the list is old', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await service.close();
	const lines = await app.press('space').shows('! unreachable');
	assert.ok(says('lamps stays on:')(lines), lines.join('\n'));
});

/** How often the screens have the list of installed abilities read again by themselves; `false` while they do not. */
function pollingOf(app: RenderedApp): unknown {
	const query = app
		.session()
		.records.queryClient.getQueryCache()
		.find({queryKey: resourceKeys.list('installed')});
	return query?.observers[0]?.options.refetchInterval;
}

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
	assert.match(lines[0]!, / paused, as of \d\d:\d\d, press a key$/);
	assert.equal(pollingOf(app), false);
	const readCount = installedListCount(service);
	service.installed = service.installed.slice(0, 2);
	app.ui.store.dispatch({type: 'set-idle', isIdle: false});
	await app.shows('reads every 15 s · 2 of 2 on');
	assert.equal(installedListCount(service), readCount + 1);
	assert.equal(pollingOf(app), pollMilliseconds);
});

/** The Installed screen of a service whose lists fail, and a function that moves the time on. */
async function openFailing(t: TestContext, options: RenderAppOptions) {
	t.mock.timers.enable({apis: ['setInterval', 'Date'], now: new Date(2026, 5, 15, 12).getTime()});
	const service = await startHome(t);
	const app = await openApp(t, {service, until: 'reads every 15 s', ...options});
	service.failNext({status: 503, when: ({method}) => method === 'GET', times: 100});
	const passSeconds = async (count: number): Promise<void> => {
		for (let second = 0; second < count; second++) {
			t.mock.timers.tick(1000);
			await nextTurn();
		}
	};

	await passSeconds(pollMilliseconds / 1000);
	return {service, app, passSeconds};
}

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

/** The threads of this process, the newest last. */
const threads: Worker[] = [];
process.on('worker', thread => {
	threads.push(thread);
});

const texts = (app: RenderedApp): readonly string[] => app.state().messages.history.map(({text}) => text);

const restarted = /^The bundled service stopped unexpectedly: .+ It was started again\.$/;

const restartCount = (app: RenderedApp): number => texts(app).filter(text => restarted.test(text)).length;

async function kill(): Promise<void> {
	await threads.at(-1)!.terminate();
}

test('a bundled service that dies', async (t: TestContext) => {
	setVariables(t, {OPENHOME_API_KEY: 'a-key-of-the-environment'});
	// However busy the machine is, three stops come within a minute.
	const now = performance.now.bind(performance);
	t.mock.method(performance, 'now', () => now() / 10);
	const app = await openApp(t, {size: wide});
	const settled = async (): Promise<void> => app.until(() => app.session().changes.queue.intents('installed', 'enabled').size === 0);
	const failures = () => app.session().changes.switching.getFailures();

	await t.test('is started again, Messages says so without the keys that it may hold, and the session goes on', async () => {
		threads.at(-1)!.emit('error', new Error('bad header: a-key-of-the-environment'));
		await kill();
		await app.until(() => restartCount(app) === 1);
		assert.ok(
			texts(app).some(text => text.includes('bad header: [key].')),
			texts(app).join('\n'),
		);
		assert.ok(texts(app).every(text => !text.includes('a-key-of-the-environment')));
		await app.shows(isFresh);
		for (const key of ['space', 'u']) {
			app.press(key);
			await settled();
			assert.equal(failures().size, 0, texts(app).join('\n'));
		}
	});

	await t.test('while a change is under way: that ends as the service has it, or is reported', async () => {
		app.press('space');
		const {record: installed, values} = [...app.session().changes.queue.intents('installed', 'enabled').values()][0]!;
		await kill();
		await app.until(() => restartCount(app) === 2);
		await settled();
		await app.session().records.readAgain('installed');
		await app.until(() => {
			const failure = failures().get(installed.id);
			const isEnabled = app
				.session()
				.records.seen('installed')
				?.find(({id}) => id === installed.id)?.isEnabled;
			return failure?.isOutcomeUnknown !== true && (failure !== undefined) === (isEnabled !== values.enabled);
		});
	});

	await t.test('three times within a minute stays down with the reason, and the refresh key starts it again', async () => {
		await kill();
		await app.until(() =>
			texts(app).some(text => text.includes('It stopped 3 times within a minute and is not started again. r starts it again.')),
		);
		await app.shows('! unreachable, as of');
		const count = threads.length;
		await app.press('r').until(() => threads.length === count + 1);
		await app.session().records.readAgain('installed');
		await app.shows(isFresh);
		assert.equal(restartCount(app), 2);
		await kill();
		await app.until(() => restartCount(app) === 3);
	});
});
