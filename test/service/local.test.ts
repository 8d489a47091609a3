import {assert, assertMapped, DatabaseSync, existsSync, fork, once, path, process, rmSync, test, text} from '../helpers/node.ts';
import type {Worker} from 'node:worker_threads';
import type {HistoryEntry} from '../../source/interface/history.ts';
import {startLocalService} from '../../source/service/local.ts';
import {startService} from '../../source/service/service.ts';
import {earlierHome, earlierHomes} from '../helpers/earlier-homes.ts';
import {type JsonRecord, lineOf, named, paths, temporaryDataFolder, waitUntil} from './kit.ts';

async function readInstalled(baseAddress: string, key: string): Promise<readonly JsonRecord[]> {
	const response = await fetch(baseAddress + paths.installed, {headers: {'x-api-key': key}});
	assert.equal(response.status, 200);
	return (await response.json()) as readonly JsonRecord[];
}

async function disable(baseAddress: string, key: string, id: unknown): Promise<void> {
	const response = await fetch(baseAddress + paths.editInstalled(id), {
		method: 'PUT',
		headers: {'x-api-key': key, 'content-type': 'application/json'},
		body: JSON.stringify({enabled: false}),
	});
	assert.equal(response.status, 200);
}

const dataFolder = temporaryDataFolder();
/** The thread of the newest service. */
let worker: Worker | undefined;
process.on('worker', created => {
	worker = created;
});

/** The second run on that folder. */
let local: Awaited<ReturnType<typeof startLocalService>>;

test('the local service starts with the sample home, and keeps changes until its next run', async () => {
	const first = await startLocalService({dataFolder});
	assert.match(first.baseAddress, /^http:\/\/127\.0\.0\.1:\d+$/);
	const pantry = named(await readInstalled(first.baseAddress, first.apiKey), 'pantry');
	await disable(first.baseAddress, first.apiKey, pantry['id']);
	await first.close();
	assert.equal(await first.stopped, undefined);

	local = await startLocalService({dataFolder});
	assert.notEqual(local.apiKey, first.apiKey);
	assert.equal(named(await readInstalled(local.baseAddress, local.apiKey), 'pantry')['enabled'], false);
	assert.equal((await fetch(local.baseAddress + paths.installed, {headers: {'x-api-key': first.apiKey}})).status, 401);
});

test('the local service keeps timers while it runs', async () => {
	const {baseAddress, apiKey} = local;
	const pantry = named(await readInstalled(baseAddress, apiKey), 'pantry');
	const headers = {'x-api-key': apiKey, 'content-type': 'application/json'};
	const body = JSON.stringify({enabled: true, for: 1});
	assert.equal((await fetch(`${baseAddress}/timers/${String(pantry['id'])}/`, {method: 'PUT', headers, body})).status, 200);
	await waitUntil(async () => named(await readInstalled(baseAddress, apiKey), 'pantry')['enabled'] === true);
	const {entries} = (await (await fetch(`${baseAddress}/history`, {headers})).json()) as {readonly entries: readonly HistoryEntry[]};
	assert.equal(lineOf(entries[0]!), 'local timer: installed pantry enabled false > true');
});

test('the local service and `serve` can share a data folder', async () => {
	const served = await startService({location: dataFolder, ephemeralKey: 'sb_served'});
	const records = await readInstalled(served.baseAddress, 'sb_served');
	const on = records.filter(record => record['enabled']);
	await Promise.all(
		on.map(async (record, index) =>
			index % 2 === 0 ? disable(served.baseAddress, 'sb_served', record['id']) : disable(local.baseAddress, local.apiKey, record['id']),
		),
	);
	const after = await readInstalled(served.baseAddress, 'sb_served');
	assert.ok(after.every(record => record['enabled'] === false));
	assert.deepEqual(await readInstalled(local.baseAddress, local.apiKey), after);
	await served.close();
});

test('a local service that stops by itself reports it', async () => {
	await worker!.terminate();
	const error = await local.stopped;
	assert.equal(error?.kind, 'unexpected');
	assert.match(error.message, /^The bundled service stopped unexpectedly: /);
	await local.close();
});

test('a local service brings an earlier home up to date only if it may, and says why it cannot start', async () => {
	const folder = await earlierHomes[0]!.createLocation();
	await assert.rejects(startLocalService({dataFolder: folder, isMigrationAllowed: false}), {
		name: 'SwitchboardError',
		kind: 'refused',
		message: /was written by an earlier Switchboard: it has version 3/,
		nextStep: /./,
	});
	using earlier = new DatabaseSync(path.join(folder, 'switchboard.db'));
	assert.equal(earlier.prepare('pragma user_version').get()?.['user_version'], 3);
	earlier.close();
	const brought = await startLocalService({dataFolder: folder});
	assert.equal((await readInstalled(brought.baseAddress, brought.apiKey)).length, Object.keys(earlierHome.installed).length);
	await brought.close();
	assert.equal(existsSync(path.join(folder, 'switchboard.db.before-1.1.0')), true);
});

test('the local service does not keep the process alive', async () => {
	const child = fork(path.join(import.meta.dirname, 'local-service-child.ts'), [temporaryDataFolder()], {silent: true});
	child.disconnect();
	const [stdout, stderr, [exitCode]] = await Promise.all([
		text(child.stdout!),
		text(child.stderr!),
		once(child, 'exit') as Promise<[number]>,
	]);
	assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
	assert.equal(stderr, '');
	assert.equal(exitCode, 0);
});

test('a local service whose files were replaced writes nothing when it is closed, nor when its process ends', async () => {
	const folders = [temporaryDataFolder(), temporaryDataFolder()];
	const child = fork(path.join(import.meta.dirname, 'local-service-child.ts'), folders, {silent: true});
	await Promise.race([
		once(child.stdout!, 'data'),
		(async () => {
			throw new Error(await text(child.stderr!));
		})(),
	]);
	for (const folder of folders) {
		rmSync(path.join(folder, 'switchboard.db-shm'));
		using database = new DatabaseSync(path.join(folder, 'switchboard.db'), {timeout: 5000});
		database.exec("update accounts set name = 'changed'");
	}

	child.send('close');
	const [[message], [exitCode]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [[string], [number]];
	assert.match(message, /switchboard\.db-shm was deleted or replaced while it was in use/);
	assert.equal(exitCode, 1);
	for (const folder of folders) {
		using database = new DatabaseSync(path.join(folder, 'switchboard.db'));
		assertMapped(database.prepare('select name from accounts').all(), ({name}) => name, ['changed']);
	}
});
