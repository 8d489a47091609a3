import {type IncomingHttpHeaders} from 'node:http';
import {type FastifyRequest} from 'fastify';
import {apiKeyField, apiKeyHeader} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {type Caller, type FindCaller} from '../callers.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyRequest {
		/** Who sends the request; set before anything else of it is checked. */
		caller: Caller | undefined;
	}
}

/**
The key in the headers: `X-API-KEY` or, without it, a bearer token. Some operations of `openhome-cli` send nothing but their
session token, and so a key can serve as one.
*/
const keyOfHeaders = (headers: IncomingHttpHeaders): unknown =>
	headers[apiKeyHeader] ?? /^bearer (?<key>\S+)$/i.exec(headers.authorization ?? '')?.groups?.['key'];

const keyOfBody = (body: unknown): unknown => isJsonObject(body) ? body[apiKeyField] : undefined;

const identify = async (findCaller: FindCaller, key: unknown): Promise<Caller | undefined> =>
	typeof key === 'string' && key !== '' ? findCaller(key) : undefined;

const authorize = async (findCaller: FindCaller, key: unknown, expectedIn: string): Promise<Caller> => {
	const caller = await identify(findCaller, key);
	if (caller !== undefined) {
		return caller;
	}

	throw key === undefined
		? new SwitchboardError('no-key', `An API key is required in the ${expectedIn}.`)
		: new SwitchboardError('key-refused', 'It is not a key of this service.', {nextStep: 'Make a new one with: switchboard keys create'});
};

/** Who sends the request. Fails if no key was checked: a route without authorization must not answer. */
export const callerOf = (request: FastifyRequest): Caller => {
	if (request.caller === undefined) {
		throw new Error('This route was reached without a key');
	}

	return request.caller;
};

type Hook = (request: FastifyRequest) => Promise<void>;

/** For `onRequest`: before the body is read. */
export const authorizeByHeader = (findCaller: FindCaller): Hook => async request => {
	request.caller = await authorize(findCaller, keyOfHeaders(request.headers), `header ${apiKeyHeader.toUpperCase()}`);
};

/** For `preValidation`: after the body is read, before it is checked. */
export const authorizeByBody = (findCaller: FindCaller): Hook => async request => {
	request.caller = await authorize(findCaller, keyOfBody(request.body), `body field ${apiKeyField}`);
};

/** The same for the operation that verifies a key: an invalid one is not an error there. */
export const identifyByBody = (findCaller: FindCaller): Hook => async request => {
	request.caller = await identify(findCaller, keyOfBody(request.body));
};
