import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {createObservable, type Observable} from '../observable.ts';
import {type SwitchTarget, type ToggleFailure, type ToggleOutcome} from './intents.ts';
import {
	createSwitchBatches,
	type FailedIds,
	type SwitchBatchesOptions,
	type SwitchChange,
	type SwitchKind,
} from './switch-batches.ts';
import {type SwitchVerb} from './switching-texts.ts';
import {type ToggleQueue} from './toggle-queue.ts';
import {type UndoHistory} from './undo-history.ts';

/** The changes that one key made, without the failed ones. */
type Entry = {
	changes: readonly SwitchChange[];
	/** Its position in the undo history. */
	position: number;
	/** What could be redone when it was undone or redone last. */
	undone: Set<() => void> | undefined;
	readonly redo: () => void;
};

export type SwitchingOptions = SwitchBatchesOptions & {
	readonly toggles: Pick<ToggleQueue, 'setAll'>;
	readonly history: Pick<UndoHistory, 'add' | 'addAgain' | 'put' | 'remove' | 'refuse' | 'undone'>;
	/** What the screen shows of a record now; `undefined` if there is none. */
	shownRecord(id: number): {readonly name: string; readonly isEnabled: boolean | undefined} | undefined;
	/** False while the list is that of an earlier run. */
	isListFresh(): boolean;
	/** Identifies the row that the cursor is on; always the same row by default. */
	cursorKey?(): string;
	/** `kind` is the cause of the change; `isUnderCursor` is false if the key for one row acts on another row by now. */
	onFailed(failure: ToggleFailure, kind: SwitchKind, isUnderCursor: boolean): void;
};

type Failures = ReadonlyMap<number, ToggleFailure>;

export type Switching = Pick<Observable<Failures>, 'subscribe'> & {
	/** Returns false if there is no such record, or if the service does not show its state, which then has no opposite. */
	toggle(id: number): boolean;
	/** Sets all to one state, also if the service does not show theirs; none is flipped. Returns how many were not in it yet. */
	setMany(ids: readonly number[], isEnabled: boolean): number;
	/** Sets each to the state that a preset names, in the same way; undo takes all of it back at once. `note` is added to the summary. */
	applyPreset(targets: readonly SwitchTarget[], note?: string): number;
	/** Retries what failed. Returns false if nothing did. */
	retry(): boolean;
	/** Changes that failed and were not requested again, by the id of the record. */
	getFailures(): Failures;
	handleOutcomes(outcomes: readonly ToggleOutcome[]): void;
	/**
	Handles a fresh list. A failed change that the list shows done, by anyone, is no failure any more; unknown outcomes become
	known.
	*/
	handleList(records: readonly InstalledAbility[]): void;
};

const irreversibleText = (changes: readonly SwitchChange[]): string => changes.length === 1
	? `${changes[0]!.name} was switched ${stateWord(changes[0]!.isEnabled)}, and that cannot be undone: the service did not show its state before.`
	: `${changes.length} were switched, and that cannot be undone: the service did not show their states before.`;

