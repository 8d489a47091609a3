import type {FastifyReply, FastifyRequest} from 'fastify';
import QuickLru from 'quick-lru';
import {SwitchboardError} from '../../interface/errors.ts';
import type {Caller} from '../callers.ts';
import {addressGroupOf, senderOf, unixProxy} from './senders.ts';

/** A program that tries keys sends thousands; a person who mistypes sends a few. */
const wrongKeysPerWindow = 30;

/**
Counts requests per key over all operations, and the phrases of conversations.

@param requestsPerMinute - `undefined` for no limit.
@returns `limitRequests` is a hook, to run after the key is checked: callers without a key learn nothing. Both throw `rate-limited` above
the limit.
*/
export function createRequestLimit(requestsPerMinute: number | undefined) {
	const countRequest = createCounter();
	const limit = (sender: string, reply?: FastifyReply): void => {
		if (requestsPerMinute === undefined) {
			return;
		}

		const {count, secondsLeft} = countRequest(sender);
		void reply?.headers({
			'x-ratelimit-limit': requestsPerMinute,
			'x-ratelimit-remaining': Math.max(0, requestsPerMinute - count),
			'x-ratelimit-reset': secondsLeft,
		});
		if (count > requestsPerMinute) {
			throw refuseFor(secondsLeft, reply, `This key may send ${requestsPerMinute} requests a minute. Try again in ${secondsLeft} s.`);
		}
	};

	return {
		// An invalid key, which `verify_apikey` accepts, counts for its sender's machine.
		limitRequests(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
			limit(senderOf(request), reply);
			done();
		},
		limitPhrases: ({keyName}: Caller): void => limit(`key ${keyName}`),
	};
}

/**
Counts events by name, in windows of a minute that begin with an event. Its clock is monotonic: `@fastify/rate-limit` reads the machine's
clock, and all callers waited for an hour after it was set back by an hour.
*/
function createCounter() {
	const windows = new QuickLru<string, {count: number; readonly end: number}>({maxSize: 10_000});
	return (name: string): {readonly count: number; readonly secondsLeft: number} => {
		const time = performance.now();
		let window = windows.get(name);
		if (window === undefined || window.end <= time) {
			window = {count: 0, end: time + 60_000};
			windows.set(name, window);
		}

		window.count++;
		return {count: window.count, secondsLeft: Math.ceil((window.end - time) / 1000)};
	};
}

/**
Counts the wrong keys of an address, whichever part of a request holds them. A right key is accepted from any address. All requests through
a Unix socket without a forwarded address count as one.

@returns a function that is called for each wrong key, and throws `rate-limited` above the limit.
*/
export function createWrongKeyLimit() {
	const countWrongKey = createCounter();
	return (request: FastifyRequest, reply: FastifyReply): void => {
		const {count, secondsLeft} = countWrongKey(addressGroupOf(request) ?? unixProxy);
		if (count > wrongKeysPerWindow) {
			throw refuseFor(secondsLeft, reply, `Too many wrong keys have come from this address. Try again in ${secondsLeft} s.`);
		}
	};
}

/** Returns the error for a client that should send less, and tells it how long to wait. */
export function refuseFor(seconds: number, reply: FastifyReply | undefined, message: string): SwitchboardError {
	void reply?.header('retry-after', String(seconds));
	return new SwitchboardError('rate-limited', message);
}
