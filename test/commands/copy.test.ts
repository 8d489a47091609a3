import {assert, DatabaseSync, nextTurn, path, test} from '../helpers/node.ts';
import {existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {startService} from '../../source/service/service.ts';
import {sharedPostgres, skipWithoutPostgres as skip} from '../helpers/postgres.ts';
import {
	createIsolatedHome,
	ended,
	type IsolatedHome,
	lastError,
	parseJson,
	runCommand,
	runOnTerminal,
	startServe,
	startTestService,
	runIn,
} from './kit.ts';

/** A new home whose folder `data` holds the sample data, and a key for it. */
async function createFilledHome() {
	const home = createIsolatedHome();
	await using service = await startTestService({dataFolder: path.join(home.folder, 'data')});
	return {home, key: service.key};
}

/** Lets a home reach a new database: its URL without the password, and the variable that names the file with it. */
async function createDatabase(home: IsolatedHome) {
	const server = await sharedPostgres();
	const full = await server.createDatabase();
	const url = new URL(full);
	const password = decodeURIComponent(url.password);
	url.password = '';
	const file = path.join(home.folder, 'pgpass');
	writeFileSync(file, `${url.hostname}:${url.port}:*:${url.username}:${password.replaceAll(/[:\\]/g, String.raw`\$&`)}\n`, {mode: 0o600});
	return {server, full, url: url.href, password, variables: {PGPASSFILE: file}};
}

/** What `installed` shows, changed by a toggle, of a service on that data. */
async function useHome({env}: IsolatedHome, key: string, location: string, isSampleWanted = false) {
	const service = await startService({location, isSampleWanted});
	const run = async (...words: readonly string[]) =>
		runCommand(words, {env: {...env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: key}});
	const toggled = await run('toggle', 'nightwatch');
	assert.equal(toggled.exitCode, 0, toggled.stderr);
	const {stdout} = await run('installed', '--json');
	await service.close();
	return stdout.replaceAll(/"last_updated": ".*"/g, '');
}

const counts = [
	'accounts\t1',
	'api_keys\t1',
	'identifiers\t43',
	'agents\t3',
	'abilities\t14',
	'releases\t14',
	'release_files\t58',
	'installed\t12',
	'timers\t0',
	'agent_abilities\t9',
	'history\t0',
	'',
]
	.join('\n')
	.replaceAll(/\d+/g, 'N');

test('on a terminal the tables and their numbers of rows stand in columns', async () => {
	const {home} = await createFilledHome();
	const [exitCode, ...lines] = await runOnTerminal(
		['copy', '--from', path.join(home.folder, 'data'), '--to', path.join(home.folder, 'other')],
		home,
	);
	assert.equal(exitCode, 0);
	assert.deepEqual(
		lines.slice(0, 3).map(line => line.trimEnd()),
		['TABLE            ROWS', 'accounts         1', 'api_keys         1'],
	);
});

test('a home goes to PostgreSQL and back, and its keys work at each place', {skip}, async () => {
	const {home, key} = await createFilledHome();
	const {full, url, password, variables} = await createDatabase(home);
	const run = runIn({...home, env: {...home.env, ...variables}});
	const there = await run('copy', '--from', 'data', '--to', url);
	assert.deepEqual(
		{...there, stdout: there.stdout.replaceAll(/\d+/g, 'N')},
		ended(
			0,
			counts,
			`Copied to ${url}, and compared. Changes that a service made to ${path.join(home.folder, 'data')} meanwhile are not in the copy.\n`,
		),
	);
	assert.match(there.stdout, /\nabilities\t14\n/);
	const back = await run('copy', '--from', url, '--to', 'again', '--json');
	assert.deepEqual([back.exitCode, (parseJson(back.stdout) as {counts: Record<string, number>}).counts['abilities']], [0, 14]);
	const shown = [
		await useHome(home, key, path.join(home.folder, 'data')),
		await useHome(home, key, full),
		await useHome(home, key, path.join(home.folder, 'again')),
	];
	assert.match(shown[0]!, /"name": "nightwatch"/);
	assert.deepEqual(shown, [shown[0], shown[0], shown[0]]);
	for (const result of [there, back]) {
		assert.ok(!(result.stdout + result.stderr).includes(password));
	}
});

test('serve, keys and check work on the database of SWITCHBOARD_DATABASE_URL, make no folder and show no password', {skip}, async () => {
	const home = createIsolatedHome();
	const {full, url, password, server} = await createDatabase(home);
	const run = runIn({...home, env: {...home.env, SWITCHBOARD_DATABASE_URL: full}});
	const empty = await run('check', '--json');
	assert.deepEqual(
		[empty.exitCode, lastError(empty)],
		[4, {kind: 'not-found', message: `The database ${url} holds nothing of Switchboard. Check its name.`}],
	);
	assert.equal((await run('keys', 'create', '--dry-run')).exitCode, 0);
	assert.deepEqual(await server.administer("select 1 from pg_namespace where nspname = 'switchboard'", full), []);
	const key = (await run('keys', 'create', '--name', 'ci')).stdout.trim();
	{
		await using service = await startServe({...home, env: {...home.env, SWITCHBOARD_DATABASE_URL: full}}, ['--port', '0', '--sample']);
		const {stdout} = await runCommand(['installed'], {
			env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: key},
		});
		assert.match(stdout, /\tnightwatch\t/);
	}

	assert.match((await run('keys', 'list')).stdout, /^1\tci\tdefault\t/);
	assert.deepEqual(await run('check', '--json'), ended(0, '{\n  "ok": true,\n  "findings": []\n}\n'));
	const checked = await run('check');
	const lines = checked.stdout.replaceAll(/[\d.]+/g, 'N').split('\n');
	assert.deepEqual([lines[0], lines.length], [`The database in ${url.replaceAll(/[\d.]+/g, 'N')} is in orderN`, 5]);
	await server.administer(
		`
		update switchboard.accounts set bytes = 1;
		alter table switchboard.accounts add constraint later check (bytes >= 0) not valid;
		update pg_index set indisvalid = false where indexrelid = (select min(indexrelid::int)::oid from pg_index where indrelid = 'switchboard.agents'::regclass)`,
		full,
	);
	const wrong = await run('check', '--json');
	assert.deepEqual(
		[wrong.exitCode, (parseJson(wrong.stdout) as {findings: ReadonlyArray<{kind: string}>}).findings.map(({kind}) => kind)],
		[1, ['references', 'damage', 'sizes']],
	);
	await server.administer('insert into switchboard.migrations (number) values (99)', full);
	const newer = await run('check', '--json');
	assert.deepEqual(
		[newer.exitCode, (parseJson(newer.stdout) as {findings: ReadonlyArray<{kind: string}>}).findings.map(({kind}) => kind)],
		[1, ['references', 'damage', 'migration']],
	);
	for (const {stdout, stderr} of [empty, checked, wrong, newer]) {
		assert.ok(!(stdout + stderr).includes(password));
		assert.ok(!(stdout + stderr).includes(encodeURIComponent(password)));
	}

	assert.equal(existsSync(path.join(home.env['XDG_DATA_HOME']!, 'switchboard')), false);
});

