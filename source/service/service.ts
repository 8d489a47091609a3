import {Server as TlsServer} from 'node:tls';
import {type FastifyInstance} from 'fastify';
import {isDatabaseUrl, withoutPassword} from '../platform/database-url.ts';
import {createFindCaller} from './callers.ts';
import {defaultAccount} from './default-account.ts';
import {createApp, type Tls} from './http/app.ts';
import {
	createErrorLog,
	type ErrorLog,
	type LogError,
	type Report,
} from './http/error-log.ts';
import {type LineLimits, lineLimits} from './http/line-limits.ts';
import {
	checkTls,
	listen,
	type Listening,
	type ListenTarget,
} from './http/listen.ts';
import {type MetricsAddress} from './observability/metrics-server.ts';
import {joinListeners, type OnRequest} from './observability/observe-requests.ts';
import {type RunningMetrics, startMetrics} from './observability/start-metrics.ts';
import {readSampleHome} from './sample/read-sample-home.ts';
import {describeMigration} from './store/database-version.ts';
import {migrateStore, openStore} from './store/open-store.ts';
import {type Store} from './store/store.ts';

export type ServiceOptions = {
	/** A data folder, or the URL of a PostgreSQL database. */
	readonly location: string;
	/** The address to listen on; 127.0.0.1 by default. */
	readonly host?: string;
	/** 0, the default, means any free port. */
	readonly port?: number;
	/** Where to listen instead of an address. */
	readonly socket?: Exclude<ListenTarget, {readonly host: string}> | undefined;
	/** If given, the service uses https. */
	readonly tls?: Tls;
	/** Requests a minute and key; `undefined` for no limit. */
	readonly requestsPerMinute?: number | undefined;
	/** What each account may hold; `undefined` for no limit. */
	readonly quotaBytes?: number | undefined;
	/** The proxies whose `X-Forwarded-For` counts (`createProxyCheck`). None by default. */
	readonly trustedProxies?: readonly string[];
	/** Other limits than the usual ones; given by tests only. */
	readonly limits?: Partial<LineLimits>;
	/** True to refuse every request that changes something. */
	readonly isReadOnly?: boolean;
	/** False to refuse a database of an earlier version rather than bring it up to date; by default true, unless it is read-only. */
	readonly isMigrationAllowed?: boolean;
	/** True to fill the account `default` with the sample home if it is empty. */
	readonly isSampleWanted?: boolean;
	/** Accepted for the account `default` during this run; not stored. */
	readonly ephemeralKey?: string;
	/** Told at once, in whole sentences, of trouble with the disk, the database or the log; the same once a minute at most. */
	readonly report?: Report;
	/** Told of each request once it has ended. It must be quick, and never throw. */
	readonly onRequest?: OnRequest;
	/** Told of each error that is logged. */
	readonly onError?: LogError;
	/** Where `/metrics` is served for Prometheus; nowhere by default. Port 0 is any free one. */
	readonly metrics?: MetricsAddress;
	/** How often it looks whether the files of the database are still there; by default every 5 s. */
	readonly checkIntervalMilliseconds?: number;
};

export type RunningService = {
	/** `http://HOST:PORT` or `https://HOST:PORT`, without a trailing slash, or `unix:PATH`. */
	readonly baseAddress: string;
	/** `http://HOST:PORT/metrics`, if the metrics are served. */
	readonly metricsAddress: string | undefined;
	/** Notes for the person who started the service, such as why the sample home was not added. */
	readonly notes: readonly string[];
	/** False if nobody can use the service until a key is created. */
	readonly hasKeys: boolean;
	/**
	Uses another certificate for connections that are opened from now on.

	@throws SwitchboardError if it is not valid: the one before stays in use.
	*/
	renewCertificate(tls: Tls): void;
	/** Accepts no new connections, finishes the answers in progress, then closes the database. */
	close(): Promise<void>;
};

