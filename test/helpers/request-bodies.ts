import {isUtf8} from 'node:buffer';
import type {RecordedRequest} from './recorded-requests.ts';

/** The media type of the body, without its parameters; empty if the request has none. */
export function mediaType({headers}: RecordedRequest): string {
	return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** The JSON value of the body, or `undefined` if it is not JSON. */
export function readJson({bytes}: RecordedRequest): unknown {
	if (!isUtf8(bytes)) {
		return undefined;
	}

	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

/** The JSON object of the body, or `undefined` if it is not one. */
export function readJsonObject(request: RecordedRequest): Readonly<Record<string, unknown>> | undefined {
	const value = readJson(request);
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** The fields and files of a `multipart/form-data` body, or `undefined` if it is not one. */
export async function readForm(request: RecordedRequest): Promise<FormData | undefined> {
	if (mediaType(request) !== 'multipart/form-data') {
		return undefined;
	}

	try {
		// The platform's parser is slow on large bodies, which does not matter here, and shares no code with the program.
		// eslint-disable-next-line @typescript-eslint/no-deprecated
		return await new Response(new Uint8Array(request.bytes), {headers: {'content-type': request.headers['content-type']!}}).formData();
	} catch {
		return undefined;
	}
}

/** The text fields of a form by name, each with all its values in order; without files. */
export function formTexts(form: FormData): Readonly<Record<string, readonly string[]>> {
	const texts: Record<string, string[]> = {};
	for (const [name, value] of form) {
		if (typeof value === 'string') {
			(texts[name] ??= []).push(value);
		}
	}

	return texts;
}
