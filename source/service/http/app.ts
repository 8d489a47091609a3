import fastify, {type FastifyInstance} from 'fastify';
import {type FindCaller} from '../callers.ts';
import {createLists} from '../lists/lists.ts';
import {createRequestObserver, type OnRequest} from '../observability/observe-requests.ts';
import {type Store} from '../store/store.ts';
import {acceptJson} from './accept-json.ts';
import {limitMemory} from './admission.ts';
import {refuseOddAddresses} from './check-address.ts';
import {createClientErrors} from './client-errors.ts';
import {type Connections, trackConnections} from './connections.ts';
import {createErrorHandler, type ErrorHandlerOptions} from './error-handler.ts';
import {addBodyFamily, addHeaderFamily} from './families.ts';
import {addOpenApiDocument, describeRoutes} from './open-api.ts';
import {formBytes} from './forms.ts';
import {addHealth} from './health.ts';
import {createKeyWatch} from './key-watch.ts';
import {type LineLimits} from './line-limits.ts';
import {NoSniffResponse} from './no-sniff.ts';
import {addRateLimit} from './rate-limit.ts';
import {refuseUnknown, refuseUnknownAtOnce} from './refuse-unknown.ts';
import {createRequestIds, tellRequestIds} from './request-id.ts';
import {createSharedCounter} from './shared-counter.ts';
import {secureOptions, type Tls} from './tls.ts';
import {createWrongKeyCounter} from './wrong-keys.ts';
import {createProxyCheck} from './trusted-proxies.ts';
import {validatorCompiler} from './validation.ts';

type AppParts = ErrorHandlerOptions & {
	readonly store: Store;
	readonly findCaller: FindCaller;
	readonly requestsPerMinute: number | undefined;
	readonly tls: Tls | undefined;
	/** The proxies whose `X-Forwarded-For` counts (`createProxyCheck`). */
	readonly trustedProxies: readonly string[];
	readonly limits: LineLimits;
	/** True to refuse every change. */
	readonly isReadOnly: boolean;
	/** Told of each request once it has ended. */
	readonly onRequest?: OnRequest | undefined;
	/** Told of each wrong key. */
	readonly onWrongKey?: (() => void) | undefined;
};

/** Limits how long a client that sends its header slowly can hold a connection; the rest is in `line-limits.ts`. */
const slowClientLimits = {
	headersTimeout: 20_000,
	connectionsCheckingInterval: 5000,
};

/** A request without the header Host is answered by `refuseOddAddresses`, in the form of every other error. */
const serverOptions = {...slowClientLimits, requireHostHeader: false, ServerResponse: NoSniffResponse};

/** For JSON bodies; uploads have limits of their own. */
const bodyLimitBytes = 1024 * 1024;

/** A serializer of Fastify's joins a long list from hundreds of thousands of parts, which take five times the memory of the list. */
const serializerOptions = {largeArrayMechanism: 'json-stringify', largeArraySize: 1000} as const;

const createServer = ({tls, trustedProxies, limits, onRequest}: AppParts, errorHandler: ReturnType<typeof createErrorHandler>): {readonly app: FastifyInstance; readonly connections: Connections} => {
	const clientErrors = createClientErrors(() => connections);
	const options = {
		clientErrorHandler: clientErrors.handle,
		trustProxy: trustedProxies.length === 0 ? false : createProxyCheck(trustedProxies),
		bodyLimit: bodyLimitBytes,
		keepAliveTimeout: limits.idleMilliseconds,
		exposeHeadRoutes: false,
		routerOptions: {ignoreTrailingSlash: true},
		frameworkErrors: errorHandler,
		serializerOpts: serializerOptions,
		genReqId: createRequestIds(trustedProxies),
	};
	const app: FastifyInstance = tls === undefined
		? fastify({...options, http: serverOptions})
		: fastify({...options, https: {...secureOptions(tls), ...serverOptions, handshakeTimeout: limits.handshakeMilliseconds}});
	const observer = onRequest && createRequestObserver(onRequest);
	observer?.watch(app);
	tellRequestIds(app);
	const connections = trackConnections(app.server, limits, trustedProxies, observer?.onEnd);
	clientErrors.watch(app.server);
	return {app, connections};
};

/** An answer that takes longer than this after a stop was requested is aborted. */
const stopDeadlineMilliseconds = 20_000;

/** Answers in progress are finished; a connection that stays open after its answer would keep the service from stopping. */
const endConnectionsOnStop = (app: FastifyInstance, connections: Connections): void => {
	let deadline: NodeJS.Timeout | undefined;
	app.addHook('preClose', async () => {
		connections.endIdle();
		deadline = setTimeout(connections.endAll, stopDeadlineMilliseconds);
	});
	app.addHook('onSend', (_request, reply, _payload, done) => {
		if (deadline !== undefined) {
			void reply.header('connection', 'close');
		}

		done();
	});
	app.addHook('onClose', async () => {
		clearTimeout(deadline);
	});
};

/** The web application with all routes, not yet listening. */
export const createApp = async (parts: AppParts): Promise<FastifyInstance> => {
	const {store, findCaller, isReadOnly, onWrongKey} = parts;
	const errorHandler = createErrorHandler(parts);
	const {app, connections} = createServer(parts, errorHandler);
	app.setValidatorCompiler(validatorCompiler);
	acceptJson(app);
	app.setErrorHandler(errorHandler);
	app.setNotFoundHandler(refuseUnknown);
	app.decorateRequest('caller', undefined);
	app.addHook('onRequest', refuseOddAddresses);
	endConnectionsOnStop(app, connections);
	const keyWatch = createKeyWatch(store.accounts);
	const admission = limitMemory(app, {
		connections, keyWatch, limits: parts.limits, largestBytes: formBytes,
	});
	// Before its body is read.
	app.addHook('onRequest', refuseUnknownAtOnce);
	const countShared = store.limits && createSharedCounter(store.limits);
	const limit = await addRateLimit(app, parts.requestsPerMinute, countShared);
	await describeRoutes(app);
	const familyParts = {
		store,
		lists: createLists({takeRoom: admission.takeListRoom, isCompressing: !parts.isOwn}),
		connections,
		limits: parts.limits,
		keyWatch,
		keyCheck: {findCaller, countWrongKey: createWrongKeyCounter(countShared), onWrongKey},
		admission,
		limit,
		isReadOnly,
	};
	await app.register(async family => addHeaderFamily(family, familyParts));
	await app.register(async family => addBodyFamily(family, familyParts));
	addOpenApiDocument(app);
	addHealth(app, store);
	return app;
};
