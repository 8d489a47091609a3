import type {IncomingHttpHeaders} from 'node:http';
import {setTimeout as delay} from 'node:timers/promises';
import got from 'got';
import {isInsecureAddress, refuseInsecureAddress, normalizeBaseAddress} from '../interface/base-address.ts';
import {cleanText} from '../interface/clean-text.ts';
import {
	endpoints,
	eventStreamType,
	formerVersionsHeader,
	keyRightsHeader,
	listVersionsHeader,
	personHeader,
	timersHeader,
} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {beyondRights, formatPerson, type KeyLimits, mayCall, parseKeyRights} from '../interface/key-rights.ts';
import {type Answer, type ReceivedResponse, toAnswer} from './answer.ts';
import {toHandshakeError} from './answer-errors.ts';
import {createAttempts, gotOptions, type Call, type Sending, type TransportOptions} from './call.ts';
import {versionsIn} from './list-versions.ts';
import {timeLimitOf, toCancelledError, toNetworkError} from './network-errors.ts';
import {chooseHttpAgents, proxyOf} from './proxy.ts';
import {createBodyRedactor, createKeyRedactor, keyPlace} from './redact-key.ts';
import {createRefusedKeys} from './refused-key.ts';
import type {SocketListener} from './web-socket.ts';

type StreamHandlers = {
	/** Called with the head of the answer; returns false if the rest is not wanted. */
	onHead(head: {readonly status: number; readonly headers: Readonly<IncomingHttpHeaders>}): boolean;
	/** Called with each piece; returns false if no more is wanted. */
	onBytes(bytes: Uint8Array): boolean;
};

/** By default, how long all pages of a list may take together. */
const listMilliseconds = 120_000;

/** A stream that was silent for so long is dead: the service sends something every 15 s. */
const silenceMilliseconds = 40_000;

const redactAll =
	(redactors: ReadonlyArray<(text: string) => string>) =>
	(text: string): string =>
		redactors.reduce((redacted, redact) => redact(redacted), text);

