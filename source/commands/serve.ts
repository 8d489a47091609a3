import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import {fileProblem} from '../bundle/file-errors.ts';
import {isLoopbackHost} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isOpenToOthers} from '../platform/private-files.ts';
import type {LogFormat} from '../service/observability/service-log.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {
	endServing,
	examples,
	untilAborted,
	type DefineCommand,
} from './command.ts';
import type {Context} from './context.ts';
import {parseDataFolder} from './data-option.ts';
import {chooseLocation, databaseUrlOption, type LocationOptions} from './database-option.ts';
import {parseHost, parseHostAndPort, parsePort} from './listen-options.ts';
import {logOption, openServeLog} from './serve-log.ts';
import {wrongValue} from './wrong-value.ts';

const parseRateLimit = (text: string): number | 'off' => {
	if (text === 'off') {
		return text;
	}

	if (!/^[1-9]\d{0,8}$/.test(text)) {
		throw wrongValue('--rate-limit', text, 'a number of requests per minute, or “off”');
	}

	return Number(text);
};

const parseQuota = (text: string): number | 'off' => {
	if (text === 'off') {
		return text;
	}

	if (!/^[1-9]\d{0,14}$/.test(text)) {
		throw wrongValue('--quota', text, 'a number of bytes, or “off”');
	}

	return Number(text);
};

/** An address, or a network as ADDRESS/BITS. */
const isNetwork = (text: string): boolean => {
	const [address = '', bits, ...rest] = text.split('/');
	const family = isIP(address);
	return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128)));
};

const parseProxies = (text: string, earlier: readonly string[] = []): readonly string[] => {
	const proxies = text.split(',').map(proxy => proxy.trim());
	const wrong = proxies.find(proxy => !isNetwork(proxy));
	if (wrong !== undefined) {
		throw wrongValue('--trust-proxy', wrong, 'an address, or a network such as 10.0.0.0/8');
	}

	return [...earlier, ...proxies];
};

type ServeOptions = LocationOptions & {
	readonly host: string;
	readonly port: number;
	readonly sample?: boolean;
	readonly rateLimit: number | 'off';
	readonly quota: number | 'off';
	readonly trustProxy?: readonly string[];
	readonly metrics?: {readonly host: string; readonly port: number};
	readonly log?: LogFormat;
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

const readTls = async ({tlsCert, tlsKey}: ServeOptions) => {
	if (tlsCert === undefined && tlsKey === undefined) {
		return undefined;
	}

	if (tlsCert === undefined || tlsKey === undefined) {
		throw new SwitchboardError('usage', 'TLS needs a certificate and its key.', {nextStep: 'Use --tls-cert and --tls-key together.'});
	}

	return {cert: await readPem(tlsCert, '--tls-cert'), key: await readPem(tlsKey, '--tls-key')};
};

/** Certificates are public; some files hold the key as well. */
const holdsKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----');

/** Warns of key files that others can read: who has the key can pretend to be the service. */
const warnOfReadableKeys = (context: Context, {tlsCert, tlsKey}: ServeOptions, pems: Awaited<ReturnType<typeof readTls>>): void => {
	for (const [file, pem] of [[tlsKey, pems?.key], [tlsCert, pems?.cert]] as const) {
		if (file !== undefined && pem !== undefined && holdsKey(pem) && isOpenToOthers(file)) {
			context.note(`Warning: other users of this machine can read or change ${file}, which holds the key of the certificate. Run: chmod 600 ${shellWord(file)}`);
		}
	}
};

/** `URL` rejects an address with a zone (`fe80::1%eth0`), which other machines can reach. */
const isReachableByOthers = (baseAddress: string): boolean =>
	!URL.canParse(baseAddress) || !isLoopbackHost(new URL(baseAddress).hostname);

const serve = async (context: Context, options: ServeOptions): Promise<void> => {
	const tls = await readTls(options);
	warnOfReadableKeys(context, options, tls);
	const location = await chooseLocation(options, context.env);
	const {note, logOptions} = await openServeLog(context, options.log);
	const {startService} = await import('../service/service.ts');
	const service = await startService({
		host: options.host,
		port: options.port,
		location,
		isSampleWanted: options.sample ?? false,
		isReadOnly: context.options.isReadOnly,
		requestsPerMinute: options.rateLimit === 'off' ? undefined : options.rateLimit,
		quotaBytes: options.quota === 'off' ? undefined : options.quota,
		trustedProxies: options.trustProxy ?? [],
		...(tls !== undefined && {tls}),
		...(options.metrics !== undefined && {metrics: options.metrics}),
		...logOptions,
	});
	context.print(`listening on ${service.baseAddress}`);
	for (const text of service.notes) {
		note(text);
	}

	if (service.metricsAddress !== undefined) {
		note(`metrics on ${service.metricsAddress}`);
	}

	if (tls === undefined && isReachableByOthers(service.baseAddress)) {
		note('Warning: other machines can reach this address, and without TLS the keys sent to it can be read on the way. Use --tls-cert and --tls-key.');
	}

	await untilAborted(context.signal);
	await service.close();
	endServing(context.signal);
};

export const defineServe: DefineCommand = (parent, run) => parent
	.command('serve')
	.description('run the bundled service')
	.option('--host <host>', 'the address to listen on', parseHost, '127.0.0.1')
	.option('--port <port>', 'the port to listen on; 0 means any free one', parsePort, 8787)
	.option('--data <folder>', 'its data folder (default: in the platform\'s data folder)', parseDataFolder)
	.option(...databaseUrlOption)
	.option('--sample', 'fill the account “default” with sample data if it is empty')
	.option('--rate-limit <number>', 'requests per minute and key, or “off”', parseRateLimit, 600)
	.option('--quota <bytes>', 'what each account may hold, in bytes, or “off”', parseQuota, 500 * 1024 * 1024)
	.option('--trust-proxy <address>', 'take the sender\'s address from this proxy\'s X-Forwarded-For; several with commas, or a network such as 10.0.0.0/8', parseProxies)
	.addOption(logOption)
	.option('--metrics <host:port>', 'serve metrics for Prometheus on an address of their own', parseHostAndPort)
	.option('--tls-cert <file>', 'the TLS certificate, a PEM file; the service then speaks https')
	.option('--tls-key <file>', 'the key of the certificate, a PEM file')
	.addHelpText('after', examples(
		['switchboard keys create', 'create a key first'],
		['switchboard serve --sample', 'listen on http://127.0.0.1:8787, with sample data'],
		['switchboard serve --read-only', 'refuse every change'],
		['switchboard serve --database-url postgres://home@db/home', 'with the data in PostgreSQL'],
		['switchboard serve --port 0 --data ./data', 'listen on any free port, with the data in ./data'],
	))
	.action(run(serve, {isEndedBySignal: true}));
