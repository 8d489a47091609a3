import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {setImmediate} from 'node:timers/promises';
import {startService} from '../../source/service/service.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {largeFiles, newAbility} from '../helpers/new-ability.ts';
import {earlierHomes, temporaryDataFolder} from './kit.ts';

const ability = (name: string) => newAbility({name, files: largeFiles, installedAs: undefined});

const openDatabase = (folder: string): DatabaseSync => new DatabaseSync(path.join(folder, 'switchboard.db'), {timeout: 5000});

const countFiles = (database: DatabaseSync): unknown => database.prepare('select count(*) as count from release_files').get()!['count'];

/** As a process that was killed leaves it. */
const leaveFiles = (database: DatabaseSync, id: number, secondsAgo: number): void => {
	database.exec(`
		pragma foreign_keys = off;
		insert into staged_releases (id, account_id, touched_at) values (${id}, 1, unixepoch() - ${secondsAgo});
		insert into release_files (release_id, path, content) values (${id}, 'main.py', x'00')`);
};

test('what a killed service has stored of an upload is removed by the next start, or the next large upload, two minutes later', async () => {
	const folder = temporaryDataFolder();
	const store = await openStore(folder);
	await store.accounts.ensure('own');
	using database = openDatabase(folder);
	leaveFiles(database, 9001, 300);
	leaveFiles(database, 9002, 5);
	await (await startService({location: folder})).close();
	assert.deepEqual(
		database
			.prepare('select release_id from release_files')
			.all()
			.map(row => row['release_id']),
		[9002],
	);
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
	assert.deepEqual(
		migrated
			.prepare('select id, account_id from staged_releases')
			.all()
			.map(row => ({...row})),
		[{id: 7000, account_id: null}],
	);
});
