import {addTo, after, assert, test} from '../helpers/node.ts';
import {type ListChange, type ListName, listNames, type ListVersions} from '../../source/service/store/changes.ts';
import {createListChanges} from '../../source/service/store/list-changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import {newAbility, noAgent, waitUntil} from './kit.ts';
import {type SharedHome, testsOnShared} from './shared-store.ts';

/* The versions of the lists of an account: what changes them, and how others learn of it. */

const lamps = newAbility({triggerPhrases: ['lamps on']});

type Home = SharedHome & {readonly agentId: number};

async function versionsOf(store: Store, name: string): Promise<ListVersions> {
	const account = await store.accounts.find(name);
	return account!.versions;
}

const changedLists = (before: ListVersions, after: ListVersions): readonly ListName[] =>
	listNames.filter(list => before[list] !== after[list]);

/** What each verb does to the lists, in the order in which they are done. */
const changes: ReadonlyArray<
	readonly [what: string, change: (home: Home) => Promise<{readonly versions: Partial<ListVersions>}>, lists: readonly ListName[]]
> = [
	['a switch', async ({store: {installed}, own, abilityId}) => installed.change(own, abilityId, () => ({enabled: false})), ['installed']],
	['the same switch again', async ({store: {installed}, own, abilityId}) => installed.change(own, abilityId, () => ({enabled: false})), []],
	[
		'new trigger phrases',
		async ({store: {installed}, own, abilityId}) => installed.change(own, abilityId, () => ({enabled: false, trigger_words: ['dim']})),
		['installed'],
	],
	['a new prompt', async ({store: {agents}, own, agentId}) => agents.change(own, agentId, () => ({description: 'Be brief.'})), ['agents']],
	['the same prompt again', async ({store: {agents}, own, agentId}) => agents.change(own, agentId, () => ({description: 'Be brief.'})), []],
	[
		'a tie',
		async ({store: {agents}, own, agentId, abilityId}) => agents.change(own, agentId, () => ({abilityIds: [abilityId]})),
		['agents'],
	],
	[
		'the same tie again',
		async ({store: {agents}, own, agentId, abilityId}) => agents.change(own, agentId, () => ({abilityIds: [abilityId]})),
		[],
	],
	[
		'new code',
		async ({store, own, abilityId}) =>
			store.releases.save(own, (await store.installed.get(own, abilityId)).release_id, {
				isCommitted: true,
				commitMessage: 'Second',
				createdAt: new Date(),
				files: lamps.files,
			}),
		['abilities', 'installed'],
	],
	[
		'removing what is installed',
		async ({store: {installed}, own, abilityId}) => installed.remove(own, abilityId),
		['abilities', 'installed'],
	],
	['installing it', async ({store: {installed}, own, abilityId}) => installed.add(own, abilityId), ['abilities', 'installed']],
	['installing it again', async ({store: {installed}, own, abilityId}) => installed.add(own, abilityId), []],
	[
		'an ability that is not installed',
		async ({store: {abilities}, own}) => abilities.add(own, {...lamps, name: 'spare', installedAs: undefined}, noAgent),
		['abilities'],
	],
	[
		'an ability that an agent gets',
		async ({store: {abilities}, own, agentId}) => abilities.add(own, {...lamps, name: 'more'}, () => agentId),
		[...listNames],
	],
	[
		'deleting one that is not installed',
		async ({store, own}) => {
			const {records} = await store.abilities.list(own);
			return store.abilities.remove(own, [records.find(({name}) => name === 'spare')!.id]);
		},
		['abilities'],
	],
	['deleting one that is installed and tied', async ({store, own, abilityId}) => store.abilities.remove(own, [abilityId]), [...listNames]],
];

const testShared = testsOnShared({after}, lamps);

const testEach = (title: string, work: (home: Home) => Promise<void>): void =>
	testShared(title, async home => {
		await home.store.abilities.add(home.other, lamps, noAgent);
		const {records} = await home.store.agents.list(home.own);
		await work({...home, agentId: records[0]!.id});
	});

testEach('each change gives new versions to the lists that it changes, and to no others', async home => {
	for (const [what, change, lists] of changes) {
		const before = await versionsOf(home.store, home.ownName);
		const other = await versionsOf(home.store, home.otherName);
		const {versions} = await change(home);
		const after = await versionsOf(home.store, home.ownName);
		assert.deepEqual(changedLists(before, after), lists, what);
		assert.deepEqual(versions, Object.fromEntries(lists.map(list => [list, after[list]])), what);
		assert.deepEqual(await versionsOf(home.store, home.otherName), other, what);
	}
});

