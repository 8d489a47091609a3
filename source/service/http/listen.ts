import {type AddressInfo, isIPv6} from 'node:net';
import {createSecureContext} from 'node:tls';
import {type FastifyInstance} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {toListenError} from '../../interface/listen-error.ts';
import {type Tls} from './app.ts';

/** The address of the service for clients, with an IPv6 address in brackets (RFC 3986, section 3.2.2). */
export const formatBaseAddress = (scheme: 'http' | 'https', host: string, port: number): string =>
	`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
Listens on an address of this machine.

@param port - 0 for any free port.
@returns the port.
@throws SwitchboardError `usage` if that is not possible.
*/
export const listen = async (app: FastifyInstance, host: string, port: number): Promise<number> => {
	try {
		await app.listen({host, port});
		return (app.server.address() as AddressInfo).port;
	} catch (error) {
		throw toListenError(error, host, port);
	}
};

/** @throws SwitchboardError `usage` if the certificate and its key are not valid. */
export const checkTls = (tls: Tls): void => {
	try {
		createSecureContext(tls);
	} catch (error) {
		throw new SwitchboardError('usage', 'The certificate or its key is not valid.', {
			nextStep: 'Both must be in PEM format and belong together.', field: 'tls', cause: error,
		});
	}
};
