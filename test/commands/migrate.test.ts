import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	copyFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {DatabaseSync} from 'node:sqlite';
import {text} from 'node:stream/consumers';
import {test} from 'node:test';
import pg from 'pg';
import {migrate as migratePostgres} from '../../source/service/store/postgres/migrate.ts';
import {migrations as postgresMigrations} from '../../source/service/store/postgres/migrations.ts';
import {migrate} from '../../source/service/store/sqlite/migrate.ts';
import {migrations} from '../../source/service/store/sqlite/migrations.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {sharedPostgres, skipWithoutPostgres} from '../helpers/postgres.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';
import {modeOf} from '../helpers/temporary-folder.ts';
import {ended, json} from './outcomes.ts';
import {lastError} from './served-home.ts';

const newest = migrations.length;

const folderOf = ({env}: IsolatedHome): string => path.join(env['XDG_DATA_HOME']!, 'switchboard');

const databaseOf = (home: IsolatedHome): string => path.join(folderOf(home), 'switchboard.db');

const copyOf = (home: IsolatedHome): string => `${databaseOf(home)}.before-1.0.0`;

const runIn = ({env, folder: cwd}: IsolatedHome) => async (...words: readonly string[]) => runCommand(words, {env, cwd});

/** A home with a key and an ability, as the first version left it. */
const createOldHome = (): IsolatedHome => {
	const home = createIsolatedHome();
	mkdirSync(folderOf(home), {mode: 0o700});
	writeFileSync(databaseOf(home), '', {mode: 0o600});
	using database = new DatabaseSync(databaseOf(home));
	database.exec('pragma journal_mode = wal');
	migrate(database, databaseOf(home), migrations.slice(0, 1));
	database.exec(`
		insert into accounts values (1, 'default', '2026-01-02T03:04:05.000Z');
		insert into api_keys values (1, 1, 'old', x'00', '2026-01-02T03:04:05.000Z');
		insert into identifiers values (1), (2), (3);
		insert into agents values (1, 1, 'Hob', 'Be kind.', null, 0);
		insert into abilities values (2, 1, 'lamps', 'skill', 'd', '["light the lamps"]', null, null, '2026-01-02T03:04:05.000Z');
		insert into releases values (3, 2, 1, 1, 'First', '2026-01-02T03:04:05.000Z');
		insert into release_files values (3, 'main.py', zeroblob(1500000))`);
	return home;
};

const versionOf = (file: string): number => {
	using database = new DatabaseSync(file, {readOnly: true});
	return Number(database.prepare('pragma user_version').get()?.['user_version']);
};

const look = (home: IsolatedHome) => readdirSync(folderOf(home)).map(name => [name, readFileSync(path.join(folderOf(home), name)).toString('base64')]);

test('a command on a database of an earlier version says so, exit 2, and changes nothing', async () => {
	const home = createOldHome();
	const run = runIn(home);
	const before = look(home);
	for (const words of [
		['keys', 'list'], ['keys', 'list', '--read-only'], ['keys', 'create'], ['keys', 'create', '--dry-run'], ['keys', 'revoke', 'old', '--yes'],
		['copy', '--from', folderOf(home), '--to', 'new'], ['copy', '--from', folderOf(home), '--to', 'new', '--dry-run'],
		['installed', '--profile', 'local'], ['serve', '--read-only', '--port', '0'],
	]) {
		const {exitCode, stdout, stderr} = await run(...words);
		assert.deepEqual([exitCode, stdout], [2, ''], `${words.join(' ')}: ${stderr}`);
		assert.match(stderr, new RegExp(String.raw`^The database \S+ was written by an earlier Switchboard: it has version 1, this program uses version ${newest}\.\nStop what still uses it, then bring it up to date: switchboard migrate --data \S+\n$`), words.join(' '));
	}

	await run('keys', 'create', '--data', 'present');
	const target = await run('copy', '--from', 'present', '--to', folderOf(home));
	assert.deepEqual([target.exitCode, /earlier Switchboard/.test(target.stderr)], [2, true], target.stderr);
	const check = await run('check');
	assert.deepEqual([check.exitCode, /It has version 1\. “switchboard serve” or “switchboard migrate”/.test(check.stdout)], [0, true], check.stdout);
	assert.equal((await run('backup', 'home.db')).exitCode, 0);
	// What the UI's worker logs is no part of the home.
	assert.deepEqual(look(home).filter(([name]) => !name!.endsWith('.log')), before);
});

test('migrate says what it would do, does it once, and leaves a copy from before', async () => {
	const home = createOldHome();
	const run = runIn(home);
	const before = look(home);
	const would = `Would bring the database in ${folderOf(home)} from version 1 to ${newest}. A copy from before would go to ${copyOf(home)}\n`;
	assert.deepEqual(await run('migrate', '--dry-run'), ended(0, would, 'Nothing was changed: this was a dry run.\n'));
	assert.deepEqual((await run('migrate', '--dry-run', '--json')).stdout, json({from: 1, to: newest, changed: true}));
	const refused = await run('migrate', '--read-only', '--json');
	assert.deepEqual([refused.exitCode, lastError(refused).kind], [2, 'read-only']);
	assert.deepEqual(look(home), before);

	// A killed one has left this.
	writeFileSync(`${copyOf(home)}.part`, 'half a copy');
	assert.deepEqual(await run('migrate', '--json'), ended(0, json({from: 1, to: newest, changed: true})));
	assert.deepEqual(readdirSync(folderOf(home)).filter(name => !/-(?:wal|shm)$/.test(name)), ['switchboard.db', 'switchboard.db.before-1.0.0']);
	assert.deepEqual([versionOf(databaseOf(home)), versionOf(copyOf(home)), modeOf(copyOf(home))], [newest, 1, '600']);
	assert.deepEqual(await run('migrate'), ended(0, `The database in ${folderOf(home)} has version ${newest}: it is up to date.\n`));
	assert.deepEqual(await run('migrate', '--json'), ended(0, json({from: newest, to: newest, changed: false})));
	assert.match((await run('keys', 'list')).stdout, /^1\s+old\s+default/m);
	const missing = await run('migrate', '--data', 'missing', '--json');
	assert.deepEqual([missing.exitCode, lastError(missing).kind], [4, 'not-found']);
});

