import {RequestError, TimeoutError} from 'got';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type Proxy} from './proxy.ts';

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

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens there',
	ENOTFOUND: 'no machine of that name is known',
	EAI_AGAIN: 'the name could not be looked up',
	EHOSTUNREACH: 'there is no way to that machine',
	ENETUNREACH: 'there is no way to that network',
	ETIMEDOUT: 'the machine did not answer',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_STREAM_PREMATURE_CLOSE: 'the connection was cut',
	ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'the connection was cut',
	ERR_PROXY_TUNNEL: 'the proxy does not let us through to it',
};

/**
Whether a request that got no answer had left this machine whole. One that had not was not carried out: no service acts
on half a request.
*/
export const wasSent = (error: unknown): boolean => error instanceof RequestError && error.timings?.upload !== undefined;

/** True where what came is no HTTP at all. */
const isProtocolError = (code: string): boolean => code === 'EPROTO' || code.startsWith('HPE_') || code.startsWith('ERR_SSL_');

/** True where a body is not packed as its header says: the codes of zlib and brotli. */
const isUnpackable = (code: string): boolean => code.startsWith('Z_') || code.startsWith('ERR__') || code.startsWith('ZSTD_');

/** The code of what happened; got gives failures while a body is read a code of its own. */
const codeOf = ({code, cause}: RequestError): string => {
	const inner = code === 'ERR_READING_RESPONSE_STREAM' && cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return cleanText(typeof inner === 'string' ? inner : code, 60);
};

/** What Node.js says of the end that it did not reach. */
type Unreached = {readonly hostname?: unknown; readonly port?: unknown; readonly errors?: readonly unknown[]};

const unreachedBy = ({cause}: RequestError): Unreached => {
	const unreached = (cause ?? {}) as Unreached;
	// Where a name stands for several addresses, each has an error of its own.
	return Array.isArray(unreached.errors) ? (unreached.errors[0] ?? {}) as Unreached : unreached;
};

/** Failures to reach the next machine, which is the proxy's where there is one. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** True where it is the proxy that was not reached, and nobody knows about the service behind it. */
const isProxyUnreached = (error: RequestError, proxy: Proxy): boolean => {
	if (error instanceof TimeoutError) {
		return ['lookup', 'connect', 'secureConnect'].includes(error.event);
	}

	const {hostname = proxy.hostname, port = proxy.port} = unreachedBy(error);
	return connectionCodes.has(error.code) && hostname === proxy.hostname && port === proxy.port;
};

type Failure = {
	readonly kind: 'timeout' | 'unreachable' | 'unintelligible';
	/** A clause that says why without naming the service, for the log. */
	readonly reason: string;
	readonly message: string;
	readonly nextStep: string;
	/** What is to be corrected, where that is known. */
	readonly field?: 'proxy';
};

const describe = (error: RequestError, origin: string, proxy: Proxy | undefined): Failure => {
	const code = codeOf(error);
	const unreachedProxy = proxy !== undefined && isProxyUnreached(error, proxy) ? proxy : undefined;
	const nextProxyStep = `Check ${unreachedProxy?.variable ?? 'HTTPS_PROXY'}, or name the host in NO_PROXY.`;
	if (error instanceof TimeoutError) {
		return unreachedProxy === undefined
			? {
				kind: 'timeout', reason: 'no answer in time', message: `${origin} did not answer in time.`, nextStep: 'Try again; --timeout SECONDS gives it longer.',
			}
			: {
				kind: 'timeout', reason: `no answer of the proxy ${unreachedProxy.host} in time`, message: `The proxy ${unreachedProxy.host} did not answer in time.`, nextStep: nextProxyStep, field: 'proxy',
			};
	}

	if (certificateCodes.has(code)) {
		return {
			kind: 'unreachable',
			reason: `the certificate is not trusted (${code})`,
			message: `The certificate of ${origin} is not trusted (${code}).`,
			nextStep: 'If it is your own, name its file in NODE_EXTRA_CA_CERTS.',
		};
	}

	if (isProtocolError(code)) {
		return {
			kind: 'unintelligible',
			reason: `not the protocol of the address (${code})`,
			message: `${origin} does not speak the protocol of its address (${code}).`,
			nextStep: 'Check whether the address begins with http:// where it should be https://, or the other way round.',
		};
	}

	if (isUnpackable(code)) {
		return {
			kind: 'unintelligible',
			reason: `the answer cannot be unpacked (${code})`,
			message: `${origin} sent an answer that cannot be unpacked (${code}).`,
			nextStep: 'Check the address: a proxy may stand in between.',
		};
	}

	const reason = reasons[code] ?? code;
	const known = reasons[code] === undefined ? code : `${reason} (${code})`;
	return unreachedProxy === undefined
		? {
			kind: 'unreachable',
			reason: known,
			message: `${origin} could not be reached: ${reason}.`,
			nextStep: code === 'ERR_PROXY_TUNNEL' ? nextProxyStep : 'Check the address and the network.',
		}
		: {
			kind: 'unreachable',
			reason: `the proxy ${unreachedProxy.host} could not be reached: ${known}`,
			message: `The proxy ${unreachedProxy.host} could not be reached: ${reason}.`,
			nextStep: nextProxyStep,
			field: 'proxy',
		};
};

const nameOf = (error: unknown): string => cleanText(error instanceof Error ? error.name : typeof error, 60);

/** Why no answer came, as a clause for the log. */
export const reasonOf = (error: unknown, origin: string, proxy: Proxy | undefined): string =>
	error instanceof RequestError ? describe(error, origin, proxy).reason : `an unexpected failure (${nameOf(error)})`;

/**
What went wrong between us and the service, as one of our kinds. Only the codes of got's error are read: its options hold
the key and are left behind.
*/
export const toNetworkError = (error: unknown, {origin, proxy, isOutcomeUnknown}: {
	readonly origin: string;
	readonly proxy: Proxy | undefined;
	readonly isOutcomeUnknown: boolean;
}): SwitchboardError => {
	if (!(error instanceof RequestError)) {
		return new SwitchboardError('unexpected', `The request to ${origin} failed unexpectedly (${nameOf(error)}).`, {
			nextStep: 'Try again; --debug keeps a log of the requests.',
			isOutcomeUnknown,
		});
	}

	const {kind, message, nextStep, field} = describe(error, origin, proxy);
	return new SwitchboardError(kind, message, {nextStep, field, isOutcomeUnknown});
};
