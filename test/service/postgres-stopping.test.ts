import {assert, type IncomingMessage, once, request, test, text} from '../helpers/node.ts';
import pg from 'pg';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startServe} from '../end-to-end/start-serve.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {type JsonRecord, paths, sharedPostgres, skip, waitUntil} from './kit.ts';

const isListening = async (address: string): Promise<boolean> => {
	try {
		await (await fetch(`${address}/healthz`, {headers: {connection: 'close'}})).text();
		return true;
	} catch {
		return false;
	}
};

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
	assert.deepEqual(
		rows.map(row => row.is_enabled === 1),
		stored,
	);
	await holder.end();
});
