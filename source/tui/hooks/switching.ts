import type {Values} from '../../changes/fields.ts';
import {noEffect, type Intents, type Outcome} from '../../changes/queue.ts';
import {changesAtATime} from '../../changes/send-changes.ts';
import type {SwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import type {Group} from '../../changes/log-lines.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {aheadOf, type Timer, type TimerWish} from '../../interface/timers.ts';
import {createObservable} from '../observable.ts';
import type {Severity} from '../../words/signs.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {switchedWords} from './lately.ts';
import {
	canRestoreAll,
	irreversibleText,
	summaryText,
	verbs,
	type Answered,
	type SwitchChange,
	type SwitchKind,
	type SwitchTarget,
	type SwitchVerb,
} from './switch-words.ts';
import type {UndoEntry, UndoHistory} from './undo-history.ts';

/** A switch that failed, or whose outcome is unknown: the row shows the service's last answer. */
export type ToggleFailure = {
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** Its own `isOutcomeUnknown` is true if no answer came: the change may still arrive, whatever the list shows. */
	readonly error: SwitchboardError;
	/** True if the list does not show whether the change was made either. */
	readonly isOutcomeUnknown: boolean;
	/** True if the list shows that it is no longer installed. */
	readonly isGone?: boolean;
};

/** The switches that are not confirmed yet, by the id of the record. */
export type SwitchIntents = Intents<'installed'>;

/** Returns the state that an intent or an outcome wants. */
export function wantedState({values}: {readonly values: Values}): boolean {
	return values.enabled as boolean;
}

/** Returns the state on the screen: the last requested state, or the service's; `undefined` if the service does not show it. */
export function isShownEnabled(installed: InstalledAbility, intents: SwitchIntents): boolean | undefined {
	const intent = intents.get(installed.id);
	return intent === undefined ? installed.isEnabled : wantedState(intent);
}

/** Tells whether the list did not show the change, but it may still arrive. */
export function isLate({error, isOutcomeUnknown}: Pick<ToggleFailure, 'error' | 'isOutcomeUnknown'>): boolean {
	return error.isOutcomeUnknown && !isOutcomeUnknown;
}

/** Returns the reason why a change failed, for the details of its record. */
export function reasonText(failure: ToggleFailure): string {
	return isLate(failure) ? `${failure.error.message} It may still arrive.` : failure.error.message;
}

export type SwitchingOptions = {
	/** Requests a state for each; the changes belong to the group. */
	set(targets: readonly SwitchTarget[], group: Group): void;
	/** Tells whether somebody else may have switched some of these since. */
	mayBeOvertaken(changes: readonly SwitchChange[]): boolean;
	/** Finds out whether somebody has, and then asks the person. Resolves with whether to take the groups back. */
	agreeToUndo(groups: readonly string[]): Promise<boolean>;
	/** Returns a group for the changes of a key, or for changes that take groups back. */
	newGroup(...undoes: readonly string[]): Group;
	readonly history: UndoHistory;
	/** The record as it is on the screen; `undefined` if there is none. */
	shownRecord(id: number): {readonly name: string; readonly isEnabled: boolean | undefined; readonly timer: Timer | undefined} | undefined;
	/** False while the list comes from an earlier run. */
	isListFresh(): boolean;
	/** The zone of the person. */
	readonly timeZone: TimeZone;
	/** Identifies the row under the cursor. */
	cursorKey(): string;
	/** Called when a key starts to switch abilities. */
	onStart(): void;
	/** Called with a key's successful changes, once all of its changes are answered, and with the entry for undo: none after an undo. */
	onSwitched(changes: readonly SwitchChange[], done: UndoEntry | undefined): void;
	/** `kind` is the cause of the change; `isUnderCursor` is false if the cursor has left the row since. */
	onFailed(failure: ToggleFailure, kind: SwitchKind, isUnderCursor: boolean): void;
	/**
	Called with the progress of a bulk change, and the number of answers, such as “261 of 5,000”; with `undefined` once it is over.
	`isStoppable` is true while undo acts on it, and changes of it still wait to be sent.
	*/
	onProgress(text: string | undefined, count?: string, isStoppable?: boolean): void;
	onSummary(level: Severity, text: string): void;
};

/** The changes of one key that can be undone or redone: those that did not fail. */
type Entry = {
	changes: readonly SwitchChange[];
	readonly done: UndoEntry;
	readonly redo: () => void;
	/** The group that undo or redo takes back: the group of its changes, or the group that took them back last. */
	groups: readonly string[];
	/** The groups before the last request, which are still to be taken back for failed changes. */
	formerGroups: readonly string[];
	/** The redo steps at the time when it was last undone or redone. */
	undone: Set<() => void> | undefined;
	/** True while checking whether somebody else has switched any of it since. */
	isAsking: boolean;
};

/** The changes requested by one key, until all are answered. */
type Batch = Answered & {
	readonly entry: Entry;
	readonly pendingIds: Set<number>;
	readonly failedIds: Set<number>;
	readonly unknownIds: Set<number>;
	readonly unsentIds: Set<number>;
	readonly reversedIds: Set<number>;
};

/** Switches abilities, one or many at a time, with retry; its changes can be undone and redone. */
export function createSwitching(options: SwitchingOptions) {
	const {history} = options;
	const failures = createObservable<ReadonlyMap<number, ToggleFailure>>(new Map());
	/** How each record was last switched, and where the cursor was. */
	const lastRequests = new Map<number, {readonly kind: SwitchKind; readonly entry: Entry; readonly cursorKey: string}>();
	let running: readonly Batch[] = [];

	const reportProgress = ({verb, kind, entry, changes, pendingIds, unsentIds}: Batch): void => {
		const length = changes.length - unsentIds.size;
		const count = `${formatCount(length - pendingIds.size)} of ${formatCount(length)}`;
		const isStoppable = length > changesAtATime && kind !== 'undo' && history.isNewest(entry.done) && canRestoreAll(entry.changes);
		options.onProgress(`${verbs[verb].underWay}: ${count}…`, count, isStoppable);
	};

	const summarize = (batch: Batch, record: InstalledAbility): void => {
		const other = batch.changes.length === 1 ? undefined : running.findLast(({changes}) => changes.length > 1);
		if (other !== undefined) {
			reportProgress(other);
		} else if (batch.changes.length > 1) {
			options.onProgress(undefined);
		}

		const text = summaryText(batch, record, options.timeZone);
		if (text !== undefined) {
			options.onSummary(batch.failedIds.size === 0 ? 'info' : 'error', text);
		}
	};

	const forgetFailures = (ids: readonly number[]): void => {
		const left = new Map(failures.get());
		for (const id of ids) {
			left.delete(id);
		}

		if (left.size < failures.get().size) {
			failures.set(left);
		}
	};

	/** @param isSure - false if the list may be out of date: then states that seem right already are requested as well. */
	const changesFor = (targets: readonly SwitchTarget[], isSure = true): readonly SwitchChange[] =>
		targets.flatMap(target => {
			const shown = options.shownRecord(target.id);
			const isDone = shown?.isEnabled === target.isEnabled;
			return shown === undefined || (isDone && isSure)
				? []
				: [{...target, name: shown.name, wasEnabled: isDone ? undefined : shown.isEnabled, cancelled: shown.timer}];
		});

	const start = (
		changes: readonly SwitchChange[],
		how: Pick<Batch, 'verb' | 'kind' | 'entry' | 'note'> & Partial<Pick<Batch, 'lead'>>,
	): void => {
		if (changes.length === 0) {
			return;
		}

		const ids = changes.map(({id}) => id);
		const batch: Batch = {
			lead: verbs[how.verb].lead,
			...how,
			changes,
			pendingIds: new Set(ids),
			failedIds: new Set(),
			unknownIds: new Set(),
			unsentIds: new Set(),
			reversedIds: new Set(),
		};
		forgetFailures(ids);
		options.onStart();
		if (changes.length > 1) {
			reportProgress(batch);
		}

		const request = {kind: how.kind, entry: how.entry, cursorKey: options.cursorKey()};
		for (const id of ids) {
			lastRequests.set(id, request);
		}

		for (const {changes: earlier, reversedIds} of running) {
			for (const {id} of earlier) {
				if (batch.pendingIds.has(id)) {
					reversedIds.add(id);
				}
			}
		}

		running = [...running, batch];
		const group = options.newGroup(...how.entry.groups);
		how.entry.formerGroups = how.entry.groups;
		how.entry.groups = [group.group];
		options.set(changes, group);
	};

	/** @param whole - the entry that these changes were a part of. */
	const createEntry = (changes: readonly SwitchChange[], whole?: Entry): Entry => {
		const entry: Entry = {
			changes,
			groups: whole?.formerGroups ?? [],
			formerGroups: [],
			isAsking: false,
			done: {position: whole?.done.position ?? 0, subject: switchedWords(changes).subject, undo: () => undo(entry)},
			redo() {
				entry.undone = history.undone();
				history.addAgain(entry.done);
				carryOutAgain(entry.changes, 'redo', entry);
			},
			undone: whole?.undone,
		};
		return entry;
	};

	/** Carries out a new change: nothing can be redone after it. */
	const carryOut = (
		changes: readonly SwitchChange[],
		verb: SwitchVerb,
		kind: SwitchKind = 'many',
		texts: Partial<Pick<Batch, 'lead' | 'note'>> = {},
	): number => {
		if (changes.length > 0) {
			const entry = createEntry(changes);
			history.add(entry.done);
			start(changes, {note: '', ...texts, verb, kind, entry});
		}

		return changes.length;
	};

	/** Sets all to one state, even if the service does not show theirs; none is flipped. `note` is added to the summary. Each switched record gets the timer. Returns the number of switched records. */
	const setMany = (ids: readonly number[], isEnabled: boolean, note = '', timer?: TimerWish): number =>
		carryOut(
			changesFor(
				ids.map(id => ({id, isEnabled, timer})),
				options.isListFresh(),
			),
			isEnabled ? 'on' : 'off',
			'many',
			{note},
		);

	/** If nothing is left to do for a single existing record, its state is named as the reason. */
	const carryOutAgain = (targets: readonly SwitchTarget[], kind: 'undo' | 'redo', entry: Entry, note = ''): void => {
		const changes = changesFor(targets);
		if (changes.length === 0) {
			const shown = targets.length === 1 ? options.shownRecord(targets[0]!.id) : undefined;
			const why = shown === undefined ? '' : ` there: ${shown.name} is ${stateWord(shown.isEnabled)} already`;
			options.onSummary('info', `Nothing to ${kind}${why}.${note}`);
		}

		start(changes, {verb: kind, kind, entry, note});
	};

	/**
	Undoes an entry whose changes are all answered, once it is certain that nobody else has switched any of them since, or the person
	agrees.
	*/
	const askToUndo = async (entry: Entry): Promise<void> => {
		entry.isAsking = true;
		const isAgreed = await options.agreeToUndo(entry.groups);
		entry.isAsking = false;
		if (isAgreed) {
			undo(entry, true);
		}
	};

	/** Only a known state can be restored. */
	const undo = (entry: Entry, isAgreed = false): void => {
		if (entry.isAsking) {
			return;
		}

		if (!isAgreed && running.every(batch => batch.entry !== entry) && options.mayBeOvertaken(entry.changes)) {
			void askToUndo(entry);
			return;
		}

		const irreversible = entry.changes.filter(({wasEnabled}) => wasEnabled === undefined);
		if (irreversible.length === entry.changes.length) {
			history.refuse(entry.done, irreversibleText(irreversible));
			return;
		}

		history.remove(entry.done);
		entry.changes = entry.changes.filter(({wasEnabled}) => wasEnabled !== undefined);
		entry.undone = history.undone().add(entry.redo);
		const targets = entry.changes.map(({id, wasEnabled, cancelled}) => ({id, isEnabled: wasEnabled!, timer: aheadOf(cancelled)}));
		carryOutAgain(targets, 'undo', entry, irreversible.length === 0 ? '' : ` ${irreversibleText(irreversible)}`);
	};

	/** Removes changes from an entry, because there is nothing to undo or redo. */
	const removeChanges = (entry: Entry, ids: ReadonlySet<number>): void => {
		entry.changes = entry.changes.filter(({id}) => !ids.has(id));
		if (entry.changes.length > 0) {
			return;
		}

		entry.undone?.delete(entry.redo);
		history.remove(entry.done);
	};

	/**
	Keeps failed undos undoable and failed redos redoable. Changes that may have been carried out stay in the history, because the next undo
	must not reach past them.
	*/
	const keepFailed = ({entry, kind, failedIds, unknownIds}: Pick<Batch, 'entry' | 'kind' | 'failedIds' | 'unknownIds'>): void => {
		const ids = kind === 'undo' ? failedIds : failedIds.difference(unknownIds);
		const failed = entry.changes.filter(({id}) => ids.has(id));
		if (failed.length === 0) {
			return;
		}

		removeChanges(entry, ids);
		const failedEntry = createEntry(failed, entry);
		if (kind === 'undo') {
			history.put(failedEntry.done);
		} else if (kind === 'redo') {
			entry.undone?.add(failedEntry.redo);
		}
	};

	const fail = (failed: readonly ToggleFailure[]): void => {
		if (failed.length === 0) {
			return;
		}

		failures.set(
			new Map([...failures.get(), ...failed.filter(({isGone}) => !isGone).map(failure => [failure.installed.id, failure] as const)]),
		);
		for (const failure of failed) {
			const {kind, cursorKey} = lastRequests.get(failure.installed.id)!;
			options.onFailed(failure, kind, cursorKey === options.cursorKey());
		}
	};

	const handleOutcomesOf = (batch: Batch, outcomes: ReadonlyArray<Outcome<'installed'>>): void => {
		const ended = outcomes.filter(({record}) => batch.pendingIds.delete(record.id));
		for (const {
			record: {id},
			error,
			isUnsent,
		} of ended) {
			if (error !== undefined) {
				batch.failedIds.add(id);
			} else if (isUnsent) {
				batch.unsentIds.add(id);
			}

			if (error?.isOutcomeUnknown) {
				batch.unknownIds.add(id);
			}
		}

		if (ended.length === 0) {
			return;
		}

		if (batch.pendingIds.size > 0) {
			reportProgress(batch);
			return;
		}

		running = running.filter(other => other !== batch);
		keepFailed(batch);
		if (batch.kind === 'many' && batch.changes.length > 1) {
			removeChanges(batch.entry, batch.unsentIds);
		}

		options.onSwitched(
			batch.changes.filter(({id}) => !batch.failedIds.has(id) && !batch.unsentIds.has(id)),
			batch.kind === 'undo' ? undefined : batch.entry.done,
		);
		summarize(batch, ended.at(-1)!.record);
	};

	return {
		/** Returns false if there is no such record, or if the service does not show its state: then it has no opposite. */
		toggle(id: number): boolean {
			const isEnabled = options.shownRecord(id)?.isEnabled;
			return isEnabled !== undefined && carryOut(changesFor([{id, isEnabled: !isEnabled}]), isEnabled ? 'off' : 'on', 'toggle') > 0;
		},
		setMany,
		/**
		Sets all to one state, off if all are on; states that differ are not flipped. Returns 0 if the service shows none of the states.
		*/
		toggleMany(ids: readonly number[]): number {
			const states = ids.map(id => options.shownRecord(id)?.isEnabled).filter(isEnabled => isEnabled !== undefined);
			return states.length === 0 ? 0 : setMany(ids, states.includes(false));
		},
		/**
		Sets each to the state in a preset, in this way; undo takes all of it back at once. `note` is added to the summary, and `undoText`
		if undo can.
		*/
		applyPreset(name: string, targets: readonly SwitchTarget[], {note = '', undoText = ''} = {}): number {
			const changes = changesFor(targets, options.isListFresh());
			return carryOut(changes, 'preset', 'many', {lead: `Applied ${name}: `, note: `${canRestoreAll(changes) ? undoText : ''}${note}`});
		},
		/** Undoes changes of earlier sessions. */
		undoEarlier(changes: readonly SwitchChange[], groups: readonly string[]): void {
			const entry = createEntry(changes);
			entry.groups = groups;
			undo(entry, true);
		},
		/** Retries failed changes. Returns false if there are none. */
		retry(): boolean {
			const failed = [...failures.get().values()];
			carryOut(changesFor(failed.map(({installed: {id}, isWantedEnabled}) => ({id, isEnabled: isWantedEnabled}))), 'retry');
			return failed.length > 0;
		},
		/** Changes that failed and were not requested again, by the id of the record. */
		getFailures: failures.get,
		subscribe: failures.subscribe,
		handleOutcomes(outcomes: ReadonlyArray<Outcome<'installed'>>): void {
			forgetFailures(outcomes.filter(({error}) => error === undefined).map(({record}) => record.id));
			fail(outcomes.map(outcome => failureOf(outcome)).filter(failure => failure !== undefined));
			for (const batch of running) {
				handleOutcomesOf(batch, outcomes);
			}
		},
		/** Handles a switch that was answered with 2xx but is denied by the lists: it failed. */
		handleNoEffect(installed: InstalledAbility, isWantedEnabled: boolean): void {
			const {id} = installed;
			const last = lastRequests.get(id);
			if (last !== undefined) {
				keepFailed({...last, failedIds: new Set([id]), unknownIds: new Set()});
				fail([{installed, isWantedEnabled, error: noEffect('installed', installed, {enabled: isWantedEnabled}), isOutcomeUnknown: false}]);
			}
		},
		/**
		Handles a fresh list. Failed changes that it shows done, by anyone, do not count as failures any more, and unknown outcomes become
		known.
		*/
		handleList(records: readonly InstalledAbility[]): void {
			const known = failures.get();
			forgetFailures(records.filter(({id, isEnabled}) => known.get(id)?.isWantedEnabled === isEnabled).map(({id}) => id));
			fail(
				records.flatMap(installed => {
					const failure = failures.get().get(installed.id);
					return failure?.isOutcomeUnknown && installed.isEnabled !== undefined ? [{...failure, installed, isOutcomeUnknown: false}] : [];
				}),
			);
		},
	};
}

const failureOf = (outcome: Outcome<'installed'>): ToggleFailure | undefined =>
	outcome.error && {
		installed: outcome.record,
		isWantedEnabled: wantedState(outcome),
		error: outcome.error,
		isOutcomeUnknown: outcome.isOutcomeUnknown,
		isGone: outcome.isGone,
	};
