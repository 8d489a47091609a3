import rateLimit from '@fastify/rate-limit';
import {type FastifyInstance, type preHandlerAsyncHookHandler} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';

const oneMinuteMilliseconds = 60_000;

const unlimited: preHandlerAsyncHookHandler = async () => undefined;

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
		// An invalid key, which `verify_apikey` accepts, counts for the machine that sends it.
		keyGenerator: request => request.caller === undefined ? `address ${request.ip}` : `key ${request.caller.keyName}`,
		errorResponseBuilder: (_request, {ttl}) => new SwitchboardError(
			'rate-limited',
			`This key may send ${requestsPerMinute} requests a minute. Try again in ${Math.ceil(ttl / 1000)} s.`,
		),
	});
	return app.rateLimit();
};
