import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type AddressInfo} from 'node:net';
import {toListenError} from '../../interface/listen-error.ts';
import {formatBaseAddress} from '../http/listen.ts';
import {NoSniffResponse} from '../http/no-sniff.ts';
import {type Metrics} from './metrics.ts';

/** Where the metrics are served. Port 0 is any free one. */
export type MetricsAddress = {readonly host: string; readonly port: number};

export type MetricsServer = {
	/** `http://HOST:PORT/metrics`. */
	readonly address: string;
	close(): Promise<void>;
};

/** One or two programs request a few kilobytes every few seconds. */
const serverOptions = {
	maxHeaderSize: 8 * 1024,
	headersTimeout: 5000,
	requestTimeout: 5000,
	keepAliveTimeout: 60_000,
	connectionsCheckingInterval: 1000,
	ServerResponse: NoSniffResponse,
};

const maximumConnections = 16;

/** A connection on which nothing moves for so long while it is answered is closed. */
const idleMilliseconds = 10_000;

const metricsPath = '/metrics';

const hasBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const refuse = (response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void => {
	// What it may still send is not read.
	response.writeHead(status, {...headers, connection: 'close'}).end();
};

const answer = async ({format, contentType}: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> => {
	if (request.url !== metricsPath) {
		refuse(response, 404);
	} else if (request.method !== 'GET' && request.method !== 'HEAD') {
		refuse(response, 405, {allow: 'GET, HEAD'});
	} else if (hasBody(request)) {
		refuse(response, 413);
	} else {
		const text = await format();
		response.writeHead(200, {'content-type': contentType});
		response.end(text);
	}
};

/**
Serves the metrics on an address of their own, without a key.

@throws SwitchboardError `usage` if it cannot listen there.
*/
export const serveMetrics = async (metrics: Metrics, {host, port}: MetricsAddress): Promise<MetricsServer> => {
	const server = createServer(serverOptions, (request, response) => {
		void answer(metrics, request, response);
	});
	server.maxConnections = maximumConnections;
	server.setTimeout(idleMilliseconds);
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		throw toListenError(error, host, port, {host: '--metrics', port: '--metrics'});
	}

	return {
		address: `${formatBaseAddress('http', host, (server.address() as AddressInfo).port)}${metricsPath}`,
		async close() {
			if (!server.listening) {
				return;
			}

			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
};
