import rateLimit, {type FastifyRateLimitStore} from '@fastify/rate-limit';
import {type FastifyInstance, type preHandlerAsyncHookHandler} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {type SharedCounter} from './shared-counter.ts';
import {type Count, createWindowCounter} from './window-counter.ts';

const oneMinuteMilliseconds = 60_000;

const unlimited: preHandlerAsyncHookHandler = async () => undefined;

/** The store of the plugin itself goes by the clock of the machine: set back by an hour, it made callers wait for an hour. */
const createStoreClass = (countEvent: (key: string) => Count | Promise<Count>) => class implements FastifyRateLimitStore {
	incr(key: string, callback: (error: null, result: {current: number; ttl: number}) => void): void {
		void (async () => {
			const {count, millisecondsLeft} = await countEvent(key);
			callback(null, {current: count, ttl: millisecondsLeft});
		})();
	}

	/** All routes are counted together. */
	child(): this {
		return this;
	}
};

/**
Counts requests per key and minute over all operations, and answers 429 with `Retry-After` above the limit. It runs after the
key is checked: callers without one learn only that.

@param requestsPerMinute - `undefined` for no limit.
@param countShared - where other processes count the same keys.
@returns the hook to run after authorisation.
*/
export const addRateLimit = async (app: FastifyInstance, requestsPerMinute: number | undefined, countShared?: SharedCounter): Promise<preHandlerAsyncHookHandler> => {
	if (requestsPerMinute === undefined) {
		return unlimited;
	}

	await app.register(rateLimit, {
		global: false,
		max: requestsPerMinute,
		timeWindow: oneMinuteMilliseconds,
		store: createStoreClass(countShared === undefined
			? createWindowCounter({windowMilliseconds: oneMinuteMilliseconds})
			: async key => countShared(key, requestsPerMinute)),
		// An invalid key, which `verify_apikey` accepts, counts for the machine that sends it.
		keyGenerator: request => request.caller === undefined ? `address ${addressGroupOf(request)}` : `key ${request.caller.keyName}`,
		errorResponseBuilder: (_request, {ttl}) => new SwitchboardError(
			'rate-limited',
			`This key may send ${requestsPerMinute} requests a minute. Try again in ${Math.ceil(ttl / 1000)} s.`,
		),
	});
	return app.rateLimit();
};
