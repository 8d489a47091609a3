import {assert, test} from '../helpers/node.ts';
import {personHeader} from '../../source/interface/endpoints.ts';
import type {ApiKeys} from '../../source/service/accounts.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {fieldsOf, named, paths, startTestService, temporaryDataFolder, testOnEach, waitUntil, withKeys} from './kit.ts';

type Wanted = NonNullable<Parameters<ApiKeys['create']>[0]>;

const createKey = async (location: string, wanted: Wanted): Promise<string> =>
	withKeys(location, async keys => (await keys.create(wanted)).key);

const soon = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

test('a key that may only switch may send a record back with another state, and with nothing else changed', async () => {
	await using service = await startTestService();
	const key = await createKey(service.dataFolder, {name: 'ci', rights: 'switch'});
	const before = (await service.read(paths.installed)).find(record => (record['trigger_words'] as readonly string[]).length > 1)!;
	const {id, name, category, trigger_words: phrases, system_capability: isSystem, agent_capability: isOfAgents} = before;
	const whole = {
		enabled: !before['enabled'],
		name,
		category,
		trigger_words: phrases,
		system_capability: isSystem,
		agent_capability: isOfAgents,
	};
	const edit = async (body: unknown) => service.ask('PUT', paths.editInstalled(id), {key, body});
	const refused = [
		{...whole, name: 'other'},
		{...whole, category: 'daemon'},
		{...whole, trigger_words: [...(phrases as readonly string[]), 'one more']},
		{...whole, trigger_words: []},
		{...whole, trigger_words: (phrases as readonly string[]).toReversed()},
		{...whole, trigger_words: ['\u{1B}[31m']},
		{...whole, system_capability: !isSystem},
		{enabled: !before['enabled'], agent_capability: !isOfAgents},
		{trigger_words: ['another phrase']},
		{trigger_words: phrases},
	];
	for (const body of refused) {
		const {status, json, headers} = await edit(body);
		assert.deepEqual(
			[status, json],
			[
				403,
				{
					detail:
						'The key “ci” may only list and switch. Nothing was changed. Use a key that may do more, or ask the administrator of the service for one.',
				},
			],
			JSON.stringify(body),
		);
		assert.equal(headers.get('key-rights'), 'switch; name=ci');
	}

	assert.deepEqual(named(await service.read(paths.installed), String(name)), before);
	const switched = await edit(whole);
	assert.deepEqual([switched.status, (switched.json as typeof before)['enabled']], [200, whole.enabled]);
	assert.equal((await edit({enabled: before['enabled'], name: null, trigger_words: null, system_capability: null})).status, 200);
});

test('a service says what a key may do: in its lists, and where a key is verified', async () => {
	await using service = await startTestService();
	const expires_at = soon(3_600_000);
	const cases: ReadonlyArray<readonly [wanted: Wanted, header: string | null, verified: object]> = [
		[{name: 'plain'}, null, {}],
		[{name: 'Leser Zoë', rights: 'read-only'}, 'read-only; name=Leser%20Zo%C3%AB', {name: 'Leser Zoë', rights: 'read-only'}],
		[{name: 'ssh', isForSsh: true, rights: 'switch'}, 'switch; name=ssh', {name: 'ssh', rights: 'switch', for_ssh: true}],
		[{name: 'brief', expiresAt: expires_at}, null, {name: 'brief', expires_at}],
	];
	for (const [wanted, header, verified] of cases) {
		const key = await createKey(service.dataFolder, wanted);
		const list = await service.ask('GET', paths.installed, {key});
		assert.deepEqual([list.status, list.headers.get('key-rights')], [200, header]);
		const unchanged = await service.ask('GET', paths.installed, {key, headers: {'if-none-match': list.headers.get('etag')!}});
		assert.deepEqual([unchanged.status, unchanged.headers.get('key-rights')], [304, header]);
		const answer = await service.ask('POST', '/api/sdk/verify_apikey/', {key: null, body: {api_key: key}});
		assert.deepEqual(answer.json, {valid: true, ...verified});
	}
});

test('a key that has ended is refused with when that was, and writes nothing', async () => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	const key = await createKey(location, {name: 'brief', expiresAt: soon(-1000)});
	const ended = await withKeys(location, async keys => keys.list());
	const shown = ended
		.find(each => each.name === 'brief')!
		.expires_at!.slice(0, 16)
		.replace('T', ' ');
	const detail = `The key “brief” expired on ${shown} UTC. Make a new one with: switchboard keys create`;
	for (const [method, path, body] of [
		['GET', paths.installed],
		['GET', paths.install(1)],
		['POST', '/api/sdk/get_personalities', {api_key: key}],
	] as const) {
		const {status, json} = await service.ask(method, path, {key, body});
		assert.deepEqual([status, json], [401, {detail}], path);
	}

	assert.deepEqual((await service.ask('POST', '/api/sdk/verify_apikey/', {key: null, body: {api_key: key}})).json, {valid: false});

	// One that ended between its check and the transaction.
	const store = await openStore(location);
	const {id, accountId} = {id: ended.find(each => each.name === 'brief')!.id, accountId: (await store.accounts.find('default'))!.id};
	const [installed] = (await store.installed.list(accountId)).records;
	await assert.rejects(
		store.installed.change({accountId, keyId: id, author: {name: 'brief', person: '', via: 'any'}}, installed!.id, ({enabled}) => ({
			enabled: !enabled,
		})),
		{kind: 'key-refused'},
	);
	assert.deepEqual((await store.installed.list(accountId)).records[0], installed);
	await store.close();
});

