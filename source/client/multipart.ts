import {Buffer} from 'node:buffer';
import {randomUUID} from 'node:crypto';

export type MultipartFile = {readonly fileName: string; readonly type: string; readonly bytes: Uint8Array};

/** A field's name and its text or file; a name may come more than once. */
export type MultipartPart = readonly [name: string, value: string | MultipartFile];

export type MultipartBody = {readonly contentType: string; readonly bytes: Buffer};

/** File names come from the user's disk: quotes and line breaks would end the header (RFC 7578, section 4.2). */
const safeFileName = (name: string): string => name.replaceAll(/[\p{Control}"\\]/gu, '_');

const headerOf = (name: string, value: string | MultipartFile): string =>
	typeof value === 'string'
		? `Content-Disposition: form-data; name="${name}"`
		: `Content-Disposition: form-data; name="${name}"; filename="${safeFileName(value.fileName)}"\r\nContent-Type: ${value.type}`;

/**
Returns a `multipart/form-data` body (RFC 7578). Not with `FormData`, which turns every line break of a text into CR LF: an agent's
prompt must arrive as it was written.
*/
export function encodeMultipart(parts: readonly MultipartPart[]): MultipartBody {
	const boundary = `switchboard-${randomUUID()}`;
	const pieces = parts.flatMap(([name, value]) => [
		Buffer.from(`--${boundary}\r\n${headerOf(name, value)}\r\n\r\n`),
		typeof value === 'string' ? Buffer.from(value) : value.bytes,
		Buffer.from('\r\n'),
	]);
	return {contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])};
}
