import {assert, Buffer, DatabaseSync, delay, path, readFileSync, statSync, test} from '../helpers/node.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {formOf, lampFiles, pngBytes, uploadForm, zipOf} from './sample-forms.ts';
import {earlierHomes, named, newAbility, paths, readLists, readRows, startTestService, temporaryDataFolder} from './kit.ts';

const databaseIn = (dataFolder: string): string => path.join(dataFolder, 'switchboard.db');

type Sizes = {readonly bytes: number; readonly history_bytes: number};

async function sizeOfOwn(dataFolder: string): Promise<Sizes> {
	return (await readRows(dataFolder, "select bytes, history_bytes from accounts where name = 'own'"))[0] as Sizes;
}

/** A check counts what there is, and compares it with what the triggers have counted. */
async function assertCounted(dataFolder: string): Promise<void> {
	assert.deepEqual((await checkStore(dataFolder)).findings, []);
}

const rootZip = async (content: string): Promise<Buffer> => zipOf({'main.py': content, '__init__.py': ''});

test('what an account holds is counted through every change', async () => {
	await using service = await startTestService();
	const other = await service.createKey('other');
	const changes: ReadonlyArray<() => Promise<{readonly status: number; readonly text: string}>> = [
		async () => service.ask('POST', paths.upload, {body: await uploadForm({image_file: pngBytes, description: 'Größer'})}),
		async () => service.ask('POST', paths.upload, {key: other, body: await uploadForm()}),
		async () =>
			service.ask('PUT', paths.editInstalled(named(await service.read(paths.installed), 'lamps')['id']), {
				body: {enabled: true, trigger_words: ['lights', 'ein Wort mehr']},
			}),
		async () =>
			service.ask('PUT', paths.editInstalled(named(await service.read(paths.installed), 'lamps')['id']), {body: {enabled: false}}),
		async () =>
			service.ask('PUT', paths.editAgent, {
				body: {personality_id: (await service.read(paths.agents))[0]!['id'], name: 'Höb', description: 'Short.'},
			}),
		...['false', 'false', 'true', 'true'].map((committed, index) => async () => {
			const [release] = named(await service.read(paths.abilities), 'lamps')['capability_versions'] as ReadonlyArray<{readonly id: number}>;
			return service.ask('POST', paths.releaseCode(release!.id), {
				body: formOf({zip_file: await rootZip('#'.repeat(index * 1000)), committed, commit_message: `Number ${index}`}),
			});
		}),
		...[
			{name: 'lampen', description: 'Größer '.repeat(100), trigger_words: 'lights, more lights'},
			{name: 'lamps', description: ''},
		].map(
			(fields, index) => async () =>
				service.ask('PUT', paths.editAbility(named(await service.read(paths.abilities), index === 0 ? 'lamps' : 'lampen')['id']), {
					body: formOf(fields),
				}),
		),
		async () => service.ask('DELETE', paths.uninstall(named(await service.read(paths.installed), 'lamps')['id'])),
		async () => service.ask('GET', paths.install(named(await service.read(paths.abilities), 'lamps')['id'])),
		async () => service.ask('POST', paths.deleteAbility(named(await service.read(paths.abilities), 'lamps')['id'])),
		async () =>
			service.ask('POST', paths.deleteAbilities, {
				body: {capability_ids: (await service.read(paths.abilities)).slice(0, 3).map(({id}) => id)},
			}),
	];
	for (const change of changes) {
		const {status, text} = await change();
		assert.equal(status, 200, text);
		await assertCounted(service.dataFolder);
	}
});

test('a home of an earlier version is counted, and can shrink', async () => {
	const dataFolder = await earlierHomes[0]!.createLocation();
	const file = databaseIn(dataFolder);
	const old = new DatabaseSync(file);
	const abilityId = Number(old.prepare('select ability_id from releases order by id').get()!['ability_id']);
	old.exec(`
		insert into release_files select min(id), 'sound.raw', zeroblob(1000000) from releases;
		update releases set bytes = bytes + 1000509 where id = (select min(id) from releases)`);
	old.close();
	await migrateStore(dataFolder);
	const store = await openStore(dataFolder);
	await assertCounted(dataFolder);
	await store.abilities.remove((await store.accounts.find('default'))!.id, [abilityId]);
	await store.close();
	await assertCounted(dataFolder);
	assert.ok(statSync(file).size < 180_000, String(statSync(file).size));
});

test('beyond the quota whatever makes an account larger is answered with 507, and what makes it smaller or keeps its size works', async () => {
	await using service = await startTestService({quotaBytes: 40_000});
	const own = await service.createKey('own');
	const refused = {status: 507, json: {detail: 'This would take the account over its limit of 39 KB. Nothing was changed.', code: 'quota'}};
	const ask = async (method: string, route: string, body?: unknown) => {
		const {status, json} = await service.ask(method, route, {key: own, body});
		return {status, json};
	};

	const random = Buffer.from(Array.from({length: 30_000}, (_, index) => (index * index) % 251));
	const big = {...lampFiles, 'lamps/sound.raw': random};
	assert.equal((await ask('POST', paths.upload, await uploadForm({zip_file: await zipOf(big)}))).status, 200);
	const before = await readLists(service, own);
	const [agent, lamps] = [before[0]![0]!, named(before[2]!, 'lamps')];
	assert.deepEqual(await ask('POST', paths.upload, await uploadForm({name: 'more', zip_file: await zipOf(big)})), refused);
	assert.deepEqual(await ask('PUT', paths.editAgent, {personality_id: agent['id'], description: 'x'.repeat(20_000)}), refused);
	const [release] = named(before[1]!, 'lamps')['capability_versions'] as ReadonlyArray<{readonly id: number}>;
	assert.deepEqual(
		await ask('POST', paths.releaseCode(release!.id), formOf({zip_file: await rootZip('#'.repeat(10_000)), committed: 'true'})),
		refused,
	);
	assert.deepEqual(await readLists(service, own), before);

	assert.equal((await ask('PUT', paths.editInstalled(lamps['id']), {enabled: false})).status, 200);
	// Another account has a quota of its own, and the operator's sample home is larger than it.
	assert.equal((await service.ask('POST', paths.upload, {body: await uploadForm()})).status, 507);
	assert.equal((await ask('POST', paths.deleteAbility(lamps['capability_id']))).status, 200);
	assert.equal((await ask('POST', paths.upload, await uploadForm({name: 'more', zip_file: await zipOf(big)}))).status, 200);
});

