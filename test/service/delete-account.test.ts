import {assert, Buffer, DatabaseSync, path, readdirSync, readFileSync, test} from '../helpers/node.ts';
import {setImmediate} from 'node:timers/promises';
import type {SwitchboardError} from '../../source/interface/errors.ts';
import {openAccounts, openApiKeys} from '../../source/service/accounts.ts';
import type {NewAbility} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import type {Store} from '../../source/service/store/store.ts';
import {fieldsOf, followChanges, newAbility, noAgent, paths, startTestService, temporaryDataFolder, testOnEach} from './kit.ts';

const marker = 'kEEpSake';

const ability = (name: string, text: string, files: NewAbility['files']) =>
	newAbility({name, description: text, triggerPhrases: [`say ${text.slice(0, 60)}`], files});

const textFile = (text: string, length: number): NewAbility['files'][number] => ({
	path: 'main.py',
	bytes: Buffer.from(text.repeat(Math.ceil(length / text.length))),
});

/** Stored in several steps. */
const largeFiles = Array.from({length: 4}, (_, index) => ({...textFile(marker, 1024 * 1024), path: `sound${index}.wav`}));

/** How often the marker is in the files of a data folder. */
function countMarkers(folder: string): number {
	let count = 0;
	for (const name of readdirSync(folder)) {
		const bytes = readFileSync(path.join(folder, name));
		for (let index = bytes.indexOf(marker); index !== -1; index = bytes.indexOf(marker, index + 1)) {
			count++;
		}
	}

	return count;
}

/** Removes an account as the command does. */
async function remove(location: string, name: string): Promise<void> {
	const accounts = await openAccounts(location);
	try {
		const {id} = await accounts.find(name);
		await accounts.remove(id);
		await accounts.erase();
	} finally {
		await accounts.close();
	}
}

/** Texts of many lengths, changed again and again between those of another account, so that SQLite moves records between pages. */
async function fillInTurns(store: Store, first: number, second: number): Promise<void> {
	for (let round = 0; round < 30; round++) {
		for (const [accountId, word] of [
			[first, marker],
			[second, 'otherdata'],
		] as const) {
			const text = `${word}${round} `.repeat(1 + ((round * 37) % 150));
			const {result: id} = await store.abilities.add(accountId, ability(`a${round}`, text, [textFile(text, 200)]), noAgent);
			const [agent] = (await store.agents.list(accountId)).records;
			await store.agents.change(accountId, agent!.id, () => ({description: text}));
			if (round % 3 === 0) {
				await store.abilities.remove(accountId, [id]);
			} else {
				await store.installed.change(accountId, id, () => ({enabled: false, trigger_words: [text.slice(0, (round * 13) % 90)]}));
			}
		}
	}
}

/** Leaves a deleted text within a page that other records use, as SQLite itself does now and then when it moves records. */
function leaveInGap(folder: string): void {
	using database = new DatabaseSync(path.join(folder, 'switchboard.db'), {timeout: 5000});
	database.exec('pragma secure_delete = off');
	database.prepare('insert into accounts (name, created_at) values (?, ?)').run('gap', marker.repeat(20));
	database.exec("delete from accounts where name = 'gap'");
}

test('nothing of a deleted account is left in the files of the database, and all of another one is', async () => {
	const folder = temporaryDataFolder();
	const store = await openStore(folder);
	const [guests, own] = [await store.accounts.ensure('guests'), await store.accounts.ensure('own')];
	await fillInTurns(store, guests, own);
	await store.abilities.add(guests, ability('large', marker, largeFiles), noAgent);
	leaveInGap(folder);
	const before = [await store.agents.list(own), await store.abilities.list(own), await store.installed.list(own)];
	assert.ok(countMarkers(folder) > 500);
	await remove(folder, 'guests');
	assert.equal(countMarkers(folder), 0);
	assert.deepEqual([await store.agents.list(own), await store.abilities.list(own), await store.installed.list(own)], before);
	assert.deepEqual(fieldsOf(await store.accounts.list(), 'name'), ['own']);
	await store.close();
	assert.equal(countMarkers(folder), 0);
	assert.deepEqual((await checkStore(folder)).findings, []);
});

