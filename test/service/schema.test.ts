import {assert, assertMapped, Buffer, DatabaseSync, fork, once, path, spawnSync, test} from '../helpers/node.ts';
import {isDatabaseUrl} from '../../source/platform/secret-variables.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {earlierHome, earlierHomes} from '../helpers/earlier-homes.ts';
import {type JsonRecord, named, paths, readLists, startTestService} from './running-service.ts';
import {execute, fieldsOf, followChanges, lampFiles, testOnEach, uploadForm, zipOf} from './kit.ts';

for (const {name, skip, createLocation} of earlierHomes) {
	test(`a home of an earlier version is served with all that it held: ${name}`, {skip}, async () => {
		const location = await createLocation();
		const service = await startService({location});
		const headers = {'x-api-key': earlierHome.key};
		const ask = async (path: string): Promise<Response> => fetch(service.baseAddress + path, {headers});
		const read = async (path: string): Promise<readonly JsonRecord[]> => (await ask(path)).json() as Promise<readonly JsonRecord[]>;
		const hearth = named(await read(paths.agents), 'Hearth');
		assert.deepEqual([hearth['description'], hearth['matching_capabilities']], [earlierHome.hearth.prompt, earlierHome.hearth.abilityIds]);
		const abilities = await read(paths.abilities);
		const versions = abilities.map(ability => [
			ability['name'],
			(ability['capability_versions'] as readonly JsonRecord[]).map(({version}) => Number(version)),
		]);
		assert.deepEqual(Object.fromEntries(versions), earlierHome.abilities);
		const installed = await read(paths.installed);
		assert.deepEqual(Object.fromEntries(installed.map(record => [record['name'], record['enabled']])), earlierHome.installed);
		assert.deepEqual(named(installed, 'pantry')['trigger_words'], ['what is in the pantry']);
		const source = Buffer.from(await (await ask(paths.source(earlierHome.draft.abilityId))).arrayBuffer());
		assert.ok(source.includes(earlierHome.draft.text));
		const pantry = named(installed, 'pantry')['id'];
		const switched = await fetch(service.baseAddress + paths.editInstalled(pantry), {
			method: 'PUT',
			headers: {...headers, 'content-type': 'application/json'},
			body: JSON.stringify({enabled: true}),
		});
		assert.equal(switched.status, 200);
		assert.equal(named(await read(paths.installed), 'pantry')['enabled'], true);
		await service.close();
		const keys = await openApiKeys(location);
		assertMapped(await keys.list(), ({id, name: keyName, account}) => [id, keyName, account], earlierHome.keys);
		await keys.close();
	});
}

/** As a newer program would, while this one runs. */
const raiseVersion = async (location: string): Promise<void> =>
	execute(location, isDatabaseUrl(location) ? 'insert into migrations (number) values (1000)' : 'pragma user_version = 1000');

testOnEach(
	'once a newer program has changed the schema, nothing is written, streams end and /readyz says so, and reading goes on',
	async location => {
		await using service = await startTestService({location, ...(!isDatabaseUrl(location) && {dataFolder: location})});
		const {told} = service;
		assert.equal((await service.ask('GET', '/readyz')).status, 200);
		const pantry = named(await service.read(paths.installed), 'pantry');
		const [agent] = await service.read(paths.agents);
		const before = await readLists(service);
		await using stream = await followChanges(service.baseAddress, service.key);
		await stream.waitForChanges(3);
		await raiseVersion(location);
		await stream.ended;

		const refused = {
			status: 503,
			json: {detail: 'Nothing was changed. Its operator has to restart: the database is of a newer version.', code: 'nothing-changed'},
		};
		const large = {...lampFiles, 'lamps/sound.raw': '#'.repeat(3_000_000)};
		const answers = await Promise.all([
			service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: pantry['enabled'] !== true}}),
			service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], description: 'Be brief.'}}),
			service.ask('POST', paths.upload, {body: await uploadForm()}),
			service.ask('POST', paths.upload, {body: await uploadForm({name: 'sounds', zip_file: await zipOf(large)})}),
			service.ask('DELETE', paths.uninstall(pantry['id'])),
			service.ask('POST', paths.deleteAbility(pantry['capability_id'])),
			service.ask('GET', '/events'),
		]);
		for (const {status, json} of answers) {
			assert.deepEqual({status, json}, refused);
		}

		assert.deepEqual(await readLists(service), before);
		assert.equal((await service.ask('GET', '/readyz')).status, 503);
		assert.equal((await service.ask('GET', '/healthz')).status, 200);
		assert.equal(told.length, 1, told.join('\n'));
		assert.match(told[0]!, /is of a newer version by now: it has version 1000, .* Restart it with the newer Switchboard\.$/);
	},
);

