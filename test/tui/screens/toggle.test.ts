import {assert, test, type TestContext} from '../../helpers/node.ts';
import {failedRow} from '../helpers/shown.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {
	installedListCount,
	installedRecord,
	isInstalledList,
	isToggle,
	startHome,
	storedState,
	storedStates,
	toggledIds,
	togglesOf,
} from '../helpers/homes.ts';
import {cursorLine, filterLine, includes, openApp, openHome, type RenderedApp, says, screen, shown} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const rows = [
	' > on   lamps                              skill      2 days',
	'   on   pantry                             brain      2 days',
	'   off  nightwatch                         daemon     2 days',
];

const takenBack = {header: 'Switchboard  environment  reads every 15 s · 2 of 3 on', tabs, rows: [failedRow(rows[0]!), ...rows.slice(1)]};

const switched = {
	...takenBack,
	header: 'Switchboard  environment  reads every 15 s · 1 of 3 on',
	rows: [' > off  lamps                              skill      2 days', ...rows.slice(1)],
};

const late = [' ! lamps may still switch off: http://127.0.0.1:00000 could not', ' be reached: connection lost. R retries.'];

/** Presses Space and waits until the row has shown the new state and is confirmed or taken back. */
async function toggleToEnd(app: RenderedApp): Promise<readonly string[]> {
	const frameCount = app.frames().length;
	await app.press('space').until(() => app.frames().slice(frameCount).some(includes('~')));
	return app.shows(lines => !includes('~')(lines));
}

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
		message: [' ! lamps stays on: the service refused the API key. Invalid API', ' key. C signs in again.'],
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
	assert.deepEqual(toggledIds(service), [301]);
});

test('an unknown outcome is reported as soon as a list shows it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.failNext({when: isToggle, cut: 'connection'});
	service.failNext({when: isInstalledList, status: 401, body: '{"detail": "No."}'});
	await app.press('space').says('It is not known');
	assert.deepEqual(shown(await app.press('r').says('R retries')), screen({...takenBack, message: late}));
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
	assert.deepEqual(storedStates(service, [301, 302, 303]), [true, true, false]);
	await app.press('R').until(() => [301, 302].every(id => storedState(service, id) === false));
	await app.shows(frame => !says('failed')(frame));
});

test('a list requested before a toggle settled does not flip it back', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList, isCarriedOutFirst: true});
	await app.press('r').until(() => service.heldCount() === 1);
	service.installed.push({id: 304, name: 'porch', enabled: false});
	await app.press('space').shows(' > off  lamps');
	const frameCount = app.frames().length;
	release();
	await app.shows('porch');
	assert.equal(installedListCount(service), 3, 'another list is read in its place');
	assert.deepEqual(
		app
			.frames()
			.slice(frameCount)
			.filter(lines => !cursorLine(lines)!.startsWith(' > off  lamps')),
		[],
	);
	assert.equal(storedState(service, 301), false);
});

test('r while a list is being read sends no second request', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList});
	await app.press('r', 'r', 'r').until(() => service.heldCount() === 1);
	service.installed.shift();
	release();
	await app.shows(lines => !includes('lamps')(lines));
	assert.equal(installedListCount(service), 2);
});

/** An installed ability whose state the service keeps and never shows. */
function hiddenRecord(id: number, name: string): Record<string, unknown> {
	const record = installedRecord(id, name, false);
	Object.defineProperty(record, 'enabled', {enumerable: true, get: () => null, set: () => undefined});
	return record;
}

/** One that is on, one that is off, one whose state is null, one whose state is missing. */
async function startHalfShownHome(t: TestContext) {
	const {enabled: _, ...porch} = installedRecord(304, 'porch', false);
	return startHome(t, {
		home: {installed: [installedRecord(301, 'lamps', true), installedRecord(302, 'nightwatch', false), hiddenRecord(303, 'pantry'), porch]},
	});
}

const lamps = '   on   lamps                              skill      2 days';
const nightwatch = '   off  nightwatch                         skill      2 days';
const pantry = '   ?    pantry                             skill      2 days';
const porch = '   ?    porch                              skill      2 days';

