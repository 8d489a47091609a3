import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {formatPerson} from '../../source/interface/key-rights.ts';
import {isDatabaseUrl} from '../../source/platform/secret-variables.ts';
import type {ServiceOptions} from '../../source/service/service.ts';
import {backUp, checkStore, copyStore, restoreBackup} from '../../source/service/store/maintenance.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {
	addEntries,
	execute,
	fieldsOf,
	followChanges,
	type JsonRecord,
	lineOf,
	named,
	newAbility,
	paths,
	readEntries,
	startTestService,
	temporaryDataFolder,
	temporaryFolder,
	type TestService,
	testOnEach,
	toggle,
	waitUntil,
	withKeys,
} from './kit.ts';

const start = async (location: string, options: Partial<ServiceOptions> = {}): Promise<TestService> =>
	startTestService({location, ...(!isDatabaseUrl(location) && {dataFolder: location}), ...options});

const later = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** Asks with the timers of a service, by the names of records. */
const timersOf = (service: TestService) => {
	const ask = async (method: string, name: string, body?: unknown, key = service.key) => {
		const {id} = named(await service.read(paths.installed), name);
		return service.ask(method, `/timers/${String(id)}/`, {key, ...(body !== undefined && {body})});
	};

	return {
		ask,
		/** Sets one that must be set. */
		async set(name: string, body: JsonRecord, key?: string): Promise<JsonRecord> {
			const {status, text, json} = await ask('PUT', name, body, key);
			assert.equal(status, 200, text);
			return json as JsonRecord;
		},
		async shown(name: string) {
			const {enabled, timer} = named(await service.read(paths.installed), name);
			return {enabled, timer: timer as JsonRecord | undefined};
		},
	};
};

/** The newest entries of the history, in lines. */
const newest = async (service: TestService, count: number): Promise<readonly string[]> =>
	(await readEntries(service)).slice(0, count).map(entry => lineOf(entry));

/** Gives a time of before to the timer of one record, or to all. */
async function makeDue(location: string, secondsAgo: number, name = '%'): Promise<void> {
	const records = `select installed.id from installed join abilities on abilities.id = ability_id where name like '${name}'`;
	await execute(location, `update timers set at = '${later(-secondsAgo)}' where installed_id in (${records})`);
}

/** No timer and no account has other sizes than it should, and the database is in order. */
async function assertInOrder(location: string): Promise<void> {
	assert.deepEqual((await checkStore(location)).findings, []);
}

testOnEach('a timer is set, listed, shown in the record, replaced and cancelled, and the history has each step', async location => {
	await using service = await start(location);
	const {ask, set, shown} = timersOf(service);
	const printerqueue = named(await service.read(paths.installed), 'printerqueue');
	assert.equal(printerqueue['enabled'], false);
	assert.ok(!Object.hasOwn(printerqueue, 'timer'));
	const at = later(7200);
	const timer = {enabled: true, at, by: 'key 1', note: 'printer repaired', overdue: null};
	const answer = await ask('PUT', 'printerqueue', {enabled: true, at, note: ' printer repaired '});
	assert.deepEqual([answer.status, answer.json], [200, {...printerqueue, timer}]);
	assert.equal(answer.headers.get('timers'), 'kept');
	assert.match(answer.headers.get('list-versions') ?? '', /^installed=\w+$/);
	const byAbility = await service.read<JsonRecord>(paths.installedOf(printerqueue['capability_id']));
	assert.deepEqual(byAbility['timer'], timer);
	await set('nightwatch', {enabled: true, for: 3600});
	const {json: listed} = await service.ask('GET', '/timers');
	const [first, second, ...others] = (listed as {readonly timers: readonly JsonRecord[]}).timers;
	assert.deepEqual(others, []);
	assert.deepEqual([first!['name'], second], ['nightwatch', {installed_cap_id: printerqueue['id'], name: 'printerqueue', ...timer}]);
	const sooner = later(600);
	await set('printerqueue', {enabled: true, at: sooner});
	// The history has nothing of that.
	await set('printerqueue', {enabled: true, at: sooner});
	assert.equal((await shown('printerqueue')).timer?.['at'], sooner);
	// By the id of the ability, too.
	const cancelled = await service.ask('DELETE', `/timers/${String(printerqueue['capability_id'])}`);
	assert.deepEqual([cancelled.status, cancelled.json], [200, printerqueue]);
	assert.deepEqual((await ask('DELETE', 'printerqueue')).json, printerqueue);
	const night = (first as {readonly at: string}).at;
	const [wanted, wantedSooner, wantedNight] = [
		{enabled: true, at, note: 'printer repaired'},
		{enabled: true, at: sooner, note: ''},
		{enabled: true, at: night, note: ''},
	].map(value => JSON.stringify(value));
	assert.deepEqual(await newest(service, 5), [
		`key 1 127.0.0.1: installed printerqueue timer ${wantedSooner} > null`,
		`key 1 127.0.0.1: installed printerqueue timer ${wanted} > ${wantedSooner}`,
		`key 1 127.0.0.1: installed nightwatch timer null > ${wantedNight}`,
		`key 1 127.0.0.1: installed printerqueue timer null > ${wanted}`,
		...(await newest(service, 5)).slice(4),
	]);
	assert.equal((await service.ask('GET', '/timers', {key: 'wrong'})).headers.get('timers'), null);
	assert.equal((await service.ask('POST', '/api/sdk/verify_apikey/', {body: {api_key: service.key}})).headers.get('timers'), 'kept');
	await assertInOrder(location);
});

