import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {type Connections} from './connections.ts';
import {type LineLimits} from './line-limits.ts';
import {createRoom, type Release, type Room} from './room.ts';

/** Nobody waits for room for so little. */
const smallBytes = 64 * 1024;

/** Of an answer that is read while it is sent, about this much is in memory. */
const streamedBytes = 1024 * 1024;

/** What a list takes while it is read and written, before its size is known. */
const preparedBytes = 8 * 1024 * 1024;

/**
Takes room until the sender has its answer, or has gone.

@returns how to give it back before.
@throws SwitchboardError `rate-limited` if there is no room.
*/
const hold = async (room: Room, bytes: number, request: FastifyRequest, reply: FastifyReply): Promise<Release> => {
	const gone = new AbortController();
	reply.raw.once('close', () => {
		gone.abort();
	});
	const release = await room.take(addressGroupOf(request) ?? '', bytes, gone.signal);
	if (release === undefined) {
		void reply.header('retry-after', '1');
		throw new SwitchboardError('rate-limited', 'Too much is being sent or received at once. Try again in a moment.');
	}

	if (gone.signal.aborted) {
		release();
	} else {
		gone.signal.addEventListener('abort', release, {once: true});
	}

	return release;
};

/** How large a body can become, at most `largestBytes`. */
const expectedBytes = ({headers}: FastifyRequest, largestBytes: number): number => {
	const length = Number(headers['content-length'] ?? 0);
	return Math.min(headers['transfer-encoding'] === undefined ? length : Infinity, largestBytes);
};

/**
A text in pieces.

@yields pieces that do not split a character into halves.
*/
function * inPieces(text: string): Generator<string> {
	let start = 0;
	while (start < text.length) {
		const end = start + smallBytes;
		const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
		yield text.slice(start, isSplit ? end + 1 : end);
		start = isSplit ? end + 1 : end;
	}
}

export type Admission = {
	/** For `onRequest`, once the key is accepted: waits until there is room for the body. */
	readonly admitBody: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
	/** Lets the routes of the scope prepare only a few answers at a time: each is in memory as rows, as records and as text. */
	readonly limitLists: (scope: FastifyInstance) => void;
};

/**
Lets requests and answers in only as far as there is room for them in memory: one request of a connection at a time, and the
bodies and unread answers of one address and of all within their limits.

@param largestBytes - of any body.
*/
export const limitMemory = (app: FastifyInstance, connections: Connections, limits: LineLimits, largestBytes: number): Admission => {
	const {patienceMilliseconds} = limits;
	const bodies = createRoom({bytes: limits.bodyBytes, bytesPerAddress: limits.bodyBytesPerAddress, patienceMilliseconds});
	const lists = createRoom({bytes: limits.listBytes, bytesPerAddress: limits.listBytesPerAddress, patienceMilliseconds});
	// An answer that waited would be in memory meanwhile.
	const answers = createRoom({bytes: limits.answerBytes, bytesPerAddress: limits.answerBytesPerAddress, patienceMilliseconds: 0});

	app.addHook('onRequest', async (request, reply) => {
		await connections.takeTurn(request.raw, reply.raw);
		if (request.raw.socket.destroyed) {
			void reply.hijack();
		}
	});
	// After the hooks of plugins, which look at whole answers.
	app.addHook('onRoute', route => {
		route.onSend = [...[route.onSend ?? []].flat(), async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
			if (payload instanceof Readable) {
				await hold(answers, streamedBytes, request, reply);
				return payload;
			}

			if (typeof payload !== 'string' || payload.length <= smallBytes) {
				return payload;
			}

			// In pieces, so that one can see how far the reader is.
			const bytes = Buffer.byteLength(payload);
			await hold(answers, bytes, request, reply);
			void reply.header('content-length', bytes);
			return Readable.from(inPieces(payload));
		}];
	});

	return {
		async admitBody(request, reply) {
			connections.acceptKey(request.raw);
			const bytes = expectedBytes(request, largestBytes);
			if (bytes > smallBytes) {
				await hold(bodies, bytes, request, reply);
			}
		},
		limitLists(scope) {
			const releases = new WeakMap<FastifyRequest, Release>();
			scope.addHook('preHandler', async (request, reply) => {
				releases.set(request, await hold(lists, preparedBytes, request, reply));
			});
			scope.addHook('onSend', async request => {
				releases.get(request)?.();
			});
		},
	};
};
