import {cleanText} from './clean-text.ts';
import {SwitchboardError, withoutFailing} from './errors.ts';

/** The only address for `OPENHOME_API_KEY` by default (`docs/interface.md`, Sources). */
export const publicServiceAddress = 'https://app.openhome.com';

/** Tells whether a host is this machine: `localhost`, 127.0.0.0/8 and `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
	return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** A host with a port or a path, and no scheme. */
const hostAlone = /^(?<host>[\p{Letter}\p{Number}\-._]+|\[[\d.:a-f]+\])(?<port>:\d+)?(?:\/|$)/iu;

/** An address, or the last part of a name, as in `voice.example.com`. */
const endOfHost = /(?:^|\.)\p{Letter}{2,24}$|\.xn--[\d\-a-z]{2,59}$|^(?:\d{1,3}\.){3}\d{1,3}$|^\[/iu;

/**
Completes an address that was typed without its scheme: with `https`, or `http` for this machine. A word that may not be a host stays as it
is: it may be a key that was pasted into the wrong field, and would be looked up in the DNS.

@returns the address; any other text without blanks around it, for `normalizeBaseAddress` to judge.
*/
export function completeBaseAddress(text: string): string {
	const trimmed = text.trim();
	const {host = '', port} = hostAlone.exec(trimmed)?.groups ?? {};
	const isHost = isLoopbackHost(host.toLowerCase()) || port !== undefined || (/[.[]/.test(host) && endOfHost.test(host));
	return isHost ? (withLikelyScheme(trimmed) ?? trimmed) : trimmed;
}

/** Returns an address that is only a host, with its most likely scheme; `undefined` for anything else. */
function withLikelyScheme(text: string): string | undefined {
	const host = hostAlone.exec(text)?.groups?.['host'];
	return host === undefined ? undefined : `${isLoopbackHost(host.toLowerCase()) ? 'http' : 'https'}://${text}`;
}

/**
Returns the base address of a service in its normal form: scheme and host in lower case, no default port, no last slash. Two addresses are
equal when their normal forms are.

@param text - an `http` or `https` address, with or without a path and a last slash.
@throws SwitchboardError `usage` if it is not an address, or has a user name, password, query or fragment.
*/
export function normalizeBaseAddress(text: string): string {
	const trimmed = text.trim();
	const example = 'Give an address such as https://app.openhome.com or http://127.0.0.1:8787.';
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		const likely = withLikelyScheme(trimmed);
		throw new SwitchboardError('usage', `“${cleanText(withoutPassword(trimmed), 200)}” is not the address of a service.`, {
			nextStep: likely === undefined ? example : `Begin it with ${likely.slice(0, likely.indexOf('//') + 2)}, as in ${likely}.`,
			field: 'base_url',
		});
	}

	if (url.username !== '' || url.password !== '') {
		throw new SwitchboardError('usage', 'The address of a service must not contain a user name or password.', {
			nextStep: example,
			field: 'base_url',
		});
	}

	if (url.search !== '' || url.hash !== '') {
		throw new SwitchboardError('usage', 'The address of a service must not contain “?” or “#”.', {nextStep: example, field: 'base_url'});
	}

	// URL lower-cases scheme and host; the case of the path may matter to the service.
	return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Text before the host may be a password, and this text goes into a message. */
function withoutPassword(text: string): string {
	const end = text.lastIndexOf('@');
	const scheme = /^[a-z][\w+\-.]*:\/\//i.exec(text)?.[0] ?? '';
	return end === -1 ? text : `${scheme}…${text.slice(end)}`;
}

/** Tells whether two addresses are equal; false if either is not an address. */
export function isSameBaseAddress(first: string, second: string): boolean {
	return withoutFailing(() => normalizeBaseAddress(first) === normalizeBaseAddress(second)) ?? false;
}

/** Tells whether a key sent to this address could be read in transit: plain `http` to another machine. */
export function isInsecureAddress(baseAddress: string): boolean {
	const url = new URL(baseAddress);
	return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
}

/**
@throws SwitchboardError `insecure` if a key sent to this address could be read in transit.
*/
export function refuseInsecureAddress(baseAddress: string, isInsecureHttpAllowed: boolean): void {
	if (isInsecureAddress(baseAddress) && !isInsecureHttpAllowed) {
		throw new SwitchboardError('insecure', `${baseAddress} is plain http to another machine: your key could be read in transit.`, {
			nextStep: 'Use the https:// address, or allow it for this run with --insecure-http.',
		});
	}
}
