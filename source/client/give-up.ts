import {type RequestPromise, type Response} from 'got';
import {type ErrorKind, SwitchboardError} from '../interface/errors.ts';
import {noAnswerInTime} from './network-errors.ts';

/** What got takes to give up a request that has a connection. */
const graceMilliseconds = 50;

type Reason = {
	readonly kind: ErrorKind;
	/** For the log: a clause that does not name the service. */
	readonly reason: string;
	readonly message: string;
	readonly nextStep: string;
};

/** How long an attempt may take. */
export type RequestLimit = {
	readonly milliseconds: number;
	/** True if the time begins anew whenever a part of the request has been sent. */
	readonly isForStandstill: boolean;
	/** How many bytes the answer may have, decompressed. */
	readonly bytes: number;
};

type Watch = {
	/** Aborts the request: it is given up, or cancelled by the signal of the caller. */
	readonly signal: AbortSignal;
	/** Rejects if got goes on although the request was aborted, as it does while a proxy is silent: then nothing was sent. */
	readonly whenGivenUp: Promise<never>;
	/** Why the request was given up, for the log. */
	readonly reason: () => string | undefined;
	/** The error if the request was given up. */
	readonly toError: (isOutcomeUnknown: boolean) => SwitchboardError | undefined;
	/** Called as an attempt begins. */
	readonly begin: () => void;
	readonly attach: (request: RequestPromise<Response<Uint8Array>>) => void;
	/** Called when the request has ended. */
	readonly end: () => void;
};

/**
Gives a request up for which got would wait without end: it takes too long, or an upload no longer moves, whatever the service or a
proxy sends meanwhile; its answer is too large, decompressed; or the service leaves HTTP for another protocol (101).
*/
export const watchRequest = (origin: string, {milliseconds, isForStandstill, bytes}: RequestLimit, cancelled: AbortSignal | undefined): Watch => {
	const controller = new AbortController();
	const signal = cancelled === undefined ? controller.signal : AbortSignal.any([cancelled, controller.signal]);
	const {promise: whenGivenUp, reject} = Promise.withResolvers<never>();
	whenGivenUp.catch(() => undefined);
	const onAbort = (): void => {
		setTimeout(reject, graceMilliseconds, new Error('Got does not give the request up.'));
	};

	signal.addEventListener('abort', onAbort);
	let given: Reason | undefined;
	let timer: NodeJS.Timeout | undefined;

	const giveUp = (reason: Reason): void => {
		given ??= reason;
		controller.abort();
	};

	const stopTimer = (): void => {
		clearTimeout(timer);
	};

	return {
		signal,
		whenGivenUp,
		reason: () => given?.reason,
		toError: isOutcomeUnknown => given && new SwitchboardError(given.kind, given.message, {nextStep: given.nextStep, isOutcomeUnknown}),
		begin() {
			stopTimer();
			timer = setTimeout(() => {
				giveUp(noAnswerInTime(origin));
			}, milliseconds);
		},
		attach(request) {
			void request.on('request', sent => {
				sent.once('upgrade', (_response, socket) => {
					socket.destroy();
					giveUp({
						kind: 'unintelligible',
						reason: 'it switched to another protocol (101)',
						message: `${origin} switched to another protocol (HTTP 101).`,
						nextStep: 'Check the address of the service.',
					});
				});
			});
			void request.on('downloadProgress', ({transferred}) => {
				if (transferred > bytes) {
					giveUp({
						kind: 'unintelligible',
						reason: 'the answer was too large',
						message: `${origin} sent more than ${bytes / 1024 / 1024} MiB.`,
						nextStep: 'Check the address of the service.',
					});
				}
			});
			void request.on('uploadProgress', ({percent}) => {
				if (isForStandstill && percent === 1) {
					// From here on got limits the wait for the answer.
					stopTimer();
				} else if (isForStandstill) {
					timer?.refresh();
				}
			});
		},
		end() {
			stopTimer();
			// A signal with a time limit keeps its listeners, and so the answer, until that has passed.
			signal.removeEventListener('abort', onAbort);
		},
	};
};
