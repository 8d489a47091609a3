import {isIPv6} from 'node:net';

/** The address under which clients reach the service; an IPv6 address stands in brackets (RFC 3986, section 3.2.2). */
export const formatBaseAddress = (scheme: 'http' | 'https', host: string, port: number): string =>
	`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
