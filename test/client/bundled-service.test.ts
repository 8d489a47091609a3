import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {openApiKeys} from '../../source/service/api-keys.ts';
import {startService} from '../../source/service/service.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, told} from './clients.ts';

/** The bundled service with its sample home, and a key made as `keys create` makes it. */
const startBundled = async (t: TestContext, requestsPerMinute?: number) => {
	const dataFolder = temporaryFolder();
	const keys = await openApiKeys(dataFolder);
	const {key} = await keys.create();
	await keys.close();
	const service = await startService({dataFolder, isSampleWanted: true, requestsPerMinute});
	t.after(async () => service.close());
	return {baseAddress: service.baseAddress, apiKey: key};
};

test('the three lists of the sample home can be read', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [agents, abilities, installed] = await Promise.all([client.listAgents(), client.listAbilities(), client.listInstalled()]);
	assert.equal(agents.records.length, 3);
	assert.ok(abilities.records.length >= 12);
	assert.ok(installed.records.length > 0);
	assert.ok(installed.records.length <= abilities.records.length);
	assert.deepEqual([agents, abilities, installed].map(({leftOutCount, isComplete}) => [leftOutCount, isComplete]), [[0, true], [0, true], [0, true]]);
});

test('a switched ability is switched in the list, and back again, and keeps everything else', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listInstalled()).records;
	const switched = await client.setEnabled(first!, !first!.isEnabled);
	assert.equal(switched.isEnabled, !first!.isEnabled);
	const listed = (await client.listInstalled()).records.find(({id}) => id === first!.id)!;
	assert.equal(listed.isEnabled, !first!.isEnabled);
	assert.equal(listed.changedAt, switched.changedAt);
	assert.deepEqual(
		{...listed.raw, enabled: null, last_updated: null},
		{...first!.raw, enabled: null, last_updated: null},
	);
	assert.equal((await client.setEnabled(switched, first!.isEnabled!)).isEnabled, first!.isEnabled);
});

test('one ability is read by its id, and an unknown id is told apart', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listAbilities()).records;
	assert.deepEqual(await client.getAbility(first!.id), first);
	const error = await failureOf(client.getAbility(987_654));
	assert.equal(error.kind, 'not-found');
	assert.match(told(error), /no ability with the id 987654.*switchboard abilities/);
});

test('a toggle of what is not installed any more says so', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listInstalled()).records;
	const error = await failureOf(client.setEnabled({...first!, id: 987_654}, true));
	assert.equal(error.kind, 'not-found');
	assert.match(error.message, new RegExp(String.raw`^${first!.name} is not installed any more\.$`));
});

test('a list that has not changed comes back as the same object', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const before = await client.listInstalled();
	assert.equal(await client.listInstalled(), before);
	await client.setEnabled(before.records[0]!, !before.records[0]!.isEnabled);
	assert.notEqual(await client.listInstalled(), before);
});

test('the key is verified, and the agents are listed, with the key in the body', async (t: TestContext) => {
	const service = await startBundled(t);
	const client = clientOf(service);
	assert.equal(await client.verifyKey(), true);
	assert.deepEqual((await client.listAgentsBodyStyle()).records.map(({name}) => name), (await client.listAgents()).records.map(({name}) => name));
	assert.equal(await clientOf({...service, apiKey: 'some-other-key'}).verifyKey(), false);
});

test('the sign-in check passes with the key and names the key without it', async (t: TestContext) => {
	const service = await startBundled(t);
	await clientOf(service).checkKey();
	const wrong = clientOf({...service, apiKey: 'some-other-key'});
	const errors = [await failureOf(wrong.checkKey()), await failureOf(wrong.listInstalled()), await failureOf(wrong.listAgentsBodyStyle())];
	assert.deepEqual(errors.map(({kind}) => kind), ['key-refused', 'key-refused', 'key-refused']);
	assert.ok(errors.every(error => told(error).includes('switchboard keys create') && !told(error).includes('dashboard')));
	assert.doesNotMatch(errors.map(error => told(error)).join('\n'), /some-other-key/);
});

test('too many requests are told with how long to wait', async (t: TestContext) => {
	const client = clientOf(await startBundled(t, 2));
	await client.listAgents();
	await client.listAgents();
	const error = await failureOf(client.listAgents());
	assert.equal(error.kind, 'rate-limited');
	assert.ok(error.retryAfterMilliseconds! > 0);
	assert.ok(error.retryAfterMilliseconds! <= 60_000);
	// Its own words hold the advice already.
	assert.match(error.message, /: This key may send 2 requests a minute\. Try again in \d+ s\.$/);
	assert.equal(error.nextStep, undefined);
});
