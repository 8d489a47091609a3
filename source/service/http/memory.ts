import {Buffer} from 'node:buffer';
import {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {formBytes} from './forms.ts';
import type {KeyWatch} from './key-watch.ts';
import type {Limits} from './limits.ts';
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

@returns a hook for `onRequest` that refuses a request beyond the share of its key, lets a body wait for room, and refuses it if there is
none in time.
*/
export function limitMemory(app: FastifyInstance, limits: Limits, keyWatch: KeyWatch): onRequestHookHandler {
	// Each request holds a connection until its answer is read.
	const requests = createBudget(limits.connections);
	const bodies = createBudget(limits.bodyBytes);
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

	/** Releases the room once the answer is sent, or its client has left. */
	const releaseAfter = ({raw: response}: FastifyReply, release: () => void): void => {
		if (response.closed) {
			release();
		} else {
			response.once('close', release);
		}
	};

	return (request, reply, done) => {
		const end = requests.take(senderOf(request), 1);
		if (end === undefined) {
			done(refuseForNow(reply));
			return;
		}

		releaseAfter(reply, end);
		const bytes = expectedBytes(request);
		if (bytes <= smallBytes) {
			done();
			return;
		}

		// The body is not read while it waits.
		void bodies
			.takeWithin(limits.bodyPatienceMilliseconds, reply, senderOf(request), bytes)
			.then(release => {
				if (release === undefined) {
					throw refuseForNow(reply);
				}

				releaseAfter(reply, release);
				done();
			})
			.catch(done);
	};
}

/** Returns a budget that all senders share: a sender may hold half of it at most (`senderOf`). */
function createBudget(total: number) {
	const half = Math.floor(total / 2);
	const held = new Map<string, number>();
	const waiting = new Set<() => void>();
	let free = total;

	/** @returns a function that releases the room; `undefined` if there is none. */
	const take = (sender: string, wanted: number): (() => void) | undefined => {
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

			for (const tryAgain of waiting) {
				tryAgain();
			}
		};
	};

	return {
		take,
		/** Takes room as `take` does, but waits for it, at most this long. */
		async takeWithin(
			milliseconds: number,
			{raw: response}: FastifyReply,
			...wanted: Parameters<typeof take>
		): Promise<(() => void) | undefined> {
			const {promise, resolve} = Promise.withResolvers<(() => void) | undefined>();
			const end = (release?: () => void): void => {
				waiting.delete(tryAgain);
				clearTimeout(timer);
				resolve(release);
			};

			const tryAgain = (): void => {
				const release = take(...wanted);
				if (release !== undefined) {
					end(release);
				}
			};

			const timer = setTimeout(end, milliseconds);
			response.once('close', () => end());
			waiting.add(tryAgain);
			tryAgain();
			return promise;
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

function refuseForNow(reply: FastifyReply): SwitchboardError {
	void reply.header('retry-after', '1');
	return new SwitchboardError('rate-limited', 'Too much is being sent or received at once. Try again in a moment.');
}

// Parts of the bytes, not copies; other requests are answered in between. TLS would encrypt all of a long answer in memory.
async function* piecesOf(bytes: Buffer) {
	for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
		yield bytes.subarray(offset, offset + pieceBytes);
		await setImmediate();
	}
}

/** Returns the largest possible size of a body; the size of a chunked body is not known before it has arrived. */
function expectedBytes({headers, routeOptions}: FastifyRequest): number {
	const mostBytes =
		headers['content-type']?.startsWith('multipart/') === true ? formBytes : Math.min(routeOptions.bodyLimit ?? formBytes, formBytes);
	return Math.min(headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity, mostBytes);
}
