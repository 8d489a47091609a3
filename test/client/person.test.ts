import {assert, test, type TestContext} from '../helpers/node.ts';
import {personHeader} from '../../source/interface/endpoints.ts';
import type {OddAnswer} from '../helpers/odd-service.ts';
import {clientOf, installedOf, jsonAnswer, lines, paths, startOdd} from './clients.ts';

const person = {name: 'anna@laptop', address: '10.0.0.7'};
const records = jsonAnswer([{id: 1, name: 'lamps', enabled: false}]);

async function start(t: TestContext, verification: OddAnswer, apiKey: string) {
	const service = await startOdd(t, {[paths.verifyKey]: verification, '*': records});
	return {service, clientFor: (name: string) => clientOf({...service, apiKey}, {person: {...person, name}})};
}

test('a service that wants to know with this key is told the person with every request after that, and asked once for all sessions', async (t: TestContext) => {
	const {service, clientFor} = await start(t, jsonAnswer({valid: true, for_ssh: true}), 'key-for-ssh-0123456789');
	const [anna, bo] = ['anna@laptop', 'Bo; 日本'].map(name => clientFor(name));
	await Promise.all([anna!.list('installed'), bo!.list('installed')]);
	await anna!.list('abilities');
	await bo!.editInstalled(await installedOf(bo!, 1), {enabled: true});
	await clientFor('Cy').list('installed');
	const told = service.requests.map(({method, path, headers}) => [`${method} ${path}`, headers[personHeader]] as const);
	assert.deepEqual(
		told.filter(([line]) => line.includes('verify')),
		[[`POST ${paths.verifyKey}`, undefined]],
	);
	const bosHeader = `${encodeURIComponent('Bo; 日本')}; address=10.0.0.7`;
	assert.deepEqual(
		Object.fromEntries(
			Map.groupBy(told, ([, header]) => header ?? 'nobody')
				.entries()
				.map(([header, requests]) => [header, requests.length]),
		),
		{nobody: 1, 'anna%40laptop; address=10.0.0.7': 2, [bosHeader]: 3, 'Cy; address=10.0.0.7': 1},
	);
	assert.ok(service.requests.every(({headers}) => headers['user-agent'] === 'switchboard'));
});

const silent: Readonly<Record<string, OddAnswer>> = {
	'says nothing of it': jsonAnswer({valid: true}),
	'says it of a key that it refuses': jsonAnswer({valid: false, for_ssh: true}),
	'says something else of it': jsonAnswer({valid: true, for_ssh: 'true'}),
	'has no such operation': {status: 404, body: '{}'},
	fails: {status: 500, body: '{"for_ssh": true, "valid": true}'},
	'answers with a page': {status: 200, body: '<html>for_ssh: true</html>'},
};

for (const [index, [what, verification]] of Object.entries(silent).entries()) {
	test(`a service that ${what} learns nothing of the person`, async (t: TestContext) => {
		const {service, clientFor} = await start(t, verification, `key-of-others-${index}-0123456789`);
		const client = clientFor('anna@laptop');
		await client.editInstalled(await installedOf(client, 1), {enabled: true});
		await clientFor('Bo').list('abilities');
		assert.doesNotMatch(
			JSON.stringify(service.requests.map(({headers, body, query}) => ({headers, query, body}))),
			/anna|10\.0\.0\.7|switchboard-person/,
		);
		assert.deepEqual(lines(service.requests), [
			`POST ${paths.verifyKey}`,
			`GET ${paths.installed}`,
			`PUT ${paths.editInstalled(1)}`,
			`GET ${paths.abilities}`,
		]);
	});
}

test('a person is named to no other address than the one that wants to know', async (t: TestContext) => {
	const apiKey = 'key-of-both-0123456789';
	const {service, clientFor} = await start(t, jsonAnswer({valid: true, for_ssh: true}), apiKey);
	const other = await startOdd(t, {[paths.verifyKey]: jsonAnswer({valid: true}), '*': records});
	await clientFor('anna@laptop').list('installed');
	service.program(paths.installed, {...records, body: JSON.stringify({results: [], next: `${other.baseAddress}/next`})});
	await clientFor('anna@laptop')
		.list('installed')
		.catch(() => undefined);
	assert.deepEqual(other.requests, []);
	await clientOf({...other, apiKey}, {person}).list('installed');
	assert.ok(other.requests.every(({headers}) => headers[personHeader] === undefined));
});