testOnEach(
	'with a switch, both happen in one change; a repeated request only moves the time, and one that is so already does nothing',
	async location => {
		await using service = await start(location);
		const {set, shown, ask} = timersOf(service);
		const before = await readEntries(service);
		const first = await set('kitchentimer', {enabled: true, for: 60, switch: true});
		assert.equal(first['enabled'], false);
		assert.deepEqual(
			(await newest(service, 2)).map(line => line.replace(/"at":"[^"]+"/, '"at":…')),
			[
				'key 1 127.0.0.1: installed kitchentimer timer null > {"enabled":true,"at":…,"note":""}',
				'key 1 127.0.0.1: installed kitchentimer enabled true > false',
			],
		);
		const moved = await set('kitchentimer', {enabled: true, for: 7200, note: 'longer', switch: true});
		assert.ok(String((moved['timer'] as JsonRecord)['at']) > String((first['timer'] as JsonRecord)['at']));
		assert.equal((moved['timer'] as JsonRecord)['note'], 'longer');
		assert.equal(moved['last_updated'], first['last_updated']);
		// Off already, with no timer.
		assert.ok(!Object.hasOwn(await set('nightwatch', {enabled: true, for: 60, switch: true}), 'timer'));
		assert.equal((await readEntries(service)).length, before.length + 3);
		// The other way round: the timer is of the state that it had.
		assert.deepEqual((await set('kitchentimer', {enabled: false, for: 60, switch: true}))['enabled'], true);
		assert.equal((await shown('kitchentimer')).timer?.['enabled'], false);
		const refused = await ask('PUT', 'kitchentimer', {enabled: true, for: 60});
		assert.deepEqual([refused.status, refused.json], [409, {detail: 'kitchentimer is on already.'}]);
		await assertInOrder(location);
	},
);

test('a wrong time, note or body is refused with the reason, and nothing is set', async () => {
	await using service = await startTestService();
	const {ask} = timersOf(service);
	const limit = 366 * 24 * 60 * 60;
	for (const [body, detail] of [
		[{}, /^The field enabled is required\.$/],
		[{enabled: true}, /must have one of the fields at and for/],
		[{enabled: true, at: later(60), for: 60}, /must have one of the fields at and for/],
		[{enabled: true, for: 0.5}, /^A timer takes at least 1 second and at most 366 days; the clock that counts them says \d{4}-/],
		[{enabled: true, for: -5}, /at least 1 second/],
		[{enabled: true, for: limit + 1}, /at most 366 days;/],
		[{enabled: true, for: 1e300}, /at most 366 days/],
		[{enabled: true, for: '60'}, /^The field for must be a number\.$/],
		[{enabled: true, at: later(-60)}, /at least 1 second/],
		[{enabled: true, at: later(limit + 60)}, /at most 366 days;/],
		[{enabled: true, at: '9999-12-31T23:59:59Z'}, /at most 366 days;/],
		[{enabled: true, at: '+012345-01-01T00:00:00Z'}, /must be a time with a zone/],
		[{enabled: true, at: 'tomorrow'}, /must be a time with a zone/],
		[{enabled: true, at: '2026-13-01T00:00:00Z'}, /must be a time with a zone/],
		[{enabled: true, at: '2026-12-01T07:00'}, /must be a time with a zone/],
		[{enabled: true, for: 60, note: 'ä'.repeat(101)}, /^The field note may be at most 100 characters long\.$/],
		[{enabled: true, for: 60, note: 'a\0'}, /^The field note /],
		[{enabled: null, for: 60}, /^The field enabled must be/],
	] as const) {
		const {status, json} = await ask('PUT', 'printerqueue', body);
		assert.equal(status, 400, JSON.stringify(body));
		assert.match((json as {readonly detail: string}).detail, detail, JSON.stringify(body));
	}

	for (const id of ['987654321', '0', 'printerqueue']) {
		assert.equal((await service.ask('PUT', `/timers/${id}/`, {body: {enabled: true, for: 60}})).status, 404, id);
		assert.equal((await service.ask('DELETE', `/timers/${id}/`)).status, 404, id);
	}

	assert.equal((await ask('PUT', 'printerqueue', {enabled: true, for: limit, note: '🖨️'.repeat(50)})).status, 200);
	assert.equal(
		(
			await ask('PUT', 'nightwatch', {
				enabled: true,
				at: '2026-12-01T07:00:00+01:00'.replace(/^\d{4}-\d\d-\d\d/, later(86_400).slice(0, 10)),
			})
		).status,
		200,
	);
});

testOnEach('whatever changes the state removes the timer and says so; what leaves it as it is does not', async location => {
	await using service = await start(location);
	const {set, shown} = timersOf(service);
	const {id, capability_id: abilityId} = named(await service.read(paths.installed), 'printerqueue');
	const {at} = (await set('printerqueue', {enabled: true, for: 3600}))['timer'] as {readonly at: string};
	const stays = [{enabled: false}, {enabled: false, trigger_words: ['what is in line']}, {trigger_words: ['the printer']}];
	for (const body of stays) {
		assert.equal((await service.ask('PUT', paths.editInstalled(id), {body})).status, 200);
		assert.equal((await shown('printerqueue')).timer?.['at'], at);
	}

	await toggle(service, 'printerqueue', true);
	assert.deepEqual(await shown('printerqueue'), {enabled: true, timer: undefined});
	assert.deepEqual(await newest(service, 2), [
		`key 1 127.0.0.1: installed printerqueue timer {"enabled":true,"at":"${at}","note":""} > null`,
		'key 1 127.0.0.1: installed printerqueue enabled false > true',
	]);
	// Many at once are gathered in one transaction.
	const names = (await service.read(paths.installed)).map(({name}) => String(name));
	await Promise.all(names.map(async name => set(name, {enabled: !(await shown(name)).enabled, for: 3600})));
	assert.equal(((await service.ask('GET', '/timers')).json as {readonly timers: readonly unknown[]}).timers.length, names.length);
	await assertInOrder(location);
	await Promise.all(names.slice(2).map(async name => toggle(service, name, !(await shown(name)).enabled)));
	assert.equal(((await service.ask('GET', '/timers')).json as {readonly timers: readonly unknown[]}).timers.length, 2);
	// Gone with their records.
	await set('printerqueue', {enabled: !(await shown('printerqueue')).enabled, for: 3600});
	const former = (await service.ask('GET', paths.installed)).headers.get('list-versions');
	assert.equal((await service.ask('DELETE', paths.uninstall(id))).status, 200);
	assert.notEqual((await service.ask('GET', paths.installed)).headers.get('list-versions'), former);
	await service.ask('GET', paths.install(abilityId));
	assert.equal((await shown('printerqueue')).timer, undefined);
	await set('printerqueue', {enabled: false, for: 3600});
	assert.equal((await service.ask('POST', paths.deleteAbility(abilityId))).status, 200);
	await assertInOrder(location);
});

testOnEach('at its time a timer switches once, by the person who set it, and /events tells', async location => {
	await using service = await start(location);
	const key = await withKeys(location, async keys => (await keys.create({name: 'ssh', isForSsh: true})).key);
	const {ask, shown} = timersOf(service);
	const {id} = named(await service.read(paths.installed), 'printerqueue');
	const person = formatPerson({name: 'anna', address: '10.0.0.7'});
	await using stream = await followChanges(service.baseAddress, service.key);
	await stream.waitForChanges(3);
	const {status, json} = await service.ask('PUT', `/timers/${String(id)}/`, {
		key,
		headers: {'switchboard-person': person},
		body: {enabled: true, for: 1, note: 'soon'},
	});
	assert.equal(status, 200);
	const {at, by} = (json as {readonly timer: Readonly<Record<'at' | 'by', string>>}).timer;
	assert.equal(by, 'anna');
	await waitUntil(async () => (await shown('printerqueue')).timer === undefined);
	assert.ok(Date.now() >= Date.parse(at));
	assert.equal((await shown('printerqueue')).enabled, true);
	assert.deepEqual(await newest(service, 2), [
		'anna timer: installed printerqueue enabled false > true',
		`anna ssh-serve 10.0.0.7: installed printerqueue timer null > {"enabled":true,"at":"${at}","note":"soon"}`,
	]);
	await stream.waitForChanges(5);
	assert.equal((await ask('DELETE', 'printerqueue')).status, 200);
	await assertInOrder(location);
});

testOnEach(
	'a start does what is due before the first answer, once; what is a day late, or whose key is gone, stays overdue',
	async location => {
		const first = await start(location);
		const created = await withKeys(location, async keys => [
			await keys.create({name: 'gone'}),
			await keys.create({name: 'ended', expiresAt: later(3600)}),
			await keys.create({name: 'left', rights: 'switch'}),
		]);
		const {set} = timersOf(first);
		const [gone, ended, left] = created.map(({key}) => key);
		await set('printerqueue', {enabled: true, for: 600}, left);
		await set('nightwatch', {enabled: true, for: 600}, gone);
		await set('deskmusic', {enabled: true, for: 600}, ended);
		await set('pantry', {enabled: false, for: 600});
		await first.close();
		await withKeys(location, async keys => keys.revoke(['gone']));
		await execute(location, `update api_keys set expires_at = '${later(-60)}' where name = 'ended'`);
		await makeDue(location, 23 * 60 * 60);
		await makeDue(location, 25 * 60 * 60, 'pantry');

		await using reading = await start(location, {isReadOnly: true});
		assert.equal((await reading.ask('GET', '/timers')).text.match(/"overdue":null/g)?.length, 4);
		await reading.close();

		await using service = await start(location);
		const {shown, ask} = timersOf(service);
		assert.deepEqual(await shown('printerqueue'), {enabled: true, timer: undefined});
		for (const [name, overdue] of [
			['nightwatch', 'key'],
			['deskmusic', 'key'],
			['pantry', 'late'],
		] as const) {
			const {enabled, timer} = await shown(name);
			assert.deepEqual([enabled, timer?.['overdue']], [name === 'pantry', overdue], name);
		}

		const lines = (await newest(service, 4)).map(line => line.replaceAll(/"at":"[^"]+"/g, '"at":…')).toSorted();
		const timer = '{"enabled":true,"at":…,"note":""}';
		const overdue = (reason: string): string => timer.replace('}', `,"overdue":"${reason}"}`);
		assert.deepEqual(lines, [
			`ended timer: installed deskmusic timer ${timer} > ${overdue('key')}`,
			`gone timer: installed nightwatch timer ${timer} > ${overdue('key')}`,
			`key 1 timer: installed pantry timer ${timer} > ${overdue('late')}`.replaceAll('true', 'false'),
			'left timer: installed printerqueue enabled false > true',
		]);
		const count = (await readEntries(service)).length;
		await toggle(service, 'nightwatch', true);
		assert.equal((await shown('nightwatch')).timer, undefined);
		assert.equal((await ask('DELETE', 'deskmusic')).status, 200);
		assert.equal((await readEntries(service)).length, count + 3);
		await service.close();
		await using again = await start(location);
		assert.equal((await readEntries(again)).filter(({via}) => via === 'timer').length, 4);
		await assertInOrder(location);
	},
);

testOnEach('a key that may only read lists timers and sets none; one that may switch does, up to its own end', async location => {
	await using service = await start(location);
	const end = later(3600);
	const [reader, switcher] = await withKeys(location, async keys => [
		(await keys.create({name: 'reader', rights: 'read-only'})).key,
		(await keys.create({name: 'brief', rights: 'switch', expiresAt: end})).key,
	]);
	const {ask, set} = timersOf(service);
	await set('printerqueue', {enabled: true, for: 60}, switcher);
	for (const [method, body] of [['PUT', {enabled: true, for: 60}], ['DELETE']] as const) {
		const {status, headers} = await ask(method, 'printerqueue', body, reader);
		assert.deepEqual([status, headers.get('timers')], [403, 'kept'], method);
	}

	assert.equal((await service.read<{readonly timers: readonly unknown[]}>('/timers', reader)).timers.length, 1);
	const {status, json} = await ask('PUT', 'nightwatch', {enabled: true, for: 3700}, switcher);
	assert.equal(status, 400);
	assert.match(
		(json as {readonly detail: string}).detail,
		new RegExp(`^The key “brief” expires on ${end.slice(0, 16).replace('T', ' ')} UTC, so it cannot set a timer for `),
	);
	assert.equal((await ask('DELETE', 'printerqueue', undefined, switcher)).status, 200);
});

testOnEach('timers go along to a new key, and end with one that is revoked, which says so', async location => {
	await using service = await start(location);
	const {set, shown} = timersOf(service);
	const [first, second] = await withKeys(location, async keys => [await keys.create({name: 'ci'}), await keys.create({name: 'desk'})]);
	const {at} = (await set('nightwatch', {enabled: true, for: 600}, first.key))['timer'] as {readonly at: string};
	const undone = await withKeys(location, async keys => {
		const describe = async (...names: readonly string[]) => keys.timersOf(await keys.find(names));
		assert.equal(await describe('desk'), undefined);
		await keys.rotate('ci', 3_600_000);
		assert.equal(await describe('ci (replaced)'), undefined);
		return describe('ci');
	});
	assert.equal(undone, `1 timer set with it will not be done: nightwatch (on, ${at.slice(0, 16).replace('T', ' ')} UTC).`);
	for (const name of ['pantry', 'goodnight', 'kitchentimer']) {
		await set(name, {enabled: false, for: 60}, second.key);
	}

	await withKeys(location, async keys => {
		const both = await keys.find(['ci', 'desk']);
		assert.match(
			(await keys.timersOf(both)) ?? '',
			/^4 timers set with them will not be done: pantry \(off, .* UTC\), goodnight \(off, .* UTC\), kitchentimer \(off, .* UTC\), and 1 more\.$/,
		);
		await keys.rotate('ci', 0);
		await keys.revoke(['desk']);
	});
	await makeDue(location, 1);
	const other = await openStore(location);
	await other.timers.fire(1);
	await other.close();
	assert.deepEqual([(await shown('nightwatch')).enabled, (await shown('pantry')).timer?.['overdue']], [true, 'key']);
	assert.ok((await newest(service, 4)).includes('ci timer: installed nightwatch enabled false > true'));
});

testOnEach('while the clock is earlier than the newest change, no timer is set, and none is done', async location => {
	const service = await start(location);
	const {set, ask} = timersOf(service);
	await set('printerqueue', {enabled: true, for: 600});
	await execute(location, addEntries(1, 1).replace(new Date().toISOString().slice(0, 4), '2999'));
	const {status, json} = await ask('PUT', 'nightwatch', {enabled: true, for: 60});
	assert.deepEqual(
		[status, json],
		[
			503,
			{
				detail: 'The clock of its machine is earlier than its newest change, so no timer can be set. Nothing was changed.',
				code: 'nothing-changed',
			},
		],
	);
	assert.equal((await ask('DELETE', 'nightwatch')).status, 200);
	await service.close();
	await makeDue(location, 60);
	await using again = await start(location);
	assert.deepEqual([(await timersOf(again).shown('printerqueue')).enabled, again.told.length], [false, 1]);
	assert.match(again.told[0]!, /^The clock of this machine is earlier than the newest change, of 2999-.* Set the clock\.$/);
});

testOnEach('in a copy and in a restored backup, every timer whose time has passed is overdue', async location => {
	const service = await start(location);
	const {set} = timersOf(service);
	await set('printerqueue', {enabled: true, for: 600});
	await set('nightwatch', {enabled: true, for: 600});
	await service.close();
	await makeDue(location, 60, 'printerqueue');
	const options = {signal: new AbortController().signal, onProgress: () => undefined};
	const homes = [temporaryDataFolder()];
	assert.equal((await copyStore(location, homes[0]!, options))['timers'], 2);
	if (!isDatabaseUrl(location)) {
		const file = path.join(temporaryFolder(), 'home.db');
		await backUp(location, file, options);
		homes.push(temporaryDataFolder());
		await restoreBackup(file, homes[1]!, options);
	}

	for (const home of homes) {
		await assertInOrder(home);
		await using started = await start(home);
		const {shown} = timersOf(started);
		assert.deepEqual([(await shown('printerqueue')).timer?.['overdue'], (await shown('nightwatch')).timer?.['overdue']], ['late', null]);
	}
});

test('check finds a timer without its record', async () => {
	const location = temporaryDataFolder();
	await using service = await start(location);
	await timersOf(service).set('printerqueue', {enabled: true, for: 600});
	await execute(location, 'pragma foreign_keys = off; update timers set installed_id = 987654');
	const {findings} = await checkStore(location);
	assert.deepEqual(fieldsOf(findings, 'kind'), ['references', 'references']);
	assert.match(findings[1]!.message, /^A timer for .* is of the installed ability 987654, which its account does not have\.$/);
});

testOnEach('many more timers than one transaction takes, due at once, are all done, and noted', async (location, t) => {
	const store = await openTimers(t, location);
	const {id} = (await store.accounts.find('many'))!;
	await Promise.all([store.timers.fire(id), store.timers.fire(id), (await openTimers(t, location)).timers.fire(id)]);
	const {records} = await store.installed.list(id);
	assert.ok(records.every(({enabled, timer}) => !enabled && timer === undefined));
	const {entries} = await store.history!.read(id, {limit: 10_000});
	const fired = entries.filter(({via}) => via === 'timer');
	assert.equal(fired.length, records.length);
	assert.equal(new Set(fired.map(({record}) => record)).size, records.length);
	assert.deepEqual((await store.timers.due()).accounts, []);
	await assertInOrder(location);
});

/** A store whose account `many` has timers that are due, if it has none yet. */
async function openTimers(t: TestContext, location: string) {
	const store = await openStore(location);
	t.after(async () => store.close());
	const id = await store.accounts.ensure('many');
	if (await store.accounts.isEmpty('many')) {
		const files = [{path: 'main.py', bytes: new Uint8Array()}];
		const abilities = Array.from({length: 600}, (_, index) => ({...newAbility(), name: `lamp ${index}`, files, installedAs: true}));
		await store.accounts.fill('many', {abilities, agents: []});
		await execute(
			location,
			`insert into timers (installed_id, account_id, is_enabled, at, note, set_by, person) select installed.id, ${id}, 0, '${later(-60)}', '', 'operator', '' from installed`,
		);
	}

	return store;
}
