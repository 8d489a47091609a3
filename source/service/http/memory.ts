import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {
	FastifyInstance,
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {formBytes} from './forms.ts';
import type {KeyWatch} from './key-watch.ts';
import type {Limits} from './limits.ts';

/** Bodies and answers up to this size are not counted. */
const smallBytes = 64 * 1024;

/** The part of an answer that is in memory while it is read from the database and sent. */
const streamedBytes = 1024 * 1024;

/** About the size that a socket accepts at once. */
const pieceBytes = 64 * 1024;

// Parts of the bytes, not copies, between which other requests are answered: TLS would encrypt all of a long answer in memory.
async function * piecesOf(bytes: Buffer) {
	for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
		yield bytes.subarray(offset, offset + pieceBytes);
		await setImmediate();
	}
}

/** Counts bytes in memory. */
const createRoom = (totalBytes: number) => {
	const waiting = new Set<() => void>();
	let freeBytes = totalBytes;

	/** @returns a function that gives the bytes back; `undefined` if there is no room. */
	const take = (wantedBytes: number): (() => void) | undefined => {
		// Bytes that are more than all of the room have it for themselves.
		const bytes = Math.min(wantedBytes, totalBytes);
		if (bytes > freeBytes) {
			return undefined;
		}

		freeBytes -= bytes;
		return () => {
			freeBytes += bytes;
			for (const tryAgain of waiting) {
				tryAgain();
			}
		};
	};

	return {
		take,
		/** The same, but waits until there is room, at most so long. */
		async takeWithin(milliseconds: number, {raw: response}: FastifyReply, wantedBytes: number): Promise<(() => void) | undefined> {
			const {promise, resolve} = Promise.withResolvers<(() => void) | undefined>();
			const end = (release?: () => void): void => {
				waiting.delete(tryAgain);
				clearTimeout(timer);
				resolve(release);
			};

			const tryAgain = (): void => {
				const release = take(wantedBytes);
				if (release !== undefined) {
					end(release);
				}
			};

			const timer = setTimeout(end, milliseconds);
			response.once('close', () => {
				end();
			});
			waiting.add(tryAgain);
			tryAgain();
			return promise;
		},
	};
};

const refuseForNow = (reply: FastifyReply): SwitchboardError => {
	void reply.header('retry-after', '1');
	return new SwitchboardError('rate-limited', 'Too much is being sent or received at once. Try again in a moment.');
};

/** After a change, a refusal would look as if nothing had been changed. */
const refuseAnswer = (request: FastifyRequest, reply: FastifyReply): SwitchboardError => request.routeOptions.config.isWrite
	? new SwitchboardError('server-error', 'This was done, but there is no room for the answer now.', {
		nextStep: 'Look at it in a moment.',
		isOutcomeUnknown: true,
	})
	: refuseForNow(reply);

/** The size that a body can reach; that of a chunked one is not known before it has come. */
const expectedBytes = ({headers, routeOptions}: FastifyRequest): number => {
	const mostBytes = headers['content-type']?.startsWith('multipart/') === true ? formBytes : Math.min(routeOptions.bodyLimit ?? formBytes, formBytes);
	return Math.min(headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity, mostBytes);
};

/**
Bounds the memory that bodies and unread answers take. A long answer is cut when its key is revoked.

@returns a hook for `onRequest` that lets a body wait for room, and refuses it if there is none in time.
*/
export const limitMemory = (app: FastifyInstance, limits: Limits, keyWatch: KeyWatch): onRequestHookHandler => {
	const bodies = createRoom(limits.bodyBytes);
	// An answer that waited would be in memory meanwhile.
	const answers = createRoom(limits.answerBytes);
	/** Bytes that several clients read, such as a list, are in memory once. */
	const shared = new WeakMap<object, {readonly release: () => void; count: number}>();

	app.addHook('onSend', (request, reply, payload: unknown, done) => {
		const content = typeof payload === 'string' && payload.length > smallBytes ? Buffer.from(payload) : payload;
		const isStream = content instanceof Readable;
		if (reply.raw.closed || !(isStream || (Buffer.isBuffer(content) && content.length > smallBytes))) {
			done(null, payload);
			return;
		}

		const known = shared.get(content);
		const release = known?.release ?? answers.take(isStream ? streamedBytes : content.length);
		if (release === undefined) {
			done(refuseAnswer(request, reply));
			return;
		}

		const hold = known ?? {release, count: 0};
		hold.count++;
		shared.set(content, hold);
		reply.raw.once('close', () => {
			hold.count--;
			if (hold.count > 0) {
				return;
			}

			shared.delete(content);
			release();
		});
		keyWatch.cutAnswer(request, reply);
		if (isStream) {
			done(null, content);
		} else {
			void reply.header('content-length', content.length);
			done(null, Readable.from(piecesOf(content), {objectMode: false, highWaterMark: pieceBytes}));
		}
	});

	return (request, reply, done) => {
		const bytes = expectedBytes(request);
		if (bytes <= smallBytes) {
			done();
			return;
		}

		// Nothing of a body is read while it waits.
		void bodies.takeWithin(limits.bodyPatienceMilliseconds, reply, bytes).then(release => {
			if (release === undefined) {
				throw refuseForNow(reply);
			}

			if (reply.raw.closed) {
				release();
			} else {
				reply.raw.once('close', release);
			}

			done();
		}).catch(done);
	};
};
