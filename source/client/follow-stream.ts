import {type OptionsInit} from 'got';
import {SwitchboardError} from '../interface/errors.ts';
import {createAttempts} from './attempts.ts';
import {type Call, type Sending, type TransportOptions} from './call.ts';
import {toCancelledError} from './cancelled-error.ts';
import {noAnswerInTime, reasonOf, toNetworkError} from './network-errors.ts';
import {proxyOf} from './proxy.ts';
import {limitOf, requestOptions} from './request-options.ts';
import {readStream, type StreamHandlers} from './stream.ts';

/** A stream on which nothing came for so long is dead: the service sends something every 15 s. */
const silenceMilliseconds = 40_000;

type FollowOptions = {
	readonly url: URL;
	readonly signal: AbortSignal | undefined;
	readonly agent: NonNullable<OptionsInit['agent']>;
	/** Removes the key from a text. */
	readonly redact: (text: string) => string;
	readonly options: TransportOptions;
	readonly handlers: StreamHandlers;
};

/**
Reads an answer for as long as it goes on. It is logged when its head is there.

@throws SwitchboardError if no answer came, or it broke off.
*/
export const followStream = async (call: Call, endpoint: Sending, {url, signal, agent, redact, options, handlers}: FollowOptions): Promise<void> => {
	const {origin} = url;
	const proxy = proxyOf(url);
	const noAnswer = noAnswerInTime(origin);
	let isLate = false;
	const attempts = createAttempts(call, endpoint, {
		origin,
		path: redact(url.pathname),
		onRequest: options.onRequest,
		reasonFor: error => signal?.aborted ? 'cancelled' : (isLate ? noAnswer.reason : reasonOf(error, origin, proxy)),
	});
	const {responseType: _, ...request} = requestOptions(call, endpoint, options);
	const end = await readStream(url, {
		...handlers,
		request: {
			...request, agent, retry: {limit: 0}, hooks: {beforeRequest: [attempts.begin]},
		},
		signal,
		headMilliseconds: limitOf(call, options).milliseconds,
		silenceMilliseconds,
		onHead(head) {
			attempts.end(head.status);
			return handlers.onHead(head);
		},
	});
	if (end === 'read') {
		return;
	}

	isLate = end === 'no-answer';
	const error = typeof end === 'object' ? end.error : undefined;
	attempts.end(undefined, error);
	if (signal?.aborted) {
		throw toCancelledError(signal, {origin, isWrite: false, isOutcomeUnknown: false});
	}

	throw isLate
		? new SwitchboardError(noAnswer.kind, noAnswer.message, {nextStep: noAnswer.nextStep})
		: toNetworkError(error, {origin, proxy, isOutcomeUnknown: false});
};
