import {X509Certificate} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import path from 'node:path';
import {isatty} from 'node:tty';
import {Option} from 'commander';
import {fileProblem} from '../bundle/file-errors.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {isOpenToOthers} from '../platform/private-files.ts';
import type {RunningService, ServiceOptions} from '../service/service.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import type {LogFormat} from '../service/observability/service-log.ts';
import {takePassedSockets} from '../platform/parent-process.ts';
import {modelKeyVariable} from '../platform/secret-variables.ts';
import {isInsecureAddress, isLoopbackHost, normalizeBaseAddress} from '../interface/base-address.ts';
import type {Context} from './context.ts';
import {
	parseHost,
	parseHostAndPort,
	parsePort,
	wrongChoice,
	wrongValue,
} from './options.ts';
import {
	endServing,
	examples,
	untilAborted,
	type DefineCommand,
} from './command.ts';
import {
	chooseLocation,
	databaseUrlOption,
	keysCreateAt,
	parseDataFolder,
	requireExistingStore,
	type LocationOptions,
} from './database-option.ts';

type Tls = NonNullable<ServiceOptions['tls']>;

type CertificateOptions = {
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

/** Warns of a key that others can read: whoever has it can pretend to be the service. */
const warnOfReadableKey = (context: Context, file: string, pem: string): void => {
	if (holdsKey(pem) && isOpenToOthers(file)) {
		context.note(`Warning: other users of this machine can read or change ${file}, which holds the key of the certificate. Run: chmod 600 ${shellWord(file)}`);
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

/** Reads them for the start, with a warning if the certificate has expired. */
const readTlsToStart = async (context: Context, options: CertificateOptions): Promise<Tls | undefined> => {
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
const renewOnHangup = (context: Context, starting: Promise<RunningService>, options: CertificateOptions): void => {
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

const logFormats: readonly LogFormat[] = ['text', 'json'];

const parseLogFormat = (text: string): LogFormat => {
	const format = logFormats.find(known => known === text);
	if (format === undefined) {
		throw wrongChoice('--log', text, logFormats);
	}

	return format;
};

export const logOption = (description: string): Option => new Option('--log <format>', description).choices(logFormats).argParser(parseLogFormat);

type ServeLog = {
	/** Its notes go to the log. */
	readonly context: Context;
	readonly logOptions: Pick<ServiceOptions, 'report' | 'onRequest' | 'onError' | 'onKeyChange'>;
};

/** With a format, everything that goes to standard error is an entry of the log. */
const openServeLog = async (context: Context, format: LogFormat | undefined): Promise<ServeLog> => {
	if (format === undefined) {
		return {context, logOptions: {report: context.note}};
	}

	const {createStreamLog} = await import('../service/observability/service-log.ts');
	const log = createStreamLog(format, context.streams.stderr);
	return {
		context: {...context, note: log.note},
		logOptions: {
			report: log.note, onRequest: log.logRequest, onError: log.logError, onKeyChange: log.note,
		},
	};
};

/** The options that say where `serve` listens. */
type ListenOptions = {
	readonly host?: string;
	readonly port?: number;
	readonly socket?: string;
};

/** The absolute path of `--socket`. It is the first line of the output, so it must be one. */
const parseSocketPath = (text: string): string => {
	if (text === '' || /\p{Control}/u.test(text)) {
		throw wrongValue('--socket', text, 'a path, such as /run/switchboard/socket');
	}

	return path.resolve(text);
};

/** Where to listen, by the options or as systemd has opened a socket. */
const chooseListenTarget = (context: Context, {host, port, socket}: ListenOptions): Pick<ServiceOptions, 'host' | 'port' | 'socket'> => {
	const passed = takePassedSockets();
	if (passed.isForAnother) {
		context.note('Warning: systemd has passed a socket to another process, which has started this one. Start this process directly, as the unit from “switchboard help serving --unit” does.');
	}

	if (passed.count > 1) {
		throw new SwitchboardError('usage', `systemd has passed ${passed.count} sockets.`, {nextStep: 'Give the socket unit a single ListenStream=.'});
	}

	const given = Object.entries({'--host': host, '--port': port, '--socket': socket}).filter(([, value]) => value !== undefined).map(([name]) => name);
	if (passed.count === 1 && given.length > 0) {
		throw new SwitchboardError('usage', `systemd has passed a socket, so ${given.join(' and ')} cannot be used.`, {
			nextStep: `Leave ${given.length === 1 ? 'it' : 'them'} out, or stop the socket unit.`,
		});
	}

	if (passed.count === 1) {
		return {socket: {descriptor: passed.descriptor}};
	}

	if (socket !== undefined && given.length > 1) {
		throw new SwitchboardError('usage', `--socket and ${given[0]!} cannot be used together.`, {nextStep: 'Use --socket, or --host and --port.'});
	}

	return socket === undefined ? {host: host ?? '127.0.0.1', port: port ?? 8787} : {socket: {socketPath: socket}};
};

/** The value of an option that can be “off”. */
const parseLimit = (option: string, maximumDigits: number, expected: string) => (text: string): number | 'off' => {
	if (text === 'off') {
		return text;
	}

	if (!/^[1-9]\d*$/.test(text) || text.length > maximumDigits) {
		throw wrongValue(option, text, `${expected}, or “off”`);
	}

	return Number(text);
};

const parseRateLimit = parseLimit('--rate-limit', 9, 'a number of requests per minute');

const parseHistory = parseLimit('--history', 6, 'a number of days');

const parseQuota = parseLimit('--quota', 15, 'a number of bytes');

/** The phrases of an account that a model answers in a minute. */
const usualModelPhrases = 60;

const parseModelLimit = parseLimit('--model-per-minute', 9, 'a number of phrases');

type ModelOptions = NonNullable<ServiceOptions['model']>;

const parseModelUrl = (text: string): string => {
	try {
		return normalizeBaseAddress(text);
	} catch (error) {
		throw toSwitchboardError(error).with({nextStep: 'Give --model-url the base address of an OpenAI-compatible server, such as http://127.0.0.1:8080.'});
	}
};

const parseModelName = (text: string): string => {
	if (text.trim() === '') {
		throw wrongValue('--model', text, 'the name that the server of the model has for it');
	}

	return text;
};

/** The key for a model, which no message may show: a header holds nothing but visible ASCII, and its error would show anything else. */
const readModelKey = ({env}: Context): string | undefined => {
	const key = env[modelKeyVariable]?.trim() ?? '';
	if (!/^[!-~]*$/.test(key)) {
		throw new SwitchboardError('usage', `${modelKeyVariable} holds no key: it has characters that a key cannot have.`, {nextStep: 'Set it to the key for the model, or unset it.'});
	}

	return key === '' ? undefined : key;
};

/** The model that `serve` is to use; `undefined` without one. */
const chooseModel = (context: Context, {modelUrl, model, modelPerMinute}: ServeOptions): ModelOptions | undefined => {
	if (modelUrl === undefined) {
		const given = Object.entries({'--model': model, '--model-per-minute': modelPerMinute}).find(([, value]) => value !== undefined);
		if (given !== undefined) {
			throw new SwitchboardError('usage', `${given[0]} needs the address of a model.`, {nextStep: 'Use it with --model-url.'});
		}

		return undefined;
	}

	if (isInsecureAddress(modelUrl) && !context.options.isInsecureHttpAllowed) {
		throw new SwitchboardError('insecure', `${modelUrl} is plain http to another machine: what is said could be read in transit.`, {
			nextStep: 'Use an https:// address, or allow it for this run with --insecure-http.',
		});
	}

	return {
		baseAddress: modelUrl,
		name: model,
		key: readModelKey(context),
		phrasesPerMinute: modelPerMinute === 'off' ? undefined : modelPerMinute ?? usualModelPhrases,
	};
};

/** An address, a network as ADDRESS/BITS, or “unix”. */
const isProxy = (text: string): boolean => {
	const [address = '', bits, ...rest] = text.split('/');
	const family = isIP(address);
	return text === 'unix' || (family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))));
};

const parseProxies = (text: string, earlier: readonly string[] = []): readonly string[] => {
	const proxies = text.split(',').map(proxy => proxy.trim());
	const wrong = proxies.find(proxy => !isProxy(proxy));
	if (wrong !== undefined) {
		throw wrongValue('--trust-proxy', wrong, 'an address, a network such as 10.0.0.0/8, or “unix”');
	}

	return [...earlier, ...proxies];
};

type ServeOptions = CertificateOptions & ListenOptions & LocationOptions & {
	readonly sample?: boolean;
	readonly rateLimit: number | 'off';
	readonly quota: number | 'off';
	readonly history: number | 'off';
	readonly trustProxy?: readonly string[];
	readonly metrics?: {readonly host: string; readonly port: number};
	readonly log?: LogFormat;
	readonly modelUrl?: string;
	readonly model?: string;
	readonly modelPerMinute?: number | 'off';
};

/** `URL` rejects an address with a zone (`fe80::1%eth0`), which other machines can reach. */
const isReachableByOthers = (baseAddress: string): boolean => !baseAddress.startsWith('unix:')
	&& (!URL.canParse(baseAddress) || !isLoopbackHost(new URL(baseAddress).hostname));

const serve = async (given: Context, options: ServeOptions): Promise<void> => {
	const {context, logOptions} = await openServeLog(given, options.log);
	const target = chooseListenTarget(context, options);
	const tls = await readTlsToStart(context, options);
	const model = chooseModel(context, options);
	const location = await chooseLocation(options, context.env);
	if (context.options.isReadOnly) {
		await requireExistingStore(location, context.env);
	}

	const {startService} = await import('../service/service.ts');
	const starting = startService({
		...target,
		location,
		isSampleWanted: options.sample ?? false,
		isReadOnly: context.options.isReadOnly,
		requestsPerMinute: options.rateLimit === 'off' ? undefined : options.rateLimit,
		quotaBytes: options.quota === 'off' ? undefined : options.quota,
		historyDays: options.history,
		trustedProxies: options.trustProxy ?? [],
		model,
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

	if (model !== undefined) {
		context.note(`phrases that start nothing go to the model at ${model.baseAddress}`);
	}

	if (tls === undefined && isReachableByOthers(service.baseAddress)) {
		context.note('Warning: other machines can reach this address, and without TLS the keys sent to it can be read on the way. Use --tls-cert and --tls-key.');
	}

	await untilAborted(context.signal);
	await service.close();
	endServing(context.signal);
};

export const defineServe: DefineCommand = (parent, run) => parent
	.command('serve')
	.description('run the bundled service')
	.option('--host <host>', 'the address to listen on (default: 127.0.0.1)', parseHost)
	.option('--port <port>', 'the port to listen on; 0 means any free one (default: 8787)', parsePort)
	.option('--socket <path>', 'listen on a Unix socket instead, which only you can use', parseSocketPath)
	.option('--data <folder>', 'its data folder (default: in the platform\'s data folder)', parseDataFolder)
	.option(...databaseUrlOption)
	.option('--sample', 'fill the account “default” with sample data if it is empty')
	.option('--rate-limit <number>', 'the most requests a minute with one key, or “off”', parseRateLimit, 600)
	.addOption(new Option('--quota <bytes>', 'the most bytes that an account may hold, or “off”').argParser(parseQuota).default(500 * 1024 * 1024, '524288000, which is 500 MiB'))
	.option('--history <days>', 'how many days to keep who changed what, or “off”', parseHistory, 400)
	.option('--trust-proxy <address>', 'take the address of a client from the X-Forwarded-For of this proxy; several with commas; a network, as in 10.0.0.0/8; “unix” for a Unix socket', parseProxies)
	.option('--model-url <url>', 'let a model answer phrases that start nothing: the base address of an OpenAI-compatible server; its key in SWITCHBOARD_MODEL_KEY', parseModelUrl)
	.option('--model <name>', 'the name of the model, where the server has several', parseModelName)
	.addOption(new Option('--model-per-minute <number>', `the most phrases a minute that it answers for an account, or “off” (default: ${usualModelPhrases})`).argParser(parseModelLimit))
	.addOption(logOption('write a line for each request to standard error (default: none)'))
	.option('--metrics <host:port>', 'serve metrics for Prometheus on an address of their own (default: none)', parseHostAndPort)
	.option('--tls-cert <file>', 'the TLS certificate, a PEM file; the service then speaks https')
	.option('--tls-key <file>', 'the key of the certificate, a PEM file')
	.addHelpText('after', examples(
		['switchboard keys create', 'create a key first'],
		['switchboard serve --sample', 'on port 8787, with sample data'],
		['switchboard serve --read-only', 'refuse every change'],
		['switchboard serve --database-url postgres://home@db/home', 'with the data in PostgreSQL'],
		['switchboard serve --model-url http://127.0.0.1:11434 --model llama3.2', 'with answers of a model'],
		['switchboard serve --port 0 --data ./data', 'any free port, the data in ./data'],
	))
	.action(run(serve, {isEndedBySignal: true}));
