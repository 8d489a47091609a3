import {after, assert, DatabaseSync, mkdirSync, path, test} from '../helpers/node.ts';
import {readFile, stat} from 'node:fs/promises';
import pg from 'pg';
import {createDatabase} from '../../source/service/store/sql/database.ts';
import {createSqliteDialect} from '../../source/service/store/sqlite/engine.ts';
import {StoreFailure} from '../../source/service/store-errors.ts';
import {type SharedPostgres, sharedPostgres, skipWithoutPostgres} from '../helpers/postgres.ts';
import {execute, named, paths, startTestService, temporaryDataFolder, type TestService, waitUntil} from './kit.ts';

/* What /readyz says, and what a change is answered, while the database is there but takes no changes. */

const skip = skipWithoutPostgres;

const notReady = [503, {detail: 'The database cannot be used now.'}];

async function askReady(service: TestService): Promise<readonly unknown[]> {
	const {status, json} = await service.ask('GET', '/readyz', {key: null});
	return [status, json];
}

/** Switches the first ability off or on, and gives the status and the code of the answer. */
async function switchFirst(service: TestService, id: unknown, enabled: boolean): Promise<readonly unknown[]> {
	const {status, json} = await service.ask('PUT', paths.editInstalled(id), {body: {enabled}});
	return [status, (json as {readonly code?: unknown}).code];
}

const refused = [503, 'nothing-changed'];

const isFirstEnabled = async (service: TestService): Promise<unknown> => (await service.read(paths.installed))[0]!['enabled'];

async function startShared() {
	const server = await sharedPostgres();
	const location = await server.createDatabase();
	return {server, location, service: await startTestService({location})};
}

let shared: ReturnType<typeof startShared> | undefined;

after(async () => {
	await (await shared)?.service.close();
});

/** The service on PostgreSQL that the tests share, which each leaves as it was, with the id of its first installed ability, which is on. */
async function start() {
	shared ??= startShared();
	const {service} = await shared;
	const [first] = await service.read(paths.installed);
	await switchFirst(service, first!['id'], true);
	assert.deepEqual(await askReady(service), [200, {ok: true}]);
	return {...(await shared), id: first!['id']};
}

async function endSessions(server: SharedPostgres, url: string): Promise<void> {
	await server.administer(
		'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
		url,
	);
}

test('a database that has become read-only is not ready, and a change is refused', {skip}, async () => {
	const {server, location, service, id} = await start();
	const name = decodeURIComponent(new URL(location).pathname.slice(1));
	await server.administer(`alter database "${name}" set default_transaction_read_only = on`);
	await endSessions(server, location);
	assert.deepEqual(await askReady(service), notReady);
	assert.deepEqual(await switchFirst(service, id, false), refused);
	assert.equal(await isFirstEnabled(service), true);
	await server.administer(`alter database "${name}" set default_transaction_read_only = off`);
	await waitUntil(async () => (await askReady(service))[0] === 200);
	assert.deepEqual(await switchFirst(service, id, false), [200, undefined]);
});

for (const [what, spoil, mend] of [
	['lacks a table', 'alter table switchboard.installed rename to mislaid', 'alter table switchboard.mislaid rename to installed'],
	['lacks its schema', 'alter schema switchboard rename to mislaid', 'alter schema mislaid rename to switchboard'],
	['takes a right away', 'alter table switchboard.installed owner to postgres', 'alter table switchboard.installed owner to switchboard'],
] as const) {
	test(`a database that ${what} is not ready, and a change is refused until that is mended`, {skip}, async () => {
		const {server, location, service, id} = await start();
		await server.administer(spoil, location);
		assert.deepEqual(await askReady(service), notReady);
		assert.deepEqual(await switchFirst(service, id, false), refused);
		await server.administer(mend, location);
		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		assert.deepEqual(await switchFirst(service, id, false), [200, undefined]);
	});
}

async function withClient(location: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
	const client = new pg.Client({connectionString: location});
	await client.connect();
	try {
		await work(client);
	} finally {
		await client.end();
	}
}

for (const table of ['installed', 'accounts', 'api_keys']) {
	test(`while another session keeps the table ${table} to itself, the database is not ready, and a change is refused`, {skip}, async () => {
		const {location, service, id} = await start();
		await withClient(location, async other => {
			await other.query(`begin; lock table switchboard.${table} in access exclusive mode`);
			// Both are answered while the lock is held.
			assert.deepEqual(await Promise.all([askReady(service), switchFirst(service, id, false)]), [notReady, refused]);
			await other.query('rollback');
		});

		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		assert.equal(await isFirstEnabled(service), true);
	});
}

test('a transaction that holds an account for long does not make the database unready', {skip}, async () => {
	const {location, service, id} = await start();
	await withClient(location, async other => {
		await other.query('begin; select id from switchboard.accounts for update');
		const change = switchFirst(service, id, false);
		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		await other.query('rollback');
		assert.deepEqual(await change, [200, undefined]);
	});
});

test('a SQLite file that is read-only takes no change, and nothing was changed', async () => {
	const folder = temporaryDataFolder();
	mkdirSync(folder);
	const file = path.join(folder, 'home.db');
	new DatabaseSync(file).exec('create table accounts (id integer)');
	const database = createDatabase(
		createSqliteDialect({database: new DatabaseSync(file, {readOnly: true}), file, refuseMoved: () => undefined}),
	);
	await assert.rejects(
		database.transaction().execute(async transaction => transaction.deleteFrom('accounts').where('id', '=', 1).execute()),
		(error: unknown) => error instanceof StoreFailure && error.trouble === 'unreachable',
	);
	await database.destroy();
});

test('an internal error reveals nothing in its answer, and is logged without the key', async () => {
	await using service = await startTestService();
	await execute(service.dataFolder, 'drop table agent_abilities');

	const {status, json} = await service.ask('GET', paths.agents);
	assert.equal(status, 500);
	assert.deepEqual(json, {detail: 'Internal error. The reason is in the log of the service.'});
	assert.equal((await service.ask('GET', paths.installed)).status, 200);

	const file = path.join(service.dataFolder, 'service.log');
	const log = await readFile(file, 'utf8');
	const entry = JSON.parse(log) as {readonly where: string; readonly error: string};
	assert.equal(entry.where, `GET ${paths.agents}`);
	assert.match(entry.error, /no such table/);
	assert.ok(!log.includes(service.key));
	assert.equal(((await stat(file)).mode % 0o1000).toString(8), '600');
});

test('while another program locks the SQLite file, it is not ready, and a change is answered with 503 and Retry-After', async () => {
	await using service = await startTestService();
	const record = named(await service.read(paths.installed), 'pantry');
	const other = new DatabaseSync(path.join(service.dataFolder, 'switchboard.db'));
	other.exec('begin immediate');
	const {status, headers, json} = await service.ask('PUT', paths.editInstalled(record['id']), {body: {enabled: false}});
	assert.deepEqual(
		[status, headers.get('retry-after'), json],
		[
			503,
			'1',
			{detail: 'The database is in use by another program, so nothing was changed. Try again in a moment.', code: 'nothing-changed'},
		],
	);
	assert.deepEqual(await askReady(service), notReady);
	// Reading still works.
	assert.deepEqual(named(await service.read(paths.installed), 'pantry'), record);
	other.exec('rollback');
	other.close();
	assert.deepEqual(await askReady(service), [200, {ok: true}]);
	assert.equal((await service.ask('PUT', paths.editInstalled(record['id']), {body: {enabled: false}})).status, 200);
});
