import {type Delays, type OptionsInit} from 'got';
import {apiKeyField, apiKeyHeader} from '../interface/endpoints.ts';
import {type Call, type Sending, type TransportOptions} from './call.ts';
import {type RequestLimit} from './give-up.ts';

/** Connection errors after which a request is retried, if retries are allowed. */
const retriedCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** The same for an upload by POST, which is retried only if nothing can have arrived: otherwise it might be uploaded twice. */
const retriedUploadCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

const isUpload = ({multipart}: Call): boolean => multipart !== undefined;

/** No list or source archive is larger; the rest of a larger body is not read. */
const maximumAnswerBytes = 64 * 1024 * 1024;

/** How long one attempt of a call may take; of an upload, how long it may stand still: it takes as long as the line needs. And how large its answer may be. */
export const limitOf = (call: Call, {timeoutMilliseconds}: TransportOptions): RequestLimit => ({
	milliseconds: timeoutMilliseconds ?? (isUpload(call) ? 60_000 : 15_000),
	isForStandstill: isUpload(call),
	bytes: call.maximumBytes ?? maximumAnswerBytes,
});

/** Got's limits for the parts of an attempt; `give-up.ts` limits the whole. */
const timeoutOf = (call: Call, options: TransportOptions): Delays => {
	const whole = options.timeoutMilliseconds;
	const {milliseconds} = limitOf(call, options);
	const connecting = {lookup: whole ?? 5000, connect: whole ?? 5000, secureConnect: whole ?? 5000};
	return isUpload(call)
		? {
			...connecting, socket: milliseconds, response: milliseconds, read: milliseconds,
		}
		: {...connecting, response: whole ?? 10_000};
};

/** Got's options for a call: where the key goes, how long the call may take, when it is retried. */
export const requestOptions = (call: Call, endpoint: Sending, options: TransportOptions) => {
	const {multipart, json} = call;
	const retries = endpoint.isWrite ? options.retries?.writes : options.retries?.reads;
	return {
		method: call.method,
		headers: {
			'user-agent': 'switchboard',
			accept: 'application/json',
			...((endpoint.auth === 'header') && {[apiKeyHeader]: options.apiKey}),
			...(multipart !== undefined && {'content-type': multipart.contentType}),
			...call.headers,
		},
		...((endpoint.auth === 'body') && {json: {...json, [apiKeyField]: options.apiKey}}),
		...(endpoint.auth === 'header' && json !== undefined && {json}),
		...(multipart !== undefined && {body: multipart.bytes}),
		responseType: 'buffer',
		followRedirect: false,
		throwHttpErrors: false,
		timeout: timeoutOf(call, options),
		retry: {
			limit: retries ?? 0,
			methods: [call.method],
			statusCodes: endpoint.isWrite ? [429, 503] : [429, 500, 502, 503, 504],
			errorCodes: isUpload(call) && call.method === 'POST' ? retriedUploadCodes : retriedCodes,
			backoffLimit: 2000,
			maxRetryAfter: 10_000,
			// `attempts.ts` decides, starting from the delay that these options result in.
			enforceRetryRules: false,
		},
	} as const satisfies OptionsInit;
};
