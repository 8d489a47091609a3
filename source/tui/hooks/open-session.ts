import {type RequestLogEntry} from '../../client/client.ts';
import {openLastSeen} from '../../settings/last-seen.ts';
import {localProfileName} from '../../settings/profile.ts';
import {type RemoteTarget, type Target} from '../../settings/target.ts';
import {createDeferredClient} from './deferred-client.ts';
import {createServiceSession, type ServiceSession, type ServiceSessionOptions} from './service-session.ts';

export type OpenSessionOptions = Pick<ServiceSessionOptions, 'report'> & {
	readonly target: Target;
	readonly isReadOnly: boolean;
	readonly isInsecureHttpAllowed: boolean;
	readonly timeoutMilliseconds?: number | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** What the key is called where it is refused. */
	readonly nameKeyOf?: ((target: RemoteTarget) => string) | undefined;
	/** What is thrown in place of an operation's error: the session knows where its key came from. */
	readonly explainError?: ((error: unknown, target: RemoteTarget) => unknown) | undefined;
	/** Where the bundled service keeps its data, where the lists last seen are; the platform's own folders by default. */
	readonly dataFolder?: string | undefined;
	readonly cacheFolder?: string | undefined;
};

/** What a service is called where it has no profile: its address and key came from the environment or an option. */
const unnamedProfile = 'environment';

const hostLabelOf = (baseAddress: string): string => {
	const {host, pathname} = new URL(baseAddress);
	return pathname === '/' ? host : host + pathname;
};

/** Reads are tried once more by themselves; a write never is: a key repeats it. */
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
		// Its key and port are others at each start.
		lastSeen: openLastSeen({baseAddress: localProfileName, apiKey: localProfileName, cacheFolder: options.cacheFolder}),
		async onClose() {
			try {
				const running = await service;
				await running?.close();
			} catch {
				// It never started; the screens said so.
			}
		},
	});
};

/** Opens the service of a target for the hooks. Nothing is loaded or asked for until the screens ask. */
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
		lastSeen: openLastSeen({baseAddress, apiKey, cacheFolder: options.cacheFolder}),
	});
};
