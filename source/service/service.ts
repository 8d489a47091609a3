import {Server as TlsServer} from 'node:tls';
import {isDatabaseUrl, withoutPassword} from '../platform/secret-variables.ts';
import {type Caller, createFindCaller, createKeyUse, defaultAccount} from './callers.ts';
import {createApp} from './app.ts';
import {type Limits, limits} from './http/limits.ts';
import {checkTls, listen, type ListenTarget, secureOptions, type Tls} from './http/listen.ts';
import type {LogError} from './http/error-handler.ts';
import type {MetricsAddress} from './observability/metrics.ts';
import type {OnRequest} from './observability/observe-requests.ts';
import {createErrorLog, createKeyReport, type Report} from './observability/service-log.ts';
import {readSampleHome} from './sample/read-sample-home.ts';
import {describeMigration} from './store/database-version.ts';
import {migrateStore, openStore, warningsFor} from './store/open-store.ts';
import type {Store} from './store/store.ts';
import {TimerClock} from './timer-clock.ts';

export type ServiceOptions = {
	/** A data folder, or the URL of a PostgreSQL database. */
	readonly location: string;
	/** The address to listen on; 127.0.0.1 by default. */
	readonly host?: string;
	/** 0, the default, means any free port. */
	readonly port?: number;
	/** Where to listen, instead of an address. */
	readonly socket?: Exclude<ListenTarget, {readonly host: string}> | undefined;
	/** If given, the service uses https. */
	readonly tls?: Tls;
	/** Per minute and key; `undefined` for no limit. */
	readonly requestsPerMinute?: number | undefined;
	/** The size that each account may reach; `undefined` for no limit. */
	readonly quotaBytes?: number | undefined;
	/** How many days the history is kept, or `off` for no history; 400 by default. */
	readonly historyDays?: number | 'off';
	/** The proxies whose `X-Forwarded-For` or `Forwarded` counts (`createProxyCheck`). None by default. */
	readonly trustedProxies?: readonly string[];
	/** Limits that differ from the usual ones; for tests only. */
	readonly limits?: Partial<Limits>;
	readonly isReadOnly?: boolean;
	/** False to refuse a database of an earlier version rather than bring it up to date; by default true, unless it is read-only. */
	readonly isMigrationAllowed?: boolean;
	/** As in `StoreOptions`. */
	readonly beforeClose?: () => Promise<void>;
	/** True to fill the account `default` with the sample home if it is empty. */
	readonly isSampleWanted?: boolean;
	/** Accepted for the account `default` during this run; not stored. */
	readonly ephemeralKey?: string;
	/** Called with trouble with the disk, the database or the log, in whole sentences, for each kind once a minute at most. */
	readonly report?: Report;
	readonly onRequest?: OnRequest;
	/** Called with each error that is logged. */
	readonly onError?: LogError;
	/** Called with each key that any process creates or revokes while the service runs. */
	readonly onKeyChange?: Report;
	/** Where to serve `/metrics` for Prometheus; nowhere by default. Port 0 means any free port. */
	readonly metrics?: MetricsAddress;
	/** How often to check that the files of the database exist; by default every 5 s. */
	readonly checkIntervalMilliseconds?: number;
};