test('while another program reads the database without end, it is said that its log still has what was deleted', async () => {
	const folder = temporaryDataFolder();
	const store = await openStore(folder);
	const guests = await store.accounts.ensure('guests');
	await store.abilities.add(guests, ability('lamps', marker, [textFile(marker, 1000)]), noAgent);
	using reader = new DatabaseSync(path.join(folder, 'switchboard.db'), {readOnly: true});
	reader.exec('begin; select count(*) from accounts');
	await assert.rejects(remove(folder, 'guests'), {
		kind: 'unexpected',
		message:
			/^Deleted records may still be found in .+switchboard\.db or its log, which cannot be written anew: another program has been reading it all the time\.$/,
		nextStep: /sqlite3/,
	});
	assert.deepEqual(await store.accounts.list(), []);
	reader.exec('commit');
	await store.erase!();
	assert.equal(countMarkers(folder), 0);
	await store.close();
});

testOnEach('accounts are listed with what they hold, and one is deleted with all of that', async location => {
	const store = await openStore(location);
	const [guests, own] = [await store.accounts.ensure('guests'), await store.accounts.ensure('own')];
	for (const accountId of [guests, own]) {
		await store.abilities.add(accountId, ability('lamps', 'Switches the lamps.', [textFile('x', 1000)]), () => undefined);
		const [agent] = (await store.agents.list(accountId)).records;
		const [lamps] = (await store.abilities.list(accountId)).records;
		await store.agents.change(accountId, agent!.id, () => ({abilityIds: [lamps!.id]}));
	}

	const keys = await openApiKeys(location);
	await keys.create({account: 'guests'});
	await keys.create({account: 'guests'});
	const listed = await store.accounts.list();
	assert.deepEqual(fieldsOf(listed, 'name', 'keys'), [
		['guests', 2],
		['own', 0],
	]);
	assert.equal(listed[0]!.bytes, listed[1]!.bytes);
	assert.ok(listed[0]!.bytes > 3000);
	await assert.rejects(remove(location, 'gusts'), {
		kind: 'not-found',
		message: 'There is no account “gusts”.',
		nextStep: 'Did you mean: guests',
	});
	await remove(location, 'GUESTS');
	assert.deepEqual(fieldsOf(await store.accounts.list(), 'name', 'keys', 'bytes'), [['own', 0, listed[1]!.bytes]]);
	assert.deepEqual(await keys.list(), []);
	assert.deepEqual(fieldsOf((await store.abilities.list(own)).records, 'name'), ['lamps']);
	await assert.rejects(store.abilities.list(guests), {kind: 'key-refused'});
	const findings = await checkStore(location);
	assert.deepEqual(findings.findings, []);
	assert.match(
		findings.summary[0]!,
		/^It holds 1 account, 0 keys, 1 agent, 1 ability \(1 installed\) and 1 release\. Its history has 3 entries\.$/,
	);
	await keys.close();
	await store.close();
});

testOnEach('an upload that is under way when its account is deleted leaves nothing behind', async (location, _t, {name}) => {
	const store = await openStore(location);
	const guests = await store.accounts.ensure('guests');
	const accounts = await openAccounts(location);
	const added = store.abilities.add(guests, ability('large', marker, largeFiles), noAgent);
	const outcome = added.then(() => 'stored').catch((error: unknown) => (error as SwitchboardError).kind);
	await setImmediate();
	await accounts.remove(guests);
	// PostgreSQL may have stored it before. SQLite stores it in steps, of which none has its turn meanwhile.
	assert.ok([...(name === 'SQLite' ? [] : ['stored']), 'key-refused'].includes(await outcome), await outcome);
	await accounts.erase();
	await accounts.close();
	const {findings, summary} = await checkStore(location);
	assert.deepEqual(findings, []);
	assert.match(summary[0]!, /^It holds 0 accounts, 0 keys, 0 agents, 0 abilities \(0 installed\) and 0 releases\.$/);
	await store.close();
	assert.equal(name === 'SQLite' ? countMarkers(location) : 0, 0);
});

test('a running service stops serving a deleted account at once, and ends its streams', async () => {
	const location = temporaryDataFolder();
	await using service = await startTestService({location});
	const key = await service.createKey('guests');
	await using stream = await followChanges(service.baseAddress, key);
	await using other = await followChanges(service.baseAddress, service.key);
	await remove(location, 'guests');
	assert.equal((await service.ask('GET', paths.agents, {key})).status, 401);
	await stream.ended;
	assert.equal((await service.ask('GET', paths.agents)).status, 200);
	assert.equal(other.status, 200);
});
