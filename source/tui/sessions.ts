import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {Intent} from '../changes/queue.ts';
import {apiKeyLabel, withRefusedKeyHelp, type KeySource} from '../settings/sign-in-hint.ts';
import type {Target} from '../settings/target.ts';
import {openSession, type OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession, ServiceSessionOptions} from './hooks/service-session.ts';
import {switchedLines, type SwitchKind} from './hooks/switch-words.ts';
import {isLate, wantedState, type ToggleFailure} from './hooks/switching.ts';
import {changedText} from './state/edit-words.ts';
import type {Views} from './views.ts';
import {whenWritesEnd, writesUnderWay} from './hooks/writes.ts';
import {keyName, retryText, type Keymap} from '../words/keymap.ts';
import {createObservable, type StateStore} from './observable.ts';
import type {AppAction, AppState} from './state/app-state.ts';
import type {Say} from './state/messages.ts';
import {outsideNotes} from './state/outside-notes.ts';
import type {RequestLog} from './state/request-log.ts';

/**
Returns the reason why a change failed, and the key to press next: if others failed too, the key that retries all. If many were switched, or
the cursor has moved, the change may be on any row. A change that may still arrive must not be toggled again, so the retry key requests the
wanted state.
*/
export function sessionFailureText(failure: ToggleFailure, kind: SwitchKind, keymap: Keymap, failedCount = 1): string {
	const {
		installed: {isEnabled},
		isOutcomeUnknown,
		error: {kind: errorKind, nextStep},
	} = failure;
	if (errorKind === 'key-refused' && nextStep !== undefined) {
		return `${outcomeText(failure)} ${nextStep}`;
	}

	if (failedCount > 1 && !isOutcomeUnknown) {
		return `${outcomeText(failure)} ${failedCount} failed. ${failuresText(failedCount, keymap)}`;
	}

	const retry = retryText(
		keyName(keymap, kind === 'toggle' && isEnabled !== undefined && !isLate(failure) ? 'toggle' : 'retry'),
		nextStep,
		'retries.',
	);
	return `${outcomeText(failure)} ${isOutcomeUnknown && isEnabled !== undefined ? `${keyName(keymap, 'refresh')} reads the list again.` : retry}`;
}

/** Returns the reason why a change failed, or the known facts about it. */
function outcomeText(failure: ToggleFailure): string {
	const {
		installed: {name, isEnabled},
		isWantedEnabled,
		error: {kind, message},
		isOutcomeUnknown,
	} = failure;
	if (kind === 'no-effect') {
		return `${name}: ${message}`;
	}

	if (isOutcomeUnknown) {
		return `It is not known whether ${name} is ${stateWord(isWantedEnabled)} now: ${midSentence(message)}`;
	}

	if (isEnabled === undefined) {
		return `${name} was not switched ${stateWord(isWantedEnabled)}: ${midSentence(message)}`;
	}

	return isLate(failure)
		? `${name} may still switch ${stateWord(isWantedEnabled)}: ${midSentence(message)}`
		: `${name} stays ${stateWord(isEnabled)}: ${midSentence(message)}`;
}

/** A sentence after a colon: a name at its start keeps its capital. */
const midSentence = (sentence: string): string => sentence.replace(/^(?:The|No|It|This) /, start => start.toLowerCase());

/** Returns the next step after failed changes. */
function failuresText(count: number, keymap: Keymap): string {
	const them = count === 1 ? 'it' : 'them';
	return `${keyName(keymap, 'retry')} retries ${them}, is:failed shows ${them}.`;
}

/** Returns the newest reason if all failures have one of its kind: each message says it, but the summary replaces them. */
function sharedReason(failures: readonly ToggleFailure[]): readonly string[] {
	const last = failures.at(-1)?.error;
	return last !== undefined && failures.every(({error}) => error.kind === last.kind) ? [last.message] : [];
}

type SessionsOptions = Omit<OpenSessionOptions, 'target' | 'report' | 'refreshKey'> & {
	readonly store: StateStore<AppState, AppAction>;
	readonly keymap: Keymap;
	readonly requests: RequestLog;
	readonly say: Say;
	readonly views: Views;
	/** Asks about abilities that a killed session left on, and about timers that were not done. */
	readonly offerLeft: (session: ServiceSession, isReadOnly: boolean) => Promise<void>;
	/** Called each time that an operation fails because its key is refused. */
	readonly onKeyRefused?: ((error: SwitchboardError) => void) | undefined;
};

