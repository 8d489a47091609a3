import type {Buffer} from 'node:buffer';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import fastify, {type FastifyInstance} from 'fastify';
import {withoutFailing} from '../interface/errors.ts';
import type {Caller, FindCaller} from './callers.ts';
import {addConversations} from './conversations/add-conversations.ts';
import {createWebSockets} from './conversations/web-sockets.ts';
import {createLists} from './lists.ts';
import {createRequestObserver, type OnRequest} from './observability/observe-requests.ts';
import {addDeleteAbility, addEditAbility, addUploadAbility} from './routes/abilities.ts';
import {addEditAgent} from './routes/agents.ts';
import {addHistory} from './routes/history.ts';
import {addInstalledOperations} from './routes/installed.ts';
import {addAgentListBodyStyle, addReadOperations, addVerifyKey} from './routes/lists.ts';
import {addSourceOperations} from './routes/source.ts';
import {addTimers} from './routes/timers.ts';
import type {Store} from './store/store.ts';
import {createKeyCheck, createRightsCheck} from './http/authorize.ts';
import {addChangeFeed} from './http/change-feed.ts';
import {createErrorDescriber, createErrorHandler, type ErrorHandlerOptions} from './http/error-handler.ts';
import {acceptForms} from './http/forms.ts';
import {createKeyWatch} from './http/key-watch.ts';
import type {Limits} from './http/limits.ts';
import {limitMemory} from './http/memory.ts';
import {addPublicRoutes, describeRoutes} from './http/public-routes.ts';
import {createRequestLimit, createWrongKeyLimit} from './http/rate-limits.ts';
import {acceptJson, refuseOddRequests, refuseUnknown} from './http/request-checks.ts';
import {createProxyCheck, readForwarded} from './http/senders.ts';
import {createHttpServer, endLate, type HttpServer, noSniff} from './http/server.ts';
import type {Tls} from './http/listen.ts';
import {validatorCompiler} from './http/validation.ts';

declare module 'fastify' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface FastifyContextConfig {
		/** True if the operation changes something. Its method does not show it: installing is a GET. */
		isWrite?: boolean;
	}
}

/** For JSON bodies; uploads have other limits. */
const bodyLimitBytes = 1024 * 1024;

/** For a body with little more than a key. It is read before the key is known. */
const keyBodyLimitBytes = 64 * 1024;

/** An answer that takes longer after a stop was requested is aborted. */
const stopDeadlineMilliseconds = 20_000;

const requestIdHeader = 'x-request-id';

type AppParts = ErrorHandlerOptions & {
	readonly store: Store;
	readonly findCaller: FindCaller;
	readonly requestsPerMinute: number | undefined;
	readonly tls: Tls | undefined;
	/** The proxies whose `X-Forwarded-For` or `Forwarded` counts (`createProxyCheck`). */
	readonly trustedProxies: readonly string[];
	readonly limits: Limits;
	readonly isReadOnly: boolean;
	/** Called for each request once it has ended. */
	readonly onRequest: OnRequest | undefined;
	/** Called with the time of each timer that is set. */
	readonly onTimer: (at: string) => void;
	/** Called for each wrong key. */
	readonly onWrongKey: (() => void) | undefined;
	/** Called for each request with a right key. */
	readonly onKey: ((caller: Caller) => void) | undefined;
	/** Called for each request that names a person with a key that may not do that. */
	readonly onStrangePerson: (caller: Caller) => void;
};

