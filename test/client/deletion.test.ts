import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {clientOf, failureOf, jsonAnswer, lines, paths, startDocumented, startLiveLike, startOdd, told} from './clients.ts';

const deletePath = (id: number): string => `/api/capabilities/delete-capability/${id}/`;

const lamps = {id: 21, name: 'lamps'};

const retries = {reads: 2, writes: 1};

test('an ability is deleted by the documented path if there is one', async (t: TestContext) => {
	const service = await startDocumented(t);
	await clientOf(service).deleteAbility({id: 12, name: '#12'});
	assertMapped(service.abilities, ability => ability.capability_id, [11, 13]);
	assert.deepEqual(lines(service.requests), [`POST ${deletePath(12)}`]);
});

for (const [deletion, route] of [
	['batch', 'POST /api/capabilities/delete-capability/'],
	['older', 'DELETE /api/capabilities/delete-capability/21'],
] as const) {
	test(`an ability is deleted by ${route} if that is the only path, which is remembered`, async (t: TestContext) => {
		const service = await startLiveLike(t, {deletion});
		const client = clientOf(service);
		await client.deleteAbility(lamps);
		assert.equal(service.abilities.length, 3);
		assert.equal(lines(service.requests)[0], `POST ${deletePath(21)}`);
		assert.equal(lines(service.requests).at(-1), route);
		const before = service.requests.length;
		await client.deleteAbility({id: 22, name: 'pantry'});
		assert.deepEqual(lines(service.requests).slice(before), [route.replace('21', '22')]);
	});
}

test('the batch form holds the one id and no key', async (t: TestContext) => {
	const service = await startLiveLike(t);
	await clientOf(service).deleteAbility(lamps);
	assert.equal(service.requests.at(-1)!.body, '{"capability_ids":[21]}');
});

test('an ability that no longer exists is reported as such', async (t: TestContext) => {
	const service = await startLiveLike(t, {deletion: 'documented'});
	const error = await failureOf(clientOf(service).deleteAbility({id: 99, name: 'ghost'}));
	assert.deepEqual([error.kind, error.message], ['not-found', 'ghost no longer exists.']);
});

test('an ability that an incomplete list lacks is not reported as deleted', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.abilities]: jsonAnswer({results: [{id: 21, name: 'lamps'}], next: paths.abilities})});
	const error = await failureOf(clientOf(service).deleteAbility({id: 99, name: 'ghost'}));
	assert.deepEqual([error.kind, error.status], ['not-found', 404]);
	assert.doesNotMatch(error.message, /no longer exists/);
});

test('an ability that is listed but cannot be deleted, or uninstalled, is reported as such', async (t: TestContext) => {
	const service = await startLiveLike(t);
	service.failNext({status: 404, when: ({path}) => path.includes('delete-capability'), times: 9});
	const error = await failureOf(clientOf(service).deleteAbility(lamps));
	assert.equal(error.kind, 'not-found');
	assert.match(told(error), /lists lamps but cannot delete it \(HTTP 404\)\. Use the dashboard/);
	service.failNext({status: 404, when: ({path}) => path.includes('uninstall-capability')});
	const removal = await failureOf(clientOf(service).uninstallAbility({id: 301, name: 'lamps'}));
	assert.match(told(removal), /lists lamps but cannot uninstall it \(HTTP 404\)\. Use the dashboard/);
});

for (const deletion of ['documented', 'batch'] as const) {
	test(`a deletion (${deletion}) whose first attempt was carried out and cut off succeeds`, async (t: TestContext) => {
		const service = await startLiveLike(t, {deletion});
		service.failNext({
			cut: 'connection',
			isCarriedOut: true,
			when: ({path}) => path === (deletion === 'batch' ? '/api/capabilities/delete-capability/' : deletePath(21)),
		});
		await clientOf(service, {retries}).deleteAbility(lamps);
		assert.equal(service.abilities.length, 3);
	});
}

test('the outcome of a deletion is unknown if its first attempt was cut off and the ability is still listed', async (t: TestContext) => {
	const service = await startLiveLike(t, {deletion: 'documented'});
	service.failNext({cut: 'connection', when: ({path}) => path === deletePath(21)});
	service.failNext({status: 404, when: ({path}) => path.includes('delete-capability'), times: 9});
	const error = await failureOf(clientOf(service, {retries}).deleteAbility(lamps));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['not-found', true]);
	assert.doesNotMatch(error.message, /cannot delete/);
});

test('an uninstallation whose first attempt was carried out and cut off is not reported as unsupported', async (t: TestContext) => {
	const service = await startLiveLike(t);
	service.failNext({cut: 'connection', isCarriedOut: true});
	const error = await failureOf(clientOf(service, {retries}).uninstallAbility({id: 301, name: 'lamps'}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['not-found', true]);
	assert.doesNotMatch(error.message, /cannot uninstall/);
	assert.equal(service.installed.length, 2);
});
