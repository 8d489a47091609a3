import assert from 'node:assert/strict';
import {type Socket} from 'node:net';
import {test, type TestContext} from 'node:test';
import {type TransportOptions} from '../../source/client/client.ts';
import {type ErrorKind, type SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {type Answer} from '../helpers/answers.ts';
import {stalledAnswer} from '../helpers/odd-answers.ts';
import {
	clientOf,
	failureOf,
	paths,
	startOdd,
	told,
} from './clients.ts';
import {startRawServer} from './raw-server.ts';

const apiKey = 'broken-line-key-0123456789';

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

/** Only where it is meant to run out: long enough for a busy machine to come as far as the answer's beginning. */
const timeoutMilliseconds = 400;

type Failures = {readonly read: SwitchboardError; readonly write: SwitchboardError};

/** What a read and a write fail with. */
const failuresOn = async (baseAddress: string, options: Partial<TransportOptions> = {}): Promise<Failures> => {
	const client = clientOf({baseAddress, apiKey}, options);
	const [read, write] = await Promise.all([failureOf(client.list('installed')), failureOf(client.setEnabled(record, true))]);
	return {read, write};
};

const kindsOf = ({read, write}: Failures): readonly ErrorKind[] => [read.kind, write.kind];

const openOutcomesOf = ({read, write}: Failures): readonly boolean[] => [read.isOutcomeUnknown, write.isOutcomeUnknown];

const lateAnswers: ReadonlyArray<readonly [title: string, answer: Answer]> = [
	['never answers', {isHanging: true}],
	['answers after the time-out', {delayMilliseconds: 60_000, body: '[]'}],
	['stops in the middle of its answer', stalledAnswer('[{"id": 1')],
	['sends its answer a byte at a time', {body: `[${' '.repeat(5000)}]`, millisecondsPerByte: 20}],
];

for (const [title, answer] of lateAnswers) {
	test(`a service that ${title} times out, and the outcome of a write is unknown`, async (t: TestContext) => {
		const failures = await failuresOn((await startOdd(t, {'*': answer})).baseAddress, {timeoutMilliseconds});
		assert.deepEqual(kindsOf(failures), ['timeout', 'timeout']);
		assert.deepEqual(openOutcomesOf(failures), [false, true]);
		assert.match(told(failures.read), /^http:\/\/127\.0\.0\.1:\d+ did not answer in time\. Try again, or allow more time with --timeout SECONDS/);
	});
}

const cuts: ReadonlyArray<readonly [title: string, answer: Answer]> = [
	['before its answer', {cut: 'connection'}],
	['after the header of its answer', {cut: 'headers'}],
	['in the middle of its answer', {cut: 'body', body: '[{"id": 1, "name": "lamps"}]'}],
];

for (const [title, answer] of cuts) {
	test(`if the connection is lost ${title}, the outcome of a write is unknown`, async (t: TestContext) => {
		const failures = await failuresOn((await startOdd(t, {'*': answer})).baseAddress);
		assert.deepEqual(kindsOf(failures), ['unreachable', 'unreachable']);
		assert.deepEqual(openOutcomesOf(failures), [false, true]);
		assert.match(told(failures.write), /connection lost/);
	});
}

const talkers: ReadonlyArray<readonly [title: string, greeting: string]> = [
	['speaks another protocol', '220 mail.example.com ESMTP\r\n'],
	['answers with nonsense', '\u{0}\u{1}\u{2}\r\n\r\n'],
];

for (const [title, greeting] of talkers) {
	test(`a machine that ${title} is reported as not being a service`, async (t: TestContext) => {
		const server = await startRawServer(t, (socket: Socket) => {
			socket.once('data', () => {
				socket.write(greeting, 'latin1');
			});
		});
		const failures = await failuresOn(server.baseAddress);
		assert.deepEqual(kindsOf(failures), ['unintelligible', 'unintelligible']);
		assert.deepEqual(openOutcomesOf(failures), [false, true]);
		assert.match(told(failures.read), /does not speak the protocol.*http:\/\/ where it should be https:\/\//);
	});
}

for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
	test(`an answer that claims to be compressed as ${encoding} and is not is reported`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': {headers: {'content-encoding': encoding}, body: 'not packed at all'}});
		const failures = await failuresOn(service.baseAddress);
		assert.deepEqual(kindsOf(failures), ['unintelligible', 'unintelligible']);
		assert.deepEqual(openOutcomesOf(failures), [false, true]);
		assert.match(told(failures.read), /cannot be decompressed.*proxy/);
	});
}

test('https to a service that speaks plain http is reported; nothing was written', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {body: '[]'}});
	const failures = await failuresOn(service.baseAddress.replace('http:', 'https:'));
	assert.deepEqual(kindsOf(failures), ['unintelligible', 'unintelligible']);
	assert.deepEqual(openOutcomesOf(failures), [false, false]);
	assert.deepEqual(service.requests, []);
});

test('an aborted read does not affect the next one', async (t: TestContext) => {
	const service = await startOdd(t);
	service.program(paths.installed, stalledAnswer('[{"id"'), {cut: 'body', body: '[{"id": 1}]'}, {body: '[{"id": 1}]'});
	const client = clientOf(service);
	const kinds = [(await failureOf(clientOf(service, {timeoutMilliseconds}).list('installed'))).kind, (await failureOf(client.list('installed'))).kind];
	assert.deepEqual(kinds, ['timeout', 'unreachable']);
	assert.equal((await client.list('installed')).records.length, 1);
});
