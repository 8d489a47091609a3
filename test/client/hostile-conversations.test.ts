import {assert, test, type TestContext} from '../helpers/node.ts';
import type {TransportOptions} from '../../source/client/client.ts';
import {openDialogue, type Dialogue, type SpokenAnswer} from '../../source/client/dialogue.ts';
import type {SwitchboardError} from '../../source/interface/errors.ts';
import {ending, escapeSequences, liveFrameCount, odd, redirectedTo, refusing, silent} from '../helpers/hostile-conversations.ts';
import type {ConversationOptions} from '../helpers/live-like/conversations.ts';
import type {LiveLikeService} from '../helpers/live-like-service.ts';
import {clientOf, failureOf, startLiveLike, startOdd, told} from './clients.ts';

async function open(
	t: TestContext,
	conversation: ConversationOptions,
	options: Partial<TransportOptions> = {},
): Promise<{readonly service: LiveLikeService; readonly dialogue: Dialogue}> {
	const service = await startLiveLike(t, {conversation});
	return {service, dialogue: await openDialogue(clientOf(service, options), 0, {timeoutMilliseconds: 20_000})};
}

async function ask(t: TestContext, conversation: ConversationOptions): Promise<SpokenAnswer> {
	const {dialogue} = await open(t, conversation);
	return dialogue.ask('Hello there');
}

/** What a person gets to read, with the address in one word. */
const sentence = (error: SwitchboardError): string => `${error.kind}: ${told(error)}`.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'SERVICE');

const again = 'Try again in a moment.';

test('a conversation that the service ends is reported with how it ended', async t => {
	const expected: Readonly<Record<keyof typeof ending, string>> = {
		'closes with 1008': 'forbidden: SERVICE refused the conversation: Policy violated (1008). Check the key with: switchboard status',
		'closes with 1011': `server-error: SERVICE failed (1011). ${again}`,
		'closes with 1013': `rate-limited: SERVICE has no room for another conversation now: Try again later (1013). ${again}`,
		'closes with 1001': `unreachable: SERVICE went away: Going away (1001). ${again}`,
		'closes with 1000': 'unreachable: SERVICE ended the conversation (1000).',
		'closes with 1009': 'too-large: SERVICE found a message too large (1009).',
		'closes with 1012': `unreachable: SERVICE restarts (1012). ${again}`,
		'closes with a code of its own': 'unreachable: SERVICE ended the conversation: Bye (4001).',
		'closes without a code': 'unreachable: SERVICE ended the conversation (1005).',
		'cuts the connection': 'unreachable: SERVICE broke off the conversation (1006). Check the network, then try again.',
		'sends a frame of more than 1 MB': 'unintelligible: SERVICE sent a message that is too large (WS_ERR_UNSUPPORTED_MESSAGE_LENGTH).',
		'sends a broken frame':
			'unintelligible: SERVICE sent something other than a conversation (WS_ERR_UNEXPECTED_RSV_2_3). Check the address: a proxy may be in between.',
	};
	const sentences: Record<string, string> = {};
	for (const [title, conversation] of Object.entries(ending)) {
		const {dialogue} = await open(t, conversation);
		const error = await failureOf(dialogue.ask('Hello there'));
		sentences[title] = sentence(error);
		assert.equal(await dialogue.conversation.ended, error, title);
		assert.equal(await failureOf(dialogue.ask('Are you there?')), error, title);
	}

	assert.deepEqual(sentences, expected);
});

test('a handshake that is refused is reported as other requests are, and the proxy is named that may be the reason', async t => {
	const proxy = 'A proxy in between must pass on the headers Upgrade and Connection. For nginx: switchboard help proxies';
	const expected: Readonly<Record<keyof typeof refusing, string>> = {
		'answers the handshake with a page': 'unintelligible: SERVICE gave an unexpected answer (HTTP 200). Check the address of the service.',
		'answers the handshake with 401':
			'key-refused: The service refused the API key. Invalid API key. Get a new one in the dashboard under Settings, API Keys.',
		'answers the handshake with 403':
			'forbidden: The service does not allow this with your key (HTTP 403). Use the key of an account that may do this.',
		'answers the handshake with 400': `refused: The service refused the request (HTTP 400). ${proxy}`,
		'answers the handshake with 404': `not-found: The service has no such path (HTTP 404). The service may have no conversations, or no agent with this id.\n${proxy}`,
		'answers the handshake with 404, and offers the upgrade':
			'not-found: The service has no such path (HTTP 404). The service may have no conversations, or no agent with this id.',
		'answers the handshake with 426': `refused: The service refused the request: This endpoint is a WebSocket. ${proxy}`,
		'answers the handshake with 429': 'rate-limited: Rate limit exceeded (HTTP 429). Try again in 30 s.',
		'answers the handshake with 500': `server-error: The service failed (HTTP 500). ${again}`,
		'answers the handshake with what is no HTTP':
			'unintelligible: SERVICE does not speak the protocol of its address (HPE_INVALID_CONSTANT). Check whether the address begins with http:// where it should be https://, or the other way round.',
		'cuts the handshake': 'unreachable: SERVICE could not be reached: connection lost. Check the address and the network.',
		'accepts with a wrong proof':
			'unintelligible: SERVICE does not speak the protocol of its address (EPROTO). Check whether the address begins with http:// where it should be https://, or the other way round.',
	};
	const sentences: Record<string, string> = {};
	for (const [title, conversation] of Object.entries(refusing)) {
		sentences[title] = sentence(await failureOf(open(t, conversation)));
	}

	assert.deepEqual(sentences, expected);
});

