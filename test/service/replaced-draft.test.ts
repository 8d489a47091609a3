import {assert, Buffer, test, type TestContext} from '../helpers/node.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import type {NewCode} from '../../source/service/store/changes.ts';
import type {Store} from '../../source/service/store/store.ts';
import {startSlowDownload} from '../helpers/slow-download.ts';
import {named, newAbility, noAgent, openTestStore, paths, startTestService, temporaryDataFolder, testOnEach} from './kit.ts';

/** Together far more than a line holds, and of one size in each draft. */
const draftOf = (content: number, createdAt = new Date()): NewCode => ({
	isCommitted: false,
	commitMessage: '',
	createdAt,
	files: [
		{path: '__init__.py', bytes: new Uint8Array()},
		...['a.wav', 'b.wav', 'c.wav'].map(path => ({path, bytes: Buffer.alloc(4 * 1024 * 1024, content)})),
		{path: 'main.py', bytes: Buffer.alloc(100, content)},
	],
});

/** The first byte of each file that is not empty. */
async function contentsOf(zip: Uint8Array): Promise<readonly number[]> {
	const {files} = await readZip(zip);
	return files.filter(({bytes}) => bytes.length > 0).map(({bytes}) => bytes[0]!);
}

/** A draft, and how another process replaces it. */
async function saveDraft(store: Store, abilityId: number, code: NewCode): Promise<void> {
	const {id} = (await store.accounts.find('default'))!;
	const {releaseId} = await store.releases.readSource(id, abilityId);
	await store.releases.save(id, releaseId, code);
}

/** What becomes of a download when its ability is changed in its midst by another process, or deleted. */
async function downloadBeside(
	t: TestContext,
	location: string,
	{isCommitted = false, isDeleted = false}: {readonly isCommitted?: boolean; readonly isDeleted?: boolean},
) {
	await using service = await startTestService({location});
	const id = Number(named(await service.read(paths.abilities), 'pantry')['id']);
	const other = await openTestStore(t, location);
	const source = `${paths.source(id)}?version=2`;
	await saveDraft(other, id, {...draftOf(1), isCommitted});
	const download = await startSlowDownload(service.baseAddress + source, service.key);
	assert.equal(download.status, 200);
	await (isDeleted ? service.ask('POST', paths.deleteAbility(id)) : saveDraft(other, id, draftOf(2)));
	const finished = await download.finish();
	const {status, bytes} = await service.ask('GET', isCommitted ? `${paths.source(id)}?version=3` : source);
	return {...finished, status, later: status === 200 ? await contentsOf(bytes) : undefined};
}

testOnEach('a draft that is replaced while it is downloaded is cut, never mixed with the next one', async (location, t) => {
	const {isWhole, bytes, later} = await downloadBeside(t, location, {});
	assert.deepEqual([isWhole, later], [false, [2, 2, 2, 2]]);
	await assert.rejects(readZip(bytes), {kind: 'refused'});
});

test('the download of an ability that is deleted meanwhile is cut, and the service goes on', async t => {
	const {isWhole, bytes, status} = await downloadBeside(t, temporaryDataFolder(), {isDeleted: true});
	assert.deepEqual([isWhole, status], [false, 404]);
	await assert.rejects(readZip(bytes), {kind: 'refused'});
});

test('a download goes on when its release is followed by another version', async t => {
	const {isWhole, bytes, later} = await downloadBeside(t, temporaryDataFolder(), {isCommitted: true});
	assert.deepEqual([isWhole, await contentsOf(bytes), later], [true, [1, 1, 1, 1], [2, 2, 2, 2]]);
});

testOnEach('drafts that are saved in the same millisecond, or by a clock that was set back, are told apart', async (location, t) => {
	const store = await openTestStore(t, location);
	const small = (content: number, createdAt: Date): NewCode => ({
		...draftOf(content, createdAt),
		files: [{path: 'main.py', bytes: Buffer.alloc(100, content)}],
	});
	const accountId = await store.accounts.ensure('default');
	const now = new Date('2026-01-02T03:04:05Z');
	const {result: id} = await store.abilities.add(accountId, newAbility(), noAgent);
	await saveDraft(store, id, small(1, now));
	const sources = [await store.releases.readSource(accountId, id, 2)];
	for (const [index, createdAt] of [now, now, new Date(now.getTime() - 60_000), now].entries()) {
		await saveDraft(store, id, small(index + 2, createdAt));
		sources.push(await store.releases.readSource(accountId, id, 2));
	}

	const last = sources.pop()!;
	assert.deepEqual([...(await store.releases.readBytes(last, 'main.py', 0, 2))], [5, 5]);
	for (const source of sources) {
		assert.equal(source.releaseId, last.releaseId);
		await assert.rejects(store.releases.readBytes(source, 'main.py', 0, 2), {kind: 'not-found'});
	}
});
