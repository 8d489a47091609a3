import type {IncomingHttpHeaders} from 'node:http';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {apiKeyField, apiKeyHeader, keyRightsHeader, personHeader, timersHeader} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {beyondRights, formatKeyRights, type KeyLimits, mayCall, parsePerson} from '../../interface/key-rights.ts';
import {type Caller, type FindCaller, isOver} from '../callers.ts';
import {keyEnded, keyRefused} from '../store-errors.ts';
import {wayOf} from './senders.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyRequest {
		/** The sender, set once the key is checked, before the rest of the request. */
		caller: Caller | undefined;
	}
}

/** Returns the sender of a request. Fails if no key was checked: a route without authorization must not answer. */
export function callerOf(request: FastifyRequest): Caller {
	if (request.caller === undefined) {
		throw new Error('This route was reached without a key');
	}

	return request.caller;
}

/** Returns the limits of a caller's key; `undefined` if it has none. */
export function limitsOf({author: {name}, rights}: Caller): KeyLimits | undefined {
	return rights === 'all' ? undefined : {name, rights};
}

/**
Returns a hook, to run after the key is checked, that refuses operations beyond the rights of the key, and changes while the service is
read-only. It names the rights of a restricted key in the answer.
*/
export function createRightsCheck(isReadOnly: boolean) {
	return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
		const {operation, isWrite} = request.routeOptions.config;
		if (isReadOnly && isWrite) {
			throw new SwitchboardError('read-only', 'It was started with --read-only, so nothing can be changed here.');
		}

		const limits = limitsOf(callerOf(request));
		if (limits !== undefined) {
			void reply.header(keyRightsHeader, formatKeyRights(limits));
			if (operation !== undefined && !mayCall(limits.rights, operation)) {
				throw beyondRights(limits);
			}
		}

		done();
	};
}

type KeyCheckParts = {
	readonly findCaller: FindCaller;
	/** Called for each wrong key; an error that it throws is the answer. */
	readonly onWrongKey: (request: FastifyRequest, reply: FastifyReply) => void;
	/** Called for each right key. */
	readonly onKey: ((caller: Caller) => void) | undefined;
	/** Called for a request that names a person with a key that may not do that. */
	readonly onStrangePerson: (caller: Caller) => void;
};

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function createKeyCheck({findCaller, onWrongKey, onKey, onStrangePerson}: KeyCheckParts) {
	/** The caller, with the person that it asks for. */
	const withPerson = (caller: Caller, header: unknown): Caller => {
		if (header === undefined) {
			return caller;
		}

		if (!caller.isForSsh) {
			onStrangePerson(caller);
			return caller;
		}

		const person = parsePerson(header);
		return person === undefined
			? caller
			: {...caller, author: {...caller.author, person: person.name, via: `ssh-serve ${person.address}`.trim()}};
	};

	/** @returns the error for a key that is not valid. */
	const identify = async (key: unknown, ...[request, reply]: Parameters<Hook>): Promise<SwitchboardError | undefined> => {
		const found = typeof key === 'string' && key !== '' ? await findCaller(key, wayOf(request)) : undefined;
		if (found !== undefined && !isOver(found)) {
			request.caller = withPerson(found, request.headers[personHeader]);
			void reply.header(timersHeader, 'kept');
			onKey?.(found);
			return undefined;
		}

		if (key !== undefined) {
			onWrongKey(request, reply);
		}

		return found === undefined ? keyRefused() : keyEnded(found.author.name, found.expiresAt!);
	};

	const requireKey =
		(readKey: (request: FastifyRequest) => unknown, expectedIn: string): Hook =>
		async (request, reply) => {
			const key = readKey(request);
			const error = await identify(key, request, reply);
			if (error !== undefined) {
				throw key === undefined ? new SwitchboardError('no-key', `An API key is required in the ${expectedIn}.`) : error;
			}
		};

	return {
		/** For `onRequest`: before the body is read. */
		byHeader: requireKey(({headers}) => keyOfHeaders(headers), `header ${apiKeyHeader.toUpperCase()}`),
		/** For a WebSocket. */
		byAddress: requireKey(keyOfAddress, 'address'),
		/** For `preValidation`: after the body is read, before it is checked. */
		byBody: requireKey(keyOfBody, `body field ${apiKeyField}`),
		/** For the operation that verifies a key: there an invalid key is not an error. */
		async identifyByBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
			await identify(keyOfBody(request), request, reply);
		},
	};
}

/**
The key in the headers: `X-API-KEY` or, without it, a bearer token. Some operations of `openhome-cli` send only their session token, so a
key can be used as one.
*/
const keyOfHeaders = (headers: IncomingHttpHeaders): unknown =>
	headers[apiKeyHeader] ?? /^bearer (?<key>\S+)$/i.exec(headers.authorization ?? '')?.groups?.['key'];

/** Returns the key in the path or the query of a WebSocket: a browser cannot send headers with one. */
function keyOfAddress({params, query}: FastifyRequest): unknown {
	const values: Readonly<Record<string, unknown>> = {...(query as object), ...(params as object)};
	return values[apiKeyField];
}

const keyOfBody = ({body}: FastifyRequest): unknown => (isJsonObject(body) ? body[apiKeyField] : undefined);
