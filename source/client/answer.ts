import {Buffer} from 'node:buffer';
import type {Response} from 'got';
import {cleanText} from '../interface/clean-text.ts';
import {withoutFailing} from '../interface/errors.ts';
import {isJsonObject, parseJson, type JsonObject, type JsonValue} from '../interface/json.ts';

export type ReceivedResponse = Pick<Response, 'statusCode' | 'headers' | 'url' | 'rawBody'>;

/** Returns the fields of the body of got's response; none if it is not a JSON object. */
export function bodyFields(response: ReceivedResponse): JsonObject {
	return toFields(parseJson(decode(response)));
}

const toFields = (body: JsonValue | undefined): JsonObject => (isJsonObject(body) ? body : {});

const decode = ({headers, rawBody}: ReceivedResponse): string => decoderFor(headers['content-type']).decode(rawBody);

/**
JSON is UTF-8 (RFC 8259, section 8.1), but if the service names another charset, that is used: its texts are sent back to it
unchanged.
*/
function decoderFor(contentType: string | undefined) {
	const label = /;\s*charset\s*=\s*"?(?<label>[^\s";]+)/i.exec(contentType ?? '')?.groups?.['label'];
	return withoutFailing(() => new TextDecoder(label)) ?? new TextDecoder();
}

/** Tells whether the body has this code, at the top or within its `error` (`docs/interface.md`, Errors). */
export function hasCode(body: JsonObject, code: string): boolean {
	return [body, body['error']].some(part => isJsonObject(part) && part['code'] === code);
}

type AnswerOptions = {
	readonly baseAddress: string;
	readonly isOutcomeUnknown: boolean;
	/** Removes the key from anything that is quoted. */
	readonly redact: (text: string) => string;
	readonly redactBody: (body: string) => string;
};

/** Turns got's response into an answer. */
export function toAnswer(response: ReceivedResponse, {baseAddress, isOutcomeUnknown, redact, redactBody}: AnswerOptions) {
	let text: string | undefined;
	return {
		baseAddress,
		status: response.statusCode,
		headers: response.headers,
		url: response.url,
		bytes: response.rawBody,
		/** The body, decoded with the charset in its header, or as UTF-8, without the key. Decoded on demand: an archive is not text. */
		get text(): string {
			text ??= redactBody(decode(response));
			return text;
		},
		/**
		True if the write may still have been carried out in spite of this answer: a proxy's 502 to 504, unless it says that nothing was
		changed, or any refusal after an earlier attempt that was cut off.
		*/
		isOutcomeUnknown,
		/** Returns the body as it came, but without the key, which is in ASCII. */
		redactedBytes: (): Uint8Array => Buffer.from(redactBody(Buffer.from(response.rawBody).toString('latin1')), 'latin1'),
		/** Returns the body as JSON; `undefined` if it is not JSON, or too much of it (`jsonExcess`). */
		json(): JsonValue | undefined {
			return parseJson(this.text);
		},
		/** Returns the body as JSON with the key, if it is in it: for addresses. */
		originalJson: (): JsonValue | undefined => parseJson(decode(response)),
		/** Returns the fields of the body; none if it is not a JSON object. */
		fields(): JsonObject {
			return toFields(this.json());
		},
		/**
		Returns a text of this answer made safe for a message: one clean line without the key. It is redacted before cleaning, which may cut
		the key in two, and after it, because it may have joined parts of the key.
		*/
		quote: (words: string, maximumLength: number): string => redact(cleanText(redact(words), maximumLength)),
	};
}

export type Answer = ReturnType<typeof toAnswer>;
