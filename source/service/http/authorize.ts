import {type IncomingHttpHeaders} from 'node:http';
import {type FastifyReply, type FastifyRequest} from 'fastify';
import {apiKeyField, apiKeyHeader} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {type Caller, type FindCaller} from '../callers.ts';
import {keyRefused} from '../store/store-errors.ts';
import {type CountWrongKey} from './wrong-keys.ts';

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

/** How keys are checked. */
export type KeyCheck = {
	readonly findCaller: FindCaller;
	readonly countWrongKey: CountWrongKey;
	/** Told of each wrong key. */
	readonly onWrongKey?: (() => void) | undefined;
};

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Sets the caller of a request, if the key is right. */
const identify = async ({findCaller, countWrongKey, onWrongKey}: KeyCheck, key: unknown, ...[request, reply]: Parameters<Hook>): Promise<void> => {
	request.caller = typeof key === 'string' && key !== '' ? await findCaller(key) : undefined;
	if (request.caller !== undefined || key === undefined) {
		return;
	}

	onWrongKey?.();
	await countWrongKey(request, reply);
};

const authorize = async (check: KeyCheck, key: unknown, expectedIn: string, ...[request, reply]: Parameters<Hook>): Promise<void> => {
	await identify(check, key, request, reply);
	if (request.caller === undefined) {
		throw key === undefined
			? new SwitchboardError('no-key', `An API key is required in the ${expectedIn}.`)
			: keyRefused();
	}
};

/** Who sends the request. Fails if no key was checked: a route without authorization must not answer. */
export const callerOf = (request: FastifyRequest): Caller => {
	if (request.caller === undefined) {
		throw new Error('This route was reached without a key');
	}

	return request.caller;
};

/** For `onRequest`: before the body is read. */
export const authorizeByHeader = (check: KeyCheck): Hook => async (request, reply) =>
	authorize(check, keyOfHeaders(request.headers), `header ${apiKeyHeader.toUpperCase()}`, request, reply);

/** For `preValidation`: after the body is read, before it is checked. */
export const authorizeByBody = (check: KeyCheck): Hook => async (request, reply) =>
	authorize(check, keyOfBody(request.body), `body field ${apiKeyField}`, request, reply);

/** The same for the operation that verifies a key: an invalid one is not an error there. */
export const identifyByBody = (check: KeyCheck): Hook => async (request, reply) =>
	identify(check, keyOfBody(request.body), request, reply);
