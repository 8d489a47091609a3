import {X509Certificate} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {isatty} from 'node:tty';
import {unreadableText} from '../../bundle/file-errors.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../../interface/errors.ts';
import {isLoopbackHost} from '../../interface/base-address.ts';
import {takePassedSockets} from '../../platform/parent-process.ts';
import {isOpenToOthers} from '../../platform/private-files.ts';
import {shellWord} from '../../platform/shell-word.ts';
import type {LogFormat} from '../../service/observability/service-log.ts';
import type {ServiceOptions, RunningService} from '../../service/service.ts';
import {endServing, untilAborted} from '../command.ts';
import type {Context} from '../context.ts';
import {chooseLocation, keysCreateAt, requireExistingStore, type LocationOptions} from '../database-option.ts';

type CertificateOptions = {readonly tlsCert?: string; readonly tlsKey?: string};

/** The options for the address of `serve`. */
type ListenOptions = {readonly host?: string; readonly port?: number; readonly socket?: string};

type ServeOptions = CertificateOptions &
	ListenOptions &
	LocationOptions & {
		readonly sample?: boolean;
		readonly rateLimit: number | 'off';
		readonly quota: number | 'off';
		readonly history: number | 'off';
		readonly trustProxy?: readonly string[];
		readonly metrics?: {readonly host: string; readonly port: number};
		readonly log?: LogFormat;
	};

/** Serves until a signal comes. */
export async function runService(given: Context, options: ServeOptions): Promise<void> {
	const {context, logOptions} = await openServeLog(given, options.log);
	const target = chooseListenTarget(context, options);
	const tls = await readTlsToStart(context, options);
	const location = await chooseLocation(options, context.env);
	if (context.options.isReadOnly) {
		await requireExistingStore(location, context.env);
	}

	const starting = (await import('../../service/service.ts')).startService({
		...target,
		location,
		isSampleWanted: options.sample ?? false,
		isReadOnly: context.options.isReadOnly,
		requestsPerMinute: options.rateLimit === 'off' ? undefined : options.rateLimit,
		quotaBytes: options.quota === 'off' ? undefined : options.quota,
		historyDays: options.history,
		trustedProxies: options.trustProxy ?? [],
		...(tls !== undefined && {tls}),
		...(options.metrics !== undefined && {metrics: options.metrics}),
		...logOptions,
	});
	renewOnHangup(context, starting, options);
	const service = await starting;
	context.print(`listening on ${service.baseAddress}`);
	for (const text of service.notes) {
		context.note(text);
	}

	if (!service.hasKeys) {
		context.note(`No API key yet. Create one with: ${await keysCreateAt(location, context.env)}`);
	}

	if (service.metricsAddress !== undefined) {
		context.note(`metrics on ${service.metricsAddress}`);
	}

	if (tls === undefined && isReachableByOthers(service.baseAddress)) {
		context.note(
			'Warning: other machines can reach this address, and without TLS the keys sent to it can be read on the way. Use --tls-cert and --tls-key.',
		);
	}

	await untilAborted(context.signal);
	await service.close();
	endServing(context.signal);
}

type ServeLog = {
	/** Its notes go to the log. */
	readonly context: Context;
	readonly logOptions: Pick<ServiceOptions, 'report' | 'onRequest' | 'onError' | 'onKeyChange'>;
};

/** With a format, all output to standard error becomes log entries. */
async function openServeLog(context: Context, format: LogFormat | undefined): Promise<ServeLog> {
	if (format === undefined) {
		return {context, logOptions: {report: context.note}};
	}

	const log = (await import('../../service/observability/service-log.ts')).createStreamLog(format, context.streams.stderr);
	return {
		context: {...context, note: log.note},
		logOptions: {report: log.note, onRequest: log.logRequest, onError: log.logError, onKeyChange: log.note},
	};
}

