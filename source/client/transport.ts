import got from 'got';
import {refuseInsecureAddress, normalizeBaseAddress} from '../interface/base-address.ts';
import {
	endpoints,
	type Endpoint,
	type HttpMethod,
	type Operation,
} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type JsonValue} from '../interface/json.ts';
import {chooseAgents} from './agents.ts';
import {type Answer, type ReceivedResponse, toAnswer} from './answer.ts';
import {type MultipartBody} from './multipart.ts';
import {reasonOf, toNetworkError} from './network-errors.ts';
import {proxyOf} from './proxy.ts';
import {createKeyRedactor} from './redact-key.ts';
import {requestOptions} from './request-options.ts';
import {createAttempts} from './attempts.ts';

/** One try of one request, for the request log: no key and no body. */
export type RequestLogEntry = {
	readonly method: HttpMethod;
	/** Scheme, host and port. */
	readonly origin: string;
	/** The whole path; what stands behind a question mark is left out. */
	readonly path: string;
	/** `undefined` where no answer came. */
	readonly status: number | undefined;
	/** Why no answer came, as a clause. */
	readonly reason: string | undefined;
	/** 1 for the first try, 2 for the first repetition … */
	readonly tryNumber: number;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly durationMilliseconds: number;
};

export type TransportOptions = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** What the key is called where it is refused, such as “the API key in SWITCHBOARD_API_KEY”; “the API key” unless given. */
	readonly keyName?: (() => string) | undefined;
	readonly isInsecureHttpAllowed?: boolean | undefined;
	/** Refuses every write before a request is made. */
	readonly isReadOnly?: boolean | undefined;
	/** For the whole of one try; without it 10 s for the first byte, 15 s in all. Of an upload: how long nothing may move; without it 60 s. */
	readonly timeoutMilliseconds?: number | undefined;
	/** How often a request is made again by itself after a connection error, 429 or 503; a read also after 500, 502 and 504. */
	readonly retries?: {readonly reads: number; readonly writes: number} | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
};

export type Call = {
	readonly operation: Operation;
	readonly method: HttpMethod;
	/** Path on the service, filled in, or a whole address of the same origin (a list's next page). */
	readonly path: string;
	readonly json?: Readonly<Record<string, JsonValue>> | undefined;
	readonly multipart?: MultipartBody | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Called with the fraction of the body that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
};

export type Transport = {
	readonly baseAddress: string;
	/** What the key is called in a sentence. */
	keyName(): string;
	/** The answer whatever its status. Throws `SwitchboardError` where no answer came or the call is not allowed. */
	send(call: Call): Promise<Answer>;
};

/** No list or source archive is larger; a body that is, is not read to its end. */
const maximumAnswerBytes = 64 * 1024 * 1024;

/**
Makes requests of one service with one key. No redirect is followed, the key goes to no other origin and not over plain
http except to loopback.

@throws SwitchboardError `usage` or `insecure` for an address that cannot be used.
*/
export const createTransport = (options: TransportOptions): Transport => {
	const baseAddress = normalizeBaseAddress(options.baseAddress);
	refuseInsecureAddress(baseAddress, options.isInsecureHttpAllowed ?? false);
	if (/[^\u{21}-\u{7E}]/u.test(options.apiKey) || options.apiKey === '') {
		throw new SwitchboardError('key-refused', 'The API key is empty or holds characters that no key has.', {nextStep: 'Copy the key again and sign in with: switchboard login'});
	}

	const {origin, hostname} = new URL(baseAddress);
	const agent = chooseAgents(hostname);
	const redact = createKeyRedactor(options.apiKey);

	const send = async (call: Call): Promise<Answer> => {
		const endpoint: Endpoint = endpoints[call.operation];
		if (endpoint.isWrite && options.isReadOnly) {
			throw new SwitchboardError('read-only', 'Nothing is changed: this run is read-only.', {nextStep: 'Start it without --read-only to make changes.'});
		}

		const url = new URL(call.path.startsWith('/') ? baseAddress + call.path : call.path);
		if (url.origin !== origin) {
			throw new SwitchboardError('unintelligible', `${origin} points to ${url.origin}, where the key does not go.`, {
				nextStep: 'If that is where the service is, use that address as its base address.',
			});
		}

		if (call.signal?.aborted) {
			throw new SwitchboardError('interrupted', 'The request was cancelled.');
		}

		const tooLarge = new AbortController();
		const proxy = proxyOf(url);
		const reasonFor = (error: unknown): string => {
			if (call.signal?.aborted) {
				return 'cancelled';
			}

			return tooLarge.signal.aborted ? 'the answer was too large' : reasonOf(error, origin, proxy);
		};

		const attempts = createAttempts(call, endpoint, {
			origin, path: redact(url.pathname), onRequest: options.onRequest, reasonFor,
		});
		const {retry, ...rest} = requestOptions(call, endpoint, options);
		try {
			const request = got(url, {
				...rest,
				...(agent !== undefined && {agent}),
				retry: {...retry, calculateDelay: attempts.calculateDelay},
				signal: call.signal === undefined ? tooLarge.signal : AbortSignal.any([call.signal, tooLarge.signal]),
				hooks: {beforeRequest: [attempts.begin]},
			});
			void request.on('downloadProgress', ({transferred}) => {
				if (transferred > maximumAnswerBytes) {
					tooLarge.abort();
				}
			});
			if (call.onProgress) {
				void request.on('uploadProgress', ({percent}) => call.onProgress?.(percent));
			}

			const response: ReceivedResponse = await request;
			const status = response.statusCode;
			const isOutcomeUnknown = attempts.isOutcomeUnknown({status});
			attempts.end(status);
			return toAnswer(response, isOutcomeUnknown, redact);
		} catch (error) {
			const isOutcomeUnknown = attempts.isOutcomeUnknown({error});
			attempts.end(undefined, error);
			if (call.signal?.aborted) {
				throw new SwitchboardError('interrupted', 'The request was cancelled.', {isOutcomeUnknown});
			}

			if (tooLarge.signal.aborted) {
				throw new SwitchboardError('unintelligible', `${origin} sent more than ${maximumAnswerBytes / 1024 / 1024} MiB, which no answer needs.`, {
					nextStep: 'Check the address of the service.',
					isOutcomeUnknown,
				});
			}

			throw toNetworkError(error, {origin, proxy, isOutcomeUnknown});
		}
	};

	return {baseAddress, keyName: options.keyName ?? (() => 'the API key'), send};
};
