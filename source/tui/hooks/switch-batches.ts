import {type Severity} from '../state/severity.ts';
import {type SwitchTarget, type ToggleOutcome} from './intents.ts';
import {
	manySwitchedText,
	oneSwitchedText,
	progressCount,
	progressText,
	type SwitchVerb,
} from './switching-texts.ts';

/** `wasEnabled` is `undefined` if the service did not show it. */
export type SwitchChange = SwitchTarget & {readonly name: string; readonly wasEnabled: boolean | undefined};

/** The cause of the changes: the key that switches a row, one that sets many, undo, or redo. */
export type SwitchKind = 'toggle' | 'many' | 'undo' | 'redo';

/** The changes that one key requested: one or many. */
type Batch = {
	readonly changes: readonly SwitchChange[];
	readonly kind: SwitchKind;
	readonly verb: SwitchVerb;
	/** Added to the summary. */
	readonly note: string;
	/** Called once all answers have come. */
	onEnd(result: FailedIds): void;
};

export type FailedIds = {
	readonly failedIds: ReadonlySet<number>;
	/** Those of the failed that may have been carried out all the same. */
	readonly unknownIds: ReadonlySet<number>;
};

export type SwitchBatchesOptions = {
	/** Called when a key starts to switch something. */
	onStart(): void;
	/** Called with the changes of a key that were made, once all of its changes are answered. */
	onSwitched(changes: readonly SwitchChange[]): void;
	/** Called with the progress of a bulk change, and how many of it are answered, such as “261 of 5,000”; with `undefined` once it is over. */
	onProgress(text: string | undefined, count?: string): void;
	onSummary(level: Severity, text: string): void;
};

type SwitchBatches = {
	start(batch: Batch): void;
	handleOutcomes(outcomes: readonly ToggleOutcome[]): void;
};

type Running = {
	readonly batch: Batch;
	readonly pendingIds: Set<number>;
	readonly failedIds: Set<number>;
	readonly unknownIds: Set<number>;
	/** Switched again since, by a later key, which reports them. */
	readonly reversedIds: Set<number>;
};

/** Follows the changes of each key until all are answered; reports their progress and outcome. */
export const createSwitchBatches = ({onStart, onSwitched, onProgress, onSummary}: SwitchBatchesOptions): SwitchBatches => {
	let running: readonly Running[] = [];

	const reportProgress = ({verb, changes: {length}}: Batch, pendingCount: number): void => {
		const count = progressCount(length - pendingCount, length);
		onProgress(progressText(verb, count), count);
	};

	/** A change of one row shows on the row; an undo also says which row that was. */
	const summarize = ({batch: {changes, kind, verb, note}, failedIds, unknownIds, reversedIds}: Running, {installed}: ToggleOutcome): void => {
		if (changes.length > 1) {
			const other = running.findLast(({batch}) => batch.changes.length > 1);
			if (other === undefined) {
				onProgress(undefined);
			} else {
				reportProgress(other.batch, other.pendingIds.size);
			}

			const done = changes.length - failedIds.union(reversedIds).size;
			if (done === 0 && failedIds.size === 0) {
				return;
			}

			const text = manySwitchedText(verb, {
				done,
				failed: failedIds.size - unknownIds.size,
				unknown: unknownIds.size,
			});
			onSummary(failedIds.size === 0 ? 'info' : 'error', `${text}${note}`);
		} else if (kind !== 'toggle' && failedIds.size === 0) {
			onSummary('info', `${oneSwitchedText(verb, installed.name, installed.isEnabled)}${note}`);
		}
	};

	return {
		start(batch) {
			if (batch.changes.length === 0) {
				return;
			}

			onStart();
			if (batch.changes.length > 1) {
				reportProgress(batch, batch.changes.length);
			}

			const ids = new Set(batch.changes.map(({id}) => id));
			for (const {batch: {changes}, reversedIds} of running) {
				for (const {id} of changes) {
					if (ids.has(id)) {
						reversedIds.add(id);
					}
				}
			}

			running = [...running, {
				batch, pendingIds: ids, failedIds: new Set(), unknownIds: new Set(), reversedIds: new Set(),
			}];
		},
		handleOutcomes(outcomes) {
			for (const each of running) {
				const {batch, pendingIds, failedIds, unknownIds} = each;
				const ended = outcomes.filter(({installed}) => pendingIds.delete(installed.id));
				for (const {installed: {id}, failure} of ended) {
					if (failure !== undefined) {
						failedIds.add(id);
					}

					if (failure?.error.isOutcomeUnknown) {
						unknownIds.add(id);
					}
				}

				const last = ended.at(-1);
				if (last === undefined) {
					continue;
				}

				if (pendingIds.size > 0) {
					reportProgress(batch, pendingIds.size);
				} else {
					running = running.filter(other => other !== each);
					batch.onEnd(each);
					onSwitched(batch.changes.filter(({id}) => !failedIds.has(id)));
					summarize(each, last);
				}
			}
		},
	};
};
