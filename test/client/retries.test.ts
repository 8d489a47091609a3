import {assert, test, type TestContext} from '../helpers/node.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {type Answer, clientOf, failureOf, fieldsOf, jsonAnswer, lines, paths, startDocumented, startLiveLike, startOdd} from './clients.ts';

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

const agent = decodeRecord('agents', {id: 2, name: 'Hearth', description: ''})!;

/** As often as a command does. */
const retries = {reads: 2, writes: 1};

/** A failure after which the next try is made at once. */
const busy = (status: 429 | 503): Answer => ({status, headers: {'retry-after': '0'}});

const passing: ReadonlyArray<readonly [title: string, failure: Answer]> = [
	['429', busy(429)],
	['503', busy(503)],
	['a cut line', {cut: 'connection'}],
];

for (const [title, failure] of passing) {
	test(`a read is retried after ${title} only if asked`, async (t: TestContext) => {
		const service = await startOdd(t);
		service.program(paths.installed, failure, jsonAnswer([{id: 1}]));
		assert.equal((await clientOf(service, {retries}).list('installed')).records.length, 1);
		assert.equal(service.requests.length, 2);
		service.program(paths.installed, failure, jsonAnswer([{id: 1}]));
		await failureOf(clientOf(service).list('installed'));
		assert.equal(service.requests.length, 3);
	});

	test(`a toggle is retried once after ${title} if asked, with the same body`, async (t: TestContext) => {
		const service = await startOdd(t);
		service.program(paths.editInstalled(1), failure, {status: 204});
		assert.equal((await clientOf(service, {retries}).editInstalled(record, {enabled: true})).isEnabled, true);
		assert.deepEqual(fieldsOf(service.requests, 'body'), ['{"name":"lamps","enabled":true}', '{"name":"lamps","enabled":true}']);
		service.program(paths.editInstalled(1), failure, failure, {status: 204});
		await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}));
		assert.equal(service.requests.length, 4);
	});

	test(`neither PUT nor POST is retried after ${title} unless asked`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': failure});
		const client = clientOf(service, {retries: {reads: 0, writes: 0}});
		await failureOf(client.editInstalled(record, {enabled: true}));
		await failureOf(client.verifyKey());
		assert.deepEqual(lines(service.requests), [`PUT ${paths.editInstalled(1)}`, `POST ${paths.verifyKey}`]);
	});
}

test('an agent edit is retried once if asked, although it is a form', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.editAgent, busy(503), {status: 204});
	assert.equal((await clientOf(service, {retries}).editAgent(agent, {prompt: 'Be brief.'})).prompt, 'Be brief.');
	assert.deepEqual(lines(service.requests), [`PUT ${paths.editAgent}`, `PUT ${paths.editAgent}`]);
});

test('a toggle is never retried after 500, 502 and 504: it may have been carried out', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.editInstalled(1), {status: 500}, {status: 502}, {status: 504});
	for (const count of [1, 2, 3]) {
		await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}));
		assert.equal(service.requests.length, count);
	}
});

test('nothing is retried after a refusal', async (t: TestContext) => {
	for (const status of [400, 401, 403, 409, 422]) {
		const service = await startOdd(t, {'*': {status}});
		await failureOf(clientOf(service, {retries}).list('installed'));
		await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}));
		assert.equal(service.requests.length, 2);
	}
});

test('a short delay that the service asks for is observed', async (t: TestContext) => {
	const service = await startLiveLike(t);
	service.limitNext('0', 2);
	assert.equal((await clientOf(service, {retries}).list('installed')).records.length, 3);
	assert.equal(service.requests.length, 3);
	service.limitNext(new Date(Date.now() - 1000).toUTCString());
	await clientOf(service, {retries}).list('installed');
	assert.equal(service.requests.length, 5);
});

test('a long delay that the service asks for is reported, not observed', async (t: TestContext) => {
	const service = await startLiveLike(t);
	for (const [index, seconds] of ['11', '3600'].entries()) {
		service.limitNext(seconds);
		const error = await failureOf(clientOf(service, {retries}).list('installed'));
		assert.deepEqual([error.kind, error.nextStep], ['rate-limited', `Try again in ${seconds} s.`]);
		assert.equal(service.requests.length, index + 1);
	}
});

test('a delay of more than a day is not counted in seconds', async (t: TestContext) => {
	const service = await startLiveLike(t);
	for (const retryAfter of ['86401', '99999999999999999999']) {
		service.limitNext(retryAfter);
		const error = await failureOf(clientOf(service, {retries}).list('installed'));
		assert.deepEqual([error.kind, error.nextStep], ['rate-limited', 'Try again later.']);
	}
});

test('after the last attempt its answer is reported', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, busy(503), busy(429), {...busy(429), ...jsonAnswer({detail: 'The last one'}, 429)}, jsonAnswer([]));
	assert.match((await failureOf(clientOf(service, {retries}).list('installed'))).message, /The last one/);
	assert.equal(service.requests.length, 3);
});

test('a toggle whose first attempt was carried out and cut off succeeds with the second', async (t: TestContext) => {
	const service = await startDocumented(t);
	service.failNext({cut: 'connection', isCarriedOut: true});
	const first = {...record, id: 101};
	assert.equal(
		(await clientOf(service, {retries}).editInstalled({...first, raw: {installed_cap_id: 101}}, {enabled: false})).isEnabled,
		false,
	);
	assert.equal(service.installed[0]?.enabled, false);
	assert.equal(service.requests.length, 2);
});

const untouched: Answer = {...jsonAnswer({detail: 'Away.', code: 'nothing-changed'}, 503), headers: {'retry-after': '0'}};

test('the outcome of a toggle is known if each attempt was refused or changed nothing, as the service says', async (t: TestContext) => {
	for (const [first, second] of [
		[untouched, untouched],
		[untouched, busy(429)],
		[busy(429), busy(429)],
	] as const) {
		const service = await startOdd(t);
		service.program(paths.editInstalled(1), first, second);
		assert.equal((await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}))).isOutcomeUnknown, false);
		assert.equal(service.requests.length, 2);
	}
});

for (const [title, second] of [
	['finds that nothing was changed', untouched],
	['is refused', {status: 429}],
	['fails', {status: 500}],
	['is not found', {status: 404}],
	['is cut off as well', {cut: 'connection'}],
] as const) {
	test(`the outcome of a toggle is unknown if the first attempt was cut off and the second ${title}`, async (t: TestContext) => {
		const service = await startOdd(t);
		service.program(paths.editInstalled(1), {cut: 'connection'}, second);
		assert.equal((await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}))).isOutcomeUnknown, true);
		assert.equal(service.requests.length, 2);
	});
}

test('the outcome of a toggle is unknown if the service stops after the first attempt', async (t: TestContext) => {
	const service = await startOdd(t, {
		[paths.editInstalled(1)]() {
			setImmediate(() => {
				void service.close();
			});
			return {cut: 'connection'} as const;
		},
	});
	const error = await failureOf(clientOf(service, {retries}).editInstalled(record, {enabled: true}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['unreachable', true]);
});
