import {addTo, assert, createHash, type IncomingMessage, once, path, process, request, test, type TestContext} from '../helpers/node.ts';
import {assertMapped} from '../helpers/lists.ts';
import {applyPatch} from 'diff';
import {openApiKeys} from '../../source/service/accounts.ts';
import {type HistoryQuery, isLongText, longTextCharacters} from '../../source/interface/history.ts';
import {type ServiceOptions, startService} from '../../source/service/service.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {StoreOptions} from '../../source/service/store/store.ts';
import {addEntries, execute, lineOf, readEntries, readPage, toggle} from './history-pages.ts';
import {type JsonRecord, named, paths, startTestService, type TestService} from './running-service.ts';
import {testOnEach} from '../helpers/databases.ts';
import {fieldsOf, followChanges, formOf, newAbility, noAgent, temporaryDataFolder, uploadForm, waitUntil, zipOf} from './kit.ts';

async function start(t: TestContext, location = temporaryDataFolder(), options: Partial<ServiceOptions> = {}): Promise<TestService> {
	const service = await startTestService({location, dataFolder: location, ...options});
	t.after(async () => service.close());
	return service;
}

/** A store with an account that has one installed ability, and what switches it. */
async function openFilled(location = temporaryDataFolder(), options?: StoreOptions) {
	const store = await openStore(location, options);
	const account = await store.accounts.ensure('own');
	await store.abilities.add(account, newAbility(), noAgent);
	const {records} = await store.installed.list(account);
	return {
		store,
		account,
		switchTo: async (enabled: boolean) => store.installed.change(account, records[0]!.id, () => ({enabled})),
		async entries({limit = 1000, ...query}: HistoryQuery = {}) {
			const page = await store.history!.read(account, {limit, ...query});
			return page.entries;
		},
	};
}

test('each change is told with its author, its field, what was and what is, the newest first', async t => {
	const location = temporaryDataFolder();
	const service = await start(t, location);
	const ask = async (method: string, route: string, body?: unknown): Promise<JsonRecord> => {
		const {status, json, text} = await service.ask(method, route, {body});
		assert.equal(status, 200, text);
		return json as JsonRecord;
	};

	const [hearth] = await service.read(paths.agents);
	const {id: pantry} = named(await service.read(paths.installed), 'pantry');
	await ask('PUT', paths.editInstalled(pantry), {enabled: false, trigger_words: ['the pantry', 'what is left'], agent_capability: true});
	await ask('PUT', paths.editInstalled(pantry), {enabled: false});
	await ask('PUT', paths.editAgent, {personality_id: hearth!['id'], name: 'Fireside', description: 'Short.', matching_capabilities: []});
	const {capability_id: lamps} = await ask('POST', paths.upload, await uploadForm({personality_id: String(hearth!['id'])}));
	const {release_id} = await ask('GET', paths.installedOf(lamps));
	for (const committed of ['false', 'true']) {
		await ask('POST', paths.releaseCode(release_id), formOf({zip_file: await zipOf({'main.py': '#', '__init__.py': ''}), committed}));
	}

	await ask('DELETE', paths.uninstall(named(await service.read(paths.installed), 'lamps')['id']));
	await ask('GET', paths.install(lamps));
	await ask('POST', paths.deleteAbility(lamps));
	const keys = await openApiKeys(location);
	const {id: made} = await keys.create({account: 'default', name: 'made'});
	await keys.revoke(['made']);
	await keys.close();
	const {entries, next} = await readPage(service);
	assert.equal(next, null);
	assert.deepEqual(
		fieldsOf(entries, 'id'),
		entries.map((_, index) => entries.length - index),
	);
	const before = String(hearth!['description']);
	const [prompt] = await readEntries(service, {entry: entries.find(({field}) => field === 'prompt')!.id});
	assert.deepEqual([prompt!.from, prompt!.to], [before, 'Short.']);
	const tied = entries.filter(({field, name}) => field === 'abilities' && name === 'Hearth').map(({from}) => from);
	const me = 'key 1 127.0.0.1:';
	assert.deepEqual(
		entries
			.filter(({field}) => field !== 'prompt')
			.toReversed()
			.map(entry => lineOf(entry)),
		[
			'operator this machine: key key 1 exists false > true',
			`${me} installed pantry enabled true > false`,
			`${me} installed pantry triggers [] > ["the pantry","what is left"]`,
			`${me} installed pantry agent_capability false > true`,
			`${me} agent Hearth name "Hearth" > "Fireside"`,
			`${me} agent Hearth abilities ${JSON.stringify(tied[0])} > []`,
			`${me} ability lamps exists false > true`,
			`${me} installed lamps installed false > true`,
			`${me} agent Fireside abilities [] > ["lamps"]`,
			`${me} ability lamps draft null > "2"`,
			`${me} ability lamps version "1" > "2"`,
			`${me} installed lamps installed true > false`,
			`${me} installed lamps installed false > true`,
			`${me} installed lamps installed true > false`,
			`${me} ability lamps exists true > false`,
			`${me} agent Fireside abilities ["lamps"] > []`,
			'operator this machine: key made exists false > true',
			'operator this machine: key made exists true > false',
		],
	);
	assert.deepEqual(fieldsOf(entries.slice(0, 2), 'record', 'key'), [
		[made, null],
		[made, null],
	]);
	assert.deepEqual(
		fieldsOf(
			entries.filter(({name}) => name === 'pantry'),
			'record',
			'key',
		),
		Array.from({length: 3}, () => [pantry, 'key 1']),
	);
});

