import {assert, assertMapped, assertSome, path, readFile, test} from '../helpers/node.ts';
import {indexNames} from '../../source/interface/name-index.ts';
import {type ApiKeys, openApiKeys, planKey} from '../../source/service/accounts.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {execute, fieldsOf, newAbility, noAgent, paths, startTestService, temporaryDataFolder, testOnEach, withKeys} from './kit.ts';

function testKeys(title: string, work: (keys: ApiKeys, folder: string) => Promise<void>): void {
	test(title, async () => {
		const dataFolder = temporaryDataFolder();
		await withKeys(dataFolder, async keys => work(keys, dataFolder));
	});
}

testKeys('a key is shown once: neither the list nor the data folder contains it', async (keys, folder) => {
	const {key, ...rest} = await keys.create();
	assert.match(key, /^sb_[\w-]{43}$/);
	const plain = {rights: 'all', for_ssh: false, expires_at: null};
	assert.deepEqual(rest, {id: 1, name: 'key 1', account: 'default', ...plain});

	const [listed, ...others] = await keys.list();
	assert.deepEqual(others, []);
	assert.deepEqual(
		{...listed, created_at: undefined},
		{id: 1, name: 'key 1', account: 'default', created_at: undefined, ...plain, last_used_at: null},
	);
	assert.ok(Math.abs(Date.now() - Date.parse(listed!.created_at)) < 60_000);

	const files = await Promise.all(['switchboard.db', 'switchboard.db-wal'].map(async file => readFile(path.join(folder, file))));
	assertSome(files, bytes => bytes.includes('key 1'), 'The name is stored');
	assert.ok(
		files.every(bytes => !bytes.includes(key)),
		'The key is not',
	);
});

testKeys('no two keys are the same', async keys => {
	const first = await keys.create();
	const second = await keys.create();
	assert.notEqual(first.key, second.key);
	assert.deepEqual([first.name, second.name], ['key 1', 'key 2']);
});

testKeys('key names are unique within an account, ignoring case', async keys => {
	await keys.create({name: 'Laptop'});
	await assert.rejects(keys.create({name: 'laptop'}), {kind: 'conflict', message: /already has a key named “laptop”/});
	await keys.create({name: 'laptop', account: 'parents'});
	const listed = await keys.list();
	assert.deepEqual(fieldsOf(listed, 'name', 'account'), [
		['Laptop', 'default'],
		['laptop', 'parents'],
	]);
});

testKeys('the default name of a key is a free one', async keys => {
	await keys.create({name: 'KEY 2'});
	assert.equal((await keys.create()).name, 'key 3');
});

testKeys('an empty, long or invisible name is not valid for a key or an account', async keys => {
	for (const name of ['', '  ', 'x'.repeat(101), 'a\u{1B}[31mb']) {
		await assert.rejects(keys.create({name}), {kind: 'usage', field: 'name'});
		await assert.rejects(keys.create({account: name}), {kind: 'usage', field: 'account'});
	}

	assert.deepEqual(await keys.list(), []);
});

testKeys('keys are revoked by id or by name in any case, several at once', async keys => {
	await keys.create({name: 'one'});
	await keys.create({name: 'two'});
	await keys.create({name: 'three'});
	const revoked = await keys.revoke(['TWO', '1', 'two']);
	assert.deepEqual(fieldsOf(revoked, 'id', 'name'), [
		[2, 'two'],
		[1, 'one'],
	]);
	const listed = await keys.list();
	assert.deepEqual(fieldsOf(listed, 'name'), ['three']);
});

testKeys('no new key has the name of what the history says without a key, or of an id', async keys => {
	for (const name of ['operator', ' Operator', 'LOCAL', 'local', '2', '00', ' 17 ']) {
		await assert.rejects(keys.create({name}), {kind: 'usage', field: 'name', message: /^A key cannot be named “/});
		assert.throws(() => planKey([], {name}), {kind: 'usage'});
	}

	assert.equal((await keys.create({name: 'operator 2', account: 'operator'})).name, 'operator 2');
});

test('a key of an earlier version with such a name works, is rotated and revoked, and an id beats a name', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	for (const [index, name] of ['2', 'other', 'operator'].entries()) {
		await store.accounts.addKey('default', new Uint8Array(32).fill(index), () => name);
	}

	await store.close();
	const keys = await openApiKeys(dataFolder);
	assert.equal((await keys.rotate('operator', 0)).name, 'operator');
	assert.deepEqual(fieldsOf(await keys.revoke(['2']), 'id', 'name'), [[2, 'other']]);
	assert.deepEqual(fieldsOf(await keys.revoke(['2', 'Operator']), 'name'), ['2', 'operator']);
	await keys.close();
});