/** Opens services, and keeps each until its changes are answered. */
export function createSessions(options: SessionsOptions, target: Target) {
	const {store, keymap, say} = options;
	const before = new Set<ServiceSession>();
	const closing: Array<Promise<void>> = [];
	const refused = new WeakSet<ServiceSession>();

	const open = (opening: Target): ServiceSession => {
		const isShown = (): boolean => shown.get() === session;
		let reportedIds: readonly number[] = [];

		const dispatchIfShown = (action: AppAction): void => {
			if (isShown()) {
				store.dispatch(action);
			}
		};

		const sayFailure = (text: string, ids: readonly number[], reason?: ToggleFailure['error']): void => {
			say('error', text, reason, 'failures');
			reportedIds = ids;
		};

		/** Messages of a session that is not shown any more begin with the name of its profile. */
		const named = (text: string): string => (isShown() ? text : `${session.account.profileName}: ${text}`);

		const sayNamed: Say = (level, text, ...ends) => say(level, named(text), ...ends);

		const report: ServiceSessionOptions['report'] = {
			cursorKey: () => cursorKey(store.getState()),
			onStart() {
				dispatchIfShown({type: 'switch'});
			},
			onSwitched(changes) {
				for (const line of switchedLines(changes)) {
					store.dispatch({type: 'note', text: named(line), at: Date.now()});
				}
			},
			onOwn({subject, what}) {
				store.dispatch({type: 'note', text: named(`${subject}: ${what}`), at: Date.now()});
			},
			onFailed(failure, kind, isUnderCursor) {
				const {
					isGone,
					installed: {id},
					error,
				} = failure;
				if (!isShown() || isGone) {
					sayNamed('error', isGone ? error.message : outcomeText(failure));
				} else {
					const failedIds = new Set([id, ...session.changes.switching.getFailures().keys()]);
					sayFailure(sessionFailureText(failure, isUnderCursor ? kind : 'many', keymap, failedIds.size), [...failedIds], error);
				}
			},
			say: sayNamed,
			async confirm(question) {
				const {leaving, overlays, views, screen, isSentenceOpen} = store.getState();
				const isFree = overlays.length === 0 || overlays.at(-1)!.kind === 'agent';
				if (!isShown() || leaving !== undefined || !isFree || isSentenceOpen || views[screen].isFilterOpen) {
					return undefined;
				}

				return new Promise(resolve => {
					store.dispatch({
						type: 'open',
						overlay: {
							kind: 'confirm',
							...question,
							onYes() {
								resolve(true);
							},
							onNo() {
								resolve(false);
							},
						},
					});
				});
			},
			onRead(resource) {
				dispatchIfShown({type: 'end', end: resource});
				// The list is in the cache a turn later.
				setImmediate(() => {
					if (isShown()) {
						options.views.restoreMarks(session, resource);
					}
				});
				if (
					resource === 'installed' &&
					isShown() &&
					(session.changes.log.leftTries().length > 0 || session.changes.leftTimers().length > 0)
				) {
					setImmediate(() => {
						void options.offerLeft(session, options.isReadOnly || session.account.keyLimits.get()?.rights === 'read-only');
					});
				}
			},
			onChangedByOther(changes, by, records) {
				for (const note of outsideNotes(changes, records, by)) {
					dispatchIfShown({type: 'note', ...note, at: Date.now()});
				}
			},
			onProgress(text, count, isStoppable) {
				dispatchIfShown({
					type: 'progress',
					text: isStoppable ? `${text} ${keyName(keymap, 'undo')} stops it and takes it back.` : text,
					count,
				});
			},
			onSummary(level, text) {
				if (level === 'info' || !isShown()) {
					sayNamed(level, text);
				} else {
					const failures = session.changes.switching.getFailures();
					const reason = sharedReason([...failures.values()]);
					sayFailure([text, ...reason, failuresText(failures.size, keymap)].join(' '), [...failures.keys()]);
				}
			},
		};

		const session: ServiceSession = openSession({
			...options,
			target: opening,
			report,
			refreshKey: keyName(keymap, 'refresh'),
			nameKeyOf: ({keyVariable, profileName}) =>
				apiKeyLabel({keyVariable, profileName: profileName === undefined ? undefined : session.account.profileName}),
			explainError(error, source) {
				const explained = options.isOverSsh
					? explainOverSsh(error)
					: withRefusedKeyHelp(error, () => helpForRefusedKeyHere(source, keymap));
				if (explained instanceof SwitchboardError && explained.kind === 'key-refused' && !explained.isPartlyRefused) {
					options.onKeyRefused?.(explained);
				}

				return explained;
			},
			onRequest(entry) {
				const {status} = entry;
				if (status === 401) {
					refused.add(session);
				} else if (status !== undefined && status < 300) {
					// A partly refused key is tried elsewhere at once.
					refused.delete(session);
				}

				options.requests.add(entry);
				options.onRequest?.(entry);
				if (status !== undefined) {
					dispatchIfShown({type: 'end', end: 'answer'});
				}
			},
		});
		// Once all changes were requested again or done, the message about failures would contradict the rows.
		session.changes.switching.subscribe(() => {
			const failures = session.changes.switching.getFailures();
			if (reportedIds.every(id => !failures.has(id))) {
				dispatchIfShown({type: 'end', end: 'failures'});
			}
		});
		return session;
	};

	const shown = createObservable(open(target));

	const closeWhenAnswered = async (session: ServiceSession): Promise<void> => {
		await whenWritesEnd(session.records.queryClient);
		// At its end, a try reads the list before it switches.
		await session.changes.queue.whenIdle();
		before.delete(session);
		await session.close();
	};

	const getAll = (): readonly ServiceSession[] => [...before, shown.get()];

	return {
		getSession: shown.get,
		subscribe: shown.subscribe,
		getAll,
		open,
		/** Shows a service. The previous one is closed once its changes are answered. */
		show(session: ServiceSession): void {
			const left = shown.get();
			left.leave();
			before.add(left);
			shown.set(session);
			closing.push(closeWhenAnswered(left));
		},
		/** True if the shown service refused the key in its newest answer. */
		isKeyRefused: () => refused.has(shown.get()),
		/** A sentence for each change that no service has confirmed yet. */
		unconfirmedTexts: () =>
			getAll().flatMap(({changes: {queue}, records: {queryClient}}) => {
				queue.catchUp();
				return [...queue.all().map(intent => unansweredText(intent)), ...writesUnderWay(queryClient)];
			}),
		/** A sentence for each service whose timers only this program keeps. */
		leftTimersTexts: () =>
			getAll()
				.map(({changes: {timers}, records: {seen}}) => timers.leftText(seen('installed') ?? []))
				.filter(Boolean),
		async close(): Promise<void> {
			closing.push(shown.get().close());
			await Promise.all(closing);
		},
	};
}

