import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {versions} from '../../source/service/store/sqlite/schema.ts';
import {earlierHomes} from '../helpers/earlier-homes.ts';
import {sharedPostgres, skipWithoutPostgres} from '../helpers/postgres.ts';
import {
	createIsolatedHome,
	ended,
	type IsolatedHome,
	json,
	lastError,
	modeOf,
	runCommand,
	serveInProcess,
	runIn,
	runWithRoom,
} from './kit.ts';

const newest = versions.present;

const folderOf = ({env}: IsolatedHome): string => path.join(env['XDG_DATA_HOME']!, 'switchboard');

const databaseOf = (home: IsolatedHome): string => path.join(folderOf(home), 'switchboard.db');

const copyOf = (home: IsolatedHome): string => `${databaseOf(home)}.before-1.1.0`;

/** A home as the version before this one left it, with a large file. */
async function createOldHome(): Promise<IsolatedHome> {
	const home = createIsolatedHome();
	renameSync(await earlierHomes[0]!.createLocation(), folderOf(home));
	using database = new DatabaseSync(databaseOf(home));
	database.exec("pragma journal_mode = wal; insert into release_files select max(id), 'sound.raw', zeroblob(1500000) from releases");
	return home;
}

/** The same of a version that is too old. */
async function createTooOldHome(): Promise<IsolatedHome> {
	const home = await createOldHome();
	using database = new DatabaseSync(databaseOf(home));
	database.exec('pragma user_version = 2');
	return home;
}

function versionOf(file: string): number {
	using database = new DatabaseSync(file, {readOnly: true});
	return Number(database.prepare('pragma user_version').get()?.['user_version']);
}

const look = (home: IsolatedHome) =>
	readdirSync(folderOf(home)).map(name => [name, readFileSync(path.join(folderOf(home), name)).toString('base64')]);

test('a command on a database of an earlier version says so, exit 2, and changes nothing', async () => {
	const home = await createOldHome();
	const run = runIn(home);
	const before = look(home);
	for (const words of [
		['keys', 'list'],
		['keys', 'list', '--read-only'],
		['keys', 'create'],
		['keys', 'create', '--dry-run'],
		['keys', 'revoke', 'fixture', '--yes'],
		['copy', '--from', folderOf(home), '--to', 'new'],
		['copy', '--from', folderOf(home), '--to', 'new', '--dry-run'],
		['installed', '--profile', 'local'],
		['serve', '--read-only', '--port', '0'],
	]) {
		const {exitCode, stdout, stderr} = await run(...words);
		assert.deepEqual([exitCode, stdout], [2, ''], `${words.join(' ')}: ${stderr}`);
		assert.match(
			stderr,
			new RegExp(
				String.raw`^The database \S+ was written by an earlier Switchboard: it has version 3, this program uses version ${newest}\.\nStop what still uses it, then bring it up to date: switchboard migrate --data \S+\n$`,
			),
			words.join(' '),
		);
	}

	await run('keys', 'create', '--data', 'present');
	const target = await run('copy', '--from', 'present', '--to', folderOf(home));
	assert.deepEqual([target.exitCode, target.stderr.includes('earlier Switchboard')], [2, true], target.stderr);
	const check = await run('check');
	assert.deepEqual(
		[check.exitCode, check.stdout.includes('It has version 3. “switchboard serve” or “switchboard migrate”')],
		[0, true],
		check.stdout,
	);
	assert.equal((await run('backup', 'home.db')).exitCode, 0);
	// What the UI's worker logs is no part of the home.
	assert.deepEqual(
		look(home).filter(([name]) => !name!.endsWith('.log')),
		before,
	);
});

