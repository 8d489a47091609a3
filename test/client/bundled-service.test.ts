import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, fieldsOf, told} from './clients.ts';

/** The bundled service with its sample home, and a key made as `keys create` makes it. */
async function startBundled(t: {readonly after: (close: () => Promise<void>) => void}, requestsPerMinute?: number) {
	const dataFolder = temporaryFolder();
	const keys = await openApiKeys(dataFolder);
	const {key} = await keys.create();
	await keys.close();
	const service = await startService({location: dataFolder, isSampleWanted: true, requestsPerMinute});
	t.after(async () => service.close());
	return {baseAddress: service.baseAddress, apiKey: key};
}

const service = await startBundled({after});
const client = clientOf(service);

test('the three lists of the sample home can be read', async () => {
	const [agents, abilities, installed] = await Promise.all([client.list('agents'), client.list('abilities'), client.list('installed')]);
	assert.equal(agents.records.length, 3);
	assert.ok(abilities.records.length >= 12);
	assert.ok(installed.records.length > 0);
	assert.deepEqual(fieldsOf([agents, abilities, installed], 'leftOutCount', 'isComplete'), [
		[0, true],
		[0, true],
		[0, true],
	]);
});

test('a switched ability is switched in the list, and back again, and keeps everything else', async () => {
	const before = await client.list('installed');
	assert.equal(await client.list('installed', undefined, before), before, 'a list that has not changed is the same object');
	const [first] = before.records;
	const switched = await client.editInstalled(first!, {enabled: !first!.isEnabled});
	assert.equal(switched.isEnabled, !first!.isEnabled);
	const listed = (await client.list('installed', undefined, before)).records.find(({id}) => id === first!.id)!;
	assert.equal(listed.isEnabled, !first!.isEnabled);
	assert.equal(listed.changedAt, switched.changedAt);
	assert.deepEqual({...listed.raw, enabled: null, last_updated: null}, {...first!.raw, enabled: null, last_updated: null});
	assert.equal((await client.editInstalled(switched, {enabled: first!.isEnabled!})).isEnabled, first!.isEnabled);
});

test('one ability is read by its id; an unknown id, and a toggle of what is not installed, are not found', async () => {
	const [ability] = (await client.list('abilities')).records;
	assert.deepEqual(await client.getAbility(ability!.id), ability);
	const error = await failureOf(client.getAbility(987_654));
	assert.equal(error.kind, 'not-found');
	assert.match(told(error), /No ability has the id 987654.*switchboard abilities/);
	const [installed] = (await client.list('installed')).records;
	const gone = await failureOf(client.editInstalled({...installed!, id: 987_654}, {enabled: true}));
	assert.deepEqual([gone.kind, gone.message], ['not-found', `${installed!.name} is no longer installed.`]);
});

test('the sign-in check passes with the key and names the key without it', async () => {
	const wrong = clientOf({...service, apiKey: 'some-other-key'});
	assert.deepEqual(fieldsOf([await client.verifyKey(), await wrong.verifyKey()], 'isValid'), [true, false]);
	await client.checkKey();
	const errors = [await failureOf(wrong.checkKey()), await failureOf(wrong.list('installed'))];
	assert.deepEqual(fieldsOf(errors, 'kind'), ['key-refused', 'key-refused']);
	assert.ok(errors.every(error => told(error).includes('switchboard keys create') && !told(error).includes('dashboard')));
	assert.doesNotMatch(errors.map(error => told(error)).join('\n'), /some-other-key/);
});

test('an exceeded rate limit is reported with how long to wait', async (t: TestContext) => {
	const limited = clientOf(await startBundled(t, 2));
	await limited.list('agents');
	await limited.list('agents');
	const error = await failureOf(limited.list('agents'));
	assert.equal(error.kind, 'rate-limited');
	// Its own words hold the advice already.
	assert.match(error.message, /: This key may send 2 requests a minute\. Try again in \d+ s\.$/);
	assert.equal(error.nextStep, undefined);
});
