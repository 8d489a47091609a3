import {after, assert, Buffer} from '../helpers/node.ts';
import {setImmediate} from 'node:timers/promises';
import type {NewAgent, NewCode} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {planCopy} from '../../source/service/store/maintenance.ts';
import type {Store} from '../../source/service/store/store.ts';
import {largeFiles, newAbility, noAgent} from '../helpers/new-ability.ts';
import {testsOnShared} from './shared-store.ts';
import {fieldsOf, temporaryDataFolder, testOnEach} from './kit.ts';

/* What every store promises, whichever database is behind it. */

const lamps = newAbility({
	files: [
		{path: 'main.py', bytes: Buffer.from('first')},
		{path: '__init__.py', bytes: new Uint8Array()},
	],
});

const newCode = (files: NewCode['files']): NewCode => ({isCommitted: true, commitMessage: 'Second', createdAt: new Date(), files});

const hearth: NewAgent = {name: 'Hearth', description: 'You are Hearth.', image: null, abilities: ['lamps']};

const testEach = testsOnShared({after}, lamps);

/** Everything that an account can read. */
const readAll = async ({agents, abilities, installed, accounts}: Store, accountId: number): Promise<unknown> => [
	await agents.list(accountId),
	await abilities.list(accountId),
	await installed.list(accountId),
	await accounts.listKeys(),
];

function stop(): never {
	throw new Error('Decided against it');
}

testEach('an error in a decision reaches the caller, and nothing is changed', async ({store, own, abilityId, ownName}) => {
	const before = await readAll(store, own);
	const [agent] = (await store.agents.list(own)).records;
	const [installed] = (await store.installed.list(own)).records;
	const verbs: ReadonlyArray<() => Promise<unknown>> = [
		async () => store.agents.change(own, agent!.id, stop),
		async () => store.installed.change(own, installed!.id, stop),
		async () => store.abilities.add(own, {...lamps, name: 'others'}, stop),
		async () => store.accounts.addKey(ownName, new Uint8Array(32), stop),
		async () => store.accounts.addKey('new account', new Uint8Array(32), stop),
		async () => store.accounts.removeKeys(stop),
	];
	for (const verb of verbs) {
		await assert.rejects(verb(), {message: 'Decided against it'});
	}

	assert.deepEqual(await readAll(store, own), before);
	assert.equal(await store.accounts.find('new account'), undefined);
	assert.equal((await store.releases.readSource(own, abilityId)).name, 'lamps');
});

testEach("another account's record is not found, in the same words as one that does not exist", async ({store, own, other, abilityId}) => {
	const before = await readAll(store, own);
	const [agent] = (await store.agents.list(own)).records;
	const [installed] = (await store.installed.list(own)).records;
	const releaseId = (await store.installed.get(own, abilityId)).release_id;
	const code = newCode([]);
	const verbs: ReadonlyArray<readonly [what: string, id: number, verb: (id: number) => Promise<unknown>]> = [
		['agent', agent!.id, async id => store.agents.change(other, id, stop)],
		['ability', abilityId, async id => store.abilities.get(other, id)],
		['release', releaseId, async id => store.abilities.getByRelease(other, id)],
		['ability', abilityId, async id => store.abilities.remove(other, [id])],
		['installed ability', installed!.id, async id => store.installed.get(other, id)],
		['installed ability', abilityId, async id => store.installed.get(other, id)],
		['ability', abilityId, async id => store.installed.add(other, id)],
		['installed ability', installed!.id, async id => store.installed.change(other, id, stop)],
		['installed ability', installed!.id, async id => store.installed.remove(other, id)],
		['ability', abilityId, async id => store.releases.readSource(other, id)],
		['release', releaseId, async id => store.releases.save(other, id, code)],
	];
	for (const [what, foreignId, verb] of verbs) {
		for (const id of [foreignId, 999_999]) {
			await assert.rejects(verb(id), {kind: 'not-found', message: `There is no ${what} with the id ${id}.`});
		}
	}

	assert.deepEqual(await readAll(store, own), before);
});

