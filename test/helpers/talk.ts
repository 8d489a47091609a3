import {type IncomingMessage, once, text} from './node.ts';
import {type ClientOptions, WebSocket} from 'ws';
import {waitUntil} from './wait-until.ts';

export type TalkFrame = {readonly type: string; readonly data: Readonly<Record<string, unknown>>};

/** The answer to a handshake that was refused. */
export type Refusal = {readonly status: number; readonly body: string; readonly headers: IncomingMessage['headers']};

export function streamPath(key: string, agent: unknown = 0): string {
	return `/websocket/voice-stream/${key}/${String(agent)}`;
}

export function logsPath(key: string, tail: unknown = 100): string {
	return `/websocket/logs?api_key=${key}&tail=${String(tail)}`;
}

const connect = (baseAddress: string, path: string, options: ClientOptions): WebSocket =>
	new WebSocket(`${baseAddress.replace('http', 'ws')}${path}`, {perMessageDeflate: false, ...options});

export async function openTalk(baseAddress: string, path: string, options: ClientOptions = {}) {
	const socket = connect(baseAddress, path, options);
	const frames: TalkFrame[] = [];
	socket.on('message', data => {
		// eslint-disable-next-line @typescript-eslint/no-base-to-string -- It is a buffer.
		frames.push(JSON.parse(String(data)) as TalkFrame);
	});
	const {promise: ended, resolve} = Promise.withResolvers<{code: number; reason: string}>();
	socket.once('close', (code, reason) => resolve({code, reason: String(reason)}));
	const [[{headers}]] = await Promise.all([once(socket, 'upgrade') as Promise<[IncomingMessage]>, once(socket, 'open')]);
	socket.on('error', () => undefined);
	const answers = (): readonly string[] =>
		frames
			.filter(({type, data}) => type === 'message' && data['role'] === 'assistant' && data['final'] === true)
			.map(({data}) => String(data['content']));
	return {
		socket,
		headers,
		frames,
		ended,
		say(phrase: string) {
			socket.send(JSON.stringify({type: 'transcribed', data: phrase}));
		},
		async waitForFrames(count: number) {
			await waitUntil(() => frames.length >= count);
			return frames;
		},
		/** Waits for so many whole turns of the agent, and returns them. */
		async waitForAnswers(count: number) {
			await waitUntil(() => answers().length >= count);
			return answers();
		},
		async [Symbol.asyncDispose]() {
			socket.terminate();
			await ended;
		},
	};
}

export type Talk = Awaited<ReturnType<typeof openTalk>>;

/** Sends a handshake that must be refused. */
export async function refuseTalk(baseAddress: string, path: string, options: ClientOptions = {}): Promise<Refusal> {
	const socket = connect(baseAddress, path, options);
	socket.on('error', () => undefined);
	const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
	const body = await text(response);
	socket.terminate();
	return {status: response.statusCode ?? 0, body, headers: response.headers};
}
