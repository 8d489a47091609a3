import {assert, assertMapped, fork, type IncomingMessage, once, path, request, test, text} from '../helpers/node.ts';
import {Agent} from 'node:http';
import pg from 'pg';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {startServe} from '../end-to-end/start-serve.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {type JsonRecord, named, paths, sharedPostgres, skip, startTestService, temporaryDataFolder, waitUntil} from './kit.ts';

const isOnById = (records: readonly JsonRecord[]): ReadonlyMap<unknown, unknown> =>
	new Map(records.map(record => [record['id'], record['enabled']]));

/** Toggles the first three abilities, and kills the service when the last one is answered. */
async function changeAndKill(
	folder: string,
): Promise<{readonly before: ReadonlyMap<unknown, unknown>; readonly after: ReadonlyMap<unknown, unknown>}> {
	const headers = {'x-api-key': 'sb_kill', 'content-type': 'application/json'};
	const child = fork(path.join(import.meta.dirname, 'serve-child.ts'), [folder, 'sb_kill']);
	const [baseAddress] = (await once(child, 'message')) as [string];
	const response = await fetch(baseAddress + paths.installed, {headers});
	const before = isOnById((await response.json()) as readonly JsonRecord[]);
	const after = new Map(before);
	for (const [id, enabled] of [...before].slice(0, 3)) {
		const answer = await fetch(baseAddress + paths.editInstalled(id), {
			method: 'PUT',
			headers,
			body: JSON.stringify({enabled: enabled !== true}),
		});
		const record = (await answer.json()) as JsonRecord;
		after.set(record['id'], record['enabled']);
	}

	child.kill('SIGKILL');
	await once(child, 'exit');
	return {before, after};
}

test('answered changes survive a killed process', async () => {
	const dataFolder = temporaryDataFolder();
	const first = await changeAndKill(dataFolder);
	assert.notDeepEqual(first.after, first.before);
	assert.deepEqual((await changeAndKill(dataFolder)).before, first.after);
});

test('a request in progress when the service stops is answered, and its change is stored', async () => {
	const options = {location: temporaryDataFolder(), isSampleWanted: true, ephemeralKey: 'sb_stop'};
	const service = await startService(options);
	const headers = {'x-api-key': 'sb_stop', 'content-type': 'application/json'};
	const response = await fetch(service.baseAddress + paths.installed, {headers});
	const record = named((await response.json()) as readonly JsonRecord[], 'pantry');

	// Half of the body is sent before the stop begins.
	const body = JSON.stringify({enabled: false});
	const slow = request(service.baseAddress + paths.editInstalled(record['id']), {
		method: 'PUT',
		headers: {...headers, 'content-length': body.length},
		agent: new Agent({keepAlive: true}),
	});
	const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
	slow.write(body.slice(0, 5));
	await once(slow, 'socket');
	// After a round trip on another connection, the service has received the first half.
	await (await fetch(service.baseAddress + paths.installed, {headers})).text();
	const closed = service.close();
	slow.end(body.slice(5));

	const [answer] = await answered;
	assert.equal(answer.statusCode, 200);
	assert.equal((JSON.parse(await text(answer)) as JsonRecord)['enabled'], false);
	// A connection that is kept alive must not keep the service alive.
	await closed;

	const again = await startService(options);
	const after = await fetch(again.baseAddress + paths.installed, {headers});
	assert.equal(named((await after.json()) as readonly JsonRecord[], 'pantry')['enabled'], false);
	await again.close();
});

test('stopping twice is the same as stopping once', async () => {
	await using service = await startTestService();
	const stops = [service.close(), service.close()];
	await Promise.all(stops);
	stops.push(service.close());
	assert.equal((await Promise.allSettled(stops)).filter(({status}) => status === 'fulfilled').length, 3);
});

async function isListening(address: string): Promise<boolean> {
	try {
		await (await fetch(`${address}/healthz`, {headers: {connection: 'close'}})).text();
		return true;
	} catch {
		return false;
	}
}

test('SIGTERM to a process on PostgreSQL cuts no request: each change under way is stored and answered, then the process ends', {
	skip,
}, async () => {
	const location = await (await sharedPostgres()).createDatabase();
	const keys = await openApiKeys(location);
	const {key} = await keys.create();
	await keys.close();
	const home = createIsolatedHome();
	await using serve = await startServe({...home, env: {...home.env, SWITCHBOARD_DATABASE_URL: location}}, ['--port', '0', '--sample']);
	const headers = {'x-api-key': key, 'content-type': 'application/json'};
	const read = async (): Promise<readonly JsonRecord[]> =>
		(await (await fetch(serve.baseAddress + paths.installed, {headers})).json()) as readonly JsonRecord[];
	const records = (await read()).slice(0, 5);
	assert.equal(records.length, 5);

	// The account is held, so that none of the changes can be done before the signal.
	const holder = new pg.Client({connectionString: location});
	await holder.connect();
	await holder.query('begin; select id from switchboard.accounts for update');
	const answers = await Promise.all(
		records.map(async record => {
			const change = request(serve.baseAddress + paths.editInstalled(record['id']), {
				method: 'PUT',
				headers: {...headers, expect: '100-continue'},
				agent: false,
			});
			const answer = once(change, 'response') as Promise<[IncomingMessage]>;
			change.flushHeaders();
			// Then the process has it.
			await once(change, 'continue');
			change.end(JSON.stringify({enabled: record['enabled'] !== true}));
			return {answer};
		}),
	);
	const ended = serve[Symbol.asyncDispose]();
	await waitUntil(async () => !(await isListening(serve.baseAddress)));
	await holder.query('commit');

	const stored: unknown[] = [];
	for (const {answer} of answers) {
		const [response] = await answer;
		assert.equal(response.statusCode, 200);
		stored.push((JSON.parse(await text(response)) as JsonRecord)['enabled']);
	}

	assert.deepEqual(
		stored,
		records.map(record => record['enabled'] !== true),
	);
	await ended;
	assert.equal(await serve.exited, 0);
	const {rows} = await holder.query<{is_enabled: number}>('select is_enabled from switchboard.installed order by id limit 5');
	assertMapped(rows, row => row.is_enabled === 1, stored);
	await holder.end();
});