/**
Sends requests to one service with one key. Redirects are not followed; the key is sent to no other origin, and over plain
http only to loopback unless that is allowed.

@throws SwitchboardError `usage` or `insecure` for an address that cannot be used, `key-refused` for a key that cannot be one.
*/
export function createTransport(options: TransportOptions) {
	const baseAddress = normalizeBaseAddress(options.baseAddress);
	refuseInsecureAddress(baseAddress, options.isInsecureHttpAllowed ?? false);
	const {apiKey} = options;
	if (apiKey !== undefined && !/^[\u{21}-\u{7E}]+$/u.test(apiKey)) {
		throw new SwitchboardError('key-refused', 'The API key is empty or contains invalid characters.', {
			nextStep: 'Copy the key again and sign in with: switchboard login',
		});
	}

	const service = new URL(baseAddress);
	const {origin} = service;
	const agent = chooseHttpAgents(service);
	const sessionToken = isInsecureAddress(baseAddress) ? undefined : options.sessionToken;
	const secrets = [apiKey ?? '', sessionToken?.token ?? ''];
	const redact = redactAll(secrets.map(secret => createKeyRedactor(secret)));
	const redactBody = redactAll(secrets.map(secret => createBodyRedactor(secret)));
	/** From an answer. The rights of a key never change. */
	let keyLimits: KeyLimits | undefined;
	let keepsTimers: boolean | undefined;

	const keyName = options.keyName ?? (() => 'the API key');

	/** @throws SwitchboardError if this run is read-only, or the key may not do this. */
	const refuseWrite = (isAllowed: (rights: KeyLimits['rights']) => boolean, undone = 'Nothing was changed'): void => {
		if (options.isReadOnly) {
			throw new SwitchboardError('read-only', `${undone}: this run is read-only.`, {
				nextStep: 'Run it without --read-only to make changes.',
			});
		}

		if (keyLimits !== undefined && !isAllowed(keyLimits.rights)) {
			throw beyondRights(keyLimits, {undone});
		}
	};

	/** The path as it may be shown: the key may be a part of it. */
	const shownPath = ({pathname}: URL): string =>
		redact(
			pathname
				.split('/')
				.map(part => (apiKey !== undefined && part === encodeURIComponent(apiKey) ? keyPlace : part))
				.join('/'),
		);

	/** Where a call goes and how it is sent; throws if it must not be sent. */
	const prepare = (call: Call, sending: Sending) => {
		const signals = [call.signal, options.signal].filter(signal => signal !== undefined);
		const cancelled = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
		if (sending.auth !== 'none' && apiKey === undefined) {
			throw new SwitchboardError('no-key', `There is no key for ${baseAddress}.`);
		}

		if (sending.isWrite) {
			refuseWrite(rights => (call.operation === undefined ? rights === 'switch' : mayCall(rights, call.operation)));
		}

		const url = new URL(call.path.startsWith('/') ? baseAddress + call.path : call.path);
		if (url.origin !== origin) {
			throw new SwitchboardError('unintelligible', `${origin} points to ${url.origin}; the key is not sent there.`, {
				nextStep: 'If the service is there, use that address as its base address.',
			});
		}

		if (cancelled?.aborted) {
			throw toCancelledError(cancelled, {origin, isWrite: sending.isWrite, isOutcomeUnknown: false});
		}

		const proxy = proxyOf(url);
		const attempts = createAttempts(call, sending, {origin, path: shownPath(url), proxy, cancelled, options});
		const request = {...gotOptions(call, sending, options), agent, signal: attempts.signal, hooks: {beforeRequest: [attempts.begin]}};
		return {url, proxy, cancelled, attempts, request};
	};

	/** Asks the service whether the key is one of an `ssh-serve`. */
	const askForPerson = async (): Promise<boolean> => {
		const {method, path} = endpoints.verifyKey;
		const answer = await send({operation: 'verifyKey', method, path, json: {}, signal: options.signal});
		const {valid, for_ssh: forSsh} = answer.fields();
		return answer.status === 200 && valid === true && forSsh === true;
	};

	/**
	The call with the person that it is for, if the service has asked for that with this key. Nobody is named where no key is sent, or where
	the key itself is being checked.
	*/
	const withPerson = async (call: Call): Promise<Call> => {
		const {person} = options;
		if (
			person === undefined ||
			apiKey === undefined ||
			call.operation === 'verifyKey' ||
			(call.operation === undefined && call.sending === undefined)
		) {
			return call;
		}

		const isWanted = await isPersonWanted(`${baseAddress} ${apiKey}`, askForPerson);
		return isWanted ? {...call, headers: {...call.headers, [personHeader]: formatPerson(person)}} : call;
	};

	const exchange = async (call: Call, sending: Sending): Promise<Answer> => {
		const {url, proxy, cancelled, attempts, request} = prepare(call, sending);
		const answerOf = (response: ReceivedResponse, isOutcomeUnknown: boolean): Answer =>
			toAnswer(response, {baseAddress, isOutcomeUnknown, redact, redactBody});
		try {
			const sent = got(url, {...request, responseType: 'buffer', retry: {...request.retry, calculateDelay: attempts.calculateDelay}});
			attempts.watch(sent);
			const response: ReceivedResponse = await sent;
			const isOutcomeUnknown = attempts.isOutcomeUnknown(response);
			attempts.end(response.statusCode);
			keyLimits ??= parseKeyRights(response.headers[keyRightsHeader]);
			keepsTimers = keepsTimers === true || response.headers[timersHeader] !== undefined;
			if (call.operation !== undefined && sending.isWrite) {
				options.onChanged?.(
					call.operation,
					versionsIn(response.headers, listVersionsHeader),
					versionsIn(response.headers, formerVersionsHeader),
				);
			}

			return answerOf(response, isOutcomeUnknown);
		} catch (error) {
			const isOutcomeUnknown = attempts.isOutcomeUnknown(undefined, error);
			attempts.end(undefined, error);
			const lastFailure = attempts.lastFailure();
			if (lastFailure === undefined || (cancelled?.aborted && timeLimitOf(cancelled) === undefined)) {
				throw attempts.toError(error, isOutcomeUnknown);
			}

			// The time was up while the next attempt was waited for: the result is that of the last one.
			if (lastFailure.response === undefined) {
				throw toNetworkError(lastFailure, {origin, proxy, isOutcomeUnknown});
			}

			return answerOf(lastFailure.response, isOutcomeUnknown);
		} finally {
			attempts.release();
		}
	};

	const refusedKeys = createRefusedKeys({keyName, sessionToken, exchange});

	/** Returns the answer, whatever its status. Throws `SwitchboardError` if there is no answer or the call is not allowed. */
	const send = async (given: Call): Promise<Answer> => {
		const call = await withPerson(given);
		return refusedKeys.send(
			call,
			call.operation === undefined ? (call.sending ?? {isWrite: false, auth: 'none'}) : endpoints[call.operation],
		);
	};

	/**
	Reads a path piece by piece, with the key in the header, for as long as the answer goes on. It is not retried, and logged when its head
	is there.

	@throws SwitchboardError if no answer came, or it broke off.
	*/
	const stream = async (path: string, {onHead, onBytes}: StreamHandlers, signal?: AbortSignal): Promise<void> => {
		const {url, attempts, request} = prepare(
			{operation: undefined, method: 'GET', path, signal, headers: {accept: eventStreamType}},
			{isWrite: false, auth: 'header'},
		);
		const answer = got.stream(url, {...request, retry: {limit: 0}, decompress: false});
		let isWanted = true;
		answer.once('response', ({statusCode, headers}: {readonly statusCode: number; readonly headers: IncomingHttpHeaders}) => {
			attempts.end(statusCode);
			attempts.limitTo(silenceMilliseconds);
			isWanted = onHead({status: statusCode, headers});
			if (!isWanted) {
				answer.destroy();
			}
		});
		try {
			for await (const bytes of answer as AsyncIterable<Uint8Array>) {
				attempts.limitTo(silenceMilliseconds);
				if (!onBytes(bytes)) {
					return;
				}
			}
		} catch (error) {
			if (isWanted) {
				attempts.end(undefined, error);
				throw attempts.toError(error, false);
			}
		} finally {
			attempts.release();
		}
	};

	/**
	Opens a WebSocket whose address holds the key. Proxies and certificates are as for requests.

	@param path - with `[key]` where the key belongs.
	@throws SwitchboardError if it is not opened.
	*/
	const openSocket = async (path: string, listener: SocketListener, signal?: AbortSignal) => {
		const {url, cancelled, attempts} = prepare(
			{operation: undefined, method: 'GET', path: path.replace(keyPlace, encodeURIComponent(apiKey ?? '')), signal},
			{isWrite: false, auth: 'header'},
		);
		const {openWebSocket} = await import('./web-socket.ts');
		attempts.begin();
		try {
			const opened = await openWebSocket(url, {
				...listener,
				agent: url.protocol === 'https:' ? agent.https : agent.http,
				signal: attempts.signal,
			});
			attempts.end('refusal' in opened ? opened.refusal.statusCode : 101);
			if ('refusal' in opened) {
				throw toHandshakeError(
					toAnswer({...opened.refusal, url: baseAddress}, {baseAddress, isOutcomeUnknown: false, redact, redactBody}),
					keyName,
				);
			}

			keyLimits ??= parseKeyRights(opened.headers[keyRightsHeader]);
			return {...opened, cancelled};
		} catch (error) {
			attempts.end(undefined, error);
			throw error instanceof SwitchboardError ? error : attempts.toError(error, false);
		} finally {
			attempts.release();
		}
	};

	return {
		baseAddress,
		origin,
		/** Names the key in a sentence. */
		keyName,
		/** Removes the key from a text of the service. */
		redactBody,
		/** A text of the service for a message: one clean line without the key. */
		quote: (text: string, maximumLength: number) => redact(cleanText(redact(text), maximumLength)),
		refuseWrite,
		openSocket,
		/** The limits of a restricted key, once an answer has named them. */
		keyLimits: () => keyLimits,
		/** Tells whether the service keeps timers; `undefined` before its first answer. */
		keepsTimers: () => keepsTimers,
		send,
		/** The error for an answer to an operation that is not a success. */
		explain: refusedKeys.explain,
		/** True for an operation that answers to a session token: the address of a next page is not for it. */
		isReplaced: refusedKeys.isReplaced,
		stream,
		/** How long all pages of a list may take together. */
		listMilliseconds: Math.max(listMilliseconds, options.timeoutMilliseconds ?? 0),
		onPage: options.onPage,
	};
}