/** Returns the web application with all its routes, not yet listening. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
	const {store, trustedProxies, limits, isReadOnly} = parts;
	const observer = parts.onRequest && createRequestObserver(parts.onRequest);
	const describeError = createErrorDescriber(parts);
	const errorHandler = createErrorHandler(describeError);
	const isProxy = createProxyCheck(trustedProxies);
	let httpServer!: HttpServer;
	const app: FastifyInstance = fastify({
		serverFactory(handle) {
			httpServer = createHttpServer(
				(request, response) => {
					readForwarded(request);
					handle(request, response);
				},
				{...parts, onEnd: observer?.onEnd},
			);
			return httpServer.server;
		},
		clientErrorHandler() {
			/* The server answers these. */
		},
		trustProxy: trustedProxies.length > 0 && isProxy,
		bodyLimit: bodyLimitBytes,
		exposeHeadRoutes: false,
		routerOptions: {ignoreTrailingSlash: true},
		frameworkErrors(error, request, reply) {
			void errorHandler(error, request, reply.headers(noSniff));
		},
		// Fastify's own serializer would join a long list from hundreds of thousands of parts, which take five times the memory of the
		// list.
		serializerOpts: {largeArrayMechanism: 'json-stringify', largeArraySize: 1000},
		// A trusted proxy's id, else 62 random bits: other clients could reuse ids of other requests. Node.js makes many UUIDs at once.
		genReqId({headers: {[requestIdHeader]: given}, socket}) {
			return isShortId(given) && isProxy(socket.remoteAddress) ? given : randomUUID().slice(-17).replace('-', '');
		},
	});
	observer?.watch(app);
	app.addHook('onRequest', ({id}, reply, done) => {
		void reply.headers(noSniff).header(requestIdHeader, id);
		done();
	});
	app.setValidatorCompiler(validatorCompiler);
	acceptJson(app);
	app.setErrorHandler(errorHandler);
	app.decorateRequest('caller', undefined);
	app.addHook('onRequest', refuseOddRequests);
	endConnectionsOnStop(app, httpServer);
	const keyWatch = createKeyWatch(store.accounts);
	const admitBody = limitMemory(app, limits, keyWatch);
	app.addHook('onRequest', refuseUnknown);
	await describeRoutes(app);

	const {limitRequests, limitPhrases} = createRequestLimit(parts.requestsPerMinute);
	const limitWrongKeys = createWrongKeyLimit();
	const keyCheck = createKeyCheck({
		...parts,
		onWrongKey(request, reply) {
			parts.onWrongKey?.();
			limitWrongKeys(request, reply);
		},
	});
	const checkRights = createRightsCheck(isReadOnly);
	const listParts = {store, lists: createLists(), isCompressing: !parts.isOwn};

	// The operations with the key in a header, which is checked before the body is read.
	await app.register(async family => {
		family.addHook('onRequest', keyCheck.byHeader);
		family.addHook('onRequest', limitRequests);
		family.addHook('onRequest', checkRights);
		family.addHook('onRequest', admitBody);
		addChangeFeed(family, {store, keyWatch, limits});
		addReadOperations(family, listParts);
		if (store.history !== undefined) {
			addHistory(family, store.history);
		}

		addInstalledOperations(family, store);
		addTimers(family, {...store, onTimer: parts.onTimer});
		addDeleteAbility(family, store);
		await family.register(async forms => {
			await acceptForms(forms);
			addEditAgent(forms, store);
			addUploadAbility(forms, store);
			addEditAbility(forms, store);
			addSourceOperations(forms, store);
		});
	});
	// The WebSockets, with the key in their addresses.
	await app.register(async family => {
		family.addHook('onRequest', keyCheck.byAddress);
		family.addHook('onRequest', limitRequests);
		family.addHook('onRequest', checkRights);
		addConversations(family, {
			store,
			limitPhrases,
			isReadOnly,
			limits,
			describeError,
			accept: createWebSockets(family, {takeOver: httpServer.takeOver, keyWatch, limits}),
		});
	});
	// The operations with the key in a field of the JSON body.
	await app.register(async family => {
		readAnyBody(family);
		family.addHook('onRequest', ({raw}, _reply, done) => {
			endLate(raw, limits);
			done();
		});
		await family.register(async open => {
			open.addHook('preValidation', keyCheck.identifyByBody);
			open.addHook('preValidation', limitRequests);
			addVerifyKey(open);
		});
		await family.register(async closed => {
			closed.addHook('preValidation', keyCheck.byBody);
			closed.addHook('preValidation', limitRequests);
			closed.addHook('preValidation', checkRights);
			addAgentListBodyStyle(closed, listParts);
		});
	});
	addPublicRoutes(app, store);
	return app;
}

/** The ids that a proxy may give a request: up to the length of a UUID, without characters that could end a field of the log. */
const isShortId = (value: unknown): value is string => typeof value === 'string' && /^[\w\-.]{1,64}$/.test(value);

/** Finishes answers in progress, and then closes their connections: an open one would keep the service from stopping. */
function endConnectionsOnStop(app: FastifyInstance, {server, stop}: HttpServer): void {
	let deadline: NodeJS.Timeout | undefined;
	app.addHook('preClose', async () => {
		stop();
		deadline = setTimeout(() => server.closeAllConnections(), stopDeadlineMilliseconds);
	});
	app.addHook('onClose', async () => {
		// Fastify closes only a server that it has opened, not a Unix socket or a passed one.
		if (server.listening) {
			server.close();
			await once(server, 'close');
		}

		clearTimeout(deadline);
	});
}

/**
Accepts a body that is not JSON as one without a key: the answer is then the usual 401, so that callers without a key learn nothing else.
*/
function readAnyBody(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', {parseAs: 'string', bodyLimit: keyBodyLimitBytes}, async (_request: unknown, body: string | Buffer) => {
		return withoutFailing(() => JSON.parse(String(body)) as unknown);
	});
}
