import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {createHome} from '../../helpers/live-like/home.ts';
import {includes, installedRecord, openApp, type RenderAppOptions, type RenderedApp, startHome, wide} from '../helpers/kit.ts';

const start = new Date(2026, 5, 15, 12).getTime();
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const before = (milliseconds: number): {readonly last_updated: string} => ({last_updated: new Date(start - milliseconds).toISOString()});

/** More turns of the event loop than a change needs to be drawn. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) {
		await nextTurn();
	}
}

type Opened = {
	readonly app: RenderedApp;
	/** Lets time pass while nothing else happens, and returns how often the screen was drawn meanwhile. */
	pass(milliseconds: number): Promise<number>;
};

/** The screens, ten minutes after the last key, on two abilities that were changed so long ago. Only the test moves the time on. */
async function openAged(t: TestContext, ages: readonly [lamps: number, pantry: number], options: RenderAppOptions = {}): Promise<Opened> {
	t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date'], now: start});
	const service = await startHome(t, {
		home: {
			abilities: createHome().abilities.map(ability => ({...(ability as object), ...before(ages[0])})),
			installed: [installedRecord(301, 'lamps', true, before(ages[0])), installedRecord(302, 'pantry', true, before(ages[1]))],
			agents: [{id: 1, name: 'Hearth', description: '', matching_capabilities: [21, 22]}],
		},
	});
	const app = await openApp(t, {service, size: {...wide, rows: 19}, ...options});
	// Nothing is polled from now on.
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	await app.until(() => app.state().isIdle);
	// The row under the cursor has rested once this has passed.
	t.mock.timers.tick(100);
	await settle();
	return {
		app,
		async pass(milliseconds) {
			await app.until(() => app.session().records.queryClient.isFetching() === 0);
			await settle();
			const frameCount = app.frames().length;
			for (let passed = 0; passed < milliseconds; passed += second) {
				t.mock.timers.tick(second);
				await nextTurn();
			}

			await settle();
			return app.frames().length - frameCount;
		},
	};
}

/** The ages on the list, from the top. */
const agesOf = (app: RenderedApp): readonly string[] =>
	app
		.lines()
		.filter(line => / (?:on|off|–) +(?:lamps|pantry) /.test(line))
		.map(line => line.trim().split(/ {2,}/).at(-1)!);

test('ages move on once a minute while nothing else happens', async t => {
	const {app, pass} = await openAged(t, [30 * second, 50 * second]);
	assert.deepEqual(agesOf(app), ['now', 'now']);
	assert.equal(await pass(59 * second), 0);
	assert.equal(await pass(second), 1);
	assert.deepEqual(agesOf(app), ['1 min', '1 min']);
	assert.equal(await pass(minute), 1);
	assert.deepEqual(agesOf(app), ['2 min', '2 min']);
});

test('the time of a list that is not live has its date from midnight on', async t => {
	const {app, pass} = await openAged(t, [50 * hour, 50 * hour]);
	await app.shows('paused, as of 12:00');
	await pass(12 * hour);
	assert.ok(includes('paused, as of 2026-06-15 12:00')(app.lines()), app.lines()[0]);
});

test('the newest change of an ability and its installed record is shown', async t => {
	const {app} = await openAged(t, [hour, 3 * hour], {size: wide});
	await app.until(() => app.lines().filter(line => line.endsWith('1 hour')).length === 2);
});

test('an opened record and the list of abilities show that change too', async t => {
	const {app} = await openAged(t, [5 * hour, 3 * hour]);
	await app.press('2').until(() => agesOf(app).join() === '5 hours,3 hours');
	await app.press('j', 'enter').shows('2026-06-15 09:00, 3 hours ago');
});
