import got from 'got';
import {refuseInsecureAddress, normalizeBaseAddress} from '../interface/base-address.ts';
import {
	endpoints,
	eventStreamType,
	formerVersionsHeader,
	listVersionsHeader,
} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type Answer, type ReceivedResponse, toAnswer} from './answer.ts';
import {createAttempts} from './attempts.ts';
import {type Call, type Sending, type TransportOptions} from './call.ts';
import {timeLimitOf, toCancelledError} from './cancelled-error.ts';
import {watchRequest} from './give-up.ts';
import {chooseHttpAgents} from './http-agents.ts';
import {versionsIn} from './list-versions.ts';
import {reasonOf, toNetworkError} from './network-errors.ts';
import {proxyOf} from './proxy.ts';
import {createBodyRedactor, createKeyRedactor} from './redact-key.ts';
import {limitOf, requestOptions} from './request-options.ts';
import {followStream} from './follow-stream.ts';
import {type StreamHandlers} from './stream.ts';

export type Transport = {
	readonly baseAddress: string;
	/** Names the key in a sentence. */
	readonly keyName: () => string;
	/** Returns the answer, whatever its status. Throws `SwitchboardError` if there is no answer or the call is not allowed. */
	send(call: Call): Promise<Answer>;
	/**
	Reads what a path sends, with the key in the header, for as long as it goes on. It is not retried.

	@throws SwitchboardError if no answer came, or it broke off.
	*/
	stream(path: string, handlers: StreamHandlers, signal?: AbortSignal): Promise<void>;
	/** How long all pages of a list may take together. */
	readonly listMilliseconds: number;
	readonly onPage: TransportOptions['onPage'];
};

const openToAll: Sending = {isWrite: false, auth: 'none'};

/** By default, how long all pages of a list may take together. */
const listMilliseconds = 120_000;

/**
Sends requests to one service with one key. Redirects are not followed; the key is sent to no other origin, and over plain
http only to loopback unless that is allowed.

@throws SwitchboardError `usage` or `insecure` for an address that cannot be used, `key-refused` for a key that cannot be one.
*/
export const createTransport = (options: TransportOptions): Transport => {
	const baseAddress = normalizeBaseAddress(options.baseAddress);
	refuseInsecureAddress(baseAddress, options.isInsecureHttpAllowed ?? false);
	const {apiKey} = options;
	if (apiKey !== undefined && !/^[\u{21}-\u{7E}]+$/u.test(apiKey)) {
		throw new SwitchboardError('key-refused', 'The API key is empty or contains invalid characters.', {nextStep: 'Copy the key again and sign in with: switchboard login'});
	}

	const service = new URL(baseAddress);
	const {origin} = service;
	const agent = chooseHttpAgents(service);
	const redact = createKeyRedactor(apiKey ?? '');
	const redactBody = createBodyRedactor(apiKey ?? '');

	/** Where a call goes, and what cancels it; throws if it must not be sent. */
	const prepare = (call: Call, endpoint: Sending): {readonly url: URL; readonly signal: AbortSignal | undefined} => {
		const signal = call.signal === undefined || options.signal === undefined ? call.signal ?? options.signal : AbortSignal.any([call.signal, options.signal]);
		if (endpoint.auth !== 'none' && apiKey === undefined) {
			throw new SwitchboardError('no-key', `There is no key for ${baseAddress}.`);
		}

		if (endpoint.isWrite && options.isReadOnly) {
			throw new SwitchboardError('read-only', 'Nothing was changed: this run is read-only.', {nextStep: 'Run it without --read-only to make changes.'});
		}

		const url = new URL(call.path.startsWith('/') ? baseAddress + call.path : call.path);
		if (url.origin !== origin) {
			throw new SwitchboardError('unintelligible', `${origin} points to ${url.origin}; the key is not sent there.`, {
				nextStep: 'If the service is there, use that address as its base address.',
			});
		}

		if (signal?.aborted) {
			throw toCancelledError(signal, {origin, isWrite: endpoint.isWrite, isOutcomeUnknown: false});
		}

		return {url, signal};
	};

	const send = async (call: Call): Promise<Answer> => {
		const endpoint: Sending = call.operation === undefined ? openToAll : endpoints[call.operation];
		const {url, signal} = prepare(call, endpoint);
		const watch = watchRequest(origin, limitOf(call, options), signal);
		const proxy = proxyOf(url);
		const reasonFor = (error: unknown): string => signal?.aborted ? 'cancelled' : watch.reason() ?? reasonOf(error, origin, proxy);

		const attempts = createAttempts(call, endpoint, {
			origin, path: redact(url.pathname), onRequest: options.onRequest, reasonFor,
		});
		const {retry, ...rest} = requestOptions(call, endpoint, options);
		try {
			const request = got(url, {
				...rest,
				agent,
				retry: {...retry, calculateDelay: attempts.calculateDelay},
				signal: watch.signal,
				hooks: {beforeRequest: [attempts.begin, watch.begin]},
			});
			watch.attach(request);
			if (call.onProgress) {
				void request.on('uploadProgress', ({percent}) => call.onProgress?.(percent));
			}

			const response: ReceivedResponse = await Promise.race([request, watch.whenGivenUp]);
			const isOutcomeUnknown = attempts.isOutcomeUnknown({response});
			attempts.end(response.statusCode);
			if (call.operation !== undefined && endpoint.isWrite) {
				options.onChanged?.(call.operation, versionsIn(response.headers, listVersionsHeader), versionsIn(response.headers, formerVersionsHeader));
			}

			return toAnswer(response, {
				baseAddress, isOutcomeUnknown, redact, redactBody,
			});
		} catch (error) {
			const isOutcomeUnknown = attempts.isOutcomeUnknown({error});
			attempts.end(undefined, error);
			const lastFailure = attempts.lastFailure();
			if (lastFailure !== undefined && (signal === undefined || !signal.aborted || timeLimitOf(signal))) {
				// The time was up while the next attempt was waited for: what happened is how the last one failed.
				if (lastFailure.response === undefined) {
					throw toNetworkError(lastFailure, {origin, proxy, isOutcomeUnknown});
				}

				return toAnswer(lastFailure.response, {
					baseAddress, isOutcomeUnknown, redact, redactBody,
				});
			}

			if (signal?.aborted) {
				throw toCancelledError(signal, {origin, isWrite: endpoint.isWrite, isOutcomeUnknown});
			}

			throw watch.toError(isOutcomeUnknown) ?? toNetworkError(error, {origin, proxy, isOutcomeUnknown});
		} finally {
			watch.end();
		}
	};

	const stream: Transport['stream'] = async (path, handlers, cancelled) => {
		const call: Call = {
			operation: undefined, method: 'GET', path, signal: cancelled, headers: {accept: eventStreamType},
		};
		const endpoint: Sending = {isWrite: false, auth: 'header'};
		return followStream(call, endpoint, {
			...prepare(call, endpoint), agent, redact, options, handlers,
		});
	};

	return {
		baseAddress,
		keyName: options.keyName ?? (() => 'the API key'),
		send,
		stream,
		listMilliseconds: Math.max(listMilliseconds, options.timeoutMilliseconds ?? 0),
		onPage: options.onPage,
	};
};
