import {assert, test, type TestContext} from '../../helpers/node.ts';
import {startLiveLikeService} from '../../helpers/live-like-service.ts';
import {failedRow, includes, isFresh, says, screen, shown} from '../helpers/shown.ts';
import {installedRecord, isInstalledList, openHome, storedState} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

test('the cursor stays on its record when rows are added above it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('j').shows(' > on   pantry');
	service.installed.unshift(installedRecord(400, 'attic', true), installedRecord(401, 'balcony', false));
	assert.deepEqual(
		shown(await app.press('r').shows('attic')),
		screen({
			header: 'environment · 127.0.0.1:00000  every 15 s · 3 of 5 on',
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
			header: 'environment  ! unreachable, as of 00:00 · 2 of 3 on',
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
			header: 'environment  ! unreachable, as of 00:00 · 2 of 3 on',
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
	const fail = (): void => {
		service.failNext({when: isInstalledList, status: 429, body: '', headers: {'retry-after': '90'}});
	};

	fail();
	await app.session().queryClient.refetchQueries({type: 'active'});
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
	assert.match((await app.press('r').says('Refreshing the list…'))[0]!, /every 15 s · \d+ of 3 on/);
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
