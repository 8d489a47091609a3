import rateLimit, {type FastifyRateLimitStore} from '@fastify/rate-limit';
import {type FastifyInstance, type preHandlerAsyncHookHandler} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {createWindowCounter} from './window-counter.ts';

const oneMinuteMilliseconds = 60_000;

const unlimited: preHandlerAsyncHookHandler = async () => undefined;

/** The store of the plugin itself goes by the clock of the machine: set back by an hour, it made callers wait for an hour. */
class MonotonicStore implements FastifyRateLimitStore {
	readonly #count = createWindowCounter({windowMilliseconds: oneMinuteMilliseconds});

	incr(key: string, callback: (error: null, result: {current: number; ttl: number}) => void): void {
		const {count, millisecondsLeft} = this.#count(key);
		callback(null, {current: count, ttl: millisecondsLeft});
	}

	/** All routes are counted together. */
	child(): this {
		return this;
	}
}

/**
Counts requests per key and minute over all operations, and answers 429 with `Retry-After` above the limit. It runs after the
key is checked: callers without one learn only that.

@param requestsPerMinute - `undefined` for no limit.
@returns the hook to run after authorisation.
*/
export const addRateLimit = async (app: FastifyInstance, requestsPerMinute: number | undefined): Promise<preHandlerAsyncHookHandler> => {
	if (requestsPerMinute === undefined) {
		return unlimited;
	}

	await app.register(rateLimit, {
		global: false,
		max: requestsPerMinute,
		timeWindow: oneMinuteMilliseconds,
		store: MonotonicStore,
		// An invalid key, which `verify_apikey` accepts, counts for the machine that sends it.
		keyGenerator: request => request.caller === undefined ? `address ${addressGroupOf(request)}` : `key ${request.caller.keyName}`,
		errorResponseBuilder: (_request, {ttl}) => new SwitchboardError(
			'rate-limited',
			`This key may send ${requestsPerMinute} requests a minute. Try again in ${Math.ceil(ttl / 1000)} s.`,
		),
	});
	return app.rateLimit();
};