testOnEach('changes that arrive together are told each with its own author, in one order without a gap', async (location, t) => {
	const service = await start(t, location);
	const keys: string[] = [];
	while (keys.length < 6) {
		keys.push(await service.createKey('default'));
	}

	const installed = await service.read(paths.installed);
	const before = (await readEntries(service)).length;
	await Promise.all(
		keys.flatMap(key =>
			installed
				.slice(0, 10)
				.map(async ({id, enabled}) => service.ask('PUT', paths.editInstalled(id), {key, body: {enabled: enabled !== true}})),
		),
	);
	const entries = await readEntries(service, {limit: 1000});
	assert.deepEqual(
		fieldsOf(entries, 'id'),
		entries.map((_, index) => entries.length - index),
	);
	// Of six that switch it off, one has changed it.
	const changed = entries.slice(0, entries.length - before);
	assert.deepEqual(
		changed.map(({record}) => record).toSorted((one, other) => one - other),
		fieldsOf(installed.slice(0, 10), 'id'),
	);
	assert.ok(changed.every(({by, key}) => by === key && /^key \d$/.test(by)));
});

test('a long prompt is described in a page; alone, its entry has it whole, and how the next one differs', async t => {
	const service = await start(t);
	const [agent] = await service.read(paths.agents);
	const lines = Array.from({length: 400}, (_, index) => `Line ${index} – ünïcödé \u{1F3E0}`);
	const edited = lines.with(7, 'Another line').join('\n');
	const rewritten = Array.from({length: 5000}, (_, index) => `${index % 7}`).join('\n');
	const prompts = ['Short.', lines.join('\n'), edited, rewritten, 'x'.repeat(20_000), 'Short again.'];
	for (const description of prompts) {
		assert.equal((await service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], description}})).status, 200);
	}

	const entries = await readEntries(service, {limit: prompts.length});
	const bodies = await service.ask('GET', `/history?limit=${prompts.length}`);
	assert.ok(bodies.bytes.length < 8000, `${bodies.bytes.length}`);
	for (const [index, {id, from, to}] of entries.toReversed().entries()) {
		const [before, after] = [index === 0 ? String(agent!['description']) : prompts[index - 1]!, prompts[index]!];
		const [whole] = await readEntries(service, {entry: id});
		assert.equal(whole!.from, before);
		for (const [value, text] of [
			[from, before],
			[to, after],
		] as const) {
			const description = {characters: text.length, sha256: createHash('sha256').update(text).digest('hex'), start: text.slice(0, 200)};
			assert.deepEqual(value, text.length > longTextCharacters ? description : text);
		}

		if (after.length > longTextCharacters) {
			const {to: described} = whole!;
			assert.ok(isLongText(described));
			assert.equal(described.sha256, createHash('sha256').update(after).digest('hex'));
			assert.equal(applyPatch(before, described.difference!), after);
		} else {
			assert.equal(whole!.to, after);
		}
	}
});