export type Transport = ReturnType<typeof createTransport>;

/** A service that does not answer in time gets no name. */
const patienceMilliseconds = 3000;

/** How soon to ask again: a service that could not answer, and one that does not want names, which may be a newer version by then. */
const retryMilliseconds = {failed: 10_000, refused: 10 * 60_000};

/** The services' answers, by address and key, shared by all sessions of `ssh-serve`. */
const known = new Map<string, {readonly isWanted: boolean; readonly until: number}>();
const asking = new Map<string, Promise<boolean>>();

/** Tells whether a service wants to know the person behind requests with a key. */
async function isPersonWanted(account: string, ask: () => Promise<boolean>): Promise<boolean> {
	const last = known.get(account);
	if (last !== undefined && last.until >= performance.now()) {
		return last.isWanted;
	}

	const asked = asking.get(account) ?? askOnce(account, ask);
	asking.set(account, asked);
	return Promise.race([asked, delay(patienceMilliseconds, false, {ref: false})]);
}

async function askOnce(account: string, ask: () => Promise<boolean>): Promise<boolean> {
	let milliseconds = retryMilliseconds.failed;
	let isWanted = false;
	try {
		isWanted = await ask();
		milliseconds = isWanted ? Infinity : retryMilliseconds.refused;
	} catch {
		// Nobody is named, and the service is asked again later.
	}

	known.set(account, {isWanted, until: performance.now() + milliseconds});
	asking.delete(account);
	return isWanted;
}
