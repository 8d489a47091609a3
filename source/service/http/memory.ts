import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {inTime} from '../../platform/timers.ts';
import type {KeyWatch} from './key-watch.ts';
import type {Limits} from './limits.ts';
import {refuseFor} from './rate-limits.ts';
import {senderOf} from './senders.ts';

/** Smaller bodies and answers are not counted. */
const smallBytes = 64 * 1024;

/** The part of an answer that is in memory while the answer is read from the database and sent. */
const streamedBytes = 1024 * 1024;

/** About the size that a socket accepts at once. */
const pieceBytes = 64 * 1024;

/**
Bounds the memory that bodies and unread answers take, and the simultaneous requests of one key. A long answer is cut off when its key is
revoked.

@returns a hook for `onRequest` that refuses a request beyond the share of its key, lets a large body wait for its turn, and refuses it if
that does not come in time.
*/
export function limitMemory(app: FastifyInstance, limits: Limits, keyWatch: KeyWatch) {
	// Each request holds a connection until its answer is read.
	const requests = createBudget(limits.connections);
	// Fastify and the form reader limit the size of each.
	const largeBodies = createBudget(limits.largeBodies);
	// A waiting answer would stay in memory meanwhile.
	const answers = createBudget(limits.answerBytes);
	/** Bytes that several clients read, such as a list, are in memory once; they count for the first client. */
	const shared = new WeakMap<object, {readonly release: () => void; count: number}>();

	app.addHook('onSend', (request, reply, payload: unknown, done) => {
		const content = typeof payload === 'string' && payload.length > smallBytes ? Buffer.from(payload) : payload;
		const isStream = content instanceof Readable;
		if (reply.raw.closed || !(isStream || (Buffer.isBuffer(content) && content.length > smallBytes))) {
			done(null, payload);
			return;
		}

		const known = shared.get(content);
		const release = known?.release ?? answers.take(senderOf(request), isStream ? streamedBytes : content.length);
		if (release === undefined) {
			done(refuseAnswer(request, reply));
			return;
		}

		const hold = known ?? {release, count: 0};
		hold.count++;
		shared.set(content, hold);
		reply.raw.once('close', () => {
			hold.count--;
			if (hold.count === 0) {
				shared.delete(content);
				release();
			}
		});
		keyWatch.cutAnswer(request, reply);
		if (isStream) {
			done(null, content);
		} else {
			void reply.header('content-length', content.length);
			done(null, Readable.from(piecesOf(content), {objectMode: false, highWaterMark: pieceBytes}));
		}
	});

	return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const sender = senderOf(request);
		holdUntilAnswered(reply, requests.take(sender));
		if (hasLargeBody(request)) {
			// The body is not read while it waits.
			holdUntilAnswered(reply, await largeBodies.takeWithin(limits.bodyPatienceMilliseconds, sender));
		}
	};
}

/** Releases a part of a budget once the answer is sent, or its client has left. Refuses the request if it got none. */
function holdUntilAnswered(reply: FastifyReply, release: (() => void) | undefined): void {
	if (release === undefined) {
		throw refuseForNow(reply);
	}

	if (reply.raw.closed) {
		release();
	} else {
		reply.raw.on('close', release);
	}
}

/** Returns a budget that all senders share: a sender may hold half of it at most (`senderOf`). */
function createBudget(total: number) {
	const half = Math.floor(total / 2);
	const held = new Map<string, number>();
	let nextRelease = Promise.withResolvers<void>();
	let free = total;

	/** @returns a function that releases the amount; `undefined` if there is not enough. */
	const take = (sender: string, wanted = 1): (() => void) | undefined => {
		// A request for more than half takes the whole half.
		const amount = Math.min(wanted, half);
		const own = held.get(sender) ?? 0;
		if (amount > free || own + amount > half) {
			return undefined;
		}

		free -= amount;
		held.set(sender, own + amount);
		return () => {
			free += amount;
			const left = held.get(sender)! - amount;
			if (left > 0) {
				held.set(sender, left);
			} else {
				held.delete(sender);
			}

			nextRelease.resolve();
			nextRelease = Promise.withResolvers();
		};
	};

	return {
		take,
		/** Takes one as `take` does, but waits for it, at most this long. */
		async takeWithin(milliseconds: number, sender: string): Promise<(() => void) | undefined> {
			const deadline = performance.now() + milliseconds;
			let release = take(sender);
			for (let left = milliseconds; release === undefined && left > 0; left = deadline - performance.now()) {
				await inTime(nextRelease.promise, left);
				release = take(sender);
			}

			return release;
		},
	};
}

/** After a change, a refusal would suggest that nothing had been changed. */
const refuseAnswer = (request: FastifyRequest, reply: FastifyReply): SwitchboardError =>
	request.routeOptions.config.isWrite
		? new SwitchboardError('server-error', 'This was done, but there is no room for the answer now.', {
				nextStep: 'Look at it in a moment.',
				isOutcomeUnknown: true,
			})
		: refuseForNow(reply);

const refuseForNow = (reply: FastifyReply): SwitchboardError =>
	refuseFor(1, reply, 'Too much is being sent or received at once. Try again in a moment.');

// Parts of the bytes, not copies; other requests are answered in between. TLS would encrypt all of a long answer in memory.
async function* piecesOf(bytes: Buffer) {
	for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
		yield bytes.subarray(offset, offset + pieceBytes);
		await setImmediate();
	}
}

/** The size of a body in chunks is not known before it has arrived. */
const hasLargeBody = ({headers}: FastifyRequest): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes;
