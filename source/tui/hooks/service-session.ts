import {createContext, useContext} from 'react';
import type {RecordChange} from '../../changes/compare-lists.ts';
import {openLog, type ChangeLog} from '../../changes/log.ts';
import type {Outcome} from '../../changes/queue.ts';
import {recordChanges} from '../../changes/recorded-client.ts';
import type {Client} from '../../client/client.ts';
import type {KeyLimits, Person} from '../../interface/key-rights.ts';
import type {DecodedRecord, Resource} from '../../interface/records.ts';
import {beginSession, endSession} from '../../platform/sessions.ts';
import {accountNameOf, presetAccountOfProfile} from '../../settings/account.ts';
import type {LastSeen} from '../../settings/last-seen.ts';
import {localProfileName} from '../../settings/profile.ts';
import {ownTimeZone, type TimeZone} from '../../words/time-zone.ts';
import {createObservable} from '../observable.ts';
import type {Question} from '../state/app-state.ts';
import type {Say} from '../state/messages.ts';
import {createChangeFeed} from './change-feed.ts';
import {createEarlierChanges} from './earlier-changes.ts';
import {createLately, type LateChange} from './lately.ts';
import {createListCache, createQueryClient, openLastSeenLists} from './list-cache.ts';
import {createListReader} from './list-reader.ts';
import {createOutsideChanges, deniedText} from './outside-changes.ts';
import {agreeToUndo, createOvertakings} from './overtaken.ts';
import {enterAccount} from './people.ts';
import {createSessionLog} from './session-log.ts';
import {createSessionQueue} from './session-queue.ts';
import {createSwitchCheck} from './switch-check.ts';
import {createSwitching, wantedState, type SwitchingOptions, type SwitchIntents} from './switching.ts';
import {createTimerKeeping} from './timer-keeping.ts';
import {createTimers, shownTimer} from './timers.ts';
import {createUndoHistory} from './undo-history.ts';
import {createWhoChanged} from './who-changed.ts';

/* Where the hooks of a session meet: what each does is in its own file. */

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

/** A change is noted after the frame that shows it, together with others shortly after. */
const recordMilliseconds = 200;

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
	const cache = createListCache(queryClient);
	const lastSeenLists = openLastSeenLists(queryClient, options.lastSeen);
	const undoHistory = createUndoHistory({say: report.say});
	const lately = createLately(words => report.onOwn?.(words));
	const leaving = createObservable(0);
	const keyLimits = createObservable<KeyLimits | undefined>(undefined);

	const presetAccount = (): string =>
		options.presetAccount ?? presetAccountOfProfile({baseAddress: options.client.baseAddress, profileName});

	/** The list that shows each change made elsewhere, until it is known who made it. */
	const listsWith = new WeakMap<RecordChange, readonly DecodedRecord[]>();
	const outside = createOutsideChanges({
		knownList: resource => (cache.isFresh(resource) ? cache.listOf(resource) : undefined),
		onChanged(changes, since, records) {
			for (const change of changes) {
				listsWith.set(change, records);
			}

			whoChanged.add(changes);
			recorded.noteSeen(changes, since);
			overtakings.handleSeen(changes);
		},
		onDenied(changes) {
			for (const change of changes) {
				lately.withdraw(change, timeZone);
				report.say('error', deniedText(change));
			}
		},
		isOwnSwitch({kind, record: id, field, to}) {
			const {error, isWantedEnabled} = switching.getFailures().get(id) ?? {};
			const isLate = error?.kind === 'no-effect' && to === isWantedEnabled;
			return kind === 'installed' && field === 'enabled' && (isLate || cache.find('installed', id)?.isUnconfirmed === true);
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
		installed: () => cache.seen('installed'),
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
		onWrite: outside.handleWrite,
		delayMilliseconds: recordMilliseconds,
	});
	const {client, history} = recorded;
	const log = createSessionLog({openLog: openOwnLog, recorded, personId: options.personId, session: sessionName});
	const overtakings = createOvertakings(id => cache.find('installed', id));
	const whoChanged = createWhoChanged({history, lately, ownKeysOf: log.ownKeysOf, onOwn: outside.pass, closing: closing.signal, timeZone});
	whoChanged.newest.subscribe(() => {
		const {by, changes} = whoChanged.newest.get()!;
		report.onChangedByOther?.(changes, by, listsWith.get(changes[0]!)!);
	});
	const earlierChanges = createEarlierChanges({lately, log, history, personId: options.personId, timeZone, closing: closing.signal});
	const changeFeed = createChangeFeed({client, queryClient, outside, closing: closing.signal});
	changeFeed.announced.subscribe(() => {
		const change = changeFeed.announced.get()!;
		whoChanged.handleChange(change);
		if (change.history !== undefined) {
			void earlierChanges.fillFromHistory();
		}
	});
	const {load, readAgain} = createListReader({
		client,
		queryClient,
		cache,
		outside,
		closing: closing.signal,
		beginSwitchCheck: () => beginSwitchCheck(),
		onKeyLimits: keyLimits.set,
		onAnswer(resource) {
			if (resource === 'installed') {
				queue.catchUp();
			}
		},
		onRead(resource, list) {
			lastSeenLists.handleRead(resource, list);
			void changeFeed.follow();
			earlierChanges.fillFromLog();
			report.onRead?.(resource);
			if (resource === 'installed') {
				timerKeeping.keepSoon();
			}
		},
		onShown(denied) {
			queue.handleFreshList('installed');
			for (const {installed, isWantedEnabled} of denied) {
				switching.handleNoEffect(installed, isWantedEnabled);
				lately.withdrawSwitch(installed.id);
			}

			switching.handleList(cache.seen('installed') ?? []);
		},
		onUnreadable: error => queue.handleUnreadableList('installed', error),
	});
	const queue = createSessionQueue({
		client,
		recorded,
		queryClient,
		cache,
		closing: closing.signal,
		readAgain,
		onOutcomes(outcomes) {
			overtakings.handleOutcomes(outcomes);
			switching.handleOutcomes(
				outcomes.filter(
					(outcome): outcome is Outcome<'installed'> => outcome.resource === 'installed' && outcome.values.enabled !== undefined,
				),
			);
		},
	});
	const switchIntents = (): SwitchIntents => queue.intents('installed', 'enabled');

	const beginSwitchCheck = createSwitchCheck({
		shownRecords: () => cache.seen('installed') ?? [],
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
		const record = intent?.record ?? cache.find('installed', id);
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
				lately.addSwitches(changes, done);
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
			return agreeToUndo(
				{records: {readAgain, seen: cache.seen}, changes: {log, confirm: report.confirm}, timeZone, say: report.say},
				groups,
			);
		},
		set(targets, group) {
			queue.set(
				targets.map(({id, isEnabled, timer}) => ({resource: 'installed', id, values: {enabled: isEnabled, ...(timer && {timer})}, group})),
			);
		},
		isListFresh: () => cache.isFresh('installed'),
		shownRecord,
	});

	const timers = createTimers({
		queue,
		undoHistory,
		lately,
		newGroup: recorded.newGroup,
		find: id => cache.find('installed', id),
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
			/** Returns the records of a list from the cache, without a request; `undefined` if it has none. */
			seen: cache.seen,
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
