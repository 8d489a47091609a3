import {
	type Server,
	type ServerResponse,
	STATUS_CODES,
} from 'node:http';
import {type Socket} from 'node:net';
import {type Connections} from './connections.ts';
import {noSniff, noSniffHeader} from './no-sniff.ts';

type ParserError = Error & {readonly code?: string};

/** What Node.js finds wrong with a request before anyone else sees it, by its error codes. Anything else is not HTTP. */
const refusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
	HPE_HEADER_OVERFLOW: [431, 'The path and the headers are too long: together they may be at most 16 KB.'],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long.'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

const notHttp = [400, 'This is not a valid HTTP request.'] as const;

/** How long a client that is still sending has to read the answer: closed earlier, the connection would be reset and the answer lost. */
const lingerMilliseconds = 1000;

const jsonOf = (detail: string): string => JSON.stringify({detail});

const writeAndClose = (socket: Socket, [status, detail]: readonly [number, string]): void => {
	const body = jsonOf(detail);
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${body.length}`,
		`${noSniffHeader}: ${noSniff}`,
		'Connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
	const linger = setTimeout(() => {
		socket.destroy();
	}, lingerMilliseconds);
	socket.once('close', () => {
		clearTimeout(linger);
	});
};

/** Resolves however the response ends: whether it failed is for others to handle. */
const closeOf = async (response: ServerResponse): Promise<void> => new Promise(resolve => {
	if (response.closed) {
		resolve();
	} else {
		response.once('close', resolve);
	}
});

const respond = (response: ServerResponse, status: number, detail: string): void => {
	response.writeHead(status, {'content-type': 'application/json; charset=utf-8', connection: 'close'});
	response.end(jsonOf(detail));
};

/**
Answers what Node.js refuses by itself in the form of every other error, `{"detail": "…"}`, and closes the connection.
An answer in progress is finished first: nothing is ever written into it.

@param connections - those of the server, which does not exist yet.
@returns `handle` is for Fastify's `clientErrorHandler`; `watch` is to be called with its server.
*/
export const createClientErrors = (connections: () => Connections): {handle(error: ParserError, socket: Socket): void; watch(server: Server): void} => {
	const refused = new WeakSet<Socket>();

	const refuse = async (socket: Socket, refusal: readonly [number, string]): Promise<void> => {
		const {unanswered, unfinished} = connections().underWay(socket);
		// A request whose body is broken is never complete: the refusal is its answer, unless it has one already.
		await Promise.all(unanswered.filter(response => response !== unfinished).map(async response => closeOf(response)));
		if (unfinished?.headersSent) {
			await closeOf(unfinished);
			socket.destroy();
		} else if (socket.writable) {
			connections().tellRefusal(socket, refusal[0]);
			writeAndClose(socket, refusal);
		}
	};

	return {
		handle({code = ''}, socket) {
			if (code === 'ECONNRESET' || !socket.writable) {
				socket.destroy();
			} else if (!refused.has(socket)) {
				// What still arrives is as wrong as what came before.
				refused.add(socket);
				void refuse(socket, refusals[code] ?? notHttp);
			}
		},
		watch(server) {
			server.on('checkExpectation', (request, response: ServerResponse) => {
				connections().takeTurn(request, response, () => {
					respond(response, 417, 'The only expectation that this service meets is 100-continue.');
				});
			});
			server.on('connect', (_request, socket: Socket) => {
				void refuse(socket, [405, 'This service is no proxy.']);
			});
		},
	};
};