testEach('a decision sees only the ids of its own account', async ({store, own, other, abilityId}) => {
	const [ownAgent] = (await store.agents.list(own)).records;
	const [otherAgent] = (await store.agents.list(other)).records;
	const seen: Array<ReadonlySet<number>> = [];
	await store.agents.change(own, ownAgent!.id, abilityIds => {
		seen.push(abilityIds);
		return {};
	});
	await store.agents.change(other, otherAgent!.id, abilityIds => {
		seen.push(abilityIds);
		return {};
	});
	await store.abilities.add(other, lamps, agentIds => {
		seen.push(agentIds);
		return undefined;
	});
	assert.deepEqual(seen, [new Set([abilityId]), new Set(), new Set([otherAgent!.id])]);
});

testEach('an ability that cannot be added leaves no trace', async ({store, own}) => {
	const before = await readAll(store, own);
	await assert.rejects(store.abilities.add(own, {...lamps, name: 'LAMPS'}, noAgent), {kind: 'conflict', field: 'name'});
	// Two files with one path are refused after the ability and its release are written.
	const [file] = lamps.files;
	await assert.rejects(store.abilities.add(own, {...lamps, name: 'twice', files: [file!, file!]}, noAgent), /unique/i);
	// An unknown agent is refused after everything else is written.
	await assert.rejects(
		store.abilities.add(own, {...lamps, name: 'astray'}, () => 999_999),
		/foreign key/i,
	);
	assert.deepEqual(await readAll(store, own), before);
});

testEach('if one of several abilities does not exist, none is removed', async ({store, own, abilityId}) => {
	const before = await readAll(store, own);
	await assert.rejects(store.abilities.remove(own, [abilityId, 999_999]), {kind: 'not-found'});
	assert.deepEqual(await readAll(store, own), before);
	await store.abilities.remove(own, [abilityId]);
	assert.deepEqual([(await store.abilities.list(own)).records, (await store.installed.list(own)).records], [[], []]);
});

testEach('new code that cannot be saved changes neither code nor version nor time', async ({store, own, abilityId}) => {
	const before = await readAll(store, own);
	const {release_id: releaseId} = await store.installed.get(own, abilityId);
	const [file] = lamps.files;
	await assert.rejects(store.releases.save(own, releaseId, newCode([file!, file!])), /unique/i);
	assert.deepEqual(await readAll(store, own), before);
	assert.deepEqual(fieldsOf((await store.releases.readSource(own, abilityId)).files, 'path'), ['__init__.py', 'main.py']);
});

testEach('only an empty account is filled', async ({store, own, other, ownName, otherName}) => {
	const [starter] = (await store.agents.list(other)).records;
	assert.deepEqual(
		[await store.accounts.isEmpty(ownName), await store.accounts.isEmpty(otherName), await store.accounts.isEmpty('none')],
		[false, true, true],
	);
	assert.equal(await store.accounts.fill(otherName, {abilities: [lamps], agents: [hearth, {...hearth, name: 'Pepper'}]}), true);
	const [ability] = (await store.abilities.list(other)).records;
	const {records: agents} = await store.agents.list(other);
	assert.deepEqual(fieldsOf(agents, 'name', 'matching_capabilities'), [
		['Hearth', [ability!.id]],
		['Pepper', [ability!.id]],
	]);
	assert.equal(agents[0]!.id, starter!.id);

	const before = [await readAll(store, own), await readAll(store, other)];
	assert.equal(await store.accounts.fill(otherName, {abilities: [{...lamps, name: 'more'}], agents: [hearth]}), false);
	assert.equal(await store.accounts.fill(ownName, {abilities: [], agents: [hearth]}), false);
	assert.deepEqual([await readAll(store, own), await readAll(store, other)], before);
});

testEach('an account that cannot be filled stays empty', async ({store, other, otherName}) => {
	const before = await readAll(store, other);
	await assert.rejects(store.accounts.fill(otherName, {abilities: [lamps, lamps], agents: []}), /unique/i);
	assert.deepEqual(await readAll(store, other), before);
	assert.equal(await store.accounts.isEmpty(otherName), true);
});

testEach('a list shows one state, even if another process makes a change between its queries', async ({store, own, location}) => {
	const second = await openStore(location);
	for (let turns = 0; turns < 20; turns++) {
		const {result: id} = await second.abilities.add(own, {...lamps, name: 'passing'}, noAgent);
		const removing = second.abilities.remove(own, [id]);
		for (let turn = 0; turn < turns; turn++) {
			await Promise.resolve();
		}

		const {records: listed} = await store.abilities.list(own);
		await removing;
		assert.deepEqual(
			listed.map(({capability_versions}) => capability_versions.length),
			listed.map(() => 1),
			`after ${turns} turns`,
		);
	}

	await second.close();
});

