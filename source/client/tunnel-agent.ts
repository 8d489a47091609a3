import {Buffer} from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import {isIP} from 'node:net';
import tls from 'node:tls';
import type {Duplex} from 'node:stream';

/** For a proxy that neither opens a tunnel nor closes the connection; the request that waited for it was given up before. */
const tunnelMilliseconds = 60_000;

const authorizationOf = ({username, password}: URL): Readonly<Record<string, string>> => username === ''
	? {}
	: {'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`};

const tunnelError = (statusCode: number | undefined): Error =>
	Object.assign(new Error('The proxy opened no tunnel.'), {code: statusCode === 407 ? 'ERR_PROXY_AUTHENTICATION' : 'ERR_PROXY_TUNNEL'});

const proxyErrors = new WeakSet<Error>();

/** True for the error of a connection to the proxy itself, before there was a tunnel. */
export const isProxyError = (error: unknown): boolean => error instanceof Error && proxyErrors.has(error);

/**
Sends https requests through a tunnel of a proxy. Not with the agents' own option: it adds a listener with every piece of the proxy's
answer, and then each listener adds one. A proxy that sends its answer in pieces froze the process (Node.js 24.21, `lib/https.js`).
*/
export class TunnelAgent extends https.Agent {
	readonly #proxy: URL;

	constructor(proxy: URL, options: https.AgentOptions) {
		super(options);
		this.#proxy = proxy;
	}

	override createConnection(options: https.RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): undefined {
		const target = `${String(options.host).includes(':') ? `[${options.host}]` : options.host}:${options.port}`;
		const fail = callback as (error: Error) => void;
		const {protocol, hostname, port} = this.#proxy;
		const proxyName = hostname.replaceAll(/^\[|\]$/g, '');
		const request = (protocol === 'https:' ? https : http).request({
			method: 'CONNECT',
			protocol,
			hostname: proxyName,
			port,
			// Otherwise the certificate of an https proxy is checked for the name in the `Host` header, which is the service's.
			servername: isIP(proxyName) === 0 ? proxyName : '',
			path: target,
			headers: {host: target, ...authorizationOf(this.#proxy)},
			agent: false,
		});
		const timer = setTimeout(() => {
			request.destroy();
		}, tunnelMilliseconds);
		timer.unref();
		request.once('close', () => {
			clearTimeout(timer);
		});
		request.once('error', error => {
			proxyErrors.add(error);
			fail(error);
		});
		request.once('connect', ({statusCode}, socket) => {
			if (statusCode === 200) {
				callback!(null, tls.connect({...options as tls.ConnectionOptions, socket}));
			} else {
				socket.destroy();
				fail(tunnelError(statusCode));
			}
		});
		request.end();
		return undefined;
	}
}
