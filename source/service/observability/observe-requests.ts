import {type IncomingMessage} from 'node:http';
import {type FastifyInstance, type FastifyRequest} from 'fastify';
import {type Operation} from '../../interface/endpoints.ts';
import {type Caller} from '../callers.ts';
import {plainAddress} from '../http/address-group.ts';
import {type EndedExchange} from '../http/exchanges.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyContextConfig {
		/** `undefined` for what is no operation of the interface. */
		operation?: Operation;
	}
}

/** Stands for a path that the service does not have, and for what could not be read. */
const unknown = 'unknown';

/** What logs and metrics may know of a request: of what it holds, only the method and the id of a record. */
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
	/** The sender's, as a trusted proxy gives it; `undefined` at a Unix socket without one. */
	readonly address: string | undefined;
	/** As the answer has it in `X-Request-Id`; `undefined` if it could not be read. */
	readonly requestId: string | undefined;
	/** The number in the path. */
	readonly record: string | undefined;
};

/** Told of every request once it has ended. */
export type OnRequest = (request: EndedRequest) => void;

/** A request as it was when it came: of a connection that is closed, nobody knows the address any more. */
type Seen = {readonly request: FastifyRequest; readonly address: string | undefined};

/** Of a path that names a record. Before it is checked, anything may stand there. */
const recordOf = ({params}: FastifyRequest): string | undefined => {
	const [value] = Object.values(params as Readonly<Record<string, unknown>> | undefined ?? {});
	return /^\d{1,16}$/.test(String(value)) ? String(value) : undefined;
};

const describe = (seen: Seen | undefined, remoteAddress: string | undefined): Omit<EndedRequest, 'method' | 'status' | 'milliseconds'> => {
	const {url: path = unknown, config} = seen?.request.routeOptions ?? {};
	return {
		path,
		operation: config?.operation ?? path.replaceAll('/', ''),
		caller: seen?.request.caller,
		address: seen === undefined ? plainAddress(remoteAddress) : seen.address,
		requestId: seen?.request.id,
		record: seen && recordOf(seen.request),
	};
};

/**
Joins what the connection knows of a request, which is when and how it ended, with what the application knows of it.

@returns `watch` is to be called before anything else looks at requests; `onEnd` is for `trackConnections`.
*/
export const createRequestObserver = (onRequest: OnRequest): {watch(app: FastifyInstance): void; onEnd(ended: EndedExchange): void} => {
	const requests = new WeakMap<IncomingMessage, Seen>();
	return {
		watch(app) {
			app.addHook('onRequest', (request, _reply, done) => {
				requests.set(request.raw, {request, address: plainAddress(request.ip)});
				done();
			});
		},
		onEnd({request, remoteAddress, status, milliseconds}) {
			onRequest({
				method: request?.method ?? unknown,
				...describe(request && requests.get(request), remoteAddress),
				status,
				milliseconds,
			});
		},
	};
};

/** One for all that want to know of requests; `undefined` if nobody does. */
export const joinListeners = (listeners: ReadonlyArray<OnRequest | undefined>): OnRequest | undefined => {
	const wanted = listeners.filter(listener => listener !== undefined);
	return wanted.length === 0
		? undefined
		: request => {
			for (const listener of wanted) {
				listener(request);
			}
		};
};
