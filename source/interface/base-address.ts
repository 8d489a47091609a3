import {cleanText} from './clean-text.ts';
import {SwitchboardError} from './errors.ts';

/** The address for `OPENHOME_API_KEY` alone (`docs/interface.md`, Sources). */
export const publicServiceAddress = 'https://app.openhome.com';

/** True for the names and addresses of this machine: `localhost`, 127.0.0.0/8 and `[::1]`. */
export const isLoopbackHost = (hostname: string): boolean =>
	hostname === 'localhost'
	|| hostname.endsWith('.localhost')
	|| hostname === '[::1]'
	|| /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Text before the host may be a password, and this text goes into a message. */
const withoutPassword = (text: string): string => {
	const end = text.lastIndexOf('@');
	const scheme = /^[a-z][\w+\-.]*:\/\//i.exec(text)?.[0] ?? '';
	return end === -1 ? text : `${scheme}…${text.slice(end)}`;
};

/** How to complete an address that is only a host; `undefined` for anything else. */
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
@throws SwitchboardError `usage` if it is not an address, or has a user name, password, query or fragment.
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
		throw new SwitchboardError('usage', 'The address of a service must not contain a user name or password.', {nextStep: example, field: 'base_url'});
	}

	if (url.search !== '' || url.hash !== '') {
		throw new SwitchboardError('usage', 'The address of a service must not contain “?” or “#”.', {nextStep: example, field: 'base_url'});
	}

	// URL lower-cases scheme and host; the case of the path may matter to the service.
	return url.origin + url.pathname.replace(/\/+$/, '');
};

/** True if the two addresses are equal; false also if one of them is not an address. */
export const isSameBaseAddress = (first: string, second: string): boolean => {
	try {
		return normalizeBaseAddress(first) === normalizeBaseAddress(second);
	} catch {
		return false;
	}
};

/** True if a key sent to this address could be read in transit: plain `http` to another machine. */
export const isInsecureAddress = (baseAddress: string): boolean => {
	const url = new URL(baseAddress);
	return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
};

/**
@throws SwitchboardError `insecure` if a key sent to this address could be read in transit.
*/
export const refuseInsecureAddress = (baseAddress: string, isInsecureHttpAllowed: boolean): void => {
	if (isInsecureAddress(baseAddress) && !isInsecureHttpAllowed) {
		throw new SwitchboardError(
			'insecure',
			`${baseAddress} is plain http to another machine: your key could be read in transit.`,
			{nextStep: 'Use the https:// address, or allow it for this run with --insecure-http.'},
		);
	}
};
