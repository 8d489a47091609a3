import {type AddressInfo, Buffer, delay} from './node.ts';
import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {type Answer, sendAnswer, staleSockets} from './answers.ts';
import {createTrouble} from './trouble.ts';

/** A request as it was received. */
export type RecordedRequest = {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	readonly bytes: Buffer;
	/** When it had been received completely, in milliseconds of `performance.now()`. */
	readonly at: number;
};

export type RequestFilter = (request: RecordedRequest) => boolean;

export type Handler = (request: RecordedRequest) => Answer | Promise<Answer>;

/** The deadline for requests to come, also from a program that is just being started on a busy machine. */
const deadlineMilliseconds = 60_000;

/**
A plain HTTP server on a free port of 127.0.0.1 that keeps every request for assertions.

@param handle - answers a request; what it throws is answered with 500 and its stack.
@param portNumber - a port to take, such as that of a server that was closed; any free one, unless given.
*/
export async function startRecordingServer(handle: Handler, portNumber = 0) {
	const requests: RecordedRequest[] = [];
	const feedRequests: RecordedRequest[] = [];
	let connectionCount = 0;
	const trouble = createTrouble();

	const serve = async (incoming: IncomingMessage): Promise<Answer> => {
		const head = record(incoming, Buffer.alloc(0));
		if (head.path.endsWith('/events')) {
			feedRequests.push(head);
			return {status: 404};
		}

		const early = trouble.takeEarlyFailure(head);
		const request = early === undefined ? record(incoming, await readBytes(incoming)) : head;
		requests.push(request);
		return early ?? trouble.answer(request, handle);
	};

	const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		try {
			await sendAnswer(incoming, response, await serve(incoming));
		} catch (error) {
			// An aborted request gets no answer; any other error is a mistake of the test and must be visible.
			if (!incoming.destroyed || incoming.complete) {
				response.statusCode = 500;
				response.end(error instanceof Error ? error.stack : String(error));
			}
		}
	};

	const server = createServer((incoming, response) => {
		if (staleSockets.has(incoming.socket)) {
			incoming.socket.destroy();
			return;
		}

		void respond(incoming, response);
	});
	// A busy machine must not have it close a connection just when the next request is sent.
	server.keepAliveTimeout = 60_000;
	server.on('connection', () => {
		connectionCount++;
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(portNumber, '127.0.0.1', resolve);
	});
	const {port} = server.address() as AddressInfo;

	return {
		/** Without a trailing slash. */
		baseAddress: `http://127.0.0.1:${port}`,
		/** Every completely received request, in order of arrival; it grows while the server runs. */
		requests: requests as readonly RecordedRequest[],
		/** The same for those that asked for a feed of changes, which these servers do not have: they are answered with 404, whatever trouble is set up for others. */
		feedRequests: feedRequests as readonly RecordedRequest[],
		connectionCount: () => connectionCount,
		heldCount: trouble.heldCount,
		/** Makes the next (matching) request fail; several calls queue up. */
		failNext: trouble.failNext,
		/** Holds answers from now on. The returned function releases them and all later ones. */
		hold: trouble.hold,
		/** Waits for this many matching requests; throws after the deadline, listing what was received. */
		async waitForRequests(count: number, isWanted: RequestFilter = () => true): Promise<readonly RecordedRequest[]> {
			const fitting = (): readonly RecordedRequest[] => requests.filter(request => isWanted(request));
			const deadline = performance.now() + deadlineMilliseconds;
			while (fitting().length < count) {
				await delay(5);
				if (performance.now() > deadline) {
					const seen = requests.map(({method, path}) => `${method} ${path}`).join('\n');
					throw new Error(`${fitting().length} of ${count} requests came within ${deadlineMilliseconds} ms. All that came:\n${seen}`);
				}
			}

			return fitting();
		},
		/** Hands over the handshakes of other protocols, which are answered as requests unless it is called. */
		onUpgrade(listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void {
			server.on('upgrade', listener);
		},
		async close(): Promise<void> {
			await new Promise<void>(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}

function record(incoming: IncomingMessage, bytes: Buffer): RecordedRequest {
	const [path = '', ...query] = (incoming.url ?? '').split('?');
	return {
		method: incoming.method ?? '',
		path,
		query: query.join('?'),
		headers: incoming.headers,
		body: bytes.toString('utf8'),
		bytes,
		at: performance.now(),
	};
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) {
		chunks.push(chunk as Buffer);
	}

	return Buffer.concat(chunks);
}

/** The common part of all reference servers. */
export type RecordingServer = Awaited<ReturnType<typeof startRecordingServer>>;
