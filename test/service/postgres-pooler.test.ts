import {
	type AddressInfo,
	assert,
	chmodSync,
	createHash,
	existsSync,
	mkdirSync,
	net,
	once,
	path,
	process,
	spawn,
	test,
	type TestContext,
	writeFileSync,
} from '../helpers/node.ts';
import {sql} from 'kysely';
import {openStore} from '../../source/service/store/open-store.ts';
import {createPool} from '../../source/service/store/postgres/connect.ts';
import {createPostgresDialect} from '../../source/service/store/postgres/engine.ts';
import {createDatabase} from '../../source/service/store/sql/database.ts';
import {type SharedPostgres, sharedPostgres, skipWithoutPostgres as skip, startPostgres} from '../helpers/postgres.ts';
import {newAbility, noAgent, temporaryFolder, waitUntil} from './kit.ts';

const pooler = '/usr/sbin/pgbouncer';

const skipWithoutPooler = skip || (!existsSync(pooler) && "PgBouncer (Debian's package “pgbouncer”) is not installed");

async function freePort(): Promise<number> {
	const server = net.createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

const isListening = async (port: number): Promise<boolean> =>
	new Promise(resolve => {
		const socket = net
			.connect(port, '127.0.0.1')
			.once('connect', () => {
				socket.destroy();
				resolve(true);
			})
			.once('error', () => resolve(false));
	});

/** Starts a PgBouncer in front of the server, and gives the URL of the same database through it. */
async function startPooler(t: TestContext, server: SharedPostgres, url: string, settings: readonly string[]): Promise<string> {
	const folder = path.join(temporaryFolder(), 'pooler');
	mkdirSync(folder);
	chmodSync(folder, 0o777);
	const port = await freePort();
	const file = path.join(folder, 'pgbouncer.ini');
	const users = path.join(folder, 'users.txt');
	writeFileSync(users, `"switchboard" "${server.password.replaceAll('"', '""')}"\n`, {mode: 0o644});
	writeFileSync(
		file,
		[
			'[databases]',
			`* = host=127.0.0.1 port=${server.port}`,
			'[pgbouncer]',
			'listen_addr = 127.0.0.1',
			`listen_port = ${port}`,
			'unix_socket_dir =',
			'auth_type = plain',
			`auth_file = ${users}`,
			...settings,
		].join('\n'),
		{mode: 0o644},
	);
	// It refuses to run as root, and ends with this process, however that does.
	const words = [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), '-q', file];
	const child = spawn('sh', ['-c', '"$0" "$@" </dev/null & cat; kill -KILL $!', pooler, ...words], {
		cwd: '/',
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	t.after(async () => {
		child.stdin.end();
		await once(child, 'exit');
	});
	await waitUntil(async () => isListening(port), 20_000);
	return url.replace(`:${server.port}/`, `:${port}/`);
}

async function openingOf(url: string): Promise<string> {
	try {
		await (await openStore(url)).close();
		return 'opened';
	} catch (error) {
		const {kind, message, nextStep} = error as {readonly kind?: string; readonly message: string; readonly nextStep?: string};
		return `${kind}: ${message} ${nextStep}`;
	}
}

for (const [mode, ...settings] of [
	['transaction'],
	// The oldest session first, so that a client alone may get another one each time.
	['transaction', 'server_round_robin = 1'],
	['transaction', 'default_pool_size = 2', 'server_round_robin = 1'],
	['statement'],
] as const) {
	test(`PgBouncer in the pool mode ${[mode, ...settings].join(', ')} is refused at the start with what to do`, {
		skip: skipWithoutPooler,
	}, async t => {
		const server = await sharedPostgres();
		const url = await server.createDatabase();
		const through = await startPooler(t, server, url, [`pool_mode = ${mode}`, ...settings]);
		const refusal =
			/^refused: A pooler in front of the database postgres:.* gives each transaction, .* another session, .*\. Set its pool mode to session/;
		for (let turn = 0; turn < 3; turn++) {
			assert.match(await openingOf(through), refusal);
		}

		assert.equal(await openingOf(url), 'opened');
		// It also has sessions of before.
		assert.match(await openingOf(through), refusal);
	});
}

test('with PgBouncer in the pool mode session two processes serve, and tell each other of changes', {skip: skipWithoutPooler}, async t => {
	const server = await sharedPostgres();
	const url = await startPooler(t, server, await server.createDatabase(), ['pool_mode = session', 'default_pool_size = 30']);
	const [here, there] = [await openStore(url), await openStore(url)];
	const accountId = await here.accounts.ensure('home');
	const written: unknown[] = [];
	const told: unknown[] = [];
	here.watch(({version}) => {
		told.push(version);
	});
	const {result: id} = await there.abilities.add(accountId, newAbility(), noAgent);
	await waitUntil(async () => {
		// The first comparison after the start finds nothing.
		const {versions} = await there.installed.change(accountId, id, ({enabled}) => ({enabled: !enabled}));
		written.push(versions.installed);
		return written.some(version => told.includes(version));
	});
	await Promise.all(Array.from({length: 40}, async (_, index) => (index % 2 === 0 ? here : there).installed.list(accountId)));
	await here.close();
	await there.close();
});

test('a pooler that has no second connection is refused', {skip: skipWithoutPooler}, async t => {
	const server = await sharedPostgres();
	const url = await startPooler(t, server, await server.createDatabase(), ['pool_mode = session', 'default_pool_size = 1']);
	assert.match(await openingOf(url), /^unreachable: .* cannot be used: /);
});

test('a prepared statement is named by its text, so that the same name is never another statement', {skip}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	await (await openStore(url)).close();
	const pool = await createPool(url, {connectionCount: 1, milliseconds: 10_000});
	const database = createDatabase(createPostgresDialect(pool, 'the database'));
	await database.selectFrom('accounts').select('id').where('name', '=', 'home').execute();
	await database.selectFrom('agents').select('id').where('id', '=', 1).execute();
	const {rows} = await sql<{readonly name: string; readonly statement: string}>`select name, statement from pg_prepared_statements`.execute(
		database,
	);
	assert.equal(rows.length, 2);
	for (const {name, statement} of rows) {
		assert.equal(name, createHash('sha256').update(statement).digest('base64url'));
	}

	await database.destroy();
});

test('a write that is answered is on disk, whatever the role or the server says of synchronous_commit', {skip}, async () => {
	const server = await startPostgres();
	const url = await server.createDatabase();
	const name = new URL(url).pathname.slice(1);
	await (await openStore(url)).close();
	for (const [value, expected] of [
		['off', 'on'],
		['local', 'local'],
		['remote_apply', 'remote_apply'],
	] as const) {
		await server.administer(`alter role switchboard in database ${name} set synchronous_commit = ${value}`);
		const pool = await createPool(url, {connectionCount: 1, milliseconds: 10_000});
		const show = async () =>
			(await pool.query<{readonly value: string}>("select current_setting('synchronous_commit') as value")).rows[0]?.value;
		assert.equal(await show(), expected);
		await server.administer('alter system set synchronous_commit = off');
		await server.administer('select pg_reload_conf()');
		await waitUntil(async () => (await server.administer('show synchronous_commit'))[0]!['synchronous_commit'] === 'off');
		assert.equal(await show(), expected);
		await server.administer('alter system reset synchronous_commit');
		await server.administer('select pg_reload_conf()');
		await pool.end();
	}
});
