import type {Delays, OptionsInit, RequestError, RequestPromise, Response, RetryOptions} from 'got';
import {apiKeyField, apiKeyHeader, type Endpoint, type HttpMethod, type Operation} from '../interface/endpoints.ts';
import {nothingChangedCode, SwitchboardError, withoutFailing} from '../interface/errors.ts';
import type {JsonValue} from '../interface/json.ts';
import type {Person} from '../interface/key-rights.ts';
import type {Resource} from '../interface/records.ts';
import {bodyFields, hasCode, type ReceivedResponse} from './answer.ts';
import type {ListVersions} from './list-versions.ts';
import type {MultipartBody} from './multipart.ts';
import {noAnswerInTime, networkReason, toCancelledError, toNetworkError, unintelligible, wasSent, type Failure} from './network-errors.ts';
import type {Proxy} from './proxy.ts';

/** One request to the service, however many attempts it takes. */
export type Call = {
	/** `undefined` for a path outside the documented operations. */
	readonly operation: Operation | undefined;
	/** How to send such a request; by default as a read without the key. */
	readonly sending?: Sending | undefined;
	readonly method: HttpMethod | 'PATCH';
	/** The path on the service, with the id filled in, or a full address of the same origin (a list's next page). */
	readonly path: string;
	readonly json?: Readonly<Record<string, JsonValue>> | undefined;
	/** JSON that is sent as it is, where the key is in the header. */
	readonly jsonText?: string | undefined;
	/** Makes the call an upload. */
	readonly multipart?: MultipartBody | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly signal?: AbortSignal | undefined;
	/** The limit of the answer, decompressed; 64 MB by default: no list or source archive is larger. */
	readonly maximumBytes?: number | undefined;
	/** Called with the fraction of the body that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
};

/** The properties of an endpoint that decide how a request is sent. */
export type Sending = Pick<Endpoint, 'isWrite'> & {
	readonly auth: Endpoint['auth'] | 'none';
	/** Sent in place of the key, if given. */
	readonly sessionToken?: string | undefined;
};

/** A session token of the service's dashboard, for operations that refuse the key. */
export type SessionToken = {
	readonly token: string;
	readonly variable: string;
	/** Called with a sentence before it is first used. */
	readonly onFirstUse: (sentence: string) => void;
};

/** One attempt of one request, for the request log: no key and no body. */
export type RequestLogEntry = {
	readonly method: Call['method'];
	/** Scheme, host and port. */
	readonly origin: string;
	/** The whole path, without the query. */
	readonly path: string;
	/** `undefined` if no answer came. */
	readonly status: number | undefined;
	readonly reason: string | undefined;
	/** Counted from 1. */
	readonly attemptNumber: number;
	readonly startedAt: number;
	readonly durationMilliseconds: number;
};

export type ListProgress = {readonly resource: Resource; readonly pageCount: number; readonly recordCount: number};

/** One service and key, and how requests are sent to it. */
export type TransportOptions = {
	readonly baseAddress: string;
	/** `undefined` if there is none: then only what takes no key can be read. */
	readonly apiKey: string | undefined;
	/** The person behind the requests, named to a service that asks for it (`transport.ts`). */
	readonly person?: Person | undefined;
	/** Never sent over plain http to another machine. */
	readonly sessionToken?: SessionToken | undefined;
	/** Names the key in messages, such as “the API key in SWITCHBOARD_API_KEY”; “the API key” by default. */
	readonly keyName?: (() => string) | undefined;
	readonly isInsecureHttpAllowed?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Refuses every write before a request is made. */
	readonly isReadOnly?: boolean | undefined;
	/** The limit for one attempt, by default 10 s for the first byte and 15 s in all; for an upload, how long it may stall (60 s). */
	readonly timeoutMilliseconds?: number | undefined;
	/** How many times a request is retried after a connection error, 429 or 503; a read also after 500, 502 and 504. */
	readonly retries?: {readonly reads: number; readonly writes: number} | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** Called with each answer to a change, before the caller has it: the versions that the lists it changed have now, and had before. */
	readonly onChanged?: ((operation: Operation, versions: ListVersions, former: ListVersions) => void) | undefined;
	/** Called after each page of a list. */
	readonly onPage?: ((progress: ListProgress) => void) | undefined;
};

/** Connection errors after which a request is retried, if retries are allowed. */
const retriedCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** For an upload by POST, which is retried only if nothing can have arrived: otherwise it might be uploaded twice. */
const retriedUploadCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Returns got's options for a call: where the key goes, how long the call may take, when it is retried. */
export function gotOptions(call: Call, {auth, isWrite, sessionToken}: Sending, options: TransportOptions) {
	const {multipart, json, jsonText, method} = call;
	return {
		method,
		headers: {
			'user-agent': 'switchboard',
			accept: 'application/json',
			...(auth === 'header' && (sessionToken === undefined ? {[apiKeyHeader]: options.apiKey} : {authorization: `Bearer ${sessionToken}`})),
			...(multipart !== undefined && {'content-type': multipart.contentType}),
			...(jsonText !== undefined && {'content-type': 'application/json'}),
			...call.headers,
		},
		...(auth === 'body' && {json: {...json, [apiKeyField]: options.apiKey}}),
		...(auth === 'header' && json !== undefined && {json}),
		...(multipart !== undefined && {body: multipart.bytes}),
		...(jsonText !== undefined && {body: jsonText}),
		followRedirect: false,
		throwHttpErrors: false,
		timeout: timeoutOf(call, options),
		retry: {
			// Only documented operations are known to be safe to retry.
			limit: (isWrite ? call.operation && options.retries?.writes : options.retries?.reads) ?? 0,
			methods: [method],
			statusCodes: isWrite ? [429, 503] : [429, 500, 502, 503, 504],
			errorCodes: multipart !== undefined && method === 'POST' ? retriedUploadCodes : retriedCodes,
			backoffLimit: 2000,
			maxRetryAfter: 10_000,
			// `createAttempts` decides, starting from the delay that these options result in.
			enforceRetryRules: false,
		},
	} as const satisfies OptionsInit;
}

/** Got's limits for the parts of an attempt; `createAttempts` limits the whole. */
function timeoutOf(call: Call, options: TransportOptions): Delays {
	const whole = options.timeoutMilliseconds;
	const connecting = {lookup: whole ?? 5000, connect: whole ?? 5000, secureConnect: whole ?? 5000};
	const milliseconds = limitMilliseconds(call, options);
	return call.multipart === undefined
		? {...connecting, response: whole ?? 10_000}
		: {...connecting, response: milliseconds, read: milliseconds};
}

/** How long one attempt may take; an upload may take as long as the connection needs, and this is how long it may stall. */
const limitMilliseconds = ({multipart}: Call, {timeoutMilliseconds}: TransportOptions): number =>
	timeoutMilliseconds ?? (multipart === undefined ? 15_000 : 60_000);

/** How many reused connections may turn out to be dead in a row before that counts as a failure. */
const maximumDeadConnections = 8;

type AttemptsOptions = {
	readonly origin: string;
	/** For the log, without the key. */
	readonly path: string;
	readonly proxy: Proxy | undefined;
	readonly cancelled: AbortSignal | undefined;
	readonly options: TransportOptions;
};

/**
Returns the attempts of one request: logs each, limits its time and its answer, and remembers whether one may have been carried out. Got's
own limit for a whole request has no effect before there is a connection, as while a proxy is silent.
*/
export function createAttempts(call: Call, {isWrite}: Sending, {origin, path, proxy, cancelled, options}: AttemptsOptions) {
	const stop = new AbortController();
	let failure: Failure | undefined;
	let timer: NodeJS.Timeout | undefined;
	let startedAt: number | undefined;
	let attemptNumber = 0;
	let isEarlierAttemptOpen = false;
	let lastFailure: RequestError | undefined;

	const giveUp = (reason: Failure): void => {
		failure ??= reason;
		stop.abort();
	};

	/** Gives up after this many milliseconds from now. */
	const limitTo = (milliseconds: number): void => {
		clearTimeout(timer);
		timer = setTimeout(giveUp, milliseconds, noAnswerInTime(origin));
	};

	/** Called as the last attempt ends: with its status or, if no answer came, with the error. */
	const end = (status: number | undefined, error?: unknown): void => {
		if (startedAt === undefined) {
			return;
		}

		const entry = {
			method: call.method,
			origin,
			path,
			status,
			reason:
				status === undefined ? (cancelled?.aborted ? 'cancelled' : (failure?.reason ?? networkReason(error, origin, proxy))) : undefined,
			attemptNumber,
			startedAt,
			durationMilliseconds: Date.now() - startedAt,
		};
		startedAt = undefined;
		// A log that cannot be written, as on a full disk, must not make a request fail.
		withoutFailing(() => options.onRequest?.(entry));
	};

	/** Returns the delay in milliseconds before the next attempt, or 0 for no retry. */
	const calculateDelay: RetryOptions['calculateDelay'] = ({attemptCount, error, computedValue}) => {
		const isRetriedAtOnce = !isWrite && attemptCount <= maximumDeadConnections && isDeadConnection(error);
		const delayMilliseconds = isRetriedAtOnce ? 1 : computedValue;
		if (delayMilliseconds > 0) {
			end(error.response?.statusCode, error);
			isEarlierAttemptOpen ||= isOpen(error.response, error);
			lastFailure = error;
		}

		return delayMilliseconds;
	};

	return {
		end,
		limitTo,
		calculateDelay,
		signal: cancelled === undefined ? stop.signal : AbortSignal.any([cancelled, stop.signal]),
		/** Called as an attempt begins. */
		begin() {
			startedAt = Date.now();
			attemptNumber++;
			lastFailure = undefined;
			limitTo(limitMilliseconds(call, options));
		},
		/** Gives the request up if its answer is too large or leaves HTTP, and lets an upload take its time. */
		watch(request: RequestPromise<Response<Uint8Array>>) {
			const maximumBytes = call.maximumBytes ?? 64 * 1024 * 1024;
			void request.on('request', sent => {
				// Without this, got's own listener would keep a connection that left HTTP.
				sent.once('upgrade', (_response, socket) => {
					socket.destroy();
					giveUp(unintelligible('it switched to another protocol (101)', `${origin} switched to another protocol (HTTP 101).`));
				});
			});
			void request.on('downloadProgress', ({transferred}) => {
				if (transferred > maximumBytes) {
					giveUp(unintelligible('the answer was too large', `${origin} sent more than ${maximumBytes / 1024 / 1024} MB.`));
				}
			});
			void request.on('uploadProgress', ({percent}) => {
				call.onProgress?.(percent);
				if (call.multipart !== undefined && percent === 1) {
					// From here on got limits the wait for the answer.
					clearTimeout(timer);
				} else if (call.multipart !== undefined) {
					timer?.refresh();
				}
			});
		},
		/** Called when the request has ended. */
		release: () => clearTimeout(timer),
		/**
		Whether the write may have been carried out, given the result of the last attempt and of all earlier ones. Call it before
		that attempt ends: cancelling between two attempts adds no doubt.
		*/
		isOutcomeUnknown: (response: ReceivedResponse | undefined, error?: unknown): boolean =>
			isWrite && (isEarlierAttemptOpen || (startedAt !== undefined && isOpen(response, error))),
		/** How the last attempt failed, while the next one is waited for. */
		lastFailure: () => lastFailure,
		/** The error to throw for an error of got. */
		toError(error: unknown, isOutcomeUnknown: boolean): SwitchboardError {
			if (cancelled?.aborted) {
				return toCancelledError(cancelled, {origin, isWrite, isOutcomeUnknown});
			}

			return failure === undefined
				? toNetworkError(error, {origin, proxy, isOutcomeUnknown})
				: new SwitchboardError(failure.kind, failure.message, {nextStep: failure.nextStep, isOutcomeUnknown});
		},
	};
}

/** True if a reused connection was dead when the request was sent over it: servers close idle connections at any time. */
const isDeadConnection = ({code, request, response}: RequestError): boolean =>
	response === undefined && request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');

/** Whether an attempt with this result may have been carried out. */
const isOpen = (response: ReceivedResponse | undefined, error: unknown): boolean =>
	response === undefined ? wasSent(error) : isFromGateway(response);

/** A gateway may have answered for the service, which may have carried out the request, unless the answer says that it has not. */
const isFromGateway = (response: ReceivedResponse): boolean =>
	response.statusCode >= 502 && response.statusCode <= 504 && !hasCode(bodyFields(response), nothingChangedCode);
