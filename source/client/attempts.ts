import type {RequestError, RequestPromise, Response, RetryOptions} from 'got';
import {nothingChangedCode, SwitchboardError} from '../interface/errors.ts';
import {fieldsOf, hasCode, type ReceivedResponse} from './answer.ts';
import {limitMilliseconds, type Call, type Sending, type TransportOptions} from './call.ts';
import {noAnswerInTime, reasonOf, toCancelledError, toNetworkError, unintelligible, wasSent, type Failure} from './network-errors.ts';
import type {Proxy} from './proxy.ts';

/** How many reused connections in a row may turn out to be dead before that counts as a failure. */
const maximumDeadConnections = 8;

const maximumAnswerBytes = 64 * 1024 * 1024;

/** A gateway may have answered for the service, which may have carried out the request, unless the answer says that it has not. */
const isFromGateway = (response: ReceivedResponse): boolean =>
	response.statusCode >= 502 && response.statusCode <= 504 && !hasCode(fieldsOf(response), nothingChangedCode);

/** Whether an attempt with this result may have been carried out. */
const isOpen = (response: ReceivedResponse | undefined, error: unknown): boolean =>
	response === undefined ? wasSent(error) : isFromGateway(response);

/** True if a reused connection was dead when the request was sent over it: servers close idle connections at any time. */
const isDeadConnection = ({code, request, response}: RequestError): boolean =>
	response === undefined && request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');

type AttemptsOptions = {
	readonly origin: string;
	/** For the log, without the key. */
	readonly path: string;
	readonly proxy: Proxy | undefined;
	/** Cancels the request. */
	readonly cancelled: AbortSignal | undefined;
	readonly options: TransportOptions;
};

/**
The attempts of one request: logs each, limits its time and its answer, and remembers whether one may have been carried out. Got's own
limit for a whole request has no effect before there is a connection, as while a proxy is silent.
*/
export const createAttempts = (call: Call, {isWrite}: Sending, {origin, path, proxy, cancelled, options}: AttemptsOptions) => {
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

	/** Gives up after so many milliseconds, counted from now. */
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
			reason: status === undefined ? (cancelled?.aborted ? 'cancelled' : (failure?.reason ?? reasonOf(error, origin, proxy))) : undefined,
			attemptNumber,
			startedAt,
			durationMilliseconds: Date.now() - startedAt,
		};
		startedAt = undefined;
		try {
			options.onRequest?.(entry);
		} catch {
			// A log that cannot be written, as on a full disk, must not make a request fail.
		}
	};

	/** Decides whether to retry: returns the delay in milliseconds, or 0 for no retry. */
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
			const maximumBytes = call.maximumBytes ?? maximumAnswerBytes;
			void request.on('request', sent => {
				// Without this, got's own listener would keep a connection that left HTTP.
				sent.once('upgrade', (_response, socket) => {
					socket.destroy();
					giveUp(unintelligible('it switched to another protocol (101)', `${origin} switched to another protocol (HTTP 101).`));
				});
			});
			void request.on('downloadProgress', ({transferred}) => {
				if (transferred > maximumBytes) {
					giveUp(unintelligible('the answer was too large', `${origin} sent more than ${maximumBytes / 1024 / 1024} MiB.`));
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
		release() {
			clearTimeout(timer);
		},
		/**
		Whether the write may have been carried out, given the result of the last attempt and of all earlier ones. Call it before
		that attempt ends: cancelling between two attempts adds no doubt.
		*/
		isOutcomeUnknown: (response: ReceivedResponse | undefined, error?: unknown): boolean =>
			isWrite && (isEarlierAttemptOpen || (startedAt !== undefined && isOpen(response, error))),
		/** How the last attempt failed, while the next one is waited for. */
		lastFailure: () => lastFailure,
		/** The error to throw for one of got's. */
		toError(error: unknown, isOutcomeUnknown: boolean): SwitchboardError {
			if (cancelled?.aborted) {
				return toCancelledError(cancelled, {origin, isWrite, isOutcomeUnknown});
			}

			return failure === undefined
				? toNetworkError(error, {origin, proxy, isOutcomeUnknown})
				: new SwitchboardError(failure.kind, failure.message, {nextStep: failure.nextStep, isOutcomeUnknown});
		},
	};
};
