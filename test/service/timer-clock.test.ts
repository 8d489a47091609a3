import {setImmediate} from 'node:timers/promises';
import {mock} from 'node:test';
import {addTo, assert, DatabaseSync, path, test, type TestContext} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {TimerClock} from '../../source/service/timer-clock.ts';
import {newAbility, noAgent, openTestStore, temporaryDataFolder} from './kit.ts';

const [minute, hour] = [60_000, 3_600_000];

/** A store whose time passes by hand, with the clock of one process, and what sets a timer as another process does. */
async function startClock(t: TestContext) {
	mock.timers.enable({apis: ['setTimeout', 'Date'], now: Date.parse('2026-12-01T06:00:00Z')});
	t.after(() => mock.timers.reset());
	const location = temporaryDataFolder();
	const store = await openTestStore(t, location);
	const account = await store.accounts.ensure('own');
	await store.abilities.add(account, newAbility(), noAgent);
	const errors: unknown[] = [];
	const clock = new TimerClock(store, addTo(errors));
	t.after(async () => clock.stop());
	await clock.run();
	const read = async () => (await store.installed.list(account)).records[0]!;
	const {id} = await read();
	return {
		location,
		store,
		clock,
		errors,
		read,
		async set(milliseconds: number, of = {account, id}) {
			const other = await openStore(location);
			const at = new Date(Date.now() + milliseconds).toISOString();
			const timer = {at, by: 'operator', note: '', overdue: null, person: '', keyId: undefined};
			await other.installed.change(of.account, of.id, ({enabled}) => ({timer: {...timer, enabled: !enabled}}));
			await other.close();
			return at;
		},
		/** Lets time pass, and what is due then. */
		async pass(milliseconds: number) {
			mock.timers.tick(milliseconds);
			for (let turn = 0; turn < 300; turn++) {
				await setImmediate();
			}
		},
	};
}

test('a timer that another process has set is found within a minute, and done at its time', async t => {
	const {set, pass, read, errors} = await startClock(t);
	await set(90_000);
	await pass(minute);
	assert.equal((await read()).enabled, true);
	await pass(29_999);
	assert.equal((await read()).enabled, true);
	await pass(2);
	const {enabled, timer} = await read();
	assert.deepEqual([enabled, timer, errors], [false, undefined, []]);
});

test('a timer that was set here is done at its time', async t => {
	const {set, pass, read, clock} = await startClock(t);
	clock.wakeAt(await set(2000));
	await pass(2000);
	assert.equal((await read()).enabled, false);
});

test('after the machine has slept, what is due is done within a minute; what is a day late is not', async t => {
	const {set, pass, read} = await startClock(t);
	await set(hour);
	await pass(minute);
	mock.timers.setTime(Date.now() + 8 * hour);
	await pass(minute);
	assert.equal((await read()).enabled, false);
	await set(hour);
	mock.timers.setTime(Date.now() + 26 * hour);
	await pass(minute);
	const {enabled, timer} = await read();
	assert.deepEqual([enabled, timer?.overdue], [false, 'late']);
});

test('a database that is busy is told once, and asked again soon', async t => {
	const {set, pass, read, location, errors} = await startClock(t);
	await set(minute);
	using other = new DatabaseSync(path.join(location, 'switchboard.db'));
	other.exec('begin immediate');
	await pass(minute);
	await pass(2000);
	await pass(2000);
	assert.equal((await read()).enabled, true);
	assert.deepEqual(
		errors.map(error => (error as {readonly trouble?: string}).trouble),
		['busy'],
	);
	other.exec('rollback');
	await pass(2000);
	assert.equal((await read()).enabled, false);
	assert.equal(errors.length, 1);
});

test('an account whose newest change is in the future holds up no timer of another account', async t => {
	const {set, pass, read, location, store, errors} = await startClock(t);
	const account = await store.accounts.ensure('ahead');
	await store.abilities.add(account, newAbility(), noAgent);
	const [record] = (await store.installed.list(account)).records;
	await set(minute, {account, id: record!.id});
	using other = new DatabaseSync(path.join(location, 'switchboard.db'));
	other.prepare('update history set at = ? where account_id = ?').run(new Date(Date.now() + hour).toISOString(), account);
	await set(70_000);
	await pass(minute);
	await pass(10_000);
	assert.deepEqual([(await read()).enabled, (await store.installed.list(account)).records[0]!.enabled], [false, true]);
	assert.deepEqual(
		errors.map(error => (error as {readonly trouble?: string}).trouble),
		['clock-behind'],
	);
});

test('where a person is asked, a start does not do what was due before, unless another process may be about to', async t => {
	const {set, read, location, clock} = await startClock(t);
	await clock.stop();
	await set(hour);
	const start = async (): Promise<void> => {
		const asking = new TimerClock(await openTestStore(t, location), () => undefined, true);
		await asking.run();
		await asking.stop();
	};

	mock.timers.setTime(Date.now() + hour + minute + 1);
	await start();
	const {enabled, timer} = await read();
	assert.deepEqual([enabled, timer?.overdue], [true, 'late']);
	await set(hour);
	mock.timers.setTime(Date.now() + hour + minute - 1);
	await start();
	assert.equal((await read()).enabled, false);
});
