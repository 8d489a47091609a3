import type {IncomingMessage} from 'node:http';
import {BlockList, isIP} from 'node:net';
import type {FastifyRequest} from 'fastify';
import {addressGroup, plainAddress} from '../../platform/ip-address.ts';
import {thisMachine} from '../store/changes.ts';

/** Means the other end of a Unix socket, which has no address. */
export const unixProxy = 'unix';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
Returns a test for the addresses of trusted proxies; `undefined` is the other end of a Unix socket.

@param proxies - addresses, networks as ADDRESS/BITS, or `unixProxy`.
*/
export function createProxyCheck(proxies: readonly string[]): (address: string | undefined) => boolean {
	const networks = new BlockList();
	for (const proxy of proxies) {
		if (proxy === unixProxy) {
			continue;
		}

		const [address = '', bits] = proxy.split('/', 2);
		const family = familyOf(address);
		networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
	}

	return address =>
		address === undefined ? proxies.includes(unixProxy) : isIP(address) !== 0 && networks.check(address, familyOf(address));
}

/**
An address from a proxy's header. A port can follow only an IPv4 address or brackets, because in a bare IPv6 address it could be a part of
it.
*/
const withoutPort = (hop: string): string =>
	/^\[(?<address>[^\]]+)\](?::\d+)?$/.exec(hop)?.groups!['address'] ?? hop.replace(/^(?<address>[\d.]+):\d+$/, '$<address>');

/**
The sender in an element of `Forwarded` (RFC 7239); `unknown` if it names none. Elements are split at every comma, also between quotes, so
that a client's open quote cannot swallow the element that its proxy added.
*/
const forwardedFor = (element: string): string =>
	element
		.split(';')
		.map(pair => /^\s*for=(?:"(?<quoted>[^"]*)"|(?<plain>[^\s"]+))\s*$/i.exec(pair)?.groups)
		.map(groups => groups?.['quoted'] ?? groups?.['plain'])
		.find(value => value !== undefined) ?? 'unknown';

/**
Rewrites `X-Forwarded-For` or, if it is missing, `Forwarded` to addresses without ports, as Fastify reads them. They count only if the
sender is a trusted proxy.
*/
export function readForwarded({headers}: IncomingMessage): void {
	const hops = headers['x-forwarded-for'] ?? headers.forwarded?.split(',').map(element => forwardedFor(element));
	if (hops !== undefined) {
		headers['x-forwarded-for'] = String(hops)
			.split(',')
			.map(hop => withoutPort(hop.trim()))
			.join(', ');
	}
}

/**
Returns the origin of a request, for the history: the sender's address, as a trusted proxy forwards it; the proxy's own address if the
forwarded one is not valid.
*/
export function wayOf(request: FastifyRequest): string {
	return plainAddress(request.ip) ?? plainAddress(request.raw.socket.remoteAddress) ?? thisMachine;
}

/**
Returns the group of the sender's address, as a trusted proxy forwards it; of the proxy's own address if the forwarded one is not valid.
*/
export function addressGroupOf(request: FastifyRequest): string | undefined {
	return addressGroup(request.ip) ?? addressGroup(request.raw.socket.remoteAddress);
}

/** Returns the sender that a request counts for: its key or, without an accepted key, its address. */
export function senderOf(request: FastifyRequest): string {
	return request.caller === undefined ? `address ${addressGroupOf(request) ?? unixProxy}` : `key ${request.caller.keyName}`;
}