test('a long list is whole where its entry is read alone', async t => {
	const service = await start(t);
	const phrases = Array.from({length: 60}, (_, index) => `please do number ${index} for me`);
	const {id} = named(await service.read(paths.installed), 'pantry');
	await service.ask('PUT', paths.editInstalled(id), {body: {enabled: true, trigger_words: phrases}});
	await service.ask('PUT', paths.editInstalled(id), {body: {enabled: true, trigger_words: []}});
	const [emptied, filled] = await readEntries(service, {limit: 2});
	assert.deepEqual([isLongText(emptied!.from), emptied!.to, filled!.from, isLongText(filled!.to)], [true, [], [], true]);
	assert.deepEqual((await readEntries(service, {entry: emptied!.id}))[0]!.from, phrases);
	assert.deepEqual((await readEntries(service, {entry: filled!.id}))[0]!.to, phrases);
});

test('a clock that jumps keeps the order', async t => {
	const {store, switchTo, entries: read} = await openFilled();
	t.mock.timers.enable({apis: ['Date'], now: Date.parse('2030-05-05T10:00:00Z')});
	for (const [index, now] of ['2030-05-05T10:00:00Z', '2020-01-01T00:00:00Z', '2040-12-31T23:59:59Z', '2030-05-05T10:00:00Z'].entries()) {
		t.mock.timers.setTime(Date.parse(now));
		await switchTo(index % 2 === 1);
	}

	const entries = await read({limit: 4});
	assertMapped(entries, ({at}) => at.slice(0, 4), ['2030', '2040', '2020', '2030']);
	assert.deepEqual(fieldsOf(entries, 'id'), [6, 5, 4, 3]);
	await store.close();
});

test('entries go once they are too old, also where nothing is changed any more', async t => {
	const location = temporaryDataFolder();
	const service = await start(t, location);
	await toggle(service, 'pantry', false);
	await toggle(service, 'pantry', true);
	const [newest] = await readEntries(service);
	await execute(location, `update history set at = '${new Date(Date.now() - 400.5 * 86_400_000).toISOString()}' where number = 1`);
	const other = await start(t, location);
	await waitUntil(async () => (await readEntries(service, {before: 2})).length === 0);
	const entries = await readEntries(other);
	assert.deepEqual(
		entries.find(({id}) => id === newest!.id),
		newest,
		'the number goes on',
	);
	// All of them at once wait, and the operator is told.
	await execute(location, `update history set at = '${new Date(Date.now() - 401 * 86_400_000).toISOString()}'`);
	const {told} = await start(t, location);
	await waitUntil(() => told.some(text => text.startsWith('Much of the history of the account “default” would be removed at once')));
	assert.equal((await readEntries(other, {before: entries[0]!.id + 1})).length, entries.length);
});

