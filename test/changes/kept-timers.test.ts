import {assert, existsSync, readdirSync, path, readFileSync, rmSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import type {Client} from '../../source/client/client.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {openAccountRecords} from '../../source/changes/account-records.ts';
import {openKeptTimers, withKeptTimers} from '../../source/changes/kept-timers.ts';
import {openLog} from '../../source/changes/log.ts';
import {createTimerKeeper} from '../../source/changes/timer-keeper.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, startDocumented, startLiveLike} from '../client/clients.ts';
import {startTestService} from '../service/running-service.ts';

const start = Date.parse('2027-01-10T22:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

const find = async (client: Client, name: string) => (await client.list('installed')).records.find(record => record.name === name)!;

/** A client of the stand-in of the public service, with a keeper, on a clock that the test moves. */
async function begin(t: TestContext, change: (client: Client) => Partial<Client> = () => ({})) {
	t.mock.timers.enable({apis: ['Date'], now: start});
	const service = await startLiveLike(t);
	const bare = clientOf(service);
	const raw = {...bare, ...change(bare)};
	const stateFolder = path.join(temporaryFolder(), 'switchboard');
	const log = openLog('a', {stateFolder});
	const notes: string[] = [];
	const done: string[] = [];
	const keeper = (isAsking = false, client: Client = raw) => {
		const made = createTimerKeeper({
			client,
			openLog: () => log,
			isAsking,
			onDone: ({name}) => done.push(name),
			note: text => notes.push(text),
		});
		t.after(made.end);
		return made;
	};

	const {client, keptBy} = withKeptTimers(raw, {openLog: () => log, by: 'anna'});
	return {
		service,
		raw,
		client,
		keptBy,
		log,
		stateFolder,
		notes,
		done,
		keeper,
		kept: openKeptTimers(log),
		/** Sets the time, in milliseconds after the start. */
		at: (time: number) => t.mock.timers.setTime(start + time),
		sent: () => service.requests.filter(({method}) => method === 'PUT').length,
		entries: () =>
			log
				.changes()
				.map(({name, field, from, to, by, via}) => `${name} ${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}, by ${by} via ${via}`),
	};
}

const forTwoHours = {enabled: true, note: 'printer', for: 7200} as const;

test('a timer of this machine is in the record, is done at its time once, and the history tells it', async t => {
	const {service, client, keptBy, log, keeper, at, done, entries, kept} = await begin(t);
	const {check} = keeper();
	await check();
	const before = await client.list('installed');
	const pantry = before.records.find(({name}) => name === 'pantry')!;
	assert.equal(await keptBy(), 'machine');
	const timer = {enabled: true, at: '2027-01-11T00:00:00.000Z', by: 'anna', note: 'printer', overdue: undefined};
	const answered = await client.editInstalled(pantry, {enabled: false, timer: forTwoHours});
	assert.deepEqual([answered.isEnabled, answered.timer], [false, timer]);
	const list = await client.list('installed', undefined, before);
	assert.deepEqual(
		list.records.map(({name, isEnabled, timer: shown}) => [name, isEnabled, shown]),
		[
			['lamps', true, undefined],
			['pantry', false, timer],
			['nightwatch', false, undefined],
		],
	);
	// The rows that are the same are not drawn again.
	assert.equal(list.records[0], before.records[0]);
	const again = await client.list('installed', undefined, list);
	assert.ok(again.records.every((record, index) => record === list.records[index]));
	assert.equal(modeOf(log.timersFile), '600');

	const asked = service.requests.length;
	at(2 * hour - 1);
	await check();
	assert.equal(service.requests.length, asked);
	at(2 * hour);
	await check();
	await check();
	assert.deepEqual([done, (await find(client, 'pantry')).isEnabled, kept.peek()], [['pantry'], true, []]);
	assert.deepEqual(entries(), ['pantry enabled false → true, by anna via timer']);
	assert.equal((await find(client, 'pantry')).timer, undefined);
});

test('where no program keeps timers none is set, and nothing is sent', async t => {
	const {client, keptBy, keeper, sent, log} = await begin(t);
	const pantry = await find(client, 'pantry');
	assert.equal(await keptBy(), undefined);
	const {kind, nextStep} = await failureOf(client.editInstalled(pantry, {enabled: false, timer: forTwoHours}));
	assert.deepEqual(
		[kind, nextStep],
		['refused', 'Add --wait, and the command stays until then; or keep them with: switchboard timers run'],
	);
	const first = keeper();
	await first.check();
	assert.equal(await keptBy(), 'machine');
	for (const timer of [
		{...forTwoHours, for: 400 * 24 * 3600},
		{enabled: true, note: '', at: new Date(start - 1).toISOString()},
	]) {
		assert.equal((await failureOf(client.editInstalled(pantry, {enabled: false, timer}))).kind, 'refused');
	}

	assert.equal((await failureOf(client.editInstalled(pantry, {timer: forTwoHours}))).message, 'pantry is on already.');
	first.end();
	assert.equal(await keptBy(), undefined);
	assert.deepEqual([sent(), existsSync(log.timersFile), existsSync(log.keeperFile)], [0, false, false]);
	setVariables(t, {SWITCHBOARD_JOURNAL: 'off'});
	const off = await failureOf(client.editInstalled(pantry, {enabled: false, timer: forTwoHours}));
	assert.equal(off.message, 'No timers are kept with SWITCHBOARD_JOURNAL=off.');
});

test('a switch cancels a timer, and a request that leaves the state as it is does not', async t => {
	const {client, raw, keeper, kept} = await begin(t);
	await keeper().check();
	let pantry = await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	pantry = await client.editInstalled(pantry, {enabled: false, triggers: ['larder']});
	assert.equal(pantry.timer?.by, 'anna');
	// A repeated command gives it the new time, and a record without one none.
	pantry = await client.editInstalled(pantry, {enabled: false, timer: {...forTwoHours, for: 60}});
	assert.equal(pantry.timer?.at, '2027-01-10T22:01:00.000Z');
	const nightwatch = await find(client, 'nightwatch');
	assert.equal(await client.editInstalled(nightwatch, {enabled: false, timer: forTwoHours}), nightwatch);
	assert.equal((await client.editInstalled(nightwatch, {timer: forTwoHours})).timer?.enabled, true);
	pantry = await client.editInstalled(pantry, {enabled: true});
	assert.deepEqual([pantry.timer, kept.peek().map(({name}) => name)], [undefined, ['nightwatch']]);
	assert.equal((await client.editInstalled(await find(client, 'nightwatch'), {timer: null})).timer, undefined);
	assert.deepEqual(kept.peek(), []);
	// Another client's switch cancels it as well.
	await client.editInstalled(await find(client, 'lamps'), {enabled: false, timer: forTwoHours});
	await raw.editInstalled(await find(raw, 'lamps'), {enabled: true});
	assert.equal((await find(client, 'lamps')).timer, undefined);
	await client.uninstallAbility(await find(client, 'lamps'));
	assert.deepEqual(kept.peek(), []);
});

test('a switch that was refused leaves the timer as it was, and one without an answer keeps the new one', async t => {
	const answers: SwitchboardError[] = [];
	const {client, keeper, kept} = await begin(t, bare => ({
		async editInstalled(...given) {
			const error = answers.shift();
			if (error !== undefined) {
				throw error;
			}

			return bare.editInstalled(...given);
		},
	}));
	await keeper().check();
	const pantry = await find(client, 'pantry');
	answers.push(new SwitchboardError('refused', 'No.'));
	await failureOf(client.editInstalled(pantry, {enabled: false, timer: forTwoHours}));
	assert.deepEqual(kept.peek(), []);
	answers.push(new SwitchboardError('timeout', 'No answer.', {isOutcomeUnknown: true}));
	await failureOf(client.editInstalled(pantry, {enabled: false, timer: forTwoHours}));
	assert.equal(kept.peek().length, 1);
});

test('a record that was changed, renamed or removed meanwhile is left alone, and its timer ends', async t => {
	const {service, client, keeper, at, sent, done, kept, log, notes} = await begin(t);
	const {check} = keeper();
	await check();
	const records = service.installed as Array<Record<string, unknown>>;
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	await client.editInstalled(await find(client, 'lamps'), {enabled: false, timer: forTwoHours});
	await client.editInstalled(await find(client, 'nightwatch'), {enabled: true, timer: {...forTwoHours, enabled: false}});
	const before = sent();
	// It was switched on and off again.
	records.find(({name}) => name === 'pantry')!['last_updated'] = new Date(start + hour).toISOString();
	records.find(({name}) => name === 'nightwatch')!['enabled'] = false;
	records.find(({name}) => name === 'lamps')!['name'] = 'lanterns';
	at(2 * hour);
	await check();
	assert.deepEqual([sent(), done, kept.peek(), log.changes()], [before, [], [], []]);
	const reason = 'it was changed or removed after the timer was set.';
	assert.deepEqual(notes, [`pantry was not switched on: ${reason}`, `lamps was not switched on: ${reason}`]);
});

test('an answer that was lost is looked up before the switch is repeated', async t => {
	let lost = 0;
	const {service, client, keeper, at, sent, done, entries, notes} = await begin(t, bare => ({
		async editInstalled(...given) {
			const answer = await bare.editInstalled(...given);
			if (given[1].enabled === true && lost++ === 0) {
				throw new SwitchboardError('timeout', 'No answer came.', {isOutcomeUnknown: true});
			}

			return answer;
		},
	}));
	const {check} = keeper();
	await check();
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	at(2 * hour);
	await check();
	assert.deepEqual([done, notes], [[], ['pantry was not switched on: No answer came. It is tried again.']]);
	const before = sent();
	at(2 * hour + minute);
	await check();
	assert.deepEqual([sent() - before, done, entries()], [0, ['pantry'], ['pantry enabled false → true, by anna via timer']]);

	// An answer of success without an effect is not believed.
	await client.editInstalled(await find(client, 'lamps'), {enabled: false, timer: forTwoHours});
	service.goWrong({kind: 'no effect'});
	at(5 * hour);
	await check();
	service.goWrong(undefined);
	at(5 * hour + minute);
	await check();
	assert.deepEqual(done, ['pantry', 'lamps']);
});

test('three tries in five minutes, then the timer is overdue; a refused key ends it at once', async t => {
	let error = new SwitchboardError('unreachable', 'The service is away.');
	let isAway = false;
	let tries = 0;
	const {client, keeper, at, kept, notes} = await begin(t, bare => ({
		async list(...given) {
			if (isAway) {
				tries++;
				throw error;
			}

			return bare.list(...given);
		},
	}));
	const {check} = keeper();
	await check();
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	await client.editInstalled(await find(client, 'lamps'), {enabled: false, timer: {...forTwoHours, for: 3 * 3600}});
	isAway = true;
	for (let second = 0; second <= 600; second += 10) {
		at(2 * hour + second * 1000);
		await check();
	}

	assert.deepEqual([tries, kept.peek().map(({overdue}) => overdue)], [3, ['failed', undefined]]);
	assert.deepEqual(notes, [
		'pantry was not switched on: The service is away. It is tried again.',
		'pantry was not switched on: The service is away. It is tried again.',
		'pantry was not switched on: The service is away.',
	]);
	error = new SwitchboardError('key-refused', 'The service refused the key.');
	at(3 * hour);
	await check();
	isAway = false;
	assert.deepEqual([(await find(client, 'pantry')).timer?.overdue, (await find(client, 'lamps')).timer?.overdue], ['failed', 'key']);
});

test('a timer is done up to a day late, later it is overdue; a screen asks about all that passed before it was opened', async t => {
	const {client, keeper, at, done, kept, notes} = await begin(t);
	const first = keeper();
	await first.check();
	for (const name of ['pantry', 'lamps']) {
		await client.editInstalled(await find(client, name), {enabled: false, timer: {...forTwoHours, for: name === 'lamps' ? 7200 : 3600}});
	}

	first.end();
	at(25 * hour + minute);
	const screen = keeper(true);
	await screen.check();
	assert.deepEqual(
		[done, kept.peek().map(({name, overdue}) => [name, overdue])],
		[
			[],
			[
				['pantry', 'late'],
				['lamps', 'late'],
			],
		],
	);
	await client.editInstalled(await find(client, 'nightwatch'), {enabled: true, timer: {...forTwoHours, enabled: false}});
	// The machine slept, and its clock was set back and forward.
	at(-hour);
	await screen.check();
	at(45 * hour);
	await screen.check();
	assert.deepEqual([done, notes], [['nightwatch'], []]);
	await client.editInstalled(await find(client, 'nightwatch'), {enabled: true, timer: {...forTwoHours, enabled: false}});
	at(72 * hour);
	await screen.check();
	assert.deepEqual([done, notes], [['nightwatch'], ['nightwatch was not switched off: nothing ran at its time.']]);
});

test('one keeper at a time: another takes over when the first has ended, and finds what it has sent', async t => {
	const {client, raw, keeper, at, done, kept, sent, entries} = await begin(t);
	const [first, second] = [keeper(), keeper()];
	await first.check();
	await second.check();
	assert.deepEqual([first.isKeeping(), second.isKeeping()], [true, false]);
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	at(2 * hour);
	await second.check();
	assert.deepEqual(done, []);
	// The first sends it, and ends before it has noted the answer.
	const [timer] = kept.peek();
	await kept.replace(timer!, {...timer!, tries: 1, triedAt: start + 2 * hour, isSent: true});
	await raw.editInstalled(await find(raw, 'pantry'), {enabled: true});
	const before = sent();
	first.end();
	at(2 * hour + minute);
	const third = keeper();
	await third.check();
	const told = ['pantry enabled false → true, by anna via timer'];
	assert.deepEqual([sent() - before, done, entries(), kept.peek()], [0, ['pantry'], told, []]);
	// One that ends after it has noted it, and before the timer is gone.
	await kept.set({...timer!, tries: 1, triedAt: start + 2 * hour, isSent: true});
	third.end();
	await keeper().check();
	assert.deepEqual([sent() - before, entries(), kept.peek()], [0, told, []]);
});

test('a broken file is set aside, and a wrong timer in it is left out', async t => {
	const {client, keeper, log, notes, kept} = await begin(t);
	const {check} = keeper();
	await check();
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	const content = JSON.parse(readFileSync(log.timersFile, 'utf8')) as {timers: unknown[]};
	writeFileSync(log.timersFile, JSON.stringify({...content, timers: [...content.timers, {at: 'soon'}]}));
	await check();
	assert.match(notes[0]!, /^Some timers are not valid and were removed \(1 of 2\)\. The original file was set aside as /);
	assert.equal(kept.peek().length, 1);
	writeFileSync(log.timersFile, '{');
	await check();
	assert.match(notes[1]!, /^The timers file is not valid and was set aside as .* Set them again\.$/);
	assert.equal((await client.list('installed')).records.length, 3);
});

test('the timers move with the name of the profile, and are gone after a sign-out', async t => {
	const {client, keeper, stateFolder, log} = await begin(t);
	const {check} = keeper();
	await check();
	await client.editInstalled(await find(client, 'pantry'), {enabled: false, timer: forTwoHours});
	const records = openAccountRecords(stateFolder);
	await records.rename('a', 'b');
	const moved = openLog('b', {stateFolder});
	assert.deepEqual([existsSync(log.timersFile), openKeptTimers(moved).peek().length], [false, 1]);
	await records.remove('b');
	assert.deepEqual(
		readdirSync(path.dirname(log.timersFile)).filter(name => name.includes('timers')),
		[],
	);
	assert.equal((await find(client, 'pantry')).timer, undefined);
});

test('the documented service, which shows neither names nor times, has timers as well', async t => {
	const service = await startDocumented(t);
	const raw = clientOf(service);
	const log = openLog('a', {stateFolder: path.join(temporaryFolder(), 'switchboard')});
	const {client} = withKeptTimers(raw, {openLog: () => log});
	const keeper = createTimerKeeper({client: raw, openLog: () => log});
	t.after(keeper.end);
	await keeper.check();
	t.mock.timers.enable({apis: ['Date'], now: start});
	const record = async () => (await client.list('installed')).records[0]!;
	assert.equal((await client.editInstalled(await record(), {enabled: false, timer: forTwoHours})).timer?.by, 'you');
	assert.deepEqual([(await record()).isEnabled, (await record()).timer?.enabled], [false, true]);
	t.mock.timers.setTime(start + 2 * hour);
	await keeper.check();
	assert.equal((await record()).isEnabled, true);
});

test('phrases that are changed with a timer are kept as well, by either kind of service', async t => {
	const {client: kept, keeper} = await begin(t);
	await keeper().check();
	await using bundled = await startTestService();
	const client = clientOf({baseAddress: bundled.baseAddress, apiKey: bundled.key});
	for (const each of [kept, client]) {
		const record = await find(each, 'pantry');
		const at = new Date(Date.now() + hour).toISOString();
		await each.editInstalled(record, {enabled: false, timer: {enabled: true, note: '', at}, triggers: ['larder']});
		const {isEnabled, timer, triggerPhrases} = await find(each, 'pantry');
		assert.deepEqual([isEnabled, timer?.at, triggerPhrases], [false, at, ['larder']]);
	}
});

test('a keeper ends in peace where the folder of the timers has gone', async t => {
	const {keeper, log} = await begin(t);
	const {check, end, isKeeping} = keeper();
	await check();
	const folder = path.dirname(log.timersFile);
	rmSync(folder, {recursive: true});
	writeFileSync(folder, '');
	end();
	assert.equal(isKeeping(), false);
});