const prepareAccount = async ({accounts}: Store, {isSampleWanted, ephemeralKey}: ServiceOptions): Promise<readonly string[]> => {
	if (ephemeralKey !== undefined) {
		await accounts.ensure(defaultAccount);
	}

	if (!isSampleWanted) {
		return [];
	}

	// Most starts find a filled account, and need not read the files.
	const isAdded = await accounts.isEmpty(defaultAccount) && await accounts.fill(defaultAccount, await readSampleHome());
	return isAdded ? [] : [`The account “${defaultAccount}” is not empty, so the sample home was not added.`];
};

/** Looks at the files without a request, too: what is lost may be rescued as long as the service runs. */
const checkRegularly = (store: Store, log: ErrorLog, intervalMilliseconds = 5000): NodeJS.Timeout => setInterval(() => {
	log.writeWaiting();
	try {
		store.check();
	} catch (error) {
		log.logError(error, 'check of the files');
	}
}, intervalMilliseconds).unref();

const stop = async (app: FastifyInstance, store: Store, {remove}: Listening): Promise<void> => {
	try {
		remove();
		await app.close();
	} finally {
		await store.close();
	}
};

/** @returns a note for the person who started the service, if there was anything to do. */
const bringUpToDate = async ({location, isReadOnly = false, isMigrationAllowed = !isReadOnly}: ServiceOptions): Promise<readonly string[]> => {
	if (!isMigrationAllowed) {
		return [];
	}

	const migration = await migrateStore(location);
	return migration.from === migration.to ? [] : [describeMigration(migration, isDatabaseUrl(location) ? withoutPassword(location) : location)];
};

const startWith = async (options: ServiceOptions, metrics: RunningMetrics | undefined): Promise<RunningService> => {
	const {host = '127.0.0.1', port = 0, socket, tls, report = () => undefined} = options;
	if (tls !== undefined) {
		checkTls(tls);
	}

	const migrationNotes = await bringUpToDate(options);
	const store = await openStore(options.location, {quotaBytes: options.quotaBytes, onQuery: metrics?.onQuery});
	try {
		await store.releases.removeUnfinished();
		const notes = [...migrationNotes, ...await prepareAccount(store, options)];
		const hasKeys = options.ephemeralKey !== undefined || (await store.accounts.listKeys()).length > 0;
		const log = createErrorLog(isDatabaseUrl(options.location) ? undefined : options.location, report, options.onError);
		const app = await createApp({
			store,
			findCaller: createFindCaller(store.accounts, options.ephemeralKey),
			logError: log.logError,
			isOwn: options.ephemeralKey !== undefined,
			requestsPerMinute: options.requestsPerMinute,
			tls,
			trustedProxies: options.trustedProxies ?? [],
			limits: {...lineLimits, ...options.limits},
			isReadOnly: options.isReadOnly ?? false,
			onRequest: joinListeners([options.onRequest, metrics?.onRequest]),
			onWrongKey: metrics?.onWrongKey,
		});
		metrics?.watchConnections(app.server);
		const listening = await listen(app, socket ?? {host, port}, tls === undefined ? 'http' : 'https');
		const checks = checkRegularly(store, log, options.checkIntervalMilliseconds);
		let closing: Promise<void> | undefined;
		return {
			baseAddress: listening.baseAddress,
			metricsAddress: metrics?.address,
			notes,
			hasKeys,
			renewCertificate(renewed) {
				checkTls(renewed);
				if (app.server instanceof TlsServer) {
					app.server.setSecureContext(renewed);
				}
			},
			async close() {
				clearInterval(checks);
				log.writeWaiting();
				closing ??= stop(app, store, listening);
				try {
					await closing;
				} finally {
					await metrics?.close();
				}
			},
		};
	} catch (error) {
		await store.close();
		throw error;
	}
};

/**
Starts the bundled service on a data folder, which is created if it is missing, or on a database.

@throws SwitchboardError if the folder, the database, the address or the certificate cannot be used.
*/
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
	const metrics = options.metrics && await startMetrics(options.metrics);
	try {
		return await startWith(options, metrics);
	} catch (error) {
		await metrics?.close();
		throw error;
	}
};
