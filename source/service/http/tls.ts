import {type Buffer} from 'node:buffer';
import {createSecureContext} from 'node:tls';
import {SwitchboardError} from '../../interface/errors.ts';

export type Tls = {
	readonly cert: string | Buffer;
	readonly key: string | Buffer;
};

/** Those that encrypt and authenticate in one (AEAD) and keep what was sent secret if the key is stolen later: no CBC, and no key exchange by RSA. */
const ciphers = [
	'TLS_AES_256_GCM_SHA384',
	'TLS_CHACHA20_POLY1305_SHA256',
	'TLS_AES_128_GCM_SHA256',
	'ECDHE-ECDSA-AES128-GCM-SHA256',
	'ECDHE-RSA-AES128-GCM-SHA256',
	'ECDHE-ECDSA-AES256-GCM-SHA384',
	'ECDHE-RSA-AES256-GCM-SHA384',
	'ECDHE-ECDSA-CHACHA20-POLY1305',
	'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** How the service speaks TLS with this certificate. Another certificate needs the same again: its context has none of the one before. */
export const secureOptions = (tls: Tls) => ({...tls, ciphers, minVersion: 'TLSv1.2'} as const);

/** @throws SwitchboardError `usage` if the certificate and its key are not valid. */
export const checkTls = (tls: Tls): void => {
	try {
		createSecureContext(secureOptions(tls));
	} catch (error) {
		throw new SwitchboardError('usage', 'The certificate or its key is not valid.', {
			nextStep: 'Both must be in PEM format and belong together.', field: 'tls', cause: error,
		});
	}
};
