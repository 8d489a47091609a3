import {RequestError, TimeoutError} from 'got';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isProxyError, type Proxy} from './proxy.ts';

export type Failure = {
	readonly kind: 'timeout' | 'unreachable' | 'unintelligible';
	/** For the log: a clause that does not name the service. */
	readonly reason: string;
	readonly message: string;
	readonly nextStep: string;
	/** The setting to correct, if that is known. */
	readonly field?: 'proxy';
};

const wrongName = {words: 'is for another name', nextStep: 'Check the address.'};

/** For certificates that no certificate authority's file makes valid. */
const certificateFaults: Readonly<Record<string, {readonly words: string; readonly nextStep: string}>> = {
	CERT_HAS_EXPIRED: {words: 'has expired', nextStep: 'Its operator must renew it; check the clock of this machine too.'},
	CERT_NOT_YET_VALID: {words: 'is not valid yet', nextStep: 'Check the clock of this machine.'},
	ERR_TLS_CERT_ALTNAME_INVALID: wrongName,
	HOSTNAME_MISMATCH: wrongName,
};

const notTrusted = {words: 'is not trusted', nextStep: 'If it is your own, name its file in NODE_EXTRA_CA_CERTS.'};

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name lookup failed',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
	ETIMEDOUT: 'connection timed out',
	ECONNRESET: 'connection lost',
	EPIPE: 'connection lost',
	ERR_STREAM_PREMATURE_CLOSE: 'connection lost',
	ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'connection lost',
	ERR_PROXY_TUNNEL: 'the proxy refused the connection',
	ERR_PROXY_AUTHENTICATION: 'the proxy asks for a user name and a password',
};

/** Limits of Node.js: 16 KiB for all headers of an answer, and the same for the extensions of a chunk. */
const overflowCodes: Readonly<Record<string, string>> = {
	HPE_HEADER_OVERFLOW: 'a header that is too large',
	HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk extensions that are too large',
};

/**
Tells whether a request without an answer was sent completely. Otherwise it cannot have been carried out: no service acts on half
a request.
*/
export function wasSent(error: unknown): boolean {
	return error instanceof RequestError && error.timings?.upload !== undefined;
}

export function noAnswerInTime(subject: string): Failure {
	return {
		kind: 'timeout',
		reason: 'no answer in time',
		message: `${subject} did not answer in time.`,
		nextStep: 'Try again, or allow more time with --timeout DURATION.',
	};
}

/** Returns the failure of a host that did not send a proper answer. */
export function unintelligible(reason: string, message: string, nextStep = 'Check the address of the service.'): Failure {
	return {kind: 'unintelligible', reason, message, nextStep};
}

/** Failures to reach the next machine: the proxy, if one is set. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Returns why no answer came, as a clause for the log. */
export function networkReason(error: unknown, origin: string, proxy: Proxy | undefined): string {
	const failure = toNetworkFailure(error);
	return failure === undefined ? `unexpected failure (${nameOf(error)})` : describe(failure, origin, proxy).reason;
}

/** An error of got, or one of Node.js or `ws` with its code. */
type NetworkError = {readonly code: string; readonly cause?: unknown};

function toNetworkFailure(error: unknown): NetworkError | undefined {
	if (error instanceof RequestError) {
		return error;
	}

	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? {code: error.code, cause: error} : undefined;
}

const nameOf = (error: unknown): string => cleanText(error instanceof Error ? error.name : typeof error, 60);

function describe(error: NetworkError, origin: string, proxy: Proxy | undefined): Failure {
	if (proxy === undefined) {
		return failureOf(error, origin);
	}

	const nextStep = `Check ${proxy.variable}, or name the host in NO_PROXY.`;
	if (!isProxyAtFault(error, proxy, origin)) {
		return {...failureOf(error, origin), ...(error.code.startsWith('ERR_PROXY_') && {nextStep})};
	}

	const code = codeOf(error);
	const isCertificate = isCertificateCode(code);
	const failure = failureOf(error, `${isCertificate ? 'the' : 'The'} proxy ${proxy.host}`);
	// The variable is correct if only the certificate is wrong.
	const isVariableRight = isCertificate && certificateFaults[code] !== wrongName;
	return {
		...failure,
		reason: `proxy ${proxy.host}: ${failure.reason}`,
		nextStep: isVariableRight ? failure.nextStep : nextStep,
		field: 'proxy',
	};
}

