import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, failedRow, includes, says, screen, shown} from '../helpers/shown.ts';
import {installedListCount, isInstalledList, isToggle, openHome, type RenderedApp, storedState, togglesOf} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const rows = [
	' > on   lamps                              skill      2 days',
	'   on   pantry                             brain      2 days',
	'   off  nightwatch                         daemon     2 days',
];

const takenBack = {header: 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on', tabs, rows: [failedRow(rows[0]!), ...rows.slice(1)]};

const switched = {
	...takenBack,
	header: 'environment · 127.0.0.1:00000  every 15 s · 1 of 3 on',
	rows: [' > off  lamps                              skill      2 days', ...rows.slice(1)],
};

const late = [' ! lamps may still switch off: http://127.0.0.1:00000 could not', ' be reached: connection lost. R retries.'];

/** Presses Space and waits until the row has shown the new state and is confirmed or taken back. */
const toggleToEnd = async (app: RenderedApp): Promise<readonly string[]> => {
	const frameCount = app.frames().length;
	await app.press('space').until(() => app.frames().slice(frameCount).some(includes('~')));
	return app.shows(lines => !includes('~')(lines));
};

const refusals = [
	{
		status: 500,
		body: '{"detail": "database is locked"}',
		message: [' ! lamps stays on: the service answered “database is locked”.', ' Space retries.'],
	},
	{
		status: 503,
		body: '{"detail": "Away, so nothing was changed. Try again.", "code": "nothing-changed"}',
		message: [' ! lamps stays on: the service answered “Away, so nothing was', ' changed. Try again”. Space retries.'],
	},
	{
		status: 401,
		body: '{"detail": "Invalid API key"}',
		message: [' ! lamps stays on: the service refused the API key: Invalid API', ' key. C signs in again.'],
	},
	{status: 403, body: '', message: [' ! lamps stays on: the service does not allow this with your key', ' (HTTP 403). Space retries.']},
];

for (const {status, body, message} of refusals) {
	test(`a toggle answered with ${status} is reverted with the reason, and Space retries`, async (t: TestContext) => {
		const {service, app} = await openHome(t);
		service.failNext({when: isToggle, status, body});
		assert.deepEqual(shown(await toggleToEnd(app)), screen({...takenBack, message}));
		assert.equal(togglesOf(service).length, 1, 'a write is never repeated by itself');
		assert.equal(installedListCount(service), 1);
		assert.equal(storedState(service, 301), true);

		const lines = await toggleToEnd(app);
		assert.deepEqual(shown(lines), screen(switched), 'the message does not contradict the row');
		assert.equal(togglesOf(service).length, 2);
		assert.equal(storedState(service, 301), false);
	});
}

test('a toggle whose connection is lost is reported as the list shows it, and may still arrive', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection'});
	assert.deepEqual(shown(await toggleToEnd(app)), screen({...takenBack, message: late}));
	assert.equal(togglesOf(service).length, 1);
	assert.equal(installedListCount(service), 2);

	assert.match(cursorLine(await app.press('R').shows(' > off  lamps'))!, /^ > off {2}lamps/);
	assert.equal(storedState(service, 301), false);
});

test('a toggle whose connection is lost after it was carried out settles from the list', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection', isCarriedOut: true});
	assert.deepEqual(shown(await toggleToEnd(app)), screen(switched));
	assert.equal(togglesOf(service).length, 1);
	assert.equal(installedListCount(service), 2);
});

test('a toggle that arrives late shows with the next list, and its message goes', async (t: TestContext) => {
	const {service, app} = await openHome(t, {timeoutMilliseconds: 1000});
	const release = service.hold({when: isToggle});
	await app.press('space').says('lamps may still switch off:');
	release();
	await app.until(() => storedState(service, 301) === false);
	assert.deepEqual(shown(await app.press('r').shows(' > off  lamps')), screen(switched));
	await app.press('R').says('Nothing to retry.');
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[301],
	);
});

test('an unknown outcome is reported as soon as a list shows it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection'});
	service.failNext({when: isInstalledList, status: 401, body: '{"detail": "No."}'});
	await app.press('space').says('It is not known');
	assert.deepEqual(shown(await app.press('r').says('R retries')), screen({...takenBack, message: late}));
	assert.equal(togglesOf(service).length, 1);
});

test('a toggle of a record removed meanwhile says so', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.installed.shift();
	assert.deepEqual(
		shown(await app.press('space').says('is no longer installed')),
		screen({
			header: 'environment · 127.0.0.1:00000  every 15 s · 1 of 2 on',
			tabs,
			rows: [
				' > on   pantry                             brain      2 days',
				'   off  nightwatch                         daemon     2 days',
			],
			message: [' ! lamps is no longer installed.'],
		}),
	);
	assert.equal(togglesOf(service).length, 1);
});

test('after the cursor has moved, the message names R to retry, as Space would switch another row', async (t: TestContext) => {
	for (const [onward, key] of [
		[['j'], 'R'],
		[['/', 'p', 'a', 'n', 'enter'], 'R'],
		[['2'], 'R'],
		[['enter'], 'Space'],
		[['j', 'k'], 'Space'],
	] as const) {
		const {service, app} = await openHome(t);
		service.failNext({when: isToggle, status: 500});
		const release = service.hold({when: isToggle});
		await app.press('space', ...onward).until(() => service.heldCount() === 1);
		release();
		await app.says(`lamps stays on: the service failed (HTTP 500). ${key} retries.`);
	}
});

test('late answers among many are counted apart from failures', async (t: TestContext) => {
	const {service, app} = await openHome(t, {timeoutMilliseconds: 1000});
	service.failNext({when: ({path}) => path.endsWith('/301/'), status: 500});
	service.failNext({when: ({path}) => path.endsWith('/302/'), isHanging: true});
	const lines = await app.press('a', 'D').says('1 failed, 1 may still switch. R retries them, is:failed shows them.');
	assert.deepEqual(lines.slice(3, 6), [
		'*> on!  lamps                              skill      2 days',
		'*  on!  pantry                             brain      2 days',
		'*  off  nightwatch                         daemon     2 days',
	]);
	assert.deepEqual(
		[301, 302, 303].map(id => storedState(service, id)),
		[true, true, false],
	);
	await app.press('R').until(() => [301, 302].every(id => storedState(service, id) === false));
	await app.shows(frame => !says('failed')(frame));
});