/**
Starts the bundled service on a data folder, which is created if it is missing, or on a database.

@throws SwitchboardError if the folder, the database, the address or the certificate cannot be used.
*/
export async function startService(options: ServiceOptions) {
	const started = new AsyncDisposableStack();
	try {
		return await startWith(options, started);
	} catch (error) {
		await started.disposeAsync();
		throw error;
	}
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

/** @param started - gets what ends the parts that are started, to be called in the opposite order. */
async function startWith(options: ServiceOptions, started: AsyncDisposableStack) {
	const {location, host = '127.0.0.1', port = 0, socket, tls, ephemeralKey, isReadOnly = false, report = () => undefined} = options;
	const repeat = (work: () => void, milliseconds: number): void => {
		const timer = setInterval(work, milliseconds).unref();
		started.defer(() => clearInterval(timer));
	};

	// Most services have no metrics.
	const metrics = options.metrics && (await (await import('./observability/metrics.ts')).startMetrics(options.metrics));
	started.defer(async () => metrics?.close());
	if (tls !== undefined) {
		checkTls(tls);
	}

	const migrationNotes = await bringUpToDate(options);
	const store = await openStore(location, {
		quotaBytes: options.quotaBytes,
		historyDays: options.historyDays,
		onQuery: metrics?.onQuery,
		beforeClose: options.beforeClose,
	});
	started.defer(async () => store.close());
	await store.releases.removeUnfinished();
	const notes = [
		...(await warningsFor(location)),
		...(store.warning === undefined ? [] : [store.warning]),
		...migrationNotes,
		...(await prepareAccount(store, options)),
	];
	const keys = await store.accounts.listKeys();
	const log = createErrorLog(isDatabaseUrl(location) ? undefined : location, report, options.onError);
	const keyUse = isReadOnly ? undefined : createKeyUse(store);
	const clock = isReadOnly ? undefined : new TimerClock(store, log.logError, ephemeralKey !== undefined);
	const app = await createApp({
		store,
		findCaller: createFindCaller(store.accounts, ephemeralKey),
		logError: log.logError,
		isOwn: ephemeralKey !== undefined,
		requestsPerMinute: options.requestsPerMinute,
		tls,
		trustedProxies: options.trustedProxies ?? [],
		limits: {...limits, ...options.limits},
		isReadOnly,
		onRequest: metrics === undefined ? options.onRequest : countedRequests(metrics.onRequest, options.onRequest),
		onTimer: at => clock?.wakeAt(at),
		onWrongKey: metrics?.onWrongKey,
		onKey: keyUse?.note,
		onStrangePerson: warnOfStrangePersons(log),
	});
	started.defer(async () => app.close());
	metrics?.watchConnections(app.server);
	started.defer(async () => clock?.stop());
	await clock?.run();
	const listening = await listen(app, socket ?? {host, port}, tls === undefined ? 'http' : 'https');
	started.defer(listening.remove);
	started.defer(log.writeWaiting);
	started.defer(() => keyUse?.close());
	repeat(createFileCheck(store, log), options.checkIntervalMilliseconds ?? 5000);
	if (options.onKeyChange !== undefined) {
		repeat(createKeyReport(store.accounts, keys, options.onKeyChange), 2000);
	}

	if (!isReadOnly) {
		const pruning = createPruning(store, log);
		started.defer(pruning.stop);
		repeat(pruning.run, 3_600_000);
		pruning.run();
	}

	let stopping: Promise<void> | undefined;
	return {
		/** `http://HOST:PORT` or `https://HOST:PORT`, without a trailing slash, or `unix:PATH`. */
		baseAddress: listening.baseAddress,
		/** `http://HOST:PORT/metrics`, if the metrics are served. */
		metricsAddress: metrics?.address,
		/** Notes for the person who started the service, such as why the sample data was not added. */
		notes,
		/** False if nobody can use the service until a key is created. */
		hasKeys: ephemeralKey !== undefined || keys.length > 0,
		/**
		Uses another certificate for new connections.

		@throws SwitchboardError if it is not valid; the former one stays in use.
		*/
		renewCertificate(renewed: Tls): void {
			checkTls(renewed);
			if (app.server instanceof TlsServer) {
				app.server.setSecureContext(secureOptions(renewed));
			}
		},
		/** Accepts no new connections, finishes the answers in progress, then closes the database. Rejects as `Store.close` does. */
		async close(): Promise<void> {
			stopping ??= started.disposeAsync();
			await stopping;
		},
	};
}

const countedRequests =
	(count: OnRequest, onRequest: OnRequest = () => undefined): OnRequest =>
	ended => {
		onRequest(ended);
		count(ended);
	};

/** @returns a note for the person who started the service, if there was anything to do. */
async function bringUpToDate({location, isReadOnly = false, isMigrationAllowed = !isReadOnly}: ServiceOptions): Promise<readonly string[]> {
	if (!isMigrationAllowed) {
		return [];
	}

	const migration = await migrateStore(location);
	return migration.from === migration.to
		? []
		: [describeMigration(migration, isDatabaseUrl(location) ? withoutPassword(location) : location)];
}

async function prepareAccount({accounts}: Store, {isSampleWanted, ephemeralKey}: ServiceOptions): Promise<readonly string[]> {
	if (ephemeralKey !== undefined) {
		await accounts.ensure(defaultAccount);
	}

	if (!isSampleWanted) {
		return [];
	}

	// Most starts find a filled account, and need not read the files.
	const isAdded = (await accounts.isEmpty(defaultAccount)) && (await accounts.fill(defaultAccount, await readSampleHome()));
	return isAdded ? [] : [`The account “${defaultAccount}” is not empty, so the sample data was not added.`];
}

/** Warns once about each key that names a person without being allowed to. */
function warnOfStrangePersons({warn}: ReturnType<typeof createErrorLog>) {
	const known = new Set<number | undefined>();
	return ({keyId, author, account}: Caller): void => {
		if (known.has(keyId)) {
			return;
		}

		known.add(keyId);
		warn(
			`The key “${author.name}” of the account “${account}” names the person that it is used for, which is ignored: it was not made with --for-ssh.`,
		);
	};
}

/** Returns a check of the files between requests: lost files may be rescued as long as the service runs. */
function createFileCheck(store: Store, log: ReturnType<typeof createErrorLog>) {
	let isWarned = false;
	return (): void => {
		log.writeWaiting();
		try {
			store.check();
			const warning = store.findWarning?.();
			if (warning !== undefined && !isWarned) {
				log.warn(warning);
			}

			isWarned = warning !== undefined;
		} catch (error) {
			log.logError(error, 'check of the files');
		}
	};
}

/** Removes old entries of the history, even if nothing is changed any more. */
function createPruning({history}: Store, {logError, warn}: ReturnType<typeof createErrorLog>) {
	const stopping = new AbortController();
	let underWay: Promise<void> | undefined;
	return {
		run(): void {
			underWay ??= history
				?.prune(stopping.signal, warn)
				.catch((error: unknown) => logError(error, 'removal of old entries of the history'))
				.finally(() => {
					underWay = undefined;
				});
		},
		async stop(): Promise<void> {
			stopping.abort();
			await underWay;
		},
	};
}
