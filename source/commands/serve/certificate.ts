import {readFile} from 'node:fs/promises';
import {isatty} from 'node:tty';
import {fileProblem} from '../../bundle/file-errors.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isOpenToOthers} from '../../platform/private-files.ts';
import type {RunningService, ServiceOptions} from '../../service/service.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';

type Tls = NonNullable<ServiceOptions['tls']>;

/** Tells the person who started the service something. */
type Note = (text: string) => void;

export type CertificateOptions = {
	readonly tlsCert?: string;
	readonly tlsKey?: string;
};

const readPem = async (file: string, option: string): Promise<string> => {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new SwitchboardError('usage', `“${file}” ${fileProblem(error)}.`, {nextStep: `Check the path after ${option}.`, cause: error});
	}
};

/** Certificates are public; some files hold the key as well. */
const holdsKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----');

/** Warns of a key that others can read: who has it can pretend to be the service. */
const warnOfReadableKey = (file: string, pem: string, note: Note): void => {
	if (holdsKey(pem) && isOpenToOthers(file)) {
		note(`Warning: other users of this machine can read or change ${file}, which holds the key of the certificate. Run: chmod 600 ${shellWord(file)}`);
	}
};

/** Reads the certificate and its key; `undefined` if none is given. Notes that others can read the key. */
export const readTls = async ({tlsCert, tlsKey}: CertificateOptions, note: Note): Promise<Tls | undefined> => {
	if (tlsCert === undefined && tlsKey === undefined) {
		return undefined;
	}

	if (tlsCert === undefined || tlsKey === undefined) {
		throw new SwitchboardError('usage', 'TLS needs a certificate and its key.', {nextStep: 'Use --tls-cert and --tls-key together.'});
	}

	const tls = {cert: await readPem(tlsCert, '--tls-cert'), key: await readPem(tlsKey, '--tls-key')};
	warnOfReadableKey(tlsKey, tls.key, note);
	warnOfReadableKey(tlsCert, tls.cert, note);
	return tls;
};

type Renewal = {
	readonly options: CertificateOptions;
	readonly service: RunningService;
	readonly note: Note;
};

const renew = async ({options, service, note}: Renewal): Promise<void> => {
	try {
		const tls = await readTls(options, note);
		if (tls !== undefined) {
			service.renewCertificate(tls);
			note('Read the certificate anew; connections that are open keep the old one.');
		}
	} catch (error) {
		const {message, nextStep} = toSwitchboardError(error);
		note(['The old certificate stays in use.', message, nextStep].filter(Boolean).join(' '));
	}
};

/**
Lets SIGHUP read the certificate anew; without one it does nothing. A hangup of the terminal ends the service as ever: in a terminal,
SIGHUP is one where there is no certificate to read, or the terminal has gone.
*/
export const renewOnHangup = ({handleHangup}: Pick<Context, 'handleHangup'>, renewal: Renewal): void => {
	const isInTerminal = isatty(0);
	let renewing = Promise.resolve();
	handleHangup?.(() => {
		if (isInTerminal && (renewal.options.tlsCert === undefined || !isatty(0))) {
			return false;
		}

		// One after the other: the last one has the newest files.
		renewing = renewing.then(async () => renew(renewal));
		return true;
	});
};
