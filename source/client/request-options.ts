import {type Delays, type OptionsInit} from 'got';
import {
	apiKeyField,
	apiKeyHeader,
	type Endpoint,
} from '../interface/endpoints.ts';
import {type Call, type TransportOptions} from './call.ts';

/** Connection errors after which a request is retried, if retries are allowed. */
const retriedCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** The same for an upload by POST, which is retried only if nothing can have arrived: otherwise it might be uploaded twice. */
const retriedUploadCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** How long an upload may stand still. */
export const stallMillisecondsOf = ({timeoutMilliseconds}: TransportOptions): number => timeoutMilliseconds ?? 60_000;

const timeoutOf = (isUpload: boolean, options: TransportOptions): Delays => {
	const whole = options.timeoutMilliseconds;
	const stall = stallMillisecondsOf(options);
	const connecting = {lookup: whole ?? 5000, connect: whole ?? 5000, secureConnect: whole ?? 5000};
	// An upload may take as long as the connection needs; only a stall is an error.
	return isUpload
		? {
			...connecting, socket: stall, response: stall, read: stall,
		}
		: {...connecting, response: whole ?? 10_000, request: whole ?? 15_000};
};

/** Got's options for a call: where the key goes, how long the call may take, when it is retried. */
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
		timeout: timeoutOf(isUpload, options),
		retry: {
			limit: retries ?? 0,
			methods: [call.method],
			statusCodes: endpoint.isWrite ? [429, 503] : [429, 500, 502, 503, 504],
			errorCodes: isUpload && call.method === 'POST' ? retriedUploadCodes : retriedCodes,
			backoffLimit: 2000,
			maxRetryAfter: 10_000,
			// `attempts.ts` decides, starting from the delay that these options result in.
			enforceRetryRules: false,
		},
	} as const satisfies OptionsInit;
};
