import {randomBytes} from 'node:crypto';
import {turnOf, type ConversationOptions, type LiveFrame, type LiveTalk} from './live-like/conversations.ts';

/*
How a service may misbehave in a conversation. Each is given to `startLiveLikeService` as `conversation`; its lists are as always.
*/

/** Greets at once, then does something with each phrase. */
const onPhrase = (answer: (talk: LiveTalk, phrase: string) => void): ConversationOptions => ({
	behave(talk) {
		talk.send(turnOf('assistant', 'Hello'));
		talk.listen(({type, data}) => {
			if (type === 'transcribed') {
				answer(talk, String(data));
			}
		});
	},
});

/** Sends these after a phrase, and then the answer `Done`. */
const before = (frames: (phrase: string) => ReadonlyArray<LiveFrame | string | Uint8Array>): ConversationOptions =>
	onPhrase((talk, phrase) => {
		for (const frame of frames(phrase)) {
			talk.send(frame);
		}

		talk.send(turnOf('assistant', 'Done'));
	});

/** Answers the handshake with this text, as it is. */
const handshake = (answer: string): ConversationOptions => ({
	handshake(socket) {
		socket.end(answer);
	},
});

const httpAnswer = (status: string, body = '', headers = ''): ConversationOptions =>
	handshake(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);

const closedWith = (code: number, reason = ''): ConversationOptions => onPhrase(({socket}) => socket.close(code, reason));

/** A frame of almost so many bytes. */
const frameOf = (bytes: number): LiveFrame => turnOf('assistant', 'x'.repeat(bytes), false);

/** Sends a frame again and again after a phrase, until the conversation ends. */
const flooding = (frame: LiveFrame): ConversationOptions =>
	onPhrase(talk => {
		const sendMore = (): void => {
			if (talk.socket.readyState !== talk.socket.OPEN) {
				return;
			}

			talk.send(frame);
			setImmediate(sendMore);
		};

		sendMore();
	});

const depth = 200_000;

/** The number of live frames in which a long answer comes. */
export const liveFrameCount = 2000;

export const silent = {
	'opens no connection': {handshake: () => undefined},
	'never greets and never answers': {behave: () => undefined},
	'greets, then never answers': onPhrase(() => undefined),
	'answers in live parts that never end': flooding(turnOf('assistant', 'So', false)),
	'logs without end, and never answers': flooding({type: 'log', data: {l: 'info', m: 'x'.repeat(10_000)}}),
} satisfies Readonly<Record<string, ConversationOptions>>;

/** After these the answer `Done` comes. */
export const odd = {
	'answers in thousands of live frames': before(() =>
		Array.from({length: liveFrameCount}, (_, index) => turnOf('assistant', `${index}`.repeat(10), false)),
	),
	'sends binary frames': before(() =>
		[randomBytes(1000), JSON.stringify(turnOf('assistant', 'binary')), ''].map(data =>
			typeof data === 'string' ? new TextEncoder().encode(data) : data,
		),
	),
	'sends what is no frame': before(() => [
		'',
		'no JSON',
		'null',
		'[]',
		'7',
		'"message"',
		'{"type":"message"}',
		'{"type":"message","data":null}',
		'{"type":"message","data":[]}',
		'{"type":"message","data":{"content":{"toString":1},"role":"assistant","final":true}}',
		'{"type":["message"],"data":{"content":"no","role":"assistant","final":true}}',
		'{"__proto__":{"type":"message","data":{"content":"no","role":"assistant","final":true}}}',
		'{"type":"log"}',
		'{"type":"log","data":{"l":{},"m":[]}}',
		'{"type":"text","data":{"a":1}}',
		'{"type":"toString","data":"x"}',
	]),
	'nests deeply': before(() => [
		`{"type":"action","data":${'['.repeat(depth)}${']'.repeat(depth)}}`,
		'['.repeat(depth),
		'{"a":'.repeat(depth),
	]),
	'answers others first': before(() => [
		turnOf('user', 'What of the other room?'),
		turnOf('assistant', 'Other answer, partly', false),
		turnOf('assistant', 'Other answer'),
	]),
	'hears others, then answers one after the other': before(phrase => [
		turnOf('user', 'What of the other room?'),
		turnOf('user', phrase),
		turnOf('assistant', 'Other answer'),
	]),
} satisfies Readonly<Record<string, ConversationOptions>>;

