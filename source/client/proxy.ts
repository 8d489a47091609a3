import {Buffer} from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import {isIP} from 'node:net';
import process from 'node:process';
import tls from 'node:tls';
import type {Duplex} from 'node:stream';
import {isLoopbackHost} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';

/** The first Node.js whose agents use a proxy (nodejs.org/api/http, built-in proxy support); an older one ignores the option. */
const proxySince = [24, 5] as const;

/** Returns the proxy that the environment sets for an address; `undefined` if none is used, as for all requests to this machine. */
export function proxyOf(url: URL) {
	const [variable, value = ''] = firstSet(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? [];
	if (variable === undefined || !URL.canParse(value) || isLoopbackHost(url.hostname) || isExcepted(url)) {
		return undefined;
	}

	const address = new URL(value);
	const {hostname, host} = address;
	return {
		/** The variable that sets it. */
		variable,
		/** May hold a password. */
		address,
		hostname,
		port: portOf(address),
		/** For messages: without the password. */
		host,
	};
}

/** Node.js prefers the lower-case variable (nodejs.org/api/http, built-in proxy support). */
const firstSet = (name: string): readonly [variable: string, value: string] | undefined =>
	[name.toLowerCase(), name].map(variable => [variable, process.env[variable] ?? ''] as const).find(([, value]) => value !== '');

function isExcepted(url: URL): boolean {
	const {hostname} = url;
	const [, list = ''] = firstSet('NO_PROXY') ?? [];
	return list
		.toLowerCase()
		.split(/[\s,]+/)
		.some(
			entry =>
				entry === '*' ||
				entry === hostname ||
				entry === `${hostname}:${portOf(url)}` ||
				(/^\*?\../.test(entry) && hostname.endsWith(entry.replace(/^\*/, ''))),
		);
}

const portOf = ({port, protocol}: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

export type Proxy = NonNullable<ReturnType<typeof proxyOf>>;

/** For a proxy that neither opens a tunnel nor closes the connection; the request that waited for it was given up before. */
const tunnelMilliseconds = 60_000;

const authorizationOf = ({username, password}: URL): Readonly<Record<string, string>> =>
	username === ''
		? {}
		: {'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`};

const tunnelError = (statusCode: number | undefined): Error =>
	Object.assign(new Error('The proxy opened no tunnel.'), {code: statusCode === 407 ? 'ERR_PROXY_AUTHENTICATION' : 'ERR_PROXY_TUNNEL'});

const proxyErrors = new WeakSet<Error>();

/** Tells whether this is the error of a connection to the proxy itself, before there was a tunnel. */
export function isProxyError(error: unknown): boolean {
	return error instanceof Error && proxyErrors.has(error);
}

/**
Sends https requests through a tunnel of a proxy. Not with the agents' own option: it adds a listener with every piece of the proxy's
answer, and then each listener adds one. A proxy that sends its answer in pieces froze the process (Node.js 24.21, `lib/https.js`). With
`https-proxy-agent` 9 the refusal of a proxy reads as the service's: its 403 as that of the key, its certificate as the service's.
*/
class TunnelAgent extends https.Agent {
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
			signal: AbortSignal.timeout(tunnelMilliseconds),
		});
		request.once('error', error => {
			proxyErrors.add(error);
			fail(error);
		});
		request.once('connect', ({statusCode}, socket) => {
			if (statusCode === 200) {
				callback!(null, tls.connect({...(options as tls.ConnectionOptions), socket}));
			} else {
				socket.destroy();
				fail(tunnelError(statusCode));
			}
		});
		request.end();
		return undefined;
	}
}

/**
Returns the HTTP agents for a service. They use HTTP(S)_PROXY and NO_PROXY of the environment, which got does not read. Requests to
this machine use no proxy: it would carry the key off the machine in plain text.

@throws SwitchboardError `usage` if the proxy of the environment cannot be used.
*/
export function chooseHttpAgents(service: URL): {readonly http: http.Agent; readonly https: https.Agent} {
	if (isLoopbackHost(service.hostname)) {
		return {http: new http.Agent({keepAlive: true}), https: new https.Agent({keepAlive: true})};
	}

	refuseUnusableProxy();
	// As the agents of the process do: a connection that was idle for long may have been dropped on the way.
	const options = {keepAlive: true, timeout: 5000};
	const proxy = proxyOf(service);
	return {
		http: new http.Agent({...options, proxyEnv: process.env}),
		https: proxy === undefined ? new https.Agent(options) : new TunnelAgent(proxy.address, options),
	};
}

/** @throws SwitchboardError `usage` if the environment sets a proxy that cannot be used. */
function refuseUnusableProxy(): void {
	const addresses = ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap(name => firstSet(name)?.[1] ?? []);
	if (addresses.some(address => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))) {
		// The address is not repeated: it may hold a password.
		throw new SwitchboardError('usage', 'HTTP_PROXY or HTTPS_PROXY is not a valid address.', {
			nextStep: 'Correct the variable, or unset it.',
		});
	}

	if (addresses.length > 0 && !isProxySupported()) {
		throw new SwitchboardError('usage', `Node.js ${process.versions.node} cannot use the proxy that HTTP_PROXY or HTTPS_PROXY names.`, {
			nextStep: `Use Node.js ${proxySince.join('.')} or newer, or unset the variable.`,
		});
	}
}

function isProxySupported(): boolean {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	return major > proxySince[0] || minor >= proxySince[1];
}