test('a database that cannot be reached ends serve, keys, check and copy with exit 5, without its password', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create', '--data', 'data');
	const run = runIn({...home, env: {...home.env, SWITCHBOARD_DATABASE_URL: 'postgres://home:wh1sper@127.0.0.1:1/home'}});
	const results = await Promise.all([
		run('serve', '--port', '0', '--json'),
		run('keys', 'list', '--json'),
		run('check', '--json'),
		run('copy', '--from', 'data', '--to', 'postgres://home@127.0.0.1:1/home', '--json'),
	]);
	for (const result of results) {
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [5, '', 'unreachable']);
		assert.doesNotMatch(result.stderr, /wh1sper/);
	}
});

test('a dry run counts, and creates no target', async () => {
	const {home} = await createFilledHome();
	const run = runIn(home);
	const dry = await run('copy', '--from', 'data', '--to', 'elsewhere', '--dry-run');
	assert.deepEqual({...dry, stdout: dry.stdout.replaceAll(/\d+/g, 'N')}, ended(0, counts, 'Nothing was changed: this was a dry run.\n'));
	assert.equal(existsSync(path.join(home.folder, 'elsewhere')), false);
	const refused = await run('copy', '--from', 'data', '--to', 'data', '--dry-run', '--json');
	assert.deepEqual(
		[refused.exitCode, lastError(refused)],
		[2, {kind: 'conflict', message: 'The target is not empty. Nothing was copied. Name a new folder, or a new database.'}],
	);
	assert.deepEqual(
		[
			(await run('copy', '--from', 'data', '--to', 'elsewhere', '--read-only', '--json')).exitCode,
			existsSync(path.join(home.folder, 'elsewhere')),
		],
		[2, false],
	);
});

