import {createContext, useContext} from 'react';
import {CancelledError, type QueryClient} from '@tanstack/react-query';
import {type Client, type ResourceList} from '../../client/client.ts';
import {decodeList} from '../../interface/lists.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility, type Records, type Resource} from '../../interface/records.ts';
import {type LastSeen} from '../../settings/last-seen.ts';
import {type Severity} from '../state/severity.ts';
import {createOutsideChanges, type OutsideChanges, type OutsideChangesOptions} from './outside-changes.ts';
import {createQueryClient} from './query-client.ts';
import {createSessionMemory, type SessionMemory} from './session-memory.ts';
import {createSwitching, type Switching, type SwitchingOptions} from './switching.ts';
import {createToggleQueue, type ToggleQueue} from './toggle-queue.ts';
import {createUndoHistory, type UndoHistory} from './undo-history.ts';

/** A list of this run, or one that an earlier run stored. */
export type SeenList<Record_> = ResourceList<Record_> & {readonly isFromEarlierRun?: boolean};

/** One service and key as the hooks see them: the cache, the writes under way, the lists last seen. */
export type ServiceSession = {
	/** Tells sessions apart, also two of one profile. */
	readonly id: number;
	readonly client: Client;
	readonly queryClient: QueryClient;
	readonly toggles: ToggleQueue;
	readonly switching: Switching;
	/** Everything done here that the key for it can undo, or cannot. */
	readonly undoHistory: UndoHistory;
	/** What was changed elsewhere, as the lists show it. */
	readonly outside: OutsideChanges;
	/** What the screens keep of this session, such as forms that were left. */
	readonly memory: SessionMemory;
	/** What the person calls it: the profile, as it is called now, and where it is. */
	readonly profileName: string;
	readonly hostLabel: string;
	readonly isInsecure: boolean;
	/** Loads a list, for TanStack Query; keeps it as last seen. */
	load<R extends Resource>(resource: R, signal?: AbortSignal): Promise<SeenList<Records[R]>>;
	/** Reads a list now, in place of one that may be on its way, and whatever is on the screen meanwhile. Rejects where that fails. */
	readAgain(resource: Resource): Promise<void>;
	/** The profile is called otherwise from now on. */
	rename(profileName: string): void;
	/** Drops what is being read and gives up what belongs to the session alone, such as the bundled service. */
	close(): Promise<void>;
};

export type ServiceSessionOptions = {
	readonly client: Client;
	readonly profileName: string;
	readonly hostLabel: string;
	readonly isInsecure?: boolean;
	readonly lastSeen?: LastSeen | undefined;
	/** Called once, when the session is closed. */
	readonly onClose?: (() => Promise<void>) | undefined;
	/** Told of what becomes of switching, of undoing anything else, and of what was changed elsewhere. */
	readonly report: Pick<SwitchingOptions, 'cursorPlace' | 'onFailed' | 'onProgress' | 'onSummary'> & Partial<Pick<OutsideChangesOptions, 'onChanged'>> & {
		onUndo(level: Severity, text: string): void;
	};
};

/** What is kept for the account of a service beside the lists is kept under this. */
export const accountOf = ({client: {baseAddress}, profileName}: {readonly client: Pick<Client, 'baseAddress'>; readonly profileName: string}): string => `${baseAddress}\n${profileName}`;

/** Keys of the cache. */
export const resourceKeys = {
	list: (resource: Resource) => ['resource', resource, 'list'] as const,
};

/** A list last seen is shown as of a minute. */
const asOfStepMilliseconds = 60_000;

let sessionCount = 0;

const resources = ['agents', 'abilities', 'installed'] as const satisfies readonly Resource[];

const loaders: {readonly [R in Resource]: (client: Client, signal?: AbortSignal) => Promise<ResourceList<Records[R]>>} = {
	agents: async (client, signal) => client.listAgents(signal),
	abilities: async (client, signal) => client.listAbilities(signal),
	installed: async (client, signal) => client.listInstalled(signal),
};