/** @param subject - the host that could not be reached or gave no usable answer. */
function failureOf(error: NetworkError, subject: string): Failure {
	const code = codeOf(error);
	if (error instanceof TimeoutError) {
		return noAnswerInTime(subject);
	}

	if (isCertificateCode(code)) {
		const {words, nextStep} = certificateFaults[code] ?? notTrusted;
		return {
			kind: 'unreachable',
			reason: `its certificate ${words} (${code})`,
			message: `The certificate of ${subject} ${words} (${code}).`,
			nextStep,
		};
	}

	const overflow = overflowCodes[code];
	if (overflow !== undefined) {
		return unintelligible(`${overflow} (${code})`, `${subject} sent ${overflow}.`);
	}

	// The answer is not HTTP.
	if (/^(?:EPROTO$|HPE_|ERR_SSL_)/.test(code)) {
		return unintelligible(
			`wrong protocol (${code})`,
			`${subject} does not speak the protocol of its address (${code}).`,
			'Check whether the address begins with http:// where it should be https://, or the other way round.',
		);
	}

	// The codes of zlib, brotli and zstd: a body is not compressed as its header says.
	if (/^(?:Z|ERR_|ZSTD)_/.test(code)) {
		return unintelligible(
			`the answer cannot be decompressed (${code})`,
			`${subject} sent an answer that cannot be decompressed (${code}).`,
			'Check the address: a proxy may be in between.',
		);
	}

	const reason = reasons[code];
	return {
		kind: 'unreachable',
		reason: reason === undefined ? code : `${reason} (${code})`,
		message: `${subject} could not be reached: ${reason ?? code}.`,
		nextStep: 'Check the address and the network.',
	};
}

/** Returns the code of the error; got hides it if the error occurred while reading a body. */
function codeOf({code, cause}: NetworkError): string {
	const inner = code === 'ERR_READING_RESPONSE_STREAM' && cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return cleanText(typeof inner === 'string' ? inner : code, 60);
}

/** The codes of OpenSSL's and Node.js's checks of a certificate. */
const isCertificateCode = (code: string): boolean =>
	/^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)_)/.test(
		code,
	);

/** Tells whether the proxy itself was not reached, or gave no answer that can be used. */
function isProxyAtFault(error: NetworkError, proxy: Proxy, origin: string): boolean {
	// A service in plain http has no certificate.
	if (isProxyError(error.cause) || (origin.startsWith('http:') && isCertificateCode(codeOf(error)))) {
		return true;
	}

	if (error instanceof TimeoutError) {
		return ['lookup', 'connect', 'secureConnect'].includes(error.event);
	}

	// A name with several addresses has an error for each.
	const cause: unknown = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
	const {hostname = proxy.hostname, port = proxy.port} = (cause ?? {}) as {readonly hostname?: unknown; readonly port?: unknown};
	return connectionCodes.has(error.code) && hostname === proxy.hostname && port === proxy.port;
}

type ErrorContext = {readonly origin: string; readonly isOutcomeUnknown: boolean};

/** Turns a network failure into an error of ours. Only the code of got's error is used, because its options contain the key. */
export function toNetworkError(error: unknown, {origin, proxy, isOutcomeUnknown}: ErrorContext & {readonly proxy: Proxy | undefined}) {
	const failure = toNetworkFailure(error);
	if (failure === undefined) {
		return new SwitchboardError('unexpected', `The request to ${origin} failed unexpectedly (${nameOf(error)}).`, {
			nextStep: 'Try again; --debug logs the requests.',
			isOutcomeUnknown,
		});
	}

	const {kind, message, nextStep, field} = describe(failure, origin, proxy);
	return new SwitchboardError(kind, message, {nextStep, field, isOutcomeUnknown});
}

/** Returns the time limit of the whole command if that aborted the signal; `undefined` if a person did. */
export function timeLimitOf(signal: AbortSignal): SwitchboardError | undefined {
	return signal.reason instanceof SwitchboardError && signal.reason.kind === 'timeout' ? signal.reason : undefined;
}

/**
Returns the error of a call that its signal cancelled. A write is cut before the command's own time is up, so it does not say that it is.
*/
export function toCancelledError(signal: AbortSignal, {origin, isWrite, isOutcomeUnknown}: ErrorContext & {readonly isWrite: boolean}) {
	const limit = timeLimitOf(signal);
	if (limit === undefined) {
		return new SwitchboardError('interrupted', 'The request was cancelled.', {isOutcomeUnknown});
	}

	const {message, nextStep} = isWrite ? noAnswerInTime(origin) : limit;
	return new SwitchboardError('timeout', message, {nextStep, isOutcomeUnknown});
}