test('two servers on one folder do not let an account in twice', async () => {
	const dataFolder = temporaryDataFolder();
	await using first = await startTestService({dataFolder, quotaBytes: 100_000});
	await using second = await startTestService({dataFolder, quotaBytes: 100_000});
	const own = await first.createKey('own');
	const forms = await Promise.all(
		Array.from({length: 30}, async (_, index) => uploadForm({name: `lamps${'abcdefghijklmnopqrstuvwxyzabcd'[index]!}${index}`})),
	);
	const answers = await Promise.all(
		forms.map(async (body, index) => (index % 2 === 0 ? first : second).ask('POST', paths.upload, {key: own, body})),
	);
	assert.deepEqual(
		[...new Set(answers.map(({status}) => status))].toSorted((a, b) => a - b),
		[200, 507],
	);
	const {bytes} = await sizeOfOwn(dataFolder);
	assert.ok(bytes <= 100_000, String(bytes));
	assert.ok(bytes > 90_000, String(bytes));
});

/** Gives the agent of the account `own` a prompt, with that quota. */
async function setPrompt(dataFolder: string, quotaBytes: number | undefined, prompt: string): Promise<void> {
	const store = await openStore(dataFolder, {quotaBytes});
	try {
		const account = await store.accounts.ensure('own');
		const [agent] = (await store.agents.list(account)).records;
		await store.agents.change(account, agent!.id, () => ({description: prompt}));
	} finally {
		await store.close();
	}
}

test('an account may reach its quota to the byte, and one that is beyond it may change, but not grow', async () => {
	const dataFolder = temporaryDataFolder();
	await setPrompt(dataFolder, undefined, 'x'.repeat(100));
	const {bytes} = await sizeOfOwn(dataFolder);
	const set = async (quotaBytes: number, prompt: string): Promise<number> => {
		await setPrompt(dataFolder, quotaBytes, prompt);
		return (await sizeOfOwn(dataFolder)).bytes;
	};

	assert.equal(await set(bytes + 10, 'x'.repeat(110)), bytes + 10);
	await assert.rejects(set(bytes + 10, 'x'.repeat(111)), {kind: 'quota'});
	assert.equal(await set(bytes + 10, 'y'.repeat(110)), bytes + 10);
	assert.equal(await set(bytes, 'x'.repeat(110)), bytes + 10);
	await assert.rejects(set(bytes, 'x'.repeat(111)), {kind: 'quota'});
	assert.equal(await set(bytes, 'x'.repeat(109)), bytes + 9);
	await assert.rejects(set(bytes, 'x'.repeat(110)), {kind: 'quota'});
});

test('the history may fill what an account leaves of its quota to the byte, and then drops its oldest entry', async () => {
	const dataFolder = temporaryDataFolder();
	const set = async (quotaBytes: number | undefined, letter: string): Promise<Sizes> => {
		await setPrompt(dataFolder, quotaBytes, letter.repeat(100));
		return sizeOfOwn(dataFolder);
	};

	const {history_bytes: first} = await set(undefined, 'a');
	const {bytes, history_bytes: two} = await set(undefined, 'b');
	const each = two - first;
	assert.equal((await set(bytes + two + each, 'c')).history_bytes, two + each);
	assert.equal((await set(bytes + two + 2 * each - 1, 'd')).history_bytes, 3 * each);
});

test('deleting gives the room back to the disk while the service runs, and leaves nothing of what was deleted', async () => {
	await using service = await startTestService();
	const sizeBefore = statSync(databaseIn(service.dataFolder)).size;
	const secret = 'the garage code is on the back of the door';
	const files = {
		...lampFiles,
		'lamps/notes.md': `${secret}\n`.repeat(200),
		'lamps/sound.raw': Buffer.from(Array.from({length: 1_000_000}, (_, index) => (index * index) % 251)),
	};
	const upload = await service.ask('POST', paths.upload, {body: await uploadForm({zip_file: await zipOf(files), description: secret})});
	assert.equal(upload.status, 200, upload.text);
	await service.ask('POST', paths.deleteAbility((upload.json as {readonly capability_id: number}).capability_id));
	const holdsSecret = (): boolean => ['', '-wal'].some(end => readFileSync(`${databaseIn(service.dataFolder)}${end}`).includes(secret));
	while (statSync(databaseIn(service.dataFolder)).size > sizeBefore + 100_000 || holdsSecret()) {
		await delay(10);
	}
});

const bigAbility = (name: string) => newAbility({name, files: [{path: 'sound.raw', bytes: Buffer.alloc(2_000_000, 7)}]});

test('a store that is closed at once after a deletion has given the room back', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	const account = await store.accounts.ensure('default');
	const one = await store.abilities.add(account, bigAbility('one'), () => undefined);
	const two = await store.abilities.add(account, bigAbility('two'), () => undefined);
	await store.abilities.remove(account, [one.result, two.result]);
	await store.close();
	assert.ok(statSync(databaseIn(dataFolder)).size < 200_000);
});
