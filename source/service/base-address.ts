import {isIPv6} from 'node:net';

/** The address of the service for clients, with an IPv6 address in brackets (RFC 3986, section 3.2.2). */
export const formatBaseAddress = (scheme: 'http' | 'https', host: string, port: number): string =>
	`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