test('the last use of a key is stored to the minute', async () => {
	const location = temporaryDataFolder();
	const lastUse = async (): Promise<string | null> =>
		withKeys(location, async keys => (await keys.list()).find(each => each.name === 'key 1')!.last_used_at);
	await using service = await startTestService({location});
	await service.read(paths.installed);
	await waitUntil(async () => (await lastUse()) !== null);
	const stored = await lastUse();
	assert.match(stored!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
	assert.ok(Date.now() - Date.parse(stored!) < 180_000);
});

testOnEach(
	'a key that is rotated keeps its name, account, rights and end, and the one before works until its time is up',
	async location => {
		await using service = await startTestService({location});
		const expiresAt = soon(7_200_000);
		const first = await createKey(location, {name: 'ci', account: 'team', rights: 'switch', isForSsh: true, expiresAt});
		const statusOf = async (key: string): Promise<number> => (await service.ask('GET', paths.installed, {key})).status;
		const second = await withKeys(location, async keys => keys.rotate('CI', 3_600_000));
		const {id, key: secondKey, replaced, ...terms} = second;
		assert.deepEqual(terms, {name: 'ci', account: 'team', rights: 'switch', for_ssh: true, expires_at: expiresAt});
		assert.deepEqual([replaced!.name, await statusOf(first), await statusOf(secondKey)], ['ci (replaced)', 200, 200]);
		const third = await withKeys(location, async keys => keys.rotate(String(id), 0));
		assert.deepEqual(
			[third.replaced, await statusOf(first), await statusOf(secondKey), await statusOf(third.key)],
			[undefined, 200, 401, 200],
		);

		await withKeys(location, async keys => {
			// No longer than it would have worked anyway.
			assert.deepEqual((await keys.rotate('ci', 86_400_000)).replaced, {name: 'ci (replaced 2)', expiresAt});
			await keys.create({name: 'ci'});
			await keys.create({name: 'over', expiresAt: soon(-1000)});
			const before = await keys.list();
			await assert.rejects(keys.rotate('ci', 0), {kind: 'ambiguous', message: /^Several keys are named “ci”: .* No key was changed\.$/});
			await assert.rejects(keys.rotate('cj', 0), {kind: 'not-found'});
			await assert.rejects(keys.rotate('over', 0), {
				kind: 'conflict',
				message: /^The key “over” expired on .* UTC\. No key was changed\.$/,
			});
			assert.deepEqual(await keys.list(), before);
		});
	},
);

test('keys that were replaced and have ended leave the list at the next rotation', async () =>
	withKeys(temporaryDataFolder(), async keys => {
		await keys.create({name: 'ci'});
		await keys.create({name: 'ci', account: 'other'});
		for (let round = 0; round < 3; round++) {
			const {replaced} = await keys.rotate(String((await keys.list()).findLast(({account}) => account === 'default')!.id), 1);
			await waitUntil(() => replaced!.expiresAt < new Date().toISOString());
		}

		assert.deepEqual(fieldsOf(await keys.list(), 'name'), ['ci', 'ci (replaced)', 'ci']);
	}));

test('the history names the person that a key for ssh-serve asks for, cleaned, and the key', async () => {
	await using service = await startTestService();
	const key = await createKey(service.dataFolder, {name: 'hut', isForSsh: true});
	const installed = named(await service.read(paths.installed), 'pantry');
	const headers = [
		'anna%40laptop; address=10.0.0.7',
		'bo%0Aroot%1B%5B2J; address=%3A%3A1',
		'nobody',
		'%; address=1',
		`${'x'.repeat(5000)}; address=1`,
	];
	let isEnabled = !installed['enabled'];
	for (const header of headers) {
		assert.equal(
			(await service.ask('PUT', paths.editInstalled(installed['id']), {key, body: {enabled: isEnabled}, headers: {[personHeader]: header}}))
				.status,
			200,
		);
		isEnabled = !isEnabled;
	}

	const {entries} = await service.read<{readonly entries: ReadonlyArray<Record<'by' | 'key' | 'via' | 'field', string>>}>('/history');
	const told = entries
		.filter(({field}) => field === 'enabled')
		.map(({by, key: name, via}) => [by, name, via])
		.toReversed();
	assert.deepEqual(told, [
		['anna@laptop', 'hut', 'ssh-serve 10.0.0.7'],
		['bo root', 'hut', 'ssh-serve ::1'],
		...headers.slice(2).map(() => ['hut', 'hut', '127.0.0.1']),
	]);
});

test('a person is ignored with a key that was not made for ssh-serve, which the operator reads once', async () => {
	await using service = await startTestService();
	for (let count = 0; count < 3; count++) {
		assert.equal((await service.ask('GET', paths.installed, {headers: {[personHeader]: 'anna%0Aroot; address=10.0.0.7'}})).status, 200);
	}

	assert.deepEqual(service.told, [
		'The key “key 1” of the account “default” names the person that it is used for, which is ignored: it was not made with --for-ssh.',
	]);
});
