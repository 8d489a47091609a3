import {cleanText} from './clean-text.ts';
import {SwitchboardError} from './errors.ts';

/** What `OPENHOME_API_KEY` alone stands for (`LIVE-SERVICE.md`). */
export const publicServiceAddress = 'https://app.openhome.com';

/** True for the names and addresses of this machine: `localhost`, 127.0.0.0/8 and `[::1]`. */
export const isLoopbackHost = (hostname: string): boolean =>
	hostname === 'localhost'
	|| hostname.endsWith('.localhost')
	|| hostname === '[::1]'
	|| /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** What stands before the host may be a password, and this text goes into a message. */
const withoutPassword = (text: string): string => {
	const end = text.lastIndexOf('@');
	const scheme = /^[a-z][\w+\-.]*:\/\//i.exec(text)?.[0] ?? '';
	return end === -1 ? text : `${scheme}…${text.slice(end)}`;
};

/** How to complete an address that is only a host; `undefined` where it is more, or less. */
const suggestScheme = (text: string): string | undefined => {
	const host = /^(?<host>[\w\-.]+)(?::\d+)?(?:\/|$)/.exec(text)?.groups?.['host'];
	if (host === undefined) {
		return undefined;
	}

	const scheme = isLoopbackHost(host.toLowerCase()) ? 'http' : 'https';
	return `Begin it with ${scheme}://, as in ${scheme}://${text}.`;
};

/**
The base address of a service in its one normal form: scheme and host in lower case, no default port, no last slash.
Two addresses are equal when their normal forms are.

@param text - an `http` or `https` address, with or without a path and a last slash.
@throws SwitchboardError `usage` where it is none, holds a user name or password, a query or a fragment.
*/
export const normalizeBaseAddress = (text: string): string => {
	const trimmed = text.trim();
	const example = 'Give an address such as https://app.openhome.com or http://127.0.0.1:8787.';
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		throw new SwitchboardError(
			'usage',
			`“${cleanText(withoutPassword(trimmed), 200)}” is not the address of a service.`,
			{nextStep: suggestScheme(trimmed) ?? example, field: 'base_url'},
		);
	}

	if (url.username !== '' || url.password !== '') {
		throw new SwitchboardError('usage', 'The address of a service may hold no user name or password.', {nextStep: example, field: 'base_url'});
	}

	if (url.search !== '' || url.hash !== '') {
		throw new SwitchboardError('usage', 'The address of a service may hold no “?” or “#”.', {nextStep: example, field: 'base_url'});
	}

	// A path may be letters of either case to the service; host and scheme are lower-cased by URL itself.
	return url.origin + url.pathname.replace(/\/+$/, '');
};

/** True where the two addresses are those of one service; false also where one of them is no address. */
export const isSameBaseAddress = (first: string, second: string): boolean => {
	try {
		return normalizeBaseAddress(first) === normalizeBaseAddress(second);
	} catch {
		return false;
	}
};

/** True where a key sent to this address could be read on its way: plain `http` to another machine. */
export const isInsecureAddress = (baseAddress: string): boolean => {
	const url = new URL(baseAddress);
	return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
};

/**
@throws SwitchboardError `insecure` where a key sent to this address could be read on its way.
*/
export const refuseInsecureAddress = (baseAddress: string, isInsecureHttpAllowed: boolean): void => {
	if (isInsecureAddress(baseAddress) && !isInsecureHttpAllowed) {
		throw new SwitchboardError(
			'insecure',
			`${baseAddress} is plain http to another machine: your key could be read on its way.`,
			{nextStep: 'Use the https:// address, or allow it for this run with --insecure-http.'},
		);
	}
};
