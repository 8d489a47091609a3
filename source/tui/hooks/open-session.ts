import {type RequestLogEntry} from '../../client/client.ts';
import {type Connection} from '../../client/connection.ts';
import {removeKeys} from '../../client/redact-key.ts';
import {errorText, SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {secretsOf} from '../../platform/key-variables.ts';
import {openLastSeenOf} from '../../settings/last-seen.ts';
import {presetAccountOf} from '../../settings/preset-account.ts';
import {localProfileName} from '../../settings/profile.ts';
import {type RemoteTarget, type Target} from '../../settings/target.ts';
import {createDeferredClient} from './deferred-client.ts';
import {keepService} from './kept-service.ts';
import {createOwnVersions, type OwnVersions} from './own-versions.ts';
import {unnamedProfile} from './profile-label.ts';
import {createServiceSession, type ServiceSession, type ServiceSessionOptions} from './service-session.ts';

export type OpenSessionOptions = Pick<ServiceSessionOptions, 'report' | 'stateFolder' | 'isOverSsh'> & {
	readonly target: Target;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** Names the key when it is refused. */
	readonly nameKeyOf?: ((target: RemoteTarget) => string) | undefined;
	/** Replaces the error of an operation: the session knows where its key came from. */
	readonly explainError?: ((error: unknown, target: RemoteTarget) => unknown) | undefined;
	/** The key that reads the lists again, and starts a bundled service that stays down. */
	readonly refreshKey: string;
	/** Folders for the data of the bundled service and for the lists last seen; those of the platform by default. */
	readonly dataFolder?: string | undefined;
	readonly cacheFolder?: string | undefined;
};

const hostLabelOf = (baseAddress: string): string => {
	const {host, pathname} = new URL(baseAddress);
	return pathname === '/' ? host : host + pathname;
};

/** Reads are retried once. Writes never are: the person retries them with a key. */
const retries = {reads: 1, writes: 0};

/** The connection is made once: by the first call. */
const once = (connect: () => Promise<Connection>): (() => Promise<Connection>) => {
	let connection: Promise<Connection> | undefined;
	return async () => {
		connection ??= connect();
		return connection;
	};
};

/** The error without keys: what ends a thread is quoted, and it may quote anything. */
const withoutKeys = (error: SwitchboardError, apiKey?: string): SwitchboardError => {
	const {kind, message, nextStep, cause} = error;
	const safe = removeKeys(message, [apiKey, ...secretsOf()]);
	return safe === message ? error : new SwitchboardError(kind, safe, {nextStep, cause});
};

const startService = async ({dataFolder, isReadOnly}: OpenSessionOptions) => {
	const {startLocalService} = await import('../../service/local.ts');
	try {
		return await startLocalService({...(dataFolder !== undefined && {dataFolder}), isMigrationAllowed: !isReadOnly});
	} catch (error) {
		throw withoutKeys(toSwitchboardError(error));
	}
};

/** Starts the bundled service, which has another address and key at each start, and connects to it. */
const startLocal = async (options: OpenSessionOptions, {handleAnswer}: OwnVersions) => {
	const [service, {connect}] = await Promise.all([startService(options), import('../../client/client.ts')]);
	const {baseAddress, apiKey} = service;
	return {
		...service,
		stopped: service.stopped.then(reason => reason && withoutKeys(reason, apiKey)),
		connection: connect({
			...options, baseAddress, apiKey, retries, onChanged: handleAnswer,
		}),
	};
};

const openLocal = (options: OpenSessionOptions): ServiceSession => {
	const ownVersions = createOwnVersions();
	const service = keepService({
		start: async () => startLocal(options, ownVersions),
		startKey: options.refreshKey,
		onRestarted({message}) {
			options.report.onService?.(`${message} It was started again.`, 'started');
			void session.queryClient.refetchQueries({type: 'active'});
		},
		onDown(error) {
			options.report.onService?.(errorText(error), 'down');
			// They show that they are no longer live.
			void session.queryClient.refetchQueries({type: 'active'});
		},
	});
	const session = createServiceSession({
		...options,
		client: createDeferredClient('local', async () => {
			const {connection} = await service.running();
			return connection;
		}),
		ownVersions,
		profileName: localProfileName,
		hostLabel: 'this machine',
		lastSeen: openLastSeenOf(options.target, options),
		startAgain: service.startAgain,
		onClose: service.close,
	});
	return session;
};

/** Opens the service of a target for the hooks. Nothing is loaded or requested until a screen asks. */
export const openSession = (options: OpenSessionOptions): ServiceSession => {
	const {target} = options;
	if (target.kind === 'local') {
		return openLocal(options);
	}

	const {baseAddress, apiKey, profileName, isInsecureHttp} = target;
	const closing = new AbortController();
	const ownVersions = createOwnVersions();
	return createServiceSession({
		...options,
		ownVersions,
		client: createDeferredClient(baseAddress, once(async () => {
			const {connect} = await import('../../client/client.ts');
			return connect({
				...options, baseAddress, apiKey, retries, onChanged: ownVersions.handleAnswer, signal: closing.signal, keyName: () => options.nameKeyOf?.(target) ?? 'the API key',
			});
		}), error => options.explainError?.(error, target) ?? error),
		profileName: profileName ?? unnamedProfile,
		presetAccount: profileName === undefined ? presetAccountOf(target) : undefined,
		hostLabel: hostLabelOf(baseAddress),
		isInsecure: isInsecureHttp,
		async onClose() {
			// A process that serves others would wait for the answers.
			closing.abort();
		},
		lastSeen: openLastSeenOf(target, options),
	});
};
