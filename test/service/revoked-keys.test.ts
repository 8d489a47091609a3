import {assert, Buffer, type IncomingMessage, once, randomBytes, request, test, text} from '../helpers/node.ts';
import type {SwitchboardError} from '../../source/interface/errors.ts';
import {createApp} from '../../source/service/app.ts';
import type {Author, Writer} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {startSlowDownload} from '../helpers/slow-download.ts';
import {appParts, plainKey} from './app-parts.ts';
import {testOnEach, testOnPostgres} from '../helpers/databases.ts';
import {type JsonRecord, openTestStore, paths, startTestService, withKeys} from './running-service.ts';
import {fieldsOf, formOf, newAbility, noAgent, temporaryDataFolder, uploadForm, waitUntil, zipOf} from './kit.ts';

const megabyte = 1024 * 1024;

const author: Author = {name: 'any', person: '', via: 'any'};

/** As by `keys revoke` beside the service, which is another process. */
async function revoke(location: string, id: string): Promise<void> {
	await withKeys(location, async keys => keys.revoke([id]));
}

const lamps = newAbility({
	files: [
		{path: 'main.py', bytes: Buffer.from('pass')},
		{path: '__init__.py', bytes: new Uint8Array()},
	],
});

test('an upload that was begun before its key was revoked is refused and stored nowhere', async () => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	const otherKey = await service.createKey('default');
	const zip_file = await zipOf({
		'lamps/main.py': 'pass',
		'lamps/__init__.py': '',
		'lamps/a.wav': randomBytes(6 * megabyte),
		'lamps/b.wav': randomBytes(6 * megabyte),
	});
	const form = new Response(await uploadForm({zip_file}));
	const body = Buffer.from(await form.arrayBuffer());
	const sent = request(service.baseAddress + paths.upload, {
		method: 'POST',
		agent: false,
		headers: {'x-api-key': service.key, 'content-type': form.headers.get('content-type')!, 'content-length': body.length},
	});
	const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
	// The line holds much less: most of it is taken only once the key is accepted.
	await new Promise(resolve => {
		sent.write(body.subarray(0, -1000), resolve);
	});
	await revoke(location, '1');
	sent.end(body.subarray(-1000));
	const [response] = await answered;
	assert.deepEqual(
		[response.statusCode, JSON.parse(await text(response))],
		[401, {detail: 'It is not a key of this service. Make a new one with: switchboard keys create'}],
	);
	const abilities = await service.read(paths.abilities, otherKey);
	assert.equal(
		abilities.some(ability => ability['name'] === 'lamps'),
		false,
	);
});

async function assertCut(location: string, routeOf: (id: number) => string): Promise<void> {
	let endedCount = 0;
	await using service = await startTestService({
		location,
		onRequest() {
			endedCount++;
		},
	});
	const store = await openStore(location);
	const accountId = await store.accounts.ensure('default');
	const files = [...lamps.files, ...['a.wav', 'b.wav'].map(path => ({path, bytes: randomBytes(6 * megabyte)}))];
	const {result: id} = await store.abilities.add(accountId, {...lamps, files, description: 'x'.repeat(12 * megabyte)}, noAgent);
	await store.close();
	const download = await startSlowDownload(service.baseAddress + routeOf(id), service.key);
	assert.equal(download.status, 200);
	await revoke(location, '1');
	await waitUntil(() => endedCount === 1);
	assert.equal((await download.finish()).isWhole, false);
}

testOnEach("the download of an ability's files is cut when its key is revoked", async location => assertCut(location, paths.source));

test('the download of a long list is cut when its key is revoked', async () => assertCut(temporaryDataFolder(), () => paths.abilities));