testEach('a list comes with the version that an earlier change has answered', async ({store, own, abilityId}) => {
	const {versions} = await store.installed.change(own, abilityId, () => ({enabled: false}));
	const listed = await store.installed.list(own);
	assert.equal(listed.version, versions.installed);
	assert.equal(listed.records[0]!.enabled, false);
});

testEach(
	'a change that fails beside others changes no version, and the others theirs',
	async ({store, own, ownName, other, otherName, abilityId}) => {
		const before = await versionsOf(store, ownName);
		const listed = await store.installed.list(other);
		const refused = store.installed.change(own, abilityId, () => {
			throw new Error('Decided against it');
		});
		const done = (
			await Promise.all([
				assert.rejects(refused, /Decided against it/),
				assert.rejects(
					store.installed.change(own, 999_999, () => ({enabled: false})),
					{kind: 'not-found'},
				),
				store.installed.change(other, listed.records[0]!.id, () => ({enabled: false})),
			])
		)[2];
		assert.deepEqual(await versionsOf(store, ownName), before);
		const {installed: version} = await versionsOf(store, otherName);
		assert.equal(done.versions.installed, version);
	},
);

testEach('who watches learns of the changes by this and by another process, each once', async ({location, store, own, abilityId}) => {
	const seen: ListChange[] = [];
	const unwatch = store.watch(addTo(seen));
	const second = await openStore(location);
	try {
		const {versions: first} = await store.installed.change(own, abilityId, () => ({enabled: false}));
		await waitUntil(() => seen.some(({version}) => version === first.installed));
		const {versions: later} = await second.installed.change(own, abilityId, () => ({enabled: true}));
		await waitUntil(() => seen.some(({version}) => version === later.installed));
		const {versions: last} = await second.abilities.remove(own, [abilityId]);
		await waitUntil(() => seen.some(({version}) => version === last.installed) && seen.some(({version}) => version === last.abilities));
		const told = seen.map(({version}) => version);
		assert.deepEqual(told, [...new Set(told)]);
		assert.ok(seen.every(({accountId}) => accountId === own));
	} finally {
		unwatch();
		await second.close();
	}
});

testEach('who watches no longer is told nothing', async ({store, own, abilityId}) => {
	const seen: ListChange[] = [];
	const unwatch = store.watch(addTo(seen));
	unwatch();
	await store.installed.change(own, abilityId, () => ({enabled: false}));
	assert.deepEqual(seen, []);
});

testEach('a key that is revoked while it is looked up with others is found no more', async ({store, ownName}) => {
	const hashes = Array.from({length: 150}, (_, index) => new Uint8Array(32).fill(index + 1));
	for (const hash of hashes) {
		await store.accounts.addKey(ownName, hash, taken => `key ${taken.length}`);
	}

	const found = await Promise.all([...hashes, hashes[0]!, new Uint8Array(32)].map(async hash => store.accounts.findKey(hash)));
	assert.deepEqual(
		found.slice(0, 150).map(key => key?.hash[0]),
		hashes.map(hash => hash[0]),
	);
	assert.equal(found[150]?.id, found[0]!.id);
	assert.equal(found[151], undefined);
	await store.accounts.removeKeys(keys => keys.filter(({id}) => id === found[0]!.id));
	const [first, second] = await Promise.all([store.accounts.findKey(hashes[0]!), store.accounts.findKey(hashes[1]!)]);
	assert.equal(first, undefined);
	assert.equal(second?.id, found[1]!.id);
});

test('a change by another process while the database cannot be read is told when it can be', async () => {
	let isAway = false;
	let version = 'first';
	let count = 0;
	const told: string[] = [];
	const {watch, close} = createListChanges({
		lookMilliseconds: 1,
		async read() {
			count++;
			if (isAway) {
				throw new Error('The database is away');
			}

			return [{id: 1, versions: {agents: version, abilities: 'same', installed: 'same'}, historyNumber: count}];
		},
	});
	watch(change => {
		told.push(change.version);
	});
	// The second begins after the first is known.
	await waitUntil(() => count > 1);
	[isAway, version] = [true, 'missed'];
	const before = count;
	await waitUntil(() => count > before + 1);
	isAway = false;
	await waitUntil(() => told.length > 0);
	await close();
	assert.deepEqual(told, ['missed']);
});
