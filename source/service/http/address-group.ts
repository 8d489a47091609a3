import {isIPv4, isIPv6} from 'node:net';
import {type FastifyRequest} from 'fastify';

/** The eight parts of an IPv6 address; `URL` writes all of its spellings alike, an IPv4 address within it too. */
const partsOf = (address: string): readonly string[] => {
	const [front = '', back] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 2);
	const [first, last] = [front, back ?? ''].map(half => half === '' ? [] : half.split(':')) as [string[], string[]];
	return [...first, ...Array.from({length: 8 - first.length - last.length}, () => '0'), ...last];
};

/** An IPv4 address written as an IPv6 one (RFC 4291, section 2.5.5.2), as a server for both sees it. */
const mappedIPv4 = (parts: readonly string[]): string | undefined => {
	if (parts.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') {
		return undefined;
	}

	const bytes = parts.slice(6).flatMap(part => [...part.padStart(4, '0').matchAll(/../g)].map(([byte]) => Number.parseInt(byte, 16)));
	return bytes.join('.');
};

/** An address without its zone, an IPv4 address within IPv6 as itself. `undefined` for what is no address, such as the other end of a Unix socket. */
export const plainAddress = (address: string | undefined): string | undefined => {
	const [plain = ''] = (address ?? '').split('%', 1);
	if (isIPv4(plain)) {
		return plain;
	}

	return isIPv6(plain) ? mappedIPv4(partsOf(plain)) ?? plain.toLowerCase() : undefined;
};

/**
What counts as one address: an IPv4 address, or a network of 64 bits of IPv6, the least that a customer is given and picks
addresses from as he likes (RFC 6177). `undefined` for what is no address, such as the other end of a Unix socket.
*/
export const addressGroup = (address: string | undefined): string | undefined => {
	const plain = plainAddress(address);
	return plain === undefined || isIPv4(plain) ? plain : `${partsOf(plain).slice(0, 4).join(':')}::/64`;
};

/** The sender's, as a trusted proxy gives it; the proxy's own if what it gives is no address. */
export const addressGroupOf = (request: FastifyRequest): string | undefined =>
	addressGroup(request.ip) ?? addressGroup(request.raw.socket.remoteAddress);
