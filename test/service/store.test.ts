import {assert, Buffer, DatabaseSync, mkdir, path, readFile, test, writeFile} from '../helpers/node.ts';
import {statSync, truncateSync} from 'node:fs';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {shortenLog} from '../../source/service/store/sqlite/disk-use.ts';
import {migrate} from '../../source/service/store/sqlite/schema.ts';
import {assertOpensTogether} from './open-together.ts';
import {fieldsOf, earlierHomes, temporaryDataFolder} from './kit.ts';

const databaseIn = (folder: string): string => path.join(folder, 'switchboard.db');

const tablesOf = (database: DatabaseSync): readonly unknown[] =>
	database
		.prepare('select name from sqlite_schema where type = ? and name not like ? order by name')
		.all('table', 'sqlite_%')
		.map(row => row['name']);

test('the database of a newer version is refused with what to do', async () => {
	const dataFolder = temporaryDataFolder();
	await (await openStore(dataFolder)).close();
	const newer = new DatabaseSync(databaseIn(dataFolder));
	newer.exec('pragma user_version = 1000');
	newer.close();

	await assert.rejects(openStore(dataFolder), {
		name: 'SwitchboardError',
		kind: 'unexpected',
		message: /written by a newer Switchboard: it has version 1000, this program supports up to \d+\./,
		nextStep: 'Update Switchboard.',
	});
});

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
	assert.throws(() => {
		migrate(database, file);
	}, /table staged_releases already exists/);
	assert.deepEqual(schema(), before);
	assert.deepEqual({...database.prepare('pragma user_version').get()}, {user_version: 3});
});

test('several processes may open a new data folder at the same moment', async () => {
	await assertOpensTogether(temporaryDataFolder());
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
		const database = new DatabaseSync(databaseIn(dataFolder));
		database.exec(statement);
		database.close();
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
