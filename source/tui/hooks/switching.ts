import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {type ToggleFailure, type ToggleQueue} from './toggle-queue.ts';

export type SwitchTarget = {readonly id: number; readonly isEnabled: boolean};

type Change = SwitchTarget & {readonly wasEnabled: boolean};

/** How it came about: by the key that switches a row, by one that sets many, or by one that goes back and forth among what was done. */
export type SwitchKind = 'toggle' | 'many' | 'undo' | 'redo';

/** What one key asked for: one change, or many. */
type Batch = {
	readonly changes: readonly Change[];
	readonly kind: SwitchKind;
	readonly verb: string;
	readonly pendingIds: Set<number>;
	readonly failedIds: Set<number>;
};

export type SwitchingOptions = {
	readonly toggles: Pick<ToggleQueue, 'set'>;
	/** What the screen shows of a record now; `undefined` where there is none. */
	isShownEnabled(id: number): boolean | undefined;
	/** Where the key that switches a row acts now, in a word; one and the same unless given. */
	cursorPlace?(): string;
	/** `kind` is how the change was asked for; `isUnderCursor` is false where the key for one row acts elsewhere by now. */
	onFailed(failure: ToggleFailure, kind: SwitchKind, isUnderCursor: boolean): void;
	/** How far a change of many is; `undefined` once it is over. */
	onProgress(text: string | undefined): void;
	onSummary(level: 'info' | 'error', text: string): void;
};

export type Switching = {
	/** Gives false where there is no such record. */
	toggle(id: number): boolean;
	/** Sets all to one state; none is flipped. Gives how many were not in it yet. */
	setMany(ids: readonly number[], isEnabled: boolean): number;
	/** Takes the last change back. Gives false where there is none. */
	undo(): boolean;
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
	known now that it did not come about.
	*/
	handleList(records: readonly InstalledAbility[]): void;
};

/** How many changes can be taken back. */
const historyLength = 20;

/** The newest of these changes that was made to each of the records is left out. */
const without = (history: ReadonlyArray<readonly Change[]>, ids: ReadonlySet<number>): ReadonlyArray<readonly Change[]> => {
	let left = history;
	for (const id of ids) {
		const index = left.findLastIndex(changes => changes.some(change => change.id === id));
		left = index === -1 ? left : left.with(index, left[index]!.filter(change => change.id !== id)).filter(changes => changes.length > 0);
	}

	return left;
};

