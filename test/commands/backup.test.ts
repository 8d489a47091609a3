import {assert, DatabaseSync, nextTurn, path, test} from '../helpers/node.ts';
import {copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {
	createIsolatedHome,
	ended,
	type IsolatedHome,
	json,
	lastError,
	modeOf,
	runCommand,
	startTestService,
	jsonError,
	runIn,
	runWithRoom,
} from './kit.ts';

const databaseOf = (home: IsolatedHome): string => path.join(home.env['XDG_DATA_HOME']!, 'switchboard', 'switchboard.db');

const filesIn = (home: IsolatedHome): readonly string[] =>
	readdirSync(home.folder).filter(name => !['config', 'data', 'cache', 'state'].includes(name));

/** A database that takes a while to copy. */
function fill(home: IsolatedHome, megabytes: number): void {
	const database = new DatabaseSync(databaseOf(home), {timeout: 5000});
	for (let index = 0; index < megabytes; index++) {
		database.exec('insert into identifiers default values');
		database.exec(`
			insert into agents (id, account_id, name, description)
			select (select max(id) from identifiers), (select min(id) from accounts), 'Large', hex(zeroblob(500000))
		`);
	}

	database.close();
}

test('a backup made while the service runs and changes is a home: its keys work, and it has every change answered before', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	const key = (await run('keys', 'create')).stdout.trim();
	await using service = await startTestService({dataFolder: path.dirname(databaseOf(home))});
	const ask = async ({baseAddress}: {readonly baseAddress: string}, ...words: readonly string[]) =>
		runCommand(words, {env: {...home.env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: key}});
	await ask(service, 'disable', 'pantry');
	const result = await run('backup', 'home.db', '--json');
	const bytes = statSync(path.join(home.folder, 'home.db')).size;
	assert.deepEqual(result, ended(0, json({file: 'home.db', bytes})));
	assert.deepEqual([modeOf(path.join(home.folder, 'home.db')), filesIn(home)], ['600', ['home.db']]);
	await ask(service, 'enable', 'pantry');
	const dataFolder = path.join(home.folder, 'restored');
	mkdirSync(dataFolder, {mode: 0o700});
	copyFileSync(path.join(home.folder, 'home.db'), path.join(dataFolder, 'switchboard.db'));
	await using restored = await startTestService({dataFolder, isSampleWanted: false});
	const states = [await ask(restored, 'installed'), await ask(service, 'installed')].map(
		({stdout}) => /\t(?<state>on|off)\tpantry\t/.exec(stdout)?.groups!['state'],
	);
	assert.deepEqual(states, ['off', 'on']);
});

test('writes without a pause do not keep a backup from ending, and it holds the state of one moment', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create');
	fill(home, 5);
	const writer = new DatabaseSync(databaseOf(home), {timeout: 5000});
	// As every process of ours that has a database open. Beside a writer without a log, no reader might ever have a turn.
	writer.exec('pragma journal_mode = wal');
	const insert = writer.prepare("insert into accounts (name, created_at) values (?, '')");
	let count = 0;
	const timer = setInterval(() => {
		count++;
		writer.exec('begin immediate');
		insert.run(`first ${count}`);
		insert.run(`second ${count}`);
		writer.exec('commit');
	}, 1);
	const {exitCode, stderr} = await runIn(home)('backup', 'home.db');
	clearInterval(timer);
	writer.close();
	assert.deepEqual([exitCode, stderr.replace(/: .* MB/, '')], [0, 'Wrote home.db.\n']);
	const copy = new DatabaseSync(path.join(home.folder, 'home.db'));
	const [firsts, seconds] = ['first', 'second'].map(
		name => copy.prepare('select count(*) as count from accounts where name like ?').get(`${name} %`)!['count'],
	);
	copy.close();
	assert.equal(firsts, seconds);
});

test('a file that exists is replaced only with --force, and the database itself never', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create');
	writeFileSync(path.join(home.folder, 'home.db'), 'a letter', {mode: 0o644});
	const refused = await run('backup', 'home.db', '--json');
	assert.deepEqual(
		[refused.exitCode, refused.stdout, lastError(refused)],
		[2, '', {kind: 'conflict', message: '“home.db” exists. Nothing was done. Use another file, or --force to replace it.'}],
	);
	assert.equal(readFileSync(path.join(home.folder, 'home.db'), 'utf8'), 'a letter');
	assert.equal((await run('backup', 'home.db', '--force')).exitCode, 0);
	assert.equal(readFileSync(path.join(home.folder, 'home.db'), 'latin1').slice(0, 15), 'SQLite format 3');
	assert.equal(modeOf(path.join(home.folder, 'home.db')), '600');
	for (const file of [databaseOf(home), `${databaseOf(home)}-wal`]) {
		const itself = await run('backup', file, '--force', '--json');
		assert.deepEqual([itself.exitCode, lastError(itself).kind], [2, 'usage']);
	}

	// As beside a database of another folder that is in use.
	writeFileSync(path.join(home.folder, 'home.db-wal'), '');
	const used = await run('backup', 'home.db', '--force', '--json');
	assert.deepEqual(
		[used.exitCode, lastError(used)],
		[2, {kind: 'conflict', message: '“home.db” is a database that is in use, or was not closed. Nothing was done. Use another file.'}],
	);
	assert.match((await run('keys', 'list')).stdout, /key 1/);
});

