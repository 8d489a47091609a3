import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {type Severity} from '../state/severity.ts';
import {
	manySwitchedText,
	oneSwitchedText,
	progressText,
	type SwitchVerb,
} from './switching-texts.ts';
import {type SwitchTarget, type ToggleFailure, type ToggleQueue} from './toggle-queue.ts';
import {type UndoHistory} from './undo-history.ts';

/** `wasEnabled` is `undefined` where the service did not show it. */
type Change = SwitchTarget & {readonly name: string; readonly wasEnabled: boolean | undefined};

/** What one key did, as the history has it at this place; what failed of it is not there any more. */
type Deed = {changes: readonly Change[]; place: number};

/** How it came about: by the key that switches a row, by one that sets many, or by one that goes back and forth among what was done. */
export type SwitchKind = 'toggle' | 'many' | 'undo' | 'redo';

/** What one key asked for: one change, or many. */
type Batch = {
	readonly changes: readonly Change[];
	readonly kind: SwitchKind;
	readonly verb: SwitchVerb;
	readonly deed: Deed;
	/** What is to be said beside what was done. */
	readonly note: string;
	readonly pendingIds: Set<number>;
	readonly failedIds: Set<number>;
	/** Those of the failed that were perhaps carried out all the same. */
	readonly unknownIds: Set<number>;
};

export type SwitchingOptions = {
	readonly toggles: Pick<ToggleQueue, 'setAll'>;
	/** Where everything done is kept. */
	readonly history: Pick<UndoHistory, 'add' | 'put' | 'remove'>;
	/** What the screen shows of a record now; `undefined` where there is none. */
	shownOf(id: number): {readonly name: string; readonly isEnabled: boolean | undefined} | undefined;
	/** Where the key that switches a row acts now, in a word; one and the same unless given. */
	cursorPlace?(): string;
	/** `kind` is how the change was asked for; `isUnderCursor` is false where the key for one row acts elsewhere by now. */
	onFailed(failure: ToggleFailure, kind: SwitchKind, isUnderCursor: boolean): void;
	/** How far a change of many is; `undefined` once it is over. */
	onProgress(text: string | undefined): void;
	onSummary(level: Severity, text: string): void;
};

export type Switching = {
	/** Gives false where there is no such record, or the service does not show its state: then there is no opposite of it. */
	toggle(id: number): boolean;
	/** Sets all to one state, also where the service does not show theirs; none is flipped. Gives how many were not in it yet. */
	setMany(ids: readonly number[], isEnabled: boolean): number;
	/** Does the switching that was undone last again. Gives false where there is none. */
	redo(): boolean;
	/** Tries again what failed. Gives false where nothing did. */
	retry(): boolean;
	/** Changes that failed and were not asked for again, by id. */
	getFailures(): ReadonlyMap<number, ToggleFailure>;
	subscribe(listener: () => void): () => void;
	handleSettled(installed: InstalledAbility): void;
	handleFailed(failure: ToggleFailure): void;
	/**
	Tells what the service lists now: what is as it was wanted, whoever did it, has not failed any more; of the rest it is
	known now what the service shows of it.
	*/
	handleList(records: readonly InstalledAbility[]): void;
};

const unshown = (changes: readonly Change[]): string => changes.length === 1
	? `${changes[0]!.name} was switched ${stateWord(changes[0]!.isEnabled)}, and that cannot be undone: the service did not show its state before.`
	: `${changes.length} were switched, and that cannot be undone: the service did not show their states before.`;

const withoutIds = (changes: readonly Change[], ids: ReadonlySet<number>): readonly Change[] => changes.filter(({id}) => !ids.has(id));

