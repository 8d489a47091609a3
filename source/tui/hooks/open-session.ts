import {type RequestLogEntry} from '../../client/client.ts';
import {openLastSeenOf} from '../../settings/last-seen.ts';
import {localProfileName} from '../../settings/profile.ts';
import {type RemoteTarget, type Target} from '../../settings/target.ts';
import {createDeferredClient} from './deferred-client.ts';
import {unnamedProfile} from './profile-label.ts';
import {createServiceSession, type ServiceSession, type ServiceSessionOptions} from './service-session.ts';

export type OpenSessionOptions = Pick<ServiceSessionOptions, 'report'> & {
	readonly target: Target;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** Names the key when it is refused. */
	readonly nameKeyOf?: ((target: RemoteTarget) => string) | undefined;
	/** Replaces the error of an operation: the session knows where its key came from. */
	readonly explainError?: ((error: unknown, target: RemoteTarget) => unknown) | undefined;
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

const startLocal = async (dataFolder: string | undefined) => {
	const {startLocalService} = await import('../../service/local.ts');
	return startLocalService(dataFolder === undefined ? {} : {dataFolder});
};

const openLocal = (options: OpenSessionOptions): ServiceSession => {
	let service: ReturnType<typeof startLocal> | undefined;
	const client = createDeferredClient('local', async () => {
		service = startLocal(options.dataFolder);
		const [{baseAddress, apiKey}, {connect}] = await Promise.all([service, import('../../client/client.ts')]);
		return connect({
			...options, baseAddress, apiKey, retries,
		});
	});
	return createServiceSession({
		...options,
		client,
		profileName: localProfileName,
		hostLabel: 'this machine',
		lastSeen: openLastSeenOf(options.target, options),
		async onClose() {
			try {
				const running = await service;
				await running?.close();
			} catch {
				// It never started, which the screens have reported.
			}
		},
	});
};

/** Opens the service of a target for the hooks. Nothing is loaded or requested until a screen asks. */
export const openSession = (options: OpenSessionOptions): ServiceSession => {
	const {target} = options;
	if (target.kind === 'local') {
		return openLocal(options);
	}

	const {baseAddress, apiKey, profileName, isInsecureHttp} = target;
	return createServiceSession({
		...options,
		client: createDeferredClient(baseAddress, async () => {
			const {connect} = await import('../../client/client.ts');
			return connect({
				...options, baseAddress, apiKey, retries, keyName: () => options.nameKeyOf?.(target) ?? 'the API key',
			});
		}, error => options.explainError?.(error, target) ?? error),
		profileName: profileName ?? unnamedProfile,
		hostLabel: hostLabelOf(baseAddress),
		isInsecure: isInsecureHttp,
		lastSeen: openLastSeenOf(target, options),
	});
};
