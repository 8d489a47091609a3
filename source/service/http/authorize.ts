import type {IncomingHttpHeaders} from 'node:http';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {apiKeyField, apiKeyHeader} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import type {Caller, FindCaller} from '../callers.ts';
import {keyRefused} from '../store/store-errors.ts';
import {wayOf} from './senders.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyRequest {
		/** The sender, once the key is checked: before anything else of the request is. */
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

/** The sender of a request. Fails if no key was checked: a route without authorization must not answer. */
export const callerOf = (request: FastifyRequest): Caller => {
	if (request.caller === undefined) {
		throw new Error('This route was reached without a key');
	}

	return request.caller;
};

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** @param onWrongKey - called for each wrong key; an error that it throws is the answer. */
export const createKeyCheck = (findCaller: FindCaller, onWrongKey: (request: FastifyRequest, reply: FastifyReply) => void) => {
	const identify = async (key: unknown, ...[request, reply]: Parameters<Hook>): Promise<void> => {
		request.caller = typeof key === 'string' && key !== '' ? await findCaller(key, wayOf(request)) : undefined;
		if (request.caller === undefined && key !== undefined) {
			onWrongKey(request, reply);
		}
	};

	const authorize = async (key: unknown, expectedIn: string, ...parameters: Parameters<Hook>): Promise<void> => {
		await identify(key, ...parameters);
		if (parameters[0].caller === undefined) {
			throw key === undefined ? new SwitchboardError('no-key', `An API key is required in the ${expectedIn}.`) : keyRefused();
		}
	};

	const byHeader: Hook = async (request, reply) => authorize(keyOfHeaders(request.headers), `header ${apiKeyHeader.toUpperCase()}`, request, reply);
	const byBody: Hook = async (request, reply) => authorize(keyOfBody(request.body), `body field ${apiKeyField}`, request, reply);
	const identifyByBody: Hook = async (request, reply) => identify(keyOfBody(request.body), request, reply);
	return {
		/** For `onRequest`: before the body is read. */
		byHeader,
		/** For `preValidation`: after the body is read, before it is checked. */
		byBody,
		/** The same for the operation that verifies a key: an invalid one is not an error there. */
		identifyByBody,
	};
};