test('a handshake that is redirected is not followed, and no connection is opened there', async t => {
	const other = await startOdd(t);
	for (const [status, address] of [
		['301 Moved Permanently', `${other.baseAddress}/websocket`],
		['302 Found', other.baseAddress.replace('http', 'ws')],
		['307 Temporary Redirect', `//${new URL(other.baseAddress).host}/`],
		['308 Permanent Redirect', '/elsewhere'],
	] as const) {
		const error = await failureOf(open(t, redirectedTo(address, status)));
		assert.equal(error.kind, 'unintelligible');
		assert.match(told(error), /redirects to .*, which is not followed/, status);
	}

	assert.equal(other.connectionCount(), 0);
});

test('an answer is found among whatever else comes', async t => {
	for (const [title, conversation] of Object.entries(odd)) {
		const {answer, events} = await ask(t, conversation);
		assert.equal(answer, 'Done', title);
		assert.ok(events.length < 10, title);
	}
});

test('a turn that comes in thousands of parts is told part by part, and only the whole one is kept', async t => {
	const service = await startLiveLike(t, {conversation: odd['answers in thousands of live frames']});
	let partCount = 0;
	const dialogue = await openDialogue(clientOf(service), 0, {
		onEvent(event) {
			partCount += event.kind === 'turn' && !event.isFinal ? 1 : 0;
		},
	});
	const {events} = await dialogue.ask('Hello there');
	dialogue.close();
	assert.equal(partCount, liveFrameCount);
	assert.deepEqual(events, [{kind: 'turn', role: 'assistant', text: 'Done', isFinal: true}]);
});

test('a service that does not answer is given up after the time for it', async t => {
	const late = 'timeout: The agent gave no answer within 0.2 s. Try again, or allow more time with --timeout DURATION.';
	for (const title of [
		'greets, then never answers',
		'answers in live parts that never end',
		'logs without end, and never answers',
	] as const) {
		const service = await startLiveLike(t, {conversation: silent[title]});
		const dialogue = await openDialogue(clientOf(service), 0, {timeoutMilliseconds: 200});
		assert.equal(sentence(await failureOf(dialogue.ask('Hello there'))), late, title);
		dialogue.close();
		assert.equal(await dialogue.conversation.ended, undefined);
	}

	const error = await failureOf(open(t, silent['opens no connection'], {timeoutMilliseconds: 200}));
	assert.equal(sentence(error), 'timeout: SERVICE did not answer in time. Try again, or allow more time with --timeout DURATION.');
});

test('an agent that does not greet within ten seconds is spoken to without', async t => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {service, dialogue} = await open(t, {
		behave(talk) {
			talk.listen(({type}) => {
				if (type === 'transcribed') {
					talk.send({type: 'message', data: {content: 'Late, but here', role: 'assistant'}});
				}
			});
		},
	});
	const greeting = dialogue.greeted();
	const answer = dialogue.ask('Hello there');
	t.mock.timers.tick(10_000);
	t.mock.timers.reset();
	assert.deepEqual([await greeting, service.conversations[0]!.phrases()], [undefined, []]);
	assert.equal((await answer).answer, 'Late, but here');
});

test('a fault of the conversation is the answer to a phrase, in one clean line, and the conversation goes on', async t => {
	const {dialogue} = await open(t, escapeSequences);
	assert.equal(sentence(await failureOf(dialogue.ask('Hello there'))), 'server-error: abc d');
	assert.equal(sentence(await failureOf(dialogue.ask('Hello again'))), 'server-error: abc d');
});
