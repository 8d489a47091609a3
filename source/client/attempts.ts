import {type RequestError, type RetryOptions} from 'got';
import {type Endpoint} from '../interface/endpoints.ts';
import {wasSent} from './network-errors.ts';
import {type Call, type TransportOptions} from './transport.ts';

/** As many kept connections as may turn out to be dead one after the other before that is taken for a failure. */
const maximumDeadConnections = 8;

/** A gateway answered in place of the service, which may have carried the request out. */
const isGatewayStatus = (status: number | undefined): boolean => status !== undefined && status >= 502 && status <= 504;

/**
True where a kept connection was gone when the request came over it: servers close what was idle, and tell too late.
*/
const isDeadConnection = ({code, request, response}: RequestError): boolean =>
	response === undefined && request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');

export type Attempts = {
	/** Called as a try begins. */
	begin(): void;
	/** Called as the last one ends; without a status, and with what was thrown, where no answer came. */
	end(status: number | undefined, error?: unknown): void;
	/** Decides whether there is another try: after so many milliseconds, or 0 for none. */
	readonly calculateDelay: RetryOptions['calculateDelay'];
	/**
	Whether the write may have been carried out, after this answer or failure to the last try and all before. Asked before
	that try ends: what is cancelled between two tries leaves open no more than they do.
	*/
	isOutcomeUnknown(last: {readonly status?: number; readonly error?: unknown}): boolean;
};

export type AttemptsOptions = Pick<TransportOptions, 'onRequest'> & {
	readonly origin: string;
	readonly path: string;
	/** Why no answer came, as a clause. */
	readonly reasonFor: (error: unknown) => string;
};

/** The tries of one request: logs each, and keeps in mind what the earlier ones leave open. */
export const createAttempts = (call: Call, endpoint: Endpoint, {origin, path, onRequest, reasonFor}: AttemptsOptions): Attempts => {
	let startedAt: number | undefined;
	let tryNumber = 0;
	let isEarlierTryOpen = false;

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
			tryNumber,
			startedAt,
			durationMilliseconds: Date.now() - startedAt,
		};
		startedAt = undefined;
		try {
			onRequest?.(entry);
		} catch {
			// A log that cannot be written, as on a full disk, makes no request fail.
		}
	};

	const isOpen = (status: number | undefined, error: unknown): boolean =>
		status === undefined ? wasSent(error) : isGatewayStatus(status);

	return {
		begin() {
			startedAt = Date.now();
			tryNumber++;
		},
		end,
		calculateDelay({attemptCount, error, computedValue}) {
			const isRepeatedAtOnce = !endpoint.isWrite && attemptCount <= maximumDeadConnections && isDeadConnection(error);
			const delayMilliseconds = isRepeatedAtOnce ? 1 : computedValue;
			if (delayMilliseconds > 0) {
				const status = error.response?.statusCode;
				end(status, error);
				isEarlierTryOpen ||= isOpen(status, error);
			}

			return delayMilliseconds;
		},
		isOutcomeUnknown: ({status, error}) => endpoint.isWrite && (isEarlierTryOpen || (startedAt !== undefined && isOpen(status, error))),
	};
};
