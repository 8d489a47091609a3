import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
	paths,
	startTestService,
	type TestAnswer,
	type TestService,
} from './running-service.ts';

type Guess = (service: TestService, headers?: Readonly<Record<string, string>>) => Promise<TestAnswer>;

/** Each way to send a wrong key, with the status of its first answers. */
const guesses: ReadonlyArray<readonly [title: string, guess: Guess, status: number]> = [
	['in the header', async (service, headers) => service.ask('GET', paths.agents, {key: 'sb_wrong', ...(headers && {headers})}), 401],
	['as a bearer token', async service => service.ask('GET', paths.installed, {key: null, headers: {authorization: 'Bearer sb_wrong'}}), 401],
	['in the body', async service => service.ask('POST', '/api/sdk/get_personalities', {key: null, body: {api_key: 'sb_wrong'}}), 401],
	['to be verified', async service => service.ask('POST', '/api/sdk/verify_apikey/', {key: null, body: {api_key: 'sb_wrong'}}), 200],
];
const [[, guessByHeader]] = guesses as [typeof guesses[number]];

/** Not too long, and not at once. */
const assertSecondsToWait = ({headers}: TestAnswer): void => {
	assert.ok(Array.from({length: 60}, (_, index) => String(index + 1)).includes(headers.get('retry-after') ?? ''), `${headers.get('retry-after')} s`);
};

const sendWrongKeys = async (service: TestService, count = 30): Promise<void> => {
	await Promise.all(Array.from({length: count}, async () => guessByHeader(service)));
};

for (const [title, guess, status] of guesses) {
	test(`wrong keys ${title} are refused for a while; the right key never is`, async () => {
		await using service = await startTestService();
		const answers = [];
		for (let count = 0; count < 33; count++) {
			answers.push(await guess(service));
		}

		assert.deepEqual(answers.map(answer => answer.status), [...Array.from({length: 30}, () => status), 429, 429, 429]);
		assert.match((answers.at(-1)!.json as {detail: string}).detail, /wrong keys/);
		assertSecondsToWait(answers.at(-1)!);
		assert.equal((await service.ask('GET', paths.agents)).status, 200);
		assert.equal((await service.ask('POST', '/api/sdk/get_personalities', {body: {api_key: service.key}})).status, 200);
	});
}

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

const guessFrom = async (service: TestService, sender: string): Promise<number> =>
	(await guessByHeader(service, {'x-forwarded-for': sender})).status;

test('X-Forwarded-For of anybody counts for nothing', async () => {
	await using service = await startTestService();
	await sendWrongKeys(service);
	assert.equal(await guessFrom(service, '192.0.2.7'), 429);
});

test('behind a trusted proxy each sender counts for himself', async () => {
	await using service = await startTestService({trustedProxies: ['127.0.0.0/8']});
	for (let count = 0; count < 30; count++) {
		// What the sender himself put in front of the proxy's part counts for nothing.
		assert.equal(await guessFrom(service, `198.51.100.${count}, 192.0.2.7`), 401);
	}

	assert.equal(await guessFrom(service, '192.0.2.7'), 429);
	assert.equal(await guessFrom(service, '192.0.2.8'), 401);
	assert.equal(await guessFrom(service, '2001:db8::1'), 401);
	// No address at all: the proxy's counts.
	assert.equal(await guessFrom(service, 'x'.repeat(8000)), 401);
});