/** Returns the address from the options, or the socket that systemd has opened. */
function chooseListenTarget(context: Context, {host, port, socket}: ListenOptions): Pick<ServiceOptions, 'host' | 'port' | 'socket'> {
	const passed = takePassedSockets();
	if (passed.isForAnother) {
		context.note(
			'Warning: systemd has passed a socket to another process, which has started this one. Start this process directly, as the unit from “switchboard help serving --unit” does.',
		);
	}

	if (passed.count > 1) {
		throw new SwitchboardError('usage', `systemd has passed ${passed.count} sockets.`, {
			nextStep: 'Give the socket unit a single ListenStream=.',
		});
	}

	const given = Object.entries({'--host': host, '--port': port, '--socket': socket})
		.filter(([, value]) => value !== undefined)
		.map(([name]) => name);
	if (passed.count === 1 && given.length > 0) {
		throw new SwitchboardError('usage', `systemd has passed a socket, so ${given.join(' and ')} cannot be used.`, {
			nextStep: `Leave ${given.length === 1 ? 'it' : 'them'} out, or stop the socket unit.`,
		});
	}

	if (passed.count === 1) {
		return {socket: {descriptor: passed.descriptor}};
	}

	if (socket !== undefined && given.length > 1) {
		throw new SwitchboardError('usage', `--socket and ${given[0]!} cannot be used together.`, {
			nextStep: 'Use --socket, or --host and --port.',
		});
	}

	return socket === undefined ? {host: host ?? '127.0.0.1', port: port ?? 8787} : {socket: {socketPath: socket}};
}

type Tls = NonNullable<ServiceOptions['tls']>;

/** Reads the certificate and its key for the start, with a warning if it has expired; `undefined` if none is given. */
async function readTlsToStart(context: Context, options: CertificateOptions): Promise<Tls | undefined> {
	const tls = await readTls(context, options);
	const expiry = tls && expiryOf(tls);
	if (expiry !== undefined) {
		context.note(`Warning: the certificate has expired, so clients refuse it. It was valid until ${expiry}.`);
	}

	return tls;
}

/** Reads the certificate and its key; `undefined` if none is given. */
async function readTls(context: Context, {tlsCert, tlsKey}: CertificateOptions): Promise<Tls | undefined> {
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
}

async function readPem(file: string, option: string): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new SwitchboardError('usage', `“${file}” ${unreadableText(error)}.`, {nextStep: `Check the path after ${option}.`, cause: error});
	}
}

/** Warns of a key that others can read: they could pretend to be the service. */
function warnOfReadableKey(context: Context, file: string, pem: string): void {
	if (holdsKey(pem) && isOpenToOthers(file)) {
		context.note(
			`Warning: other users of this machine can read or change ${file}, which holds the key of the certificate. Run: chmod 600 ${shellWord(file)}`,
		);
	}
}

/** Certificates are public; some files hold the key as well. */
const holdsKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----');

/** Returns the time when a certificate expired; `undefined` if it is still valid. The service refuses a file that is not a certificate. */
function expiryOf({cert}: Tls): string | undefined {
	const certificate = withoutFailing(() => new X509Certificate(cert));
	return certificate && certificate.validToDate.getTime() < Date.now() ? certificate.validTo : undefined;
}

/**
Lets SIGHUP read the certificate again; without a certificate it does nothing. A hangup of the terminal still ends the service: in a
terminal, SIGHUP counts as one if there is no certificate, or if the terminal has gone.

@param starting - a signal may come before it has started.
*/
function renewOnHangup(context: Context, starting: Promise<RunningService>, options: CertificateOptions): void {
	const isInTerminal = isatty(0);
	let renewing: Promise<void> | undefined;
	const renewAfter = async (earlier: Promise<void> | undefined): Promise<void> => {
		const [started] = await Promise.allSettled([starting, earlier]);
		// A service that does not start reports the reason itself.
		if (started.status === 'fulfilled') {
			await renew(context, started.value, options);
		}
	};

	context.handleHangup?.(() => {
		if (isInTerminal && (options.tlsCert === undefined || !isatty(0))) {
			return false;
		}

		// In turn: the last read has the newest files.
		renewing = renewAfter(renewing);
		return true;
	});
}

async function renew(context: Context, service: RunningService, options: CertificateOptions): Promise<void> {
	try {
		const tls = await readTls(context, options);
		const expiry = tls && expiryOf(tls);
		if (expiry !== undefined) {
			throw new SwitchboardError('usage', `The new certificate has expired: it was valid until ${expiry}.`);
		}

		if (tls !== undefined) {
			service.renewCertificate(tls);
			context.note('The certificate was read again. Open connections keep the old one.');
		}
	} catch (error) {
		const {message, nextStep} = toSwitchboardError(error);
		context.note(['The old certificate stays in use.', message, nextStep].filter(Boolean).join(' '));
	}
}

/** `URL` rejects an address with a zone (`fe80::1%eth0`), which other machines can reach. */
const isReachableByOthers = (baseAddress: string): boolean =>
	!baseAddress.startsWith('unix:') && (!URL.canParse(baseAddress) || !isLoopbackHost(new URL(baseAddress).hostname));
