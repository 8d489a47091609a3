import {RequestError, TimeoutError} from 'got';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type Proxy} from './proxy.ts';
import {isProxyError} from './tunnel-agent.ts';

const certificateCodes = new Set([
	'CERT_CHAIN_TOO_LONG',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REJECTED',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'HOSTNAME_MISMATCH',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const wrongName = {words: 'is for another name', nextStep: 'Check the address.'};

/** For certificates that no file of a certificate authority makes valid. */
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

/**
True if a request without an answer was sent completely. Otherwise it cannot have been carried out: no service acts on half
a request.
*/
export const wasSent = (error: unknown): boolean => error instanceof RequestError && error.timings?.upload !== undefined;

/** True if the answer is not HTTP. */
const isProtocolError = (code: string): boolean => code === 'EPROTO' || code.startsWith('HPE_') || code.startsWith('ERR_SSL_');

/** True if a body is not compressed as its header says: the codes of zlib and brotli. */
const isDecompressionError = (code: string): boolean => code.startsWith('Z_') || code.startsWith('ERR__') || code.startsWith('ZSTD_');

/** The code of the error; got hides it if the error occurred while reading a body. */
const codeOf = ({code, cause}: RequestError): string => {
	const inner = code === 'ERR_READING_RESPONSE_STREAM' && cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return cleanText(typeof inner === 'string' ? inner : code, 60);
};

/** What Node.js says about the host that it did not reach. */
type Unreached = {readonly hostname?: unknown; readonly port?: unknown; readonly errors?: readonly unknown[]};

const unreachedBy = ({cause}: RequestError): Unreached => {
	const unreached = (cause ?? {}) as Unreached;
	// A name with several addresses has an error for each.
	return Array.isArray(unreached.errors) ? (unreached.errors[0] ?? {}) as Unreached : unreached;
};

/** Failures to reach the next machine, which is the proxy if one is set. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** True if the proxy itself was not reached, or gave no answer that can be used. */
const isProxyAtFault = (error: RequestError, proxy: Proxy, origin: string): boolean => {
	// A service in plain http has no certificate.
	if (isProxyError(error.cause) || (origin.startsWith('http:') && certificateCodes.has(codeOf(error)))) {
		return true;
	}

	if (error instanceof TimeoutError) {
		return ['lookup', 'connect', 'secureConnect'].includes(error.event);
	}

	const {hostname = proxy.hostname, port = proxy.port} = unreachedBy(error);
	return connectionCodes.has(error.code) && hostname === proxy.hostname && port === proxy.port;
};

type Failure = {
	readonly kind: 'timeout' | 'unreachable' | 'unintelligible';
	/** For the log: a clause that does not name the service. */
	readonly reason: string;
	readonly message: string;
	readonly nextStep: string;
	/** What to correct, if that is known. */
	readonly field?: 'proxy';
};

/** The failure of a host that was silent for too long. */
export const noAnswerInTime = (subject: string): Failure => ({
	kind: 'timeout',
	reason: 'no answer in time',
	message: `${subject} did not answer in time.`,
	nextStep: 'Try again, or allow more time with --timeout SECONDS.',
});

/** Limits of Node.js: 16 KiB for all headers of an answer, and the same for the extensions of a chunk. */
const overflowCodes: Readonly<Record<string, string>> = {
	HPE_HEADER_OVERFLOW: 'a header that is too large',
	HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk extensions that are too large',
};

/** @param subject - the host that was not reached, or that sent no usable answer. */
const failureOf = (error: RequestError, subject: string): Failure => {
	const code = codeOf(error);
	if (error instanceof TimeoutError) {
		return noAnswerInTime(subject);
	}

	if (certificateCodes.has(code)) {
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
		return {
			kind: 'unintelligible',
			reason: `${overflow} (${code})`,
			message: `${subject} sent ${overflow}.`,
			nextStep: 'Check the address of the service.',
		};
	}

	if (isProtocolError(code)) {
		return {
			kind: 'unintelligible',
			reason: `wrong protocol (${code})`,
			message: `${subject} does not speak the protocol of its address (${code}).`,
			nextStep: 'Check whether the address begins with http:// where it should be https://, or the other way round.',
		};
	}

	if (isDecompressionError(code)) {
		return {
			kind: 'unintelligible',
			reason: `the answer cannot be decompressed (${code})`,
			message: `${subject} sent an answer that cannot be decompressed (${code}).`,
			nextStep: 'Check the address: a proxy may be in between.',
		};
	}

	const reason = reasons[code];
	return {
		kind: 'unreachable',
		reason: reason === undefined ? code : `${reason} (${code})`,
		message: `${subject} could not be reached: ${reason ?? code}.`,
		nextStep: 'Check the address and the network.',
	};
};

const describe = (error: RequestError, origin: string, proxy: Proxy | undefined): Failure => {
	if (proxy === undefined) {
		return failureOf(error, origin);
	}

	const nextStep = `Check ${proxy.variable}, or name the host in NO_PROXY.`;
	if (isProxyAtFault(error, proxy, origin)) {
		const code = codeOf(error);
		const subject = certificateCodes.has(code) ? `the proxy ${proxy.host}` : `The proxy ${proxy.host}`;
		const failure = failureOf(error, subject);
		// The variable is right where only the certificate is not.
		const isVariableRight = certificateCodes.has(code) && certificateFaults[code] !== wrongName;
		return {
			...failure, reason: `proxy ${proxy.host}: ${failure.reason}`, nextStep: isVariableRight ? failure.nextStep : nextStep, field: 'proxy',
		};
	}

	return {...failureOf(error, origin), ...(error.code.startsWith('ERR_PROXY_') && {nextStep})};
};

const nameOf = (error: unknown): string => cleanText(error instanceof Error ? error.name : typeof error, 60);

/** Why no answer came, as a clause for the log. */
export const reasonOf = (error: unknown, origin: string, proxy: Proxy | undefined): string =>
	error instanceof RequestError ? describe(error, origin, proxy).reason : `unexpected failure (${nameOf(error)})`;

/**
Turns a network failure into one of our errors. Only the code of got's error is used, because its options contain the key.
*/
export const toNetworkError = (error: unknown, {origin, proxy, isOutcomeUnknown}: {
	readonly origin: string;
	readonly proxy: Proxy | undefined;
	readonly isOutcomeUnknown: boolean;
}): SwitchboardError => {
	if (!(error instanceof RequestError)) {
		return new SwitchboardError('unexpected', `The request to ${origin} failed unexpectedly (${nameOf(error)}).`, {
			nextStep: 'Try again; --debug logs the requests.',
			isOutcomeUnknown,
		});
	}

	const {kind, message, nextStep, field} = describe(error, origin, proxy);
	return new SwitchboardError(kind, message, {nextStep, field, isOutcomeUnknown});
};
