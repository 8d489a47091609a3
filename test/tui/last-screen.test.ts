import {assert, nextTurn, test, type TestContext} from '../helpers/node.ts';
import {createClient} from '../../source/client/client.ts';
import {openLastSeen} from '../../source/settings/last-seen.ts';
import {createServiceSession} from '../../source/tui/hooks/service-session.ts';
import {createLastScreenKeeper} from '../../source/tui/last-screen.ts';
import {createAppState, reduceApp, type AppState} from '../../source/tui/state/app-state.ts';
import {savedViewOf} from '../../source/tui/views.ts';
import {detectCapabilities} from '../../source/terminal/capabilities.ts';
import {temporaryFolder, waitUntil} from './helpers/kit.ts';

const account = {baseAddress: 'http://127.0.0.1:1', apiKey: 'key-0123456789'};

const moved = (state: AppState): AppState =>
	reduceApp(state, {type: 'change-view', screen: 'installed', change: {list: {cursorId: 302, cursorRow: 1, topRow: 0}}});

/** Draws a screen, and waits until its file is being written, which lasts until the UI is being left. */
async function startWriting(t: TestContext) {
	t.mock.timers.enable({apis: ['setTimeout']});
	const lastSeen = openLastSeen({...account, cacheFolder: temporaryFolder()});
	lastSeen.save('installed', {records: [], fetchedAt: Date.now() - 1000});
	const {promise: released, resolve: release} = Promise.withResolvers<void>();
	const writes: Array<Promise<void>> = [];
	let underWay = 0;

	const write = async (...[screen]: Parameters<typeof lastSeen.saveScreen>): Promise<void> => {
		underWay++;
		if (underWay + writes.length === 1) {
			await released;
		}

		await lastSeen.saveScreen(screen);
		underWay--;
	};

	const session = createServiceSession({
		client: createClient(account),
		profileName: 'home',
		hostLabel: 'home',
		lastSeen: {
			...lastSeen,
			async saveScreen(screen) {
				const written = write(screen);
				writes.push(written);
				return written;
			},
		},
		report: {
			cursorKey: () => '',
			onStart() {
				/* Nothing is switched. */
			},
			onSwitched() {
				/* Nothing is switched. */
			},
			onFailed() {
				/* Nothing is switched. */
			},
			onProgress() {
				/* Nothing is switched. */
			},
			onSummary() {
				/* Nothing is switched. */
			},
			say() {
				/* Nobody listens. */
			},
			confirm: async () => false,
		},
	});
	t.after(async () => session.close());
	const keeper = createLastScreenKeeper({isReadOnly: false, env: {}, capabilities: detectCapabilities({})});
	const records = session.records.seen('installed');
	const draw = (state: AppState): void => {
		keeper.handleFrame('header\nrows');
		keeper.handleScreen({session, state, records, header: () => 'header'});
	};

	const state = createAppState('installed', {columns: 80, rows: 24});
	draw(state);
	t.mock.timers.tick(10_000);
	await waitUntil(() => underWay === 1);

	/** Returns how many files were being written when the UI was closed, and what the next start finds. */
	const leave = async (last: AppState) => {
		const closed = (async () => {
			await keeper.close(last);
			return underWay;
		})();
		await nextTurn();
		release();
		const unfinished = await closed;
		await Promise.all(writes);
		return {unfinished, view: lastSeen.loadScreen('')?.view};
	};

	return {state, draw, leave};
}

test('a screen that is being written is there before the UI ends', async t => {
	const {state, leave} = await startWriting(t);
	assert.deepEqual(await leave(state), {unfinished: 0, view: savedViewOf(state)});
});

test('a screen that is being written does not come back once the cursor was moved on', async t => {
	const {state, leave} = await startWriting(t);
	assert.deepEqual(await leave(moved(state)), {unfinished: 0, view: undefined});
});

test('of two screens the newer one stays, however long the older one is being written', async t => {
	const {state, draw, leave} = await startWriting(t);
	draw(moved(state));
	assert.deepEqual(await leave(moved(state)), {unfinished: 0, view: savedViewOf(moved(state))});
});