testOnEach(
	'a clock that is far ahead removes nothing for a day, also across restarts, and does so anew when it was right meanwhile',
	async (location, t) => {
		const {store, account, switchTo} = await openFilled(location);
		for (const enabled of [false, true, false]) {
			await switchTo(enabled);
		}

		await store.close();
		t.mock.timers.enable({apis: ['Date'], now: Date.now()});
		/** Each in a process of its own: whether it said that it waits, and how many entries are left. */
		const pruneAfter = async (hours: number, options?: StoreOptions) => {
			t.mock.timers.setTime(Date.now() + hours * 3_600_000);
			const opened = await openStore(location, options);
			const told: string[] = [];
			await opened.history!.prune(new AbortController().signal, addTo(told));
			const {entries} = await opened.history!.read(account, {limit: 10});
			await opened.close();
			return {told, count: entries.length};
		};

		const twoYears = 2 * 365 * 24;
		const quiet = {told: [], count: 5};
		const {told, count} = await pruneAfter(twoYears);
		assert.match(
			told[0]!,
			/^Much of the history of the account “own” would be removed at once: 5 of its 5 entries, those before \d{4}-.*It waits until \d{4}-.*Check the clock/,
		);
		assert.equal(count, 5);
		assert.deepEqual(await pruneAfter(23), quiet);
		assert.deepEqual(await pruneAfter(-twoYears - 23), quiet);
		assert.equal((await pruneAfter(twoYears + 24)).told.length, 1);
		// A jump of the clock is no day that has passed.
		assert.equal((await pruneAfter(twoYears)).told.length, 1);
		assert.deepEqual(await pruneAfter(23), quiet);
		assert.deepEqual(await pruneAfter(1), {told: [], count: 0});
	},
);

test('a limit that was made smaller waits for a day, changes meanwhile included', async t => {
	for (const options of [{historyDays: 10}, {quotaBytes: 4000}]) {
		const location = temporaryDataFolder();
		const {store, account, switchTo, entries} = await openFilled(location);
		for (let count = 0; count < 30; count++) {
			await switchTo(count % 2 === 1);
		}

		await execute(location, `update history set at = '${new Date(Date.now() - 11.5 * 86_400_000).toISOString()}' where number <= 10`);
		assert.equal((await entries()).length, 32);
		await store.close();
		t.mock.timers.enable({apis: ['Date'], now: Date.now()});
		const {history, installed, close} = await openStore(location, options);
		const told: string[] = [];
		const prune = async (): Promise<number> => {
			await history!.prune(new AbortController().signal, addTo(told));
			return (await history!.read(account, {limit: 100})).entries.length;
		};

		assert.equal(await prune(), 32);
		const {records} = await installed.list(account);
		await installed.change(account, records[0]!.id, () => ({enabled: false}));
		t.mock.timers.tick(23 * 3_600_000);
		assert.equal(await prune(), 33);
		assert.equal(told.length, 1);
		t.mock.timers.tick(3_600_000);
		const left = await prune();
		assert.ok(left === 23 || (left < 8 && options.quotaBytes !== undefined), String(left));
		await close();
		t.mock.timers.reset();
	}
});

test('an account keeps 100,000 entries, and the oldest go a few at a time', async () => {
	const location = temporaryDataFolder();
	const {store, account, switchTo, entries: read} = await openFilled(location);
	await execute(location, `${addEntries(account, 1000)} update accounts set history_number = 100100 where id = ${account}`);
	const oldest = [1];
	for (let count = 0; count < 200; count++) {
		await switchTo(count % 2 === 1);
		if (count % 20 === 19) {
			oldest.push((await read({before: 2000, limit: 2000})).at(-1)!.id);
		}
	}

	assert.ok(
		oldest.every((number, index) => index === 0 || number - oldest[index - 1]! <= 130),
		oldest.join(' '),
	);
	const [newest] = await read({limit: 1});
	const kept = newest!.id - oldest.at(-1)! + 1;
	assert.equal(Math.floor((kept - 100_000) / 64), 0, String(kept));
	await store.close();
});

testOnEach('beyond the quota the oldest entries go, and no change is refused for them', async location => {
	const {store, account, switchTo, entries: read} = await openFilled(location, {quotaBytes: 20_000});
	for (let count = 0; count < 60; count++) {
		await switchTo(count % 2 === 1);
	}

	const entries = await read();
	assert.ok(entries.length > 10, String(entries.length));
	assert.ok(entries.length < 40, String(entries.length));
	assert.equal(entries[0]!.id, 62);
	await assert.rejects(store.abilities.add(account, newAbility({name: 'large', description: 'x'.repeat(20_000)}), noAgent), {
		kind: 'quota',
	});
	assert.deepEqual(await read(), entries, 'what was refused is not told');
	await store.close();
});

