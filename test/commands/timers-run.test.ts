import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {openKeptTimers, type KeptTimer} from '../../source/changes/kept-timers.ts';
import {openLog} from '../../source/changes/log.ts';
import {presetAccountOfProfile} from '../../source/settings/account.ts';
import {startCommand} from './running-command.ts';
import {
	createIsolatedHome,
	installedRecord,
	parseJson,
	type RequestFilter,
	runCommand,
	startInProcess,
	startLiveLikeService,
	startTestService,
	waitUntil,
} from './kit.ts';

/** A service without timers, signed in to by the profile `home`, and the file of its timers. */
async function start(t: TestContext, installed?: readonly object[]) {
	const service = await startLiveLikeService(installed && {home: {installed: [...installed]}});
	t.after(async () => service.close());
	const {env} = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env});
	const login = ['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'home'];
	assert.equal((await runCommand(login, {env, stdin: service.apiKey})).exitCode, 0);
	const account = presetAccountOfProfile({baseAddress: service.baseAddress, profileName: 'home'});
	const kept = openKeptTimers(openLog(account, {stateFolder: path.join(env['XDG_STATE_HOME']!, 'switchboard')}));
	const set = async (name: string, changes: Partial<KeptTimer> = {}): Promise<void> => {
		const record = (service.installed as ReadonlyArray<Record<string, unknown>>).find(each => each['name'] === name)!;
		const timer = {record: record['id'] as number, name, enabled: record['enabled'] === false, at: new Date().toISOString(), by: 'you'};
		await kept.set({...timer, note: '', overdue: undefined, tries: 0, triedAt: 0, isSent: false, ...changes});
	};

	return {service, env, run, kept, set, address: service.baseAddress};
}

const isSwitch: RequestFilter = ({method}) => method === 'PUT';

const keeping = (address: string) => `Keeping the timers for ${address}.\n`;

test('timers run does what is due, prints a line for each, and another one takes over', async t => {
	const {env, run, kept, set, address} = await start(t);
	await using first = startInProcess(['timers', 'run', '--json'], env);
	await first.waitFor(({errors}) => errors() === keeping(address));
	await using second = startInProcess(['timers', 'run'], env);
	await second.waitFor(({errors}) => errors().startsWith('Another program keeps the timers for'));
	assert.equal((await run('disable', 'pantry', '--for', '1s', '--note', 'printer repaired')).exitCode, 0);
	await first.waitFor(({lines}) => lines().length === 1);
	const {at, timer, ...line} = parseJson(first.lines()[0]!) as Readonly<Record<string, unknown>>;
	assert.deepEqual(line, {installed_cap_id: 302, name: 'pantry', enabled: true});
	assert.ok(Date.parse(at as string) >= Date.parse((timer as {at: string}).at));
	first.kill('SIGTERM');
	assert.equal(await first.exited, 0);
	await set('nightwatch', {note: 'wake up'});
	await second.waitFor(({lines}) => lines().length === 1);
	assert.ok(second.errors().endsWith(keeping(address)));
	assert.match(second.lines()[0]!, /^\S+Z\tnightwatch was switched on: a timer by you: wake up$/);
	second.kill('SIGINT');
	assert.equal(await second.exited, 0);
	assert.equal(kept.isKept(), false);
	const {stdout} = await run('history', '--json');
	assert.deepEqual(
		(parseJson(stdout) as ReadonlyArray<Record<string, unknown>>)
			.map(({name, field, to, by, via}) => [name, field, to, by, via])
			.slice(0, 2),
		[
			['nightwatch', 'enabled', true, 'you', 'timer'],
			['pantry', 'enabled', true, 'you', 'timer'],
		],
	);
	// Undo takes back what a person did, here the switch and its timer, and a timer that was done leaves nothing of it.
	const undone = await run('undo', '--yes');
	assert.deepEqual([undone.stdout, undone.exitCode], ['Nothing to do: 1 unchanged.\n', 0]);
	const refused = await run('disable', 'pantry', '--for', '2h');
	assert.equal(refused.exitCode, 2);
	assert.match(refused.stderr, /--wait.*switchboard timers run/);
});

test('a keeper that is killed while it waits for an answer leaves its timer to the next one, which does nothing twice', async t => {
	const {service, env, kept, set, address} = await start(t);
	await using first = startCommand(['timers', 'run'], env);
	await first.waitFor(({errors}) => errors() === keeping(address));
	await using second = startInProcess(['timers', 'run'], env);
	await second.waitFor(({errors}) => errors().startsWith('Another program'));
	const release = service.hold({when: isSwitch, isCarriedOutFirst: true});
	await set('nightwatch');
	await service.waitForRequests(1, isSwitch);
	assert.deepEqual(
		kept.peek().map(({isSent}) => isSent),
		[true],
	);
	first.kill('SIGKILL');
	await first.exited;
	await second.waitFor(({lines}) => lines().length === 1);
	release();
	assert.deepEqual([service.requests.filter(request => isSwitch(request)).length, kept.peek()], [1, []]);
	second.kill('SIGTERM');
	assert.equal(await second.exited, 0);
});