test('a link is followed, and what it leads to is told; one to the database itself is refused', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create');
	mkdirSync(path.join(home.folder, 'disk'));
	const target = path.join(realpathSync(home.folder), 'disk', 'home.db');
	writeFileSync(target, 'a letter');
	symlinkSync('disk/home.db', path.join(home.folder, 'home.db'));
	const refused = await run('backup', 'home.db', '--json');
	assert.deepEqual(
		[refused.exitCode, lastError(refused).message],
		[2, `“home.db → ${target}” exists. Nothing was done. Use another file, or --force to replace it.`],
	);
	const {exitCode, stderr} = await run('backup', 'home.db', '--force');
	assert.deepEqual([exitCode, stderr.replace(/: [\d.]+ .?B\.$/m, '')], [0, `Wrote home.db → ${target}\n`]);
	assert.ok(lstatSync(path.join(home.folder, 'home.db')).isSymbolicLink());
	assert.equal(readFileSync(target, 'latin1').slice(0, 15), 'SQLite format 3');
	symlinkSync(path.dirname(databaseOf(home)), path.join(home.folder, 'linked'));
	symlinkSync(databaseOf(home), path.join(home.folder, 'database'));
	for (const file of ['linked/switchboard.db', 'linked/switchboard.db-wal', 'database', databaseOf(home)]) {
		for (const words of [[], ['--data', 'linked']]) {
			const itself = await run('backup', file, '--force', '--json', ...words);
			assert.deepEqual([itself.exitCode, lastError(itself).kind], [2, 'usage'], file);
			assert.match(lastError(itself).message, /is the database itself/);
		}
	}

	assert.match((await run('keys', 'list')).stdout, /key 1/);
});

test('without a database, none is created and nothing is written', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	for (const words of [[], ['--data', 'elsewhere']]) {
		const result = await run('backup', 'home.db', '--json', ...words);
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [4, '', 'not-found']);
	}

	assert.deepEqual([filesIn(home), readdirSync(home.env['XDG_DATA_HOME']!)], [[], []]);
});

test('a place that cannot be written is explained', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create');
	for (const [file, expected] of [
		['missing/home.db', /its folder does not exist/],
		['config', /is a folder/],
		['-', /Name one: switchboard backup/],
	] as const) {
		const result = await run('backup', file, '--json');
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
		assert.match(lastError(result).message, expected);
	}

	assert.deepEqual(filesIn(home), []);
});

test('a backup of a damaged database is not kept', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create');
	fill(home, 2);
	const bytes = readFileSync(databaseOf(home));
	bytes.fill(7, 40_960, 49_152);
	writeFileSync(databaseOf(home), bytes);
	const result = await run('backup', 'home.db', '--json');
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [1, '', 'unexpected']);
	assert.match(lastError(result).message, /damaged.*switchboard check/);
	assert.deepEqual([filesIn(home), readFileSync(databaseOf(home))], [[], bytes]);
});

test('a full disk ends a backup with exit 5, no-room, and leaves nothing', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create');
	fill(home, 4);
	assert.deepEqual(
		await runWithRoom(1024, ['backup', 'home.db', '--json'], {env: home.env, cwd: home.folder}),
		ended(5, '', jsonError('no-room', 'There is no room for “home.db”. It was not changed. Make room on the disk.')),
	);
	assert.deepEqual(filesIn(home), []);
});

test('Ctrl+C ends a backup at once and leaves nothing', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create');
	fill(home, 20);
	const interruption = new AbortController();
	const running = runCommand(['backup', 'home.db'], {env: home.env, cwd: home.folder, abort: interruption.signal});
	// Looks after each part: the copy goes on between two looks.
	while (filesIn(home).length === 0) {
		await nextTurn();
	}

	interruption.abort('SIGINT');
	assert.deepEqual([(await running).exitCode, filesIn(home)], [130, []]);
});

test('for a PostgreSQL database it says how pg_dump does it, without the password', async () => {
	const home = createIsolatedHome();
	for (const [words, variable] of [
		[['--database-url', 'postgres://home@db.example/home?sslmode=require'], undefined],
		[[], 'postgres://home:wh1sper@db.example/home?sslmode=require'],
	] as const) {
		const result = await runCommand(['backup', 'my home.dump', '--json', ...words], {
			env: {...home.env, ...(variable !== undefined && {SWITCHBOARD_DATABASE_URL: variable})},
			cwd: home.folder,
		});
		assert.deepEqual(
			[result.exitCode, result.stdout, lastError(result)],
			[
				2,
				'',
				{
					kind: 'usage',
					message:
						"A PostgreSQL database is backed up with its own tool, pg_dump. Run: pg_dump --format=custom --file='my home.dump' 'postgres://home@db.example/home?sslmode=require'",
				},
			],
		);
	}
});
