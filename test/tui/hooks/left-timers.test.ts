import {assert, test, type TestContext} from '../../helpers/node.ts';
import {openKeptTimers, type KeptTimer} from '../../../source/changes/kept-timers.ts';
import {openLog} from '../../../source/changes/log.ts';
import {storedState, togglesOf} from '../helpers/homes.ts';
import {startForVisits} from '../helpers/open-home.ts';
import {boxOf, wide} from '../helpers/kit.ts';

const timer: KeptTimer = {
	record: 303,
	name: 'nightwatch',
	enabled: true,
	at: '2026-01-02T06:00:00.000Z',
	by: 'you',
	note: 'printer',
	overdue: undefined,
	tries: 0,
	triedAt: 0,
	isSent: false,
};

/** Visits to a service without timers, and the file of the timers. */
async function start(t: TestContext) {
	const home = await startForVisits(t, {size: wide});
	const first = await home.visit();
	const log = openLog(first.session().account.presetAccount, home.folders);
	const kept = openKeptTimers(log);
	await first.until(() => kept.isKept());
	return {...home, first, log, kept};
}

test('an open screen keeps the timers, and shows what it has switched', async (t: TestContext) => {
	const {service, first, log, kept} = await start(t);
	await kept.set({...timer, at: new Date().toISOString()});
	await first.until(() => storedState(service, 303) === true);
	await first.says('nightwatch was switched on, as its timer said.');
	await first.shows(lines => lines.some(line => /you +nightwatch +off → on/.test(line)));
	assert.deepEqual([togglesOf(service).length, kept.peek()], [1, []]);
	assert.deepEqual(
		log.changes().map(({name, to, by, via}) => [name, to, by, via]),
		[['nightwatch', true, 'you', 'timer']],
	);
});

test('the next start asks about a timer that was not done, and does nothing by itself', async (t: TestContext) => {
	const {service, first, visit, kept} = await start(t);
	await first.close();
	await kept.set(timer);
	const reading = await visit({isReadOnly: true});
	await reading.close();
	assert.equal(kept.peek()[0]!.overdue, undefined);

	const next = await visit();
	const box = boxOf(await next.shows('Switch nightwatch on now?'));
	assert.match(box.join(' '), /It was to be switched on at 2026-01-02 \d\d:\d\d, but nothing ran at its time \(printer\)\./);
	assert.deepEqual([storedState(service, 303), togglesOf(service), kept.peek()[0]!.overdue], [false, [], 'late']);
	await next.close();

	const declining = await visit();
	await declining.shows('Switch nightwatch on now?');
	await declining.press('n').until(() => kept.peek().length === 0);
	assert.deepEqual([storedState(service, 303), togglesOf(service)], [false, []]);
	await declining.says('The timer of nightwatch is cancelled.');
	// Its time has passed.
	await declining.press('u').says('The timer of nightwatch ended or changed meanwhile.');
	await declining.close();

	await kept.set({...timer, overdue: 'failed'});
	const last = await visit();
	const asked = boxOf(await last.shows('Switch nightwatch on now?'));
	assert.match(asked.join(' '), /but three tries failed/);
	await last.press('y').until(() => storedState(service, 303) === true && kept.peek().length === 0);
	assert.equal(togglesOf(service).length, 1);
});
