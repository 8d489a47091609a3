import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {openApiKeys} from '../../source/service/api-keys.ts';
import {startService} from '../../source/service/service.ts';
import {clientOf, failureOf, told} from './clients.ts';

/** The bundled service with its sample home, and a key made as `keys create` makes it. */
const startBundled = async (t: TestContext, requestsPerMinute?: number) => {
	const dataFolder = await mkdtemp(path.join(tmpdir(), 'switchboard-client-'));
	const keys = await openApiKeys(dataFolder);
	const {key} = await keys.create();
	await keys.close();
	const service = await startService({dataFolder, isSampleWanted: true, requestsPerMinute});
	t.after(async () => {
		await service.close();
		await rm(dataFolder, {recursive: true, force: true});
	});
	return {baseAddress: service.baseAddress, apiKey: key};
};

test('the three lists of the sample home can be read', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [agents, abilities, installed] = await Promise.all([client.listAgents(), client.listAbilities(), client.listInstalled()]);
	t.assert.strictEqual(agents.records.length, 3);
	t.assert.ok(abilities.records.length >= 12);
	t.assert.ok(installed.records.length > 0);
	t.assert.ok(installed.records.length <= abilities.records.length);
	t.assert.deepStrictEqual([agents, abilities, installed].map(({leftOutCount, isComplete}) => [leftOutCount, isComplete]), [[0, true], [0, true], [0, true]]);
});

test('a switched ability is switched in the list, and back again, and keeps everything else', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listInstalled()).records;
	const switched = await client.setEnabled(first!, !first!.isEnabled);
	t.assert.strictEqual(switched.isEnabled, !first!.isEnabled);
	const listed = (await client.listInstalled()).records.find(({id}) => id === first!.id)!;
	t.assert.strictEqual(listed.isEnabled, !first!.isEnabled);
	t.assert.strictEqual(listed.changedAt, switched.changedAt);
	t.assert.deepStrictEqual(
		{...listed.raw, enabled: null, last_updated: null},
		{...first!.raw, enabled: null, last_updated: null},
	);
	t.assert.strictEqual((await client.setEnabled(switched, first!.isEnabled!)).isEnabled, first!.isEnabled);
});

test('one ability is read by its id, and an unknown id is told apart', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listAbilities()).records;
	t.assert.deepStrictEqual(await client.getAbility(first!.id), first);
	const error = await failureOf(client.getAbility(987_654));
	t.assert.strictEqual(error.kind, 'not-found');
	t.assert.match(told(error), /no ability with the id 987654.*switchboard abilities/);
});

test('a toggle of what is not installed any more says so', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const [first] = (await client.listInstalled()).records;
	const error = await failureOf(client.setEnabled({...first!, id: 987_654}, true));
	t.assert.strictEqual(error.kind, 'not-found');
	t.assert.match(error.message, new RegExp(String.raw`^${first!.name} is not installed any more\.$`));
});

test('a list that has not changed comes back as the same object', async (t: TestContext) => {
	const client = clientOf(await startBundled(t));
	const before = await client.listInstalled();
	t.assert.strictEqual(await client.listInstalled(), before);
	await client.setEnabled(before.records[0]!, !before.records[0]!.isEnabled);
	t.assert.notStrictEqual(await client.listInstalled(), before);
});

test('the key is verified, and the agents are listed, with the key in the body', async (t: TestContext) => {
	const service = await startBundled(t);
	const client = clientOf(service);
	t.assert.strictEqual(await client.verifyKey(), true);
	t.assert.deepStrictEqual((await client.listAgentsBodyStyle()).records.map(({name}) => name), (await client.listAgents()).records.map(({name}) => name));
	t.assert.strictEqual(await clientOf({...service, apiKey: 'some-other-key'}).verifyKey(), false);
});

test('the sign-in check passes with the key and names the key without it', async (t: TestContext) => {
	const service = await startBundled(t);
	await clientOf(service).checkKey();
	const wrong = clientOf({...service, apiKey: 'some-other-key'});
	const errors = [await failureOf(wrong.checkKey()), await failureOf(wrong.listInstalled()), await failureOf(wrong.listAgentsBodyStyle())];
	t.assert.deepStrictEqual(errors.map(({kind}) => kind), ['key-refused', 'key-refused', 'key-refused']);
	t.assert.ok(errors.every(error => told(error).includes('switchboard keys create') && !told(error).includes('dashboard')));
	t.assert.doesNotMatch(errors.map(error => told(error)).join('\n'), /some-other-key/);
});

test('too many requests are told with how long to wait', async (t: TestContext) => {
	const client = clientOf(await startBundled(t, 2));
	await client.listAgents();
	await client.listAgents();
	const error = await failureOf(client.listAgents());
	t.assert.strictEqual(error.kind, 'rate-limited');
	t.assert.ok(error.retryAfterMilliseconds! > 0);
	t.assert.ok(error.retryAfterMilliseconds! <= 60_000);
	// Its own words hold the advice already.
	t.assert.match(error.message, /: This key may send 2 requests a minute\. Try again in \d+ s\.$/);
	t.assert.strictEqual(error.nextStep, undefined);
});