test('migrate says what it would do, does it once, and leaves a copy from before', async () => {
	const home = await createOldHome();
	const run = runIn(home);
	const before = look(home);
	const would = `Would bring the database in ${folderOf(home)} from version 3 to ${newest}. A copy from before would go to ${copyOf(home)}\n`;
	assert.deepEqual(await run('migrate', '--dry-run'), ended(0, would, 'Nothing was changed: this was a dry run.\n'));
	assert.deepEqual((await run('migrate', '--dry-run', '--json')).stdout, json({from: 3, to: newest, changed: true}));
	const refused = await run('migrate', '--read-only', '--json');
	assert.deepEqual([refused.exitCode, lastError(refused).kind], [2, 'read-only']);
	assert.deepEqual(look(home), before);

	// A killed one has left this.
	writeFileSync(`${copyOf(home)}.part`, 'half a copy');
	assert.deepEqual(await run('migrate', '--json'), ended(0, json({from: 3, to: newest, changed: true})));
	assert.deepEqual(
		readdirSync(folderOf(home)).filter(name => !/-(?:wal|shm)$/.test(name)),
		['switchboard.db', 'switchboard.db.before-1.1.0'],
	);
	assert.deepEqual([versionOf(databaseOf(home)), versionOf(copyOf(home)), modeOf(copyOf(home))], [newest, 3, '600']);
	assert.deepEqual(await run('migrate'), ended(0, `The database in ${folderOf(home)} has version ${newest}: it is up to date.\n`));
	assert.deepEqual(await run('migrate', '--json'), ended(0, json({from: newest, to: newest, changed: false})));
	assert.match((await run('keys', 'list')).stdout, /^1\s+fixture\s+default/m);
	const missing = await run('migrate', '--data', 'missing', '--json');
	assert.deepEqual([missing.exitCode, lastError(missing).kind], [4, 'not-found']);
});

test('serve brings the database up to date and says so in one line', async () => {
	const home = await createOldHome();
	const serving = await serveInProcess(home);
	await serving.stop();
	assert.deepEqual(serving.errors().slice(0, 1), [
		`Brought the database in ${folderOf(home)} from version 3 to ${newest}. A copy from before is in ${copyOf(home)}`,
	]);
	assert.deepEqual([versionOf(databaseOf(home)), versionOf(copyOf(home))], [newest, 3]);
});

test('a copy from before is kept, and a file of its name that is none is an error', async () => {
	const home = await createOldHome();
	const run = runIn(home);
	assert.equal((await run('migrate')).exitCode, 0);
	const {mtimeMs, ino} = statSync(copyOf(home));
	// Back to the version before, as the help has it.
	copyFileSync(copyOf(home), databaseOf(home));
	assert.deepEqual(
		await run('migrate'),
		ended(
			0,
			`Brought the database in ${folderOf(home)} from version 3 to ${newest}. The copy from before that is already there is kept: ${copyOf(home)}\n`,
		),
	);
	assert.deepEqual([statSync(copyOf(home)).mtimeMs, statSync(copyOf(home)).ino], [mtimeMs, ino]);

	copyFileSync(copyOf(home), databaseOf(home));
	const whole = readFileSync(copyOf(home));
	for (const content of [whole.subarray(0, whole.length / 2), 'not a copy']) {
		writeFileSync(copyOf(home), content);
		for (const words of [['migrate', '--dry-run'], ['migrate'], ['serve', '--port', '0']]) {
			const result = await run(...words, '--json');
			assert.deepEqual([result.exitCode, lastError(result).kind, versionOf(databaseOf(home))], [2, 'conflict', 3], result.stderr);
			assert.match(
				lastError(result).message,
				/that file is there, and no whole copy of an earlier version\. Nothing was changed\. Move it away\.$/,
			);
		}
	}
});

test('a database that another process has open is not changed, and what to stop is said', async () => {
	const home = await createOldHome();
	// As an idle service of the earlier version.
	using other = new DatabaseSync(databaseOf(home));
	other.prepare('select * from accounts').all();
	for (const words of [['migrate'], ['serve', '--port', '0']]) {
		const result = await runIn(home)(...words, '--json');
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'conflict'], result.stderr);
		assert.match(
			lastError(result).message,
			/is open in another process, so it was not brought from version 3 to \d+: .* Stop it first, that is every “switchboard serve” on this folder/,
		);
	}

	assert.deepEqual([versionOf(databaseOf(home)), readdirSync(folderOf(home)).filter(name => name.includes('before'))], [3, []]);
	other.exec("update agents set description = 'still'");
});

