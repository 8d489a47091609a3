import assert from 'node:assert/strict';
import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {test} from 'node:test';
import {indexNames} from '../../source/interface/name-index.ts';
import {openApiKeys} from '../../source/service/api-keys.ts';
import {type NewAbility} from '../../source/service/store/changes.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {migrate} from '../../source/service/store/sqlite/migrate.ts';
import {migrations} from '../../source/service/store/sqlite/migrations.ts';
import {testedDatabases} from '../helpers/databases.ts';
import {temporaryDataFolder} from '../helpers/temporary-folder.ts';

/* Names count as one in any case, for the service and for its clients, whichever database is behind it. */

/** In another case; with a letter that has two characters, as the Kelvin sign; composed and not. */
const equalNames = [['Ärger', 'äRGER'], ['\u{212A}elvin', 'kelvin'], ['Cafe\u{301}', 'CAFÉ']] as const;

const abilityNamed = (name: string): NewAbility => ({
	name,
	category: 'skill',
	description: '',
	triggerPhrases: [],
	files: [],
	installedAs: true,
	changedAt: new Date('2026-01-02T03:04:05Z'),
});

const noAgent = (): undefined => undefined;

for (const {name: database, skip, createLocation} of testedDatabases) {
	test(`${database}: an account has no two keys whose names are equal in any case`, {skip}, async () => {
		const location = await createLocation();
		const keys = await openApiKeys(location);
		for (const [first, second] of equalNames) {
			const {id} = await keys.create({name: first});
			await assert.rejects(keys.create({name: second}), {kind: 'conflict'}, second);
			assert.deepEqual((await keys.find([second])).map(found => found.id), [id]);
		}

		await keys.close();
		// What two processes that create them at the same moment would do.
		const store = await openStore(location);
		await assert.rejects(store.accounts.addKey('default', new Uint8Array(32), () => equalNames[0][1]), /unique/i);
		await store.close();
	});

	test(`${database}: a client finds an ability by each name that the service refuses beside it`, {skip}, async () => {
		const store = await openStore(await createLocation());
		const account = await store.accounts.ensure('default');
		for (const [first, second] of equalNames) {
			const {result: id} = await store.abilities.add(account, abilityNamed(first), noAgent);
			await assert.rejects(store.abilities.add(account, abilityNamed(second), noAgent), {kind: 'conflict', field: 'name'});
			const {records} = await store.abilities.list(account);
			assert.deepEqual(indexNames(records).find(second).map(record => record.id), [id], second);
		}

		await store.close();
	});
}

test('abilities and keys of an earlier version whose names now count as one stay, and can be used, removed and named anew', async () => {
	const dataFolder = temporaryDataFolder();
	await mkdir(dataFolder, {mode: 0o700});
	const file = path.join(dataFolder, 'switchboard.db');
	const before = new DatabaseSync(file);
	migrate(before, file, migrations.slice(0, migrations.findIndex(step => step.includes('folded_name'))));
	before.exec(`
		insert into accounts (id, name, created_at) values (1, 'default', '2026-01-02T03:04:05.000Z');
	`);
	const abilityRows = before.prepare(`insert into abilities (id, account_id, name, category, description, trigger_words, last_updated, bytes)
		values (?, 1, ?, 'skill', '', '[]', '2026-01-02T03:04:05.000Z', 500)`);
	const releaseRows = before.prepare(`insert into releases (id, ability_id, version, is_committed, commit_message, created_at, bytes)
		values (?, ?, 1, 1, '', '2026-01-02T03:04:05.000Z', 500)`);
	const keyRows = before.prepare('insert into api_keys (id, account_id, name, hash, created_at) values (?, 1, ?, ?, \'2026-01-02T03:04:05.000Z\')');
	const newId = before.prepare('insert into identifiers default values returning id');
	for (const [index, name] of ['Äther', 'äther'].entries()) {
		const [id, releaseId] = [newId, newId].map(statement => Number(statement.get()?.['id']));
		abilityRows.run(id!, name);
		releaseRows.run(releaseId!, id!);
		keyRows.run(index + 1, name, new Uint8Array(32).fill(index + 1));
	}

	before.close();

	await migrateStore(dataFolder);
	const store = await openStore(dataFolder);
	const {records: abilities} = await store.abilities.list(1);
	assert.deepEqual(abilities.map(({name}) => name), ['Äther', 'äther']);
	for (const {id, name} of abilities) {
		const {result} = await store.installed.add(1, id);
		assert.equal(result.name, name);
	}

	for (const [index, name] of ['Äther', 'äther'].entries()) {
		const found = await store.accounts.findKey(new Uint8Array(32).fill(index + 1));
		assert.equal(found?.id, index + 1, name);
	}

	await assert.rejects(store.abilities.add(1, abilityNamed('ÄTHER'), noAgent), {kind: 'conflict'});
	await store.abilities.remove(1, abilities.map(({id}) => id));
	await store.abilities.add(1, abilityNamed('ÄTHER'), noAgent);
	await store.close();

	const keys = await openApiKeys(dataFolder);
	await assert.rejects(keys.find(['ÄTHER']), {kind: 'ambiguous'});
	await keys.revoke(['1', '2']);
	assert.equal((await keys.create({name: 'ÄTHER'})).name, 'ÄTHER');
	await keys.close();
});