/** Makes a data folder whose database says this of itself. */
async function createOdd(home: IsolatedHome, folder: string, pragma: string): Promise<void> {
	await runIn(home)('keys', 'create', '--data', folder);
	using database = new DatabaseSync(path.join(home.folder, folder, 'switchboard.db'));
	database.exec(`pragma ${pragma}`);
}

test('what cannot be copied, or filled, is explained, and no target is created', async () => {
	const home = createIsolatedHome();
	await createOdd(home, 'data', 'foreign_keys');
	await createOdd(home, 'old', 'user_version = 3');
	await createOdd(home, 'other', 'application_id = 7');
	mkdirSync(path.join(home.folder, 'full'));
	writeFileSync(path.join(home.folder, 'full', 'letter'), '');
	for (const [from, to, exitCode, expected] of [
		['missing', 'new', 4, /^There is no database in .*missing\. Name the data folder of the service\.$/],
		['old', 'new', 2, /was written by an earlier Switchboard: it has version 3, .* bring it up to date: switchboard migrate --data .*old$/],
		['', 'new', 2, /^The value for --from is empty\. /],
		['old', 'postgres://home:wh1sper@db/home', 2, /^The value of --to holds a password, .* the file that PGPASSFILE names/],
		['postgres://home@db/home?password=wh1sper', 'new', 2, /^The value of --from holds a password, /],
		['mysql://home:wh1sper@db/home', 'new', 2, /^The value of --from is not the URL of a PostgreSQL database\. /],
		['other', 'new', 1, /another program\. Choose another folder\.$/],
		['data', 'other', 1, /another program\. Choose another folder\.$/],
		['data', 'full', 2, /holds other files, .* Choose another folder\.$/],
		['full/letter', 'new', 2, /is not a folder\. Choose another folder\.$/],
		['data', 'full/letter/below', 2, /cannot be used: .* Choose another folder\.$/],
	] as const) {
		const result = await runIn(home)('copy', '--from', from, '--to', to, '--json');
		assert.deepEqual([result.exitCode, result.stdout], [exitCode, ''], result.stderr);
		assert.match(lastError(result).message, expected);
		assert.doesNotMatch(result.stderr, /wh1sper/);
		assert.equal(existsSync(path.join(home.folder, 'new')), false);
	}
});

test('a folder inside the source is refused as the target, through a link as well', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create', '--data', 'data');
	symlinkSync('data', path.join(home.folder, 'linked'));
	const before = readdirSync(path.join(home.folder, 'data'));
	for (const [from, to] of [
		['data', 'data/copy'],
		['linked', 'data/a/copy'],
		['data', 'linked/copy'],
	] as const) {
		for (const words of [[], ['--dry-run']]) {
			const result = await run('copy', '--from', from, '--to', to, '--json', ...words);
			assert.deepEqual(
				[result.exitCode, result.stdout, lastError(result)],
				[
					2,
					'',
					{
						kind: 'usage',
						message: `${path.join(home.folder, to)} lies in the data folder that is to be copied. Nothing was copied. Choose a folder outside of it with --to.`,
					},
				],
			);
		}
	}

	assert.deepEqual(readdirSync(path.join(home.folder, 'data')), before);
	// Its name only begins in the same way.
	assert.equal((await run('copy', '--from', 'data', '--to', 'data-copy')).exitCode, 0);
});

test('Ctrl+C ends a copy at once and leaves the target empty', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create', '--data', 'data');
	{
		using database = new DatabaseSync(path.join(home.folder, 'data', 'switchboard.db'));
		for (let index = 0; index < 20; index++) {
			database.exec('insert into identifiers default values');
			database.exec(`
				insert into agents (id, account_id, name, description)
				select (select max(id) from identifiers), (select min(id) from accounts), 'Large', hex(zeroblob(500000))`);
		}
	}

	const interruption = new AbortController();
	const running = runCommand(['copy', '--from', 'data', '--to', 'new'], {env: home.env, cwd: home.folder, abort: interruption.signal});
	// Looks after each part: the copy goes on between two looks.
	while (!existsSync(path.join(home.folder, 'new', 'switchboard.db-wal'))) {
		await nextTurn();
	}

	interruption.abort('SIGINT');
	assert.equal((await running).exitCode, 130);
	assert.equal((await runIn(home)('keys', 'list', '--data', 'new')).stdout, '');
	assert.equal((await runIn(home)('copy', '--from', 'data', '--to', 'new')).exitCode, 0);
});
