import assert from 'node:assert/strict';
import {
	chmod,
	mkdir,
	readdir,
	stat,
	writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {openStore} from '../../source/service/store/open-store.ts';
import {createDataFolder} from './temporary-data-folder.ts';
import {startTestService} from './running-service.ts';

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode % 0o1000).toString(8);

const modesIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
	const files = await readdir(folder);
	return Object.fromEntries(await Promise.all(files.toSorted().map(async file => [file, await modeOf(path.join(folder, file))] as const)));
};

const tight = {'switchboard.db': '600', 'switchboard.db-shm': '600', 'switchboard.db-wal': '600'};

test('only the owner can read a new data folder and what is in it', async () => {
	await using service = await startTestService();
	assert.equal(await modeOf(service.dataFolder), '700');
	assert.deepEqual(await modesIn(service.dataFolder), tight);
});

test('a folder and files that others could read are closed to them at the next start', async () => {
	await using temporary = await createDataFolder();
	const first = await openStore(temporary.folder);
	await chmod(temporary.folder, 0o755);
	for (const file of Object.keys(tight)) {
		await chmod(path.join(temporary.folder, file), 0o644);
	}

	const second = await openStore(temporary.folder);
	assert.equal(await modeOf(temporary.folder), '700');
	assert.deepEqual(await modesIn(temporary.folder), tight);
	await second.close();
	await first.close();
});

test('a folder that is shared with others is refused and left as it is', async () => {
	await using temporary = await createDataFolder();
	await mkdir(temporary.folder);
	await chmod(temporary.folder, 0o1777);
	await assert.rejects(openStore(temporary.folder), {
		name: 'SwitchboardError',
		kind: 'usage',
		message: /is shared with others/,
		nextStep: /--data/,
	});
	assert.equal(await modeOf(temporary.folder), '777');
	assert.deepEqual(await readdir(temporary.folder), []);
	// The case that it is there for.
	await assert.rejects(openStore(os.tmpdir()), {kind: 'usage'});
});

test('a file in the place of the data folder is refused', async () => {
	await using temporary = await createDataFolder();
	await writeFile(temporary.folder, 'mine');
	await assert.rejects(openStore(temporary.folder), {kind: 'usage', message: `${temporary.folder} is no folder.`});
});