testOnEach('once the schema is newer, keys are neither made nor revoked, and a start is refused with what to do', async location => {
	const store = await openStore(location);
	await store.accounts.addKey('default', new Uint8Array(32), () => 'first');
	await raiseVersion(location);
	for (const write of [
		async () => store.accounts.addKey('default', new Uint8Array(32).fill(1), () => 'second'),
		async () => store.accounts.ensure('guests'),
		async () => store.accounts.removeKeys(keys => keys),
		async () => store.checkVersion(),
		async () => store.ready(),
	]) {
		await assert.rejects(write, {kind: 'server-error', trouble: 'newer'});
	}

	assert.deepEqual(fieldsOf(await store.accounts.listKeys(), 'name'), ['first']);
	await store.close();
	await assert.rejects(openStore(location), {
		kind: 'unexpected',
		message: /^The database \S+ was written by a newer Switchboard: it has version 1000, this program supports up to \d+\.$/,
		nextStep: 'Update Switchboard.',
	});
});

testOnEach('several processes may open a new home at the same moment: each can use it, and none disturbs another', async location => {
	const children = [1, 2, 3, 4].map(() => fork(path.join(import.meta.dirname, 'open-store-child.ts'), [location]));
	await Promise.all(children.map(async child => once(child, 'message')));
	for (const child of children) {
		child.send('open');
	}

	const exits = await Promise.all(children.map(async child => once(child, 'exit')));
	assertMapped(exits, ([code]) => code as unknown, [0, 0, 0, 0]);
	const store = await openStore(location);
	assert.equal(new Set(fieldsOf(await store.accounts.listKeys(), 'account')).size, 4);
	await store.close();
});

/** The sqlite3 of this machine: Debian 12 has 3.40, in which octet_length is unknown. */
const sqlite3 = (...words: readonly string[]) => spawnSync('sqlite3', words, {encoding: 'utf8'});

const version = sqlite3('--version').stdout?.split(' ', 1)[0];

async function openEarlierHome(): Promise<string> {
	const folder = await earlierHomes[0]!.createLocation();
	await migrateStore(folder);
	return path.join(folder, 'switchboard.db');
}

test('the schema of a database, brought forward too, has no function that the SQLite of Debian 12 lacks', async () => {
	using database = new DatabaseSync(await openEarlierHome());
	const schema = database.prepare('select group_concat(sql, char(10)) as sql from sqlite_schema').get()!['sql'];
	const functions = new Set([...String(schema).matchAll(/\b(?<name>[_a-z]+)\s*\(/g)].map(({groups}) => groups!['name']!));
	for (const name of ['octet_length', 'unixepoch', 'fold_name']) {
		assert.ok(!functions.has(name), name);
	}

	assert.ok(functions.has('length'));
});

test(`sqlite3 ${version ?? ''} checks the file, changes it and writes it anew`, {
	skip: version === undefined ? 'sqlite3 is not installed' : false,
}, async () => {
	const file = await openEarlierHome();
	const run = (sql: string): string => {
		const {status, stdout, stderr} = sqlite3(file, sql);
		assert.deepEqual([status, stderr], [0, '']);
		return stdout.trim();
	};

	assert.equal(run('pragma integrity_check'), 'ok');
	const before = run('select sum(bytes) from accounts');
	assert.equal(
		run("update agents set description = description || 'ä' where id = (select min(id) from agents); select sum(bytes) from accounts"),
		String(Number(before) + 2),
	);
	assert.equal(run('vacuum; pragma integrity_check'), 'ok');
});
