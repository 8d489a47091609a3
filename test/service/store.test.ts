import {
	addTo,
	assert,
	Buffer,
	copyFileSync,
	DatabaseSync,
	mkdir,
	path,
	readFile,
	readFileSync,
	renameSync,
	statSync,
	test,
	writeFile,
} from '../helpers/node.ts';
import {assertMapped} from '../helpers/lists.ts';
import {truncateSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import {startService} from '../../source/service/service.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {shortenLog} from '../../source/service/store/sqlite/disk-use.ts';
import {migrate} from '../../source/service/store/sqlite/schema.ts';
import {largeFiles, newAbility} from '../helpers/new-ability.ts';
import {earlierHomes, execute, fieldsOf, temporaryDataFolder, waitUntil} from './kit.ts';

const databaseIn = (folder: string): string => path.join(folder, 'switchboard.db');

const tablesOf = (database: DatabaseSync): readonly unknown[] =>
	database
		.prepare('select name from sqlite_schema where type = ? and name not like ? order by name')
		.all('table', 'sqlite_%')
		.map(row => row['name']);

test('a file that is not a database is refused and not changed by a byte', async () => {
	const dataFolder = temporaryDataFolder();
	await mkdir(dataFolder, {mode: 0o700});
	const garbage = Buffer.from('These are not the bytes that SQLite is looking for.\n'.repeat(200));
	await writeFile(databaseIn(dataFolder), garbage);

	await assert.rejects(openStore(dataFolder), {name: 'SwitchboardError', message: /is damaged\./, nextStep: /Restore it from a backup/});
	assert.deepEqual(await readFile(databaseIn(dataFolder)), garbage);
});

test('the database of another program is refused and gets no new tables', async () => {
	const dataFolder = temporaryDataFolder();
	await mkdir(dataFolder, {mode: 0o700});
	const foreign = new DatabaseSync(databaseIn(dataFolder));
	foreign.exec('create table recipes (name text)');

	await assert.rejects(openStore(dataFolder), {
		name: 'SwitchboardError',
		message: /is the database of another program/,
		nextStep: 'Choose another folder.',
	});
	assert.deepEqual(tablesOf(foreign), ['recipes']);
	foreign.close();
});

test('a migration that fails leaves the database as it was', async () => {
	const file = databaseIn(await earlierHomes[0]!.createLocation());
	using database = new DatabaseSync(file);
	const schema = () => database.prepare('select name, sql from sqlite_schema order by name').all();
	database.exec('create table staged_releases (id integer)');
	const before = schema();
	assert.throws(() => migrate(database, file), /table staged_releases already exists/);
	assert.deepEqual(schema(), before);
	assert.deepEqual({...database.prepare('pragma user_version').get()}, {user_version: 3});
});

test('a trigger or a view that somebody put into the file is not run, and check names it', async () => {
	for (const [part, name, statement] of [
		['trigger', 'thief', 'create trigger thief after insert on api_keys begin delete from api_keys; end'],
		[
			'view',
			'api_keys',
			'alter table api_keys rename to other_keys; create view api_keys as with recursive r(n) as (select 1 union all select n + 1 from r) select other_keys.* from other_keys, r where n < 0',
		],
	] as const) {
		const dataFolder = temporaryDataFolder();
		await (await openStore(dataFolder)).close();
		await execute(dataFolder, statement);
		const refusal = {
			name: 'SwitchboardError',
			message: `The database ${databaseIn(dataFolder)} holds a ${part} that Switchboard did not make, “${name}”.`,
		};
		await assert.rejects(openStore(dataFolder), refusal);
		await assert.rejects(checkStore(dataFolder), refusal);
	}
});

test('an empty file is no home in order', async () => {
	const dataFolder = temporaryDataFolder();
	await (await openStore(dataFolder)).close();
	truncateSync(databaseIn(dataFolder));
	const {findings} = await checkStore(dataFolder);
	assert.deepEqual(fieldsOf(findings, 'severity', 'kind'), [['problem', 'damage']]);
});

test('a log that grew while it was read is shortened once nobody reads, and not before', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	const file = databaseIn(dataFolder);
	const logBytes = (): number => statSync(`${file}-wal`).size;
	using database = new DatabaseSync(file);
	using reader = new DatabaseSync(file);
	reader.exec('begin; select * from accounts');
	database.exec('create table large (content blob)');
	for (let count = 0; count < 5; count++) {
		database.exec('insert into large values (zeroblob(4000000))');
	}

	const grown = logBytes();
	shortenLog(database, file);
	assert.equal(logBytes(), grown);
	reader.exec('commit');
	shortenLog(database, file);
	assert.equal(logBytes(), 0);
	await store.close();
});

const ability = (name: string) => newAbility({name, files: largeFiles, installedAs: undefined});

const openDatabase = (folder: string): DatabaseSync => new DatabaseSync(path.join(folder, 'switchboard.db'), {timeout: 5000});

const countFiles = (database: DatabaseSync): unknown => database.prepare('select count(*) as count from release_files').get()!['count'];

/** As a process that was killed leaves it. */
const leaveFiles = (database: DatabaseSync, id: number, secondsAgo: number): void =>
	database.exec(`
		pragma foreign_keys = off;
		insert into staged_releases (id, account_id, touched_at) values (${id}, 1, unixepoch() - ${secondsAgo});
		insert into release_files (release_id, path, content) values (${id}, 'main.py', x'00')`);

