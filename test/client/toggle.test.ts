import {assert, Buffer, test, type TestContext} from '../helpers/node.ts';
import {type Answer, htmlAnswer, jsonAnswer} from '../helpers/answers.ts';
import {clientOf, failureOf, fieldsOf, installedOf, lines, paths, startDocumented, startLiveLike, startOdd, told} from './clients.ts';

const bodyOf = ({body}: {readonly body: string}): unknown => JSON.parse(body);

test('against a service of the documented fields alone the body is exactly {"enabled": …}', async (t: TestContext) => {
	const service = await startDocumented(t);
	const client = clientOf(service);
	await client.editInstalled(await installedOf(client, 101), {enabled: false});
	const put = service.requests.at(-1)!;
	assert.equal(put.body, '{"enabled":false}');
	assert.equal(put.headers['content-type'], 'application/json');
	assert.equal(service.installed[0]?.enabled, false);
});

test('a switch and an edit of phrases lose no field that the service shows of an installed ability', async (t: TestContext) => {
	const record = {
		id: 301,
		name: 'lamps',
		enabled: true,
		trigger_words: ['lamps please'],
		description: 'Lights up',
		voice: {pitch: [1, null]},
	};
	const service = await startLiveLike(t, {home: {installed: [{...record}]}});
	const client = clientOf(service);
	const off = await client.editInstalled(await installedOf(client, 301), {enabled: false});
	assert.deepEqual(service.installed, [{...record, enabled: false}]);
	assert.deepEqual(off.raw, service.installed[0]);
	await client.editInstalled(off, {triggers: ['light it up']});
	assert.deepEqual(service.installed, [{...record, enabled: false, trigger_words: ['light it up']}]);
});

const oddFields = [
	{name: null, category: null, trigger_words: null, system_capability: null, agent_capability: null},
	{name: 7, category: ['skill'], trigger_words: 'lamps please, it is dark', system_capability: 'yes', agent_capability: {since: 3.5}},
	{name: '\u{1B}]52;c;aGk=\u{7}evil\u{202E}', trigger_words: ['  two  spaces ', '', null, 3]},
	{name: 'e\u{301}\u{200B} \u{1F468}\u{200D}\u{1F373}', category: 'a_category_of_their_own'},
	{trigger_words: []},
];

for (const fields of oddFields) {
	test(`${JSON.stringify(fields)} is sent back as it came`, async (t: TestContext) => {
		const record = {...fields, id: '41', enabled: 'true', default: true, shortcut: null, image_file: 'x.png', capability_id: 3};
		const service = await startOdd(t, {[paths.installed]: jsonAnswer([record]), [paths.editInstalled(41)]: {status: 204}});
		const client = clientOf(service);
		const switched = await client.editInstalled(await installedOf(client, 41), {enabled: false});
		assert.deepEqual(bodyOf(service.requests.at(-1)!), {...fields, enabled: false});
		assert.deepEqual(switched.raw, {...record, enabled: false});
		await client.editInstalled(switched, {enabled: true});
		assert.deepEqual(bodyOf(service.requests.at(-1)!), {...fields, enabled: true});
	});
}

test('a name in another charset is sent back as the letters that the service meant', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: {
			headers: {'content-type': 'application/json; charset=ISO-8859-1'},
			body: Buffer.from('[{"id": 1, "name": "Küche", "enabled": false}]', 'latin1'),
		},
		[paths.editInstalled(1)]: {status: 204},
	});
	const client = clientOf(service);
	await client.editInstalled(await installedOf(client, 1), {enabled: true});
	assert.deepEqual(bodyOf(service.requests.at(-1)!), {enabled: true, name: 'Küche'});
});

test('a toggle settles at the state in the answer or, without a boolean there, at what was sent', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, name: 'lamps', enabled: false}])});
	const client = clientOf(service);
	const record = await installedOf(client, 1);
	const answers: ReadonlyArray<readonly [answer: Answer, isEnabled: boolean]> = [
		[jsonAnswer({id: 1, enabled: true}), true],
		[jsonAnswer({id: 1, enabled: false}), false],
		[{status: 204}, true],
		[{status: 200}, true],
		[jsonAnswer({detail: 'Accepted'}, 202), true],
		[jsonAnswer({enabled: 'false'}), true],
		[jsonAnswer({enabled: null}), true],
		[jsonAnswer(null), true],
		[jsonAnswer([{enabled: false}]), true],
		[{headers: {'content-type': 'application/json'}, body: '{"enabled": fal'}, true],
	];
	for (const [answer, isEnabled] of answers) {
		service.program(paths.editInstalled(1), answer);
		const settled = await client.editInstalled(record, {enabled: true});
		assert.deepEqual([settled.isEnabled, settled.raw['enabled'], settled.name], [isEnabled, isEnabled, 'lamps'], JSON.stringify(answer));
	}

	assert.equal(service.requests.length, 1 + answers.length, 'the list is not read because of a toggle');
});

