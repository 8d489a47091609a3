import {RequestError, TimeoutError} from 'got';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';

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

/**
What went wrong between us and the service, as one of our kinds. Only the code of got's error is read: its options hold
the key and are left behind.
*/
export const toNetworkError = (error: unknown, origin: string, isOutcomeUnknown: boolean): SwitchboardError => {
	if (!(error instanceof RequestError)) {
		const name = error instanceof Error ? error.name : typeof error;
		return new SwitchboardError('unexpected', `The request to ${origin} failed unexpectedly (${cleanText(name, 60)}).`, {
			nextStep: 'Try again; --debug keeps a log of the requests.',
			isOutcomeUnknown,
		});
	}

	const code = codeOf(error);
	if (error instanceof TimeoutError) {
		return new SwitchboardError('timeout', `${origin} did not answer in time.`, {
			nextStep: 'Try again; --timeout SECONDS gives it longer.',
			isOutcomeUnknown,
		});
	}

	if (certificateCodes.has(code)) {
		return new SwitchboardError('unreachable', `The certificate of ${origin} is not trusted (${code}).`, {
			nextStep: 'If it is your own, name its file in NODE_EXTRA_CA_CERTS.',
			isOutcomeUnknown,
		});
	}

	if (isProtocolError(code)) {
		return new SwitchboardError('unintelligible', `${origin} does not speak the protocol of its address (${code}).`, {
			nextStep: 'Check whether the address begins with http:// where it should be https://, or the other way round.',
			isOutcomeUnknown,
		});
	}

	if (isUnpackable(code)) {
		return new SwitchboardError('unintelligible', `${origin} sent an answer that cannot be unpacked (${code}).`, {
			nextStep: 'Check the address: a proxy may stand in between.',
			isOutcomeUnknown,
		});
	}

	return new SwitchboardError('unreachable', `${origin} could not be reached: ${reasons[code] ?? code}.`, {
		nextStep: code === 'ERR_PROXY_TUNNEL'
			? 'Check HTTPS_PROXY, or name the host in NO_PROXY.'
			: 'Check the address and the network, then try again.',
		isOutcomeUnknown,
	});
};
