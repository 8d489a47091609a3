import {assert, Buffer, test} from '../helpers/node.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import type {NewCode} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import {startSlowDownload} from '../helpers/slow-download.ts';
import {named, paths, startTestService, testedDatabases} from './kit.ts';

/** Together far more than a line holds, and of one size in each draft. */
const draftOf = (content: number, createdAt = new Date()): NewCode => ({
	isCommitted: false,
	commitMessage: '',
	createdAt,
	files: [
		{path: '__init__.py', bytes: new Uint8Array()},
		...['a.wav', 'b.wav', 'c.wav'].map(path => ({path, bytes: Buffer.alloc(10 * 1024 * 1024, content)})),
		{path: 'main.py', bytes: Buffer.alloc(100, content)},
	],
});

/** The first byte of each file that is not empty. */
const contentsOf = async (zip: Uint8Array): Promise<readonly number[]> => {
	const {files} = await readZip(zip);
	return files.filter(({bytes}) => bytes.length > 0).map(({bytes}) => bytes[0]!);
};

/** A draft in use, and how another process replaces it. */
const saveDraft = async (store: Store, abilityId: number, code: NewCode): Promise<void> => {
	const {id} = (await store.accounts.find('default'))!;
	const {releaseId} = await store.releases.readSource(id, abilityId);
	await store.releases.save(id, releaseId, code);
};

for (const {name, skip, createLocation} of testedDatabases) {
	for (const [title, isCommitted, meanwhile, isWhole, later] of [
		['a draft that is replaced while it is downloaded is cut, never mixed with the next one', false, 'replace', false, [2, 2, 2, 2]],
		['the download of an ability that is deleted meanwhile is cut, and the service goes on', false, 'delete', false, undefined],
		['a download goes on when its release is followed by another version', true, 'replace', true, [2, 2, 2, 2]],
	] as const) {
		test(`${title}, on ${name}`, {skip}, async () => {
			const location = await createLocation();
			await using service = await startTestService({location});
			const id = Number(named(await service.read(paths.abilities), 'pantry')['id']);
			const other = await openStore(location);
			try {
				await saveDraft(other, id, {...draftOf(1), isCommitted});
				const download = await startSlowDownload(service.baseAddress + paths.source(id), service.key);
				assert.equal(download.status, 200);
				await (meanwhile === 'replace' ? saveDraft(other, id, draftOf(2)) : service.ask('POST', paths.deleteAbility(id)));
				const finished = await download.finish();
				assert.equal(finished.isWhole, isWhole);
				if (isWhole) {
					assert.deepEqual(await contentsOf(finished.bytes), [1, 1, 1, 1]);
				} else {
					await assert.rejects(readZip(finished.bytes), {kind: 'refused'});
				}

				const {status, bytes} = await service.ask('GET', paths.source(id));
				assert.equal(status, later === undefined ? 404 : 200);
				assert.deepEqual(status === 200 ? await contentsOf(bytes) : undefined, later);
			} finally {
				await other.close();
			}
		});
	}

	test(`drafts that are saved in the same millisecond, or by a clock that was set back, are told apart, on ${name}`, {skip}, async () => {
		const store = await openStore(await createLocation());
		try {
			const accountId = await store.accounts.ensure('default');
			const now = new Date('2026-01-02T03:04:05Z');
			const {result: id} = await store.abilities.add(
				accountId,
				{name: 'lamps', category: 'skill', description: '', triggerPhrases: [], files: draftOf(0).files, installedAs: true, changedAt: now},
				() => undefined,
			);
			await saveDraft(store, id, draftOf(1, now));
			const sources = [await store.releases.readSource(accountId, id)];
			for (const [index, createdAt] of [now, now, new Date(now.getTime() - 60_000), now].entries()) {
				await saveDraft(store, id, draftOf(index + 2, createdAt));
				sources.push(await store.releases.readSource(accountId, id));
			}

			const last = sources.pop()!;
			assert.deepEqual([...(await store.releases.readBytes(last, 'main.py', 0, 2))], [5, 5]);
			for (const source of sources) {
				assert.equal(source.releaseId, last.releaseId);
				await assert.rejects(store.releases.readBytes(source, 'main.py', 0, 2), {kind: 'not-found'});
			}
		} finally {
			await store.close();
		}
	});
}