test('a web page in answer to a toggle leaves the outcome unknown: a sign-in page may stand between', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: jsonAnswer([{id: 1, name: 'lamps', enabled: false}]),
		[paths.editInstalled(1)]: htmlAnswer('<p>OK</p>'),
	});
	const client = clientOf(service);
	const error = await failureOf(client.editInstalled(await installedOf(client, 1), {enabled: true}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['unintelligible', true]);
	assert.match(
		told(error),
		/answered with a web page instead of the outcome of the change\. Check the address: a proxy or a sign-in page may be in between\.$/,
	);
});

test('the time of the change is taken from the answer', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.installed]: jsonAnswer([{id: 1, enabled: false, last_updated: '2026-01-01T00:00:00Z'}]),
		[paths.editInstalled(1)]: jsonAnswer({enabled: true, last_updated: '2026-02-02T00:00:00Z'}),
	});
	const client = clientOf(service);
	assert.equal((await client.editInstalled(await installedOf(client, 1), {enabled: true})).changedAt, Date.UTC(2026, 1, 2));
});

test('404, 405 and 410 for a toggle, with the record still in the list, are reported as unsupported', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, name: 'lamps', enabled: false}])});
	const client = clientOf(service);
	const record = await installedOf(client, 1);
	for (const status of [404, 405, 410]) {
		service.program(paths.editInstalled(1), {status});
		const error = await failureOf(client.editInstalled(record, {enabled: true}));
		assert.deepEqual([error.kind, error.status, error.isOutcomeUnknown], ['not-found', status, false]);
		assert.match(told(error), new RegExp(String.raw`lists lamps but cannot change it \(HTTP ${status}\).*Use the dashboard`));
		assert.deepEqual(lines(service.requests).slice(-2), [`PUT ${paths.editInstalled(1)}`, `GET ${paths.installed}`]);
	}
});

test('404 for a toggle of an ability that the list lacks says that it is no longer installed', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const client = clientOf(service);
	const lamps = await installedOf(client, 301);
	service.installed.shift();
	const error = await failureOf(client.editInstalled(lamps, {enabled: false}));
	assert.deepEqual([error.kind, error.message], ['not-found', 'lamps is no longer installed.']);
});

test('404 for a toggle is reported as it came if the list cannot explain it', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.editInstalled(1)]: jsonAnswer({detail: 'No such thing'}, 404)});
	service.program(
		paths.installed,
		jsonAnswer([{id: 1, enabled: false}]),
		{status: 500},
		jsonAnswer({results: [], next: 'https://voice.example.com/?page=2'}),
	);
	const client = clientOf(service);
	const record = await installedOf(client, 1);
	const errors = [
		await failureOf(client.editInstalled(record, {enabled: true})),
		await failureOf(client.editInstalled(record, {enabled: true})),
	];
	assert.deepEqual(fieldsOf(errors, 'kind'), ['not-found', 'not-found']);
	assert.ok(
		errors.every(({message}) => message.includes('No such thing')),
		errors.map(({message}) => message).join('\n'),
	);
});

test('after any other refusal of a toggle the list is not read', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, enabled: false}])});
	const client = clientOf(service);
	const record = await installedOf(client, 1);
	service.program(paths.editInstalled(1), {status: 400}, {status: 403}, {status: 409}, {status: 500});
	const errors = [];
	for (let count = 0; count < 4; count++) {
		errors.push(await failureOf(client.editInstalled(record, {enabled: true})));
	}

	assert.deepEqual(fieldsOf(errors, 'kind'), ['refused', 'forbidden', 'conflict', 'server-error']);
	assert.deepEqual(
		lines(service.requests).slice(1),
		errors.map(() => `PUT ${paths.editInstalled(1)}`),
	);
});

test('304 to a toggle is an error', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 1, enabled: false}]), [paths.editInstalled(1)]: {status: 304}});
	const client = clientOf(service);
	const error = await failureOf(client.editInstalled(await installedOf(client, 1), {enabled: true}));
	assert.equal(error.kind, 'unintelligible');
	assert.doesNotMatch(told(error), /redirects/);
});
