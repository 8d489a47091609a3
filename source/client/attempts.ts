import {type RequestError, type RetryOptions} from 'got';
import {nothingChangedCode} from '../interface/errors.ts';
import {fieldsOf, type ReceivedResponse} from './answer.ts';
import {type Call, type Sending, type TransportOptions} from './call.ts';
import {wasSent} from './network-errors.ts';
import {hasCode} from './service-message.ts';

/** How many reused connections in a row may turn out to be dead before that counts as a failure. */
const maximumDeadConnections = 8;

/** A gateway may have answered for the service, which may have carried out the request, unless the answer says that it has not. */
const isFromGateway = (response: ReceivedResponse): boolean =>
	response.statusCode >= 502 && response.statusCode <= 504 && !hasCode(fieldsOf(response), nothingChangedCode);

/** True if a reused connection was dead when the request was sent over it: servers close idle connections at any time. */
const isDeadConnection = ({code, request, response}: RequestError): boolean =>
	response === undefined && request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');

type Attempts = {
	/** Called as an attempt begins. */
	begin(): void;
	/** Called as the last attempt ends: with its status or, if no answer came, with the error. */
	end(status: number | undefined, error?: unknown): void;
	/** Decides whether to retry: returns the delay in milliseconds, or 0 for no retry. */
	readonly calculateDelay: RetryOptions['calculateDelay'];
	/**
	Whether the write may have been carried out, given the result of the last attempt and of all earlier ones. Call it before
	that attempt ends: cancelling between two attempts adds no doubt.
	*/
	isOutcomeUnknown(last: {readonly response?: ReceivedResponse; readonly error?: unknown}): boolean;
	/** How the last attempt failed, while the next one is waited for. */
	lastFailure(): RequestError | undefined;
};

type AttemptsOptions = Pick<TransportOptions, 'onRequest'> & {
	readonly origin: string;
	readonly path: string;
	/** Why no answer came, as a clause. */
	readonly reasonFor: (error: unknown) => string;
};

/** Tracks the attempts of one request: logs each, and remembers whether an earlier one may have been carried out. */
export const createAttempts = (call: Call, endpoint: Sending, {origin, path, onRequest, reasonFor}: AttemptsOptions): Attempts => {
	let startedAt: number | undefined;
	let attemptNumber = 0;
	let isEarlierAttemptOpen = false;
	let lastFailure: RequestError | undefined;

	const end = (status: number | undefined, error?: unknown): void => {
		if (startedAt === undefined) {
			return;
		}

		const entry = {
			method: call.method,
			origin,
			path,
			status,
			reason: status === undefined ? reasonFor(error) : undefined,
			attemptNumber,
			startedAt,
			durationMilliseconds: Date.now() - startedAt,
		};
		startedAt = undefined;
		try {
			onRequest?.(entry);
		} catch {
			// A log that cannot be written, as on a full disk, must not make a request fail.
		}
	};

	const isOpen = (response: ReceivedResponse | undefined, error: unknown): boolean =>
		response === undefined ? wasSent(error) : isFromGateway(response);

	return {
		begin() {
			startedAt = Date.now();
			attemptNumber++;
			lastFailure = undefined;
		},
		end,
		calculateDelay({attemptCount, error, computedValue}) {
			const isRetriedAtOnce = !endpoint.isWrite && attemptCount <= maximumDeadConnections && isDeadConnection(error);
			const delayMilliseconds = isRetriedAtOnce ? 1 : computedValue;
			if (delayMilliseconds > 0) {
				end(error.response?.statusCode, error);
				isEarlierAttemptOpen ||= isOpen(error.response, error);
				lastFailure = error;
			}

			return delayMilliseconds;
		},
		isOutcomeUnknown: ({response, error}) => endpoint.isWrite && (isEarlierAttemptOpen || (startedAt !== undefined && isOpen(response, error))),
		lastFailure: () => lastFailure,
	};
};
