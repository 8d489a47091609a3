import assert from 'node:assert/strict';
import {
	chmod,
	mkdir,
	readdir,
	writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {openStore} from '../../source/service/store/open-store.ts';
import {modeOf, temporaryDataFolder} from '../helpers/temporary-folder.ts';
import {startTestService} from './running-service.ts';

const modesIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
	const files = await readdir(folder);
	return Object.fromEntries(files.toSorted().map(file => [file, modeOf(path.join(folder, file))] as const));
};

const tight = {'switchboard.db': '600', 'switchboard.db-shm': '600', 'switchboard.db-wal': '600'};

test('only the owner can read a new data folder and its files', async () => {
	await using service = await startTestService();
	assert.equal(modeOf(service.dataFolder), '700');
	assert.deepEqual(await modesIn(service.dataFolder), tight);
});

test('a data folder that others can read becomes private at the next start', async () => {
	const dataFolder = temporaryDataFolder();
	const first = await openStore(dataFolder);
	await chmod(dataFolder, 0o755);
	for (const file of Object.keys(tight)) {
		await chmod(path.join(dataFolder, file), 0o644);
	}

	const second = await openStore(dataFolder);
	assert.equal(modeOf(dataFolder), '700');
	assert.deepEqual(await modesIn(dataFolder), tight);
	await second.close();
	await first.close();
});

test('a folder shared with other users is refused and not changed', async () => {
	const dataFolder = temporaryDataFolder();
	await mkdir(dataFolder);
	await chmod(dataFolder, 0o1777);
	await assert.rejects(openStore(dataFolder), {
		name: 'SwitchboardError',
		kind: 'usage',
		message: /is shared with other users/,
		nextStep: /--data/,
	});
	assert.equal(modeOf(dataFolder), '777');
	assert.deepEqual(await readdir(dataFolder), []);
	// The main case.
	await assert.rejects(openStore(os.tmpdir()), {kind: 'usage'});
});

test('a file instead of a data folder is refused', async () => {
	const dataFolder = temporaryDataFolder();
	await writeFile(dataFolder, 'mine');
	await assert.rejects(openStore(dataFolder), {kind: 'usage', message: `${dataFolder} is not a folder.`});
});
