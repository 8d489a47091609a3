import {CancelledError, type Query, type QueryClient} from '@tanstack/react-query';
import {createContext, useContext} from 'react';
import {findField, plainValue, resourceOf} from '../../changes/fields.ts';
import {ChangeQueue, sendValues, type Outcome} from '../../changes/queue.ts';
import type {Client} from '../../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {KeyLimits, Person} from '../../interface/key-rights.ts';
import {cleanName, type DecodedRecord, type InstalledAbility, type Records, type Resource} from '../../interface/records.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {makeRoomForList} from '../../platform/engine.ts';
import {beginSession, endSession} from '../../platform/sessions.ts';
import {accountNameOf, presetAccountOfProfile} from '../../settings/account.ts';
import type {LastSeen} from '../../settings/last-seen.ts';
import {openLog, type ChangeLog} from '../../changes/log.ts';
import {recordChanges} from '../../changes/recorded-client.ts';
import {localProfileName} from '../../settings/profile.ts';
import {ownTimeZone, type TimeZone} from '../../words/time-zone.ts';
import {createObservable} from '../observable.ts';
import type {Question} from '../state/app-state.ts';
import {changeWords, createLately, switchedWords, earlierChanges, earlierCount, type LateChange} from './lately.ts';
import type {Say} from '../state/messages.ts';
import {createThrottle} from '../../platform/timers.ts';
import type {HistoryEntry} from '../../interface/history.ts';
import {createChangeFeed} from './change-feed.ts';
import {changeList, createQueryClient, openLastSeenLists, queueKey, resourceKeys, type SeenList} from './list-cache.ts';
import {agreeToUndo, createOvertakings} from './overtaken.ts';
import {enterAccount} from './people.ts';
import {createSessionLog} from './session-log.ts';
import {createOutsideChanges} from './outside-changes.ts';
import {createSwitchCheck} from './switch-check.ts';
import {createTimerKeeping} from './timer-keeping.ts';
import {createTimers, shownTimer} from './timers.ts';
import {createSwitching, wantedState, type SwitchChange, type SwitchingOptions, type SwitchIntents} from './switching.ts';
import {createUndoHistory} from './undo-history.ts';
import {createWhoChanged} from './who-changed.ts';

/** A typed key of a session's memory, compared by identity. */
export type MemoryKey<Value> = {
	/** Creates the value on first use. */
	readonly create: () => Value;
};

export type ServiceSessionOptions = {
	readonly client: Client;
	readonly profileName: string;
	/** The account of a key without a profile, for its presets and its log. */
	readonly presetAccount?: string | undefined;
	/** The folder of the logs; that of the platform by default. */
	readonly stateFolder?: string | undefined;
	/** True if no message may name a path of this machine. */
	readonly isOverSsh?: boolean | undefined;
	/** True if the session changes nothing, and keeps no timers. */
	readonly isReadOnly?: boolean | undefined;
	/** The zone of the person; that of this process by default. */
	readonly timeZone?: TimeZone | undefined;
	/** The person, if they came over SSH. */
	readonly person?: Person | undefined;
	/** A hash of their key. */
	readonly personId?: string | undefined;
	readonly hostLabel: string;
	readonly isInsecure?: boolean;
	readonly lastSeen?: LastSeen | undefined;
	readonly startAgain?: (() => boolean) | undefined;
	/** Called once, when the session is closed. */
	readonly onClose?: (() => Promise<void>) | undefined;
	/** Called with the outcome of switching and undoing, and with changes made elsewhere. */
	readonly report: Pick<SwitchingOptions, 'cursorKey' | 'onStart' | 'onSwitched' | 'onFailed' | 'onProgress' | 'onSummary'> & {
		/**
			Called with changes by somebody else, once it is known who that was, and with the list that shows them; `by` is `undefined` if
			nobody says it.
			*/
		onChangedByOther?(changes: readonly RecordChange[], by: string | undefined, records: readonly DecodedRecord[]): void;
		/** Called with changes of this session, but for switches, and of other windows. */
		onOwn?(words: Pick<LateChange, 'subject' | 'what'>): void;
		onRead?(resource: Resource): void;
		readonly say: Say;
		/**
			Asks the person. Resolves with whether the answer is Yes, or with `undefined`, which also counts as No, while they do something
			else.
			*/
		confirm(question: Omit<Question, 'onYes' | 'onNo'>): Promise<boolean | undefined>;
	};
};