/** Switches one or many at a time, with retry; what it does can be undone and redone. */
export const createSwitching = (options: SwitchingOptions): Switching => {
	const {history, toggles} = options;
	const batches = createSwitchBatches(options);
	const failures = createObservable<Failures>(new Map());
	/** How each record was switched last, and where the cursor was. */
	const lastRequests = new Map<number, {readonly kind: SwitchKind; readonly cursorKey: string | undefined}>();

	const forgetFailures = (ids: readonly number[]): void => {
		const forgotten = new Set(ids.filter(id => failures.get().has(id)));
		if (forgotten.size > 0) {
			failures.set(new Map([...failures.get()].filter(([id]) => !forgotten.has(id))));
		}
	};

	const changesFor = (targets: readonly SwitchTarget[]): readonly SwitchChange[] => targets.flatMap(target => {
		const shown = options.shownRecord(target.id);
		return shown === undefined || shown.isEnabled === target.isEnabled ? [] : [{...target, name: shown.name, wasEnabled: shown.isEnabled}];
	});

	/** What a list of an earlier run shows may have changed since: what seems done already is asked for as well. */
	const changesAskedFor = (targets: readonly SwitchTarget[]): readonly SwitchChange[] => options.isListFresh()
		? changesFor(targets)
		: targets.flatMap(target => {
			const shown = options.shownRecord(target.id);
			return shown === undefined ? [] : [{...target, name: shown.name, wasEnabled: shown.isEnabled === target.isEnabled ? undefined : shown.isEnabled}];
		});

	const start = (changes: readonly SwitchChange[], verb: SwitchVerb, kind: SwitchKind, entry: Entry, note = ''): void => {
		forgetFailures(changes.map(({id}) => id));
		batches.start({
			changes, kind, verb, note,
			onEnd(result) {
				keepFailed(entry, kind, result);
			},
		});
		const request = {kind, cursorKey: options.cursorKey?.()};
		for (const {id} of changes) {
			lastRequests.set(id, request);
		}

		toggles.setAll(changes);
	};

	/** @param whole - an entry that these changes were a part of. */
	const createEntry = (changes: readonly SwitchChange[], whole?: Entry): Entry => {
		const entry: Entry = {
			changes,
			position: whole?.position ?? 0,
			undone: whole?.undone,
			redo() {
				redo(entry);
			},
		};
		return entry;
	};

	/** A new change: nothing can be redone after it. */
	const carryOut = (changes: readonly SwitchChange[], verb: SwitchVerb, kind: SwitchKind = 'many', note = ''): void => {
		if (changes.length === 0) {
			return;
		}

		const entry = createEntry(changes);
		entry.position = history.add(() => {
			undo(entry);
		});
		start(changes, verb, kind, entry, note);
	};

	const set = (targets: readonly SwitchTarget[], verb: SwitchVerb, note?: string): number => {
		const changes = changesAskedFor(targets);
		carryOut(changes, verb, 'many', note);
		return changes.length;
	};

	/** For one record that still exists, its state says why. */
	const nothingToDo = (targets: readonly SwitchTarget[], kind: 'undo' | 'redo'): string => {
		const shown = targets.length === 1 ? options.shownRecord(targets[0]!.id) : undefined;
		return `Nothing to ${kind}${shown === undefined ? '' : `: ${shown.name} is already ${stateWord(shown.isEnabled)}`}.`;
	};

	const carryOutAgain = (targets: readonly SwitchTarget[], kind: 'undo' | 'redo', entry: Entry, note = ''): void => {
		const changes = changesFor(targets);
		if (changes.length === 0) {
			options.onSummary('info', `${nothingToDo(targets, kind)}${note}`);
		}

		start(changes, kind, kind, entry, note);
	};

	/** Only a known state can be restored. */
	const undo = (entry: Entry): void => {
		const targets = entry.changes.flatMap(({id, wasEnabled}) => wasEnabled === undefined ? [] : [{id, isEnabled: wasEnabled}]);
		const irreversible = entry.changes.filter(({wasEnabled}) => wasEnabled === undefined);
		if (targets.length === 0) {
			history.refuse(entry.position, irreversibleText(irreversible));
			return;
		}

		history.remove(entry.position);
		entry.changes = entry.changes.filter(({wasEnabled}) => wasEnabled !== undefined);
		entry.undone = history.undone().add(entry.redo);
		carryOutAgain(targets, 'undo', entry, irreversible.length === 0 ? '' : ` ${irreversibleText(irreversible)}`);
	};

	const redo = (entry: Entry): void => {
		entry.undone = history.undone();
		entry.position = history.addAgain(() => {
			undo(entry);
		});
		carryOutAgain(entry.changes, 'redo', entry);
	};

	/**
	Keeps failed undos undoable and failed redos redoable. Changes that may have been carried out stay in the history: the next
	undo must not reach past them.
	*/
	const keepFailed = (entry: Entry, kind: SwitchKind, {failedIds, unknownIds}: FailedIds): void => {
		const definitelyFailed = kind === 'undo' ? failedIds : failedIds.difference(unknownIds);
		const failed = entry.changes.filter(({id}) => definitelyFailed.has(id));
		if (failed.length === 0) {
			return;
		}

		const {position, undone} = entry;
		entry.changes = entry.changes.filter(({id}) => !definitelyFailed.has(id));
		const isEmpty = entry.changes.length === 0;
		if (isEmpty) {
			undone?.delete(entry.redo);
		}

		const failedEntry = createEntry(failed, entry);
		if (kind === 'undo') {
			history.put(position, () => {
				undo(failedEntry);
			});
			return;
		}

		if (isEmpty) {
			history.remove(position);
		}

		if (kind === 'redo') {
			undone?.add(failedEntry.redo);
		}
	};

	const fail = (failed: readonly ToggleFailure[]): void => {
		if (failed.length === 0) {
			return;
		}

		failures.set(new Map([...failures.get(), ...failed.filter(({isGone}) => !isGone).map(failure => [failure.installed.id, failure] as const)]));
		for (const failure of failed) {
			const {kind, cursorKey} = lastRequests.get(failure.installed.id)!;
			options.onFailed(failure, kind, cursorKey === options.cursorKey?.());
		}
	};

	return {
		toggle(id) {
			const isEnabled = options.shownRecord(id)?.isEnabled;
			if (isEnabled === undefined) {
				return false;
			}

			carryOut(changesFor([{id, isEnabled: !isEnabled}]), isEnabled ? 'off' : 'on', 'toggle');
			return true;
		},
		setMany: (ids, isEnabled) => set(ids.map(id => ({id, isEnabled})), isEnabled ? 'on' : 'off'),
		applyPreset: (targets, note) => set(targets, 'preset', note),
		retry() {
			const targets = [...failures.get().values()].map(({installed, isWantedEnabled}) => ({id: installed.id, isEnabled: isWantedEnabled}));
			carryOut(changesFor(targets), 'retry');
			return targets.length > 0;
		},
		getFailures: failures.get,
		subscribe: failures.subscribe,
		handleOutcomes(outcomes) {
			forgetFailures(outcomes.filter(({failure}) => failure === undefined).map(({installed}) => installed.id));
			fail(outcomes.map(({failure}) => failure).filter(failure => failure !== undefined));
			batches.handleOutcomes(outcomes);
		},
		handleList(records) {
			const known = failures.get();
			forgetFailures(records.filter(({id, isEnabled}) => known.get(id)?.isWantedEnabled === isEnabled).map(({id}) => id));
			fail(records.flatMap(installed => {
				const failure = failures.get().get(installed.id);
				return failure?.isOutcomeUnknown && installed.isEnabled !== undefined ? [{...failure, installed, isOutcomeUnknown: false}] : [];
			}));
		},
	};
};