/** Switching as people mean it: one or many at a time, with what failed, undo and redo. */
export const createSwitching = (options: SwitchingOptions): Switching => {
	const {history} = options;
	let batches: readonly Batch[] = [];
	let undone: readonly Deed[] = [];
	let failures: ReadonlyMap<number, ToggleFailure> = new Map();
	/** How each record was switched last, and where the cursor was. */
	const askedFor = new Map<number, {readonly kind: SwitchKind; readonly place: string | undefined}>();
	const listeners = new Set<() => void>();

	const setFailures = (next: ReadonlyMap<number, ToggleFailure>): void => {
		failures = next;
		for (const listener of listeners) {
			listener();
		}
	};

	const forgetFailures = (ids: readonly number[]): void => {
		if (ids.some(id => failures.has(id))) {
			setFailures(new Map([...failures].filter(([id]) => !ids.includes(id))));
		}
	};

	const changesFor = (targets: readonly SwitchTarget[]): readonly Change[] => targets.flatMap(target => {
		const shown = options.shownOf(target.id);
		return shown === undefined || shown.isEnabled === target.isEnabled ? [] : [{...target, name: shown.name, wasEnabled: shown.isEnabled}];
	});

	const start = (changes: readonly Change[], how: Pick<Batch, 'verb' | 'kind' | 'deed' | 'note'>): void => {
		forgetFailures(changes.map(({id}) => id));
		if (changes.length > 0) {
			batches = [...batches, {
				...how, changes, pendingIds: new Set(changes.map(({id}) => id)), failedIds: new Set(), unknownIds: new Set(),
			}];
		}

		const asked = {kind: how.kind, place: options.cursorPlace?.()};
		for (const {id} of changes) {
			askedFor.set(id, asked);
		}

		options.toggles.setAll(changes);
	};

	const carryOut = (changes: readonly Change[], verb: SwitchVerb, kind: SwitchKind = 'many'): void => {
		if (changes.length === 0) {
			return;
		}

		const deed: Deed = {changes, place: 0};
		deed.place = history.add(() => {
			takeBack(deed);
		});
		undone = [];
		start(changes, {
			verb, kind, deed, note: '',
		});
	};

	/** Of one record that is there still, its state says why. */
	const nothingToDo = (targets: readonly SwitchTarget[], kind: 'undo' | 'redo'): string => {
		const shown = targets.length === 1 ? options.shownOf(targets[0]!.id) : undefined;
		return `Nothing to ${kind}${shown === undefined ? '' : `: ${shown.name} is ${stateWord(shown.isEnabled)} already`}.`;
	};

	const goBackAndForth = (targets: readonly SwitchTarget[], kind: 'undo' | 'redo', deed: Deed, note = ''): void => {
		const changes = changesFor(targets);
		if (changes.length === 0) {
			options.onSummary('info', `${nothingToDo(targets, kind)}${note}`);
		}

		start(changes, {
			verb: kind, kind, deed, note,
		});
	};

	/** Puts what is done still, or again, where the history had it. */
	const keepDone = (changes: readonly Change[], place: number): void => {
		const deed: Deed = {changes, place};
		history.put(place, () => {
			takeBack(deed);
		});
	};

	/** Only a state that was shown can be gone back to; what has none stays where it is in the history. */
	const takeBack = (deed: Deed): void => {
		const targets = deed.changes.flatMap(({id, wasEnabled}) => wasEnabled === undefined ? [] : [{id, isEnabled: wasEnabled}]);
		const stuck = deed.changes.filter(({wasEnabled}) => wasEnabled === undefined);
		if (targets.length === 0) {
			options.onSummary('info', unshown(stuck));
			return;
		}

		history.remove(deed.place);
		if (stuck.length > 0) {
			keepDone(stuck, deed.place);
		}

		deed.changes = deed.changes.filter(({wasEnabled}) => wasEnabled !== undefined);
		undone = [...undone, deed];
		goBackAndForth(targets, 'undo', deed, stuck.length === 0 ? '' : ` ${unshown(stuck)}`);
	};

	const summarize = ({changes, verb, failedIds, unknownIds, note}: Batch): void => {
		options.onProgress(undefined);
		const text = manySwitchedText(verb, {
			done: changes.length - failedIds.size,
			failed: failedIds.size - unknownIds.size,
			unknown: unknownIds.size,
		});
		options.onSummary(failedIds.size === 0 ? 'info' : 'error', `${text}${note}`);
	};

	/**
	What was not taken back can still be undone, and what was not done again can still be done again. What was perhaps done
	stays in the history: the next undo is not to reach past it.
	*/
	const keepFailed = ({deed, kind, failedIds, unknownIds}: Batch): void => {
		const failedForSure = kind === 'undo' ? failedIds : failedIds.difference(unknownIds);
		const failed = deed.changes.filter(({id}) => failedForSure.has(id));
		if (failed.length === 0) {
			return;
		}

		const {place} = deed;
		deed.changes = withoutIds(deed.changes, failedForSure);
		const isEmpty = deed.changes.length === 0;
		if (kind === 'undo') {
			undone = isEmpty ? undone.filter(other => other !== deed) : undone;
			keepDone(failed, place);
			return;
		}

		if (isEmpty) {
			history.remove(place);
			undone = undone.filter(other => other !== deed);
		}

		if (kind === 'redo') {
			undone = [...undone, {changes: failed, place}];
		}
	};

	/** A change of one row is told by the row; which one an undo found, it is not. */
	const tell = (batch: Batch, name: string, isEnabled: boolean | undefined): void => {
		const {changes, kind, verb, failedIds, note} = batch;
		if (changes.length > 1) {
			summarize(batch);
		} else if (kind !== 'toggle' && failedIds.size === 0) {
			options.onSummary('info', `${oneSwitchedText(verb, name, isEnabled)}${note}`);
		}
	};

	const conclude = ({id, isEnabled, name}: InstalledAbility, failure?: ToggleFailure): void => {
		const concerned = batches.filter(({pendingIds}) => pendingIds.delete(id));
		for (const batch of concerned) {
			if (failure !== undefined) {
				batch.failedIds.add(id);
			}

			if (failure?.error.isOutcomeUnknown) {
				batch.unknownIds.add(id);
			}

			const {changes, verb, pendingIds} = batch;
			if (pendingIds.size > 0) {
				options.onProgress(progressText(verb, changes.length - pendingIds.size, changes.length));
			} else {
				batches = batches.filter(other => other !== batch);
				keepFailed(batch);
				tell(batch, name, isEnabled);
			}
		}
	};

	const fail = (failure: ToggleFailure): void => {
		if (!failure.isGone) {
			setFailures(new Map(failures).set(failure.installed.id, failure));
		}

		const {kind, place} = askedFor.get(failure.installed.id)!;
		options.onFailed(failure, kind, place === options.cursorPlace?.());
	};

	return {
		toggle(id) {
			const isEnabled = options.shownOf(id)?.isEnabled;
			if (isEnabled === undefined) {
				return false;
			}

			carryOut(changesFor([{id, isEnabled: !isEnabled}]), isEnabled ? 'off' : 'on', 'toggle');
			return true;
		},
		setMany(ids, isEnabled) {
			const changes = changesFor(ids.map(id => ({id, isEnabled})));
			carryOut(changes, isEnabled ? 'on' : 'off');
			return changes.length;
		},
		redo() {
			const deed = undone.at(-1);
			if (deed === undefined) {
				return false;
			}

			undone = undone.slice(0, -1);
			deed.place = history.add(() => {
				takeBack(deed);
			});
			goBackAndForth(deed.changes, 'redo', deed);
			return true;
		},
		retry() {
			const targets = [...failures.values()].map(({installed, isWantedEnabled}) => ({id: installed.id, isEnabled: isWantedEnabled}));
			carryOut(changesFor(targets), 'retry');
			return targets.length > 0;
		},
		getFailures: () => failures,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		handleSettled(installed) {
			forgetFailures([installed.id]);
			conclude(installed);
		},
		handleFailed(failure) {
			fail(failure);
			conclude(failure.installed, failure);
		},
		handleList(records) {
			forgetFailures(records.filter(({id, isEnabled}) => failures.get(id)?.isWantedEnabled === isEnabled).map(({id}) => id));
			for (const installed of records) {
				const failure = failures.get(installed.id);
				if (failure?.isOutcomeUnknown && installed.isEnabled !== undefined) {
					fail({...failure, installed, isOutcomeUnknown: false});
				}
			}
		},
	};
};
