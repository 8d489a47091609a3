import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {copyFileSync, cpSync, existsSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createIsolatedHome, type IsolatedHome, lastError, startServe, startTestService, temporaryFolder, runIn, bytesIn} from './kit.ts';

function copyFolder(from: string, to: string): string {
	cpSync(from, to, {recursive: true, preserveTimestamps: true});
	return to;
}

/** What a service leaves that is killed: its files as they are while it runs. */
async function createKilled(): Promise<string> {
	await using service = await startTestService();
	return copyFolder(service.dataFolder, path.join(temporaryFolder(), 'killed'));
}

const killed = await createKilled();
assert.ok(statSync(path.join(killed, 'switchboard.db-wal')).size > 0);

/** Databases that may be put beside the log of another one. */
const others: ReadonlyArray<readonly [title: string, create: (home: IsolatedHome) => Promise<string>]> = [
	[
		'a backup',
		async home => {
			await runIn(home)('keys', 'create', '--data', 'other');
			await runIn(home)('backup', 'home.db', '--data', 'other');
			return 'home.db';
		},
	],
	[
		'a home that copy made',
		async home => {
			await runIn(home)('keys', 'create', '--data', 'first');
			assert.equal((await runIn(home)('copy', '--from', 'first', '--to', 'second')).exitCode, 0);
			return 'second/switchboard.db';
		},
	],
	[
		'a home that only a command has used',
		async home => {
			await runIn(home)('keys', 'create', '--data', 'used');
			return 'used/switchboard.db';
		},
	],
	[
		'a home that was stopped',
		async home => {
			const service = await startTestService({dataFolder: path.join(home.folder, 'stopped')});
			await service.close();
			return 'stopped/switchboard.db';
		},
	],
];

for (const [title, create] of others) {
	test(`${title} beside the log of a killed service is refused by every command, and no byte is changed`, async () => {
		const home = createIsolatedHome();
		const data = copyFolder(killed, path.join(home.folder, 'data'));
		copyFileSync(path.join(home.folder, await create(home)), path.join(data, 'switchboard.db'));
		const before = bytesIn(data);
		for (const words of [['serve', '--port', '0'], ['keys', 'create'], ['keys', 'list'], ['check'], ['backup', 'other.db']]) {
			const result = await runIn(home)(...words, '--data', 'data', '--json');
			assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage'], words.join(' '));
			assert.match(lastError(result).message, /switchboard\.db-wal is the log of another database.*switchboard restore FILE/);
			assert.deepEqual(bytesIn(data), before);
		}
	});
}

test('a log whose database was moved away is not replayed into an empty one', async () => {
	const home = createIsolatedHome();
	const data = copyFolder(killed, path.join(home.folder, 'data'));
	writeFileSync(path.join(data, 'switchboard.db'), '');
	const before = bytesIn(data);
	const result = await runIn(home)('keys', 'create', '--data', 'data', '--json');
	assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
	assert.deepEqual(bytesIn(data), before);
});

test('a home with its own log starts after a kill, at its first start and later, and as a copy of the whole folder', async () => {
	const home = createIsolatedHome();
	let data = path.join(home.folder, 'data');
	const service = await startServe(home, ['--port', '0', '--sample', '--data', data]);
	service.kill();
	await service.exited;
	assert.ok(statSync(path.join(data, 'switchboard.db-wal')).size > 0);
	for (const name of ['once', 'twice']) {
		await using again = await startTestService({dataFolder: data});
		assert.equal((await fetch(`${again.baseAddress}/readyz`)).status, 200);
		data = copyFolder(data, path.join(home.folder, name));
	}
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
	const dataFolder = path.join(home.folder, 'data');
	const first = await startServe(home, ['--port', '0', '--sample', '--data', dataFolder]);
	await using second = await startTestService({dataFolder});
	await first[Symbol.asyncDispose]();
	assert.equal((await run('keys', 'create', '--name', 'later', '--data', 'data')).exitCode, 0);
	assert.equal((await fetch(`${second.baseAddress}/readyz`)).status, 200);
	copyFolder(dataFolder, path.join(home.folder, 'killed'));
	assert.match((await run('keys', 'list', '--data', 'killed')).stdout, /later/);
	assert.equal((await run('check', '--data', 'killed')).exitCode, 0);
});
