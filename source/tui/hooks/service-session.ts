import {createContext, useContext} from 'react';
import {type Query, type QueryClient} from '@tanstack/react-query';
import {type Client} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {type LastSeen} from '../../settings/last-seen.ts';
import {presetAccountOfProfile} from '../../settings/preset-account.ts';
import {accountNameOf} from '../../settings/prompt-drafts.ts';
import {keepPrompts, openPromptJournal} from '../../settings/prompt-journal.ts';
import {type Question} from '../state/overlays.ts';
import {type Severity} from '../state/severity.ts';
import {createChangeFeed, type ChangeFeed} from './change-feed.ts';
import {openLastSeenLists, type LastSeenLists} from './last-seen-lists.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';
import {createOutsideChanges, type OutsideChanges, type OutsideChangesOptions} from './outside-changes.ts';
import {createOwnVersions, type OwnVersions} from './own-versions.ts';
import {createQueryClient} from './query-client.ts';
import {seenRecords} from './seen-records.ts';
import {createSessionLists, type SessionLists} from './session-lists.ts';
import {createSessionMemory, type SessionMemory} from './session-memory.ts';
import {createSessionSwitching, type SessionSwitchingOptions} from './session-switching.ts';
import {type Switching} from './switching.ts';
import {type ToggleQueue} from './toggle-queue.ts';
import {createUndoHistory, type UndoHistory} from './undo-history.ts';

/** One service and key as the hooks see them: the cache, the writes under way, the lists last seen. */
export type ServiceSession = SessionLists & Pick<LastSeenLists, 'saveScreen' | 'removeScreen'> & {
	/** Tells sessions apart, also two of one profile. */
	readonly id: number;
	readonly client: Client;
	readonly queryClient: QueryClient;
	readonly toggles: ToggleQueue;
	readonly switching: Switching;
	/** What was done in this session, so that it can be undone. */
	readonly undoHistory: UndoHistory;
	/** What was changed elsewhere, as the lists show it. */
	readonly outside: OutsideChanges;
	/** What the service tells of changes. */
	readonly changeFeed: ChangeFeed;
	/** What the screens keep of this session, such as forms that were left. */
	readonly memory: SessionMemory;
	/** The current name of its profile. */
	readonly profileName: string;
	/** Names the account whose presets, and whose journal, are used. */
	readonly presetAccount: string;
	/** Asks the person, and resolves with whether the answer is Yes: it is No too while they do something else. */
	confirm(question: Omit<Question, 'onYes' | 'onNo'>): Promise<boolean>;
	readonly hostLabel: string;
	readonly isInsecure: boolean;
	/** Starts a bundled service that stays down; returns false if there is none. */
	startAgain(): boolean;
	/** Takes the new name of the profile. */
	rename(profileName: string): void;
	/** Cancels what is being read and releases what belongs to the session alone, such as the bundled service. */
	close(): Promise<void>;
};

export type ServiceSessionOptions = {
	readonly client: Client;
	readonly profileName: string;
	/** The account of a key without a profile, for its presets and its journal. */
	readonly presetAccount?: string | undefined;
	/** The folder of the journals; that of the platform by default. */
	readonly stateFolder?: string | undefined;
	/** True if no message may name a path of this machine. */
	readonly isOverSsh?: boolean | undefined;
	readonly hostLabel: string;
	readonly isInsecure?: boolean;
	readonly lastSeen?: LastSeen | undefined;
	/** Told by the client of the answers to changes. */
	readonly ownVersions?: OwnVersions | undefined;
	readonly startAgain?: (() => boolean) | undefined;
	/** Called once, when the session is closed. */
	readonly onClose?: (() => Promise<void>) | undefined;
	/** Called with the outcome of switching and undoing, and with what was changed elsewhere. */
	readonly report: Pick<SessionSwitchingOptions, 'cursorKey' | 'onStart' | 'onSwitched' | 'onFailed' | 'onProgress' | 'onSummary'> & Partial<Pick<OutsideChangesOptions, 'onChanged'>> & {
		/** Called when a list was read. */
		onRead?(resource: Resource): void;
		onUndo(level: Severity, text: string): void;
		confirm: ServiceSession['confirm'];
		/** Called when the bundled service has stopped by itself: it was started again, or stays down. */
		onService?(text: string, state: 'started' | 'down'): void;
	};
};