test('a database without room for the copy stays as it was', async () => {
	const home = await createOldHome();
	const {stdout, stderr, exitCode} = await runWithRoom(1024, ['migrate', '--json'], {env: home.env});
	assert.deepEqual([exitCode, stdout], [5, ''], stderr);
	assert.match(stderr, /"kind":"no-room","message":"The disk is full, so \S+switchboard\.db\S* cannot be written/);
	assert.deepEqual([versionOf(databaseOf(home)), readdirSync(folderOf(home)).filter(name => name.includes('before'))], [3, []]);
	assert.equal((await runIn(home)('migrate')).exitCode, 0);
});

const tooOld = (version: number, present: number): RegExp =>
	new RegExp(
		`was written by an earlier Switchboard: it has version ${version}, this program uses version ${present}. Bring` +
			' it forward first with the program of the commit 826f082f1d4f, which reads all earlier versions: switchboard migrate$',
	);

test('a database or a backup of a version that is too old is refused, exit 2, with the commit whose program brings it forward, and is untouched', async () => {
	const home = await createTooOldHome();
	const run = runIn(home);
	const before = look(home);
	for (const words of [
		['migrate'],
		['migrate', '--dry-run'],
		['serve', '--port', '0'],
		['keys', 'list'],
		['copy', '--from', folderOf(home), '--to', 'new'],
	]) {
		const result = await run(...words, '--json');
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'refused'], result.stderr);
		assert.match(lastError(result).message, tooOld(2, newest));
	}

	const check = await run('check');
	assert.deepEqual(
		[
			check.exitCode,
			check.stdout.includes(
				`It was written by an earlier Switchboard: it has version 2, this program uses version ${newest}. Its records were not checked. Bring it forward first with the program of the commit 826f082f1d4f`,
			),
		],
		[0, true],
		check.stdout,
	);
	assert.equal((await run('backup', 'home.db')).exitCode, 0);
	assert.deepEqual(
		look(home).filter(([name]) => !name!.endsWith('.log')),
		before,
	);

	const restored = await run('restore', 'home.db', '--data', 'restored', '--yes', '--json');
	assert.deepEqual(
		[restored.exitCode, lastError(restored).kind, existsSync(path.join(home.folder, 'restored', 'switchboard.db'))],
		[2, 'refused', false],
	);
	assert.match(
		lastError(restored).message,
		/it has version 2, .*\. Nothing was restored\. Bring it forward first with the program of the commit 826f082f1d4f/,
	);
});

test('a PostgreSQL database of a version that is too old is refused and untouched', {skip: skipWithoutPostgres}, async () => {
	const url = await earlierHomes[1]!.createLocation();
	const {administer} = await sharedPostgres();
	await administer('update switchboard.migrations set number = number - 1', url);
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) =>
		runCommand([...words, '--json'], {env: {...home.env, SWITCHBOARD_DATABASE_URL: url}, cwd: home.folder});
	for (const words of [['migrate'], ['keys', 'list'], ['serve', '--port', '0']]) {
		const result = await run(...words);
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'refused'], result.stderr);
		assert.match(lastError(result).message, tooOld(1, 5));
	}

	assert.deepEqual(await administer('select max(number) as number from switchboard.migrations', url), [{number: 1}]);
});

test('a PostgreSQL database is brought to the present version, and then has nothing to migrate', {skip: skipWithoutPostgres}, async () => {
	const home = createIsolatedHome();
	const url = await earlierHomes[1]!.createLocation();
	for (const from of [2, 5]) {
		const result = await runCommand(['migrate', '--json'], {env: {...home.env, SWITCHBOARD_DATABASE_URL: url}, cwd: home.folder});
		assert.deepEqual(result, ended(0, json({from, to: 5, changed: from === 2})));
	}
});
