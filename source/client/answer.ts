import {type IncomingHttpHeaders} from 'node:http';
import {cleanText} from '../interface/clean-text.ts';
import {type JsonValue} from '../interface/json.ts';

export type Answer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly url: string;
	readonly bytes: Uint8Array;
	/** The body, in the charset that the answer names; UTF-8 where it names none. */
	readonly text: string;
	/**
	True for the answer to a write that may have been carried out all the same: a proxy's 502 to 504, or any refusal after
	an earlier try that was cut off.
	*/
	readonly isOutcomeUnknown: boolean;
	/** The body as JSON; `undefined` where it is none. */
	json(): JsonValue | undefined;
	/** Words of this answer made fit for a message: one clean line without the key. */
	quote(words: string, maximumLength: number): string;
};

/** What of got's response is looked at. */
export type ReceivedResponse = {
	readonly statusCode: number;
	readonly headers: IncomingHttpHeaders;
	readonly url: string;
	readonly rawBody: Uint8Array;
};

/**
JSON is UTF-8 (RFC 8259, section 8.1), but a service that says otherwise is believed: its texts are sent back to it, and
must be what it meant.
*/
const decoderFor = (contentType: string | undefined) => {
	const label = /;\s*charset\s*=\s*"?(?<label>[^\s";]+)/i.exec(contentType ?? '')?.groups?.['label'];
	try {
		return new TextDecoder(label);
	} catch {
		return new TextDecoder();
	}
};

const parseJson = (text: string): JsonValue | undefined => {
	try {
		return JSON.parse(text) as JsonValue;
	} catch {
		return undefined;
	}
};

/** An answer with its body decoded when it is asked for; `redact` takes the key out of whatever of it is quoted. */
export const toAnswer = (response: ReceivedResponse, isOutcomeUnknown: boolean, redact: (text: string) => string): Answer => {
	const headers = response.headers as Readonly<Record<string, string | undefined>>;
	let text: string | undefined;
	return {
		status: response.statusCode,
		headers,
		url: response.url,
		bytes: response.rawBody,
		// Only when it is asked for: an archive is no text.
		get text() {
			text ??= decoderFor(headers['content-type']).decode(response.rawBody);
			return text;
		},
		isOutcomeUnknown,
		json() {
			return parseJson(this.text);
		},
		// Before, so that no cut hides a part of it; after, since cleaning may have joined its parts.
		quote: (words, maximumLength) => redact(cleanText(redact(words), maximumLength)),
	};
};
