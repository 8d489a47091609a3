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

export type Tries = {
	/** Called as a try begins. */
	begin(): void;
	/** Called as the last one ends; `undefined` where no answer came. */
	end(status: number | undefined): void;
	/** Decides whether there is another try: after so many milliseconds, or 0 for none. */
	readonly calculateDelay: RetryOptions['calculateDelay'];
	/**
	Whether the write may have been carried out, after this answer or failure to the last try and all before. Asked before
	that try ends: what is cancelled between two tries leaves open no more than they do.
	*/
	isOutcomeUnknown(last: {readonly status?: number; readonly error?: unknown}): boolean;
};

/** The tries of one request: logs each, and keeps in mind what the earlier ones leave open. */
export const createTries = (call: Call, endpoint: Endpoint, path: string, onRequest: TransportOptions['onRequest']): Tries => {
	let startedAt: number | undefined;
	let isEarlierTryOpen = false;

	const end = (status: number | undefined): void => {
		if (startedAt === undefined) {
			return;
		}

		const entry = {
			method: call.method, path, status, startedAt, durationMilliseconds: Date.now() - startedAt,
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
		},
		end,
		calculateDelay({attemptCount, error, computedValue}) {
			const isRepeatedAtOnce = !endpoint.isWrite && attemptCount <= maximumDeadConnections && isDeadConnection(error);
			const delayMilliseconds = isRepeatedAtOnce ? 1 : computedValue;
			if (delayMilliseconds > 0) {
				const status = error.response?.statusCode;
				end(status);
				isEarlierTryOpen ||= isOpen(status, error);
			}

			return delayMilliseconds;
		},
		isOutcomeUnknown: ({status, error}) => endpoint.isWrite && (isEarlierTryOpen || (startedAt !== undefined && isOpen(status, error))),
	};
};