const underCursor = (row: string): string => ` >${row.slice(2)}`;

const bodyOf = (name: string, isEnabled: boolean) => ({
	enabled: isEnabled,
	name,
	category: 'skill',
	trigger_words: [],
	system_capability: false,
	agent_capability: true,
});

const header = 'Switchboard  environment  reads every 15 s';

test('a state that is null or missing shows as ?, is counted apart, and is neither on nor off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	assert.deepEqual(shown(app.lines()), screen({header, tabs, rows: [underCursor(lamps), nightwatch, pantry, porch]}));
	for (const [filter, rows] of [
		['is:on', [lamps]],
		['is:off', [nightwatch]],
		['!is:on', [nightwatch, pantry, porch]],
	] as const) {
		const lines = await app.press('/', ...filter, 'enter').shows(frame => filterLine(frame).startsWith(`/${filter} `));
		assert.deepEqual(
			lines.filter(line => /(?:lamps|nightwatch|pantry|porch) /.test(line)).map(line => `   ${line.slice(3)}`),
			rows,
		);
		await app.press('escape').shows(frame => filterLine(frame) === '');
	}
});

test('Space on ? is refused and names the keys that switch on or off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	assert.deepEqual(
		shown(await app.write('jj ').says("doesn't show")),
		screen({
			header,
			tabs,
			rows: [lamps, nightwatch, underCursor(pantry), porch],
			message: [" This service doesn't show whether pantry is on. E switches it", ' on, D off.'],
		}),
	);
	assert.deepEqual(togglesOf(service), []);
});

test('E and D without marks switch the row under the cursor, with exactly one request where the state is ?', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write('jjDD').says('pantry is off.');
	assert.deepEqual(togglesOf(service), [{id: 303, body: bodyOf('pantry', false)}]);
	await app.press('D').says('pantry is already off.');
	await app.press('r').until(() => installedListCount(service) === 2);
	await app.shows(underCursor(pantry));
	await app.press('E').says('pantry is on.');
	assert.deepEqual(togglesOf(service).slice(1), [{id: 303, body: bodyOf('pantry', true)}]);
	await app.write('gE').says('lamps is already on.');
	await app.press('D').says('lamps is off.');
	assert.deepEqual(togglesOf(service).slice(2), [{id: 301, body: bodyOf('lamps', false)}]);
});

test('a switch from ? cannot be undone and says why; in a bulk change the known states can', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write(' jjE').says('pantry is on.');
	await app
		.press('u')
		.says(
			'pantry was switched on, and that cannot be undone: the service did not show its state before. Undo again for the change before it.',
		);
	assert.deepEqual(toggledIds(service), [301, 303], 'lamps, which was switched before, is left alone');
	await app.press('a', 'D').says('2 switched off.');
	await app
		.press('u')
		.says('Undone: pantry is on again. porch was switched off, and that cannot be undone: the service did not show its state before.');
});

test('an unknown state shows as ? on Abilities, in the details and in the opened ability too', async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {installed: [hiddenRecord(302, 'pantry')]},
		screen: 'abilities',
		size: {columns: 120, rows: 24},
		until: ' ?    pantry',
	});
	await app.press('j').shows(/State\s+\?$/);
	await app.press('space').says("This service doesn't show whether pantry is on. E switches it on, D off.");
	await app.press('enter').shows(/State\s+\?$/);
	assert.deepEqual(togglesOf(service), []);
});

test('the question for uninstalling does not call an unknown state off', async (t: TestContext) => {
	const service = await startHalfShownHome(t);
	const app = await openApp(t, {service});
	await app.write('jjd').says('It is on or off: the service does not show it.');
});

test('a screen reader is told that a state is not shown', async (t: TestContext) => {
	setVariables(t, {INK_SCREEN_READER: 'true'});
	await openApp(t, {service: await startHalfShownHome(t), until: '  pantry, state not shown, '});
});