testKeys('if one of several keys is not found or ambiguous, none is revoked', async keys => {
	await keys.create({name: 'tv'});
	await keys.create({name: 'TV', account: 'parents'});
	await keys.create({name: 'door'});
	await assert.rejects(keys.revoke(['door', 'window']), {kind: 'not-found', message: /There is no key “window”\. No key was revoked\./});
	await assert.rejects(keys.revoke(['door', 'tv']), {kind: 'ambiguous', message: /1 \(account default\), 2 \(account parents\)/});
	assert.equal((await keys.list()).length, 3);
});

test('while the service runs, a new key works and a revoked one stops working at once', async () => {
	await using service = await startTestService();
	const keys = await openApiKeys(service.dataFolder);
	const {key, id} = await keys.create({name: 'late'});
	assert.equal((await service.ask('GET', paths.agents, {key})).status, 200);
	await keys.revoke([String(id)]);
	assert.equal((await service.ask('GET', paths.agents, {key})).status, 401);
	assert.equal((await service.ask('GET', paths.agents)).status, 200);
	await keys.close();
});

test('a new account has one agent and nothing else', async () => {
	await using service = await startTestService();
	const key = await service.createKey('parents');
	const agents = await service.read(paths.agents, key);
	assert.equal(agents.length, 1);
	assert.equal(agents[0]!['name'], 'Home');
	assert.deepEqual(agents[0]!['matching_capabilities'], []);
	assert.deepEqual(await service.read(paths.abilities, key), []);
	assert.deepEqual(await service.read(paths.installed, key), []);
});

/* Names count as one in any case, for the service and for its clients, whichever database is behind it. */

/** In another case; with a letter that has two characters, as the Kelvin sign; composed and not. */
const equalNames = [
	['Ärger', 'äRGER'],
	['\u{212A}elvin', 'kelvin'],
	['Cafe\u{301}', 'CAFÉ'],
] as const;

const abilityNamed = (name: string) => newAbility({name, files: []});

testOnEach('an account has no two keys whose names are equal in any case', async location => {
	const keys = await openApiKeys(location);
	for (const [first, second] of equalNames) {
		const {id} = await keys.create({name: first});
		await assert.rejects(keys.create({name: second}), {kind: 'conflict'}, second);
		assert.deepEqual(fieldsOf(await keys.find([second]), 'id'), [id]);
	}

	await keys.close();
	// What two processes that create them at the same moment would do.
	const store = await openStore(location);
	await assert.rejects(
		store.accounts.addKey('default', new Uint8Array(32), () => equalNames[0][1]),
		/unique/i,
	);
	await store.close();
});

testOnEach('a client finds an ability by each name that the service refuses beside it', async location => {
	const store = await openStore(location);
	const account = await store.accounts.ensure('default');
	for (const [first, second] of equalNames) {
		const {result: id} = await store.abilities.add(account, abilityNamed(first), noAgent);
		await assert.rejects(store.abilities.add(account, abilityNamed(second), noAgent), {kind: 'conflict', field: 'name'});
		const {records} = await store.abilities.list(account);
		assertMapped(indexNames(records).find(second), record => record.id, [id], second);
	}

	await store.close();
});

test('abilities and keys that a home of an early version has under names that now count as one can be used, removed and named anew', async () => {
	const dataFolder = temporaryDataFolder();
	const before = await openStore(dataFolder);
	for (const [index, name] of ['Äther', 'other'].entries()) {
		await before.accounts.addKey('default', new Uint8Array(32).fill(index + 1), () => name);
		await before.abilities.add(1, abilityNamed(name), noAgent);
	}

	await before.close();
	// Version 3 told such names apart in this way.
	await execute(
		dataFolder,
		`
		update abilities set name = 'äther', folded_name = (select folded_name from abilities where name = 'Äther') || char(31) || id where name = 'other';
		update api_keys set name = 'äther', folded_name = (select folded_name from api_keys where name = 'Äther') || char(31) || id where name = 'other'`,
	);

	const store = await openStore(dataFolder);
	const {records: abilities} = await store.abilities.list(1);
	assert.deepEqual(fieldsOf(abilities, 'name'), ['Äther', 'äther']);
	for (const {id, name} of abilities) {
		assert.equal((await store.installed.add(1, id)).result.name, name);
	}

	for (const [index, name] of ['Äther', 'äther'].entries()) {
		assert.equal((await store.accounts.findKey(new Uint8Array(32).fill(index + 1)))?.id, index + 1, name);
	}

	await assert.rejects(store.abilities.add(1, abilityNamed('ÄTHER'), noAgent), {kind: 'conflict'});
	await store.abilities.remove(1, fieldsOf(abilities, 'id'));
	await store.abilities.add(1, abilityNamed('ÄTHER'), noAgent);
	await store.close();
	assert.deepEqual(fieldsOf((await checkStore(dataFolder)).findings, 'severity', 'kind'), [['note', 'names']]);

	const keys = await openApiKeys(dataFolder);
	await assert.rejects(keys.find(['ÄTHER']), {kind: 'ambiguous'});
	await keys.revoke(['1', '2']);
	assert.equal((await keys.create({name: 'ÄTHER'})).name, 'ÄTHER');
	await keys.close();
});