/** Answers within this time are drawn together. */
const answersMilliseconds = 50;

/** A change is noted after the frame that shows it, together with others shortly after. */
const recordMilliseconds = 200;

/** The log is read, and timers are kept, after the frame that shows the first list. */
const fillMilliseconds = 100;

const isKeyRefused = (error: unknown): boolean => error instanceof SwitchboardError && error.kind === 'key-refused';

let sessionCount = 0;

/**
Opens a service and a key for the hooks: the cache with the lists last seen, the writes under way, and the history for undo. Nothing is
requested until a screen asks for it.
*/
export function createServiceSession(options: ServiceSessionOptions) {
	const {timeZone = ownTimeZone} = options;
	const {report} = options;
	let {profileName} = options;
	const queryClient = createQueryClient();
	const closing = new AbortController();
	const memories = new Map<MemoryKey<unknown>, unknown>();
	const lastSeenLists = openLastSeenLists(queryClient, options.lastSeen);
	const undoHistory = createUndoHistory({say: report.say});
	const lately = createLately(words => report.onOwn?.(words));
	const leaving = createObservable(0);
	const keyLimits = createObservable<KeyLimits | undefined>(undefined);
	readListsOnceRefused(queryClient);

	const listOf = <R extends Resource>(resource: R): SeenList<Records[R]> | undefined =>
		queryClient.getQueryData(resourceKeys.list(resource));
	const presetAccount = (): string =>
		options.presetAccount ?? presetAccountOfProfile({baseAddress: options.client.baseAddress, profileName});

	/** The list that shows each change made elsewhere, until it is known who made it. */
	const listsWith = new WeakMap<RecordChange, readonly DecodedRecord[]>();
	const outside = createOutsideChanges({
		knownList(resource) {
			const list = listOf(resource);
			return list?.isFromEarlierRun ? undefined : list;
		},
		onChanged(changes, since, records) {
			for (const change of changes) {
				listsWith.set(change, records);
			}

			whoChanged.add(changes);
			recorded.noteSeen(changes, since);
			overtakings.handleSeen(changes);
		},
		onDenied(changes) {
			for (const {from, to, ...change} of changes) {
				const name = change.field === 'name' ? plainValue(to) : change.name;
				const [made] = changeWords([{...change, name, from: to, to: from}], timeZone);
				const {noun} = findField(resourceOf[change.kind], change.field)!;
				lately.replace(
					lately
						.get()
						.filter(({by, subject, what}) => by === 'you' && subject === made!.subject && what === made!.what)
						.slice(0, 1),
					[],
				);
				report.say('error', `The service accepted the change, but still shows the former ${noun} of ${cleanName(name)}.`);
			}
		},
		isOwnSwitch({kind, record: id, field, to}) {
			const {error, isWantedEnabled} = switching.getFailures().get(id) ?? {};
			const isLate = error?.kind === 'no-effect' && to === isWantedEnabled;
			return kind === 'installed' && field === 'enabled' && (isLate || findInstalled(id)?.isUnconfirmed === true);
		},
	});
	let openedLog: {readonly account: string; readonly opened: ChangeLog} | undefined;

	const openOwnLog = (): ChangeLog => {
		const account = presetAccount();
		if (openedLog?.account !== account) {
			openedLog = {account, opened: openLog(account, {stateFolder: options.stateFolder, arePathsShown: !options.isOverSsh})};
		}

		return openedLog.opened;
	};

	const sessionName = beginSession();
	const leaveAccount = options.person && options.lastSeen && enterAccount(options.lastSeen.account, options.person.name);
	const timerKeeping = createTimerKeeping({
		client: options.client,
		openLog: openOwnLog,
		person: options.person?.name,
		personId: options.personId,
		isLocal: profileName === localProfileName,
		mayKeep: () => !options.isOverSsh && !options.isReadOnly && keyLimits.get()?.rights !== 'read-only',
		installed: () => seen('installed'),
		readAgain: async () => readAgain('installed'),
		onLeft: () => report.onRead?.('installed'),
		say: report.say,
		closing: closing.signal,
	});

	const recorded = recordChanges(timerKeeping.client, {
		openLog: openOwnLog,
		by: options.person?.name,
		via: 'screen',
		session: sessionName,
		personId: options.personId,
		note() {
			/* The person was asked. */
		},
		noteMissing: text => report.say('warning', text),
		delayMilliseconds: recordMilliseconds,
	});
	const {history} = recorded;
	const log = createSessionLog({openLog: openOwnLog, recorded, personId: options.personId, session: sessionName});
	const overtakings = createOvertakings(id => findInstalled(id));
	const client = outside.recorded(recorded.client);
	const whoChanged = createWhoChanged({history, lately, ownKeysOf: log.ownKeysOf, onOwn: outside.pass, closing: closing.signal, timeZone});
	whoChanged.newest.subscribe(() => {
		const {by, changes} = whoChanged.newest.get()!;
		report.onChangedByOther?.(changes, by, listsWith.get(changes[0]!)!);
	});
	const changeFeed = createChangeFeed({client, queryClient, outside, closing: closing.signal});
	changeFeed.announced.subscribe(() => {
		const change = changeFeed.announced.get()!;
		whoChanged.handleChange(change);
		if (change.history !== undefined && filledFrom !== 'history') {
			filledFrom = 'history';
			void fillFromHistory();
		}
	});

	let filledFrom: 'log' | 'history' | undefined;
	let earlierEntries: readonly HistoryEntry[] | undefined;

	/** Adds the changes from before this session to the last ones: those of the service's history if it was read, else those of the log. */
	const fillLately = (): void => {
		try {
			const {logged, undoable} = log.recent();
			const entries = earlierEntries ?? logged.slice(0, earlierCount);
			lately.fill(earlierChanges({entries, logged, undoable, personId: options.personId, timeZone}));
		} catch {
			// Undo and the history say that the log cannot be read.
		}
	};

	const fillFromHistory = async (): Promise<void> => {
		try {
			({entries: earlierEntries} = await history.read({limit: earlierCount}, closing.signal));
			fillLately();
		} catch {
			// The changes of the log stay. If the service is away, the lists say so.
		}
	};

	/** The last switch of each record among the last changes. */
	const lateSwitches = new Map<number, {readonly late: LateChange; readonly changes: readonly SwitchChange[]}>();

	/** Removes the last switch of a record, which had no effect, from the last changes. */
	const withdrawLate = (id: number): void => {
		const {late, changes = []} = lateSwitches.get(id) ?? {};
		const left = changes.filter(change => change.id !== id);
		if (late === undefined) {
			return;
		}

		const rest = left.length === 0 ? [] : [{...late, ...switchedWords(left)}];
		lately.replace([late], rest);
		for (const change of left) {
			lateSwitches.set(change.id, {late: rest[0]!, changes: left});
		}
	};

	/** Loads a list for TanStack Query, and stores it for the next run. */
	const load = async <R extends Resource>(resource: R, signal?: AbortSignal): Promise<SeenList<Records[R]>> => {
		const isOfSwitches = resource === 'installed';
		const checkSwitches = isOfSwitches ? beginSwitchCheck() : undefined;
		let checked: ReturnType<NonNullable<typeof checkSwitches>> | undefined;
		try {
			const list = await outside.watch(
				resource,
				async () => {
					const answer: SeenList<Records[R]> = await client.list(resource, signal, listOf(resource));
					keyLimits.set(await client.getKeyLimits());
					makeRoomForList(answer.records.length);
					if (isOfSwitches) {
						queue.catchUp();
					}

					checked = checkSwitches?.(answer.records as readonly InstalledAbility[]);
					const kept = checked?.kept ?? new Map<number, unknown>();
					if (kept.size > 0) {
						// The service's tag belongs to the service's records.
						return {
							...answer,
							records: answer.records.map(record => (kept.get(record.id) as Records[R] | undefined) ?? record),
							entityTag: undefined,
						};
					}

					// Once confirmed, the list counts as this run's.
					return answer.isFromEarlierRun ? {...answer, isFromEarlierRun: false} : answer;
				},
				signal,
			);
			if (!closing.signal.aborted) {
				lastSeenLists.handleRead(resource, list);
				void changeFeed.follow();
				if (filledFrom === undefined) {
					filledFrom = 'log';
					setTimeout(fillLately, fillMilliseconds).unref();
				}

				report.onRead?.(resource);
			}

			if (isOfSwitches) {
				setTimeout(() => {
					void timerKeeping.keep();
				}, fillMilliseconds).unref();
				setImmediate(() => {
					// A cancelled read has not changed the cache, which may be older than a change that has failed since.
					if (listOf(resource) !== list) {
						return;
					}

					queue.handleFreshList(resource);
					for (const {installed, isWantedEnabled} of checked?.denied ?? []) {
						switching.handleNoEffect(installed, isWantedEnabled);
						withdrawLate(installed.id);
					}

					switching.handleList(listOf('installed')?.records ?? []);
				});
			}

			return list;
		} catch (error) {
			if (isOfSwitches && !signal?.aborted) {
				queue.handleUnreadableList(resource, toSwitchboardError(error));
			}

			throw error;
		}
	};

	/** Reads a list now, instead of a read that may be under way, even if no screen shows it. Rejects if that fails. */
	const readAgain = async (resource: Resource): Promise<void> => {
		const queryKey = resourceKeys.list(resource);
		await queryClient.cancelQueries({queryKey});
		const updatedAt = (): number | undefined => queryClient.getQueryState(queryKey)?.dataUpdatedAt;
		const updatedBefore = updatedAt();
		// Another write may cancel the read because it is out of date, or its screen may be left: the old data is then returned, or an
		// error thrown if there is none. The next read begins after this write too.
		while (updatedAt() === updatedBefore && !closing.signal.aborted) {
			try {
				// Otherwise a list from the future, for example after the clock was set back, would count as fresh.
				await queryClient.invalidateQueries({queryKey, refetchType: 'none'});
				await queryClient.query({queryKey, queryFn: async () => load(resource, closing.signal), staleTime: 0});
			} catch (error) {
				if (!(error instanceof CancelledError)) {
					throw error;
				}
			}
		}
	};

	/** The records of the list by id, because one key may look up thousands. */
	let index: {readonly records: readonly InstalledAbility[]; readonly byId: ReadonlyMap<number, InstalledAbility>} | undefined;

	const findInstalled = (id: number): InstalledAbility | undefined => {
		const {records = []} = listOf('installed') ?? {};
		if (index?.records !== records) {
			index = {records, byId: new Map(records.map(record => [record.id, record]))};
		}

		return index.byId.get(id);
	};

	/** Returns the records of a list from the cache, without a request; `undefined` if it has none. */
	const seen = <R extends Resource>(resource: R) => listOf(resource)?.records;
	const isReading = (resource: Resource): boolean => queryClient.isFetching({queryKey: resourceKeys.list(resource)}) > 0;
	const refetch = (resource: Resource): void => {
		void queryClient.refetchQueries({queryKey: resourceKeys.list(resource)});
	};

	const queue = new ChangeQueue({
		find: (resource, id) =>
			resource === 'installed' ? (findInstalled(id) as never) : listOf(resource)?.records.find(record => record.id === id),
		isListFresh: resource => !(listOf(resource)?.isFromEarlierRun ?? false),
		async send(resource, record, values, group = recorded.newGroup()) {
			const mutation = queryClient
				.getMutationCache()
				.build(queryClient, {
					mutationKey: [queueKey, resource, record.id],
					mutationFn: async () => recorded.within(group, async () => sendValues(client, resource, record, values)),
				});
			return mutation.execute(undefined);
		},
		settle(resource, settled) {
			const byId = new Map(settled.map(record => [record.id, record]));
			const wasReading = isReading(resource);
			void changeList(queryClient, resource, records => records.map(record => byId.get(record.id) ?? record));
			if (wasReading && !closing.signal.aborted) {
				refetch(resource);
			}
		},
		readAgain,
		requestList(resource) {
			if (!isReading(resource)) {
				refetch(resource);
			}
		},
		recheckList(resource) {
			if (!isReading(resource) && queryClient.getQueryState(resourceKeys.list(resource))?.status === 'success') {
				refetch(resource);
			}
		},
		onOutcomes(outcomes) {
			overtakings.handleOutcomes(outcomes);
			switching.handleOutcomes(
				outcomes.filter(
					(outcome): outcome is Outcome<'installed'> => outcome.resource === 'installed' && outcome.values.enabled !== undefined,
				),
			);
		},
		throttle: handle => createThrottle(handle, answersMilliseconds).run,
	});
	const switchIntents = (): SwitchIntents => queue.intents('installed', 'enabled');

	const beginSwitchCheck = createSwitchCheck({
		shownRecords: () => listOf('installed')?.records ?? [],
		isPending: id => switchIntents().has(id),
		readAgain() {
			if (!closing.signal.aborted) {
				// If the service is away, the lists say so.
				readAgain('installed').catch(() => undefined);
			}
		},
	});

	const shownRecord = (id: number) => {
		const intent = switchIntents().get(id);
		const record = intent?.record ?? findInstalled(id);
		return (
			record && {
				name: record.name,
				isEnabled: intent === undefined ? record.isEnabled : wantedState(intent),
				timer: shownTimer(record, intent ?? queue.intents('installed', 'timer').get(id)),
			}
		);
	};

	const switching = createSwitching({
		...report,
		timeZone,
		onSwitched(changes, done) {
			if (changes.length > 0) {
				const [late] = lately.add('you', [switchedWords(changes)], {done, isSwitch: true});
				for (const {id} of changes) {
					lateSwitches.set(id, {late: late!, changes});
				}

				whoChanged.forget(
					'installed',
					changes.map(({id}) => id),
				);
			}

			report.onSwitched(changes, done);
		},
		history: undoHistory,
		newGroup: recorded.newGroup,
		mayBeOvertaken: overtakings.isPossible,
		async agreeToUndo(groups) {
			return agreeToUndo({records: {readAgain, seen}, changes: {log, confirm: report.confirm}, timeZone, say: report.say}, groups);
		},
		set(targets, group) {
			queue.set(
				targets.map(({id, isEnabled, timer}) => ({resource: 'installed', id, values: {enabled: isEnabled, ...(timer && {timer})}, group})),
			);
		},
		isListFresh: () => !(listOf('installed')?.isFromEarlierRun ?? false),
		shownRecord,
	});

	const timers = createTimers({
		queue,
		undoHistory,
		lately,
		newGroup: recorded.newGroup,
		find: findInstalled,
		shownRecord,
		keptBy: timerKeeping.keptBy,
		isKeeping: timerKeeping.isKeeping,
		confirm: report.confirm,
		timeZone,
		say: report.say,
	});

	return {
		/** Different for each session, even for two sessions of one profile. */
		id: ++sessionCount,
		records: {
			client,
			queryClient,
			changeFeed,
			seen,
			load,
			readAgain,
			saveScreen: lastSeenLists.saveScreen,
			removeScreen: lastSeenLists.removeScreen,
		},
		changes: {
			/** The changes that are not confirmed yet. */
			queue,
			switching,
			timers,
			/** The history for undo and redo in this session. */
			undoHistory,
			newGroup: recorded.newGroup,
			log,
			/** The last changes, of this session and elsewhere. */
			lately,
			/** When this account was last left, in milliseconds since the epoch. */
			lastVisit: {endedAt: undefined as number | undefined},
			/** The authors of changes, of all sessions. */
			history,
			/** Changes made elsewhere, according to the lists, with their authors if these are known. */
			outside,
			whoChanged,
			confirm: report.confirm,
			/** The abilities whose timers were not done before this session, until the person was asked. */
			leftTimers: timerKeeping.left,
			takeLeftTimer: timerKeeping.takeLeft,
		},
		account: {
			/** Names the service and the key without revealing them. */
			id: options.lastSeen?.account ?? '',
			get profileName(): string {
				return profileName;
			},
			/** Names the account's files, beside its lists. */
			get name(): string {
				return accountNameOf({baseAddress: options.client.baseAddress, profileName});
			},
			/** Names the account whose presets and log are used. */
			get presetAccount(): string {
				return presetAccount();
			},
			/** The limits of a restricted key, once the service has named them. */
			keyLimits,
			hostLabel: options.hostLabel,
			/** The name of the person, if they came over SSH. */
			person: options.person?.name,
			isInsecure: options.isInsecure ?? false,
			isOverSsh: options.isOverSsh ?? false,
			timeZone,
			rename(newName: string): void {
				profileName = newName;
			},
		},
		/** The memory of the screens for the life of the session, for example for a half-filled form. */
		memory: {
			get<Value>(key: MemoryKey<Value>): Value {
				if (!memories.has(key)) {
					memories.set(key, key.create());
				}

				return memories.get(key) as Value;
			},
		},
		/** The conversations behind the screens, in a few words; empty if there are none. */
		talking: createObservable(''),
		/** Starts a bundled service that is down; returns false if there is none. */
		startAgain: (): boolean => options.startAgain?.() ?? false,
		/** Called when the person quits or changes the service: conversations end, and their last changes are waited for. */
		leave: (): void => leaving.set(leaving.get() + 1),
		leaving: {subscribe: leaving.subscribe},
		/** Stores nothing from now on, because the account is signed out. */
		forget(): void {
			lastSeenLists.forget();
			recorded.forget();
		},
		closing: closing.signal,
		/** Cancels reads and releases the session's own resources, such as the bundled service. */
		async close(): Promise<void> {
			if (closing.signal.aborted) {
				return;
			}

			closing.abort();
			leaveAccount?.();
			queue.catchUp();
			lastSeenLists.close();
			// It may have to ask the service.
			await recorded.close();
			endSession(sessionName);
			await queryClient.cancelQueries();
			queryClient.clear();
			await options.onClose?.();
		},
	};
}

/**
Reads the lists on the screen when a change is refused because of its key: they show the state of the key, and would otherwise still look up
to date.
*/
function readListsOnceRefused(queryClient: QueryClient): void {
	queryClient.getMutationCache().subscribe(({type, mutation}) => {
		const shown = {type: 'active', predicate: ({state}: Query) => !isKeyRefused(state.error)} as const;
		if (type === 'updated' && mutation.state.status === 'error' && isKeyRefused(mutation.state.error)) {
			void queryClient.invalidateQueries(shown, {cancelRefetch: false});
		}
	});
}

/** A service and a key, as the hooks see them. */
export type ServiceSession = ReturnType<typeof createServiceSession>;

export const ServiceSessionContext = createContext<ServiceSession | undefined>(undefined);

export function useServiceSession(): ServiceSession {
	const session = useContext(ServiceSessionContext);
	if (session === undefined) {
		throw new TypeError('This hook needs a service session above it');
	}

	return session;
}
