import assert from 'node:assert/strict';
import {test} from 'node:test';
import {paths, startTestService} from './running-service.ts';

test('a new account has one agent and nothing else', async () => {
	await using service = await startTestService();
	const key = await service.createKey('parents');
	const agents = await service.read(paths.agents, key);
	assert.equal(agents.length, 1);
	assert.equal(agents[0]!['name'], 'Home');
	assert.deepEqual(agents[0]!['matching_capabilities'], []);
	assert.deepEqual(await service.read(paths.abilities, key), []);
	assert.deepEqual(await service.read(paths.installed, key), []);
});

test('the records of another account cannot be read or changed', async () => {
	await using service = await startTestService();
	const stranger = await service.createKey('stranger');
	const [installed] = await service.read(paths.installed);
	const [ability] = await service.read(paths.abilities);

	const byItsId = await service.ask('PUT', paths.editInstalled(installed!['id']), {key: stranger, body: {enabled: false}});
	assert.equal(byItsId.status, 404);
	assert.deepEqual(byItsId.json, {detail: `There is no installed ability with the id ${String(installed!['id'])}.`});
	const byItsAbility = await service.ask('PUT', paths.editInstalled(ability!['id']), {key: stranger, body: {enabled: false}});
	assert.equal(byItsAbility.status, 404);

	const found = await service.ask('GET', paths.ability(ability!['id']), {key: stranger});
	const missing = await service.ask('GET', paths.ability(999_999), {key: stranger});
	assert.equal(found.status, 404);
	// The same words as for an id that does not exist.
	assert.equal(found.text, missing.text.replace('999999', String(ability!['id'])));

	const [unchanged] = await service.read(paths.installed);
	assert.deepEqual(unchanged, installed);
});
