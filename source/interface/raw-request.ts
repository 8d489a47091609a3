import {bodyKeyFolder, endpoints, operationsAt, type Endpoint, type HttpMethod} from './endpoints.ts';
import {SwitchboardError} from './errors.ts';

export type RawRequest = Pick<Endpoint, 'isWrite' | 'auth'> & {
	readonly method: HttpMethod | 'PATCH';
	/** Begins with a slash, and may end with a query. */
	readonly path: string;
	/** The operation of the interface that this is; `undefined` if it is none. */
	readonly summary: string | undefined;
};

/**
Reads a person's request, and decides by the table of endpoints whether it changes something and where the key goes. A request outside the
table counts as a change unless it is a GET; a GET also counts if the table has a change at its path with another method.

@throws SwitchboardError `usage` for a path that may lead outside the address of the service.
*/
export function toRawRequest(method: RawRequest['method'], text: string): RawRequest {
	const path = checkPath(text);
	const there = operationsAt(path);
	const known = there.find(endpoint => endpoint.method === method);
	return {
		method,
		path: text.startsWith('/') ? text : `/${text}`,
		summary: known?.summary,
		isWrite: known?.isWrite ?? (method !== 'GET' || there.some(({isWrite}) => isWrite)),
		auth: known?.auth ?? (method !== 'GET' && path.toLowerCase().startsWith(bodyKeyFolder) ? 'body' : 'header'),
	};
}

/** Returns the checked path without its query, decoded for comparison. */
function checkPath(text: string): string {
	const path = text.replace(/\?.*$/s, '');
	if (path === '') {
		throw refused('is empty');
	}

	if (/^[a-z][\w+\-.]*:/i.test(path) || path.includes('//')) {
		throw refused('has the address of a service, or two slashes in a row');
	}

	if (/[^!-~]|[#\\]/.test(text) || /%(?![\da-f]{2})/i.test(path)) {
		throw refused('has “#”, a backslash or a character that must be encoded, as a space is by %20');
	}

	const decoded = decodePath(path);
	const parts = decoded.split('/');
	const isLeavingIt = parts.length > path.split('/').length || parts.some(part => /^\.{1,2}(?:;|$)/.test(part));
	if (isLeavingIt || /[\p{Control}\\]/u.test(decoded)) {
		throw refused('has “.” or “..” as a part, or an encoded slash, backslash or control character');
	}

	// Some servers drop a part of the path that begins with a semicolon.
	return decoded.replace(/^\/?/, '/').replaceAll(/;[^/]*/g, '');
}

const refused = (reason: string): SwitchboardError =>
	new SwitchboardError('usage', `The path ${reason}.`, {
		nextStep: `Give a path on the service, such as ${endpoints.listInstalled.path}.`,
		field: 'path',
	});

/** Returns the path as any server between here and the service may read it, as some decode escapes twice. */
function decodePath(path: string): string {
	const decoded = path.replaceAll(/%(?<hex>[\da-f]{2})/gi, (_escape, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
	return decoded === path ? path : decodePath(decoded);
}
