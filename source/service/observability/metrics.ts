import type {AddressInfo, Server} from 'node:net';
import fastify from 'fastify';
import {collectDefaultMetrics, Counter, Gauge, Histogram, Registry} from 'prom-client';
import {toListenError} from '../../interface/errors.ts';
import {formatBaseAddress} from '../http/listen.ts';
import {noSniff} from '../http/server.ts';
import type {EndedRequest} from './observe-requests.ts';

/** Where to serve the metrics. Port 0 means any free port. */
export type MetricsAddress = {readonly host: string; readonly port: number};

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** One or two programs request a few kilobytes every few seconds. */
const serverOptions = {
	requestTimeout: 5000,
	connectionTimeout: 10_000,
	keepAliveTimeout: 60_000,
	forceCloseConnections: true,
	http: {maxHeaderSize: 8 * 1024, headersTimeout: 5000, connectionsCheckingInterval: 1000},
};

const metricsPath = '/metrics';

/**
Starts to count, and serves the counts for Prometheus on a separate address, without a key.

@throws SwitchboardError `usage` if it cannot listen there.
*/
export async function startMetrics({host, port}: MetricsAddress) {
	const {registry, ...metrics} = createMetrics();
	const app = fastify(serverOptions);
	app.server.maxConnections = 16;
	app.addHook('onRequest', (_request, reply, done) => {
		void reply.headers(noSniff);
		done();
	});
	app.setNotFoundHandler(async (_request, reply) => reply.code(404).send());
	app.get(metricsPath, async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
	try {
		await app.listen({host, port});
	} catch (error) {
		throw toListenError(error, host, port, {host: '--metrics', port: '--metrics'});
	}

	return {
		...metrics,
		/** `http://HOST:PORT/metrics`. */
		address: `${formatBaseAddress('http', host, (app.server.address() as AddressInfo).port)}${metricsPath}`,
		async close(): Promise<void> {
			await app.close();
		},
	};
}

/** Labels hold the name of an operation and a status, but no part of a request, an account or a key. */
function createMetrics() {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({register: registry});
	const requests = new Counter({
		name: 'switchboard_http_requests_total',
		help: 'Requests by operation and status; 499 if the client left before the answer.',
		labelNames: ['operation', 'status'],
		registers,
	});
	const durations = new Histogram({
		name: 'switchboard_http_request_duration_seconds',
		help: 'Time from a request to the end of its answer.',
		labelNames: ['operation'],
		buckets: requestSeconds,
		registers,
	});
	const wrongKeys = new Counter({name: 'switchboard_failed_keys_total', help: 'Requests with a wrong key.', registers});
	const queries = new Histogram({
		name: 'switchboard_database_query_duration_seconds',
		help: 'Time of each query of the database.',
		buckets: querySeconds,
		registers,
	});
	return {
		registry,
		onRequest({operation, status, milliseconds}: EndedRequest): void {
			requests.inc({operation, status});
			durations.observe({operation}, milliseconds / 1000);
		},
		onWrongKey: (): void => wrongKeys.inc(),
		onQuery: (milliseconds: number): void => queries.observe(milliseconds / 1000),
		/** Counts the open connections of a server from now on. */
		watchConnections(server: Server): void {
			// eslint-disable-next-line no-new -- The registry keeps it.
			new Gauge({
				name: 'switchboard_open_connections',
				help: 'Open connections.',
				registers,
				async collect() {
					const count = Promise.withResolvers<number>();
					server.getConnections((_error, connectionCount) => count.resolve(connectionCount));
					this.set(await count.promise);
				},
			});
		},
	};
}
