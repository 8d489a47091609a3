import {assert, test} from '../helpers/node.ts';
import {logsPath, openTalk, streamPath} from '../helpers/talk.ts';
import {sharedPostgres, skipWithoutPostgres, startPostgres, startTestService, type TestService, waitUntil} from './kit.ts';

/* Two services on one database, as behind a proxy that sends a connection to any of them. */

const quiet = {limits: {greetingMilliseconds: 60_000}};

async function startTwo(url: string): Promise<readonly [TestService, TestService]> {
	const first = await startTestService({location: url, ...quiet});
	return [first, await startTestService({location: url, ...quiet})];
}

test('what is said through one process is heard through another, a read-only one too, long turns and the call logs too', {
	skip: skipWithoutPostgres,
}, async () => {
	const postgres = await sharedPostgres();
	const url = await postgres.createDatabase();
	const [first, second] = await startTwo(url);
	await using _first = first;
	await using _second = second;
	const otherKey = await first.createKey('other');
	await using speaking = await openTalk(first.baseAddress, streamPath(first.key));
	await using listening = await openTalk(second.baseAddress, streamPath(first.key));
	await using foreign = await openTalk(second.baseAddress, streamPath(otherKey));
	await using calls = await openTalk(second.baseAddress, logsPath(first.key));
	await using readOnly = await startTestService({location: url, isReadOnly: true});
	await using readOnlyCalls = await openTalk(readOnly.baseAddress, logsPath(first.key));
	for (const other of [
		'',
		'x',
		'x 1 1 e30=',
		'x 1 1 bnVsbA==',
		'x 1 1 eyJwbGFjZSI6e30sImZyYW1lcyI6W251bGxdfQ==',
		'x 2 2 e30=',
		'x 1 9999999 e30=',
	]) {
		await postgres.administer(`notify switchboard, '${other}'`, url);
	}

	// Three bytes each, and six in JSON.
	const long = ['漢'.repeat(4000), `good night ${'\u{1}'.repeat(3989)}`];
	for (const [index, phrase] of long.entries()) {
		speaking.say(phrase);
		await speaking.waitForAnswers(index + 1);
	}

	assert.deepEqual(await listening.waitForFrames(6), speaking.frames);
	assert.deepEqual(
		speaking.frames.filter(({data}) => data['role'] === 'user').map(({data}) => data['content']),
		long,
	);
	for (const {frames} of [calls, readOnlyCalls]) {
		await waitUntil(() => JSON.stringify(frames).includes('would start goodnight'));
	}

	await using late = await openTalk(second.baseAddress, logsPath(first.key, 1));
	assert.equal(((await late.waitForFrames(1))[0] as unknown as {readonly role: string}).role, 'assistant');
	// And back; the first that the other account hears is its own.
	listening.say('hello');
	await waitUntil(() => speaking.frames.some(({data}) => data['content'] === 'hello'));
	foreign.say('mine');
	assert.equal((await foreign.waitForFrames(3))[0]!.data['content'], 'mine');
	assert.equal(foreign.frames.length, 3);
});

test('after the database was away, processes hear each other again', {skip: skipWithoutPostgres}, async () => {
	const postgres = await startPostgres();
	const [first, second] = await startTwo(await postgres.createDatabase());
	await using _first = first;
	await using _second = second;
	await using speaking = await openTalk(first.baseAddress, streamPath(first.key));
	await using listening = await openTalk(second.baseAddress, streamPath(first.key));
	await postgres.restart();
	await waitUntil(() => {
		speaking.say('hello');
		return listening.frames.length > 0;
	});
});
