import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
	type JsonRecord,
	named,
	paths,
	startTestService,
} from './running-service.ts';

test('installing an ability enables it with its own trigger phrases', async () => {
	await using service = await startTestService();
	const story = named(await service.read(paths.abilities), 'bedtimestory');
	const {status, json} = await service.ask('GET', paths.install(story['id']));
	assert.equal(status, 200);
	const record = json as JsonRecord;
	assert.deepEqual([record['name'], record['enabled'], record['trigger_words']], ['bedtimestory', true, story['trigger_words']]);
	assert.deepEqual(named(await service.read(paths.installed), 'bedtimestory'), record);
	assert.equal(named(await service.read(paths.abilities), 'bedtimestory')['is_installed'], true);
});

test('installing an installed ability changes nothing', async () => {
	await using service = await startTestService();
	const before = named(await service.read(paths.installed), 'nightwatch');
	assert.equal(before['enabled'], false);
	const {json} = await service.ask('GET', paths.install(before['capability_id']));
	assert.deepEqual(json, before);
});

test('an installed ability is uninstalled by its own id or that of its ability; the ability and its ties stay', async () => {
	await using service = await startTestService();
	const agents = await service.read(paths.agents);
	const installed = await service.read(paths.installed);
	const pantry = named(installed, 'pantry');
	const goodnight = named(installed, 'goodnight');
	const first = await service.ask('DELETE', paths.uninstall(pantry['id']));
	assert.deepEqual(first.json, {detail: 'pantry was uninstalled.'});
	const second = await service.ask('DELETE', paths.uninstall(goodnight['capability_id']));
	assert.equal(second.status, 200);
	assert.equal((await service.ask('DELETE', paths.uninstall(pantry['id']))).status, 404);

	const left = await service.read(paths.installed);
	assert.deepEqual(left, installed.filter(record => record !== pantry && record !== goodnight));
	assert.equal(named(await service.read(paths.abilities), 'pantry')['is_installed'], false);
	assert.deepEqual(await service.read(paths.agents), agents);
});
