import {assert, DatabaseSync, mkdirSync, path, test, type TestContext} from '../helpers/node.ts';
import pg from 'pg';
import {createDatabase} from '../../source/service/store/sql/database.ts';
import {createSqliteDialect} from '../../source/service/store/sqlite/engine.ts';
import {StoreFailure} from '../../source/service/store/store-errors.ts';
import {type SharedPostgres, sharedPostgres, skipWithoutPostgres} from '../helpers/postgres.ts';
import {paths, startTestService, temporaryDataFolder, type TestService, waitUntil} from './kit.ts';

/* What /readyz says, and what a change is answered, while the database is there but takes no changes. */

const skip = skipWithoutPostgres;

const notReady = [503, {detail: 'The database cannot be used now.'}];

const askReady = async (service: TestService): Promise<readonly unknown[]> => {
	const {status, json} = await service.ask('GET', '/readyz', {key: null});
	return [status, json];
};

/** Switches the first ability off or on, and gives the status and the code of the answer. */
const switchFirst = async (service: TestService, id: unknown, enabled: boolean): Promise<readonly unknown[]> => {
	const {status, json} = await service.ask('PUT', paths.editInstalled(id), {body: {enabled}});
	return [status, (json as {readonly code?: unknown}).code];
};

const refused = [503, 'nothing-changed'];

const isFirstEnabled = async (service: TestService): Promise<unknown> => (await service.read(paths.installed))[0]!['enabled'];

/** A service on a database of its own, with the id of its first installed ability, which is on. */
const start = async (t: TestContext) => {
	const server = await sharedPostgres();
	const location = await server.createDatabase();
	const service = await startTestService({location});
	t.after(async () => service[Symbol.asyncDispose]());
	const [first] = await service.read(paths.installed);
	assert.deepEqual([first!['enabled'], await askReady(service)], [true, [200, {ok: true}]]);
	return {server, location, service, id: first!['id']};
};

const endSessions = async (server: SharedPostgres, url: string): Promise<void> => {
	await server.administer(
		'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
		url,
	);
};

test('a database that has become read-only is not ready, and a change is refused', {skip}, async t => {
	const {server, location, service, id} = await start(t);
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
	test(`a database that ${what} is not ready, and a change is refused until that is mended`, {skip}, async t => {
		const {server, location, service, id} = await start(t);
		await server.administer(spoil, location);
		assert.deepEqual(await askReady(service), notReady);
		assert.deepEqual(await switchFirst(service, id, false), refused);
		await server.administer(mend, location);
		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		assert.deepEqual(await switchFirst(service, id, false), [200, undefined]);
	});
}

for (const table of ['installed', 'accounts', 'api_keys']) {
	test(`while another session keeps the table ${table} to itself, the database is not ready, and a change is refused`, {skip}, async t => {
		const {location, service, id} = await start(t);
		const other = new pg.Client({connectionString: location});
		await other.connect();
		try {
			await other.query(`begin; lock table switchboard.${table} in access exclusive mode`);
			// Both are answered while the lock is held.
			const answers = await Promise.all([askReady(service), switchFirst(service, id, false)]);
			assert.deepEqual(answers, [notReady, refused]);
			await other.query('rollback');
		} finally {
			await other.end();
		}

		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		assert.equal(await isFirstEnabled(service), true);
	});
}

test('a transaction that holds an account for long does not make the database unready', {skip}, async t => {
	const {location, service, id} = await start(t);
	const other = new pg.Client({connectionString: location});
	await other.connect();
	try {
		await other.query('begin; select id from switchboard.accounts for update');
		const change = switchFirst(service, id, false);
		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		await other.query('rollback');
		assert.deepEqual(await change, [200, undefined]);
	} finally {
		await other.end();
	}
});

test('while another program writes to the SQLite file without end, it is not ready, and a change is refused', async () => {
	await using service = await startTestService();
	const [first] = await service.read(paths.installed);
	const other = new DatabaseSync(path.join(service.dataFolder, 'switchboard.db'));
	try {
		other.exec('begin immediate');
		assert.deepEqual(await Promise.all([askReady(service), switchFirst(service, first!['id'], false)]), [notReady, refused]);
		assert.equal(await isFirstEnabled(service), true);
		other.exec('rollback');
		assert.deepEqual(await askReady(service), [200, {ok: true}]);
		assert.deepEqual(await switchFirst(service, first!['id'], false), [200, undefined]);
	} finally {
		other.close();
	}
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
