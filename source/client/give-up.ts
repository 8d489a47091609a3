import {type RequestPromise, type Response} from 'got';
import {type ErrorKind, SwitchboardError} from '../interface/errors.ts';
import {noAnswerInTime} from './network-errors.ts';

/** No list or source archive is larger; the rest of a larger body is not read. */
const maximumAnswerBytes = 64 * 1024 * 1024;

type Reason = {
	readonly kind: ErrorKind;
	/** For the log: a clause that does not name the service. */
	readonly reason: string;
	readonly message: string;
	readonly nextStep: string;
};

type Watch = {
	/** Aborts the request. */
	readonly signal: AbortSignal;
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
Gives a request up for which got would wait without end: its answer is too large, decompressed; the service leaves HTTP for another
protocol (101); or an upload no longer moves, although the service sends something (1xx) or a proxy is silent.

@param stallMilliseconds - how long an upload may stand still; `undefined` for any other request, whose time is limited as a whole.
*/
export const watchRequest = (origin: string, stallMilliseconds: number | undefined): Watch => {
	const controller = new AbortController();
	let given: Reason | undefined;
	let stall: NodeJS.Timeout | undefined;

	const giveUp = (reason: Reason): void => {
		given ??= reason;
		controller.abort();
	};

	const end = (): void => {
		clearTimeout(stall);
	};

	return {
		signal: controller.signal,
		reason: () => given?.reason,
		toError: isOutcomeUnknown => given && new SwitchboardError(given.kind, given.message, {nextStep: given.nextStep, isOutcomeUnknown}),
		begin() {
			end();
			if (stallMilliseconds !== undefined) {
				stall = setTimeout(() => {
					giveUp(noAnswerInTime(origin));
				}, stallMilliseconds);
			}
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
				if (transferred > maximumAnswerBytes) {
					giveUp({
						kind: 'unintelligible',
						reason: 'the answer was too large',
						message: `${origin} sent more than ${maximumAnswerBytes / 1024 / 1024} MiB.`,
						nextStep: 'Check the address of the service.',
					});
				}
			});
			void request.on('uploadProgress', ({percent}) => {
				if (percent === 1) {
					// From here on got limits the wait for the answer.
					end();
				} else {
					stall?.refresh();
				}
			});
		},
		end,
	};
};