testEach('each of many concurrent changes sees the result of the one before', async ({store, own, abilityId}) => {
	await store.installed.change(own, abilityId, () => ({enabled: true, trigger_words: []}));
	const phrases = Array.from({length: 20}, (_, index) => `phrase number ${index}`);
	await Promise.all(
		phrases.map(async phrase =>
			store.installed.change(own, abilityId, ({trigger_words}) => ({enabled: true, trigger_words: [...trigger_words, phrase]})),
		),
	);
	const [installed] = (await store.installed.list(own)).records;
	assert.deepEqual(installed!.trigger_words, phrases);
});

testEach('while a large package is stored, other verbs go on', async ({store, own, abilityId}) => {
	const verbs = [
		async (attempt: number) => store.abilities.add(own, {...lamps, name: `large ${attempt}`, files: largeFiles}, noAgent),
		async () => store.releases.save(own, (await store.installed.get(own, abilityId)).release_id, newCode(largeFiles)),
	];
	/** True if a change was made before all was stored. On a busy machine one change may take as long as that. */
	const isOvertaken = async (storing: Promise<unknown>): Promise<boolean> => {
		const progress = {isStored: false};
		const stored = storing.then(() => {
			progress.isStored = true;
		});
		let changeCount = 0;
		while (!progress.isStored) {
			await store.installed.change(own, abilityId, ({enabled}) => ({enabled: !enabled}));
			changeCount++;
			// As between two requests.
			await setImmediate();
		}

		await stored;
		// One alone may have waited until all was stored.
		return changeCount > 1;
	};

	for (const verb of verbs) {
		let attempt = 1;
		while (!(await isOvertaken(verb(attempt)))) {
			assert.ok(attempt < 10, `no change was made while ${largeFiles.length} files were stored`);
			attempt++;
		}
	}
});

testEach('a large package is stored as a whole, as a draft too, or leaves nothing behind', async ({store, own, abilityId}) => {
	const fileCount = async (version: number): Promise<number> => (await store.releases.readSource(own, abilityId, version)).files.length;
	const {
		result: {id},
	} = await store.releases.save(own, (await store.installed.get(own, abilityId)).release_id, newCode(largeFiles));
	assert.equal(await fileCount(2), largeFiles.length);
	const {result: draft} = await store.releases.save(own, id, {...newCode(largeFiles.slice(1)), isCommitted: false});
	assert.deepEqual((await store.releases.save(own, id, {...newCode(largeFiles.slice(2)), isCommitted: false})).result, draft);
	assert.equal(await fileCount(3), largeFiles.length - 2);

	await assert.rejects(store.abilities.add(own, {...lamps, files: largeFiles}, noAgent), {kind: 'conflict'});
	await assert.rejects(store.releases.save(own, 999_999, newCode(largeFiles)), {kind: 'not-found'});
	assert.equal(await fileCount(3), largeFiles.length - 2);
});

testOnEach('what is deleted leaves no row behind that no quota counts, and its ids do not come back', async location => {
	const count = async () => planCopy(location, temporaryDataFolder(), {signal: new AbortController().signal, onProgress: () => undefined});
	const store = await openStore(location);
	const account = await store.accounts.ensure('own');
	const before = await count();
	const {result: id} = await store.abilities.add(account, {...lamps, files: largeFiles}, noAgent);
	const release = (await store.installed.get(account, id)).release_id;
	await store.releases.save(account, release, {...newCode(largeFiles), isCommitted: false});
	await store.releases.save(account, release, {...newCode(largeFiles.slice(1)), isCommitted: false});
	await assert.rejects(store.abilities.add(account, {...lamps, files: largeFiles}, noAgent), {kind: 'conflict'});
	for (let turn = 0; turn < 5; turn++) {
		await store.installed.remove(account, id);
		await store.installed.add(account, id);
	}

	const last = (await store.installed.get(account, id)).installed_cap_id;
	await store.abilities.remove(account, [id]);
	// The history has a limit of its own.
	assert.deepEqual({...(await count()), history: 0}, before);
	const {result: next} = await store.abilities.add(account, lamps, noAgent);
	assert.ok(next > last, `${next} after ${last}`);
	await store.close();
});
