import type {Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {Buffer} from 'node:buffer';
import {maximumFrameBytes} from '../interface/conversation.ts';

/** For the body of an answer that refuses the handshake. */
const maximumBodyBytes = 64 * 1024;

/** For the service to confirm the end. */
const closeMilliseconds = 1000;

/** A connection that was silent for this many pings is dead. */
const maximumUnansweredPings = 2;

/** The public service takes no other clients (`docs/interface.md`, Conversation). */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 switchboard';

/** How a connection ended: the code and reason of RFC 6455, section 7.4, and the code of the error of `ws` or Node.js. */
export type SocketEnd = {readonly code: number; readonly reason: string; readonly errorCode?: string | undefined};

export type SocketListener = {
	/** Called with each text of the service. May be called before the connection is handed over. */
	onText(text: string): void;
	/** Called once, also after `close`. */
	onEnd(end: SocketEnd): void;
};

type Options = SocketListener & {readonly agent: Agent; readonly signal: AbortSignal};

type Refusal = {readonly statusCode: number; readonly headers: IncomingHttpHeaders; readonly rawBody: Uint8Array<ArrayBuffer>};

/**
Opens a WebSocket. Redirects are not followed. The connection is pinged, and cut off when nothing comes any more.

@returns the connection, or the answer of a service that refused the handshake.
@throws the error of Node.js, whose code may be shown, but nothing else: other fields hold the address.
*/
export async function openWebSocket(url: URL, {agent, signal, onText, onEnd}: Options) {
	// Few runs hold a conversation.
	const {WebSocket} = await import('ws');
	signal.throwIfAborted();
	const socket = new WebSocket(url.href.replace(/^http/, 'ws'), {
		agent,
		origin: url.origin,
		headers: {'user-agent': userAgent},
		perMessageDeflate: false,
		followRedirects: false,
		maxPayload: maximumFrameBytes,
	});
	const {promise, resolve, reject} = Promise.withResolvers<{readonly refusal: Refusal} | {readonly headers: IncomingHttpHeaders}>();
	let headers: IncomingHttpHeaders = {};
	let errorCode: string | undefined;
	let isOpen = false;
	let unansweredPings = 0;
	const hear = (): void => {
		unansweredPings = 0;
	};

	const cancel = (): void => socket.terminate();

	signal.addEventListener('abort', cancel, {once: true});
	socket.on('upgrade', response => {
		({headers} = response);
	});
	socket.on('unexpected-response', (request, response) => resolve(readRefusal(request, response)));
	socket.on('open', () => {
		isOpen = true;
		resolve({headers});
	});
	socket.on('error', (error: Error & {readonly code?: string}) => {
		errorCode = error.code;
		// `ws` gives no code to an answer that claims to be a handshake and is not.
		reject(error.code === undefined ? Object.assign(new Error('No WebSocket'), {code: 'EPROTO'}) : error);
	});
	socket.on('message', (data, isBinary) => {
		hear();
		if (!isBinary) {
			// eslint-disable-next-line @typescript-eslint/no-base-to-string -- It is a buffer.
			onText(String(data));
		}
	});
	socket.on('ping', hear);
	socket.on('pong', hear);
	const pinging = setInterval(() => {
		if (unansweredPings === maximumUnansweredPings) {
			errorCode = 'ETIMEDOUT';
			socket.terminate();
		} else if (isOpen) {
			unansweredPings++;
			socket.ping();
		}
	}, 30_000).unref();
	socket.once('close', (code: number, reason: Uint8Array) => {
		clearInterval(pinging);
		if (isOpen) {
			onEnd({code, reason: Buffer.from(reason).toString(), errorCode});
		}
	});
	try {
		const opened = await promise;
		if ('refusal' in opened) {
			return opened;
		}

		return {
			...opened,
			send(text: string): void {
				socket.send(text, () => {
					// The end of the connection says why.
				});
			},
			close(): void {
				socket.close();
				setTimeout(cancel, closeMilliseconds).unref();
			},
		};
	} finally {
		signal.removeEventListener('abort', cancel);
	}
}

async function readRefusal(request: ClientRequest, response: IncomingMessage): Promise<{readonly refusal: Refusal}> {
	const parts: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const part of response as AsyncIterable<Uint8Array>) {
			length += part.byteLength;
			if (length > maximumBodyBytes) {
				break;
			}

			parts.push(part);
		}
	} catch {
		// The outcome is enough.
	}

	request.destroy();
	return {refusal: {statusCode: response.statusCode ?? 0, headers: response.headers, rawBody: Buffer.concat(parts)}};
}
