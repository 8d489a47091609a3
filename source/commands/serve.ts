import {isIP} from 'node:net';
import {isLoopbackHost} from '../interface/base-address.ts';
import type {LogFormat} from '../service/observability/service-log.ts';
import {
	endServing,
	examples,
	untilAborted,
	type DefineCommand,
} from './command.ts';
import type {Context} from './context.ts';
import {parseDataFolder} from './data-option.ts';
import {chooseLocation, databaseUrlOption, type LocationOptions} from './database-option.ts';
import {keysCreateAt, requireExistingStore} from './existing-store.ts';
import {parseHost, parseHostAndPort, parsePort} from './listen-options.ts';
import {readTlsToStart, renewOnHangup, type CertificateOptions} from './serve/certificate.ts';
import {chooseListenTarget, parseSocketPath, type ListenOptions} from './serve/listen-target.ts';
import {logOption, openServeLog} from './serve/log.ts';
import {wrongValue} from './wrong-value.ts';

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

const parseQuota = parseLimit('--quota', 15, 'a number of bytes');

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
	readonly trustProxy?: readonly string[];
	readonly metrics?: {readonly host: string; readonly port: number};
	readonly log?: LogFormat;
};

/** `URL` rejects an address with a zone (`fe80::1%eth0`), which other machines can reach. */
const isReachableByOthers = (baseAddress: string): boolean => !baseAddress.startsWith('unix:')
	&& (!URL.canParse(baseAddress) || !isLoopbackHost(new URL(baseAddress).hostname));

const serve = async (given: Context, options: ServeOptions): Promise<void> => {
	const {context, logOptions} = await openServeLog(given, options.log);
	const target = chooseListenTarget(context, options);
	const tls = await readTlsToStart(context, options);
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
	.option('--rate-limit <number>', 'the most requests per minute for each key, or “off”', parseRateLimit, 600)
	.option('--quota <bytes>', 'the most bytes that each account may hold, or “off”', parseQuota, 500 * 1024 * 1024)
	.option('--trust-proxy <address>', 'take the sender\'s address from the X-Forwarded-For of this proxy; several with commas, a network as in 10.0.0.0/8, or “unix” on a Unix socket', parseProxies)
	.addOption(logOption('write a line for each request to standard error'))
	.option('--metrics <host:port>', 'serve metrics for Prometheus on an address of their own', parseHostAndPort)
	.option('--tls-cert <file>', 'the TLS certificate, a PEM file; the service then speaks https')
	.option('--tls-key <file>', 'the key of the certificate, a PEM file')
	.addHelpText('after', examples(
		['switchboard keys create', 'create a key first'],
		['switchboard serve --sample', 'on port 8787, with sample data'],
		['switchboard serve --read-only', 'refuse every change'],
		['switchboard serve --database-url postgres://home@db/home', 'with the data in PostgreSQL'],
		['switchboard serve --port 0 --data ./data', 'any free port, the data in ./data'],
	))
	.action(run(serve, {isEndedBySignal: true}));
