import {type Delays, type OptionsInit} from 'got';
import {
	apiKeyField,
	apiKeyHeader,
	type Endpoint,
} from '../interface/endpoints.ts';
import {type Call, type TransportOptions} from './transport.ts';

/** Failures of the line after which a request is made again, where that is asked for. */
const retriedCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** Those after which nothing can have arrived: sent again after it may have, what a POST makes would be there twice. */
const retriedUploadCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

const timeoutOf = (isUpload: boolean, whole: number | undefined): Delays => {
	const connecting = {lookup: whole ?? 5000, connect: whole ?? 5000, secureConnect: whole ?? 5000};
	// An upload takes as long as the line needs; only standing still is a fault.
	return isUpload
		? {
			...connecting, socket: whole ?? 60_000, response: whole ?? 60_000, read: whole ?? 60_000,
		}
		: {...connecting, response: whole ?? 10_000, request: whole ?? 15_000};
};

/** What a call is to got: where the key goes, how long it may take, when it is made again. */
export const requestOptions = (call: Call, endpoint: Endpoint, options: TransportOptions) => {
	const {multipart, json} = call;
	const isUpload = multipart !== undefined;
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
		timeout: timeoutOf(isUpload, options.timeoutMilliseconds),
		retry: {
			limit: retries ?? 0,
			methods: [call.method],
			statusCodes: endpoint.isWrite ? [429, 503] : [429, 500, 502, 503, 504],
			errorCodes: isUpload && call.method === 'POST' ? retriedUploadCodes : retriedCodes,
			backoffLimit: 2000,
			maxRetryAfter: 10_000,
			// The attempts of a request decide (`attempts.ts`), with what follows from the above as their starting point.
			enforceRetryRules: false,
		},
	} as const satisfies OptionsInit;
};
