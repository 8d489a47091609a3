import type {Buffer} from 'node:buffer';
import {createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse, STATUS_CODES} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import type {Socket} from 'node:net';
import {webSocketPaths} from '../../interface/conversation.ts';
import type {Limits} from './limits.ts';
import {secureOptions, type Tls} from './listen.ts';

/** Makes clients take the content for its declared type: no browser may run the file of an ability as a page with scripts. */
export const noSniff = {'x-content-type-options': 'nosniff'} as const;

export type EndedExchange = {
	/** `undefined` if the request could not be read. */
	readonly request: IncomingMessage | undefined;
	/** The other end of the connection, which may be a proxy; `undefined` if it is closed already. */
	readonly remoteAddress: string | undefined;
	readonly status: number;
	readonly milliseconds: number;
};

/** The client left before the answer began; nginx uses this status. */
const clientLeft = 499;

type Refusal = readonly [status: number, detail: string];

/** The faults that Node.js finds in a request before any other code sees it, by its error codes. Anything else is not HTTP. */
const refusals: Readonly<Record<string, Refusal>> = {
	HPE_HEADER_OVERFLOW: [431, 'The path and the headers are too long: together they may be at most 16 KB.'],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long.'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

const notHttp: Refusal = [400, 'This is not a valid HTTP request.'];

/**
How long a client that is still sending may take to read the answer: if closed earlier, the connection would be reset and the answer lost.
*/
const lingerMilliseconds = 1000;

/** The rest of a smaller body comes soon, and the connection can be used again. */
const shortBodyBytes = 64 * 1024;

/** This many longer bodies are read to their end at a time after their answer. */
const mostLongRests = 16;

/** Ends the connection of a request without an accepted key unless the rest of its body arrives in time, even if it makes progress. */
export function endLate(request: IncomingMessage, {restMilliseconds}: Limits): void {
	const deadline = setTimeout(() => {
		request.socket.destroy();
	}, restMilliseconds);
	request.once('close', () => clearTimeout(deadline));
}

type Parts = {
	readonly tls: Tls | undefined;
	readonly limits: Limits;
	/** Called for every request once it has ended. */
	readonly onEnd: ((ended: EndedExchange) => void) | undefined;
};

type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly handle: () => void;
	/** The bytes after a handshake; `undefined` for any other request. */
	readonly head: Buffer | undefined;
	readonly startedAt: number;
	/** The status of an answer that was written directly to the connection. */
	directStatus: number | undefined;
};

type Connection = {
	/** Without an answer, oldest first. All others wait for the first, so that a client that reads no answers takes the memory of one. */
	readonly exchanges: Exchange[];
	/** True if the last request was answered before its whole body had arrived. */
	hasRest: boolean;
	/** The answer to input that is not a request. The rest of the input is wrong too. */
	refusal: Refusal | undefined;
};