/** Switching as people mean it: one or many at a time, with what failed, undo and redo. */
export const createSwitching = (options: SwitchingOptions): Switching => {
	let batches: readonly Batch[] = [];
	let done: ReadonlyArray<readonly Change[]> = [];
	let undone: ReadonlyArray<readonly Change[]> = [];
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
		const wasEnabled = options.isShownEnabled(target.id);
		return wasEnabled === undefined || wasEnabled === target.isEnabled ? [] : [{...target, wasEnabled}];
	});

	const start = (changes: readonly Change[], verb: string, kind: SwitchKind): void => {
		forgetFailures(changes.map(({id}) => id));
		if (changes.length > 0) {
			batches = [...batches, {
				changes, verb, kind, pendingIds: new Set(changes.map(({id}) => id)), failedIds: new Set(),
			}];
		}

		for (const {id, isEnabled} of changes) {
			askedFor.set(id, {kind, place: options.cursorPlace?.()});
			options.toggles.set(id, isEnabled);
		}
	};

	const carryOut = (changes: readonly Change[], verb: string, kind: SwitchKind = 'many'): void => {
		if (changes.length > 0) {
			done = [...done, changes].slice(-historyLength);
			undone = [];
		}

		start(changes, verb, kind);
	};

	const goBackAndForth = (targets: readonly SwitchTarget[], verb: string, kind: SwitchKind): void => {
		const changes = changesFor(targets);
		if (changes.length === 0) {
			options.onSummary('info', `${verb}: ${targets.length === 1 ? 'it is' : 'all are'} as wanted already.`);
		}

		start(changes, verb, kind);
	};

	const summarize = ({changes, verb, failedIds}: Batch): void => {
		options.onProgress(undefined);
		const failed = failedIds.size;
		const well = changes.length - failed;
		if (failed === 0) {
			options.onSummary('info', `${verb}: ${well} done.`);
		} else {
			options.onSummary('error', `${verb}: ${well} done, ${failed} failed.`);
		}
	};

	/** What was not taken back can still be undone, and what was not done again can still be done again. */
	const keepFailed = ({changes, kind, failedIds}: Batch): void => {
		const failed = changes.filter(({id}) => failedIds.has(id));
		if (failed.length === 0) {
			return;
		}

		if (kind === 'undo') {
			undone = without(undone, failedIds);
			done = [...done, failed.map(({id, isEnabled, wasEnabled}) => ({id, isEnabled: wasEnabled, wasEnabled: isEnabled}))];
		} else {
			done = without(done, failedIds);
			undone = kind === 'redo' ? [...undone, failed] : undone;
		}
	};

	/** A change of one row is told by the row; which one an undo found, it is not. */
	const tell = (batch: Batch, {name, isEnabled}: InstalledAbility): void => {
		const {changes, kind, verb, failedIds} = batch;
		if (changes.length > 1) {
			summarize(batch);
		} else if (kind !== 'toggle' && failedIds.size === 0) {
			options.onSummary('info', `${verb}: ${name} is ${stateWord(isEnabled)}.`);
		}
	};

	const conclude = (installed: InstalledAbility, hasFailed: boolean): void => {
		const {id} = installed;
		const concerned = batches.filter(({pendingIds}) => pendingIds.delete(id));
		for (const batch of concerned) {
			if (hasFailed) {
				batch.failedIds.add(id);
			}

			const {changes, verb, pendingIds} = batch;
			if (pendingIds.size > 0) {
				options.onProgress(`${verb}: ${changes.length - pendingIds.size} of ${changes.length}…`);
			} else {
				batches = batches.filter(other => other !== batch);
				keepFailed(batch);
				tell(batch, installed);
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
			const isEnabled = options.isShownEnabled(id);
			if (isEnabled === undefined) {
				return false;
			}

			carryOut(changesFor([{id, isEnabled: !isEnabled}]), 'Switching', 'toggle');
			return true;
		},
		setMany(ids, isEnabled) {
			const changes = changesFor(ids.map(id => ({id, isEnabled})));
			carryOut(changes, isEnabled ? 'Switching on' : 'Switching off');
			return changes.length;
		},
		undo() {
			const changes = done.at(-1);
			if (changes === undefined) {
				return false;
			}

			done = done.slice(0, -1);
			undone = [...undone, changes];
			goBackAndForth(changes.map(({id, wasEnabled}) => ({id, isEnabled: wasEnabled})), 'Undoing', 'undo');
			return true;
		},
		redo() {
			const changes = undone.at(-1);
			if (changes === undefined) {
				return false;
			}

			undone = undone.slice(0, -1);
			done = [...done, changes];
			goBackAndForth(changes, 'Doing again', 'redo');
			return true;
		},
		retry() {
			const targets = [...failures.values()].map(({installed, isWantedEnabled}) => ({id: installed.id, isEnabled: isWantedEnabled}));
			carryOut(changesFor(targets), 'Trying again');
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
			conclude(installed, false);
		},
		handleFailed(failure) {
			fail(failure);
			conclude(failure.installed, true);
		},
		handleList(records) {
			forgetFailures(records.filter(({id, isEnabled}) => failures.get(id)?.isWantedEnabled === isEnabled).map(({id}) => id));
			for (const installed of records) {
				const failure = failures.get(installed.id);
				if (failure?.isOutcomeUnknown) {
					fail({...failure, installed, isOutcomeUnknown: false});
				}
			}
		},
	};
};
