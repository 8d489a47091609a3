import {Buffer} from 'node:buffer';

/* Session tokens of a dashboard: JSON Web Tokens (RFC 7519), which people paste in place of a key, and clients send beside one. */

/** Three parts in base64url, of which the last is empty in a token without a signature. */
const tokenShape = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]*$/;

const parseObject = (part: string): Readonly<Record<string, unknown>> | undefined => {
	try {
		const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
	} catch {
		return undefined;
	}
};

/** True for a text of the form of a JSON Web Token. */
export function isSessionToken(text: string): boolean {
	return parseObject(tokenShape.exec(text)?.groups?.['header'] ?? '') !== undefined;
}