test('keepers that are killed again and again do everything once, and note it once', async t => {
	const names = Array.from({length: 24}, (_, index) => `lamp ${index}`);
	const {service, env, run, kept, set} = await start(
		t,
		names.map((name, index) => installedRecord(400 + index, name, false)),
	);
	for (const name of names) {
		await set(name);
	}

	const switches = () => service.requests.filter(request => isSwitch(request));
	for (const count of [1, 2, 7, 15]) {
		await using keeper = startCommand(['timers', 'run'], env);
		await service.waitForRequests(count, isSwitch);
		keeper.kill('SIGKILL');
		await keeper.exited;
	}

	await using last = startInProcess(['timers', 'run'], env);
	await waitUntil(() => kept.peek().length === 0);
	last.kill('SIGTERM');
	assert.equal(await last.exited, 0);
	assert.deepEqual([switches().length, new Set(switches().map(({path: place}) => place)).size], [24, 24]);
	const entries = parseJson((await run('history', '--json')).stdout) as ReadonlyArray<Record<string, unknown>>;
	assert.deepEqual(
		entries.map(({name, via}) => `${String(name)} ${String(via)}`).toSorted(),
		names.map(name => `${name} timer`).toSorted(),
	);
});

test('--wait stays until the timer is done; Ctrl+C says what is left undone', async t => {
	const {env, run, kept, set, service} = await start(t);
	await set('lamps', {at: new Date(Date.now() - 3_600_000).toISOString()});
	const stay = 'Staying until TIME; Ctrl+C leaves pantry off.\n';
	const withoutTime = (text: string): string => text.replace(/\d\d:\d\d/, 'TIME');
	await using staying = startInProcess(['disable', 'pantry', '--for', '1s', '--wait'], env);
	assert.equal(await staying.exited, 0);
	assert.deepEqual([staying.lines(), withoutTime(staying.errors())], [['302\toff\tpantry\tchanged'], `${stay}pantry is on now.\n`]);
	assert.deepEqual(
		kept.peek().map(({name, overdue}) => [name, overdue]),
		[['lamps', 'late']],
	);
	assert.match((await run('timers')).stdout, /^lamps\t[^\t]+Z\toff\tyou\t\t\tlate\n$/);

	await using stopped = startInProcess(['disable', 'pantry', '--for', '2h', '--wait', '--profile', 'home'], env);
	await stopped.waitFor(({errors}) => withoutTime(errors()) === stay);
	stopped.kill('SIGINT');
	assert.equal(await stopped.exited, 130);
	assert.equal(
		withoutTime(stopped.errors()),
		`${stay}pantry stays off: nothing will switch it on. To do so: switchboard enable pantry --profile home\n` +
			'To keep the timer: switchboard timers run --profile home\nInterrupted.\n',
	);
	assert.deepEqual([(service.installed[1] as {enabled: boolean}).enabled, kept.isKept()], [false, false]);

	await using several = startInProcess(['disable', 'lamps', 'pantry', 'nightwatch', '--for', '2h', '--wait', '--profile', 'home'], env);
	await several.waitFor(({errors}) => errors().includes('Staying'));
	several.kill('SIGINT');
	assert.equal(await several.exited, 130);
	assert.match(
		several.errors(),
		/^nightwatch was .*: switchboard timers set nightwatch on --for 2h --profile home\nStaying until .*; Ctrl\+C leaves them as they are\.$/m,
	);
});

test('a sign-out ends it, and its timers', async t => {
	const {env, run, kept, set, address} = await start(t);
	await using running = startInProcess(['timers', 'run'], env);
	await running.waitFor(({errors}) => errors() === keeping(address));
	await set('nightwatch', {at: new Date(Date.now() + 3_600_000).toISOString()});
	assert.equal((await run('logout', '--profile', 'home', '--yes')).exitCode, 0);
	assert.equal(await running.exited, 3);
	assert.deepEqual([kept.peek(), kept.isKept()], [[], false]);
});

test('it refuses where it may keep none, and ends where the service keeps them', async t => {
	const {env, run} = await start(t);
	const reading = await run('timers', 'run', '--read-only');
	assert.deepEqual([reading.exitCode, reading.stdout], [2, '']);
	const off = await runCommand(['timers', 'run'], {env: {...env, SWITCHBOARD_JOURNAL: 'off'}});
	assert.deepEqual([off.exitCode, off.stderr], [2, 'No timers are kept with SWITCHBOARD_JOURNAL=off.\nLeave that variable out.\n']);
	const bundled = await startTestService();
	t.after(async () => bundled.close());
	const own = {SWITCHBOARD_BASE_URL: bundled.baseAddress, SWITCHBOARD_API_KEY: bundled.key};
	const {exitCode, stderr} = await runCommand(['timers', 'run'], {env: {...env, ...own}});
	assert.deepEqual([exitCode, stderr], [0, `${bundled.baseAddress} keeps timers itself.\n`]);
});

test('the profile local has timers while one runs', async () => {
	const {env} = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand([...words, '--profile', 'local'], {env});
	assert.match((await run('disable', 'pantry', '--for', '1s')).stderr, /switchboard timers run/);
	await using running = startInProcess(['timers', 'run', '--profile', 'local'], env);
	await running.waitFor(({errors}) => errors().includes('Keeping the timers for local.\n'));
	assert.equal((await run('disable', 'pantry', '--for', '1s')).exitCode, 0);
	await waitUntil(async () => (await run('installed', '--on')).stdout.includes('pantry'));
	running.kill('SIGTERM');
	assert.equal(await running.exited, 0);
});
