import {Buffer} from 'node:buffer';
import {isJsonObject, parseJson, type JsonObject} from './json.ts';

/* Session tokens of a dashboard: JSON Web Tokens (RFC 7519), which people paste instead of a key, and clients send beside one. */

/** Three parts in base64url; the last is empty in a token without a signature. */
const tokenShape = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]*$/;

/** Tells whether this is a text of the form of a JSON Web Token. */
export function isSessionToken(text: string): boolean {
	return parseObject(tokenParts(text)?.['header'] ?? '') !== undefined;
}

function parseObject(part: string): JsonObject | undefined {
	const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
	return isJsonObject(value) ? value : undefined;
}

const tokenParts = (text: string) => tokenShape.exec(text)?.groups;

/** The latest time that a `Date` can have. */
const latestSeconds = 8_640_000_000_000;

/** Returns the time when a token ends, as the token says, in milliseconds; `undefined` if it does not say. */
export function sessionTokenEnd(text: string): number | undefined {
	const end = parseObject(tokenParts(text)?.['claims'] ?? '')?.['exp'];
	return typeof end === 'number' && Math.abs(end) <= latestSeconds ? end * 1000 : undefined;
}