/** The name under which data of an account is kept, beside its lists. */
export const accountOf = ({client: {baseAddress}, profileName}: {readonly client: Pick<Client, 'baseAddress'>; readonly profileName: string}): string => accountNameOf({baseAddress, profileName});

const isKeyRefused = (error: unknown): boolean => error instanceof SwitchboardError && error.kind === 'key-refused';

/** Reads the lists on the screen when a change is refused for its key: they say what has become of it, and would else be shown as up to date. */
const readListsOnceRefused = (queryClient: QueryClient): void => {
	queryClient.getMutationCache().subscribe(({type, mutation}) => {
		const shown = {type: 'active', predicate: ({state}: Query) => !isKeyRefused(state.error)} as const;
		if (type === 'updated' && mutation.state.status === 'error' && isKeyRefused(mutation.state.error)) {
			void queryClient.invalidateQueries(shown, {cancelRefetch: false});
		}
	});
};

let sessionCount = 0;

/** Opens a service for the hooks, with the lists last seen in its cache. Nothing is requested until a screen asks. */
export const createServiceSession = (options: ServiceSessionOptions): ServiceSession => {
	const {report} = options;
	let {profileName} = options;
	const queryClient = createQueryClient();
	const presetAccount = (): string => options.presetAccount ?? presetAccountOfProfile({baseAddress: options.client.baseAddress, profileName});
	const outside = createOutsideChanges({
		client: keepPrompts(options.client, {
			openJournal: () => openPromptJournal(presetAccount(), {stateFolder: options.stateFolder, arePathsShown: !options.isOverSsh}),
			via: 'screen',
			note() {/* The person was asked. */},
		}),
		knownList(resource) {
			const list = queryClient.getQueryData<SeenList<Records[typeof resource]>>(resourceKeys.list(resource));
			return list?.isFromEarlierRun ? undefined : list;
		},
		onChanged(changes) {
			report.onChanged?.(changes);
		},
	});
	const {client} = outside;
	const closing = new AbortController();
	const lastSeenLists = openLastSeenLists(queryClient, options.lastSeen);
	const undoHistory = createUndoHistory({say: report.onUndo});
	readListsOnceRefused(queryClient);
	const changeFeed = createChangeFeed({
		client,
		queryClient,
		ownVersions: options.ownVersions ?? createOwnVersions(),
		closing: closing.signal,
	});
	const lists = createSessionLists({
		queryClient,
		outside,
		lastSeenLists,
		closing: closing.signal,
		onRead(resource) {
			changeFeed.handleRead(resource);
			report.onRead?.(resource);
		},
		installed: {
			onAnswered() {
				toggles.catchUp();
			},
			onRead() {
				toggles.handleFreshList();
				switching.handleList(seenRecords({queryClient}, 'installed') ?? []);
			},
			onUnreadable(error) {
				toggles.handleUnreadableList(error);
			},
		},
	});
	const {toggles, switching} = createSessionSwitching({
		...report,
		client,
		queryClient,
		closing: closing.signal,
		history: undoHistory,
		readAgain: async () => lists.readAgain('installed'),
	});

	return {
		...lists,
		saveScreen: lastSeenLists.saveScreen,
		removeScreen: lastSeenLists.removeScreen,
		id: ++sessionCount,
		client,
		queryClient,
		toggles,
		switching,
		undoHistory,
		outside,
		changeFeed,
		memory: createSessionMemory(),
		get profileName() {
			return profileName;
		},
		get presetAccount() {
			return presetAccount();
		},
		confirm: report.confirm,
		startAgain: () => options.startAgain?.() ?? false,
		rename(newName) {
			profileName = newName;
		},
		hostLabel: options.hostLabel,
		isInsecure: options.isInsecure ?? false,
		async close() {
			if (closing.signal.aborted) {
				return;
			}

			closing.abort();
			toggles.catchUp();
			outside.close();
			lastSeenLists.close();
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
