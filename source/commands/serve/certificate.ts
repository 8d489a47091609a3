import {X509Certificate} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {isatty} from 'node:tty';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isOpenToOthers} from '../../platform/private-files.ts';
import type {RunningService, ServiceOptions} from '../../service/service.ts';
import {shellWord} from '../../platform/shell-word.ts';
import type {Context} from '../context.ts';

type Tls = NonNullable<ServiceOptions['tls']>;

/** The options that name the certificate of the service. */
export type CertificateOptions = {readonly tlsCert?: string; readonly tlsKey?: string};

const readPem = async (file: string, option: string): Promise<string> => {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new SwitchboardError('usage', `“${file}” ${fileProblem(error)}.`, {nextStep: `Check the path after ${option}.`, cause: error});
	}
};

/** Certificates are public; some files hold the key as well. */
const holdsKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----');

/** Warns of a key that others can read: whoever has it can pretend to be the service. */
const warnOfReadableKey = (context: Context, file: string, pem: string): void => {
	if (holdsKey(pem) && isOpenToOthers(file)) {
		context.note(
			`Warning: other users of this machine can read or change ${file}, which holds the key of the certificate. Run: chmod 600 ${shellWord(file)}`,
		);
	}
};

/** Reads the certificate and its key; `undefined` if none is given. */
const readTls = async (context: Context, {tlsCert, tlsKey}: CertificateOptions): Promise<Tls | undefined> => {
	if (tlsCert === undefined && tlsKey === undefined) {
		return undefined;
	}

	if (tlsCert === undefined || tlsKey === undefined) {
		throw new SwitchboardError('usage', 'TLS needs a certificate and its key.', {nextStep: 'Use --tls-cert and --tls-key together.'});
	}

	const tls = {cert: await readPem(tlsCert, '--tls-cert'), key: await readPem(tlsKey, '--tls-key')};
	warnOfReadableKey(context, tlsKey, tls.key);
	warnOfReadableKey(context, tlsCert, tls.cert);
	return tls;
};

/** The end of the time that a certificate was valid; `undefined` if it still is. The service refuses a file that is no certificate. */
const expiryOf = ({cert}: Tls): string | undefined => {
	try {
		const {validTo, validToDate} = new X509Certificate(cert);
		return validToDate.getTime() < Date.now() ? validTo : undefined;
	} catch {
		return undefined;
	}
};

/** Reads the certificate and its key for the start, with a warning if it has expired; `undefined` if none is given. */
export const readTlsToStart = async (context: Context, options: CertificateOptions): Promise<Tls | undefined> => {
	const tls = await readTls(context, options);
	const expiry = tls && expiryOf(tls);
	if (expiry !== undefined) {
		context.note(`Warning: the certificate has expired, so clients refuse it. It was valid until ${expiry}.`);
	}

	return tls;
};

const renew = async (context: Context, service: RunningService, options: CertificateOptions): Promise<void> => {
	try {
		const tls = await readTls(context, options);
		const expiry = tls && expiryOf(tls);
		if (expiry !== undefined) {
			throw new SwitchboardError('usage', `The new one has expired: it was valid until ${expiry}.`);
		}

		if (tls !== undefined) {
			service.renewCertificate(tls);
			context.note('The certificate was read again. Open connections keep the old one.');
		}
	} catch (error) {
		const {message, nextStep} = toSwitchboardError(error);
		context.note(['The old certificate stays in use.', message, nextStep].filter(Boolean).join(' '));
	}
};

/**
Lets SIGHUP read the certificate again; without one it does nothing. A hangup of the terminal still ends the service: in a terminal,
SIGHUP is one where there is no certificate to read, or the terminal has gone.

@param starting - a signal may come before it has started.
*/
export const renewOnHangup = (context: Context, starting: Promise<RunningService>, options: CertificateOptions): void => {
	const isInTerminal = isatty(0);
	let renewing: Promise<void> | undefined;
	const renewAfter = async (earlier: Promise<void> | undefined): Promise<void> => {
		const [started] = await Promise.allSettled([starting, earlier]);
		// One that does not start says why itself.
		if (started.status === 'fulfilled') {
			await renew(context, started.value, options);
		}
	};

	context.handleHangup?.(() => {
		if (isInTerminal && (options.tlsCert === undefined || !isatty(0))) {
			return false;
		}

		// One after the other: the last one has the newest files.
		renewing = renewAfter(renewing);
		return true;
	});
};
