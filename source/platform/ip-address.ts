import {isIPv4, isIPv6} from 'node:net';

/** Returns the eight parts of an IPv6 address; `URL` normalizes all of its spellings, including an embedded IPv4 address. */
export function ipv6Parts(address: string): readonly string[] {
	const [front = '', back] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 2);
	const [first, last] = [front, back ?? ''].map(half => (half === '' ? [] : half.split(':'))) as [string[], string[]];
	return [...first, ...Array.from({length: 8 - first.length - last.length}, () => '0'), ...last];
}

/**
Returns an address without its zone, and an IPv4 address within IPv6 as IPv4; `undefined` for anything else, such as the other end of a Unix
socket.
*/
export function plainAddress(address: string | undefined): string | undefined {
	const [plain = ''] = (address ?? '').split('%', 1);
	if (isIPv4(plain)) {
		return plain;
	}

	return isIPv6(plain) ? (mappedIPv4(ipv6Parts(plain)) ?? plain.toLowerCase()) : undefined;
}

/** Returns an IPv4 address written as an IPv6 one (RFC 4291, section 2.5.5.2), as a server for both sees it. */
function mappedIPv4(parts: readonly string[]): string | undefined {
	if (parts.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') {
		return undefined;
	}

	const bytes = parts.slice(6).flatMap(part => [...part.padStart(4, '0').matchAll(/../g)].map(([byte]) => Number.parseInt(byte, 16)));
	return bytes.join('.');
}

/**
Returns the unit that counts as one address: an IPv4 address, or a network of 64 bits of IPv6, the smallest that a customer gets and can
choose addresses from (RFC 6177); `undefined` for anything else, such as the other end of a Unix socket.
*/
export function addressGroup(address: string | undefined): string | undefined {
	const plain = plainAddress(address);
	return plain === undefined || isIPv4(plain) ? plain : `${ipv6Parts(plain).slice(0, 4).join(':')}::/64`;
}
