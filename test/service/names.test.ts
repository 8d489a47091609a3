import {assert, DatabaseSync, path, test} from '../helpers/node.ts';
import {indexNames} from '../../source/interface/name-index.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {fieldsOf, newAbility, noAgent, temporaryDataFolder, testedDatabases} from './kit.ts';

/* Names count as one in any case, for the service and for its clients, whichever database is behind it. */

/** In another case; with a letter that has two characters, as the Kelvin sign; composed and not. */
const equalNames = [
	['Ärger', 'äRGER'],
	['\u{212A}elvin', 'kelvin'],
	['Cafe\u{301}', 'CAFÉ'],
] as const;

const abilityNamed = (name: string) => newAbility({name, files: []});

for (const {name: database, skip, createLocation} of testedDatabases) {
	test(`${database}: an account has no two keys whose names are equal in any case`, {skip}, async () => {
		const location = await createLocation();
		const keys = await openApiKeys(location);
		for (const [first, second] of equalNames) {
			const {id} = await keys.create({name: first});
			await assert.rejects(keys.create({name: second}), {kind: 'conflict'}, second);
			assert.deepEqual(fieldsOf(await keys.find([second]), 'id'), [id]);
		}

		await keys.close();
		// What two processes that create them at the same moment would do.
		const store = await openStore(location);
		await assert.rejects(
			store.accounts.addKey('default', new Uint8Array(32), () => equalNames[0][1]),
			/unique/i,
		);
		await store.close();
	});

	test(`${database}: a client finds an ability by each name that the service refuses beside it`, {skip}, async () => {
		const store = await openStore(await createLocation());
		const account = await store.accounts.ensure('default');
		for (const [first, second] of equalNames) {
			const {result: id} = await store.abilities.add(account, abilityNamed(first), noAgent);
			await assert.rejects(store.abilities.add(account, abilityNamed(second), noAgent), {kind: 'conflict', field: 'name'});
			const {records} = await store.abilities.list(account);
			assert.deepEqual(
				indexNames(records)
					.find(second)
					.map(record => record.id),
				[id],
				second,
			);
		}

		await store.close();
	});
}

test('abilities and keys that a home of an early version has under names that now count as one can be used, removed and named anew', async () => {
	const dataFolder = temporaryDataFolder();
	const before = await openStore(dataFolder);
	for (const [index, name] of ['Äther', 'other'].entries()) {
		await before.accounts.addKey('default', new Uint8Array(32).fill(index + 1), () => name);
		await before.abilities.add(1, abilityNamed(name), noAgent);
	}

	await before.close();
	const database = new DatabaseSync(path.join(dataFolder, 'switchboard.db'));
	// Version 3 told such names apart in this way.
	database.exec(`
		update abilities set name = 'äther', folded_name = (select folded_name from abilities where name = 'Äther') || char(31) || id where name = 'other';
		update api_keys set name = 'äther', folded_name = (select folded_name from api_keys where name = 'Äther') || char(31) || id where name = 'other'`);
	database.close();

	const store = await openStore(dataFolder);
	const {records: abilities} = await store.abilities.list(1);
	assert.deepEqual(fieldsOf(abilities, 'name'), ['Äther', 'äther']);
	for (const {id, name} of abilities) {
		const {result} = await store.installed.add(1, id);
		assert.equal(result.name, name);
	}

	for (const [index, name] of ['Äther', 'äther'].entries()) {
		const found = await store.accounts.findKey(new Uint8Array(32).fill(index + 1));
		assert.equal(found?.id, index + 1, name);
	}

	await assert.rejects(store.abilities.add(1, abilityNamed('ÄTHER'), noAgent), {kind: 'conflict'});
	await store.abilities.remove(1, fieldsOf(abilities, 'id'));
	await store.abilities.add(1, abilityNamed('ÄTHER'), noAgent);
	await store.close();
	assert.deepEqual(fieldsOf((await checkStore(dataFolder)).findings, 'severity', 'kind'), [['note', 'names']]);

	const keys = await openApiKeys(dataFolder);
	await assert.rejects(keys.find(['ÄTHER']), {kind: 'ambiguous'});
	await keys.revoke(['1', '2']);
	assert.equal((await keys.create({name: 'ÄTHER'})).name, 'ÄTHER');
	await keys.close();
});
