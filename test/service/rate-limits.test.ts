import {assert, assertNone, test} from '../helpers/node.ts';
import {fieldsOf, paths, startTestService, type TestAnswer, type TestService} from './kit.ts';

type Guess = (service: TestService, headers?: Readonly<Record<string, string>>) => Promise<TestAnswer>;

const body = {api_key: 'sb_wrong'};

/** Each way to send a wrong key, with the status of its first answers. */
const guesses: ReadonlyArray<readonly [title: string, guess: Guess, status: number]> = [
	['in the header', async (service, headers = {}) => service.ask('GET', paths.agents, {key: 'sb_wrong', headers}), 401],
	[
		'as a bearer token',
		async ({ask}, headers) => ask('GET', paths.agents, {key: null, headers: {...headers, authorization: 'Bearer sb_wrong'}}),
		401,
	],
	['in the body', async ({ask}, headers = {}) => ask('POST', '/api/sdk/get_personalities', {key: null, headers, body}), 401],
	['in an address', async ({ask}, headers = {}) => ask('GET', '/websocket/logs?api_key=sb_wrong', {key: null, headers}), 401],
	['to be verified', async ({ask}, headers = {}) => ask('POST', '/api/sdk/verify_apikey/', {key: null, headers, body}), 200],
];
const [[, guessByHeader]] = guesses as [(typeof guesses)[number]];

/** Not too long, and not at once. */
const assertSecondsToWait = ({headers}: TestAnswer): void =>
	assert.ok(
		Array.from({length: 60}, (_, index) => String(index + 1)).includes(headers.get('retry-after') ?? ''),
		`${headers.get('retry-after')} s`,
	);

async function sendWrongKeys(service: TestService, count = 30): Promise<void> {
	await Promise.all(Array.from({length: count}, async () => guessByHeader(service)));
}

test('wrong keys are refused for a while, in whichever way they are sent; the right key never is', async () => {
	await using service = await startTestService({trustedProxies: ['127.0.0.1']});
	for (const [index, [title, guess, status]] of guesses.entries()) {
		const headers = {'x-forwarded-for': `192.0.2.${index}`};
		const answers = [];
		for (let count = 0; count < 33; count++) {
			answers.push(await guess(service, headers));
		}

		assert.deepEqual(fieldsOf(answers, 'status'), [...Array.from({length: 30}, () => status), 429, 429, 429], title);
		assert.match((answers.at(-1)!.json as {detail: string}).detail, /wrong keys/);
		assertSecondsToWait(answers.at(-1)!);
		assert.equal((await service.ask('GET', paths.agents, {headers})).status, 200);
		assert.equal((await service.ask('POST', '/api/sdk/get_personalities', {headers, body: {api_key: service.key}})).status, 200);
	}
});

test('wrong keys count together, in whichever way they are sent; a missing key is no guess', async () => {
	await using service = await startTestService();
	await sendWrongKeys(service);
	for (const [, guess] of guesses) {
		assert.equal((await guess(service)).status, 429);
	}

	assert.equal((await service.ask('GET', paths.agents, {key: null})).status, 401);
});

test('nobody waits longer than the window, even when the clock of the machine is set back', async t => {
	await using service = await startTestService({requestsPerMinute: 40});
	await sendWrongKeys(service);
	await Promise.all(Array.from({length: 40}, async () => service.ask('GET', paths.agents)));
	const now = Date.now();
	t.mock.method(Date, 'now', () => now - 7_200_000);
	for (const answer of [await guessByHeader(service), await service.ask('GET', paths.agents)]) {
		assert.equal(answer.status, 429);
		assertSecondsToWait(answer);
	}
});

test('a key above the limit is told when to retry; other keys are not limited by it', async () => {
	await using service = await startTestService({requestsPerMinute: 3});
	const other = await service.createKey('other');
	// All operations are counted together, whatever their answer.
	const statuses = [
		(await service.ask('GET', paths.agents)).status,
		(await service.ask('PUT', paths.editInstalled(999_999), {body: {enabled: true}})).status,
		(await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key}})).status,
	];
	assert.deepEqual(statuses, [200, 404, 200]);

	const refusals = [
		await service.ask('GET', paths.installed),
		await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key}}),
		await service.ask('POST', '/api/sdk/verify_apikey/', {body: {api_key: service.key}}),
	];
	assert.deepEqual(fieldsOf(refusals, 'status'), [429, 429, 429]);
	assert.match((refusals[0]!.json as {detail: string}).detail, /3 requests a minute/);
	const seconds = refusals.map(({headers}) => Number(headers.get('retry-after')));
	assertNone(seconds, second => !(second >= 1 && second <= 60));

	assert.equal((await service.ask('GET', paths.agents, {key: other})).status, 200);
	assert.equal((await service.ask('GET', paths.agents, {key: 'sb_wrong'})).status, 401);
});

test('requests to verify_apikey with invalid keys are limited too', async () => {
	await using service = await startTestService({requestsPerMinute: 2});
	const statuses = [];
	for (const guess of ['one', 'two', 'three']) {
		const {status} = await service.ask('POST', '/api/sdk/verify_apikey/', {key: null, body: {api_key: guess}});
		statuses.push(status);
	}

	assert.deepEqual(statuses, [200, 200, 429]);
});