test('each change looks for its key again where it is stored', async t => {
	const store = await openTestStore(t);
	const accountId = await store.accounts.ensure('own');
	const otherAccountId = await store.accounts.ensure('other');
	const {result: id} = await store.abilities.add(accountId, lamps, noAgent);
	const [key, revoked] = await Promise.all(
		[1, 2].map(async byte => store.accounts.addKey('own', new Uint8Array(32).fill(byte), taken => `key ${taken.length}`)),
	);
	const foreign = await store.accounts.addKey('other', new Uint8Array(32).fill(3), () => 'foreign');
	await store.accounts.removeKeys(keys => keys.filter(each => each.id === revoked!.id));
	const caller = {
		...plainKey,
		accountId,
		account: 'own',
		keyName: 'any',
		keyId: revoked!.id,
		author,
		versions: (await store.accounts.find('own'))!.versions,
	};
	const app = await createApp({...appParts, store, findCaller: async () => caller});
	const address = await app.listen({host: '127.0.0.1', port: 0});
	const seen = async () => Promise.all([store.agents.list(accountId), store.abilities.list(accountId), store.installed.list(accountId)]);
	const before = await seen();
	const [agent] = before[0].records;
	const [version] = before[1].records[0]!.capability_versions;
	const code = await zipOf({'main.py': 'new', '__init__.py': ''});
	const large = await zipOf({'main.py': 'new', '__init__.py': '', 'a.wav': randomBytes(3 * megabyte)});
	const writes: ReadonlyArray<readonly [string, string, (JsonRecord | FormData)?]> = [
		['PUT', paths.editInstalled(id), {enabled: false}],
		['PUT', paths.editAgent, {personality_id: agent!.id, name: 'Lantern'}],
		['POST', paths.upload, await uploadForm({name: 'second'})],
		['POST', paths.releaseCode(version!.id), formOf({zip_file: code})],
		['POST', paths.releaseCode(version!.id), formOf({zip_file: large})],
		['GET', paths.install(id)],
		['DELETE', paths.uninstall(id)],
		['POST', paths.deleteAbility(id)],
		['POST', paths.deleteAbilities, {capability_ids: [id]}],
	];
	for (const [method, url, body] of writes) {
		const isForm = body instanceof FormData;
		const {status} = await fetch(address + url, {
			method,
			headers: {'x-api-key': 'any', ...(body !== undefined && !isForm && {'content-type': 'application/json'})},
			...(body !== undefined && {body: isForm ? body : JSON.stringify(body)}),
		});
		assert.equal(status, 401, `${method} ${url}`);
	}

	await app.close();
	assert.deepEqual(await seen(), before);
	const writers: readonly Writer[] = [
		{accountId, keyId: revoked!.id, author},
		{accountId, keyId: foreign.id, author},
		{accountId: otherAccountId, keyId: key!.id, author},
	];
	for (const writer of writers) {
		await assert.rejects(store.installed.add(writer, id), {kind: 'key-refused'});
	}

	assert.equal((await store.installed.change({accountId, keyId: key!.id, author}, id, () => ({enabled: false}))).result.enabled, false);
});

testOnEach('of changes that are stored together only those of revoked keys are refused', async (location, t) => {
	const store = await openTestStore(t, location);
	const accountId = await store.accounts.ensure('own');
	const {result: id} = await store.abilities.add(accountId, lamps, noAgent);
	const keys = [];
	for (let byte = 0; byte < 12; byte++) {
		keys.push(await store.accounts.addKey('own', new Uint8Array(32).fill(byte), taken => `key ${taken.length}`));
	}

	const isRevoked = (keyId: number): boolean => keyId % 3 === 0;
	await store.accounts.removeKeys(all => all.filter(key => isRevoked(key.id)));
	const outcomes = await Promise.allSettled(
		keys.map(async (key, index) => store.installed.change({accountId, keyId: key.id, author}, id, () => ({enabled: index % 2 === 0}))),
	);
	assert.deepEqual(
		fieldsOf(outcomes, 'status'),
		keys.map(key => (isRevoked(key.id) ? 'rejected' : 'fulfilled')),
	);
	for (const outcome of outcomes) {
		assert.equal(outcome.status === 'rejected' ? (outcome.reason as SwitchboardError).kind : 'key-refused', 'key-refused');
	}
});

testOnPostgres('a change that waits for another process is refused if its key is revoked meanwhile', async location => {
	const store = await openStore(location);
	const {Client} = (await import('pg')).default;
	const client = new Client({connectionString: location});
	try {
		const accountId = await store.accounts.ensure('own');
		const {result: id} = await store.abilities.add(accountId, lamps, noAgent);
		const key = await store.accounts.addKey('own', new Uint8Array(32), () => 'laptop');
		await client.connect();
		await client.query('begin');
		await client.query('select id from switchboard.accounts for update');
		const change = store.installed.change({accountId, keyId: key.id, author}, id, () => ({enabled: false}));
		const refused = assert.rejects(change, {kind: 'key-refused'});
		await waitUntil(async () => {
			const {rows} = await client.query<{count: string}>(
				"select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and locktype = 'transactionid'",
			);
			return Number(rows[0]!.count) > 0;
		});
		const revoked = store.accounts.removeKeys(keys => keys);
		await waitUntil(async () => (await store.accounts.listKeys()).length === 0);
		await client.query('commit');
		await refused;
		await revoked;
		const {entries} = await store.history!.read(accountId, {limit: 1});
		assert.deepEqual(fieldsOf(entries, 'name', 'to'), [['laptop', false]]);
		assert.equal((await store.installed.get(accountId, id)).enabled, true);
	} finally {
		await client.end();
		await store.close();
	}
});