/** Identifies the record that a key works on: the text changes when a key would work on another record. */
function cursorKey({screen, views, overlays}: AppState): string {
	const opened = overlays.findLast(overlay => overlay.kind === 'ability');
	return opened === undefined ? `${screen} ${views[screen].list.cursorId}` : `${opened.resource} ${opened.id}`;
}

/** The key belongs to the server, and no session token goes there from here. */
const explainOverSsh = (error: unknown): unknown =>
	error instanceof SwitchboardError && error.kind === 'key-refused'
		? error.with({nextStep: 'Tell the administrator of this server.'})
		: error;

/**
Returns the next step on the screens when a key is refused. `SWITCHBOARD_API_KEY` overrides every stored key, `OPENHOME_API_KEY` none.
*/
function helpForRefusedKeyHere({keyVariable}: KeySource, keymap: Keymap): string {
	const key = keyName(keymap, 'connect');
	if (keyVariable === undefined) {
		return `${key} signs in again.`;
	}

	return keyVariable === 'SWITCHBOARD_API_KEY'
		? `Change the variable and start again. ${key} signs in with another key for now, but the variable overrides it at the next start.`
		: `Change the variable and start again, or sign in with another key: ${key}.`;
}

function unansweredText(intent: Intent): string {
	const {
		record: {name},
		resource,
		values,
		seen,
		isSent,
	} = intent;
	if (seen !== undefined) {
		return `It is not known whether the service saved the ${changedText(resource, values)} of ${name}.`;
	}

	const state = stateWord(wantedState(intent));
	return isSent
		? `It is not known whether ${name} is ${state} now: the service had not answered yet.`
		: `${name} was not switched ${state}: the request was not sent.`;
}

export type Sessions = ReturnType<typeof createSessions>;
