import {assert, copyFileSync, path, rmSync, test} from '../helpers/node.ts';
import {type JsonRecord, paths, startTestService, temporaryDataFolder, type TestService} from './kit.ts';

/** A client that asks for the list again and again, and keeps what it has while it is told that nothing has changed. */
const createPoller = () => {
	let etag: string | undefined;
	let kept: readonly JsonRecord[] = [];
	return async (service: TestService, key: string): Promise<readonly JsonRecord[]> => {
		const {status, headers, json} = await service.ask('GET', paths.installed, {
			key,
			headers: etag === undefined ? {} : {'if-none-match': etag},
		});
		if (status === 200) {
			etag = headers.get('etag')!;
			kept = json as readonly JsonRecord[];
		} else {
			assert.equal(status, 304);
		}

		return kept;
	};
};

const toggle = async (service: TestService, key: string, index: number): Promise<void> => {
	const record = (await service.read(paths.installed, key))[index]!;
	const {status} = await service.ask('PUT', paths.editInstalled(record['id']), {key, body: {enabled: record['enabled'] !== true}});
	assert.equal(status, 200);
};

test('a client that polls never keeps a list that a restored backup does not have', async () => {
	const dataFolder = temporaryDataFolder();
	const database = path.join(dataFolder, 'switchboard.db');
	const poll = createPoller();
	const first = await startTestService({dataFolder});
	const {key} = first;
	await toggle(first, key, 0);
	await poll(first, key);
	await first.close();
	copyFileSync(database, `${dataFolder}.backup`);

	const second = await startTestService({dataFolder});
	for (const index of [1, 2, 1]) {
		await toggle(second, key, index);
		assert.deepEqual(await poll(second, key), await second.read(paths.installed, key));
	}

	await second.close();
	// The backup, and then as many changes as were lost, but others.
	rmSync(`${database}-wal`, {force: true});
	copyFileSync(`${dataFolder}.backup`, database);
	const third = await startTestService({dataFolder});
	assert.deepEqual(await poll(third, key), await third.read(paths.installed, key));
	for (const index of [3, 4, 3]) {
		await toggle(third, key, index);
		assert.deepEqual(await poll(third, key), await third.read(paths.installed, key));
	}

	await third.close();
	rmSync(`${dataFolder}.backup`);
});
