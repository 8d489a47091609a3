import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {clientOf, failureOf, fieldsOf, lines, paths, startDocumented, startLiveLike, startOdd, told} from './clients.ts';

test('a service with only the documented interface is used by the documented paths', async (t: TestContext) => {
	const service = await startDocumented(t);
	const client = clientOf(service);
	await client.list('agents');
	await client.list('abilities');
	await client.list('abilities');
	const {records} = await client.list('installed');
	await client.getAbility(12);
	await client.editInstalled(records[0]!, {enabled: false});
	assert.deepEqual(lines(service.requests), [
		`GET ${paths.agents}`,
		`GET ${paths.abilities}`,
		`GET ${paths.abilities}`,
		`GET ${paths.installed}`,
		`GET ${paths.ability(12)}`,
		`PUT ${paths.editInstalled(101)}`,
	]);
});

test('the sign-in check passes on a service that cannot verify keys', async (t: TestContext) => {
	const service = await startDocumented(t);
	await clientOf(service).checkKey();
	assert.equal((await failureOf(clientOf({...service, apiKey: 'another-key'}).checkKey())).kind, 'key-refused');
});

test('the sign-in check passes, whatever the verification answers, if the documented list opens', async (t: TestContext) => {
	for (const status of [400, 401, 403, 404, 405, 429, 500, 200]) {
		const service = await startOdd(t, {'*': {status}, [paths.installed]: jsonAnswer([])});
		await clientOf(service).checkKey();
		assert.equal(lines(service.requests).at(-1), `GET ${paths.installed}`);
	}
});

test('the sign-in check believes a service that says the key is not valid', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.verifyKey]: jsonAnswer({valid: false}), [paths.installed]: jsonAnswer([])});
	assert.equal((await failureOf(clientOf(service).checkKey())).kind, 'key-refused');
	assert.deepEqual(lines(service.requests), [`POST ${paths.verifyKey}`, `GET ${paths.installed}`], 'the list may say what to do');
});

test('the documented path is tried first; an also-seen one is remembered once it has answered', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const client = clientOf(service);
	await client.list('abilities');
	await client.list('abilities');
	await client.list('abilities');
	assert.deepEqual(lines(service.requests), [
		`GET ${paths.abilities}`,
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilitiesAlsoSeen}`,
	]);
	await clientOf(service).list('abilities');
	assert.equal(lines(service.requests).at(-2), `GET ${paths.abilities}`, 'another client begins anew');
});

test('404 and 405 for the documented path lead to the also-seen one, other answers do not', async (t: TestContext) => {
	for (const status of [404, 405]) {
		const service = await startOdd(t, {[paths.abilities]: {status}, [paths.abilitiesAlsoSeen]: jsonAnswer([{id: 5}])});
		assert.deepEqual(fieldsOf((await clientOf(service).list('abilities')).records, 'id'), [5]);
	}

	const service = await startOdd(t, {[paths.abilitiesAlsoSeen]: jsonAnswer([])});
	for (const status of [301, 400, 401, 403, 409, 429, 500, 502, 503]) {
		service.program(paths.abilities, {status});
		assert.equal((await failureOf(clientOf(service).list('abilities'))).status, status);
	}

	// After a 401 the other list shows whether the key is refused altogether.
	assert.deepEqual(new Set(lines(service.requests)), new Set([`GET ${paths.abilities}`, `GET ${paths.installed}`]));
});

test('an also-seen path that answered with an error is not remembered', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.abilitiesAlsoSeen, {status: 500}, {status: 404}, jsonAnswer([]));
	const client = clientOf(service);
	assert.equal((await failureOf(client.list('abilities'))).status, 500);
	assert.equal((await failureOf(client.list('abilities'))).status, 404);
	assert.deepEqual((await client.list('abilities')).records, []);
	await client.list('abilities');
	assert.deepEqual(lines(service.requests), [
		`GET ${paths.abilities}`,
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilities}`,
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilities}`,
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilitiesAlsoSeen}`,
	]);
});

test('if a remembered path is gone, the documented one is used', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.abilities, {status: 404}, jsonAnswer([{id: 1}]));
	service.program(paths.abilitiesAlsoSeen, jsonAnswer([{id: 2}]), {status: 404});
	const client = clientOf(service);
	const listed = [await client.list('abilities'), await client.list('abilities'), await client.list('abilities')];
	assertMapped(listed, ({records}) => records[0]?.id, [2, 1, 1]);
	assert.deepEqual(lines(service.requests).slice(2), [
		`GET ${paths.abilitiesAlsoSeen}`,
		`GET ${paths.abilities}`,
		`GET ${paths.abilities}`,
	]);
});

test('a path that worked before and is unknown now is tried once', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, enabled: true}])});
	service.program(paths.editInstalled(1), {status: 204}, {status: 404});
	const client = clientOf(service);
	const {records} = await client.list('installed');
	const off = await client.editInstalled(records[0]!, {enabled: false});
	assert.equal((await failureOf(client.editInstalled(off, {enabled: true}))).kind, 'not-found');
	assert.equal(lines(service.requests).filter(line => line === `PUT ${paths.editInstalled(1)}`).length, 2);
});

