import type {IncomingMessage} from 'node:http';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {Operation} from '../../interface/endpoints.ts';
import {plainAddress} from '../../platform/ip-address.ts';
import type {Caller} from '../callers.ts';
import type {EndedExchange} from '../http/server.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyContextConfig {
		/** `undefined` for a request outside the operations of the interface. */
		operation?: Operation;
	}
}

/** For a path that the service does not have, and for a request that could not be read. */
const unknown = 'unknown';

/** The part of a request that logs and metrics may hold: only the method and the id of a record. */
export type EndedRequest = {
	readonly method: string;
	/** The pattern of the path, without its values. */
	readonly path: string;
	/** The name of the operation, or of the path if it is not an operation. */
	readonly operation: string;
	/** 499 if the client left before the answer began. */
	readonly status: number;
	readonly milliseconds: number;
	/** `undefined` if no key was accepted. */
	readonly caller: Pick<Caller, 'account' | 'keyName'> | undefined;
	/** The sender's address, as a trusted proxy gives it; `undefined` at a Unix socket without one. */
	readonly address: string | undefined;
	/** As in `X-Request-Id` of the answer; `undefined` if the request could not be read. */
	readonly requestId: string | undefined;
	/** The number in the path. */
	readonly record: string | undefined;
};

/** Called for every request once it has ended. It must be quick and must not throw. */
export type OnRequest = (request: EndedRequest) => void;

/** A request as it arrived: once a connection is closed, its address is no longer known. */
type Seen = {readonly request: FastifyRequest; readonly address: string | undefined};

/**
Joins the connection's facts about a request, its time and end, with those of the application.

@returns `watch`, to be called before anything else reads requests, and `onEnd` for `createHttpServer`.
*/
export function createRequestObserver(onRequest: OnRequest) {
	const requests = new WeakMap<IncomingMessage, Seen>();
	return {
		watch(app: FastifyInstance): void {
			app.addHook('onRequest', (request, _reply, done) => {
				requests.set(request.raw, {request, address: plainAddress(request.ip)});
				done();
			});
		},
		onEnd({request: raw, remoteAddress, status, milliseconds}: EndedExchange): void {
			const seen = raw && requests.get(raw);
			const {url: path = unknown, config} = seen?.request.routeOptions ?? {};
			onRequest({
				method: raw?.method ?? unknown,
				path,
				operation: config?.operation ?? path.replace(/\/:.*/, '').replaceAll('/', ''),
				status,
				milliseconds,
				caller: seen?.request.caller,
				address: seen === undefined ? plainAddress(remoteAddress) : seen.address,
				requestId: seen?.request.id,
				record: seen && recordOf(seen.request),
			});
		},
	};
}

/**
Returns the id of the record at the end of a path; earlier in the path there may be a key. Before the id is checked, it may be any text.
*/
function recordOf({params}: FastifyRequest): string | undefined {
	const value = Object.values((params as Readonly<Record<string, unknown>> | undefined) ?? {}).at(-1);
	return /^\d{1,16}$/.test(String(value)) ? String(value) : undefined;
}
