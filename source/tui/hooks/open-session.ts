import {AsyncLocalStorage} from 'node:async_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Connection, RequestLogEntry} from '../../client/client.ts';
import {bindClient, type Client} from '../../client/operations.ts';
import {removeKeys} from '../../client/redact-key.ts';
import {errorText, SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {Person} from '../../interface/key-rights.ts';
import {secretsOf, sessionTokenVariable} from '../../platform/secret-variables.ts';
import {presetAccountOf} from '../../settings/account.ts';
import {openLastSeenOf} from '../../settings/last-seen.ts';
import {localProfileName, unnamedProfile} from '../../settings/profile.ts';
import type {RemoteTarget, Target} from '../../settings/target.ts';
import {createServiceSession, type ServiceSession, type ServiceSessionOptions} from './service-session.ts';

/**
Returns a client without a connection at first: the screens draw before the code that makes requests is loaded, and the bundled service may
still be starting. Each operation waits for the connection, and fails with the reason if there is none.

@param baseAddress - the address to show until then.
@param connect - called by each operation; the connection may differ from the last one.
@param explain - returns the error to throw instead of an operation's error.
*/
export function createDeferredClient(
	baseAddress: string,
	connect: () => Promise<Connection>,
	explain: (error: unknown) => unknown = error => error,
): Client {
	// The first frame is drawn in this turn of the event loop, and loading the code for requests would delay it.
	let firstFrame: Promise<void> | undefined;
	// React draws all screens of a process in one loop, in which many requests begin: each belongs to the session that the client was made
	// for.
	const inOwnContext = AsyncLocalStorage.snapshot();
	return bindClient(baseAddress, async work =>
		inOwnContext(async () => {
			try {
				firstFrame ??= nextTurn();
				await firstFrame;
				return await work(await connect());
			} catch (error) {
				throw explain(error);
			}
		}),
	);
}

/** A service that stops this often in so short a time is broken. */
const maximumStops = 3;

/** A service that may stop by itself; `stopped` then resolves with the reason. */
type Stoppable = {readonly stopped: Promise<SwitchboardError | undefined>; close(): Promise<void>};

type KeptServiceOptions<Service> = {
	start(): Promise<Service>;
	/** Called when it runs again after it stopped by itself. */
	onRestarted(reason: SwitchboardError): void;
	/** Called when it is not started again. */
	onDown(reason: SwitchboardError): void;
	readonly startKey: string;
};

/** Keeps a service running: if it stops by itself it is started again, but not for ever. */
export function keepService<Service extends Stoppable>({start, onRestarted, onDown, startKey}: KeptServiceOptions<Service>) {
	let current: Promise<Service> | undefined;
	let isDown = false;
	let isClosed = false;
	let stops: readonly number[] = [];

	/** Follows the service to its end. */
	const follow = async (starting: Promise<Service>): Promise<void> => {
		try {
			const {stopped} = await starting;
			const reason = await stopped;
			if (reason !== undefined && !isClosed) {
				await restart(reason);
			}
		} catch {
			// It did not start, which every operation reports.
			isDown = true;
		}
	};

	const begin = async (): Promise<Service> => {
		isDown = false;
		current = start();
		void follow(current);
		return current;
	};

	const restart = async (reason: SwitchboardError): Promise<void> => {
		const at = performance.now();
		stops = [...stops.filter(time => at - time < 60_000), at];
		try {
			if (stops.length >= maximumStops) {
				current = Promise.reject(
					new SwitchboardError(
						'unreachable',
						`${reason.message} It stopped ${maximumStops} times within a minute and is not started again.`,
						{nextStep: `${startKey} starts it again.`, cause: reason},
					),
				);
				// The caller that requests it gets the reason.
				await current;
			}

			await begin();
			onRestarted(reason);
		} catch (error) {
			isDown = true;
			onDown(toSwitchboardError(error));
		}
	};

	return {
		/** Returns the running service. The first call starts it; rejects with the reason while it stays down. */
		running: async () => current ?? begin(),
		/** Lets the next call of `running` start it if it is down; returns false otherwise. */
		startAgain(): boolean {
			if (!isDown || isClosed) {
				return false;
			}

			isDown = false;
			stops = [];
			current = undefined;
			return true;
		},
		/** Rejects with the error of a service that could not be closed. */
		async close(): Promise<void> {
			isClosed = true;
			const service = await current?.catch(() => undefined);
			await service?.close();
		},
	};
}

export type OpenSessionOptions = Pick<ServiceSessionOptions, 'report' | 'stateFolder' | 'isOverSsh'> & {
	readonly target: Target;
	readonly isReadOnly: boolean;
	/** The person that an `ssh-serve` opens it for. */
	readonly person?: Person | undefined;
	readonly personId?: string | undefined;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** Names the key in the message that it is refused. */
	readonly nameKeyOf?: ((target: RemoteTarget) => string) | undefined;
	/** Replaces the error of an operation, because the session knows where its key came from. */
	readonly explainError?: ((error: unknown, target: RemoteTarget) => unknown) | undefined;
	/** The key that reads the lists again, and starts a bundled service that is down. */
	readonly refreshKey: string;
	/** Folders for the data of the bundled service and for the lists last seen; by default the platform's. */
	readonly dataFolder?: string | undefined;
	readonly cacheFolder?: string | undefined;
};

/** Reads are retried once. Writes never are: the person retries them with a key. */
const retries = {reads: 1, writes: 0};

/** Opens the service of a target for the hooks. Nothing is loaded or requested until a screen asks for it. */
export function openSession(options: OpenSessionOptions): ServiceSession {
	const {target} = options;
	if (target.kind === 'local') {
		return openLocal(options);
	}

	const {baseAddress, apiKey, sessionToken, profileName, isInsecureHttp} = target;
	const closing = new AbortController();
	let connecting: Promise<Connection> | undefined;

	const connect = async (): Promise<Connection> => {
		const client = await import('../../client/client.ts');
		return client.connect({
			...options,
			baseAddress,
			apiKey,
			retries,
			onChanged: session.changes.outside.handleAnswer,
			signal: closing.signal,
			keyName: () => options.nameKeyOf?.(target) ?? 'the API key',
			sessionToken:
				sessionToken === undefined
					? undefined
					: {token: sessionToken, variable: sessionTokenVariable, onFirstUse: text => options.report.say('warning', text)},
		});
	};

	const session: ServiceSession = createServiceSession({
		...options,
		client: createDeferredClient(
			baseAddress,
			async () => {
				connecting ??= connect();
				return connecting;
			},
			error => options.explainError?.(error, target) ?? error,
		),
		profileName: profileName ?? unnamedProfile,
		presetAccount: profileName === undefined ? presetAccountOf(target) : undefined,
		hostLabel: hostLabelOf(baseAddress),
		isInsecure: isInsecureHttp,
		async onClose() {
			// A process that serves other people would wait for the answers.
			closing.abort();
		},
		lastSeen: openLastSeenOf(target, options),
	});
	return session;
}

function openLocal(options: OpenSessionOptions): ServiceSession {
	const service = keepService({
		start: async () => startLocal(options, session.changes.outside.handleAnswer),
		startKey: options.refreshKey,
		onRestarted({message}) {
			options.report.say('error', `${message} It was started again.`);
			void session.records.queryClient.refetchQueries({type: 'active'});
		},
		onDown(error) {
			options.report.say('error', errorText(error), 'answer');
			// The lists show that they are no longer live.
			void session.records.queryClient.refetchQueries({type: 'active'});
		},
	});
	const session: ServiceSession = createServiceSession({
		...options,
		client: createDeferredClient('local', async () => {
			const {connection} = await service.running();
			return connection;
		}),
		profileName: localProfileName,
		hostLabel: 'this machine',
		lastSeen: openLastSeenOf(options.target, options),
		startAgain: service.startAgain,
		onClose: service.close,
	});
	return session;
}

/** Starts the bundled service, whose address and key change with each start, and connects to it. */
async function startLocal(options: OpenSessionOptions, onChanged: ServiceSession['changes']['outside']['handleAnswer']) {
	const [service, {connect}] = await Promise.all([startService(options), import('../../client/client.ts')]);
	const {baseAddress, apiKey} = service;
	return {
		...service,
		stopped: service.stopped.then(reason => reason && withoutKeys(reason, apiKey)),
		connection: connect({...options, baseAddress, apiKey, retries, onChanged}),
	};
}

async function startService({dataFolder, isReadOnly}: OpenSessionOptions) {
	const {startLocalService} = await import('../../service/local.ts');
	try {
		return await startLocalService({...(dataFolder !== undefined && {dataFolder}), isMigrationAllowed: !isReadOnly});
	} catch (error) {
		throw withoutKeys(toSwitchboardError(error));
	}
}

/** Returns the error without keys: the reason that ends a thread is quoted, and may contain anything. */
function withoutKeys(error: SwitchboardError, apiKey?: string): SwitchboardError {
	const {kind, message, nextStep, cause} = error;
	const safe = removeKeys(message, [apiKey, ...secretsOf()]);
	return safe === message ? error : new SwitchboardError(kind, safe, {nextStep, cause});
}

function hostLabelOf(baseAddress: string): string {
	const {host, pathname} = new URL(baseAddress);
	return pathname === '/' ? host : host + pathname;
}
