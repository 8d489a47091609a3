import {Buffer, delay, type IncomingMessage, type ServerResponse, type Socket} from './node.ts';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';

/** A reference server's answer to one request, and how it misbehaves. */
export type Answer = {
	/** 200 by default. */
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string | readonly string[]>>;
	/** Sent as it is; an iterable is sent piece by piece, with a chunked body, and serves one answer. */
	readonly body?: string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
	/** How long to wait before the first byte. */
	readonly delayMilliseconds?: number;
	/** `connection`: the connection is closed before any answer; `headers`: after the head; `body`: after half of the body. */
	readonly cut?: 'connection' | 'headers' | 'body';
	/** The request is never answered, the connection stays open. */
	readonly isHanging?: boolean;
	/** The body comes a byte at a time, with this pause between two. */
	readonly millisecondsPerByte?: number;
	/** The connection stays open, and is cut as soon as it is used again: a kept-alive one whose other end is gone. */
	readonly isConnectionStaleAfterwards?: boolean;
};

/** Connections that are cut as soon as another request comes over them. */
export const staleSockets = new WeakSet<Socket>();

/** An answer with a JSON body. */
export function jsonAnswer(value: unknown, status = 200): Answer {
	return {status, headers: {'content-type': 'application/json'}, body: JSON.stringify(value)};
}

/** An answer that is a web page, such as that of a proxy, a sign-in wall or a framework's debug mode. */
export function htmlAnswer(html: string, status = 200): Answer {
	return {status, headers: {'content-type': 'text/html; charset=utf-8'}, body: html};
}

/** Sends the answer, misbehaving as it says. A caller that disconnects meanwhile is no failure of the server. */
export async function sendAnswer(incoming: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
	if (answer.delayMilliseconds !== undefined) {
		await delay(answer.delayMilliseconds, undefined, {ref: false});
	}

	if (answer.isHanging === true) {
		return;
	}

	if (answer.cut === 'connection') {
		incoming.socket.destroy();
		return;
	}

	response.statusCode = answer.status ?? 200;
	for (const [name, value] of Object.entries(answer.headers ?? {})) {
		response.setHeader(name, value);
	}

	if (answer.cut === 'headers') {
		response.setHeader('content-length', '1000');
		response.flushHeaders();
		setImmediate(() => {
			incoming.socket.destroy();
		});
		return;
	}

	if (answer.isConnectionStaleAfterwards === true) {
		staleSockets.add(incoming.socket);
	}

	try {
		await sendBody(response, answer);
	} catch (error) {
		if (!response.destroyed) {
			throw error;
		}
	}
}

async function sendBody(response: ServerResponse, {body = '', cut, millisecondsPerByte}: Answer): Promise<void> {
	if (!isWhole(body)) {
		await pipeline(Readable.from(body, {objectMode: false}), response);
		return;
	}

	const bytes = Buffer.from(body);
	// 204 and 304 have no body and may not announce one (RFC 9110, 8.6).
	if (response.statusCode !== 204 && response.statusCode !== 304 && !response.hasHeader('transfer-encoding')) {
		response.setHeader('content-length', response.getHeader('content-length') ?? bytes.length);
	}

	if (cut === 'body') {
		response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
			response.socket?.destroy();
		});
		return;
	}

	if (millisecondsPerByte !== undefined) {
		await pipeline(Readable.from(dripped(bytes, millisecondsPerByte), {objectMode: false}), response);
		return;
	}

	response.end(bytes);
}

const isWhole = (body: Answer['body']): body is string | Uint8Array => typeof body === 'string' || body instanceof Uint8Array;

// An own generator instead of timers on the response: the pipeline stops it when the caller goes away.
async function* dripped(bytes: Uint8Array, millisecondsPerByte: number): AsyncGenerator<Uint8Array> {
	for (let index = 0; index < bytes.length; index++) {
		await delay(millisecondsPerByte);
		yield bytes.subarray(index, index + 1);
	}
}