test('serve brings the database up to date and says so in one line', async () => {
	const home = createOldHome();
	const child = spawn(process.execPath, [programFile, 'serve', '--port', '0'], {env: home.env, stdio: ['ignore', 'pipe', 'pipe']});
	const errors = text(child.stderr);
	await once(child.stdout, 'data');
	child.kill('SIGTERM');
	await once(child, 'exit');
	assert.deepEqual((await errors).split('\n').slice(0, 1), [`Brought the database in ${folderOf(home)} from version 1 to ${newest}. A copy from before is in ${copyOf(home)}`]);
	assert.deepEqual([versionOf(databaseOf(home)), versionOf(copyOf(home))], [newest, 1]);
});

test('a copy from before is kept, and a file of its name that is none is an error', async () => {
	const home = createOldHome();
	const run = runIn(home);
	assert.equal((await run('migrate')).exitCode, 0);
	const {mtimeMs, ino} = statSync(copyOf(home));
	// Back to the version before, as the help has it.
	copyFileSync(copyOf(home), databaseOf(home));
	assert.deepEqual(await run('migrate'), ended(0, `Brought the database in ${folderOf(home)} from version 1 to ${newest}. The copy from before that is already there is kept: ${copyOf(home)}\n`));
	assert.deepEqual([statSync(copyOf(home)).mtimeMs, statSync(copyOf(home)).ino], [mtimeMs, ino]);

	copyFileSync(copyOf(home), databaseOf(home));
	const whole = readFileSync(copyOf(home));
	for (const content of [whole.subarray(0, whole.length / 2), 'not a copy']) {
		writeFileSync(copyOf(home), content);
		for (const words of [['migrate', '--dry-run'], ['migrate'], ['serve', '--port', '0']]) {
			const result = await run(...words, '--json');
			assert.deepEqual([result.exitCode, lastError(result).kind, versionOf(databaseOf(home))], [2, 'conflict', 1], result.stderr);
			assert.match(lastError(result).message, /that file is there, and no whole copy of an earlier version\. Nothing was changed\. Move it away\.$/);
		}
	}
});

test('a database that another process has open is not changed, and what to stop is said', async () => {
	const home = createOldHome();
	// As an idle service of the earlier version.
	using other = new DatabaseSync(databaseOf(home));
	other.prepare('select * from accounts').all();
	for (const words of [['migrate'], ['serve', '--port', '0']]) {
		const result = await runIn(home)(...words, '--json');
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'conflict'], result.stderr);
		assert.match(lastError(result).message, /is open in another process, so it was not brought from version 1 to \d+: .* Stop it first, that is every “switchboard serve” on this folder/);
	}

	assert.deepEqual([versionOf(databaseOf(home)), readdirSync(folderOf(home)).filter(name => name.includes('before'))], [1, []]);
	other.exec('update accounts set name = \'still\'');
});

test('a database without room for the copy stays as it was', async () => {
	const home = createOldHome();
	// No file can have more than half a megabyte, or a whole one where the shell counts so.
	const child = spawn('sh', ['-c', 'ulimit -f 1024; exec "$@"', 'sh', process.execPath, programFile, 'migrate', '--json'], {
		env: {...home.env, NODE_DISABLE_COMPILE_CACHE: '1'}, stdio: ['ignore', 'pipe', 'pipe'],
	});
	const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
	assert.deepEqual([exitCode, stdout], [5, ''], stderr);
	assert.match(stderr, /"kind":"no-room","message":"The disk is full, so \S+switchboard\.db\S* cannot be written/);
	assert.deepEqual([versionOf(databaseOf(home)), readdirSync(folderOf(home)).filter(name => name.includes('before'))], [1, []]);
	assert.equal((await runIn(home)('migrate')).exitCode, 0);
});

test('a PostgreSQL database of an earlier version is changed by migrate alone', {skip: skipWithoutPostgres}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	const client = new pg.Client({connectionString: url});
	await client.connect();
	await migratePostgres(client, 'a database', postgresMigrations.slice(0, 1));
	await client.end();
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand([...words, '--json'], {env: {...home.env, SWITCHBOARD_DATABASE_URL: url}, cwd: home.folder});
	for (const words of [['keys', 'list'], ['keys', 'create'], ['copy', '--from', new URL(url).href.replace(/:[^:@/]+@/, '@'), '--to', 'new']]) {
		const result = await runCommand([...words, '--json'], {env: {...home.env, SWITCHBOARD_DATABASE_URL: url, PGPASSWORD: decodeURIComponent(new URL(url).password)}, cwd: home.folder});
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'refused'], result.stderr);
		assert.match(lastError(result).message, /it has version 1, this program uses version \d+\. .* switchboard migrate --database-url, with its URL\.$/);
	}

	const outcome = {from: 1, to: postgresMigrations.length, changed: true};
	assert.deepEqual(await run('migrate', '--dry-run'), ended(0, json(outcome), 'Nothing was changed: this was a dry run.\n'));
	assert.deepEqual(await run('migrate'), ended(0, json(outcome)));
	assert.deepEqual(await run('migrate'), ended(0, json({...outcome, from: postgresMigrations.length, changed: false})));
	assert.deepEqual(await run('keys', 'list'), ended(0, '[]\n'));
});
