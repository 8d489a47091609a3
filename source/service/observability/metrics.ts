import {type Server} from 'node:net';
import {
	collectDefaultMetrics,
	Counter,
	Gauge,
	Histogram,
	Registry,
} from 'prom-client';
import {type OnRequest} from './observe-requests.ts';

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** What is counted of a running service. */
export type Metrics = {
	readonly onRequest: OnRequest;
	readonly onWrongKey: () => void;
	readonly onQuery: (milliseconds: number) => void;
	/** Counts the open connections of a server from now on. */
	readonly watchConnections: (server: Server) => void;
	readonly contentType: string;
	/** All figures in the text format of Prometheus. */
	readonly format: () => Promise<string>;
};

const countConnections = async (server: Server): Promise<number> => new Promise((resolve, reject) => {
	server.getConnections((error, count) => {
		if (error) {
			reject(error);
		} else {
			resolve(count);
		}
	});
});

/** Labels hold the name of an operation and a status, never anything of a request, an account or a key. */
export const createMetrics = (): Metrics => {
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
		onRequest({operation, status, milliseconds}) {
			requests.inc({operation, status});
			durations.observe({operation}, milliseconds / 1000);
		},
		onWrongKey() {
			wrongKeys.inc();
		},
		onQuery(milliseconds) {
			queries.observe(milliseconds / 1000);
		},
		watchConnections(server) {
			// eslint-disable-next-line no-new -- The registry keeps it.
			new Gauge({
				name: 'switchboard_open_connections',
				help: 'Open connections.',
				registers,
				async collect() {
					this.set(await countConnections(server));
				},
			});
		},
		contentType: registry.contentType,
		format: async () => registry.metrics(),
	};
};
