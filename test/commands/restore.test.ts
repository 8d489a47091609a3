import {assert, DatabaseSync, once, path, process, spawn, test} from '../helpers/node.ts';
import {
	copyFileSync,
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {startService} from '../../source/service/service.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {ended, json, lastError, modeOf, programFile, startServe, waitUntil, runIn, bytesIn} from './kit.ts';

async function keyNames(home: IsolatedHome, data: string): Promise<readonly string[]> {
	const {stdout} = await runIn(home)('keys', 'list', '--data', data, '--json');
	return (JSON.parse(stdout) as ReadonlyArray<{name: string}>).map(({name}) => name);
}

/** A home in `data` with the keys `old` and `new`, and a backup of it that has only the first. */
async function createBackedUp() {
	const home = createIsolatedHome();
	const run = runIn(home);
	const data = path.join(home.folder, 'data');
	await run('keys', 'create', '--name', 'old', '--data', 'data');
	assert.equal((await run('backup', 'home.db', '--data', 'data')).exitCode, 0);
	await run('keys', 'create', '--name', 'new', '--data', 'data');
	return {home, run, data, aside: path.join(data, 'switchboard.db.before-restore')};
}

/** Leaves a data folder as a service leaves it that is killed after it has stored the key `latest`. */
async function killService(home: IsolatedHome, data: string): Promise<void> {
	const left = path.join(home.folder, 'left');
	const service = await startService({location: data, isSampleWanted: false});
	await runIn(home)('keys', 'create', '--name', 'latest', '--data', 'data');
	cpSync(data, left, {recursive: true});
	await service.close();
	rmSync(data, {recursive: true});
	renameSync(left, data);
}

test('a backup takes the place of the home, which is set aside under a name that is free', async () => {
	const {home, run, data, aside} = await createBackedUp();
	assert.deepEqual(
		await run('restore', 'home.db', '--data', 'data', '--yes', '--json'),
		ended(0, json({file: 'home.db', set_aside: aside})),
	);
	assert.deepEqual(readdirSync(data).toSorted(), ['switchboard.db', 'switchboard.db.before-restore']);
	assert.deepEqual(
		[data, path.join(data, 'switchboard.db'), aside].map(each => modeOf(each)),
		['700', '600', '600'],
	);
	assert.deepEqual(await keyNames(home, 'data'), ['old']);
	assert.deepEqual(
		await run('restore', aside, '--data', 'data', '--yes'),
		ended(0, '', `Restored ${aside} into ${data}. The data that was there is in ${aside}-2.\n`),
	);
	assert.deepEqual(await keyNames(home, 'data'), ['old', 'new']);
	assert.equal((await run('check', '--data', 'data')).exitCode, 0);
});

test('a backup goes into a new folder without a question', async () => {
	const {home, run} = await createBackedUp();
	assert.deepEqual(await run('restore', 'home.db', '--data', 'fresh', '--json'), ended(0, json({file: 'home.db', set_aside: null})));
	assert.deepEqual([await keyNames(home, 'fresh'), modeOf(path.join(home.folder, 'fresh'))], [['old'], '700']);
});

test('what a killed service had stored in its log is in the home that is set aside', async () => {
	const {home, run, data, aside} = await createBackedUp();
	await killService(home, data);
	assert.ok(statSync(path.join(data, 'switchboard.db-wal')).size > 0);
	assert.equal((await run('restore', 'home.db', '--data', 'data', '--yes')).exitCode, 0);
	assert.deepEqual(
		readdirSync(data).filter(name => name.endsWith('-wal')),
		[],
	);
	assert.equal((await run('restore', aside, '--data', 'other')).exitCode, 0);
	assert.deepEqual(await keyNames(home, 'other'), ['old', 'new', 'latest']);
});

test('a backup beside the log of another, which no command opens, is mended by restore', async () => {
	const {home, run, data} = await createBackedUp();
	await killService(home, data);
	copyFileSync(path.join(home.folder, 'home.db'), path.join(data, 'switchboard.db'));
	assert.equal((await run('check', '--data', 'data')).exitCode, 2);
	const log = readFileSync(path.join(data, 'switchboard.db-wal'));
	assert.equal((await run('restore', 'home.db', '--data', 'data', '--yes')).exitCode, 0);
	assert.deepEqual(readFileSync(path.join(data, 'switchboard.db.before-restore-wal')), log);
	assert.deepEqual(await keyNames(home, 'data'), ['old']);
});

test('while a process has the home open, nothing is restored', async () => {
	const {home, run, data} = await createBackedUp();
	await using service = await startServe(home, ['--port', '0', '--data', data]);
	// It is found before anything is asked.
	for (const words of [['--yes'], []]) {
		const result = await run('restore', 'home.db', '--data', 'data', '--json', ...words);
		assert.deepEqual(
			[result.exitCode, lastError(result)],
			[
				2,
				{
					kind: 'conflict',
					message: `A process has the data in ${data} open. Nothing was restored. Stop the service, then run the command again.`,
				},
			],
		);
	}

	assert.ok(readdirSync(data).every(name => /^switchboard\.db(?:-wal|-shm)?$/.test(name)));
	assert.equal((await fetch(`${service.baseAddress}/readyz`)).status, 200);
	assert.deepEqual(await keyNames(home, 'data'), ['old', 'new']);
});

test('a dry run changes nothing', async () => {
	const {run, data, aside} = await createBackedUp();
	const before = bytesIn(data);
	assert.deepEqual(
		await run('restore', 'home.db', '--data', 'data', '--dry-run', '--json'),
		ended(0, json({file: 'home.db', set_aside: aside}), 'Nothing was changed: this was a dry run.\n'),
	);
	assert.deepEqual(bytesIn(data), before);
});

test('a file that is no sound backup of this version or an earlier one is refused, and nothing is changed', async () => {
	const {home, run, data} = await createBackedUp();
	const fileOf = (name: string): string => path.join(home.folder, name);
	writeFileSync(fileOf('letter.db'), 'a letter to a friend');
	writeFileSync(fileOf('pg.dump'), 'PGDMP and more of it');
	const other = new DatabaseSync(fileOf('other.db'));
	other.exec('create table songs (title)');
	other.close();
	for (const name of ['newer.db', 'short.db', 'damaged.db']) {
		copyFileSync(fileOf('home.db'), fileOf(name));
	}

	const newer = new DatabaseSync(fileOf('newer.db'));
	newer.exec('pragma user_version = 99');
	newer.close();
	truncateSync(fileOf('short.db'), 40_960);
	const bytes = readFileSync(fileOf('damaged.db'));
	bytes.fill(7, 40_960, 49_152);
	writeFileSync(fileOf('damaged.db'), bytes);
	const before = bytesIn(data);
	for (const [file, expected] of [
		['missing.db', /cannot be read/],
		['letter.db', /is not a backup of Switchboard/],
		['pg.dump', /archive of pg_dump.*pg_restore/],
		['newer.db', /written by a newer Switchboard/],
		['short.db', /^“\S+short\.db” is damaged\. Nothing was restored\. Use another backup\.$/],
		['damaged.db', /^“\S+damaged\.db” is damaged\. Nothing was restored\. Use another backup\.$/],
		['other.db', /other\.db is the database of another program\. Nothing was restored\. Name a file that “switchboard backup” wrote\.$/],
		['', /^The name of the backup is empty\. Nothing was restored\. Name a file that “switchboard backup” wrote\.$/],
		['data/switchboard.db', /is the database itself/],
	] as const) {
		const result = await run('restore', file, '--data', 'data', '--yes', '--json');
		assert.deepEqual([result.exitCode, result.stdout], [2, ''], file);
		assert.match(lastError(result).message, expected);
		assert.deepEqual(bytesIn(data), before);
	}
});

test('a backup of an earlier version keeps its version', async () => {
	const {home, run, data} = await createBackedUp();
	const earlier = new DatabaseSync(path.join(home.folder, 'home.db'));
	earlier.exec('pragma user_version = 3');
	earlier.close();
	assert.equal((await run('restore', 'home.db', '--data', 'data', '--yes')).exitCode, 0);
	const restored = new DatabaseSync(path.join(data, 'switchboard.db'), {readOnly: true});
	assert.equal(restored.prepare('pragma user_version').get()!['user_version'], 3);
	restored.close();
});

test('a kill in the middle leaves what the next restore can go on from', async () => {
	const {home, run, data, aside} = await createBackedUp();
	for (let count = 0; count < 5; count++) {
		const child = spawn(process.execPath, [programFile, 'restore', 'home.db', '--data', data, '--yes'], {
			env: home.env,
			cwd: home.folder,
			stdio: 'ignore',
		});
		const exited = once(child, 'exit');
		const before = readdirSync(data).length;
		await waitUntil(() => child.exitCode !== null || readdirSync(data).length !== before);
		child.kill('SIGKILL');
		await exited;
		assert.equal((await run('restore', existsSync(aside) ? aside : 'home.db', '--data', 'data', '--yes')).exitCode, 0);
		assert.ok((await keyNames(home, 'data')).includes('old'));
	}
});

test('after a restore that was cut short, no empty home is made, and the next restore ends it', async () => {
	const {home, run, data, aside: first} = await createBackedUp();
	writeFileSync(first, 'the home before that');
	const aside = `${first}-2`;
	renameSync(path.join(data, 'switchboard.db'), aside);
	writeFileSync(path.join(data, 'switchboard.db.1.tmp'), 'unfinished');
	writeFileSync(path.join(data, 'switchboard.db-wal'), 'the last changes');
	for (const words of [['serve', '--port', '0'], ['keys', 'create'], ['check']]) {
		const result = await run(...words, '--data', 'data', '--json');
		assert.equal(result.exitCode, 2);
		assert.match(
			lastError(result).message,
			/one that a restore set aside: switchboard\.db\.before-restore-2\. .*rename it back to switchboard\.db\./,
		);
		assert.equal(existsSync(path.join(data, 'switchboard.db')), false);
	}

	assert.deepEqual(
		await run('restore', 'home.db', '--data', 'data', '--yes', '--json'),
		ended(0, json({file: 'home.db', set_aside: aside})),
	);
	assert.equal(readFileSync(`${aside}-wal`, 'utf8'), 'the last changes', 'beside its database');
	assert.deepEqual(await keyNames(home, 'data'), ['old']);
});

test('a PostgreSQL database is not restored into, and both ways to fill one are named', async () => {
	const {run} = await createBackedUp();
	const result = await run('restore', 'home.db', '--database-url', 'postgres://home@db.example/home', '--json');
	assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
	assert.match(
		lastError(result).message,
		/switchboard copy --from FOLDER --to postgres:\/\/home@db\.example\/home.*pg_restore --dbname=postgres/s,
	);
});
