import {type AddressInfo, isIPv6} from 'node:net';
import {type FastifyInstance} from 'fastify';
import {toListenError} from '../../interface/listen-error.ts';
import {listenOnPassedSocket} from './passed-socket.ts';
import {listenOnUnixSocket} from './unix-socket.ts';

/** Where to listen: on an address of this machine (port 0 is any free one), on a Unix socket, or on a socket that is open already. */
export type ListenTarget =
	| {readonly host: string; readonly port: number}
	| {readonly socketPath: string}
	| {readonly descriptor: number};

export type Listening = {
	/** `http://HOST:PORT`, `https://HOST:PORT` or `unix:PATH`. */
	readonly baseAddress: string;
	/** Removes what was created for it; to be called before the server is closed. */
	readonly remove: () => void;
};

type Scheme = 'http' | 'https';

/** The address of the service for clients, with an IPv6 address in brackets (RFC 3986, section 3.2.2). */
export const formatBaseAddress = (scheme: Scheme, host: string, port: number): string =>
	`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;

const listenOnAddress = async (app: FastifyInstance, host: string, port: number): Promise<number> => {
	try {
		await app.listen({host, port});
		return (app.server.address() as AddressInfo).port;
	} catch (error) {
		throw toListenError(error, host, port);
	}
};

/** @throws SwitchboardError `usage` if the service cannot listen there. */
export const listen = async (app: FastifyInstance, target: ListenTarget, scheme: Scheme): Promise<Listening> => {
	const remove = (): void => undefined;
	if ('host' in target) {
		const {host, port} = target;
		return {baseAddress: formatBaseAddress(scheme, host, await listenOnAddress(app, host, port)), remove};
	}

	// Fastify listens on nothing but addresses and paths, and later than it is asked to.
	await app.ready();
	if ('socketPath' in target) {
		return {remove: await listenOnUnixSocket(app.server, target.socketPath), baseAddress: `unix:${target.socketPath}`};
	}

	const passed = await listenOnPassedSocket(app.server, target.descriptor);
	return {baseAddress: 'socketPath' in passed ? `unix:${passed.socketPath}` : formatBaseAddress(scheme, passed.host, passed.port), remove};
};
