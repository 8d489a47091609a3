import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	type onRequestHookHandler,
	type onSendHookHandler,
} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {type Connections} from './connections.ts';
import {type KeyWatch} from './key-watch.ts';
import {type LineLimits} from './line-limits.ts';
import {Pieces} from './pieces.ts';
import {createRoom, type Release, type Room} from './room.ts';

/** Nobody waits for room for so little. */
const smallBytes = 64 * 1024;

/** Of an answer that is read while it is sent, about this much is in memory. */
const streamedBytes = 1024 * 1024;

/** What a list takes while it is read and written, before its size is known. */
const preparedBytes = 8 * 1024 * 1024;

/** The sender's, for a `Room`. */
export const groupOf = (request: FastifyRequest): string => addressGroupOf(request) ?? '';

/** Refuses a request that there is no room for now. */
export const refuseForNow = (reply: FastifyReply): never => {
	void reply.header('retry-after', '1');
	throw new SwitchboardError('rate-limited', 'Too much is being sent or received at once. Try again in a moment.');
};

/** What was asked for is done: after a change, a refusal would look as if nothing had been changed. */
const refuseAnswer = (request: FastifyRequest, reply: FastifyReply): never => {
	if (request.routeOptions.config.isWrite) {
		throw new SwitchboardError('server-error', 'This was done, but there is no room for the answer now.', {
			nextStep: 'Look at it in a moment.',
			isOutcomeUnknown: true,
		});
	}

	return refuseForNow(reply);
};

/** Aborted when the sender has its answer, or has gone. */
export const goneSignal = (reply: FastifyReply): AbortSignal => {
	const gone = new AbortController();
	if (reply.raw.closed) {
		gone.abort();
	}

	reply.raw.once('close', () => {
		gone.abort();
	});
	return gone.signal;
};

/**
Takes room until the sender has its answer, or has gone.

@throws SwitchboardError `rate-limited` if there is no room.
*/
const hold = async (room: Room, bytes: number, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
	const gone = goneSignal(reply);
	const release = await room.take(groupOf(request), bytes, gone);
	if (release === undefined) {
		refuseForNow(reply);
	} else if (gone.aborted) {
		release();
	} else {
		gone.addEventListener('abort', release, {once: true});
	}
};

type SharedHold = {readonly release: Promise<Release | undefined>; answerCount: number};

/** Takes room for the bytes of answers: once for the same bytes, for as long as the last of their answers takes. */
const createSharedHold = (room: Room) => {
	const holds = new WeakMap<Buffer, SharedHold>();
	return async (bytes: Buffer, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const gone = goneSignal(reply);
		const shared = holds.get(bytes) ?? {release: room.take(groupOf(request), bytes.length, gone), answerCount: 0};
		shared.answerCount++;
		holds.set(bytes, shared);
		const release = await shared.release;
		const leave = (): void => {
			shared.answerCount--;
			if (shared.answerCount !== 0) {
				return;
			}

			holds.delete(bytes);
			release?.();
		};

		if (release === undefined) {
			leave();
			refuseAnswer(request, reply);
		} else if (gone.aborted) {
			leave();
		} else {
			gone.addEventListener('abort', leave, {once: true});
		}
	};
};

/** How large a body can become, at most `largestBytes`. */
const expectedBytes = ({headers}: FastifyRequest, largestBytes: number): number => {
	const length = Number(headers['content-length'] ?? 0);
	return Math.min(headers['transfer-encoding'] === undefined ? length : Infinity, largestBytes);
};

export type Admission = {
	/** For `onRequest`, once the key is accepted: waits until there is room for the body. */
	readonly admitBody: onRequestHookHandler;
	/** Waits until there is room to prepare a list, of which only a few at a time are in memory as rows, as records and as text (`Room`). */
	readonly takeListRoom: (group: string, signal: AbortSignal) => Promise<Release | undefined>;
};

type AdmissionParts = {
	readonly connections: Connections;
	readonly keyWatch: KeyWatch;
	readonly limits: LineLimits;
	/** Of any body. */
	readonly largestBytes: number;
};

/**
Lets requests and answers in only as far as there is room for them in memory: one request of a connection at a time, and the
bodies and unread answers of one address and of all within their limits. A long answer is cut when its key is revoked.
*/
export const limitMemory = (app: FastifyInstance, {connections, keyWatch, limits, largestBytes}: AdmissionParts): Admission => {
	const {patienceMilliseconds} = limits;
	const bodies = createRoom({bytes: limits.bodyBytes, bytesPerAddress: limits.bodyBytesPerAddress, patienceMilliseconds});
	const lists = createRoom({bytes: limits.listBytes, bytesPerAddress: limits.listBytesPerAddress, patienceMilliseconds});
	// An answer that waited would be in memory meanwhile.
	const answers = createRoom({bytes: limits.answerBytes, bytesPerAddress: limits.answerBytesPerAddress, patienceMilliseconds: 0});
	const holdShared = createSharedHold(answers);

	app.addHook('onRequest', (request, reply, done) => {
		connections.takeTurn(request.raw, reply.raw, () => {
			if (request.raw.socket.destroyed) {
				void reply.hijack();
			}

			done();
		});
	});
	// After the hooks of plugins, which look at whole answers.
	app.addHook('onRoute', route => {
		const sendLong: onSendHookHandler = (request, reply, payload, done) => {
			if (payload instanceof Readable) {
				void hold(answers, streamedBytes, request, reply).then(() => {
					keyWatch.cutAnswer(request, reply);
					done();
				}).catch(done);
				return;
			}

			const bytes = typeof payload === 'string' && payload.length > smallBytes ? Buffer.from(payload) : payload;
			if (!Buffer.isBuffer(bytes) || bytes.length <= smallBytes) {
				done();
				return;
			}

			void holdShared(bytes, request, reply).then(() => {
				keyWatch.cutAnswer(request, reply);
				void reply.header('content-length', bytes.length);
				done(null, new Pieces(bytes));
			}).catch(done);
		};

		route.onSend = [...[route.onSend ?? []].flat(), sendLong];
	});

	return {
		admitBody(request, reply, done) {
			connections.acceptKey(request.raw);
			const bytes = expectedBytes(request, largestBytes);
			if (bytes <= smallBytes) {
				done();
				return;
			}

			void hold(bodies, bytes, request, reply).then(() => {
				done();
			}).catch(done);
		},
		takeListRoom: async (group, signal) => lists.take(group, preparedBytes, signal),
	};
};