testOnEach('events carry the number of the newest entry, also of changes by another process', async (location, t) => {
	const service = await start(t, location);
	const other = await start(t, location);
	await using stream = await followChanges(service.baseAddress, service.key);
	await stream.waitForChanges(3);
	const numbers = (): readonly number[] =>
		[...stream.text().matchAll(/"resource":"installed","version":"[^"]+","history":(?<number>\d+)/g)].map(({groups}) =>
			Number(groups!['number']),
		);
	for (const [index, each] of [other, service, other].entries()) {
		const [before] = numbers().slice(-1);
		await toggle(each, 'pantry', index % 2 === 1);
		await waitUntil(() => numbers().length > index + 1);
		const entries = await readEntries(service, {after: before!});
		assert.deepEqual(fieldsOf(entries, 'id', 'name', 'to'), [[numbers().at(-1), 'pantry', index % 2 === 1]]);
	}
});

test('without a history its path is unknown, nothing is written, and events carry no number', async t => {
	const location = temporaryDataFolder();
	const service = await start(t, location, {historyDays: 'off'});
	const kept = await start(t, location);
	const entries = await readEntries(kept);
	await using stream = await followChanges(service.baseAddress, service.key);
	await toggle(service, 'pantry', false);
	await stream.waitForChanges(4);
	assert.ok(!stream.text().includes('history'));
	assert.deepEqual(await readPage(kept), {entries, next: null, reaches_back_to: entries.at(-1)!.at});
	const [unknown, history] = await Promise.all(
		['/nothing', '/history'].map(async route => {
			const answers = await Promise.all([service.key, null].map(async key => service.ask('GET', route, {key})));
			return answers.map(({status, json}) => [status, json]);
		}),
	);
	assert.deepEqual(history, unknown);
	const {paths: described} = (await service.ask('GET', '/openapi.json')).json as {readonly paths: object};
	assert.ok(!('/history' in described));
});

test('the sample home has no history, and the key of a service that runs for one program is local on this machine', async () => {
	const service = await startService({location: temporaryDataFolder(), ephemeralKey: 'sb_own', isSampleWanted: true});
	const headers = {'x-api-key': 'sb_own', 'content-type': 'application/json'};
	const read = async (route: string) => (await fetch(service.baseAddress + route, {headers})).json();
	assert.deepEqual(await read('/history'), {entries: [], next: null, reaches_back_to: null});
	const {id} = named((await read(paths.installed)) as readonly JsonRecord[], 'pantry');
	await fetch(service.baseAddress + paths.editInstalled(id), {method: 'PUT', headers, body: JSON.stringify({enabled: false})});
	const {entries} = (await read('/history')) as Awaited<ReturnType<typeof readPage>>;
	assertMapped(entries, entry => [lineOf(entry), entry.key], [['local this machine: installed pantry enabled true > false', null]]);
	await service.close();
});

test('a change through a trusted proxy is told with the address that it forwards, one at a Unix socket with this machine', {
	skip: process.platform === 'win32',
}, async t => {
	const location = temporaryDataFolder();
	const service = await start(t, location, {trustedProxies: ['127.0.0.1']});
	const {id} = named(await service.read(paths.installed), 'pantry');
	for (const [enabled, forwarded] of [
		[false, '[2001:DB8::7]:51008'],
		[true, 'nonsense'],
	] as const) {
		await service.ask('PUT', paths.editInstalled(id), {body: {enabled}, headers: {'x-forwarded-for': forwarded}});
	}

	const socketPath = path.join(location, 'socket');
	const atSocket = await startService({location, socket: {socketPath}});
	const sent = request({
		socketPath,
		method: 'PUT',
		path: paths.editInstalled(id),
		headers: {'x-api-key': service.key, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7'},
	});
	sent.end(JSON.stringify({enabled: false}));
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	answer.resume();
	await once(answer, 'end');
	await atSocket.close();
	const entries = await readEntries(service, {limit: 3});
	assert.deepEqual(fieldsOf(entries, 'via'), ['this machine', '127.0.0.1', '2001:db8::7']);
});