/** These end the conversation after the first phrase. */
export const ending = {
	'closes with 1008': closedWith(1008, 'Policy \u{1B}[31mviolated'),
	'closes with 1011': closedWith(1011),
	'closes with 1013': closedWith(1013, 'Try again later'),
	'closes with 1001': closedWith(1001, 'Going away'),
	'closes with 1000': closedWith(1000),
	'closes with 1009': closedWith(1009),
	'closes with 1012': closedWith(1012),
	'closes with a code of its own': closedWith(4001, 'Bye.'),
	'closes without a code': onPhrase(({socket}) => socket.close()),
	'cuts the connection': onPhrase(({socket}) => socket.terminate()),
	'sends a frame of more than 1 MB': before(() => [frameOf(1024 * 1024)]),
	'sends a broken frame': onPhrase(({raw}) => {
		raw.write(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
	}),
} satisfies Readonly<Record<string, ConversationOptions>>;

/** These refuse the handshake. */
export const refusing = {
	'answers the handshake with a page': httpAnswer(
		'200 OK',
		'<!DOCTYPE html><title>Welcome</title><h1>Welcome</h1>',
		'Content-Type: text/html\r\n',
	),
	'answers the handshake with 401': httpAnswer('401 Unauthorized', '{"detail":"Invalid API key"}', 'Content-Type: application/json\r\n'),
	'answers the handshake with 403': httpAnswer('403 Forbidden'),
	'answers the handshake with 400': httpAnswer('400 Bad Request'),
	'answers the handshake with 404, and offers the upgrade': httpAnswer('404 Not Found', '', 'Upgrade: websocket\r\n'),
	'answers the handshake with 426': httpAnswer(
		'426 Upgrade Required',
		'{"detail":"This endpoint is a WebSocket."}',
		'Content-Type: application/json\r\nUpgrade: websocket\r\n',
	),
	'answers the handshake with 404': httpAnswer('404 Not Found', '<!DOCTYPE html><title>Not found</title>', 'Content-Type: text/html\r\n'),
	'answers the handshake with 429': httpAnswer('429 Too Many Requests', '', 'Retry-After: 30\r\n'),
	'answers the handshake with 500': httpAnswer('500 Internal Server Error', '<h1>Error</h1>'),
	'answers the handshake with what is no HTTP': handshake('\u{0}\u{1} this is no HTTP\r\n\r\n'),
	'cuts the handshake': {
		handshake(socket) {
			socket.destroy();
		},
	},
	'accepts with a wrong proof': handshake(
		'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: bm8=\r\n\r\n',
	),
} satisfies Readonly<Record<string, ConversationOptions>>;

/** Redirects the handshake, as with 301. */
export function redirectedTo(address: string, status = '301 Moved Permanently'): ConversationOptions {
	return httpAnswer(status, '', `Location: ${address}\r\n`);
}

/** Repeats the key wherever it can be repeated, and then ends. */
export function repeatingKey(key: string): ConversationOptions {
	return onPhrase(talk => {
		for (const frame of [
			turnOf('assistant', `Your key is ${key}`, false),
			{type: 'log', data: {l: key, m: `The key is ${key}`}},
			{type: 'log', data: {level: 'info', message: [...key].join('\u{200B}')}},
			{type: 'action', data: {[key]: encodeURIComponent(key)}},
			{type: 'error-event', data: {message: `wss://host/websocket/voice-stream/${encodeURIComponent(key)}/0 has failed`}},
			turnOf('assistant', key),
		]) {
			talk.send(frame);
		}

		talk.socket.close(1011, key.slice(0, 100));
	});
}

/** What a terminal must never get, in every place where texts stand. */
export const escapeSequences: ConversationOptions = before(() => {
	const nasty = 'a\u{1B}]0;title\u{7}\u{1B}[2Jb\u{202E}c\u{0}\r\nd';
	return [
		turnOf('assistant', nasty, false),
		{type: 'log', data: {l: nasty, m: nasty}},
		{type: 'progress', data: {[nasty]: nasty}},
		{type: 'question', data: nasty},
		{type: 'error-event', data: {title: nasty}},
		turnOf('assistant', nasty),
	];
});
