import {addTo, assert, assertNone, test, type TestContext} from '../helpers/node.ts';
import {inspect} from 'node:util';
import {cleanText} from '../../source/interface/clean-text.ts';
import type {SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import type {CallLogEntry, ConversationEvent, RequestLogEntry} from '../../source/client/client.ts';
import {ending, redirectedTo, refusing, repeatingKey} from '../helpers/hostile-conversations.ts';
import {redirectAnswer, stalledAnswer} from '../helpers/odd-answers.ts';
import {type Answer, clientOf, failureOf, fieldsOf, htmlAnswer, jsonAnswer, paths, startLiveLike, startOdd, waitUntil} from './clients.ts';
import {closedAddress, startRawServer} from './raw-server.ts';

/** With characters that mean something in addresses, patterns and JSON. */
const apiKey = 'k3y-S3cr3t/+$&=(0123456789)%41';

const spellings = [apiKey, encodeURIComponent(apiKey), encodeURI(apiKey), JSON.stringify(apiKey).slice(1, -1), 'k3y-S3cr3t', 'S3cr3t'];

const record = decodeRecord('installed', {id: 1, name: 'lamps', enabled: false})!;

/** Everything that an error can be asked for, and its causes. */
const everythingOf = (error: SwitchboardError): string =>
	[
		error.message,
		error.nextStep,
		error.field,
		error.stack,
		String(error.cause),
		JSON.stringify(error),
		JSON.stringify(error, Object.getOwnPropertyNames(error)),
		inspect(error, {depth: Infinity, showHidden: true, getters: true}),
	].join('\n');

const repeating: ReadonlyArray<readonly [title: string, answer: Answer]> = [
	['its refusal', jsonAnswer({detail: `The key ${apiKey} is not valid`}, 401)],
	['its refusal, in the other style', jsonAnswer({error: {code: apiKey, message: `${apiKey}: no such key`}}, 403)],
	["a field's name", jsonAnswer({[apiKey]: ['This field is required.']}, 400)],
	['a refusal that is cut within the key', jsonAnswer({detail: `${'x'.repeat(290)}${apiKey}`}, 400)],
	['a refusal with the key in hidden pieces', jsonAnswer({detail: [...apiKey].join('\u{200B}')}, 400)],
	['a plain text', {status: 401, headers: {'content-type': 'text/plain'}, body: `bad key ${apiKey}`}],
	['a debug page', htmlAnswer(`<pre>X-API-KEY: ${apiKey}</pre>`, 500)],
	['an answer that is no list', jsonAnswer({you_sent: apiKey})],
	['an answer that is no list, cut within the key', {body: `"${'x'.repeat(70)}${apiKey}"`}],
	['the path of a redirect', redirectAnswer(`/login/${apiKey}`)],
	['the path of a redirect, encoded', redirectAnswer(`/login/${encodeURIComponent(apiKey)}?api_key=${encodeURIComponent(apiKey)}`)],
	['a delay that never ends', {isHanging: true, headers: {'x-echo': apiKey}}],
	['an answer that stops', stalledAnswer(apiKey)],
	['a line that is cut', {cut: 'connection'}],
	['a body that is not packed as it says', {headers: {'content-encoding': 'gzip'}, body: apiKey}],
];

for (const [title, answer] of repeating) {
	test(`no error contains the key if the service repeats it or breaks off: ${title}`, async (t: TestContext) => {
		const service = await startOdd(t, {'*': answer});
		const log: RequestLogEntry[] = [];
		const client = clientOf({...service, apiKey}, {timeoutMilliseconds: 300, onRequest: addTo(log)});
		const settled = await Promise.allSettled([
			client.list('installed'),
			client.list('agents'),
			client.editInstalled(record, {enabled: true}),
			client.getAbility(7),
			client.verifyKey(),
			client.checkKey(),
			client.openConversation(0, () => undefined),
			client.followCallLogs(10, () => undefined),
		]);
		const errors = settled.filter(result => result.status === 'rejected').map(({reason}) => reason as SwitchboardError);
		assert.ok(errors.length >= 4);
		const everything = errors.map(error => everythingOf(error)).join('\n') + JSON.stringify(log);
		assertNone(spellings, spelling => everything.includes(spelling));
		assert.ok(log.length >= errors.length);
	});
}

test('no error contains the key if there is no answer', async (t: TestContext) => {
	const server = await startRawServer(t, socket => {
		socket.once('data', data => {
			socket.end(data);
		});
	});
	const errors = await Promise.all(
		[server.baseAddress, await closedAddress(), server.baseAddress.replace('http:', 'https:')].map(async baseAddress => {
			const client = clientOf({baseAddress, apiKey}, {timeoutMilliseconds: 300});
			return Promise.all([
				failureOf(client.list('installed')),
				failureOf(client.editInstalled(record, {enabled: true})),
				failureOf(client.verifyKey()),
				failureOf(client.openConversation(0, () => undefined)),
			]);
		}),
	);
	const everything = errors
		.flat()
		.map(error => everythingOf(error))
		.join('\n');
	assertNone(spellings, spelling => everything.includes(spelling));
});

test('no error contains the key if the program itself refuses', async (t: TestContext) => {
	const service = await startOdd(t);
	const errors = [
		await failureOf(clientOf({...service, apiKey}, {isReadOnly: true}).editInstalled(record, {enabled: true})),
		await failureOf(clientOf({...service, apiKey}).list('installed', AbortSignal.abort(new Error(apiKey)))),
		await failureOf(() => clientOf({...service, apiKey: `${apiKey}\n`})),
		await failureOf(() => clientOf({baseAddress: ['http', 'voice.example.com'].join('://'), apiKey})),
	];
	const everything = errors.map(error => everythingOf(error)).join('\n');
	assertNone(spellings, spelling => everything.includes(spelling));
});

test('a next page whose address contains the key is read, and logged without it', async (t: TestContext) => {
	const log: RequestLogEntry[] = [];
	const service = await startOdd(t, {
		[paths.installed]: jsonAnswer({
			results: [{id: 1}],
			next: `/pages/${encodeURIComponent(apiKey)}/2?api_key=${encodeURIComponent(apiKey)}`,
		}),
		'*': jsonAnswer([{id: 2}]),
	});
	const client = clientOf({...service, apiKey}, {onRequest: addTo(log)});
	assert.equal((await client.list('installed')).records.length, 2);
	assert.ok(service.requests.some(({query}) => query.includes(encodeURIComponent(apiKey))));
	assert.deepEqual(fieldsOf(log, 'path'), [paths.installed, '/pages/[key]/2']);
});

test('no event, error or log of a conversation contains the key if the service repeats it', async (t: TestContext) => {
	const service = await startLiveLike(t, {apiKey, conversation: repeatingKey(apiKey)});
	const log: RequestLogEntry[] = [];
	const client = clientOf(service, {onRequest: addTo(log)});
	const events: ConversationEvent[] = [];
	const conversation = await client.openConversation(0, addTo(events));
	const entries: CallLogEntry[] = [];
	const calls = await client.followCallLogs(10, addTo(entries));
	service.logCall({role: apiKey, content: apiKey});
	service.logCall([apiKey, {[apiKey]: encodeURIComponent(apiKey)}]);
	await waitUntil(() => entries.length === 2);
	calls.close();
	conversation.say('hello');
	const error = (await conversation.ended)!;
	const faults = events.filter(event => event.kind === 'fault');
	assert.deepEqual([error.kind, events.length, faults.length], ['server-error', 7, 1]);
	const everything = [
		inspect([conversation, calls], {depth: Infinity, showHidden: true, getters: true}),
		...[error, ...faults.map(fault => fault.error)].map(each => everythingOf(each)),
		// In one of them a terminal shows nothing between the pieces of the key.
		...events.map(({text}) => cleanText(text)),
		JSON.stringify([events, entries, log]),
	].join('\n');
	assertNone(spellings, spelling => everything.includes(spelling));
	assert.deepEqual(fieldsOf(log, 'path', 'status'), [
		['/websocket/voice-stream/[key]/0', 101],
		['/websocket/logs', 101],
	]);
});

test('no error of a conversation contains the key in the address, however it ends', async (t: TestContext) => {
	const log: RequestLogEntry[] = [];
	const errors: SwitchboardError[] = [];
	for (const conversation of [
		...Object.values(ending),
		...Object.values(refusing),
		redirectedTo(`/websocket/voice-stream/${encodeURIComponent(apiKey)}/0`),
	]) {
		const client = clientOf(await startLiveLike(t, {apiKey, conversation}), {onRequest: addTo(log)});
		errors.push(
			await failureOf(async () => {
				const opened = await client.openConversation(0, () => undefined);
				opened.say('hello');
				throw (await opened.ended)!;
			}),
		);
	}

	const everything = errors.map(error => everythingOf(error)).join('\n') + JSON.stringify(log);
	assertNone(spellings, spelling => everything.includes(spelling));
	assert.equal(log.length, errors.length);
});
