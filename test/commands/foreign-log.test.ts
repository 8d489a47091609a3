import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createIsolatedHome, type IsolatedHome, lastError, runCommand, startServe} from './kit.ts';

const runIn =
	(home: IsolatedHome) =>
	async (...words: readonly string[]) =>
		runCommand(words, {env: home.env, cwd: home.folder});

const bytesIn = (folder: string): Readonly<Record<string, string>> =>
	Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'latin1')]));

/** Starts a service with the sample in the folder `data`, and kills it, so that its log stays. */
const killServe = async (home: IsolatedHome): Promise<string> => {
	const data = path.join(home.folder, 'data');
	const service = await startServe(home, ['--port', '0', '--sample', '--data', data]);
	service.kill();
	await service.exited;
	assert.ok(statSync(path.join(data, 'switchboard.db-wal')).size > 0);
	return data;
};

test('a backup that was put beside the log of a killed service is refused by every command, and no byte is changed', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create', '--data', 'data');
	await run('backup', 'home.db', '--data', 'data');
	const data = await killServe(home);
	copyFileSync(path.join(home.folder, 'home.db'), path.join(data, 'switchboard.db'));
	const before = bytesIn(data);
	for (const words of [['serve', '--port', '0'], ['keys', 'create'], ['keys', 'list'], ['check'], ['backup', 'other.db']]) {
		const result = await run(...words, '--data', 'data', '--json');
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage'], words.join(' '));
		assert.match(lastError(result).message, /switchboard\.db-wal is the log of another database.*switchboard restore FILE/);
		assert.deepEqual(bytesIn(data), before);
	}
});

test('a home that copy made is refused beside the log of another, too', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create', '--data', 'first');
	assert.equal((await run('copy', '--from', 'first', '--to', 'second')).exitCode, 0);
	const data = await killServe(home);
	copyFileSync(path.join(home.folder, 'second', 'switchboard.db'), path.join(data, 'switchboard.db'));
	assert.equal(lastError(await run('check', '--data', 'data', '--json')).kind, 'usage');
});

test('a home with its own log starts after a kill, at its first start and later, and as a copy of the whole folder', async () => {
	const home = createIsolatedHome();
	const data = await killServe(home);
	const again = await startServe(home, ['--port', '0', '--data', data]);
	again.kill();
	await again.exited;
	const copy = path.join(home.folder, 'copy');
	cpSync(data, copy, {recursive: true, preserveTimestamps: true});
	for (const folder of [copy, data]) {
		await using service = await startServe(home, ['--port', '0', '--data', folder]);
		assert.ok(service.baseAddress);
	}
});

test('the database of a home that was stopped, or used by a command alone, is refused beside the log of another', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	await run('keys', 'create', '--data', 'used');
	const stopped = await startServe(home, ['--port', '0', '--sample', '--data', path.join(home.folder, 'stopped')]);
	await stopped[Symbol.asyncDispose]();
	const data = await killServe(home);
	for (const from of ['used', 'stopped']) {
		copyFileSync(path.join(home.folder, from, 'switchboard.db'), path.join(data, 'switchboard.db'));
		const before = bytesIn(data);
		for (const words of [['keys', 'list'], ['check'], ['serve', '--port', '0']]) {
			assert.equal(lastError(await run(...words, '--data', 'data', '--json')).kind, 'usage', `${from}: ${words.join(' ')}`);
		}

		assert.deepEqual(bytesIn(data), before);
	}
});

test('a log whose database was moved away is not replayed into an empty one', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	const data = await killServe(home);
	writeFileSync(path.join(data, 'switchboard.db'), '');
	const before = bytesIn(data);
	const result = await run('keys', 'create', '--data', 'data', '--json');
	assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
	assert.deepEqual(bytesIn(data), before);
});

/** Elsewhere nobody knows which files another process has open. */
const knowsHolders = existsSync('/proc/locks');

for (const name of ['switchboard.db-shm', 'switchboard.db-wal']) {
	test(`a service whose ${name} was deleted keeps commands out, writes nothing when it ends, and loses nothing`, async () => {
		const home = createIsolatedHome();
		const run = runIn(home);
		const data = path.join(home.folder, 'data');
		const service = await startServe(home, ['--port', '0', '--sample', '--data', data]);
		rmSync(path.join(data, name));
		for (const words of knowsHolders ? [['keys', 'create'], ['check'], ['backup', 'other.db'], ['restore', 'other.db', '--yes']] : []) {
			const result = await run(...words, '--data', 'data', '--json');
			assert.deepEqual([result.exitCode, lastError(result).kind], [2, words[0] === 'restore' ? 'usage' : 'conflict'], words.join(' '));
		}

		if (name === 'switchboard.db-shm') {
			// As a program that does not look, or cannot.
			using other = new DatabaseSync(path.join(data, 'switchboard.db'), {timeout: 5000});
			other.exec("update abilities set description = upper(description) where name = 'pantry'");
		}

		await service[Symbol.asyncDispose]();
		assert.equal(await service.exited, 1);
		assert.match((await run('check', '--data', 'data')).stdout, /is in order\.\n.*14 abilities/);
		using database = new DatabaseSync(path.join(data, 'switchboard.db'));
		assert.equal(
			database.prepare('select count(*) as count from abilities where description = upper(description)').get()!['count'],
			name === 'switchboard.db-shm' ? 1 : 0,
		);
	});
}

test('a service that another one outlives leaves the log to it', async () => {
	const home = createIsolatedHome();
	const run = runIn(home);
	const words = ['--port', '0', '--sample', '--data', path.join(home.folder, 'data')];
	const first = await startServe(home, words);
	await using second = await startServe(home, words);
	await first[Symbol.asyncDispose]();
	assert.equal((await run('keys', 'create', '--name', 'later', '--data', 'data')).exitCode, 0);
	assert.equal((await fetch(`${second.baseAddress}/readyz`)).status, 200);
	second.kill();
	await second.exited;
	assert.match((await run('keys', 'list', '--data', 'data')).stdout, /later/);
	assert.equal((await run('check', '--data', 'data')).exitCode, 0);
});