test('if no path is known, the error says to check the address of the service', async (t: TestContext) => {
	const service = await startOdd(t, {'*': htmlAnswer('<!DOCTYPE html><h1>Not Found</h1>', 404)});
	const error = await failureOf(clientOf(service).list('abilities'));
	assert.equal(error.kind, 'not-found');
	assert.equal(error.status, 404);
	assert.match(told(error), /HTTP 404.*Check the address/);
	assert.doesNotMatch(told(error), /</);
});

test('a key is verified by either spelling of the path, and the agents are listed by either', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.verifyKeyWithoutSlash]: jsonAnswer({valid: true}),
		[paths.agentsBodyStyleWithSlash]: jsonAnswer({personalities: [{id: '3', name: 'Porch'}]}),
	});
	const client = clientOf(service);
	assert.equal((await client.verifyKey()).isValid, true);
	assert.deepEqual(fieldsOf((await client.list('agents')).records, 'id', 'name'), [[3, 'Porch']]);
	assert.ok(service.requests.filter(({method}) => method === 'POST').every(({body}) => body.includes('"api_key"')));
});

test('agents are listed by the body-style operation if the documented path is unknown', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.agentsBodyStyle]: jsonAnswer({personalities: [{id: 1, name: 'Hearth'}]})});
	assert.deepEqual(fieldsOf((await clientOf(service).list('agents')).records, 'name'), ['Hearth']);
	assert.deepEqual(lines(service.requests), [`GET ${paths.agents}`, `POST ${paths.agentsBodyStyle}`]);
});

test('if neither path lists the agents, the error is that of the documented one', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.agents]: jsonAnswer({detail: 'No personalities here'}, 404),
		[paths.agentsBodyStyle]: {status: 401},
	});
	const error = await failureOf(clientOf(service).list('agents'));
	assert.equal(error.kind, 'not-found');
	assert.match(error.message, /No personalities here/);
});

test('only a boolean counts as the answer whether a key is valid', async (t: TestContext) => {
	const service = await startOdd(t);
	for (const body of [{valid: 'true'}, {}, null, []]) {
		service.program(paths.verifyKey, jsonAnswer(body));
		assert.equal((await failureOf(clientOf(service).verifyKey())).kind, 'unintelligible', JSON.stringify(body));
	}
});

test('one ability comes from its own path, bare or wrapped', async (t: TestContext) => {
	for (const body of [{capability_id: 7, name: 'pantry'}, {id: '7', name: 'pantry'}, {data: {id: 7, name: 'pantry'}}, {name: 'pantry'}]) {
		const service = await startOdd(t, {[paths.ability(7)]: jsonAnswer(body)});
		const {id, name} = await clientOf(service).getAbility(7);
		assert.deepEqual([id, name], [7, 'pantry'], JSON.stringify(body));
		assert.equal(service.requests.length, 1);
	}
});

test('one ability comes from the list where its own path is unknown', async (t: TestContext) => {
	const service = await startLiveLike(t, {idStyle: 'digits'});
	const ability = await clientOf(service).getAbility(22);
	assert.deepEqual([ability.id, ability.name, ability.category], [22, 'pantry', 'brain_skill']);
	assert.deepEqual(lines(service.requests), [`GET ${paths.ability(22)}`, `GET ${paths.abilities}`, `GET ${paths.abilitiesAlsoSeen}`]);
});

test('405 for one ability leads to the list as well, 403 does not', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.ability(7)]: {status: 405},
		[paths.abilities]: jsonAnswer([{id: 7, name: 'pantry'}]),
		[paths.ability(8)]: {status: 403},
	});
	assert.equal((await clientOf(service).getAbility(7)).name, 'pantry');
	assert.equal((await failureOf(clientOf(service).getAbility(8))).kind, 'forbidden');
	assert.equal(service.requests.length, 3);
});

test('an ability that the list lacks too is not found', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const error = await failureOf(clientOf(service).getAbility(99));
	assert.equal(error.kind, 'not-found');
	assert.match(told(error), /No ability has the id 99.*switchboard abilities/);
});

test('an ability that an incomplete list lacks is not reported as unknown', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.abilities]: jsonAnswer({results: [{id: 1}], next: 'https://voice.example.com/?page=2'})});
	const error = await failureOf(clientOf(service).getAbility(99));
	assert.equal(error.kind, 'not-found');
	assert.doesNotMatch(error.message, /No ability/);
});

test('an answer that is not an ability is reported', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.ability(7)]: htmlAnswer('<html>Sign in</html>')});
	const error = await failureOf(clientOf(service).getAbility(7));
	assert.equal(error.kind, 'unintelligible');
	assert.match(told(error), /a web page instead of an ability.*sign-in page/);
});