test('what a killed service has stored of an upload is removed by the next start, or the next large upload, two minutes later', async () => {
	const folder = temporaryDataFolder();
	const store = await openStore(folder);
	await store.accounts.ensure('own');
	using database = openDatabase(folder);
	leaveFiles(database, 9001, 300);
	leaveFiles(database, 9002, 5);
	await (await startService({location: folder})).close();
	assertMapped(database.prepare('select release_id from release_files').all(), row => row['release_id'], [9002]);
	database.exec('update staged_releases set touched_at = touched_at - 300');
	await store.abilities.add(1, ability('large'), () => undefined);
	assert.equal(countFiles(database), largeFiles.length);
	assert.equal(database.prepare('select count(*) as count from staged_releases').get()!['count'], 0);
	await store.close();
});

test('a second service that starts on the data folder while an upload is under way removes nothing of it', async () => {
	const folder = temporaryDataFolder();
	const store = await openStore(folder);
	await store.accounts.ensure('own');
	const second = await startService({location: folder, ephemeralKey: 'sb_own'});
	await second.close();
	using database = openDatabase(folder);
	let isStored = false;
	const stored = store.abilities
		.add(1, ability('large'), () => undefined)
		.then(() => {
			isStored = true;
		});
	while (countFiles(database) === 0) {
		await setImmediate();
	}

	assert.equal(isStored, false);
	await (await startService({location: folder, ephemeralKey: 'sb_own'})).close();
	await stored;
	assert.equal(countFiles(database), largeFiles.length);
	await store.close();
});

test('files that an earlier version left behind are known after the upgrade, and are removed in time', async () => {
	const folder = await earlierHomes[0]!.createLocation();
	using earlier = new DatabaseSync(path.join(folder, 'switchboard.db'), {enableForeignKeyConstraints: false});
	earlier.exec("insert into release_files (release_id, path, content) values (7000, 'main.py', x'00'), (7000, 'b.py', x'00')");
	earlier.close();
	await migrateStore(folder);
	using migrated = new DatabaseSync(path.join(folder, 'switchboard.db'));
	assertMapped(migrated.prepare('select id, account_id from staged_releases').all(), row => ({...row}), [{id: 7000, account_id: null}]);
});

const warningPattern =
	/^The log of the database, \S+switchboard\.db-wal, has grown to \d+ MB: a program that has been reading .+ End that program\. To find it, run: lsof \S+switchboard\.db$/;

test('a log of the database that a reader lets grow past 64 MB is warned of once, until it is short again, and by check', async () => {
	const folder = temporaryDataFolder();
	const file = path.join(folder, 'switchboard.db');
	const reports: string[] = [];
	const service = await startService({location: folder, ephemeralKey: 'sb_own', checkIntervalMilliseconds: 20, report: addTo(reports)});
	const findLogProblems = async () => {
		const {findings} = await checkStore(folder);
		return findings.filter(({kind, message}) => kind === 'space' && message.includes('-wal'));
	};

	using writer = new DatabaseSync(file, {timeout: 5000, enableForeignKeyConstraints: false});
	using reader = new DatabaseSync(file, {readOnly: true, timeout: 5000});
	const write = (id: number, megabytes: number): void =>
		writer.exec(`insert into release_files (release_id, path, content) values (${id}, 'a', zeroblob(${megabytes} * 1024 * 1024))`);

	for (const episode of [1, 2]) {
		reader.exec('begin');
		reader.prepare('select count(*) from accounts').get();
		write(episode * 10, 40);
		assert.deepEqual(await findLogProblems(), []);
		write(episode * 10 + 1, 40);
		await waitUntil(() => reports.length === episode);
		write(episode * 10 + 2, 4);
		const [problem, ...others] = await findLogProblems();
		assert.deepEqual([problem!.severity, others], ['problem', []]);
		assert.match(problem!.message, warningPattern);
		reader.exec('commit');
		await waitUntil(() => statSync(`${file}-wal`).size < 1024 * 1024);
		writer.exec('delete from release_files');
	}

	await service.close();
	assert.equal(reports.length, 2);
	for (const text of reports) {
		assert.match(text, warningPattern);
	}

	const logged = readFileSync(path.join(folder, 'service.log'), 'utf8')
		.trim()
		.split('\n')
		.map(line => (JSON.parse(line) as {warning: string}).warning);
	assert.deepEqual(logged, reports);
});

test('a version of a list that somebody has seen never comes back with other content, even after a backup was put in its place', async () => {
	const dataFolder = temporaryDataFolder();
	const file = databaseIn(dataFolder);
	const seen = new Map<string, unknown>();
	const switchEach = async (...indexes: readonly number[]): Promise<void> => {
		const store = await openStore(dataFolder);
		const account = await store.accounts.ensure('own');
		if (await store.accounts.isEmpty('own')) {
			await store.accounts.fill('own', {abilities: ['a', 'b', 'c', 'd'].map(name => newAbility({name})), agents: []});
		}

		for (const index of indexes) {
			const {records} = await store.installed.list(account);
			await store.installed.change(account, records[index]!.id, ({enabled}) => ({enabled: !enabled}));
			const {version, records: after} = await store.installed.list(account);
			assert.ok(!seen.has(version));
			seen.set(version, after);
		}

		await store.close();
	};

	await switchEach(0);
	copyFileSync(file, `${dataFolder}.backup`);
	await switchEach(1, 2, 1);
	renameSync(`${dataFolder}.backup`, file);
	// As many changes as were lost, but others.
	await switchEach(3, 2, 3);
});