const showLastSeen = (queryClient: QueryClient, lastSeen: LastSeen | undefined): void => {
	for (const resource of resources) {
		const stored = lastSeen?.load(resource);
		const list = stored === undefined ? undefined : decodeList(resource, stored.records);
		if (stored === undefined || list === undefined) {
			continue;
		}

		const seen: SeenList<unknown> = {...list, isComplete: true, isFromEarlierRun: true};
		queryClient.setQueryData(resourceKeys.list(resource), seen, {updatedAt: stored.fetchedAt});
		// However new it is, it is to be read in this run: at a quick restart as well.
		void queryClient.invalidateQueries({queryKey: resourceKeys.list(resource), refetchType: 'none'});
	}
};

/** Opens a service for the hooks, with the lists last seen in its cache. Nothing is asked for until a screen asks. */
export const createServiceSession = (options: ServiceSessionOptions): ServiceSession => {
	const {lastSeen} = options;
	let {profileName} = options;
	const queryClient = createQueryClient();
	const outside = createOutsideChanges({
		client: options.client,
		knownList(resource) {
			const list = queryClient.getQueryData<SeenList<Records[typeof resource]>>(resourceKeys.list(resource));
			return list?.isFromEarlierRun ? undefined : list;
		},
		onChanged(changes) {
			options.report.onChanged?.(changes);
		},
	});
	const {client} = outside;
	const installedKey = resourceKeys.list('installed');
	/** The lists that are among those last seen, and as of when. */
	const keptAt = new WeakMap<object, number>();
	const closing = new AbortController();
	showLastSeen(queryClient, lastSeen);

	/** The records of the list that was looked into last, by their ids: thousands are looked up for one key. */
	let index: {readonly records: readonly InstalledAbility[]; readonly byId: Map<number, InstalledAbility>} | undefined;

	const findInstalled = (id: number): InstalledAbility | undefined => {
		const {records = []} = installedList() ?? {};
		if (index?.records !== records) {
			index = {records, byId: new Map(records.toReversed().map(record => [record.id, record]))};
		}

		return index.byId.get(id);
	};

	const installedList = (): SeenList<InstalledAbility> | undefined => queryClient.getQueryData(installedKey);

	const keep = (resource: Resource, list: ResourceList<{readonly raw: Records[Resource]['raw']}>): void => {
		if (lastSeen === undefined || keptAt.has(list)) {
			return;
		}

		const fetchedAt = Date.now();
		keptAt.set(list, fetchedAt);
		// Not now: the list is to be on the screen first.
		setTimeout(() => {
			if (!closing.signal.aborted) {
				lastSeen.save(resource, {records: list.records.map(({raw}) => raw), fetchedAt});
			}
		}, 50);
	};

	/** A list that was changed here since it was read, or found unchanged for a while, was seen last as it is now. */
	const keepChanges = (): void => {
		for (const resource of resources) {
			const {data: list, dataUpdatedAt = 0} = queryClient.getQueryState<SeenList<Records[Resource]>>(resourceKeys.list(resource)) ?? {};
			if (list !== undefined && !list.isFromEarlierRun && dataUpdatedAt - (keptAt.get(list) ?? 0) >= asOfStepMilliseconds) {
				lastSeen?.update(resource, {records: list.records.map(({raw}) => raw), fetchedAt: dataUpdatedAt});
			}
		}
	};

	const load: ServiceSession['load'] = async (resource, signal) => {
		try {
			const list = await outside.watch(resource, async () => loaders[resource](client, signal), signal);
			keep(resource, list);
			if (resource === 'installed') {
				// Once the cache holds it.
				setImmediate(() => {
					toggles.handleFreshList();
					switching.handleList(installedList()?.records ?? []);
				});
			}

			return list;
		} catch (error) {
			if (resource === 'installed' && !signal?.aborted) {
				toggles.handleUnreadableList(toSwitchboardError(error));
			}

			throw error;
		}
	};

	const readAgain = async (resource: Resource): Promise<void> => {
		const queryKey = resourceKeys.list(resource);
		await queryClient.cancelQueries({queryKey});
		const updatedAt = (): number | undefined => queryClient.getQueryState(queryKey)?.dataUpdatedAt;
		const updatedBefore = updatedAt();
		// Another write may make it out of date on its way, or the screen that it was for be left: then it is cancelled, which
		// ends with the data of before, or throws where there was none. What is read next began later than this write too.
		while (updatedAt() === updatedBefore && !closing.signal.aborted) {
			try {
				// Else a list from the future, as after a clock was set back, would do.
				await queryClient.invalidateQueries({queryKey, refetchType: 'none'});
				await queryClient.query({queryKey, queryFn: async () => load(resource, closing.signal), staleTime: 0});
			} catch (error) {
				if (!(error instanceof CancelledError)) {
					throw error;
				}
			}
		}
	};

	/** Puts a settled record into the list; one that is on its way was made before and is dropped. */
	const settle = async (installed: InstalledAbility): Promise<void> => {
		const isReading = queryClient.isFetching({queryKey: installedKey}) > 0;
		await queryClient.cancelQueries({queryKey: installedKey});
		const updatedAt = queryClient.getQueryState(installedKey)?.dataUpdatedAt;
		queryClient.setQueryData<SeenList<InstalledAbility>>(
			installedKey,
			list => list && {...list, records: list.records.map(record => record.id === installed.id ? installed : record)},
			updatedAt === undefined ? {} : {updatedAt},
		);
		if (isReading && !closing.signal.aborted) {
			void queryClient.refetchQueries({queryKey: installedKey});
		}
	};

	const toggles = createToggleQueue({
		find(id) {
			const list = installedList();
			const installed = findInstalled(id);
			return installed && {installed, isFresh: !(list?.isFromEarlierRun ?? false)};
		},
		async setEnabled(installed, isEnabled) {
			const mutation = queryClient.getMutationCache().build(queryClient, {
				mutationKey: ['set-enabled', installed.id],
				mutationFn: async () => client.setEnabled(installed, isEnabled),
			});
			return mutation.execute(undefined);
		},
		settle,
		readAgain: async () => readAgain('installed'),
		needFreshList() {
			if (queryClient.isFetching({queryKey: installedKey}) === 0) {
				void queryClient.refetchQueries({queryKey: installedKey});
			}
		},
		doubtList() {
			if (queryClient.isFetching({queryKey: installedKey}) === 0 && queryClient.getQueryState(installedKey)?.status === 'success') {
				void queryClient.refetchQueries({queryKey: installedKey});
			}
		},
		onSettled(installed) {
			switching.handleSettled(installed);
		},
		onFailed(failure) {
			switching.handleFailed(failure);
		},
	});

	const undoHistory = createUndoHistory({say: options.report.onUndo});

	const switching = createSwitching({
		...options.report,
		toggles,
		history: undoHistory,
		shownOf(id) {
			const {installed, isWantedEnabled} = toggles.getIntents().get(id) ?? {};
			const record = installed ?? findInstalled(id);
			return record && {name: record.name, isEnabled: isWantedEnabled ?? record.isEnabled};
		},
	});

	return {
		id: ++sessionCount,
		client,
		queryClient,
		toggles,
		switching,
		undoHistory,
		outside,
		memory: createSessionMemory(),
		get profileName() {
			return profileName;
		},
		rename(newName) {
			profileName = newName;
		},
		hostLabel: options.hostLabel,
		isInsecure: options.isInsecure ?? false,
		load,
		readAgain,
		async close() {
			if (closing.signal.aborted) {
				return;
			}

			closing.abort();
			outside.close();
			keepChanges();
			await queryClient.cancelQueries();
			queryClient.clear();
			await options.onClose?.();
		},
	};
};

export const ServiceSessionContext = createContext<ServiceSession | undefined>(undefined);

export const useServiceSession = (): ServiceSession => {
	const session = useContext(ServiceSessionContext);
	if (session === undefined) {
		throw new TypeError('This hook needs a service session above it');
	}

	return session;
};