/**
Returns the HTTP server below Fastify. Node.js bounds the connections and keeps the deadlines; the requests of a connection are handled one
at a time. Requests that Node.js itself refuses are answered like all other errors, `{"detail": "…"}`.
*/
export function createHttpServer(handle: RequestListener, {tls, limits, onEnd}: Parts) {
	const open = new Map<Socket, Connection>();
	/** The number of long bodies of requests that are already answered. */
	let longRests = 0;
	let isStopping = false;

	const report = ({request, response, startedAt, directStatus}: Exchange): void => {
		onEnd?.({
			request,
			remoteAddress: request.socket.remoteAddress,
			status: directStatus ?? (response.headersSent ? response.statusCode : clientLeft),
			milliseconds: performance.now() - startedAt,
		});
	};

	/** Called if the answer came before the whole body. */
	const readRest = (request: IncomingMessage): void => {
		// Node.js reads the rest and drops it, because a client may read the answer only then. Many long rests at once would fill the
		// memory until V8 collects them.
		if (Number(request.headers['content-length'] ?? 0) > shortBodyBytes) {
			longRests++;
			if (longRests > mostLongRests) {
				request.socket.pause();
			}

			request.once('close', () => {
				longRests--;
			});
		}

		endLate(request, limits);
	};

	/** Handles the first request of a connection, or refuses it, or what came after the last one. */
	const start = (socket: Socket, {exchanges: [first], refusal}: Connection): void => {
		// A request with a broken body is never complete: the refusal is its answer.
		if (refusal === undefined || first?.request.complete === true) {
			first?.handle();
		} else if (socket.writable) {
			const [status] = refusal;
			if (first === undefined) {
				onEnd?.({request: undefined, remoteAddress: socket.remoteAddress, status, milliseconds: 0});
			} else {
				first.directStatus = status;
			}

			writeRefusal(socket, refusal);
		}
	};

	const end = (socket: Socket, connection: Connection): void => {
		const ended = connection.exchanges.shift();
		if (ended === undefined) {
			return;
		}

		report(ended);
		connection.hasRest = !ended.request.complete;
		if (socket.destroyed) {
			return;
		}

		if (connection.hasRest) {
			readRest(ended.request);
		}

		start(socket, connection);
		if (isStopping && connection.exchanges.length === 0 && !connection.hasRest) {
			socket.destroySoon();
		}
	};

	const enqueue = (request: IncomingMessage, response: ServerResponse, handleRequest: () => void, head?: Buffer): void => {
		const {socket} = request;
		const connection = open.get(socket);
		if (connection === undefined || socket.destroyed) {
			return;
		}

		const {exchanges} = connection;
		// Node.js reads a thousand requests from one piece of 64 KB, and cannot be stopped in between.
		if (exchanges.length >= limits.waitingRequests) {
			socket.destroy();
			return;
		}

		if (isStopping) {
			response.shouldKeepAlive = false;
		}

		exchanges.push({request, response, handle: handleRequest, head, startedAt: performance.now(), directStatus: undefined});
		response.on('close', () => end(socket, connection));
		if (exchanges.length === 1) {
			handleRequest();
		}
	};

	/** Answers in progress are sent first, so that nothing is written into them. */
	const refuse = (socket: Socket, refusal: Refusal): void => {
		const connection = open.get(socket);
		if (connection === undefined || connection.refusal !== undefined) {
			return;
		}

		connection.refusal = refusal;
		const [first] = connection.exchanges;
		if (first === undefined ? connection.hasRest : first.response.headersSent && !first.request.complete) {
			// It has its answer already.
			socket.destroySoon();
		} else if (first?.request.complete !== true) {
			start(socket, connection);
		}
	};

	const options = {
		// A request without the header Host is answered by `refuseOddRequests`, in the form of all other errors.
		requireHostHeader: false,
		headersTimeout: Math.min(limits.idleMilliseconds, limits.requestMilliseconds),
		requestTimeout: limits.requestMilliseconds,
		keepAliveTimeout: limits.idleMilliseconds,
		// Clients get the time above. A client that is held up sends on a connection some seconds after its end, and would lose a
		// change.
		keepAliveTimeoutBuffer: Math.min(5000, limits.idleMilliseconds / 4),
		connectionsCheckingInterval: Math.min(5000, limits.idleMilliseconds / 4, limits.requestMilliseconds / 4),
		shouldUpgradeCallback: isWebSocketHandshake,
	};
	const onRequest: RequestListener = (request, response) => enqueue(request, response, () => handle(request, response));

	const server: Server =
		tls === undefined
			? createServer(options, onRequest)
			: createTlsServer({...options, ...secureOptions(tls), handshakeTimeout: limits.handshakeMilliseconds}, onRequest);
	server.setTimeout(limits.silentMilliseconds);
	server.maxConnections = limits.connections;
	server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
		const connection: Connection = {exchanges: [], hasRest: false, refusal: undefined};
		open.set(socket, connection);
		socket.once('close', () => {
			open.delete(socket);
			// Node.js does not close responses that wait for an earlier one.
			for (const exchange of connection.exchanges.splice(0)) {
				report(exchange);
			}
		});
	});
	// Any other expectation than 100-continue may be ignored (RFC 9110, section 10.1.1).
	server.on('checkExpectation', onRequest);
	server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
		// Node.js no longer takes care of the connection: neither of its errors nor of the answer to a refused handshake.
		destroyOnError(socket);
		const response = new ServerResponse(request);
		response.shouldKeepAlive = false;
		const handleHandshake = (): void => {
			response.assignSocket(socket);
			response.once('finish', () => {
				response.detachSocket(socket);
				response.emit('close');
				endInTime(socket);
			});
			handle(request, response);
		};

		enqueue(request, response, handleHandshake, head);
	});
	server.on('connect', (_request, socket: Socket) => {
		refuse(socket, [405, 'This service is not a proxy.']);
	});
	server.on('clientError', ({code = ''}: Error & {readonly code?: string}, socket: Socket) => {
		if (code === 'ECONNRESET' || !socket.writable || !open.has(socket)) {
			socket.destroy();
		} else {
			refuse(socket, refusals[code] ?? notHttp);
		}
	});

	return {
		server,
		/**
		Takes the connection of a handshake, which counts as answered with 101.

		@returns the bytes after the handshake; `undefined` if Node.js has not taken the request for one, or its connection is closed.
		*/
		takeOver({socket}: IncomingMessage): Buffer | undefined {
			const connection = open.get(socket);
			const exchange = connection?.exchanges[0];
			if (exchange?.head === undefined || socket.destroyed) {
				return undefined;
			}

			open.delete(socket);
			connection?.exchanges.shift();
			exchange.response.detachSocket(socket);
			exchange.directStatus = 101;
			report(exchange);
			return exchange.head;
		},
		/**
		Ends every connection without an answer in progress, even one that has never sent a request, and all others after their answer.
		*/
		stop(): void {
			isStopping = true;
			for (const [socket, {exchanges}] of open) {
				for (const {response} of exchanges) {
					response.shouldKeepAlive = false;
				}

				if (exchanges.length === 0) {
					socket.destroy();
				}
			}
		},
	};
}

function writeRefusal(socket: Socket, [status, detail]: Refusal): void {
	const body = JSON.stringify({detail});
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${body.length}`,
		...Object.entries(noSniff).map(header => header.join(': ')),
		'Connection: close',
	];
	endInTime(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Ends a connection once the text is sent, even if the client is still sending. */
function endInTime(socket: Socket, text = ''): void {
	socket.end(text);
	const linger = setTimeout(() => {
		socket.destroy();
	}, lingerMilliseconds);
	socket.once('close', () => clearTimeout(linger));
}

/** All other upgrade requests are answered as if they had not asked for another protocol. */
const isWebSocketHandshake = ({method, url = '', headers}: IncomingMessage): boolean =>
	method === 'GET' &&
	url.startsWith(webSocketPaths) &&
	headers.upgrade?.toLowerCase() === 'websocket' &&
	Number(headers['content-length'] ?? 0) === 0 &&
	headers['transfer-encoding'] === undefined;

/** A handler that keeps nothing else in memory for as long as the connection lasts. */
function destroyOnError(socket: Socket): void {
	socket.on('error', () => {
		socket.destroy();
	});
}

export type HttpServer = ReturnType<typeof createHttpServer>;
